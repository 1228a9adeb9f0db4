package xml

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
)

// The elements of feeds, sitemaps, RDF and other XML: their attributes that are links.

// root reads the name of the root element, which determines the kind of the document.
func (s *scanner) root(ns space, name []byte) {
	s.rooted = true
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
	for i := range s.attrs {
		// A literal result element as stylesheet (XSLT 1.0, 2.3).
		if a := &s.attrs[i]; a.colon >= 0 && string(s.src[a.colon+1:a.nameEnd]) == "version" && s.bindingOf(s.src[a.name:a.colon]) == spaceXSL {
			s.shown, s.style = false, true
		}
	}
}

// otherElement marks the links of an element that is not in the tables of package html.
func (s *scanner) otherElement(ns space, name []byte) {
	for i := range s.attrs {
		a := &s.attrs[i]
		if i == s.base {
			s.baseLink(a)
		} else if a.colon < 0 && s.isLink(ns, a) || a.colon >= 0 && s.isPrefixedLink(a) {
			s.link(a, s.identifies(ns, name, a))
		}
	}
	if t, ok := s.texts[ns][string(name)]; ok {
		s.element.text, s.element.place = s.textKind(t.as), t.place
	}
}

// isLink reports whether an attribute without a prefix is a link.
func (s *scanner) isLink(ns space, a *attribute) bool {
	switch string(s.src[a.name:a.nameEnd]) {
	case "href", "src", "url", "uri", "xmlUrl", "htmlUrl":
		return !s.noReference(ns, a)
	case "info": // video:uploader@info
		return ns == spaceVideo
	case "about", "resource": // without the prefix of RDF, as in old RSS 1.0 (RDF/XML 6.1.4)
		return ns == spaceRDF || ns == spaceRSS
	}
	return false
}

// isPrefixedLink reports whether an attribute with a prefix is a link.
func (s *scanner) isPrefixedLink(a *attribute) bool {
	switch string(s.src[a.colon+1 : a.nameEnd]) {
	case "href":
		return s.bindingOf(s.src[a.name:a.colon]) == spaceXLink
	case "about", "resource", "datatype", "type": // RDF/XML 2.2, 5.3 and 7.2.11
		return s.bindingOf(s.src[a.name:a.colon]) == spaceRDF
	}
	return false
}

// noReference reports whether an attribute is empty and therefore not a link. In RSS and OPML, an empty attribute is not
// a URL. In XInclude (3.1), it refers to the document itself.
func (s *scanner) noReference(ns space, a *attribute) bool {
	switch ns {
	case spaceRSS, spaceMedia, spaceITunes, spaceOPML, spaceXInclude:
		start, end := ascii.TrimSpace(s.src, a.Start, a.End)
		return start == end
	}
	return false
}

// identifies reports whether an attribute has the URI by which a feed reader knows a channel or an item of RSS 1.0 again, or
// lists this URI in the channel (RSS 1.0, 5.3.5 and 5.5).
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

// link marks an attribute of the current tag that is a URL. If it is permanent, an absolute one does not change.
func (s *scanner) link(a *attribute, permanent bool) {
	if !s.element.opaque && s.known(a.Start, a.End) {
		place := s.place(s.src[a.name:a.nameEnd], permanent)
		s.m.LinkIn(s.element.scope, place, a.Start, a.End, a.Quoting.URL())
	}
}

// baseLink marks an xml:base. On the root element, it declares the base of the document. On any other element, it is a
// link in the scope around the element, so that rewriting makes it absolute.
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

// longestName is the number of bytes of the name of an element that are in a place. A tag may have many links, and each
// link has the name.
const longestName = 256

// place returns the place of an attribute of the current tag.
func (s *scanner) place(attribute []byte, permanent bool) *mark.Place {
	var buf [64]byte
	element := s.src[s.element.name.Start:min(s.element.name.End, s.element.name.Start+longestName)]
	name := append(append(append(buf[:0], element...), '@'), attribute...)
	key := name
	if permanent {
		key = append(name, ' ') // which no name has
	}
	if p := s.places[string(key)]; p != nil {
		return p
	}
	kept := string(key)
	p := &mark.Place{Name: kept[:len(name)], Permanent: permanent}
	if s.places == nil || len(s.places) > 10000 {
		s.places = map[string]*mark.Place{}
	}
	if len(attribute) < longestName {
		s.places[kept] = p
	}
	return p
}
