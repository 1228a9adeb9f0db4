package header

import (
	"bytes"
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// parameter is one parameter as it is written.
type parameter struct {
	name  codec.Span
	value codec.Span // inside the quotes, if quoted
	quote bool
}

// parametersAt calls visit for each parameter in src[i:], after the media type: `; name=value` (RFC 2045 5.1).
// Semicolons may be missing or too many. Text that is no parameter is skipped. visit returns false to stop.
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

// parameterNameEnd is tokenEnd for the name of a parameter, which ends at an equals sign.
func parameterNameEnd(src []byte, i int) int {
	end := tokenEnd(src, i)
	if n := bytes.IndexByte(src[i:end], '='); n >= 0 {
		return i + n
	}
	return end
}

// parameterValue returns the value at i, and the index after it. A quoted value without an end is read as if it had no
// quote.
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

// nextInValue returns the index after the byte, the comment or the white space at i, or i if the value without quotes
// ends there. It ends at a semicolon. Blanks and equals signs belong to it, as in `boundary=a=b` and
// `name=my page.html`. But a comment ends it, unless text is on both sides, as in `name=page(1).html`. A blank before the
// next parameter ends it, too.
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
	if nameEnd := parameterNameEnd(src, after); nameEnd > after && nameEnd < len(src) && src[nameEnd] == '=' {
		return i
	}
	return after
}

// unquotedString returns a quoted string without the backslashes that quote something (RFC 822 3.3). With all, every
// backslash does. Else only those before a quote or a backslash do: the others are those of a Windows path.
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

// parametersOf returns the parameters in src[i:]. Those in sections (RFC 2231) are put together. If a name comes both
// plain and in sections, the sections count.
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

// sectionOf returns the parts of a name with stars: `name*` (RFC 2231 4), `name*1` (3), `name*1*` (4.1). A name of
// another form is not divided.
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

// joined returns the text of a parameter in sections, up to the first section that is missing. The first section names
// the charset of the octets.
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

// parameterURL returns the span of the URL that a parameter of a Content-Type field holds, inside its quotes, and how it
// is spelled there. name is lower case. The URL of message/external-body (RFC 2017 3) may come in sections
// (RFC 2231 3). If these are encoded, or in another order, ok is false.
func parameterURL(src []byte, value codec.Span, name string) (span codec.Span, c codec.Codec, ok bool) {
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
