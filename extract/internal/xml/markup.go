package xml

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// The markup of XML that is no element: comments, CDATA sections, processing instructions, the document type
// declaration, and the entities that it may declare.

// markup reads what begins with "<!" at p: a comment, a CDATA section, or a document
// type declaration.
func (s *scanner) markup(p int) int {
	switch rest := s.src[p:]; {
	case bytes.HasPrefix(rest, []byte("<!--")):
		end := afterEnd(s.src, p+4, "-->")
		if !s.inside && s.m != nil && s.m.File {
			s.page.Comment(p+4, end) // of a saver, who writes it there into any page
		}
		return end
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return afterEnd(s.src, p+9, "]]>")
	case bytes.HasPrefix(rest, []byte("<!DOCTYPE")):
		s.doctype = true
		return doctypeEnd(s.src, p+9)
	}
	s.notText()
	return ascii.After(s.src, p+2, '>')
}

// afterEnd returns the index after the first end from p on, or len(src).
func afterEnd(src []byte, p int, end string) int {
	if i := bytes.Index(src[p:], []byte(end)); i >= 0 {
		return p + i + len(end)
	}
	return len(src)
}

// doctypeEnd returns the index after the document type declaration (XML 2.8) whose inside
// begins at p. In its subset stand declarations with literals, comments and processing
// instructions; none of it is read for what it declares.
func doctypeEnd(src []byte, p int) int {
	subset := false
	for p < len(src) {
		switch c := src[p]; {
		case c == '"' || c == '\'':
			p = ascii.After(src, p+1, c)
		case c == '<' && bytes.HasPrefix(src[p:], []byte("<!--")):
			p = afterEnd(src, p+4, "-->")
		case c == '<' && bytes.HasPrefix(src[p:], []byte("<?")):
			p = afterEnd(src, p+2, "?>")
		case c == '>' && !subset:
			return p + 1
		default:
			if c == '[' || c == ']' {
				subset = c == '['
			}
			p++
		}
	}
	return p
}

// instruction reads the processing instruction at p. An xml-stylesheet before the root
// element is a link, whose base is that of the document: no xml:base is around it
// (Associating Style Sheets with XML documents, 3).
func (s *scanner) instruction(p int) int {
	end := afterEnd(s.src, p+2, "?>")
	const target = "<?xml-stylesheet"
	if at := p + len(target); s.m != nil && !s.rooted && at < end && string(s.src[p:at]) == target && ascii.IsSpace(s.src[at]) {
		inside := scanner{src: s.src[:end], m: s.m, attrs: s.attrs[:0]}
		inside.attributes(at)
		if a, ok := inside.attr("href"); ok && inside.known(a.Start, a.End) {
			s.m.LinkIn(mark.Outside, sheetPlace, a.Start, a.End, a.Quoting.URL())
		}
	}
	return end
}

// A fragment alone means a style sheet in the document itself.
var sheetPlace = &mark.Place{Name: "xml-stylesheet@href", Names: true}

// known reports whether a value can be read without the document type declaration. It
// reports one that has an entity of that: what the value is, is not known.
func (s *scanner) known(start, end int) bool {
	return s.knownBy(codec.IsXMLReference, start, end)
}

func (s *scanner) knownBy(isKnown func(reference []byte) bool, start, end int) bool {
	src := s.src[:end]
	for p := ascii.Next(src, start, '&'); p < end; p = ascii.Next(src, p+1, '&') {
		if p+1 == end || class[src[p+1]]&nameStart == 0 {
			continue
		}
		name := p + 1
		for name < end && src[name] != ';' && src[name] != '&' && class[src[name]]&endsName == 0 {
			name++
		}
		if name < end && src[name] == ';' && !isKnown(src[p:name+1]) {
			s.m.Fault(start, mark.LinkMalformed, mark.Quote(src[p:name+1])+" is an entity that the document declares itself, if at all; it is not expanded, and the link left as it is")
			return false
		}
	}
	return true
}

// knownContent is known for an element's content. Nothing is a reference in its CDATA
// sections, comments and processing instructions.
func (s *scanner) knownContent(isKnown func(reference []byte) bool, start, end int) bool {
	for quiet := (scanner{src: s.src[:end]}); start < end; {
		p := ascii.Next(quiet.src, start, '<')
		if !s.knownBy(isKnown, start, p) {
			return false
		}
		if start = p; bytes.HasPrefix(quiet.src[p:], []byte("<?")) {
			start = quiet.instruction(p)
		} else if p < end {
			start = quiet.markup(p)
		}
	}
	return true
}

// knownHTML is known for what holds HTML. In a document that declares nothing, what looks
// like an entity is one of HTML, or text of it.
func (s *scanner) knownHTML(start, end int) bool {
	return !s.doctype || s.knownContent(isHTMLReference, start, end)
}

// isHTMLReference reports whether a reference is one to an entity of HTML (13.5): those of XML
// and its DTDs are among them, and mean the same.
func isHTMLReference(reference []byte) bool {
	text, _ := codec.AttrDouble.Decode(reference)
	return !bytes.Equal(text, reference)
}
