package extract

// keywordLink marks what the value of an attribute is by what the others of its tag say.
func (s *htmlScanner) keywordLink(a attr) {
	switch {
	case a.id == attrHref:
		s.base(a)
	case a.id == attrContent:
		s.meta(a)
	case a.id == attrRel:
		s.relation()
	case a.id == attrScrapBook:
		if s.evident() {
			s.f.Evidence(webScrapBook, a.start, a.end, urlCodecs[a.quoting])
		}
	case a.id == attrValue && s.keyword(attrValuetype, "ref"): // HTML 4.01 13.3.2
		s.f.LinkIn(s.scope, paramPlace, a.start, a.end, urlCodecs[a.quoting])
	}
}

// object marks an object or applet.
func (s *htmlScanner) object(e *element, name []byte) {
	loaded := s.codebase(e)
	for _, a := range s.attrs[:s.count] {
		s.objectAttribute(e, name, a, loaded)
	}
}

// codebase gives the scope of what an object or applet loads: that of its codebase (HTML 4.01
// 13.3.1 and 13.4), if it has one.
func (s *htmlScanner) codebase(e *element) int32 {
	a, ok := s.attr(attrCodebase)
	if !ok {
		return s.scope
	}
	return s.f.Scope(s.scope, e.place[attrCodebase], a.start, a.end, urlCodecs[a.quoting], declaration{by: "codebase"})
}

// objectAttribute marks the links of one attribute of an object or applet: the codebase is the base of what
// is loaded, and of nothing else.
func (s *htmlScanner) objectAttribute(e *element, name []byte, a attr, loaded int32) {
	switch as := e.links[a.id]; {
	case as == noLink || as == asName || as == asStyle || a.id == attrCodebase || a.id == attrItemid:
		s.attribute(e, name, a, s.scope)
	default:
		s.attribute(e, name, a, loaded)
	}
}

var (
	paramPlace = &Place{Name: "param@value"}
	metaPlace  = &Place{Name: "meta@content"}

	// Those whose content is a URL.
	metaProperties = words("og:url og:image og:image:url og:image:secure_url og:audio og:audio:url og:audio:secure_url " +
		"og:video og:video:url og:video:secure_url og:see_also " +
		"twitter:url twitter:image twitter:image:src twitter:image0 twitter:image1 twitter:image2 twitter:image3 " +
		"twitter:player twitter:player:stream twitter:app:url:iphone twitter:app:url:ipad twitter:app:url:googleplay")
	metaItemprops = words("url image thumbnailurl contenturl embedurl logo sameas downloadurl installurl mainentityofpage " +
		"screenshot photo discussionurl")
)

// meta marks what a meta element has in its content: a refresh, links or a base in the
// place of the header of that name, and with Extended the properties that are URLs.
func (s *htmlScanner) meta(content attr) {
	f, text := s.f, textCodecs[content.quoting]
	switch equiv := s.text(attrHTTPEquiv); {
	case foldEqual(equiv, "refresh"):
		f.Inline(s.scope, metaPlace, content.start, content.end, text, refresh)
	case foldEqual(equiv, "link"):
		f.Inline(s.scope, metaPlace, content.start, content.end, text, linkHeader)
	case foldEqual(equiv, "base"):
		s.headerBase(content, "META http-equiv=base", 1, &s.headed.base)
	case foldEqual(equiv, "content-base"):
		s.headerBase(content, "META http-equiv=content-base", 2, &s.headed.contentBase)
	case s.evident() && s.keyword(attrName, "savepage-url"):
		f.Evidence(savePageWE, content.start, content.end, urlCodecs[content.quoting])
	case f.Extended && (anyOf(metaProperties, s.text(attrProperty)) || anyOf(metaProperties, s.text(attrName)) || anyOf(metaItemprops, s.text(attrItemprop))):
		f.LinkIn(s.scope, metaPlace, content.start, content.end, urlCodecs[content.quoting])
	}
}

// headerBase takes a base that a meta element declares in the place of a header, the
// first of either name, where a BASE element would count, too. That is asked before it.
func (s *htmlScanner) headerBase(a attr, by string, after uint8, seen *bool) {
	if s.fragment || s.templates > 0 || s.framed {
		return
	}
	refuse := ""
	if *seen {
		refuse = repeatedHeader
	}
	*seen = true
	s.f.Base(metaPlace, a.start, a.end, textCodecs[a.quoting], declaration{by: by, refuse: refuse, after: after, wrapped: true})
}
