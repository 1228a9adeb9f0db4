package codec

import (
	"bytes"
	"fmt"
	"slices"
)

// CDATA is the inside of CDATA sections of XML that follow one another: "]]><![CDATA[" between two is an atom
// without text. So is an end alone, which cannot stand inside one section, with ErrUndecodable. "]]>" in a text is
// spelled over two sections.
var CDATA Codec = cdata{}

type cdata struct{}

var cdataPlain = setOf("]").not()

func (cdata) plain() *set { return cdataPlain }

func (c cdata) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c cdata) Map(src []byte) ([]byte, Atoms, error) { return mapped(c.read, src) }

func (cdata) read(src []byte, atoms *Atoms) ([]byte, error) {
	r := readFrom(src, 0, atoms)
	var err error
	for p := 0; ; {
		i := bytes.Index(src[p:], sectionEnd)
		if i < 0 {
			r.same(len(src))
			return r.text(), err
		}
		p += i
		r.same(p)
		n := len(sectionEnd)
		if bytes.HasPrefix(src[p+n:], sectionStart) {
			n += len(sectionStart)
		} else {
			err = ErrUndecodable
		}
		r.put(n, "")
		p += n
	}
}

func (cdata) Encode(dst, _ []byte, _ Span, text []byte) ([]byte, error) {
	for {
		i := bytes.Index(text, sectionEnd)
		if i < 0 {
			return append(dst, text...), nil
		}
		dst = append(dst, text[:i+2]...)
		dst = append(dst, "]]><![CDATA["...)
		text = text[i+2:]
	}
}

// section is the spelling of what a CDATA section in HTML holds: all stands for itself, and its end
// cannot be in it.
type section struct{}

// CDATASection is the content of a CDATA section in HTML. Every byte stands for itself. "]]>" has no spelling.
var CDATASection Codec = section{}

func (section) Decode(src []byte) ([]byte, error) { return src, nil }

func (section) Map(src []byte) ([]byte, Atoms, error) { return src, nil, nil }

func (section) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	const end = "]]>"
	around := slices.Concat(src[max(at.Start-len(end)+1, 0):at.Start], text, src[at.End:min(at.End+len(end)-1, len(src))])
	if bytes.Contains(around, []byte(end)) {
		return dst, fmt.Errorf("%w: %q in a CDATA section", ErrCannotSpell, end)
	}
	return append(dst, text...), nil
}
