package html

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
)

// keywordLink marks what the value of an attribute is by what the others of its tag say.
func (s *Scanner) keywordLink(a Attr) {
	switch {
	case a.ID == AttrHref:
		s.base(a)
	case a.ID == attrContent:
		s.meta(a)
	case a.ID == attrRel:
		s.relation()
	case a.ID == attrScrapBook:
		if s.Evident() {
			s.m.Evidence(saved.WebScrapBook, a.Start, a.End, URLCodecs[a.Quoting])
		}
	case a.ID == attrValue && s.keyword(attrValuetype, "ref"): // HTML 4.01 13.3.2
		s.m.LinkIn(s.Scope, paramPlace, a.Start, a.End, URLCodecs[a.Quoting])
	}
}

// object marks an object or applet.
func (s *Scanner) object(e *Element, name []byte) {
	loaded := s.Codebase(e)
	for _, a := range s.Attrs[:s.Count] {
		s.ObjectAttribute(e, name, a, loaded)
	}
}

// Codebase gives the scope of what an object or applet loads: that of its codebase (HTML 4.01
// 13.3.1 and 13.4), if it has one.
func (s *Scanner) Codebase(e *Element) int32 {
	a, ok := s.attr(AttrCodebase)
	if !ok {
		return s.Scope
	}
	return s.m.Scope(s.Scope, e.place[AttrCodebase], a.Start, a.End, URLCodecs[a.Quoting], mark.Declaration{By: "codebase"})
}

// ObjectAttribute marks the links of one attribute of an object or applet: the codebase is the base of what
// is loaded, and of nothing else.
func (s *Scanner) ObjectAttribute(e *Element, name []byte, a Attr, loaded int32) {
	switch as := e.Links[a.ID]; {
	case as == NoLink || as == asName || as == AsStyle || a.ID == AttrCodebase || a.ID == attrItemid:
		s.Attribute(e, name, a, s.Scope)
	default:
		s.Attribute(e, name, a, loaded)
	}
}

var (
	paramPlace = &mark.Place{Name: "param@value"}
	metaPlace  = &mark.Place{Name: "meta@content"}

	// Those whose content is a URL.
	metaProperties = ascii.Words("og:url og:image og:image:url og:image:secure_url og:audio og:audio:url og:audio:secure_url " +
		"og:video og:video:url og:video:secure_url og:see_also " +
		"twitter:url twitter:image twitter:image:src twitter:image0 twitter:image1 twitter:image2 twitter:image3 " +
		"twitter:player twitter:player:stream twitter:app:url:iphone twitter:app:url:ipad twitter:app:url:googleplay")
	metaItemprops = ascii.Words("url image thumbnailurl contenturl embedurl logo sameas downloadurl installurl mainentityofpage " +
		"screenshot photo discussionurl")
)

// meta marks what a meta element has in its content: a refresh, links or a base in the
// place of the header of that name, and with Extended the properties that are URLs.
func (s *Scanner) meta(content Attr) {
	m, text := s.m, TextCodecs[content.Quoting]
	switch equiv := s.text(attrHTTPEquiv); {
	case ascii.FoldEqual(equiv, "refresh"):
		m.Inline(s.Scope, metaPlace, content.Start, content.End, text, grammar.Refresh)
	case ascii.FoldEqual(equiv, "link"):
		m.Inline(s.Scope, metaPlace, content.Start, content.End, text, grammar.LinkHeader)
	case ascii.FoldEqual(equiv, "base"):
		s.headerBase(content, "META http-equiv=base", 1, &s.headed.base)
	case ascii.FoldEqual(equiv, "content-base"):
		s.headerBase(content, "META http-equiv=content-base", 2, &s.headed.contentBase)
	case s.Evident() && s.keyword(attrName, "savepage-url"):
		m.Evidence(saved.SavePageWE, content.Start, content.End, URLCodecs[content.Quoting])
	case m.Extended && (ascii.AnyOf(metaProperties, s.text(attrProperty)) || ascii.AnyOf(metaProperties, s.text(attrName)) || ascii.AnyOf(metaItemprops, s.text(attrItemprop))):
		m.LinkIn(s.Scope, metaPlace, content.Start, content.End, URLCodecs[content.Quoting])
	}
}

// headerBase takes a base that a meta element declares in the place of a header, the
// first of either name, where a BASE element would count, too. That is asked before it.
func (s *Scanner) headerBase(a Attr, by string, after uint8, seen *bool) {
	if s.Fragment || s.templates > 0 || s.framed {
		return
	}
	refuse := ""
	if *seen {
		refuse = mark.RepeatedHeader
	}
	*seen = true
	s.m.Base(metaPlace, a.Start, a.End, TextCodecs[a.Quoting], mark.Declaration{By: by, Refuse: refuse, After: after, Wrapped: true})
}
