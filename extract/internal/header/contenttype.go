package header

import (
	"bytes"
	"strconv"
	"strings"

	message "github.com/emersion/go-message"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// ContentType gives the media type that a Content-Type field names, in lower case, and its
// parameters by their names in lower case, as UTF-8. A value that names none gives "":
// RFC 2045 5.2 has the default then.
//
// go-message reads the value; what it refuses, and the parameters that it leaves out, are
// read here, as generously as mail needs it. Of a parameter that comes twice the first
// counts. A boundary is what is written, never the text of an encoded word.
func ContentType(value []byte) (mediaType string, params map[string]string) {
	unfolded, _ := codec.HeaderLines.Decode(value)
	mediaType, rest := MediaTypeOf(unfolded)
	if mediaType == "" {
		return "", nil
	}
	params = parametersOf(unfolded, rest)
	if isPlainValue(unfolded) {
		return mediaType, params
	}
	var h message.Header
	h.Set("Content-Type", string(unfolded))
	theirType, theirs, err := h.ContentType()
	if err != nil || theirType != mediaType {
		return mediaType, params
	}
	for name, v := range theirs {
		if name != "boundary" || params[name] == "" {
			params[name] = v
		}
	}
	return mediaType, params
}

// isPlainValue says whether nothing is in a value that can be read in two ways: no comment,
// no encoded word, no backslash, no RFC 2231, only ASCII. What most mail has is read in a
// fraction of the time so.
func isPlainValue(value []byte) bool {
	for _, c := range value {
		if c >= 0x7F || c == '(' || c == '*' || c == '?' || c == '\\' {
			return false
		}
	}
	return true
}

// TransferEncoding gives the mechanism that a Content-Transfer-Encoding field names
// (RFC 2045 6.1), in lower case; "" if none. Comments, quotes, and what follows the first
// token are left out; 7bit and 8bit may be written as two words.
func TransferEncoding(value []byte) string {
	var c comments
	i := c.skipAll(value, 0, len(value))
	if i < len(value) && value[i] == '"' {
		i = ascii.SkipWhite(value, i+1, len(value))
	}
	switch token := ascii.Lower(string(value[i:tokenEnd(value, i)])); token {
	case "7-bit", "7bits", "7": // 7 bit
		return "7bit"
	case "8-bit", "8bits", "8":
		return "8bit"
	default:
		return token
	}
}

// tokenEnd gives the end of the RFC 2045 5.1 token at i, "?" and "=" and what is not
// ASCII taken for part of it.
func tokenEnd(src []byte, i int) int {
	for i < len(src) && src[i] > ' ' && src[i] != 0x7F && bytes.IndexByte([]byte(`()<>@,;:\"/[]`), src[i]) < 0 {
		i++
	}
	return i
}

// MediaTypeOf reads type and subtype, with comments around the slash, and quotes around
// both. rest is where the parameters begin.
func MediaTypeOf(src []byte) (mediaType string, rest int) {
	var c comments
	i := c.skipAll(src, 0, len(src))
	quoted := i < len(src) && src[i] == '"'
	if quoted {
		i++
	}
	typeEnd := tokenEnd(src, i)
	slash := c.skipAll(src, typeEnd, len(src))
	if slash == len(src) || src[slash] != '/' {
		return "", 0
	}
	sub := c.skipAll(src, slash+1, len(src))
	subEnd := tokenEnd(src, sub)
	if i == typeEnd || sub == subEnd {
		return "", 0
	}
	rest = subEnd
	if quoted && rest < len(src) && src[rest] == '"' {
		rest++
	}
	return ascii.Lower(string(src[i:typeEnd])) + "/" + ascii.Lower(string(src[sub:subEnd])), rest
}

// parameter is one parameter as it is written.
type parameter struct {
	name  codec.Span
	value codec.Span // inside the quotes, if quoted
	quote bool
}

// parametersAt calls visit for each parameter behind src[i], the type: `; name=value`,
// RFC 2045 5.1. Semicolons may be missing or too many, and what is no parameter is
// skipped. visit returns false to stop.
func parametersAt(src []byte, i int, visit func(parameter) bool) {
	var c comments
	for i < len(src) {
		start := c.skipAll(src, i, len(src))
		nameEnd := parameterNameEnd(src, start)
		equals := c.skipAll(src, nameEnd, len(src))
		if nameEnd == start || equals == len(src) || src[equals] != '=' {
			i = max(nameEnd, start+1)
			continue
		}
		p := parameter{name: codec.Span{Start: start, End: nameEnd}}
		p.value, p.quote, i = parameterValue(src, c.skipAll(src, equals+1, len(src)), &c)
		if !visit(p) {
			return
		}
	}
}

// parameterNameEnd is tokenEnd for a name, which an equals sign ends.
func parameterNameEnd(src []byte, i int) int {
	end := tokenEnd(src, i)
	if n := bytes.IndexByte(src[i:end], '='); n >= 0 {
		return i + n
	}
	return end
}

// parameterValue reads the value at i. Without quotes it goes on to the semicolon, blanks
// and equals signs included, as in `boundary=a=b` and `name=my page.html`; but a comment
// ends it, unless text is on both sides of it, as in `name=page(1).html`, and so does a blank
// with what looks like the next parameter behind it. A quoted one without an end is read as
// if it had no quote.
func parameterValue(src []byte, i int, c *comments) (value codec.Span, quoted bool, next int) {
	if i < len(src) && src[i] == '"' {
		i++
		if end := ascii.QuotedEnd(src, i); end < len(src) {
			return codec.Span{Start: i, End: end}, true, end + 1
		}
	}
	end := i
	for end < len(src) && src[end] != ';' {
		if src[end] == '(' {
			if after, ok := c.skip(src, end, len(src)); ok {
				if after == len(src) || src[after] == ';' || src[after] == '(' || ascii.IsWhite(src[after]) {
					break
				}
				end = after
				continue
			}
		}
		if !ascii.IsWhite(src[end]) {
			end++
			continue
		}
		after := ascii.SkipWhite(src, end, len(src))
		if after < len(src) && src[after] == '(' {
			if _, ok := c.skip(src, after, len(src)); ok {
				break
			}
		}
		if nameEnd := parameterNameEnd(src, after); nameEnd > after && nameEnd < len(src) && src[nameEnd] == '=' {
			break
		}
		end = after
	}
	return TrimWhite(src, codec.Span{Start: i, End: end}), false, end
}

// unquotedString takes out the backslashes of a quoted string that quote something: a quote or a
// backslash, and with all whatever follows (RFC 822 3.3). Others are those of a Windows path.
func unquotedString(src []byte, all bool) string {
	if bytes.IndexByte(src, '\\') < 0 {
		return string(src)
	}
	out := make([]byte, 0, len(src))
	for i := 0; i < len(src); i++ {
		if src[i] == '\\' && i+1 < len(src) && (all || src[i+1] == '"' || src[i+1] == '\\') {
			i++
		}
		out = append(out, src[i])
	}
	return string(out)
}

// parametersOf gives the parameters behind src[i], those of RFC 2231 put together. Where a
// name comes plain and extended the extended one counts.
func parametersOf(src []byte, i int) map[string]string {
	params := map[string]string{}
	var pieces map[string]map[int]piece // by name and number; "name*" has the number 0
	parametersAt(src, i, func(p parameter) bool {
		full := ascii.Lower(string(src[p.name.Start:p.name.End]))
		name, number, encoded := sectionOf(full)
		value := string(src[p.value.Start:p.value.End])
		if p.quote {
			// No boundary has a backslash of its own (RFC 2046 5.1.1).
			value = unquotedString(src[p.value.Start:p.value.End], name == "boundary")
		}
		if name == full {
			if _, ok := params[name]; !ok {
				params[name] = value
			}
			return true
		}
		if pieces == nil {
			pieces = map[string]map[int]piece{}
		}
		if pieces[name] == nil {
			pieces[name] = map[int]piece{}
		}
		if _, ok := pieces[name][number]; !ok {
			pieces[name][number] = piece{value, encoded}
		}
		return true
	})
	for name, list := range pieces {
		if _, ok := list[0]; ok {
			params[name] = joined(list)
		}
	}
	return params
}

// piece is one section of an RFC 2231 parameter.
type piece struct {
	value   string
	encoded bool
}

// sectionOf reads a name with stars: `name*` (RFC 2231 4), `name*1` (3), `name*1*` (4.1).
// One of another form is a name like any other.
func sectionOf(full string) (name string, number int, encoded bool) {
	name, section, extended := strings.Cut(full, "*")
	if !extended || name == "" {
		return full, 0, false
	}
	if section == "" {
		return name, 0, true
	}
	digits, tail, encoded := strings.Cut(section, "*")
	number, err := strconv.Atoi(digits)
	if err != nil || number < 0 || tail != "" {
		return full, 0, false
	}
	return name, number, encoded
}

// joined puts the sections of a parameter together, up to the first that is missing. The
// first one says which charset the octets are of.
func joined(list map[int]piece) string {
	first, label := list[0], ""
	if first.encoded {
		if charset, rest, ok := strings.Cut(first.value, "'"); ok {
			if _, value, ok := strings.Cut(rest, "'"); ok {
				label, first.value = charset, value
			}
		}
	}
	var octets []byte
	for n, p := 0, first; ; {
		if p.encoded {
			octets = append(octets, ascii.PercentDecoded([]byte(p.value))...) // RFC 2231 4
		} else {
			octets = append(octets, p.value...)
		}
		var ok bool
		if n++; n >= len(list) {
			break
		}
		if p, ok = list[n]; !ok {
			break
		}
	}
	if c, _, ok := codec.Charset(label); ok {
		octets, _ = c.Decode(octets)
	}
	return string(octets)
}

// ParameterURL finds the URL that a parameter of a Content-Type field is, by its name in lower case:
// the span of what is inside the quotes, and its spelling. That of message/external-body (RFC 2017
// 3) may come in sections (RFC 2231 3); in encoded ones, or in another order, it is not found.
func ParameterURL(src []byte, value codec.Span, name string) (span codec.Span, c codec.Codec, ok bool) {
	_, rest := MediaTypeOf(src[value.Start:value.End])
	sections, c := 0, codec.HeaderURL
	parametersAt(src[:value.End], value.Start+rest, func(p parameter) bool {
		full := ascii.Lower(string(src[p.name.Start:p.name.End]))
		part, number, encoded := sectionOf(full)
		switch {
		case part != name || ok && part == full:
		case part == full:
			span, ok = p.value, true
			if before := bytes.TrimRight(src[:p.value.Start], codec.WhiteSpace); !p.quote && before[len(before)-1] != '"' { // nor one without an end
				c = codec.UnquotedParameter
			}
		case number != sections || encoded || !p.quote:
			ok, sections = false, -1
			return false
		case number == 0:
			span, ok, sections = p.value, true, 1
		default:
			span.End = p.value.End
			sections++
		}
		return true
	})
	if sections == 0 {
		return span, c, ok
	}
	text := src[span.Start:span.End]
	quotes := 2 * (sections - 1)
	return span, codec.HeaderSections, ok && bytes.Count(text, []byte(`"`)) == quotes && bytes.IndexByte(text, '\\') < 0
}
