package xml

import (
	"bytes"
	"strconv"

	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mark"
)

// scanner reads the markup of an XML document in one pass. It keeps a stack of the open elements, for their namespaces
// and bases. The document may be not well-formed. The codecs decode the character references.
type scanner struct {
	src   []byte
	m     *mark.Marks
	page  *html.Page    // marks the elements in the tables of package html
	index *anchor.Index // nil, unless mark.Settings.Described is set
	attrs []attribute   // of the current tag

	open    []element
	deeper  int   // the number of open elements that are too deep for the stack
	deep    bool  // the fault for elements that are too deep has been added
	doctype bool  // a document type declaration has been seen, which may declare entities
	rooted  bool  // the root element has been seen
	inside  bool  // an element other than head has been seen inside the root
	first   bool  // the current tag is the tag of the root
	shown   bool  // the root is XHTML, SVG or MathML: browsers show it
	style   bool  // the root is an XSLT stylesheet
	none    space // the namespace of names without a namespace, see unnamedRoot
	bound   []binding
	prefix  map[string]space // the namespaces of prefixes, without the default namespace
	element element          // of the current tag
	base    int              // the index of its xml:base in attrs, or -1
	scope   int32            // the scope around the current element

	texts  *[spaceCount]map[string]textPlace // textsOf
	places map[string]*mark.Place            // by their names; kept from one text to the next
}

// attribute is an attribute of the current tag.
type attribute struct {
	name, colon, nameEnd int // colon is -1 without a prefix
	attr.Value
}

// element is an open element.
type element struct {
	name     codec.Span
	space    space    // the default namespace of its content
	bound    int      // the number of bindings before it
	scope    int32    // the scope of the nearest xml:base, on this element or around it
	opaque   bool     // an xml:base on this element or around it cannot be read: no link inside is resolved
	template bool     // it is inside an XHTML template
	text     textKind // the kind of its content, if the content is only text
	place    *mark.Place
	format   *mark.Format // of textInline
	start    int          // the offset of its content
}

const (
	// maxOpen is the largest size of the stack of open elements. A deeper element has the namespaces and the base of the
	// deepest element on the stack.
	maxOpen = 4096
	// lookBack is the number of open elements that an end tag is compared with. If an end tag were compared with all open
	// elements, the time could grow with the square of the size of the document.
	lookBack = 16
)

const (
	nameStart uint8 = 1 << iota // may begin a name
	endsName                    // ends a name
)

// class has the classes of each byte. A character that is not allowed in a name is part of the name, unless it is
// markup.
var class = func() (t [256]uint8) {
	for c := range t {
		if c >= 0x80 || c == '_' || c == ':' || 'a' <= c|0x20 && c|0x20 <= 'z' {
			t[c] = nameStart
		}
	}
	for _, c := range " \t\n\r\f/><='\"" {
		t[c] = endsName
	}
	return t
}()

// scan marks the links and the bases of a document.
func scan(src []byte, m *mark.Marks) {
	s := mark.ScratchOf[scanner](m)
	*s = scanner{src: src, m: m, page: mark.ScratchOf[html.Page](m), attrs: s.attrs[:0], open: s.open[:0], bound: s.bound[:0],
		prefix: s.prefix, texts: textsOf(), places: s.places}
	if len(s.prefix) > 0 || s.prefix == nil {
		s.prefix = map[string]space{} // the last document had unclosed elements
	}
	s.page.Reset(src, m)
	if m.Described {
		s.index = mark.ScratchOf[anchor.Index](m)
		s.index.Syntax = anchor.XML
	}
	for p := ascii.Next(src, 0, '<'); p+1 < len(src); p = ascii.Next(src, p, '<') {
		start := p
		switch c := src[p+1]; {
		case class[c]&nameStart != 0:
			p = s.startTag(p)
		case c == '/':
			p = s.endTag(p)
		case c == '!':
			p = s.markup(p)
		case c == '?':
			p = s.instruction(p)
		default:
			p++
		}
		if s.index != nil {
			s.describe(start, p)
		}
	}
	if cap(s.attrs) > 1<<12 {
		s.attrs = nil
	}
}

// name returns the offset after the name that begins at p.
func (s *scanner) name(p int) int {
	for p < len(s.src) && class[s.src[p]]&endsName == 0 {
		p++
	}
	return p
}

// startTag reads the start tag at start, and marks the links of its element. It returns the offset after the tag.
func (s *scanner) startTag(start int) int {
	src := s.src
	nameEnd := s.name(start + 1)
	p, how := nameEnd, tagOpen
	s.attrs = s.attrs[:0]
	if p < len(src) && src[p] == '>' {
		p++
	} else {
		p, how = s.attributes(nameEnd)
	}
	s.notText()
	if how == noTag {
		return p
	}
	el := element{name: codec.Span{Start: start + 1, End: nameEnd}, bound: len(s.bound), start: p}
	if n := len(s.open); n > 0 {
		top := &s.open[n-1]
		el.space, el.scope, el.opaque, el.template = top.space, top.scope, top.opaque, top.template
	}
	s.element, s.scope = el, el.scope
	s.base = s.declarations()
	local := start + 1
	if i := bytes.IndexByte(src[local:nameEnd], ':'); i >= 0 {
		local += i + 1
	}
	ns := s.element.space
	if local > start+1 {
		ns = s.bindingOf(src[start+1 : local-1])
	}
	if s.first = !s.rooted; s.first {
		s.root(ns, src[local:nameEnd])
	} else if string(src[local:nameEnd]) != "head" {
		s.inside = true
	}
	if ns == spaceNone {
		ns = s.none
	}
	made := s.style && ns != spaceXSL // an element of the output of XSLT: values may have expressions in braces
	if s.base >= 0 && !made {
		s.openScope(&s.attrs[s.base])
	}
	switch name := src[local:nameEnd]; {
	case made:
	case s.style:
		s.styleElement(name)
	case ns.isPage():
		s.pageElement(ns, name, codec.Span{Start: start, End: p}, how)
	default:
		s.otherElement(ns, name)
	}
	s.push(start, how)
	if s.index != nil {
		s.describeTag(ns, src[local:nameEnd], start, p, how)
	}
	return p
}

// notText records that the content of the current element is not only text. The content has an element, or markup that
// an edit might change into an element.
func (s *scanner) notText() {
	if n := len(s.open); n > 0 {
		s.open[n-1].text = noText
	}
}

// push opens the element of the tag at start, unless the tag is empty.
func (s *scanner) push(start int, how tagEnd) {
	switch {
	case how == tagEmpty:
		s.unbind(s.element.bound)
	case len(s.open) == maxOpen:
		if !s.deep {
			s.deep = true
			s.m.Fault(start, mark.DepthLimit, "more than "+strconv.Itoa(maxOpen)+" nested elements; deeper elements use the base and the namespaces of level "+strconv.Itoa(maxOpen))
		}
		s.deeper++
		s.unbind(s.element.bound)
	default:
		s.open = append(s.open, s.element)
	}
}

// openScope opens the scope of an xml:base (XML Base 4). On the root element, it opens no scope: the xml:base is the base
// of the document.
func (s *scanner) openScope(a *attribute) {
	if s.element.opaque || !s.known(a.Start, a.End) {
		s.element.opaque = true
		return
	}
	if !s.first {
		s.element.scope = s.m.Scope(s.scope, s.place(xmlBaseName, false), a.Start, a.End, a.Quoting.URL(), s.baseDeclaration(a))
	}
}

// baseDeclaration returns the declaration of an xml:base. In a page, it does not count under the URL Standard, because
// browsers no longer support it.
func (s *scanner) baseDeclaration(a *attribute) mark.Declaration {
	return mark.Declaration{By: mark.XMLBase, Always: !s.shown, Listed: a.Start < a.End}
}

// tagEnd is the way a tag ends.
type tagEnd uint8

const (
	noTag    tagEnd = iota // the file ends inside the tag
	tagOpen                // ">"
	tagEmpty               // "/>"
)

// attributes reads the attributes of a tag. p is the offset after the name of the tag. attributes returns the offset
// after the tag. It skips markup that is not well-formed: a value without quotes, a name without a value, and a "<".
func (s *scanner) attributes(p int) (int, tagEnd) {
	src := s.src
	for p < len(src) {
		switch c := src[p]; {
		case ascii.IsSpace(c):
			p++
			continue
		case c == '>':
			return p + 1, tagOpen
		case c == '/' && p+1 < len(src) && src[p+1] == '>':
			return p + 2, tagEmpty
		case class[c]&endsName != 0:
			p++
			continue
		}
		a := attribute{name: p, colon: -1}
		for p < len(src) && class[src[p]]&endsName == 0 {
			if src[p] == ':' && a.colon < 0 {
				a.colon = p
			}
			p++
		}
		a.nameEnd = p
		p = ascii.SkipSpace(src, p)
		if p >= len(src) || src[p] != '=' {
			continue
		}
		p = ascii.SkipSpace(src, p+1)
		if p >= len(src) {
			break
		}
		if q := src[p]; q == '"' || q == '\'' {
			a.Start, a.End, a.Quoting = p+1, ascii.Next(src, p+1, q), quotingOf(q)
			if p = a.End + 1; p > len(src) {
				break
			}
			s.attrs = append(s.attrs, a)
			continue
		}
		for p < len(src) && !ascii.IsSpace(src[p]) && src[p] != '>' {
			p++
		}
	}
	return len(src), noTag
}

func quotingOf(quote byte) attr.Quoting {
	if quote == '"' {
		return attr.XMLDouble
	}
	return attr.XMLSingle
}

// attr returns the attribute of the current tag with a name, and reports whether the tag has it. The name includes the
// prefix.
func (s *scanner) attr(name string) (*attribute, bool) {
	for i := range s.attrs {
		if a := &s.attrs[i]; string(s.src[a.name:a.nameEnd]) == name {
			return a, true
		}
	}
	return nil, false
}

// text returns the decoded value of an attribute of the current tag, or "". It is used for keywords.
func (s *scanner) text(name string) string {
	a, ok := s.attr(name)
	if !ok {
		return ""
	}
	value, _ := a.Quoting.URL().Decode(s.src[a.Start:a.End])
	return string(value)
}

// endTag reads the end tag at start, and returns the offset after it. If the tag matches none of the last open elements,
// it is ignored.
func (s *scanner) endTag(start int) int {
	src := s.src
	end := s.name(start + 2)
	p := ascii.After(src, end, '>')
	if s.deeper > 0 {
		s.deeper--
		return p
	}
	name, last := src[start+2:end], len(s.open)-1
	for i := last; i >= 0 && i > last-lookBack; i-- {
		if el := &s.open[i]; bytes.Equal(src[el.name.Start:el.name.End], name) {
			if i == last && el.text != noText && !el.opaque {
				s.content(el, start)
			}
			s.unbind(el.bound)
			s.open = s.open[:i]
			return p
		}
	}
	s.notText()
	return p
}
