package xml

import (
	"bytes"
	"strconv"
	"sync"

	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mark"
)

// scanner reads the markup of an XML document in one pass, with a stack of the open elements for their namespaces and
// bases.
type scanner struct {
	src   []byte
	m     *mark.Marks
	page  *html.Page    // marks the elements in the tables of package html
	index *anchor.Index // nil, unless mark.Settings.DescribeLinks is set
	attrs []attribute   // of the current tag

	open    []element
	deeper  int   // how many open elements are too deep for the stack
	deep    bool  // the fault of elements that are too deep has been reported
	doctype bool  // there is a document type declaration, which may declare entities
	rooted  bool  // the root element has been seen
	inside  bool  // an element other than head has been seen inside the root
	first   bool  // the current tag is the tag of the root
	shown   bool  // the root is XHTML, SVG or MathML, which browsers show
	style   bool  // the root is an XSLT stylesheet
	none    space // the namespace of names without one: see unnamedRoot
	bound   []binding
	prefix  map[string]space // the namespaces of prefixes, without the default namespace
	element element          // of the current tag
	base    int              // the index of its xml:base in attrs, or -1
	scope   int32            // the scope around the current element

	texts  *[spaceCount]map[string]textPlace // textsOf
	places map[string]*mark.Place            // by their names; reused from one text to the next
}

// mostAttributes limits the attributes of an element that are read.
const mostAttributes = 1 << 16

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
	opaque   bool     // an xml:base on this element or around it cannot be read, so no link inside is resolved
	template bool     // it is in an XHTML template
	navs     int      // how many nav elements of XHTML it is in
	text     textKind // the kind of its content, as long as that is only text
	place    *mark.Place
	format   *mark.Format // of textInline
	start    int          // the offset of its content
}

const (
	// maxOpen limits the stack of open elements. A deeper element has the namespaces and the base of the deepest
	// element on the stack.
	maxOpen = 4096
	// lookBack is how many open elements an end tag is compared with. Comparing it with all could take time that grows
	// with the square of the document's size.
	lookBack = 16
)

const (
	nameStart uint8 = 1 << iota // may begin a name
	endsName                    // ends a name
)

// class has the classes of each byte. A character that names may not have is read as part of the name, unless it is
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

func scan(src []byte, m *mark.Marks) {
	s := mark.ScratchOf[scanner](m)
	*s = scanner{src: src, m: m, page: mark.ScratchOf[html.Page](m), attrs: s.attrs[:0], open: s.open[:0],
		bound:  s.bound[:0],
		prefix: s.prefix, texts: textsOf(), places: s.places}
	if len(s.prefix) > 0 || s.prefix == nil {
		s.prefix = map[string]space{} // the last document left elements open
	}
	s.page.Reset(src, m)
	if m.DescribeLinks {
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

func (s *scanner) name(p int) int {
	for p < len(s.src) && class[s.src[p]]&endsName == 0 {
		p++
	}
	return p
}

// startTag reads the start tag at start, and returns the offset after it.
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
		el.space, el.scope, el.opaque, el.template, el.navs = top.space, top.scope, top.opaque, top.template, top.navs
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
	// an element of the stylesheet's output, whose values may have expressions in braces
	made := s.style && ns != spaceXSL
	if s.base >= 0 && !made {
		s.openScope(&s.attrs[s.base])
	}
	switch name := src[local:nameEnd]; {
	case made:
		s.madeElement()
	case s.style:
		s.styleElement(name)
	case ns.isPage():
		s.pageElement(ns, name, codec.Span{Start: start, End: p}, how)
	default:
		s.otherElement(ns, name)
	}
	s.push(start, how)
	if s.index != nil {
		name := src[local:nameEnd]
		s.index.StartTag(src, start, p, name, s.templates(), (ns == spaceXHTML || ns == spaceSVG) &&
			string(name) == "a", how == tagEmpty)
	}
	return p
}

// notText records that the content of the innermost open element is not only text: it has an element, or markup that an
// edit might turn into one.
func (s *scanner) notText() {
	if n := len(s.open); n > 0 {
		s.open[n-1].text = noText
	}
}

// push puts the element of the tag at start on the stack.
func (s *scanner) push(start int, how tagEnd) {
	switch {
	case how == tagEmpty:
		s.unbind(s.element.bound)
	case len(s.open) == maxOpen:
		if !s.deep {
			s.deep = true
			s.m.Fault(start, mark.DepthLimit, "more than "+strconv.Itoa(maxOpen)+
				" nested elements; deeper elements use the base and the namespaces of level "+strconv.Itoa(maxOpen))
		}
		s.deeper++
		s.unbind(s.element.bound)
	default:
		s.open = append(s.open, s.element)
	}
}

// openScope opens the scope of an xml:base (XML Base 4). On the root element it opens none, because there it is the
// base of the document.
func (s *scanner) openScope(a *attribute) {
	if s.element.opaque || !s.known(a.Start, a.End) {
		s.element.opaque = true
		return
	}
	if !s.first {
		s.element.scope = s.m.OpenScope(s.scope, s.place(xmlBaseName, false), a.Start, a.End, a.Quoting.URL(),
			s.baseDeclaration(a))
	}
}

// baseDeclaration returns the declaration of an xml:base. In a page it is ignored under the URL Standard, because
// browsers no longer support it.
func (s *scanner) baseDeclaration(a *attribute) mark.Declaration {
	return mark.Declaration{By: mark.XMLBase, Always: !s.shown, Listed: a.Start < a.End}
}

type tagEnd uint8

const (
	noTag    tagEnd = iota // the file ends inside the tag
	tagOpen                // ">"
	tagEmpty               // "/>"
)

// attributes reads the attributes of a tag, from the offset p after its name, and returns the offset after the tag. It
// skips what is not well-formed: a value without quotes, a name without a value, a "<".
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
			s.attribute(a)
			continue
		}
		for p < len(src) && !ascii.IsSpace(src[p]) && src[p] != '>' {
			p++
		}
	}
	return len(src), noTag
}

func (s *scanner) attribute(a attribute) {
	if len(s.attrs) == mostAttributes {
		s.m.Fault(a.name, mark.DepthLimit, "the element has more than "+strconv.Itoa(mostAttributes)+
			" attributes; the others are not read")
	}
	if len(s.attrs) <= mostAttributes {
		s.attrs = append(s.attrs, a)
	}
}

func quotingOf(quote byte) attr.Quoting {
	if quote == '"' {
		return attr.XMLDouble
	}
	return attr.XMLSingle
}

// attr returns the attribute of the current tag with this name, prefix included.
func (s *scanner) attr(name string) (*attribute, bool) {
	for i := range s.attrs {
		if a := &s.attrs[i]; string(s.src[a.name:a.nameEnd]) == name {
			return a, true
		}
	}
	return nil, false
}

// text returns the decoded value of an attribute of the current tag, or "". It is for keywords; links are decoded by
// the engine.
func (s *scanner) text(name string) string {
	a, ok := s.attr(name)
	if !ok {
		return ""
	}
	value, _ := a.Quoting.URL().Decode(s.src[a.Start:a.End])
	return string(value)
}

// endTag reads the end tag at start, and returns the offset after it. A tag that matches none of the last open elements
// is ignored.
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

// binding is the namespace that a prefix had before an inner element declared it again.
type binding struct {
	prefix string
	was    space
	had    bool // the prefix was bound
}

// declarations reads the namespaces that the current tag declares (Namespaces in XML 3), and returns the index of its
// xml:base in attrs, or -1.
func (s *scanner) declarations() (base int) {
	src, base := s.src, -1
	for i := range s.attrs {
		a := &s.attrs[i]
		if name := src[a.name:a.nameEnd]; len(name) < 5 || name[0] != 'x' || name[1] != 'm' || name[2] != 'l' {
			continue
		} else if string(name) == "xml:base" && base < 0 {
			base = i
		} else if string(name) == "xmlns" {
			s.element.space = s.namespace(a, s.element.space)
		} else if a.colon >= 0 && string(src[a.name:a.colon]) == "xmlns" {
			prefix := string(src[a.colon+1 : a.nameEnd])
			was, had := s.prefix[prefix]
			s.bound = append(s.bound, binding{prefix, was, had})
			s.prefix[prefix] = s.namespace(a, s.bindingOf([]byte(prefix)))
		}
	}
	return base
}

// namespace returns the namespace that a declares, or was, the one before, if an entity in its value cannot be read.
func (s *scanner) namespace(a *attribute, was space) space {
	value, _ := a.Quoting.Text().Decode(s.src[a.Start:a.End])
	if len(value) == 0 {
		return spaceNone
	}
	if value[0] == '&' {
		return was
	}
	if ns, ok := spaces()[string(value)]; ok {
		return ns
	}
	if ns, ok := looseSpaces()[string(looseName(value))]; ok {
		return ns
	}
	return spaceOther
}

// looseSpaces has the namespaces of feeds and sitemaps by looseName, because feed readers accept variants of these
// names. Browsers accept no variants of the others.
var looseSpaces = sync.OnceValue(func() map[string]space {
	loose := map[string]space{}
	for name, ns := range spaces() {
		if ns >= firstFeedSpace {
			loose[string(looseName([]byte(name)))] = ns
		}
	}
	return loose
})

// looseName returns the part of a name that is the same in all variants, which may begin with "https:", differ in case,
// or have no slash at the end.
func looseName(name []byte) []byte {
	if _, after, ok := bytes.Cut(name, []byte("://")); ok {
		name = after
	}
	return ascii.Fold(nil, bytes.TrimSuffix(name, []byte("/")))
}

func (s *scanner) declares(name string) bool {
	for _, a := range s.attrs {
		if bytes.HasPrefix(s.src[a.name:a.nameEnd], []byte("xmlns")) && string(s.src[a.Start:a.End]) == name {
			return true
		}
	}
	return false
}

// bindingOf returns the namespace of a prefix. One that is not declared has its usual namespace, because many feeds
// lack the declaration.
func (s *scanner) bindingOf(prefix []byte) space {
	if ns, ok := s.prefix[string(prefix)]; ok {
		return ns
	}
	if ns, ok := usualPrefixes()[string(prefix)]; ok {
		return ns
	}
	return spaceOther
}

// unbind undoes all bindings after the first n.
func (s *scanner) unbind(n int) {
	for i := len(s.bound) - 1; i >= n; i-- {
		if b := s.bound[i]; b.had {
			s.prefix[b.prefix] = b.was
		} else {
			delete(s.prefix, b.prefix)
		}
	}
	s.bound = s.bound[:n]
}

// markup reads the markup at p, which begins with "<!", and returns the offset after it.
func (s *scanner) markup(p int) int {
	switch rest := s.src[p:]; {
	case bytes.HasPrefix(rest, []byte("<!--")):
		end := afterEnd(s.src, p+4, "-->")
		if !s.inside && s.m != nil && s.m.File {
			s.page.Comment(p+4, end) // perhaps of a program that saved the page
		}
		if n := len(s.open); s.shown && s.m != nil && n > 0 && s.open[n-1].text == noText {
			s.page.Conditional(p, end)
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

func afterEnd(src []byte, p int, end string) int {
	if i := bytes.Index(src[p:], []byte(end)); i >= 0 {
		return p + i + len(end)
	}
	return len(src)
}

// doctypeEnd returns the offset after a document type declaration and its subset (XML 2.8). p is the offset after
// "<!DOCTYPE".
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
// element is a link (Associating Style Sheets with XML documents, 3), to which no xml:base and no BASE element applies.
func (s *scanner) instruction(p int) int {
	end := afterEnd(s.src, p+2, "?>")
	const target = "<?xml-stylesheet"
	if at := p + len(target); s.m != nil && !s.rooted && at < end && string(s.src[p:at]) == target &&
		ascii.IsSpace(s.src[at]) {
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

// known reports whether the value src[start:end] can be read. If it has an entity that XML does not define, known
// reports a fault and returns false.
func (s *scanner) known(start, end int) bool {
	return s.knownBy(spell.IsXMLReference, start, end)
}

// knownBy is known for another set of references.
func (s *scanner) knownBy(isKnown func(reference []byte) bool, start, end int) bool {
	src := s.src[:end]
	for p := ascii.Next(src, start, '&'); p < end; p = ascii.Next(src, p+1, '&') {
		if p+1 == end || class[src[p+1]]&nameStart == 0 {
			continue
		}
		name := p + 1
		for name < end && (class[src[name]]&nameStart != 0 || ascii.IsDigit(src[name]) ||
			src[name] == '-' || src[name] == '.') { // XML 1.0 2.3
			name++
		}
		if name < end && src[name] == ';' && !isKnown(src[p:name+1]) {
			s.m.Fault(start, mark.LinkMalformed, "left unchanged: the value has the entity "+mark.Quote(src[p:name+1])+
				", and absolink does not read declarations of entities")
			return false
		}
	}
	return true
}

// knownContent is knownBy for the content of an element. It skips CDATA sections, comments and processing instructions,
// which have no references.
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

// knownHTML is known for content that is HTML. Without a document type declaration, every reference is known: it is an
// entity of HTML, or it is text.
func (s *scanner) knownHTML(start, end int) bool {
	return !s.doctype || s.knownContent(isHTMLReference, start, end)
}

// isHTMLReference reports whether a reference is to an entity of HTML (13.5), which defines those of XML and of the
// DTDs of XHTML with the same meaning.
func isHTMLReference(reference []byte) bool {
	text, _ := spell.AttrDouble.Decode(reference)
	return !bytes.Equal(text, reference)
}
