package xml

import (
	"bytes"

	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mark"
)

// scanner reads the markup of an XML document in one pass, well-formed or not. It keeps the open elements, for their
// namespaces and bases. The codecs read the references. The document type declaration is skipped, so the entities
// that it declares are not known.
type scanner struct {
	src   []byte
	m     *mark.Marks
	page  *html.Page    // for the tables of HTML
	index *anchor.Index // nil unless the elements of links are asked for
	attrs []attribute   // of the current tag

	open    []element
	beyond  int   // how many more elements are open than the stack holds
	deep    bool  // that there are such has been reported
	doctype bool  // a document type declaration has been seen, which may declare entities
	rooted  bool  // the root element has been seen
	inside  bool  // an element in the root has been seen that is no head
	first   bool  // the current tag is that of the root
	shown   bool  // the root is XHTML, SVG or MathML: browsers show it
	style   bool  // the root is an XSLT stylesheet
	none    space // what names without a namespace mean in this document
	bound   []binding
	prefix  map[string]space // what is bound, but for the default namespace
	element element          // of the current tag
	base    int              // the index of its xml:base among attrs, or -1
	scope   int32            // around that element

	places map[string]*mark.Place // by their names; kept from text to text
}

// attribute is an attribute of the current tag.
type attribute struct {
	name, colon, nameEnd int // colon is -1 without a prefix
	attr.Value
}

// element is an open element.
type element struct {
	name     codec.Span
	space    space    // the default one for what is in it
	bound    int      // how many prefixes were bound before it
	scope    int32    // that of its own xml:base, or the one around it
	opaque   bool     // an xml:base, its own or one around it, cannot be known: nothing in it is resolved
	template bool     // an XHTML template around it
	text     textKind // what its content is, unless an element stands in it
	place    *mark.Place
	format   *mark.Format // of textInline
	start    int          // of its content
}

const (
	// maxOpen bounds the stack of open elements. What is deeper has the namespaces and
	// the base of the deepest that is on it.
	maxOpen = 4096
	// lookBack is how many open elements an end tag that is not that of the last one is
	// compared with: a search of them all would cost the square of the document.
	lookBack = 16
)

const (
	nameStart uint8 = 1 << iota // may begin a name
	endsName                    // cannot be in one
)

// class sorts bytes by what they do to a name. What XML does not allow in names and
// is no markup is taken as part of them.
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

func scan(src []byte, m *mark.Marks) {
	s := mark.ScratchOf[scanner](m)
	*s = scanner{src: src, m: m, page: mark.ScratchOf[html.Page](m), attrs: s.attrs[:0], open: s.open[:0], bound: s.bound[:0],
		prefix: s.prefix, places: s.places}
	if len(s.prefix) > 0 || s.prefix == nil {
		s.prefix = map[string]space{} // elements were left open
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

// name is the end of the name that begins at p.
func (s *scanner) name(p int) int {
	for p < len(s.src) && class[s.src[p]]&endsName == 0 {
		p++
	}
	return p
}

// startTag reads the start tag at p and all that it says; it returns the index after it.
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
	made := s.style && ns != spaceXSL // of other documents, and may hold expressions in braces
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

// notText notes that the current element holds an element, or something that an edit might
// make one: its content is no text then.
func (s *scanner) notText() {
	if n := len(s.open); n > 0 {
		s.open[n-1].text = noText
	}
}

// push opens the element of the tag at start, if it is to have content.
func (s *scanner) push(start int, how tagEnd) {
	switch {
	case how == tagEmpty:
		s.unbind(s.element.bound)
	case len(s.open) == maxOpen:
		if !s.deep {
			s.deep = true
			s.m.Fault(start, mark.DepthLimit, "more elements within one another than are followed; what is deeper has the namespaces and the base of the last one")
		}
		s.beyond++
		s.unbind(s.element.bound)
	default:
		s.open = append(s.open, s.element)
	}
}

// openScope opens the scope of an xml:base (XML Base 4). That of the root element is the base
// of the document.
func (s *scanner) openScope(a *attribute) {
	if s.element.opaque || !s.known(a.Start, a.End) {
		s.element.opaque = true
		return
	}
	if !s.first {
		s.element.scope = s.m.Scope(s.scope, s.place(xmlBaseName), a.Start, a.End, a.Quoting.URL(), s.baseDeclaration(a))
	}
}

// baseDeclaration says what an xml:base is: under the URL Standard one in a page is none,
// for browsers have dropped it.
func (s *scanner) baseDeclaration(a *attribute) mark.Declaration {
	return mark.Declaration{By: mark.XMLBase, Always: !s.shown, Listed: a.Start < a.End}
}

// tagEnd says how a tag ends.
type tagEnd uint8

const (
	noTag    tagEnd = iota // it does not, but the file
	tagOpen                // ">"
	tagEmpty               // "/>"
)

// attributes reads a tag's attributes from p on, after its name. It returns the index
// after the tag. Of what is not well-formed it skips a value without quotes, a name
// without value, and a "<".
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

// attr returns the attribute of the current tag with a name, and whether there is one. The name is as it is spelled.
func (s *scanner) attr(name string) (*attribute, bool) {
	for i := range s.attrs {
		if a := &s.attrs[i]; string(s.src[a.name:a.nameEnd]) == name {
			return a, true
		}
	}
	return nil, false
}

// text is the value of an attribute of the current tag, decoded: for keywords.
func (s *scanner) text(name string) string {
	a, ok := s.attr(name)
	if !ok {
		return ""
	}
	value, _ := a.Quoting.URL().Decode(s.src[a.Start:a.End])
	return string(value)
}

// endTag reads the end tag at p. One that closes none of the last open elements closes
// nothing.
func (s *scanner) endTag(start int) int {
	src := s.src
	end := s.name(start + 2)
	p := ascii.After(src, end, '>')
	if s.beyond > 0 {
		s.beyond--
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
