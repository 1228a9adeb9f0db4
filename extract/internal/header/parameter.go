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

// parameter is one parameter of a value. It is not decoded.
type parameter struct {
	name  codec.Span
	value codec.Span // inside the quotes, if quoted
	quote bool
}

// parametersAt calls visit for each parameter in src[i:], after the media type: `; name=value` (RFC 2045 5.1). It accepts
// missing and repeated semicolons, and skips other text. visit returns false to stop.
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

// parameterNameEnd returns the end of the name of a parameter at i. It is like tokenEnd, but an equals sign ends the name.
func parameterNameEnd(src []byte, i int) int {
	for i < len(src) && src[i] != '=' && inToken(src[i]) {
		i++
	}
	return i
}

// parameterValue returns the value at i, and the index after it. If the closing quote is missing, the value is read as an
// unquoted value.
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

// nextInValue returns the index after the byte, the comment or the white space at i. If an unquoted value ends at i, it
// returns i.
//
// White space and equals signs are part of an unquoted value, as in `boundary=a=b` and `name=my page.html`. These end it:
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
	if nameEnd := parameterNameEnd(src, after); nameEnd > after && nameEnd < len(src) && src[nameEnd] == '=' {
		return i
	}
	return after
}

// unquotedString returns the text of a quoted string, without its quoting backslashes (RFC 822 3.3). If all is set, every
// backslash quotes the next character. Otherwise a backslash quotes only a quote or a backslash: any other backslash is
// part of a Windows path.
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

// parametersOf returns the parameters in src[i:]. It joins a parameter that is in sections (RFC 2231 3). If a name is
// used with and without sections, the sections count.
func parametersOf(src []byte, i int) map[string]string {
	params := map[string]string{}
	var pieces map[string]map[int]piece // by name and number; "name*" has the number 0
	parametersAt(src, i, func(p parameter) bool {
		full := ascii.Lower(string(src[p.name.Start:p.name.End]))
		name, number, encoded := sectionOf(full)
		value := string(src[p.value.Start:p.value.End])
		if p.quote {
			// A boundary contains no backslash, so each one quotes the next character (RFC 2046 5.1.1).
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

// sectionOf splits a name with stars: `name*` (RFC 2231 4), `name*1` (3), `name*1*` (4.1). It returns any other name
// unchanged.
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

// joined returns the text of a parameter in sections, up to the first missing section. The first section has the name of
// the charset (RFC 2231 4.1).
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
	if c, _, ok := charsets.Of(label); ok {
		octets, _ = c.Decode(octets)
	}
	return string(octets)
}

// parameterURL returns the span and the codec of a URL that is a parameter of a Content-Type field. The span is inside the
// quotes. name is in lower case. The URL of message/external-body (RFC 2017 3) may be in sections (RFC 2231 3). ok is
// false if there is no such parameter, or if its sections are encoded or in another order.
func parameterURL(src []byte, value codec.Span, name string) (span codec.Span, c codec.Codec, ok bool) {
	_, rest := MediaTypeOf(src[value.Start:value.End])
	sections, c := 0, spell.HeaderURL
	parametersAt(src[:value.End], value.Start+rest, func(p parameter) bool {
		full := ascii.Lower(string(src[p.name.Start:p.name.End]))
		part, number, encoded := sectionOf(full)
		switch {
		case part != name || ok && part == full:
		case part == full:
			span, ok = p.value, true
			if before := bytes.TrimRight(src[:p.value.Start], spell.WhiteSpace); !p.quote && before[len(before)-1] != '"' { // not after a quote without an end
				c = spell.UnquotedParameter
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
	return span, spell.HeaderSections, ok && bytes.Count(text, []byte(`"`)) == quotes && bytes.IndexByte(text, '\\') < 0
}
