package xml

import (
	"bytes"

	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/css"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/header"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mark"
)

// root reads the root element, whose name and namespace determine the kind of the document.
func (s *scanner) root(ns space, name []byte) {
	if s.rooted = true; string(name) == "tagfile" {
		s.m.Unread(mark.Doxygen, "", s.element.name.Start)
	}
	if ns == spaceNone {
		s.none = unnamedRoot(name)
		ns = s.none
	} else if ns == s.element.space {
		switch string(name) {
		case "rss", "urlset", "sitemapindex": // in any namespace, these names have only one meaning
			ns = unnamedRoot(name)
			s.element.space = ns
		}
	}
	s.shown, s.style = ns.isPage(), ns == spaceXSL
	for _, of := range []space{ns, s.element.space} { // the root of RSS 1.0 is in the namespace of RDF
		s.m.Notes.Feed = s.m.Notes.Feed || of == spaceRSS || of == spaceAtom || of == spaceOPML
	}
	for i := range s.attrs {
		// A literal result element may stand for the whole stylesheet (XSLT 1.0, 2.3).
		if a := &s.attrs[i]; a.colon >= 0 && string(s.src[a.colon+1:a.nameEnd]) == "version" &&
			s.bindingOf(s.src[a.name:a.colon]) == spaceXSL {
			s.shown, s.style = false, true
		}
	}
}

// otherElement marks the links of an element that the tables of package html do not have.
func (s *scanner) otherElement(ns space, name []byte) {
	for i := range s.attrs {
		a := &s.attrs[i]
		if i == s.base {
			s.baseLink(a)
		} else if a.colon < 0 && s.isLink(ns, a) || a.colon >= 0 && s.isPrefixedLink(a) {
			s.link(a, s.identifies(ns, name, a))
		} else if ns == spacePodcast && string(s.src[a.name:a.nameEnd]) == "srcset" {
			s.list(a)
		} else if len(s.m.Added) > 0 {
			s.add(a)
		}
	}
	if t, ok := s.texts[ns][string(name)]; ok {
		s.element.text, s.element.place = s.textKind(t.as), t.place
	} else if el := s.element.name; len(s.m.Added) > 0 && len(name) < el.Len() &&
		s.m.Adds(string(s.src[el.Start:el.End])) {
		s.element.text, s.element.place = textURL, &mark.Place{Name: string(s.src[el.Start:el.End])}
	}
}

func (s *scanner) isLink(ns space, a *attribute) bool {
	switch string(s.src[a.name:a.nameEnd]) {
	case "href", "src", "url", "uri", "xmlUrl", "htmlUrl":
		return !s.noReference(ns, a)
	case "fileref":
		return ns == spaceDocBook || ns == spaceNone
	case "img":
		return ns == spacePodcast && !s.noReference(ns, a)
	case "image":
		return ns == spaceChapters && !s.noReference(ns, a)
	case "source": // thr:in-reply-to (RFC 4685 3)
		return ns == spaceThread
	case "template":
		return ns == spaceSearch
	case "info": // video:uploader@info
		return ns == spaceVideo
	case "about", "resource": // without the prefix of RDF, as in old RSS 1.0 (RDF/XML 6.1.4)
		return ns == spaceRDF || ns == spaceRSS
	}
	return false
}

func (s *scanner) isPrefixedLink(a *attribute) bool {
	switch string(s.src[a.colon+1 : a.nameEnd]) {
	case "href":
		return s.bindingOf(s.src[a.name:a.colon]) == spaceXLink
	case "about", "resource", "datatype", "type": // RDF/XML 2.2, 5.3 and 7.2.11
		return s.bindingOf(s.src[a.name:a.colon]) == spaceRDF
	}
	return false
}

// noReference reports whether an attribute is empty and therefore not a link. An empty attribute is not a URL in RSS
// and OPML; in XInclude (3.1) it refers to the document itself.
func (s *scanner) noReference(ns space, a *attribute) bool {
	switch ns {
	case spaceRSS, spaceMedia, spaceITunes, spaceOPML, spaceXInclude, spacePodcast, spaceChapters:
		start, end := ascii.TrimSpace(s.src, a.Start, a.End)
		return start == end
	}
	return false
}

// identifies reports whether an attribute has the URI by which feed readers recognize a channel or an item of RSS 1.0,
// or lists that URI in the channel (RSS 1.0, 5.3.5 and 5.5).
func (s *scanner) identifies(ns space, name []byte, a *attribute) bool {
	switch string(s.src[a.colon+1 : a.nameEnd]) {
	case "about":
		return ns == spaceRSS && (string(name) == "item" || string(name) == "channel")
	case "resource":
		if n := len(s.open); ns == spaceRDF && string(name) == "li" && n > 1 { // in a Seq in items
			list := s.open[n-2].name
			return bytes.HasSuffix(s.src[list.Start:list.End], []byte("items"))
		}
	}
	return false
}

// link marks an attribute of the current tag that is a URL. If it is permanent, an absolute URL never changes.
func (s *scanner) link(a *attribute, permanent bool) {
	if !s.element.opaque && s.known(a.Start, a.End) {
		place := s.place(s.src[a.name:a.nameEnd], permanent)
		s.m.LinkIn(s.element.scope, place, a.Start, a.End, a.Quoting.URL())
	}
}

func (s *scanner) list(a *attribute) {
	if !s.element.opaque && s.known(a.Start, a.End) {
		s.m.Inline(s.element.scope, s.place(s.src[a.name:a.nameEnd], false), a.Start, a.End, a.Quoting.Text(),
			grammar.Srcset)
	}
}

// add marks an attribute that no table has, if it is at a place of mark.Settings.Added.
func (s *scanner) add(a *attribute) {
	name := s.src[a.name:a.nameEnd]
	switch {
	case a.Start == a.End || bytes.HasPrefix(name, []byte("xmlns")) || !s.m.Adds(s.place(name, false).Name):
	case mark.IsList(name):
		s.list(a)
	default:
		s.link(a, false)
	}
}

// baseLink marks an xml:base. On the root element it declares the base of the document. Anywhere else it is a link in
// the scope around the element, so that rewriting makes it absolute.
func (s *scanner) baseLink(a *attribute) {
	switch {
	case s.element.opaque:
	case s.first:
		s.m.Base(s.place(xmlBaseName, false), a.Start, a.End, a.Quoting.URL(), s.baseDeclaration(a))
	case a.Start < a.End:
		s.m.LinkIn(s.scope, s.place(xmlBaseName, false), a.Start, a.End, a.Quoting.URL())
	}
}

var xmlBaseName, xlinkName = []byte(mark.XMLBase), []byte("xlink:href")

// longestName limits the part of an element's name that is in a place, because a tag may have many links, each with the
// name.
const longestName = 256

func (s *scanner) place(attribute []byte, permanent bool) *mark.Place {
	var buf [64]byte
	element := s.src[s.element.name.Start:min(s.element.name.End, s.element.name.Start+longestName)]
	name := append(append(append(buf[:0], element...), '@'), attribute...)
	key := name
	if permanent {
		key = append(name, ' ') // no name has a space
	}
	if p := s.places[string(key)]; p != nil {
		return p
	}
	kept := string(key)
	p := &mark.Place{Name: kept[:len(name)], Permanent: permanent}
	if string(attribute) == "template" {
		p.Reads = grammar.ReadsTemplate
	}
	if s.places == nil || len(s.places) > 10000 {
		s.places = map[string]*mark.Place{}
	}
	if len(attribute) < longestName {
		s.places[kept] = p
	}
	return p
}

// The elements of XHTML, SVG, MathML and XSLT. The places of the first three are in the tables of package html.

// pageElement marks the links of an element of XHTML, SVG or MathML.
func (s *scanner) pageElement(ns space, name []byte, tag codec.Span, how tagEnd) {
	inner := !s.shown || s.element.template // the element is not part of the page itself
	if len(s.attrs) > 0 {
		s.openPage(ns, name, tag, how, inner)
		if xlink, ok := s.pageAttributes(ns); ok && !s.element.opaque {
			s.pageLinks(xlink)
		}
	}
	switch {
	case ns == spaceXHTML && string(name) == "template":
		s.element.template = true // its content is another document (HTML 4.12.3)
	case ns == spaceXHTML && string(name) == "nav":
		s.element.navs++
	case ns == spaceXHTML && string(name) == "script" && how != tagEmpty:
		if !inner {
			s.page.Script(tag.End)
		}
		s.scriptData()
	case ns != spaceMathML && string(name) == "style":
		if t := s.text("type"); t == "" || ascii.FoldEqual([]byte(t), "text/css") {
			s.element.text, s.element.place, s.element.format = textInline, stylePlace, css.Format
		}
	}
}

func (s *scanner) scriptData() {
	if format, place := html.ScriptData([]byte(s.text("type")), s.m.Extended); format != nil {
		if _, external := s.attr("src"); !external {
			s.element.text, s.element.place, s.element.format = textInline, place, format
		}
	} else if html.IsJSONLD([]byte(s.text("type"))) {
		s.m.Unread(mark.JSONLD, "", s.element.name.Start)
	}
}

func (s *scanner) openPage(ns space, name []byte, tag codec.Span, how tagEnd, inner bool) {
	end := s.element.name.End
	t := html.Tag{Span: tag, Name: codec.Span{Start: end - len(name), End: end}, Scope: s.element.scope,
		Fragment: inner}
	t.Navs = s.element.navs
	switch ns {
	case spaceSVG:
		t.Namespace = html.SVG
	case spaceMathML:
		t.Namespace = html.MathML
	default:
		if how != tagEmpty && string(name) == "base" {
			t.Span.End, t.Filled = s.endOfEmpty(tag.End)
		}
	}
	s.page.Open(&t)
}

var stylePlace = &mark.Place{Name: "style"}

// pageAttributes adds the attributes of the current tag to s.page, except those that cannot be read. xlink is the index
// of an xlink:href in XHTML, which the tables of package html do not have, or -1. ok is false if the base of the
// element's links cannot be read.
func (s *scanner) pageAttributes(ns space) (xlink int, ok bool) {
	xlink = -1
	for i := range s.attrs {
		a := &s.attrs[i]
		var name codec.Span
		switch {
		case a.colon < 0:
			name = codec.Span{Start: a.name, End: a.nameEnd}
		case string(s.src[a.colon+1:a.nameEnd]) != "href" || s.bindingOf(s.src[a.name:a.colon]) != spaceXLink:
			continue
		case ns == spaceXHTML:
			if xlink < 0 && s.known(a.Start, a.End) {
				xlink = i
			}
			continue
		}
		asXML, asHTML := s.page.Add(i, name, a.Value)
		if asXML && !s.known(a.Start, a.End) || asHTML && !s.knownHTML(a.Start, a.End) {
			if !s.page.Drop() {
				return -1, false
			}
		}
	}
	return xlink, true
}

func (s *scanner) pageLinks(xlink int) {
	for i := range s.attrs {
		switch a := &s.attrs[i]; {
		case i == s.base:
			s.baseLink(a)
		case i == xlink:
			s.m.LinkIn(s.element.scope, s.place(xlinkName, false), a.Start, a.End, a.Quoting.URL())
		case s.page.Has(i):
			if s.page.Mark() {
				s.unlessKnown(a)
			}
		case len(s.m.Added) > 0:
			s.add(a)
		}
	}
}

// unlessKnown removes the mark of an attribute if the value cannot be read. It is for attributes that only others make
// a link or a base, for example the content of a refresh.
func (s *scanner) unlessKnown(a *attribute) {
	at := s.m.LastAt(a.Start)
	if at == nil || s.known(a.Start, a.End) {
		return
	}
	s.m.Notes.Opaque = s.m.Notes.Opaque || at.Kind == mark.IsBase
	s.m.TakeBack()
}

// endOfEmpty returns the offset after the end tag if the current element is empty; p is the offset after the start tag.
// An element with content is filled: its start tag cannot be removed alone.
func (s *scanner) endOfEmpty(p int) (end int, filled bool) {
	src, name := s.src, s.src[s.element.name.Start:s.element.name.End]
	q := ascii.SkipSpace(src, p)
	if rest, ok := bytes.CutPrefix(src[q:], []byte("</")); ok && bytes.HasPrefix(rest, name) {
		if q = ascii.SkipSpace(src, q+2+len(name)); q < len(src) && src[q] == '>' {
			return q + 1, false
		}
	}
	return p, true
}

// styleElement marks the stylesheets that an element of XSLT imports or includes.
func (s *scanner) styleElement(name []byte) {
	for i := range s.attrs {
		a := &s.attrs[i]
		if i == s.base {
			s.baseLink(a)
		} else if string(s.src[a.name:a.nameEnd]) == "href" && (string(name) == "import" || string(name) == "include") {
			s.link(a, false)
		}
	}
}

// madeElement counts the relative links of an element that a stylesheet makes.
func (s *scanner) madeElement() {
	for i := range s.attrs {
		a := &s.attrs[i]
		scheme, _ := ascii.CutScheme(string(s.src[a.Start:min(a.End, a.Start+64)]))
		switch string(s.src[a.name:a.nameEnd]) {
		case "href", "src":
			if scheme == "" && bytes.IndexAny(s.src[a.Start:a.End], "{#") != 0 {
				s.m.Unread(mark.Literal, "", a.Start)
			}
		}
	}
}

// textKind returns the kind of the current element's content, where the table says as and the attributes may decide
// more.
func (s *scanner) textKind(as textKind) textKind {
	html, base64 := false, false
	switch as {
	case textPermalink:
		for _, a := range s.attrs { // in any case: many feeds write isPermalink, or "False"
			if ascii.FoldEqual(s.src[a.name:a.nameEnd], "ispermalink") &&
				!ascii.FoldEqual(s.src[a.Start:a.End], "true") {
				return noText
			}
		}
		return textURL
	case textMedia:
		html = ascii.FoldEqual([]byte(s.text("type")), "html")
	case textConstruct:
		t := s.text("type")
		mediaType, _ := header.MediaTypeOf([]byte(t))
		mode := s.text("mode")
		base64 = mode == "base64"
		html = ascii.FoldEqual([]byte(t), "html") || mediaType == "text/html" ||
			(base64 || mode == "escaped") && mediaType == "application/xhtml+xml"
	default:
		return as
	}
	switch {
	case html && base64:
		return textBase64
	case html:
		return textHTML
	}
	return noText
}

// content marks the content of an element, which ends at end.
func (s *scanner) content(el *element, end int) {
	src, start, m := s.src, el.start, s.m
	markup := ascii.Next(src[:end], start, '<') < end
	switch el.text {
	case textURL:
		start, end = ascii.TrimSpace(src, start, end)
		c := spell.XMLURLText
		if markup {
			c = spell.XMLURLContent
		}
		if !s.knownContent(spell.IsXMLReference, start, end) {
			return
		}
		// An empty element is not a link, unlike an empty attribute.
		if url, _ := c.Decode(src[start:end]); len(url) > 0 {
			m.LinkIn(el.scope, el.place, start, end, c)
		}
	case textHTML:
		c := spell.XMLText
		if markup {
			c = spell.XMLContent
		}
		if mayHaveTag(src[start:end]) && s.knownHTML(start, end) {
			m.Nested(el.scope, el.place, start, end, c, s.m.FormatOf("text/html"))
		}
	case textBase64:
		start, end = ascii.TrimSpace(src, start, end)
		c := spell.Base64
		if bytes.IndexByte(src[start:end], '\n') < 0 {
			c = spell.Base64Line // stay on one line
		}
		if !markup && start < end {
			m.Nested(el.scope, el.place, start, end, c, s.m.FormatOf("text/html"))
		}
	case textInline:
		if s.knownContent(spell.IsXMLReference, start, end) {
			m.Inline(el.scope, el.place, start, end, spell.XMLContent, el.format)
			m.Allowed(src, start, end, spell.XMLContent)
		}
	}
}

// mayHaveTag reports whether text may have a tag of HTML. One "<" is not enough, because it may open a CDATA section.
func mayHaveTag(text []byte) bool {
	return bytes.IndexByte(text, '<') != bytes.LastIndexByte(text, '<') || bytes.Contains(text, []byte("&lt;")) ||
		bytes.Contains(text, []byte("&#"))
}

// describe adds the markup src[start:p] and the text after it to the index of anchor texts.
func (s *scanner) describe(start, p int) {
	src, x := s.src, s.index
	switch markup := src[start:p]; {
	case src[start+1] == '/':
		name := src[start+2 : s.name(start+2)]
		x.EndTag(name[bytes.IndexByte(name, ':')+1:])
	case bytes.HasPrefix(markup, []byte("<![CDATA[")):
		x.Section(markup, s.templates())
	}
	if s.doctype {
		x.Syntax = anchor.XHTML
	}
	if !s.hides() {
		x.Text(src[p:ascii.Next(src, p, '<')], s.templates())
	}
}

// templates returns 1 if the next text is in a template, and 0 if not; the number of templates does not matter.
func (s *scanner) templates() int {
	if n := len(s.open); n > 0 && s.open[n-1].template {
		return 1
	}
	return 0
}

func (s *scanner) hides() bool {
	n := len(s.open)
	if n == 0 {
		return false
	}
	name := s.src[s.open[n-1].name.Start:s.open[n-1].name.End]
	local := string(name[bytes.IndexByte(name, ':')+1:])
	return local == "script" || local == "style"
}
