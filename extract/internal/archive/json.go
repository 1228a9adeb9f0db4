package archive

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// jsonReader finds what is where in a text of JSON (RFC 8259). It builds nothing, and reads
// anything, once and from left to right.
type jsonReader struct {
	src    []byte
	broken bool // something has no end, or is not JSON
}

// jsonBegins says whether a text begins with an object whose first name is this.
func jsonBegins(head []byte, name string) bool {
	j := jsonReader{src: head}
	p := j.skipSpace(codec.BOMLen(head))
	if p == len(head) || head[p] != '{' {
		return false
	}
	return bytes.HasPrefix(head[j.skipSpace(p+1):], []byte(`"`+name+`"`))
}

func (j *jsonReader) skipSpace(p int) int {
	for p < len(j.src) && (j.src[p] == ' ' || j.src[p] == '\n' || j.src[p] == '\r' || j.src[p] == '\t') {
		p++
	}
	return p
}

// value gives the end of the value at src[p].
func (j *jsonReader) value(p int) int {
	for depth := 0; p < len(j.src); {
		switch j.src[p] {
		case '"':
			p = j.string(p)
		case '{', '[':
			depth++
			p++
		case '}', ']':
			if depth == 0 {
				return p // where a value should be
			}
			depth--
			p++
		case ',', ':':
			if depth == 0 {
				return p
			}
			p++
			continue
		case ' ', '\n', '\r', '\t':
			p++
			continue
		default:
			p = j.word(p)
		}
		if depth == 0 {
			return p
		}
	}
	j.broken = true
	return p
}

// string gives the end of the string at src[p].
func (j *jsonReader) string(p int) int {
	if p = ascii.QuotedEnd(j.src, p+1); p == len(j.src) {
		j.broken = true
		return p
	}
	return p + 1
}

// word gives the end of a number or a name.
func (j *jsonReader) word(p int) int {
	for p++; p < len(j.src); p++ {
		switch j.src[p] {
		case '"', '{', '}', '[', ']', ',', ':', ' ', '\n', '\r', '\t':
			return p
		}
	}
	return p
}

// members gives the names, with their quotes, of the object at src[p], and where the value of
// each begins; each gives where it ends. It gives the end of the object, or of what stands
// there instead.
func (j *jsonReader) members(p int, each func(key codec.Span, value int) int) int {
	if p >= len(j.src) || j.src[p] != '{' {
		return j.value(p)
	}
	for p = j.skipSpace(p + 1); p < len(j.src) && j.src[p] == '"'; {
		key := codec.Span{Start: p, End: j.string(p)}
		if p = j.skipSpace(key.End); p == len(j.src) || j.src[p] != ':' {
			break
		}
		if p = j.skipSpace(each(key, j.skipSpace(p+1))); p == len(j.src) || j.src[p] != ',' {
			break
		}
		p = j.skipSpace(p + 1)
	}
	return j.closed(p, '}')
}

// elements is members for an array.
func (j *jsonReader) elements(p int, each func(value int) int) int {
	if p >= len(j.src) || j.src[p] != '[' {
		return j.value(p)
	}
	for p = j.skipSpace(p + 1); p < len(j.src) && j.src[p] != ']'; {
		if p = j.skipSpace(each(p)); p == len(j.src) || j.src[p] != ',' {
			break
		}
		p = j.skipSpace(p + 1)
	}
	return j.closed(p, ']')
}

// closed gives the index behind the bracket that should be at src[p].
func (j *jsonReader) closed(p int, bracket byte) int {
	if p < len(j.src) && j.src[p] == bracket {
		return p + 1
	}
	j.broken = true
	return p
}

// stringAt gives what stands between the quotes of the string at src[p], and the end of it.
// It is nothing for another value.
func (j *jsonReader) stringAt(p int) (s codec.Span, end int) {
	if p >= len(j.src) || j.src[p] != '"' {
		return codec.Span{}, j.value(p)
	}
	was := j.broken
	j.broken = false
	if end = j.string(p); !j.broken {
		s = codec.Span{Start: p + 1, End: end - 1}
	}
	j.broken = j.broken || was
	return s, end
}
