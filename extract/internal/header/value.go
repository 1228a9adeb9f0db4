package header

import (
	"bytes"
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
)

// This file reads the values of Content-Type and of fields like it: a token or a media type, and parameters.

// ContentType returns the media type and the parameters of the value of a Content-Type field. The media type and the
// names of the parameters are in lower case, and the values are UTF-8. The first of repeated parameters applies. If the
// value has no media type, ContentType returns "" and nil, and the caller uses the default of RFC 2045 5.2.
func ContentType(value []byte) (mediaType string, params map[string]string) {
	unfolded, _ := spell.HeaderLines.Decode(value)
	mediaType, rest := MediaTypeOf(unfolded)
	if mediaType == "" {
		return "", nil
	}
	return mediaType, parametersOf(unfolded, rest)
}

// MediaTypeOf returns the media type at the start of a value, in lower case, or "" if there is none, and the index of
// the parameters. It skips comments around the slash and quotes around the media type.
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
	return ascii.Lower(string(src[i:typeEnd]) + "/" + string(src[sub:subEnd])), rest
}

// HTTPContentType is ContentType for a header of HTTP, whose Content-Type fields are combined with ", " between them
// ("extract a MIME type" of the Fetch Standard, 2.2.3). The last valid value applies. If it has no charset, it takes
// that of the values before it with the same media type.
func HTTPContentType(combined []byte) (mediaType string, params map[string]string) {
	charset, all := "", splitValues(combined)
	for _, value := range all {
		essence, own := ContentType(value)
		switch {
		case essence == "" || essence == "*/*" || len(all) > 1 && !isBare(value):
			continue
		case essence != mediaType:
			charset = own["charset"]
		case own["charset"] == "" && charset != "":
			own["charset"] = charset
		}
		mediaType, params = essence, own
	}
	return mediaType, params
}

// isBare reports whether nothing but parameters follows the media type of a value.
func isBare(value []byte) bool {
	_, rest := MediaTypeOf(value)
	rest = ascii.SkipWhite(value, rest, len(value))
	return rest == len(value) || value[rest] == ';'
}

// splitValues splits the combined value of a field of HTTP at the commas outside quoted strings ("get, decode, and
// split" of the Fetch Standard, 2.2.2). What follows the first values is one value.
func splitValues(combined []byte) (values [][]byte) {
	start := 0
	for i := 0; ; i++ {
		switch {
		case i >= len(combined) || combined[i] == ',' && len(values) < 1000:
			i = min(i, len(combined))
			values = append(values, ascii.Trimmed(combined[start:i]))
			if i == len(combined) {
				return values
			}
			start = i + 1
		case combined[i] == '"':
			i = ascii.QuotedEnd(combined, i+1)
		}
	}
}

// Charset returns the charset parameter of a message, or "". Some programs write it in single quotes, which RFC 2045
// lacks.
func Charset(params map[string]string) string { return strings.Trim(params["charset"], "'") }

// TransferEncoding returns the mechanism in the value of a Content-Transfer-Encoding field (RFC 2045 6.1), in lower
// case, or "" if there is none. It skips comments, quotes, and the text after the first token, and accepts variants of
// 7bit and 8bit like "8-bit" and "8 bit".
func TransferEncoding(value []byte) string {
	var c comments
	i := c.skipAll(value, 0, len(value))
	if i < len(value) && value[i] == '"' {
		i = ascii.SkipWhite(value, i+1, len(value))
	}
	switch token := strings.Trim(ascii.Lower(string(value[i:tokenEnd(value, i)])), "'"); token {
	case "7-bit", "7bits", "7": // 7 bit
		return "7bit"
	case "8-bit", "8bits", "8":
		return "8bit"
	default:
		return token
	}
}

// tokenEnd returns the end of the token at i (RFC 2045 5.1). Unlike the RFC it accepts "?", "=" and characters outside
// ASCII, because a type or an encoding with them is an unknown one, and not the part before them.
func tokenEnd(src []byte, i int) int {
	for i < len(src) && inToken(src[i]) {
		i++
	}
	return i
}

// nameEnd is tokenEnd for the name of a parameter, which has no "=".
func nameEnd(src []byte, i int) int {
	for i < len(src) && inToken(src[i]) && src[i] != '=' {
		i++
	}
	return i
}

func inToken(c byte) bool {
	return c > ' ' && c != 0x7F && bytes.IndexByte([]byte(`()<>@,;:\"/[]`), c) < 0
}

// parameter is one parameter of a value, before decoding.
type parameter struct {
	name  codec.Span
	value codec.Span // inside the quotes, if quoted
	quote bool
}

// parametersAt calls visit for each parameter in src[i:], after the media type: `; name=value` (RFC 2045 5.1). It
// accepts missing and repeated semicolons, and skips other text. visit returns false to stop.
func parametersAt(src []byte, i int, visit func(parameter) bool) {
	var c comments
	for i < len(src) {
		start := c.skipAll(src, i, len(src))
		end := nameEnd(src, start)
		equals := c.skipAll(src, end, len(src))
		if end == start || equals == len(src) || src[equals] != '=' {
			i = max(end, start+1)
			continue
		}
		p := parameter{name: codec.Span{Start: start, End: end}}
		p.value, p.quote, i = parameterValue(src, c.skipAll(src, equals+1, len(src)), &c)
		if !visit(p) {
			return
		}
	}
}

// parameterValue returns the value at i, and the index after it. If the closing quote is missing, the value is read as
// an unquoted value.
func parameterValue(src []byte, i int, c *comments) (value codec.Span, quoted bool, next int) {
	if i < len(src) && src[i] == '"' {
		i++
		if end := ascii.QuotedEnd(src, i); end < len(src) {
			return codec.Span{Start: i, End: end}, true, end + 1
		}
	}
	end := i
	for next = nextInValue(src, i, c); next > end; next = nextInValue(src, end, c) {
		end = next
	}
	return TrimWhite(src, codec.Span{Start: i, End: end}), false, end
}

// nextInValue returns the index after the byte, the comment or the white space at i, or i if an unquoted value ends
// there.
//
// White space and equals signs are part of an unquoted value, as in `boundary=a=b` and `name=my page.html`. These end
// it:
//
//	;                                a semicolon
//	(comment)                        but not between two characters, as in `name=page(1).html`
//	white space and name=            the next parameter, whose semicolon is missing
func nextInValue(src []byte, i int, c *comments) int {
	if i == len(src) || src[i] == ';' {
		return i
	}
	if !ascii.IsWhite(src[i]) {
		if src[i] != '(' {
			return i + 1
		}
		after, ok := c.skip(src, i, len(src))
		switch {
		case !ok:
			return i + 1
		case after == len(src) || src[after] == ';' || src[after] == '(' || ascii.IsWhite(src[after]):
			return i
		}
		return after
	}
	after := ascii.SkipWhite(src, i, len(src))
	if after < len(src) && src[after] == '(' {
		if _, ok := c.skip(src, after, len(src)); ok {
			return i
		}
	}
	if end := nameEnd(src, after); end > after && end < len(src) && src[end] == '=' {
		return i
	}
	return after
}

// unquoted returns the text of a quoted string (RFC 822 3.3). Unless all is set, a backslash quotes only a quote or a
// backslash, because any other backslash is part of a Windows path.
func unquoted(src []byte, all bool) string {
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

// parametersOf returns the parameters in src[i:], with those in sections joined (RFC 2231 3). If a name is used with
// and without sections, the sections win.
func parametersOf(src []byte, i int) map[string]string {
	params := map[string]string{}
	var sections map[string]section // by name, "*" and number; "name*" has the number 0
	parametersAt(src, i, func(p parameter) bool {
		full := ascii.Lower(string(src[p.name.Start:p.name.End]))
		name, number, encoded := sectionOf(full)
		value := string(src[p.value.Start:p.value.End])
		if p.quote {
			// A boundary contains no backslash, so each one quotes the next character (RFC 2046 5.1.1).
			value = unquoted(src[p.value.Start:p.value.End], name == "boundary")
		}
		if name == full {
			if _, ok := params[name]; !ok {
				params[name] = value
			}
			return true
		}
		if sections == nil {
			sections = map[string]section{}
		}
		key := name + "*" + strconv.Itoa(number)
		if _, ok := sections[key]; !ok {
			sections[key] = section{value, encoded}
		}
		return true
	})
	for key := range sections {
		if name, first := strings.CutSuffix(key, "*0"); first {
			params[name] = joined(name, sections)
		}
	}
	return params
}

// section is one section of an RFC 2231 parameter.
type section struct {
	value   string
	encoded bool
}

// sectionOf splits a name with asterisks: `name*` (RFC 2231 4), `name*1` (3), `name*1*` (4.1). It returns any other
// name unchanged.
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

// joined returns the text of a parameter in sections, up to the first missing section. The first section has the name
// of the charset (RFC 2231 4.1).
func joined(name string, sections map[string]section) string {
	var octets []byte
	label := ""
	for n := 0; ; n++ {
		s, ok := sections[name+"*"+strconv.Itoa(n)]
		if !ok {
			break
		}
		if parts := strings.SplitN(s.value, "'", 3); n == 0 && s.encoded && len(parts) == 3 {
			label, s.value = parts[0], parts[2]
		}
		if s.encoded {
			octets = append(octets, ascii.PercentDecoded([]byte(s.value))...) // RFC 2231 4
		} else {
			octets = append(octets, s.value...)
		}
	}
	if c, _, ok := charsets.Of(charsets.MailLabel(label)); ok {
		octets, _ = c.Decode(octets)
	}
	return string(octets)
}

// comments skips the comments of one value (RFC 5322 3.2.2). After a comment without an end it skips none, because they
// are inside that comment or have no end either. That keeps many open parentheses from taking quadratic time.
type comments struct{ endless bool }

// skip returns the index after the comment that begins with the "(" at src[i]. ok is false if the comment has no end,
// so that the parenthesis is text.
func (c *comments) skip(src []byte, i, end int) (after int, ok bool) {
	if c.endless {
		return i, false
	}
	depth := 0
	for j := i; j < end; j++ {
		switch src[j] {
		case '\\':
			j++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return j + 1, true
			}
		}
	}
	c.endless = true
	return i, false
}

// skipAll returns the index after the white space and the comments at i.
func (c *comments) skipAll(src []byte, i, end int) int {
	for {
		i = ascii.SkipWhite(src, i, end)
		if i == end || src[i] != '(' {
			return i
		}
		after, ok := c.skip(src, i, end)
		if !ok {
			return i
		}
		i = after
	}
}
