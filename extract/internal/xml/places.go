package xml

import (
	"bytes"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/css"
	"absolink/extract/internal/header"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mark"
)

// Where links stand in XML. Elements of XHTML, SVG and MathML have the places of html_places.go,
// by names whose case matters; all others have the attributes and the elements below.

// space is a namespace with elements or attributes that a table has.
type space uint8

const (
	spaceNone space = iota // no namespace
	spaceOther
	spaceXHTML
	spaceSVG
	spaceMathML
	spaceXLink
	spaceXSL
	spaceXInclude
	spaceRDF
	spaceAtom
	spaceRSS
	spaceOPML
	spaceContent
	spaceMedia
	spaceITunes
	spaceWFW
	spaceFeedburner
	spaceLicense
	spaceTrackback
	spaceSparkle
	spaceSitemap
	spaceImage
	spaceVideo
	spaceXSPF
	spaceCount

	firstFeedSpace = spaceAtom
)

// isPage says whether browsers show the elements of a namespace.
func (ns space) isPage() bool { return ns == spaceXHTML || ns == spaceSVG || ns == spaceMathML }

const xhtmlNamespace = "http://www.w3.org/1999/xhtml"

// spaces has the namespaces by their names. RSS has several, most of them of no
// standard, and 0.91 to 2.0 none at all.
var spaces = map[string]space{
	xhtmlNamespace:                                spaceXHTML,
	"http://www.w3.org/2000/svg":                  spaceSVG,
	"http://www.w3.org/1998/Math/MathML":          spaceMathML,
	"http://www.w3.org/1999/xlink":                spaceXLink,
	"http://www.w3.org/1999/XSL/Transform":        spaceXSL,
	"http://www.w3.org/2001/XInclude":             spaceXInclude,
	"http://www.w3.org/1999/02/22-rdf-syntax-ns#": spaceRDF,

	"http://www.w3.org/2005/Atom": spaceAtom,
	"http://purl.org/atom/ns#":    spaceAtom, // 0.3

	"http://purl.org/rss/1.0/":                              spaceRSS,
	"http://my.netscape.com/rdf/simple/0.9/":                spaceRSS,
	"http://channel.netscape.com/rdf/simple/0.9/":           spaceRSS,
	"http://purl.org/net/rss1.1#":                           spaceRSS,
	"http://backend.userland.com/rss2":                      spaceRSS,
	"http://blogs.law.harvard.edu/tech/rss":                 spaceRSS,
	"http://cyber.law.harvard.edu/rss/rss.html":             spaceRSS,
	"http://purl.org/rss/1.0/modules/content/":              spaceContent,
	"http://search.yahoo.com/mrss/":                         spaceMedia,
	"http://www.itunes.com/dtds/podcast-1.0.dtd":            spaceITunes,
	"http://wellformedweb.org/CommentAPI/":                  spaceWFW,
	"http://rssnamespace.org/feedburner/ext/1.0":            spaceFeedburner,
	"http://backend.userland.com/creativeCommonsRssModule":  spaceLicense,
	"http://madskills.com/public/xml/rss/module/trackback/": spaceTrackback,
	"http://www.andymatuschak.org/xml-namespaces/sparkle":   spaceSparkle,
	"http://www.sitemaps.org/schemas/sitemap/0.9":           spaceSitemap,
	"http://www.google.com/schemas/sitemap/0.84":            spaceSitemap,
	"http://www.google.com/schemas/sitemap-image/1.1":       spaceImage,
	"http://www.google.com/schemas/sitemap-video/1.1":       spaceVideo,
	"http://www.sitemaps.org/schemas/sitemap-image/1.1":     spaceImage,
	"http://www.sitemaps.org/schemas/sitemap-video/1.1":     spaceVideo,
	"http://xspf.org/ns/0/":                                 spaceXSPF,
}

// usualPrefixes are what prefixes mean that a document does not bind.
var usualPrefixes = map[string]space{
	"xhtml": spaceXHTML, "svg": spaceSVG, "xlink": spaceXLink, "xsl": spaceXSL, "rdf": spaceRDF, "atom": spaceAtom,
	"content": spaceContent, "media": spaceMedia, "itunes": spaceITunes, "wfw": spaceWFW, "feedburner": spaceFeedburner,
	"creativeCommons": spaceLicense, "trackback": spaceTrackback, "image": spaceImage, "video": spaceVideo,
}

// unnamedRoots tells by the name of a root without a namespace what other names without
// one mean: RSS and OPML have none, others should have one and do not always.
var unnamedRoots = map[string]space{
	"rss": spaceRSS, "channel": spaceRSS, "RDF": spaceRSS, "opml": spaceOPML,
	"feed": spaceAtom, "svg": spaceSVG, "urlset": spaceSitemap, "sitemapindex": spaceSitemap,
}

// rootTypes are the types of documents by the local names of their roots, for sniffing.
var rootTypes = map[string]string{
	"html": "application/xhtml+xml", "svg": "image/svg+xml", "feed": "application/atom+xml", "rss": "application/rss+xml",
	"RDF": "application/rdf+xml", "opml": "application/xml", "urlset": "application/xml", "sitemapindex": "application/xml",
}

// textKind says what the content of an element is.
type textKind uint8

const (
	noText        textKind = iota
	textURL                // one URL
	textHTML               // an HTML document, escaped or in CDATA sections
	textCSS                // a style sheet
	textPermalink          // a URL, unless isPermaLink="false" (RSS 2.0)
	textConstruct          // HTML if the type says so (RFC 4287 3.1 and 4.1.3; mode="escaped" and "base64" of Atom 0.3)
	textBase64             // an HTML document in base64 (Atom 0.3)
	textMedia              // HTML if the type is "html" (Media RSS)
)

// texts has the elements whose content is a link or a document. Atom's id should be
// absolute, and then it is not touched; a relative one is a link like others (RFC 4287 4.2.6
// has it an IRI, and no reference).
var texts = []struct {
	ns     space
	prefix string // in the names of nested documents
	as     textKind
	names  string
}{
	{spaceRSS, "", textURL, "link comments docs url"},
	{spaceRSS, "", textPermalink, "guid"},
	{spaceRSS, "", textHTML, "description"},
	{spaceContent, "content:", textHTML, "encoded"},
	{spaceAtom, "", textURL, "id icon logo uri url"},
	{spaceAtom, "", textConstruct, "content summary title subtitle rights tagline info copyright"},
	{spaceMedia, "media:", textMedia, "description text title"},
	{spaceITunes, "itunes:", textURL, "new-feed-url"},
	{spaceITunes, "itunes:", textHTML, "summary"},
	{spaceWFW, "wfw:", textURL, "comment commentRss commentRSS"},
	{spaceFeedburner, "feedburner:", textURL, "origLink origEnclosureLink"},
	{spaceLicense, "creativeCommons:", textURL, "license"},
	{spaceTrackback, "trackback:", textURL, "ping about"},
	{spaceSparkle, "sparkle:", textURL, "releaseNotesLink fullReleaseNotesLink"},
	{spaceOPML, "", textURL, "docs ownerId"},
	{spaceSitemap, "", textURL, "loc"},
	{spaceImage, "image:", textURL, "loc license"},
	{spaceVideo, "video:", textURL, "thumbnail_loc content_loc player_loc gallery_loc"},
	{spaceXSPF, "", textURL, "location info image link license"},
}

type textPlace struct {
	as    textKind
	place *mark.Place
}

var textsOf [spaceCount]map[string]textPlace

func init() {
	for _, row := range texts {
		if textsOf[row.ns] == nil {
			textsOf[row.ns] = map[string]textPlace{}
		}
		for _, name := range strings.Fields(row.names) {
			textsOf[row.ns][name] = textPlace{row.as, &mark.Place{Name: row.prefix + name}}
		}
	}
}

// root takes the name of the root element, which tells what kind of document this is.
func (s *scanner) root(ns space, name []byte) {
	s.rooted = true
	if ns == spaceNone {
		s.none = unnamedRoots[string(name)]
		ns = s.none
	} else if ns == s.element.space {
		switch string(name) {
		case "rss", "urlset", "sitemapindex": // of nothing else, whatever namespace they are put in
			ns = unnamedRoots[string(name)]
			s.element.space = ns
		}
	}
	s.page, s.style = ns.isPage(), ns == spaceXSL
	for i := range s.attrs {
		// A literal result element as stylesheet (XSLT 1.0, 2.3).
		if a := &s.attrs[i]; a.colon >= 0 && string(s.src[a.colon+1:a.nameEnd]) == "version" && s.bindingOf(s.src[a.name:a.colon]) == spaceXSL {
			s.page, s.style = false, true
		}
	}
}

// styleElement marks the links of an element of XSLT: what a stylesheet imports.
func (s *scanner) styleElement(name []byte) {
	for i := range s.attrs {
		switch a := &s.attrs[i]; string(s.src[a.name:a.nameEnd]) {
		case mark.XMLBase:
			s.baseLink(a.start, a.end, a.quoting)
		case "href":
			if string(name) == "import" || string(name) == "include" {
				s.link(a)
			}
		}
	}
}

// otherElement marks the links of an element that HTML's tables do not have.
func (s *scanner) otherElement(ns space, name []byte) {
	for i := range s.attrs {
		a := &s.attrs[i]
		if a.colon < 0 {
			switch string(s.src[a.name:a.nameEnd]) {
			case "href", "src", "url", "uri", "xmlUrl", "htmlUrl":
				if !s.noReference(ns, a) {
					s.link(a)
				}
			case "info": // video:uploader@info
				if ns == spaceVideo {
					s.link(a)
				}
			case "about", "resource":
				if ns == spaceRDF || ns == spaceRSS { // without the prefix of RDF, as in old RSS 1.0 (RDF/XML 6.1.4)
					s.link(a)
				}
			}
			continue
		}
		switch string(s.src[a.colon+1 : a.nameEnd]) {
		case "base":
			if string(s.src[a.name:a.colon]) == "xml" {
				s.baseLink(a.start, a.end, a.quoting)
			}
		case "href":
			if s.bindingOf(s.src[a.name:a.colon]) == spaceXLink {
				s.link(a)
			}
		case "about", "resource", "datatype", "type": // RDF/XML 2.2, 5.3 and 7.2.11
			if s.bindingOf(s.src[a.name:a.colon]) == spaceRDF {
				s.link(a)
			}
		}
	}
	if t, ok := textsOf[ns][string(name)]; ok {
		s.element.text, s.element.place = s.textKind(t.as), t.place
	}
}

// noReference says whether an attribute is empty where that is no reference to the base: in
// RSS and OPML there is no URL then, as in an empty element, and in XInclude (3.1) it means the
// document that it stands in.
func (s *scanner) noReference(ns space, a *attribute) bool {
	switch ns {
	case spaceRSS, spaceMedia, spaceITunes, spaceOPML, spaceXInclude:
		start, end := ascii.TrimSpace(s.src, a.start, a.end)
		return start == end
	}
	return false
}

// textKind settles what the attributes of the tag at hand say of its content.
func (s *scanner) textKind(as textKind) textKind {
	html, base64 := false, false
	switch as {
	case textPermalink:
		for _, a := range s.attrs { // in many feeds isPermalink, or "False"
			if ascii.FoldEqual(s.src[a.name:a.nameEnd], "ispermalink") && !ascii.FoldEqual(s.src[a.start:a.end], "true") {
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
		html = ascii.FoldEqual([]byte(t), "html") || mediaType == "text/html" || (base64 || mode == "escaped") && mediaType == "application/xhtml+xml"
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

// content takes the content of an element, up to its end tag.
func (s *scanner) content(el *element, end int) {
	src, start, m := s.src, el.start, s.m
	markup := ascii.Next(src[:end], start, '<') < end
	switch el.text {
	case textURL:
		start, end = ascii.TrimSpace(src, start, end)
		c := codec.XMLURLText
		if markup {
			c = codec.XMLURLContent
		}
		if !s.knownContent(codec.IsXMLReference, start, end) {
			return
		}
		// An element without content says nothing, unlike an empty attribute.
		if url, _ := c.Decode(src[start:end]); len(url) > 0 {
			m.LinkIn(el.scope, el.place, start, end, c)
		}
	case textHTML:
		c := codec.XMLText
		if markup {
			c = codec.XMLContent
		}
		if mayHoldTag(src[start:end]) && s.knownHTML(start, end) {
			m.Nested(el.scope, el.place, start, end, c, html.Format)
		}
	case textBase64:
		start, end = ascii.TrimSpace(src, start, end)
		c := codec.Base64
		if bytes.IndexByte(src[start:end], '\n') < 0 {
			c = codec.Base64Line // as it was
		}
		if !markup && start < end {
			m.Nested(el.scope, el.place, start, end, c, html.Format)
		}
	case textCSS:
		if s.knownContent(codec.IsXMLReference, start, end) {
			m.Inline(el.scope, el.place, start, end, codec.XMLContent, css.Format)
		}
	}
}

// mayHoldTag says whether text can hold a tag of HTML: whether a "<" is in it, but for that
// of one CDATA section, or a reference to one.
func mayHoldTag(text []byte) bool {
	return bytes.IndexByte(text, '<') != bytes.LastIndexByte(text, '<') || bytes.Contains(text, []byte("&lt;")) || bytes.Contains(text, []byte("&#"))
}

// pageElement marks the links of an element of XHTML, SVG or MathML by its tag.
func (s *scanner) pageElement(ns space, name []byte, tag codec.Span, how tagEnd) {
	h, e, start := s.html, html.AnyElement, s.element.name.End-len(name)
	switch ns {
	case spaceSVG:
		e = html.AnySVG
	case spaceMathML:
		e = html.AnyMathML
	default:
		if row := html.LookupElement(s.src, start, s.element.name.End); row.Name == string(name) {
			e = row
		}
	}
	h.Scope, h.Fragment, h.Tag, h.Filled = s.element.scope, !s.page || s.element.template, tag, false
	s.pageAttributes(e, ns)
	if e.Role == html.RoleBase && how != tagEmpty {
		h.Tag.End, h.Filled = s.endOfEmpty(tag.End)
	}
	if tag.Start > 0 && s.src[tag.Start-1] == '<' {
		h.Filled = true // not well-formed, and without the tag a "<" would begin another
	}
	if s.element.opaque {
		h.Count = 0
	}
	loaded := h.Scope
	if e.Role == html.RoleObject {
		loaded = h.Codebase(e)
	}
	for _, a := range h.Attrs[:h.Count] {
		switch {
		case a.ID == html.AttrXMLBase:
			s.baseLink(a.Start, a.End, a.Quoting)
		case a.ID == html.AttrXLinkHref && e.Links[a.ID] == html.NoLink:
			s.m.LinkIn(h.Scope, s.place(xlinkName), a.Start, a.End, html.URLCodecs[a.Quoting])
		case e.Role == html.RoleObject:
			h.ObjectAttribute(e, name, a, loaded)
		default:
			h.Attribute(e, name, a, h.Scope)
			if e.Links[a.ID] == html.AsKeyword {
				s.unlessKnown(a)
			}
		}
	}
	switch {
	case ns == spaceXHTML && string(name) == "template":
		s.element.template = true // its content is another document (HTML 4.12.3)
	case ns == spaceXHTML && string(name) == "script" && how != tagEmpty && h.Evident():
		h.Wombat(tag.End, ascii.Next(s.src, tag.End, '<'))
	case ns != spaceMathML && string(name) == "style":
		if t := s.text("type"); t == "" || ascii.FoldEqual([]byte(t), "text/css") {
			s.element.text, s.element.place = textCSS, html.StylePlace
		}
	}
}

// pageAttributes gives HTML's tables the attributes of the tag at hand that an element has.
// What a base governs that is not known is left alone: an element, or the whole document.
func (s *scanner) pageAttributes(e *html.Element, ns space) {
	h, wanted := s.html, e.Attrs.IDs
	if s.m.Extended && ns == spaceXHTML {
		wanted |= html.Extended.IDs
	}
	wanted |= 1<<html.AttrXMLBase | 1<<html.AttrXLinkHref
	h.Count = 0
	for i := range s.attrs {
		a, id := &s.attrs[i], -1
		switch name := s.src[a.name:a.nameEnd]; {
		case a.colon < 0 || string(name) == "xml:base":
			if id = html.LookupAttribute(s.src, a.name, a.nameEnd); id >= 0 && html.AttributeNames[id] != string(name) {
				id = -1
			}
		case string(s.src[a.colon+1:a.nameEnd]) == "href" && s.bindingOf(s.src[a.name:a.colon]) == spaceXLink:
			id = int(html.AttrXLinkHref)
		}
		if id < 0 || wanted>>id&1 == 0 {
			continue
		}
		switch as := e.Links[id]; {
		case id == int(html.AttrXMLBase), as == html.AsKeyword && e.Role != html.RoleBase:
		case as == html.AsDocument:
			if !s.knownHTML(a.start, a.end) {
				continue
			}
		case as == html.AsStyle && bytes.IndexByte(s.src[a.start:a.end], '(') < 0:
		case !s.known(a.start, a.end):
			switch {
			case e.Role == html.RoleBase && id == int(html.AttrHref) && !h.Fragment && !h.Based:
				s.m.Notes.Opaque = true
			case id == int(html.AttrCodebase):
				h.Count = 0
				return
			}
			continue
		}
		wanted &^= 1 << id
		h.Attrs[h.Count] = html.Attr{Start: a.start, End: a.end, ID: uint8(id), Quoting: a.quoting}
		h.Count++
	}
}

// unlessKnown takes back what was marked for an attribute that is a link or a base only by what
// others of its tag say, such as the content of a refresh, if its value is not known.
func (s *scanner) unlessKnown(a html.Attr) {
	at := s.m.LastAt(a.Start)
	if at == nil || s.known(a.Start, a.End) {
		return
	}
	s.m.Notes.Opaque = s.m.Notes.Opaque || at.Kind == mark.IsBase
	s.m.TakeBack()
}

// endOfEmpty is the index behind the end tag of the tag at hand, which ends at p, if nothing
// stands between them; and whether something does: then the tag alone cannot be taken out.
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

// link marks an attribute of the tag at hand that is a URL.
func (s *scanner) link(a *attribute) {
	if !s.element.opaque && s.known(a.start, a.end) {
		place := s.place(s.src[a.name:a.nameEnd])
		s.m.LinkIn(s.element.scope, place, a.start, a.end, html.URLCodecs[a.quoting])
	}
}

// baseLink marks an xml:base: that of the root element declares the base of the document,
// any other is a link in the scope around it, and made absolute like one.
func (s *scanner) baseLink(start, end int, q html.Quoting) {
	switch {
	case s.element.opaque:
	case s.first:
		s.m.Base(s.place(xmlBaseName), start, end, html.URLCodecs[q], s.baseDeclaration(start, end))
	case start < end:
		s.m.LinkIn(s.scope, s.place(xmlBaseName), start, end, html.URLCodecs[q])
	}
}

var xmlBaseName, xlinkName = []byte(mark.XMLBase), []byte("xlink:href")

// place names an attribute of the tag at hand.
func (s *scanner) place(attribute []byte) *mark.Place {
	var buf [64]byte
	name := append(append(append(buf[:0], s.src[s.element.name.Start:s.element.name.End]...), '@'), attribute...)
	if p := s.places[string(name)]; p != nil {
		return p
	}
	p := &mark.Place{Name: string(name)}
	if s.places == nil || len(s.places) > 10000 {
		s.places = map[string]*mark.Place{}
	}
	if len(name) < 256 {
		s.places[p.Name] = p
	}
	return p
}
