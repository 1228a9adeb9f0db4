// Package json finds the positions of values in a JSON text (RFC 8259). It does not decode the values.
//
//	{ "log": { "entries": [ { "url": "http://h/" } ] } }
//	  \___/                            \_______/
//	  a key, with its quotes           the text of a string
//	         \_________________________________________/
//	         a value
//
// A Reader reads a text from left to right, each byte once. Members and Fields call a function for each member of an
// object, and Elements for each element of an array. The function reads the value with the method for its kind, and
// returns the index after it:
//
//	r.Fields(0, map[string]func(int) int{"url": func(p int) (end int) {
//		url, end = r.Text(p)
//		return end
//	}})
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

// A Reader finds values in one text. Their positions are indexes into Src.
type Reader struct {
	Src    []byte
	Broken bool // the part that was read is invalid or truncated; only the caller resets it
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

// Members calls each for each member of the object at p, and returns the index after the object. key is the span of the
// key with its quotes, and value is the index of the value; each returns the index after the value. If the value at p
// is not an object, Members skips it.
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

// Fields reads the members of the object at p with the functions for their keys, which return the index after the
// value, and skips all other members.
func (r *Reader) Fields(p int, read map[string]func(value int) (end int)) int {
	return r.Members(p, func(key codec.Span, value int) int {
		if field := read[string(bytes.Trim(r.Src[key.Start:key.End], `"`))]; field != nil {
			return field(value)
		}
		return r.Skip(value)
	})
}

// Elements calls each with the index of each element of the array at p, and returns the index after the array. each
// returns the index after the element. If the value at p is not an array, Elements skips it.
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

// Is reports whether a key is name, which must not need escapes. A key that is spelled with escapes is never equal.
func (r *Reader) Is(key codec.Span, name string) bool {
	return string(r.Src[key.Start:key.End]) == `"`+name+`"`
}

// Text returns the span between the quotes of the string at p, and the index after the string. The span is empty if the
// value is not a string, or is one without an end.
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

func (r *Reader) string(p int) int {
	if p = ascii.QuotedEnd(r.Src, p+1); p == len(r.Src) {
		r.Broken = true
		return p
	}
	return p + 1
}

// Skip returns the index after the value at p, or the index of a delimiter that is there instead of a value.
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
				return p
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
