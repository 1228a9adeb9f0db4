package spell

// This file spells the content of an element of XML, which may have CDATA sections. See xml.go.

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// Encode writes the same bytes as XMLText outside CDATA sections. Inside a section, it ends the section for a text that
// the section cannot contain, and starts another section after it.
func (c xmlContent) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	return c.InOrder()(dst, src, at, text)
}

// InOrder returns an Encode that stores, for the next place, whether the end of this place is in a CDATA section.
func (c xmlContent) InOrder() codec.Encoder {
	read, in := 0, c.section
	return func(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
		from := sectionAt(src[read:at.Start], in)
		to := sectionAt(src[at.Start:at.End], from)
		read, in = at.End, to
		return c.spell(dst, src, at, text, from, to)
	}
}

// sectionAt reports whether the end of src is in a CDATA section. in reports the same for the start of src. The start
// and the end are boundaries of atoms.
func sectionAt(src []byte, in bool) bool {
	for len(src) > 0 {
		if in {
			i := bytes.Index(src, sectionEnd)
			if i < 0 {
				return true
			}
			src, in = src[i+len(sectionEnd):], false
			continue
		}
		i := bytes.IndexByte(src, '<')
		if i < 0 {
			return false
		}
		src = src[i:]
		n := markupLen(src)
		in = n == len(sectionStart) && bytes.HasPrefix(src, sectionStart)
		src = src[max(n, 1):]
	}
	return in
}

// spellSection is spell in a CDATA section. A section cannot contain a CR or "]]>". For these, spellSection ends the
// section and starts another one. to reports whether the end of the place is in a CDATA section.
//
//	CR      ]]>&#13;<![CDATA[
//	]]>     ]]]]><![CDATA[>
func spellSection(dst, src []byte, at codec.Span, text []byte, to bool) []byte {
	brackets := 0 // the number of "]" directly before the next byte
	for i := at.Start; i > 0 && brackets < 2 && src[i-1] == ']'; i-- {
		brackets++
	}
	for _, b := range text {
		switch {
		case b == '\r':
			dst = append(dst, "]]>&#13;<![CDATA["...)
		case b == '>' && brackets >= 2:
			dst = append(dst, "]]><![CDATA[>"...)
		default:
			dst = append(dst, b)
		}
		brackets++
		if b != ']' {
			brackets = 0
		}
	}
	rest := src[at.End:]
	switch {
	case !to:
		dst = append(dst, sectionEnd...)
	case brackets >= 2 && bytes.HasPrefix(rest, []byte(">")) || brackets >= 1 && bytes.HasPrefix(rest, []byte("]>")):
		dst = append(dst, "]]><![CDATA["...)
	}
	return dst
}

// Cut cuts outside of comments and processing instructions. Outside of CDATA sections it cuts as in xmlText, and inside
// of them as in CDATA. A piece starts perhaps in a CDATA section.
func (c xmlContent) Cut(src, _ []byte, _ int) codec.Cuts {
	if c.url {
		return codec.Cuts{}
	}
	at, in := 0, false // the place up to which markup was read, and whether it is in a CDATA section
	next := func(i int) int {
		for {
			end := len(src) // of the text, or of the section
			if in {
				if n := bytes.Index(src[at:], sectionEnd); n >= 0 {
					end = at + n
				}
				if k := untouched(src[:end], max(i, at), len("]]><![CDATA["), inSection); k < end {
					return k
				}
				at = min(end+len(sectionEnd), len(src))
			} else {
				if n := bytes.IndexByte(src[at:], '<'); n >= 0 {
					end = at + n
				}
				if k := endOfReference(src[:end], max(i, at)); k < end {
					return k
				}
				at = min(end+max(markupLen(src[end:]), 1), len(src))
			}
			if in = !in && bytes.HasPrefix(src[end:], sectionStart); at == len(src) {
				return len(src)
			}
		}
	}
	return codec.Cuts{Next: next, Resume: func(piece []byte) codec.Codec {
		after := *c.xmlSpelling
		after.section = sectionAt(piece, c.section)
		c = xmlContent{&after}
		return c
	}}
}

// inSection has the bytes in a CDATA section that are perhaps not read alone.
var inSection = ascii.SetOf("]\r")
