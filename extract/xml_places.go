package extract

import (
	"bytes"
	"strings"

	"absolink/extract/internal/codec"
)

// Where links stand in XML. Elements of XHTML, SVG and MathML have the places of html_places.go,
// by names whose case matters; all others have the attributes and the elements below.

// xmlSpace is a namespace with elements or attributes that a table has.
type xmlSpace uint8

const (
	spaceNone xmlSpace = iota // no namespace
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
func (ns xmlSpace) isPage() bool { return ns == spaceXHTML || ns == spaceSVG || ns == spaceMathML }

const xhtmlNamespace = "http://www.w3.org/1999/xhtml"

// xmlSpaces has the namespaces by their names. RSS has several, most of them of no
// standard, and 0.91 to 2.0 none at all.
var xmlSpaces = map[string]xmlSpace{
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
var usualPrefixes = map[string]xmlSpace{
	"xhtml": spaceXHTML, "svg": spaceSVG, "xlink": spaceXLink, "xsl": spaceXSL, "rdf": spaceRDF, "atom": spaceAtom,
	"content": spaceContent, "media": spaceMedia, "itunes": spaceITunes, "wfw": spaceWFW, "feedburner": spaceFeedburner,
	"creativeCommons": spaceLicense, "trackback": spaceTrackback, "image": spaceImage, "video": spaceVideo,
}

// unnamedRoots tells by the name of a root without a namespace what other names without
// one mean: RSS and OPML have none, others should have one and do not always.
var unnamedRoots = map[string]xmlSpace{
	"rss": spaceRSS, "channel": spaceRSS, "RDF": spaceRSS, "opml": spaceOPML,
	"feed": spaceAtom, "svg": spaceSVG, "urlset": spaceSitemap, "sitemapindex": spaceSitemap,
}

// xmlRoots are the types of documents by the local names of their roots, for sniffing.
var xmlRoots = map[string]string{
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

// xmlTexts has the elements whose content is a link or a document. Atom's id should be
// absolute, and then it is not touched; a relative one is a link like others (RFC 4287 4.2.6
// has it an IRI, and no reference).
var xmlTexts = []struct {
	ns     xmlSpace
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

type xmlTextPlace struct {
	as    textKind
	place *Place
}

var xmlTextsOf [spaceCount]map[string]xmlTextPlace

func init() {
	for _, row := range xmlTexts {
		if xmlTextsOf[row.ns] == nil {
			xmlTextsOf[row.ns] = map[string]xmlTextPlace{}
		}
		for _, name := range strings.Fields(row.names) {
			xmlTextsOf[row.ns][name] = xmlTextPlace{row.as, &Place{Name: row.prefix + name}}
		}
	}
}

// root takes the name of the root element, which tells what kind of document this is.
func (s *xmlScanner) root(ns xmlSpace, name []byte) {
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
func (s *xmlScanner) styleElement(name []byte) {
	for i := range s.attrs {
		switch a := &s.attrs[i]; string(s.src[a.name:a.nameEnd]) {
		case xmlBase:
			s.baseLink(a.start, a.end, a.quoting)
		case "href":
			if string(name) == "import" || string(name) == "include" {
				s.link(a)
			}
		}
	}
}

// otherElement marks the links of an element that HTML's tables do not have.
func (s *xmlScanner) otherElement(ns xmlSpace, name []byte) {
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
	if t, ok := xmlTextsOf[ns][string(name)]; ok {
		s.element.text, s.element.place = s.textKind(t.as), t.place
	}
}

// noReference says whether an attribute is empty where that is no reference to the base: in
// RSS and OPML there is no URL then, as in an empty element, and in XInclude (3.1) it means the
// document that it stands in.
func (s *xmlScanner) noReference(ns xmlSpace, a *xmlAttr) bool {
	switch ns {
	case spaceRSS, spaceMedia, spaceITunes, spaceOPML, spaceXInclude:
		start, end := trimSpace(s.src, a.start, a.end)
		return start == end
	}
	return false
}

// textKind settles what the attributes of the tag at hand say of its content.
func (s *xmlScanner) textKind(as textKind) textKind {
	html, base64 := false, false
	switch as {
	case textPermalink:
		for _, a := range s.attrs { // in many feeds isPermalink, or "False"
			if foldEqual(s.src[a.name:a.nameEnd], "ispermalink") && !foldEqual(s.src[a.start:a.end], "true") {
				return noText
			}
		}
		return textURL
	case textMedia:
		html = foldEqual([]byte(s.text("type")), "html")
	case textConstruct:
		t := s.text("type")
		mediaType, _ := mediaTypeOf([]byte(t))
		mode := s.text("mode")
		base64 = mode == "base64"
		html = foldEqual([]byte(t), "html") || mediaType == "text/html" || (base64 || mode == "escaped") && mediaType == "application/xhtml+xml"
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
func (s *xmlScanner) content(el *xmlElement, end int) {
	src, start, f := s.src, el.start, s.f
	markup := next(src[:end], start, '<') < end
	switch el.text {
	case textURL:
		start, end = trimSpace(src, start, end)
		c := codec.XMLURLText
		if markup {
			c = codec.XMLURLContent
		}
		if !s.knownContent(codec.IsXMLReference, start, end) {
			return
		}
		// An element without content says nothing, unlike an empty attribute.
		if url, _ := c.Decode(src[start:end]); len(url) > 0 {
			f.LinkIn(el.scope, el.place, start, end, c)
		}
	case textHTML:
		c := codec.XMLText
		if markup {
			c = codec.XMLContent
		}
		if mayHoldTag(src[start:end]) && s.knownHTML(start, end) {
			f.Nested(el.scope, el.place, start, end, c, HTML)
		}
	case textBase64:
		start, end = trimSpace(src, start, end)
		c := codec.Base64
		if bytes.IndexByte(src[start:end], '\n') < 0 {
			c = codec.Base64Line // as it was
		}
		if !markup && start < end {
			f.Nested(el.scope, el.place, start, end, c, HTML)
		}
	case textCSS:
		if s.knownContent(codec.IsXMLReference, start, end) {
			f.Inline(el.scope, el.place, start, end, codec.XMLContent, CSS)
		}
	}
}

// mayHoldTag says whether text can hold a tag of HTML: whether a "<" is in it, but for that
// of one CDATA section, or a reference to one.
func mayHoldTag(text []byte) bool {
	return bytes.IndexByte(text, '<') != bytes.LastIndexByte(text, '<') || bytes.Contains(text, []byte("&lt;")) || bytes.Contains(text, []byte("&#"))
}

// pageElement marks the links of an element of XHTML, SVG or MathML by its tag.
func (s *xmlScanner) pageElement(ns xmlSpace, name []byte, tag codec.Span, how tagEnd) {
	h, e, start := s.html, anyElement, s.element.name.End-len(name)
	switch ns {
	case spaceSVG:
		e = anySVG
	case spaceMathML:
		e = anyMathML
	default:
		if row := lookupElement(s.src, start, s.element.name.End); row.name == string(name) {
			e = row
		}
	}
	h.scope, h.fragment, h.tag, h.filled = s.element.scope, !s.page || s.element.template, tag, false
	s.pageAttributes(e, ns)
	if e.role == roleBase && how != tagEmpty {
		h.tag.End, h.filled = s.endOfEmpty(tag.End)
	}
	if tag.Start > 0 && s.src[tag.Start-1] == '<' {
		h.filled = true // not well-formed, and without the tag a "<" would begin another
	}
	if s.element.opaque {
		h.count = 0
	}
	loaded := h.scope
	if e.role == roleObject {
		loaded = h.codebase(e)
	}
	for _, a := range h.attrs[:h.count] {
		switch {
		case a.id == attrXMLBase:
			s.baseLink(a.start, a.end, a.quoting)
		case a.id == attrXLinkHref && e.links[a.id] == noLink:
			s.f.LinkIn(h.scope, s.place(xlinkName), a.start, a.end, urlCodecs[a.quoting])
		case e.role == roleObject:
			h.objectAttribute(e, name, a, loaded)
		default:
			h.attribute(e, name, a, h.scope)
			if e.links[a.id] == asKeyword {
				s.unlessKnown(a)
			}
		}
	}
	switch {
	case ns == spaceXHTML && string(name) == "template":
		s.element.template = true // its content is another document (HTML 4.12.3)
	case ns == spaceXHTML && string(name) == "script" && how != tagEmpty && h.evident():
		h.wombat(tag.End, next(s.src, tag.End, '<'))
	case ns != spaceMathML && string(name) == "style":
		if t := s.text("type"); t == "" || foldEqual([]byte(t), "text/css") {
			s.element.text, s.element.place = textCSS, stylePlace
		}
	}
}

// pageAttributes gives HTML's tables the attributes of the tag at hand that an element has.
// What a base governs that is not known is left alone: an element, or the whole document.
func (s *xmlScanner) pageAttributes(e *element, ns xmlSpace) {
	h, wanted := s.html, e.attrs.ids
	if s.f.Extended && ns == spaceXHTML {
		wanted |= extended.ids
	}
	wanted |= 1<<attrXMLBase | 1<<attrXLinkHref
	h.count = 0
	for i := range s.attrs {
		a, id := &s.attrs[i], -1
		switch name := s.src[a.name:a.nameEnd]; {
		case a.colon < 0 || string(name) == "xml:base":
			if id = lookupAttribute(s.src, a.name, a.nameEnd); id >= 0 && attributeNames[id] != string(name) {
				id = -1
			}
		case string(s.src[a.colon+1:a.nameEnd]) == "href" && s.bindingOf(s.src[a.name:a.colon]) == spaceXLink:
			id = int(attrXLinkHref)
		}
		if id < 0 || wanted>>id&1 == 0 {
			continue
		}
		switch as := e.links[id]; {
		case id == int(attrXMLBase), as == asKeyword && e.role != roleBase:
		case as == asDocument:
			if !s.knownHTML(a.start, a.end) {
				continue
			}
		case as == asStyle && bytes.IndexByte(s.src[a.start:a.end], '(') < 0:
		case !s.known(a.start, a.end):
			switch {
			case e.role == roleBase && id == int(attrHref) && !h.fragment && !h.based:
				s.f.opaque = true
			case id == int(attrCodebase):
				h.count = 0
				return
			}
			continue
		}
		wanted &^= 1 << id
		h.attrs[h.count] = attr{start: a.start, end: a.end, id: uint8(id), quoting: a.quoting}
		h.count++
	}
}

// unlessKnown takes back what was marked for an attribute that is a link or a base only by what
// others of its tag say, such as the content of a refresh, if its value is not known.
func (s *xmlScanner) unlessKnown(a attr) {
	last := len(s.f.found) - 1
	if last < 0 || s.f.found[last].start != a.start || s.known(a.start, a.end) {
		return
	}
	s.f.opaque = s.f.opaque || s.f.found[last].kind == isBase
	s.f.found = s.f.found[:last]
}

// endOfEmpty is the index behind the end tag of the tag at hand, which ends at p, if nothing
// stands between them; and whether something does: then the tag alone cannot be taken out.
func (s *xmlScanner) endOfEmpty(p int) (end int, filled bool) {
	src, name := s.src, s.src[s.element.name.Start:s.element.name.End]
	q := skipSpace(src, p)
	if rest, ok := bytes.CutPrefix(src[q:], []byte("</")); ok && bytes.HasPrefix(rest, name) {
		if q = skipSpace(src, q+2+len(name)); q < len(src) && src[q] == '>' {
			return q + 1, false
		}
	}
	return p, true
}

// link marks an attribute of the tag at hand that is a URL.
func (s *xmlScanner) link(a *xmlAttr) {
	if !s.element.opaque && s.known(a.start, a.end) {
		place := s.place(s.src[a.name:a.nameEnd])
		s.f.LinkIn(s.element.scope, place, a.start, a.end, urlCodecs[a.quoting])
	}
}

// baseLink marks an xml:base: that of the root element declares the base of the document,
// any other is a link in the scope around it, and made absolute like one.
func (s *xmlScanner) baseLink(start, end int, q quoting) {
	switch {
	case s.element.opaque:
	case s.first:
		s.f.Base(s.place(xmlBaseName), start, end, urlCodecs[q], s.baseDeclaration(start, end))
	case start < end:
		s.f.LinkIn(s.scope, s.place(xmlBaseName), start, end, urlCodecs[q])
	}
}

var xmlBaseName, xlinkName = []byte(xmlBase), []byte("xlink:href")

// place names an attribute of the tag at hand.
func (s *xmlScanner) place(attribute []byte) *Place {
	var buf [64]byte
	name := append(append(append(buf[:0], s.src[s.element.name.Start:s.element.name.End]...), '@'), attribute...)
	if p := s.places[string(name)]; p != nil {
		return p
	}
	p := &Place{Name: string(name)}
	if s.places == nil || len(s.places) > 10000 {
		s.places = map[string]*Place{}
	}
	if len(name) < 256 {
		s.places[p.Name] = p
	}
	return p
}
