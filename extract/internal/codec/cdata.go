package codec

// This file has the spellings of CDATA sections: CDATA for XML, and CDATASection for HTML.

import (
	"bytes"
	"fmt"
	"slices"
)

// CDATA is the content of adjacent CDATA sections of XML (XML 1.0, 2.7). The bytes "]]><![CDATA[" between two sections
// are an atom without text. A text with "]]>" is spelled in two sections. An end without a new section is an atom
// without text too, and Decode returns ErrUndecodable for it.
//
//	<![CDATA[a]]]]><![CDATA[>b]]>
//	         |                |
//	source   a]]]]><![CDATA[>b
//	text     a]]>b
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

// CDATASection is the content of one CDATA section in HTML (HTML 13.2.5.69). Every byte stands for itself, and "]]>"
// has no spelling.
var CDATASection Codec = section{}

type section struct{}

func (section) Decode(src []byte) ([]byte, error) { return src, nil }

func (section) Map(src []byte) ([]byte, Atoms, error) { return src, nil, nil }

func (section) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	const end = "]]>"
	around := slices.Concat(src[max(at.Start-len(end)+1, 0):at.Start], text, src[at.End:min(at.End+len(end)-1, len(src))])
	if bytes.Contains(around, []byte(end)) {
		return dst, fmt.Errorf("%w: %q is not allowed in a CDATA section", ErrCannotSpell, end)
	}
	return append(dst, text...), nil
}
