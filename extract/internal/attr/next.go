package attr

import "absolink/extract/internal/ascii"

// Next returns the name and the value of the attribute at p in a tag of HTML, and the offset after it. It follows HTML
// 13.2.3.2, "get an attribute". ok is false at a ">", or if src ends before the end of the attribute.
func Next(src []byte, p int) (name, value []byte, end int, ok bool) {
	for p < len(src) && (ascii.IsSpace(src[p]) || src[p] == '/') {
		p++
	}
	if p >= len(src) || src[p] == '>' {
		return nil, nil, p, false
	}
	start := p
	for p++; p < len(src) && !endsName(src[p]); { // a "=" may begin a name
		p++
	}
	name = src[start:p]
	p = ascii.SkipSpace(src, p)
	if p >= len(src) || src[p] != '=' {
		return name, nil, p, p < len(src)
	}
	p = ascii.SkipSpace(src, p+1)
	switch start = p; {
	case p >= len(src):
	case src[p] == '"' || src[p] == '\'':
		p = ascii.Next(src, p+1, src[p])
		value = src[start+1 : p]
		p++
	default:
		for p < len(src) && !ascii.IsSpace(src[p]) && src[p] != '>' {
			p++
		}
		value = src[start:p]
	}
	return name, value, min(p, len(src)), p < len(src)
}

func endsName(c byte) bool { return ascii.IsSpace(c) || c == '/' || c == '>' || c == '=' }
