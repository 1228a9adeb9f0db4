// Package json finds the positions of values in a JSON text (RFC 8259). It does not decode the values.
//
//	{ "log": { "entries": [ { "url": "http://h/" } ] } }
//	  \___/                            \_______/
//	  a key, with its quotes           the text of a string
//	         \_________________________________________/
//	         a value
//
// A Reader reads a text from left to right, each byte once. Members calls a function for each member of an object, and
// Elements for each element of an array. The function reads the value with a method for its kind, and returns the index
// after the value:
//
//	r.Members(0, func(key codec.Span, p int) (end int) {
//		if r.Is(key, "url") {
//			url, end = r.Text(p)
//			return end
//		}
//		return r.Skip(p)
//	})
//
// A Reader accepts any bytes. Its field Broken reports whether the text is invalid. To decode a string, use
// spell.JSONString.
package json

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
)

// A Reader finds the positions of values in one text. Positions are offsets in Src.
type Reader struct {
	Src    []byte
	Broken bool // the part that was read is invalid or truncated
}

// Begins reports whether a text starts with an object whose first key is name. name must not need escapes.
func Begins(head []byte, name string) bool {
	r := Reader{Src: head}
	p := r.SkipSpace(charsets.BOMLen(head))
	if p == len(head) || head[p] != '{' {
		return false
	}
	return bytes.HasPrefix(head[r.SkipSpace(p+1):], []byte(`"`+name+`"`))
}

// Members calls each for each member of the object at p. key is the span of the key with its quotes, and value is the index
// of the value. each returns the index after the value. Members returns the index after the object. If the value at p is not
// an object, Members skips it.
func (r *Reader) Members(p int, each func(key codec.Span, value int) int) int {
	if p >= len(r.Src) || r.Src[p] != '{' {
		return r.Skip(p)
	}
	for p = r.SkipSpace(p + 1); p < len(r.Src) && r.Src[p] == '"'; {
		key := codec.Span{Start: p, End: r.string(p)}
		if p = r.SkipSpace(key.End); p == len(r.Src) || r.Src[p] != ':' {
			break
		}
		if p = r.SkipSpace(each(key, r.SkipSpace(p+1))); p == len(r.Src) || r.Src[p] != ',' {
			break
		}
		p = r.SkipSpace(p + 1)
	}
	return r.closed(p, '}')
}

// Elements calls each for each element of the array at p, with the index of the element. each returns the index after the
// element. Elements returns the index after the array. If the value at p is not an array, Elements skips it.
func (r *Reader) Elements(p int, each func(value int) int) int {
	if p >= len(r.Src) || r.Src[p] != '[' {
		return r.Skip(p)
	}
	for p = r.SkipSpace(p + 1); p < len(r.Src) && r.Src[p] != ']'; {
		if p = r.SkipSpace(each(p)); p == len(r.Src) || r.Src[p] != ',' {
			break
		}
		p = r.SkipSpace(p + 1)
	}
	return r.closed(p, ']')
}

func (r *Reader) closed(p int, bracket byte) int {
	if p < len(r.Src) && r.Src[p] == bracket {
		return p + 1
	}
	r.Broken = true
	return p
}

// Is reports whether a key is name. name must not need escapes. A key with escapes is never equal.
func (r *Reader) Is(key codec.Span, name string) bool {
	return string(r.Src[key.Start:key.End]) == `"`+name+`"`
}

// Text returns the span between the quotes of the string at p, and the index after the string. If the value is not a
// string, or has no end, the span is empty.
func (r *Reader) Text(p int) (s codec.Span, end int) {
	if p >= len(r.Src) || r.Src[p] != '"' {
		return codec.Span{}, r.Skip(p)
	}
	was := r.Broken
	r.Broken = false
	if end = r.string(p); !r.Broken {
		s = codec.Span{Start: p + 1, End: end - 1}
	}
	r.Broken = r.Broken || was
	return s, end
}

// string returns the index after the string at p, or after the text if the string has no end.
func (r *Reader) string(p int) int {
	if p = ascii.QuotedEnd(r.Src, p+1); p == len(r.Src) {
		r.Broken = true
		return p
	}
	return p + 1
}

// Skip returns the index after the value at p. If a delimiter is there instead of a value, Skip returns its index.
func (r *Reader) Skip(p int) int {
	for depth := 0; p < len(r.Src); {
		switch r.Src[p] {
		case '"':
			p = r.string(p)
		case '{', '[':
			depth++
			p++
		case '}', ']':
			if depth == 0 {
				return p // there is no value
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
			p = r.word(p)
		}
		if depth == 0 {
			return p
		}
	}
	r.Broken = true
	return p
}

func (r *Reader) word(p int) int {
	for p++; p < len(r.Src); p++ {
		switch r.Src[p] {
		case '"', '{', '}', '[', ']', ',', ':', ' ', '\n', '\r', '\t':
			return p
		}
	}
	return p
}

// SkipSpace returns the index after the white space at p (RFC 8259 2).
func (r *Reader) SkipSpace(p int) int {
	return ascii.SkipWhite(r.Src, p, len(r.Src))
}
