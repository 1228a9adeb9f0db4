package html

import (
	"bytes"

	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/css"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
)

// The links of HTML elements, in attributes and in raw text, and the declaration of a base.

// element marks the links of the HTML element whose tag is src[start:p], and returns the offset after the tag and its
// raw text.
func (s *scanner) element(e *element, name []byte, start, p int) int {
	if s.count > 0 || len(s.extra) > 0 {
		if e.role == roleObject {
			loaded := s.codebase(e)
			for _, a := range s.attrs[:s.count] {
				s.markAdded(a.start, s.scope)
				s.objectAttribute(e, name, a, loaded)
			}
			s.markAdded(p, s.scope)
		} else {
			s.tag = codec.Span{Start: start, End: p}
			s.links(e, name, s.scope)
		}
	}
	switch {
	case e.role == roleTemplate:
		s.templates++
	case e.role == roleNav && s.m.Local:
		s.navs++
	case e.raw != notRaw:
		return s.raw(e, p)
	}
	return p
}

func (s *scanner) links(e *element, name []byte, scope int32) {
	for _, a := range s.attrs[:s.count] {
		s.markAdded(a.start, scope)
		s.attribute(e, name, a, scope)
	}
	s.markAdded(len(s.src), scope)
}

func (s *scanner) attribute(e *element, name []byte, a attribute, scope int32) {
	as := e.links[a.id]
	if as == noLink && s.adding != nil {
		as = s.addedAs(a)
	}
	if as == noLink && e != anySVG && e != anyMathML {
		as = extendedAs[a.id]
		switch {
		case as == noLink:
		case !s.m.Extended:
			s.skip(a)
			return
		case as == asURL && bytes.Contains(s.src[a.start:a.end], []byte("url(")):
			as = asStyle // some scripts read the value as CSS
		}
	}
	if as == asKeyword {
		s.keywordLink(a)
	}
	if as == noLink || as == asKeyword {
		return
	}
	place := e.place[a.id]
	if place == nil {
		place = s.placeOf(e, name, a.id, as)
	}
	if place.Other != nil && (s.navs > 0 || !place.Hyperlink) {
		place = s.other(place)
	}
	s.link(a, as, place, scope)
}

var (
	relPublic     = ascii.Words("canonical amphtml alternate")
	relAlternate  = ascii.Words("alternate")
	relStylesheet = ascii.Words("stylesheet")
)

// other returns the place of the current tag with other rules, or place: see mark.Place.Other. At a hyperlink, the
// caller knows that a nav is open.
func (s *scanner) other(place *mark.Place) *mark.Place {
	for o := place.Other; o != nil; o = o.Other {
		if place.Hyperlink || o.Absolute && s.isPublic() || o.Served && s.m.Local && s.isServed() {
			return o
		}
	}
	return place
}

// isServed reports whether the current tag, a LINK or a SCRIPT, loads a file that browsers load only from a server.
func (s *scanner) isServed() bool {
	rel := s.text(attrRel)
	return ascii.FoldEqual(s.text(attrType), "module") ||
		(len(rel) == 0 || ascii.AnyOf(relStylesheet(), rel)) && has(s.src[s.tag.Start:s.tag.End], "crossorigin")
}

// skip notes an attribute that is only read with mark.Settings.Extended.
func (s *scanner) skip(a attribute) {
	kind := mark.Extended
	if scheme, _ := ascii.CutScheme(string(s.src[a.start:min(a.end, a.start+64)])); scheme != "" || a.start == a.end {
		kind = nil
	}
	s.m.Skip(kind, a.start, a.end)
}

// isPublic reports whether the current tag is a LINK that tells other programs the URL of the page or a translation.
func (s *scanner) isPublic() bool {
	rel := s.text(attrRel)
	return ascii.AnyOf(relPublic(), rel) && (!ascii.AnyOf(relAlternate(), rel) ||
		!ascii.AnyOf(relStylesheet(), rel) && has(s.src[s.tag.Start:s.tag.End], "hreflang"))
}

// link marks the links in one attribute, whose value is read as as.
func (s *scanner) link(a attribute, as value, place *mark.Place, scope int32) {
	m, text := s.m, a.quoting.Text()
	switch as {
	case asURL, asOwnURL, asName, asEarlyURL:
		if as == asEarlyURL && scope == 0 {
			scope = mark.Early
		}
		m.LinkIn(scope, place, a.start, a.end, a.quoting.URL())
	case asList:
		m.Inline(scope, place, a.start, a.end, text, grammar.URLList)
	case asCommaList:
		m.Inline(scope, place, a.start, a.end, text, grammar.CommaList)
	case asSrcset:
		m.Inline(scope, place, a.start, a.end, text, grammar.Srcset)
	case asStyle:
		// A url() needs a "(", which may be written as a character reference.
		v := s.src[a.start:a.end]
		if bytes.IndexByte(v, '(') >= 0 || bytes.IndexByte(v, '&') >= 0 {
			m.Inline(scope, place, a.start, a.end, text, css.StyleAttribute)
			m.Allowed(s.src, a.start, a.end, text)
		}
	case asDocument:
		m.Nested(scope, place, a.start, a.end, text, m.FormatOf("text/html"))
	}
}

var basePlace = &mark.Place{Name: "base@href"}

// base marks the href of a BASE element. The first one with an href applies, and the others are refused (HTML 4.2.3).
// It may be anywhere in the page except in templates, noscript elements, SVG and MathML.
func (s *scanner) base(href attribute) {
	if s.fragment && s.noBase == "" || s.templates > 0 {
		return
	}
	if s.noBase != "" {
		s.m.Base(basePlace, href.start, href.end, href.quoting.URL(),
			mark.Declaration{By: mark.BaseElement, Refuse: s.noBase})
		return
	}
	refuse := ""
	if s.based {
		refuse = mark.RepeatedBase
	}
	s.based = true
	filled := s.filled || s.tag.Start > 0 && s.src[s.tag.Start-1] == '<' || // without the tag, this "<" could begin one
		has(s.src[s.tag.Start:s.tag.End], "target") // of all links of the page
	s.m.Base(basePlace, href.start, href.end, href.quoting.URL(),
		mark.Declaration{By: mark.BaseElement, Refuse: refuse,
			Element: codec.Span{Start: s.tag.Start - href.start,
				End: s.tag.End - href.end}, Filled: filled, Before: s.commentedBase()})
}

// keywordLink marks an attribute whose meaning depends on the others of its tag.
func (s *scanner) keywordLink(a attribute) {
	switch {
	case a.id == attrHref:
		s.base(a)
	case a.id == attrContent:
		s.meta(a)
	case a.id == attrRel:
		s.relation()
	case a.id == attrScrapBook:
		if s.evident() {
			s.m.Evidence(saved.WebScrapBook, a.start, a.end, a.quoting.URL())
		}
	case a.id == attrValue && ascii.FoldEqual(s.text(attrValuetype), "ref"): // HTML 4.01 13.3.2
		s.m.LinkIn(s.scope, paramPlace, a.start, a.end, a.quoting.URL())
	}
}

// codebase returns the scope of the URLs that an object or applet loads, which is that of its codebase if it has one
// (HTML 4.01 13.3.1 and 13.4).
func (s *scanner) codebase(e *element) int32 {
	a, ok := s.attr(attrCodebase)
	if !ok {
		return s.scope
	}
	return s.m.OpenScope(s.scope, e.place[attrCodebase], a.start, a.end, a.quoting.URL(),
		mark.Declaration{By: "codebase"})
}

// objectAttribute marks the links of one attribute of an object or applet. The codebase completes only the URLs that
// the element loads, whose scope is loaded; the others stay in the scope of the element.
func (s *scanner) objectAttribute(e *element, name []byte, a attribute, loaded int32) {
	as, scope := e.links[a.id], s.scope
	if as != noLink && as != asName && as != asStyle && a.id != attrCodebase && a.id != attrItemid {
		scope = loaded
	}
	s.attribute(e, name, a, scope)
}

var (
	paramPlace = &mark.Place{Name: "param@value"}
	metaPlace  = &mark.Place{Name: "meta@content"}
	cardPlace  = &mark.Place{Name: "meta@content", Absolute: true}

	// These properties and itemprops have a URL as their content. Other programs read those of cards.
	cardProperties = ascii.Words("og:url og:image og:image:url og:image:secure_url og:audio og:audio:url " +
		"og:audio:secure_url og:video og:video:url og:video:secure_url og:see_also " +
		"twitter:url twitter:image twitter:image:src twitter:image0 twitter:image1 twitter:image2 twitter:image3 " +
		"twitter:player twitter:player:stream twitter:app:url:iphone twitter:app:url:ipad twitter:app:url:googleplay")
	metaProperties = ascii.Words("msapplication-tileimage msapplication-square70x70logo " +
		"msapplication-square150x150logo msapplication-wide310x150logo msapplication-square310x310logo " +
		"msapplication-config msapplication-starturl")
	metaItemprops = ascii.Words("url image thumbnailurl contenturl embedurl logo sameas downloadurl installurl " +
		"mainentityofpage screenshot photo discussionurl")
)

// meta marks the content of a meta element that replaces a header: a refresh, a Link header, or a base header. With
// mark.Settings.Extended it marks the properties with a URL as well.
func (s *scanner) meta(content attribute) {
	m, text := s.m, content.quoting.Text()
	switch equiv := s.text(attrHTTPEquiv); {
	case ascii.FoldEqual(equiv, "refresh"):
		m.Inline(s.scope, metaPlace, content.start, content.end, text, grammar.Refresh)
	case ascii.FoldEqual(equiv, "link"):
		m.Inline(s.scope, metaPlace, content.start, content.end, text, grammar.LinkHeader)
	case ascii.FoldEqual(equiv, "base"):
		s.headerBase(content, "META http-equiv=base", 1, &s.headed.base)
	case ascii.FoldEqual(equiv, "content-base"):
		s.headerBase(content, "META http-equiv=content-base", 2, &s.headed.contentBase)
	case ascii.FoldEqual(equiv, "content-security-policy"):
		policy, _ := text.Decode(s.src[content.start:content.end])
		m.Policy(policy)
	case s.evident() && ascii.FoldEqual(s.text(attrName), "savepage-url"):
		m.Evidence(saved.SavePageWE, content.start, content.end, content.quoting.URL())
	case ascii.FoldEqual(equiv, "content-type"): // never a link, so that no edit can declare a charset
	// msapplication-config is "none" where there is no file
	case ascii.FoldEqual(s.src[content.start:content.end], "none"):
	case m.Extended || m.Rewriting:
		property, name := s.text(attrProperty), s.text(attrName)
		place := metaPlace
		if ascii.AnyOf(cardProperties(), property) || ascii.AnyOf(cardProperties(), name) {
			place = cardPlace
		} else if !ascii.AnyOf(metaProperties(), property) && !ascii.AnyOf(metaProperties(), name) &&
			!ascii.AnyOf(metaItemprops(), s.text(attrItemprop)) {
			return
		}
		if !m.Extended {
			s.skip(content)
			return
		}
		m.LinkIn(s.scope, place, content.start, content.end, content.quoting.URL())
	}
}

// headerBase marks the base that a meta element declares instead of a header. It applies where a BASE element would,
// but BASE elements are tried first. Of the meta elements for one header, the first wins.
func (s *scanner) headerBase(a attribute, by string, after uint8, seen *bool) {
	if s.fragment || s.templates > 0 {
		return
	}
	refuse := ""
	if *seen {
		refuse = mark.RepeatedHeader
	}
	*seen = true
	s.m.Base(metaPlace, a.start, a.end, a.quoting.Text(),
		mark.Declaration{By: by, Refuse: refuse, After: after, Wrapped: true})
}

// describe adds the markup src[start:p] and the text after it to the index of anchor texts.
func (s *scanner) describe(start, p int) {
	m := anchor.Markup{Start: start, End: p, Tag: s.after, Empty: s.selfClosing, Templates: s.templates,
		Foreign: s.inForeign()}
	if m.Foreign {
		name := s.open[len(s.open)-1].name
		m.Hidden = ascii.FoldEqual(name, "style") || ascii.FoldEqual(name, "script")
	}
	s.index.HTML(s.src, &m)
}

var (
	importMapPlace   = &mark.Place{Name: "script[importmap]"}
	speculationPlace = &mark.Place{Name: "script[speculationrules]"}
	jsonLDPlace      = &mark.Place{Name: "script[ld+json]"}
)

func (s *scanner) scriptData(p, end int) {
	if format, place := ScriptData(s.text(attrType), s.m.Extended); format != nil {
		if _, external := s.attr(attrSrc); !external {
			s.m.Inline(s.scope, place, p, end, codec.Identity, format)
			s.m.Allowed(s.src, p, end, codec.Identity)
		}
	} else if IsJSONLD(s.text(attrType)) {
		s.m.Skip(mark.JSONLD, p, end)
	}
}

var blockPlace = &mark.Place{Name: "comment[wp]"}

// block marks the JSON of the comment src[start:end] if it begins a block of WordPress, whose content comes after it.
func (s *scanner) block(start, end int) {
	start, end = s.commentText(start+len("<!--"), end)
	if text := s.src[start:end]; bytes.HasPrefix(text, []byte("wp:")) {
		if from, to := bytes.IndexByte(text, '{'), bytes.LastIndexByte(text, '}'); 0 <= from && from < to {
			s.m.Inline(0, blockPlace, start+from, start+to+1, spell.Comment, grammar.Block)
		}
	}
}

// IsJSONLD reports whether a script element of this type contains JSON-LD.
func IsJSONLD(scriptType []byte) bool {
	return ascii.FoldEqual(ascii.Trimmed(scriptType), "application/ld+json")
}

// ScriptData returns the format of the JSON in a script element and the place of its links, or nil if no JSON with
// links has this type (HTML 4.12.1.1, "prepare the script element"). The caller must check that the script has no src,
// which would replace its content. JSON-LD needs extended, because only crawlers read it.
func ScriptData(scriptType []byte, extended bool) (*mark.Format, *mark.Place) {
	switch t := ascii.Trimmed(scriptType); {
	case ascii.FoldEqual(t, "importmap"):
		return grammar.ImportMap, importMapPlace
	case ascii.FoldEqual(t, "speculationrules"):
		return grammar.SpeculationRules, speculationPlace
	case extended && ascii.FoldEqual(t, "application/ld+json"):
		return grammar.JSONLD, jsonLDPlace
	}
	return nil, nil
}
