package html

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// The elements of XHTML, SVG and MathML in an XML document. The scanner of XML reads the tags, the namespaces and the
// entities. The tables here say where the links are.

// Page marks the links of a page that is written in XML. For each tag the caller calls Open, then Add for each
// attribute, and then Mark for each attribute.
type Page struct {
	scanner scanner
	element *element
	name    []byte
	wanted  uint64           // the attributes that Add still takes
	numbers [attrCount]int32 // the caller's numbers of scanner.attrs
	marked  int              // how many of scanner.attrs Mark has seen
	loaded  int32            // the scope of what an object loads
}

// Namespace is a namespace whose elements browsers show.
type Namespace uint8

const (
	XHTML Namespace = iota
	SVG
	MathML
)

// Tag is a start tag of an XML document.
type Tag struct {
	Span      codec.Span // the tag; with the end tag, if the element is empty
	Name      codec.Span // the local name
	Namespace Namespace
	Scope     int32 // of an xml:base around the element
	Fragment  bool  // the element cannot declare the base of the document
	Filled    bool  // the element has content
}

// Reset prepares p for a document. It keeps the buffers of p.
func (p *Page) Reset(src []byte, m *mark.Marks) { p.scanner.reset(src, m) }

// Open begins the element of a tag. It does not keep t.
func (p *Page) Open(t *Tag) {
	s := &p.scanner
	p.name, p.element, p.marked = s.src[t.Name.Start:t.Name.End], anyElement, 0
	switch t.Namespace {
	case SVG:
		p.element = anySVG
	case MathML:
		p.element = anyMathML
	default:
		if row := lookupElement(s.src, t.Name.Start, t.Name.End); row.name == string(p.name) {
			p.element = row
		}
	}
	p.wanted = p.element.attrs.ids
	if s.m.Extended && t.Namespace == XHTML {
		p.wanted |= extended.ids
	}
	s.count, s.tag, s.scope, s.fragment, s.filled = 0, t.Span, t.Scope, t.Fragment, t.Filled
}

// Add adds an attribute of the element, under a number of the caller. Numbers grow. name is the region of the name.
// An attribute of the namespace XLink is added by an empty region: the only one that matters is xlink:href.
//
// Add reports whether links can be found only if all entities in the value are known: those of XML, or those of HTML for
// a value that is an HTML document. If some are not known, the caller must call Drop.
func (p *Page) Add(number int, name codec.Span, v attr.Value) (needsXML, needsHTML bool) {
	s, id := &p.scanner, int(attrXLinkHref)
	if name.Len() > 0 {
		if id = lookupAttribute(s.src, name.Start, name.End); id < 0 || numbers.names[id] != string(s.src[name.Start:name.End]) {
			return false, false // case matters
		}
	}
	if p.wanted>>id&1 == 0 {
		return false, false
	}
	p.wanted &^= 1 << id // the first of duplicates wins
	s.attrs[s.count] = attribute{start: v.Start, end: v.End, id: uint8(id), quoting: v.Quoting}
	p.numbers[s.count] = int32(number)
	s.count++
	switch as := p.element.links[id]; as {
	case asKeyword:
		return p.element.role == roleBase, false
	case asDocument:
		return false, true
	case asStyle:
		return bytes.IndexByte(s.src[v.Start:v.End], '(') >= 0, false
	}
	return true, false
}

// Drop removes the attribute that was added last, because its value cannot be read. It reports whether the other
// attributes can be: without its codebase, nothing of an object can. Without its base, nothing of a document can.
func (p *Page) Drop() bool {
	s := &p.scanner
	s.count--
	id := s.attrs[s.count].id
	p.wanted |= 1 << id
	if p.element.role == roleBase && id == attrHref && !s.fragment && !s.based {
		s.m.Notes.Opaque = true
	}
	return id != attrCodebase
}

// Mark marks the links of the attribute with a number, if it was added. It reports whether other attributes of the
// element decided what the value is: entities in it may be unknown.
func (p *Page) Mark(number int) bool {
	return p.marked < p.scanner.count && p.numbers[p.marked] == int32(number) && p.mark()
}

// mark is Mark for the next attribute that was added. It is apart so that Mark is inlined: most attributes of a page
// are not added.
func (p *Page) mark() bool {
	s, e := &p.scanner, p.element
	if p.marked == 0 && e.role == roleObject {
		p.loaded = s.codebase(e)
	}
	a := s.attrs[p.marked]
	p.marked++
	if e.role == roleObject {
		s.objectAttribute(e, p.name, a, p.loaded)
	} else {
		s.attribute(e, p.name, a, s.scope)
	}
	return e.links[a.id] == asKeyword
}

// Comment marks the URL in a comment of a program that saved the page. The text of the comment begins at start.
func (p *Page) Comment(start, end int) { p.scanner.comment(start, end) }

// Script marks the URL in a script of the Wayback Machine, if the document is a file. The text of the script begins at
// start.
func (p *Page) Script(start int) {
	if s := &p.scanner; s.m.File {
		s.wombat(start, ascii.Next(s.src, start, '<'))
	}
}
