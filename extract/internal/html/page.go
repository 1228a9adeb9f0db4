package html

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// XHTML, SVG and MathML in an XML document: package xml reads the tags, namespaces and entities, and the tables of this
// package say which attributes are links.

// Page marks the links of a page that is written in XML. For each tag, call Open, then Add for each attribute, and then
// Mark for each attribute that Has reports.
type Page struct {
	scanner scanner
	element *element
	name    []byte
	custom  bool             // it is a custom element that has not been reported as unread
	wanted  attrSet          // the attributes that Add still accepts
	numbers [attrCount]int32 // the caller's numbers of scanner.attrs
	marked  int              // how many of scanner.attrs are marked
	loaded  int32            // the scope of the URLs that an object loads
}

// Tag is a start tag of an XML document.
type Tag struct {
	Span      codec.Span // the tag, with the end tag of an empty element
	Name      codec.Span // the local name
	Namespace Namespace
	Scope     int32 // that of the nearest xml:base
	Navs      int   // how many nav elements are around it
	Fragment  bool  // the element cannot declare the base of the document
	Filled    bool  // the element has content
}

func (p *Page) Reset(src []byte, m *mark.Marks) { p.scanner.reset(src, m) }

// Open begins an element.
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
	p.custom = t.Namespace == XHTML && p.element == anyElement && bytes.IndexByte(p.name, '-') > 0
	s.begin(p.name)
	p.wanted = p.element.attrs
	if t.Namespace == XHTML {
		p.wanted |= s.more
	}
	s.count, s.tag, s.scope, s.navs, s.fragment, s.filled = 0, t.Span, t.Scope, t.Navs, t.Fragment, t.Filled
}

// Add adds an attribute of the element. number is the caller's, and must grow with each call. name is the span of the
// name; it must be empty for xlink:href, whatever its prefix.
//
// needsXML reports that the value can be read only if all its entities are those of XML, and needsHTML that it is an
// HTML document, with the entities of HTML. If the value has any other entity, the caller must call Drop.
func (p *Page) Add(number int, name codec.Span, v attr.Value) (needsXML, needsHTML bool) {
	s, id := &p.scanner, int(attrXLinkHref)
	if name.Len() > 0 {
		if id = lookupAttribute(s.src, name.Start, name.End); id < 0 ||
			attributeNames[id] != string(s.src[name.Start:name.End]) {
			return false, false // in XML, case matters
		}
	}
	if p.wanted>>id&1 == 0 {
		if p.custom && s.isUnread(attribute{start: v.Start, end: v.End, id: uint8(id)}) {
			p.custom = false
			s.m.Unread(mark.Custom, "", s.tag.Start)
		}
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
// attributes of the element can still be marked: an object's links cannot be resolved without its codebase. Without the
// href of its BASE element, no link of the document can be resolved.
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

// Has reports whether the attribute with this number was added and is next to be marked.
func (p *Page) Has(number int) bool {
	return p.marked < p.scanner.count && p.numbers[p.marked] == int32(number)
}

// Mark marks the links of the next added attribute. It reports whether the meaning of the value depends on other
// attributes: Add could not tell that it is a link, so the caller must check its entities now.
func (p *Page) Mark() bool {
	s, e := &p.scanner, p.element
	if p.marked == 0 {
		p.loaded = s.codebase(e) // only an object or applet has one
	}
	a := s.attrs[p.marked]
	p.marked++
	s.objectAttribute(e, p.name, a, p.loaded)
	return e.links[a.id] == asKeyword
}

// Comment marks the URL in the comment src[start:end], without its "<!--", if a program that saved the page wrote it.
func (p *Page) Comment(start, end int) { p.scanner.comment(start, end) }

// Conditional marks the content of the comment src[start:end] if it is a conditional one.
func (p *Page) Conditional(start, end int) { p.scanner.conditional(start, end, spell.XMLComment) }

// Script marks the URL in a script of an archive. The script's text begins at start.
func (p *Page) Script(start int) {
	if s := &p.scanner; s.m.File {
		s.replayed(start, ascii.Next(s.src, start, '<'))
	}
}
