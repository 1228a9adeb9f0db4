package html

import (
	"bytes"

	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// Format is the format text/html. It reads a page as browsers do when scripting is enabled (HTML 13.2).
var Format = &mark.Format{
	Name:    "text/html",
	Embeds:  mark.OnlyPages,
	Exts:    []string{".html", ".htm", ".shtml"},
	Places:  placeNames,
	Charset: charset,
	Guess:   guess,
	Extract: func(src []byte, m *mark.Marks) { scan(src, m, false) },
}

// Sniff reports whether a document begins with one of the tags of MIME Sniffing 7.1. head is the result of SniffStart for
// the document. A comment at the start does not make a document HTML, unlike in MIME Sniffing.
func Sniff(head []byte) bool {
	for _, sign := range []string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font",
		"<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p", "<base", "<meta", "<link"} {
		if len(head) > len(sign) && ascii.FoldEqual(head[:len(sign)], sign) && (ascii.IsSpace(head[len(sign)]) || head[len(sign)] == '>') {
			return true
		}
	}
	return false
}

// SniffStart returns head without a byte order mark, and without white space at its start. It converts UTF-16 to ASCII.
func SniffStart(head []byte) []byte {
	head = head[charsets.BOMLen(head):]
	if bytes.HasPrefix(head, []byte("\xFE\xFF")) || bytes.HasPrefix(head, []byte("\xFF\xFE")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	return head[ascii.SkipSpace(head, 0):]
}

// scanner is the tokenizer of HTML 13.2.5, in one pass over the bytes. It does not build a tree. It follows only the rules
// of the tree builder that change the meaning of many tags: raw text, templates and foreign content.
type scanner struct {
	src      []byte
	m        *mark.Marks
	fragment bool   // the content of a noscript: nothing declares a base
	noBase   string // the reason why a BASE element in a fragment does not count; if "", it is not listed

	attrs       [attrCount]attribute // the wanted attributes of the current tag
	count       int                  // the number of attrs
	selfClosing bool
	tag         codec.Span // the current tag, if it has wanted attributes
	scope       int32      // the scope of an xml:base around the current element
	filled      bool       // in XML: the current element has content
	content     int        // the offset at which the content of a file begins

	based     bool                             // a BASE element with an href has been seen
	headed    struct{ contentBase, base bool } // a meta element for this header has been seen
	templates int                              // the number of open template elements
	open      []foreign                        // the open SVG and MathML elements

	index *anchor.Index // nil, unless mark.Settings.Described is set

	// These fields keep their values from one text to the next.
	places   map[placeKey]*mark.Place // places that are not in a table
	noscript *mark.Format             // the content of a noscript element: HTML without declarations of a base
}

// class has the classes of each byte.
var class = byteClasses()

const (
	letter       = 1 << iota // ASCII alpha: opens a tag
	space                    // white space
	endsName                 // ends a tag name: white space / >
	endsAttr                 // ends an attribute name: white space / > =
	endsUnquoted             // ends an unquoted value: white space >
)

func byteClasses() (class [256]uint8) {
	for c := byte('a'); c <= 'z'; c++ {
		class[c], class[c-'a'+'A'] = letter, letter
	}
	for _, c := range []byte(" \t\n\r\f") {
		class[c] = space | endsName | endsAttr | endsUnquoted
	}
	class['/'] = endsName | endsAttr
	class['>'] = endsName | endsAttr | endsUnquoted
	class['='] = endsAttr
	return class
}

// scan marks the links of a page, or of a fragment, which is the content of a noscript element.
func scan(src []byte, m *mark.Marks, fragment bool) {
	s := mark.ScratchOf[scanner](m)
	s.reset(src, m)
	s.fragment = fragment
	if m.File && !fragment {
		s.content = s.prologue()
	}
	s.read(0)
}

// Embedded marks the links of HTML inside a document of another type, such as Markdown. A BASE element is listed, but
// refused for the reason noBase.
func Embedded(src []byte, m *mark.Marks, noBase string) {
	s := mark.ScratchOf[scanner](m)
	s.reset(src, m)
	s.fragment, s.noBase = true, noBase
	s.read(0)
}

// read reads the text from tag to tag, from p on.
func (s *scanner) read(p int) {
	src := s.src
	p, name := s.next(p)
	for ; p+1 < len(src); p, name = s.next(p) {
		start := p
		switch c := src[p+1]; {
		case class[c]&letter != 0:
			p = s.startTag(p, name)
		case c == '/':
			p = s.endTag(p)
		case c == '!':
			p = s.markup(p)
		case c == '?':
			p = ascii.After(src, p+2, '>')
			s.styleText(p)
		default:
			p++
		}
		if s.index != nil {
			s.describe(start, p)
		}
	}
}

// next returns the offset of the next "<" from p on that needs to be read, or len(src). Most tags are end tags, or start
// tags of simple elements without attributes. next skips them, except where the open elements are needed.
//
// If a tag begins at start, all bytes of src[start+1:name] belong to its name.
func (s *scanner) next(p int) (start, name int) {
	src := s.src
	if s.index != nil || len(s.open) > 0 || s.templates > 0 {
		start = ascii.Next(src, p, '<')
		return start, start + 1
	}
	for {
		if p = ascii.Near(src, p, '<'); p < 0 || p > len(src)-8 {
			p = ascii.Next(src, p, '<')
			return p, p + 1
		}
		c, end := src[p+1], p+2
		if c != '/' && class[c]&letter == 0 {
			return p, p + 1 // perhaps text: then the bytes after it are read again
		}
		for end < len(src) && class[src[end]]&endsName == 0 {
			end++
		}
		if end >= len(src) || src[end] != '>' {
			return p, end
		}
		if n := end - p - 1; c != '/' && (n >= len(complexNames) || complexNames[n]>>(c&31)&1 != 0) {
			return p, end
		}
		p = end + 1
	}
}

// reset prepares a scanner for a text. It keeps its buffers.
func (s *scanner) reset(src []byte, m *mark.Marks) {
	if s.noscript == nil {
		s.noscript = &mark.Format{Name: "text/html", Fragment: true, Extract: func(src []byte, m *mark.Marks) { scan(src, m, true) }}
	}
	*s = scanner{src: src, m: m, open: s.open[:0], places: s.places, noscript: s.noscript}
	if m.Described {
		s.index = mark.ScratchOf[anchor.Index](m)
	}
}

// startTag reads the start tag at start, and marks the links of its element. The bytes before p belong to the name of the
// tag. startTag returns the offset after the tag. If the element has raw text, it returns the offset after the raw text.
func (s *scanner) startTag(start, p int) int {
	src := s.src
	for p < len(src) && class[src[p]]&endsName == 0 {
		p++
	}
	e := lookupElement(src, start+1, p)
	if len(s.open) > 0 || e.role == roleForeign {
		return s.foreignTag(e, start, p)
	}
	wanted := e.attrs
	if s.m.Extended {
		wanted |= extended
	}
	name := src[start+1 : p]
	p = s.attributes(p, wanted)
	if p < 0 {
		return len(src) // the file ends inside the tag, so the tag does not count
	}
	s.scope = 0
	if s.count == 0 && e.simple() {
		return p
	}
	return s.element(e, name, start, p)
}

// endTag reads the markup at p that begins with "</". It returns the offset after the markup.
func (s *scanner) endTag(p int) int {
	src := s.src
	p += 2
	if p >= len(src) || class[src[p]]&letter == 0 {
		p = ascii.After(src, p, '>') // "</>" is ignored, and all else is a bogus comment
		s.styleText(p)
		return p
	}
	start := p
	for p < len(src) && class[src[p]]&endsName == 0 {
		p++
	}
	name := src[start:p]
	if p < len(src) && src[p] == '>' {
		p++
	} else if p = s.attributes(p, 0); p < 0 {
		return len(src)
	}
	switch {
	case s.templates > 0 && !s.inForeign() && ascii.FoldEqual(name, "template"):
		s.templates--
	case len(s.open) > 0:
		s.foreignEnd(name)
		s.styleText(p)
	}
	return p
}

// markup reads the markup at p that begins with "<!": a comment, a doctype, a CDATA section in foreign content, or a
// bogus comment. It returns the offset after the markup.
func (s *scanner) markup(p int) int {
	start, rest := p, s.src[p+2:]
	switch {
	case len(rest) >= 2 && rest[0] == '-' && rest[1] == '-':
		p = commentEnd(s.src, p+4)
		if s.m != nil && s.evident() {
			s.trailer(start+4, p)
		}
	case bytes.HasPrefix(rest, []byte("[CDATA[")) && s.inForeign():
		end := len(s.src)
		p = end
		if i := bytes.Index(s.src[start+9:], []byte("]]>")); i >= 0 {
			end = start + 9 + i
			p = end + 3
		}
		s.foreignText(start+9, end, spell.CDATASection)
	default:
		p = ascii.After(s.src, p+2, '>')
	}
	s.styleText(p)
	return p
}
