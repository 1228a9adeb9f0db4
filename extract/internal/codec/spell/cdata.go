package spell

// This file has the spellings of CDATA sections and of comments, in XML and in HTML.

import (
	"bytes"
	"fmt"
	"slices"

	"absolink/extract/internal/codec"
)

// CDATA is the content of adjacent CDATA sections of XML (XML 1.0, 2.7). The bytes "]]><![CDATA[" between two sections
// are an atom without text. A text with "]]>" is spelled in two sections. A "]]>" that no section follows is an atom
// without text, for which Decode returns ErrUndecodable.
//
//	<![CDATA[a]]]]><![CDATA[>b]]>
//	         |                |
//	source   a]]]]><![CDATA[>b
//	text     a]]>b
var CDATA codec.Codec = cdata{}

type cdata struct{ codec.Simple }

func (c cdata) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c cdata) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (cdata) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := codec.ReadFrom(src, 0, atoms)
	var err error
	for r.To(sectionEnd) {
		n := len(sectionEnd)
		if bytes.HasPrefix(r.Rest()[n:], sectionStart) {
			n += len(sectionStart)
		} else {
			err = codec.ErrUndecodable
		}
		r.Put(n, "")
	}
	return r.Text(), err
}

func (cdata) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
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
var CDATASection codec.Codec = &section{name: "CDATA section", ends: []string{"]]>"}}

// Comment is the content of a comment in HTML (HTML 13.2.5.43 to 51). Every byte stands for itself, and "-->" and
// "--!>" have no spelling.
var Comment codec.Codec = &section{name: "comment", ends: []string{"-->", "--!>"}}

// XMLComment is the content of a comment in XML, where "--" has no spelling (XML 1.0, 2.5).
var XMLComment codec.Codec = &section{name: "comment", ends: []string{"--"}}

type section struct {
	codec.Simple
	name string
	ends []string
}

func (s *section) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	for _, end := range s.ends {
		around := slices.Concat(src[max(at.Start-len(end)+1, 0):at.Start], text,
			src[at.End:min(at.End+len(end)-1, len(src))])
		if bytes.Contains(around, []byte(end)) {
			return dst, fmt.Errorf("%w: %q is not allowed in a %s", codec.ErrCannotSpell, end, s.name)
		}
	}
	return append(dst, text...), nil
}
