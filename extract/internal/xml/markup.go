package xml

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// The markup of XML other than elements: comments, CDATA sections, processing instructions, the document type
// declaration, and references to entities.

// markup reads the markup at p that begins with "<!": a comment, a CDATA section, or a document type declaration. It
// returns the offset after the markup.
func (s *scanner) markup(p int) int {
	switch rest := s.src[p:]; {
	case bytes.HasPrefix(rest, []byte("<!--")):
		end := afterEnd(s.src, p+4, "-->")
		if !s.inside && s.m != nil && s.m.File {
			s.page.Comment(p+4, end) // may be the comment of a program that saved the page
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

// afterEnd returns the offset after the first occurrence of end at or after p, or len(src).
func afterEnd(src []byte, p int, end string) int {
	if i := bytes.Index(src[p:], []byte(end)); i >= 0 {
		return p + i + len(end)
	}
	return len(src)
}

// doctypeEnd returns the offset after the document type declaration (XML 2.8). p is the offset after "<!DOCTYPE". The
// declaration may have a subset with literals, comments and processing instructions. doctypeEnd skips the subset.
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

// instruction reads the processing instruction at p, and returns the offset after it. An xml-stylesheet before the root
// element is a link (Associating Style Sheets with XML documents, 3). No xml:base applies to it, because it is outside
// of all elements.
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

// A fragment-only reference names a style sheet in the document itself.
var sheetPlace = &mark.Place{Name: "xml-stylesheet@href", Names: true}

// known reports whether the value src[start:end] can be read. It cannot be read if it has an entity that XML does not
// define. Then known adds a fault.
func (s *scanner) known(start, end int) bool {
	return s.knownBy(spell.IsXMLReference, start, end)
}

// knownBy is like known, but isKnown determines which references can be read.
func (s *scanner) knownBy(isKnown func(reference []byte) bool, start, end int) bool {
	src := s.src[:end]
	for p := ascii.Next(src, start, '&'); p < end; p = ascii.Next(src, p+1, '&') {
		if p+1 == end || class[src[p+1]]&nameStart == 0 {
			continue
		}
		name := p + 1
		for name < end && isNameByte(src[name]) {
			name++
		}
		if name < end && src[name] == ';' && !isKnown(src[p:name+1]) {
			s.m.Fault(start, mark.LinkMalformed, "left unchanged: the value has the entity "+mark.Quote(src[p:name+1])+", and absolink does not read declarations of entities")
			return false
		}
	}
	return true
}

// isNameByte reports whether c may be in a name (XML 1.0 2.3).
func isNameByte(c byte) bool {
	return class[c]&nameStart != 0 || ascii.IsDigit(c) || c == '-' || c == '.'
}

// knownContent is like knownBy, for the content of an element. It skips CDATA sections, comments and processing
// instructions, because they have no references.
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

// knownHTML is like known, for content that is HTML. In a document without a document type declaration, all content is
// known: a reference is an entity of HTML, or it is text.
func (s *scanner) knownHTML(start, end int) bool {
	return !s.doctype || s.knownContent(isHTMLReference, start, end)
}

// isHTMLReference reports whether a reference is to an entity of HTML (13.5). The entities of XML and of the DTDs of
// XHTML are entities of HTML, too, with the same meaning.
func isHTMLReference(reference []byte) bool {
	text, _ := spell.AttrDouble.Decode(reference)
	return !bytes.Equal(text, reference)
}
