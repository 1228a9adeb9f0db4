package attr

import "absolink/extract/internal/ascii"

// An Attribute is an attribute of a tag of HTML, as it is written.
type Attribute struct {
	Name, Value []byte
	Quoting     Quoting
}

// Next returns the attribute at p in a tag of HTML, and the offset after it. It follows HTML 13.2.3.2, "get an attribute". ok
// is false at a ">", or if src ends before the end of the attribute.
func Next(src []byte, p int) (a Attribute, end int, ok bool) {
	for p < len(src) && (ascii.IsSpace(src[p]) || src[p] == '/') {
		p++
	}
	if p >= len(src) || src[p] == '>' {
		return a, p, false
	}
	start := p
	for p++; p < len(src) && !endsName(src[p]); { // a "=" may begin a name
		p++
	}
	a = Attribute{src[start:p], src[p:p], Bare}
	p = ascii.SkipSpace(src, p)
	if p >= len(src) || src[p] != '=' {
		return a, p, p < len(src)
	}
	p = ascii.SkipSpace(src, p+1)
	switch start = p; {
	case p >= len(src):
	case src[p] == '"' || src[p] == '\'':
		a.Quoting = Double
		if src[p] == '\'' {
			a.Quoting = Single
		}
		p = ascii.Next(src, p+1, src[p])
		a.Value = src[start+1 : p]
		p++
	case src[p] == '>':
		a.Quoting = Empty
	default:
		for p < len(src) && !ascii.IsSpace(src[p]) && src[p] != '>' {
			p++
		}
		a.Value, a.Quoting = src[start:p], Unquoted
	}
	return a, min(p, len(src)), p < len(src)
}

func endsName(c byte) bool { return ascii.IsSpace(c) || c == '/' || c == '>' || c == '=' }
