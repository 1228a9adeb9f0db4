package extract

// special marks the links of the elements whose attributes depend on one another.
func (s *htmlScanner) special(e *element, name []byte) {
	if e.name == "object" || e.name == "applet" {
		s.object(e, name)
		return
	}
	s.links(e, name, 0)
	if e.name == "meta" {
		s.meta()
	} else {
		s.param()
	}
}

// param's value is a URL if its valuetype says so (HTML 4.01 13.3.2).
func (s *htmlScanner) param() {
	if a, ok := s.attr(attrValue); ok && s.keyword(attrValuetype, "ref") {
		s.f.Link(paramPlace, a.start, a.end, urlCodecs[a.quoting])
	}
}

// object marks an object or applet: its codebase is the base of what it loads (HTML
// 4.01 13.3.1 and 13.4), and of nothing else.
func (s *htmlScanner) object(e *element, name []byte) {
	a, ok := s.attr(attrCodebase)
	if !ok {
		s.links(e, name, 0)
		return
	}
	scope := s.f.Scope(0, e.place[attrCodebase], a.start, a.end, urlCodecs[a.quoting], "codebase")
	for _, a := range s.attrs[:s.count] {
		switch as := e.links[a.id]; {
		case as == noLink || as == asKeyword:
		case a.id == attrCodebase || as == asName || as == asStyle || a.id == attrItemid:
			s.link(a, as, e.place[a.id], 0)
		default:
			s.link(a, as, e.place[a.id], scope)
		}
	}
}

var (
	paramPlace = &Place{Name: "param@value"}
	metaPlace  = &Place{Name: "meta@content"}

	metaProperties = map[string]bool{} // whose content is a URL
	metaItemprops  = map[string]bool{}
)

func init() {
	for _, name := range fields("og:url og:image og:image:url og:image:secure_url og:audio og:audio:url og:audio:secure_url " +
		"og:video og:video:url og:video:secure_url og:see_also " +
		"twitter:url twitter:image twitter:image:src twitter:image0 twitter:image1 twitter:image2 twitter:image3 " +
		"twitter:player twitter:player:stream twitter:app:url:iphone twitter:app:url:ipad twitter:app:url:googleplay") {
		metaProperties[name] = true
	}
	for _, name := range fields("url image thumbnailurl contenturl embedurl logo sameas downloadurl installurl mainentityofpage " +
		"screenshot photo discussionurl") {
		metaItemprops[name] = true
	}
}

// meta marks what a meta element has in its content: a refresh, links or a base in the
// place of the header of that name, and with Extended the properties that are URLs.
func (s *htmlScanner) meta() {
	content, ok := s.attr(attrContent)
	if !ok {
		return
	}
	f, text, url := s.f, textCodecs[content.quoting], urlCodecs[content.quoting]
	if equiv := s.text(attrHTTPEquiv); equiv != nil {
		switch {
		case foldEqual(equiv, "refresh"):
			f.Inline(0, metaPlace, content.start, content.end, text, refresh)
		case foldEqual(equiv, "link"):
			f.Inline(0, metaPlace, content.start, content.end, text, linkHeader)
		case foldEqual(equiv, "content-base"):
			s.headerBase(content, "META http-equiv=content-base", &s.headed.contentBase)
		case foldEqual(equiv, "base"):
			s.headerBase(content, "META http-equiv=base", &s.headed.base)
		}
		return
	}
	if !f.Extended {
		return
	}
	var buf [64]byte
	for _, id := range [...]uint8{attrProperty, attrName} {
		if metaProperties[string(fold(buf[:0], s.text(id)))] {
			f.Link(metaPlace, content.start, content.end, url)
			return
		}
	}
	if metaItemprops[string(fold(buf[:0], s.text(attrItemprop)))] {
		f.Link(metaPlace, content.start, content.end, url)
	}
}

// headerBase takes a base that a meta element declares in the place of a header, the
// first of either name. The BASE element is asked before it.
func (s *htmlScanner) headerBase(a attr, by string, seen *bool) {
	if s.fragment || s.templates > 0 {
		return
	}
	refuse := ""
	if *seen {
		refuse = repeatedHeader
	}
	*seen = true
	s.f.Base(metaPlace, a.start, a.end, urlCodecs[a.quoting], declaration{by: by, refuse: refuse, after: true})
}
