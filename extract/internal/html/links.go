package html

import (
	"bytes"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/css"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/mark"
)

// The links of HTML elements: links in attributes, links in raw text, and the declaration of a base.

// element marks the links of an HTML element whose tag is src[start:p]. It returns the index after the tag and the raw
// text of the element.
func (s *scanner) element(e *element, name []byte, start, p int) int {
	if s.count > 0 {
		if e.role == roleObject {
			s.object(e, name)
		} else {
			s.tag = codec.Span{Start: start, End: p}
			s.links(e, name, s.scope)
		}
	}
	switch {
	case e.role == roleTemplate:
		s.templates++
	case e.raw != notRaw:
		return s.raw(e, p)
	}
	return p
}

// links marks the links of the current tag.
func (s *scanner) links(e *element, name []byte, scope int32) {
	for _, a := range s.attrs[:s.count] {
		s.attribute(e, name, a, scope)
	}
}

// attribute marks the links of one attribute of the current tag.
func (s *scanner) attribute(e *element, name []byte, a attribute, scope int32) {
	as := e.links[a.id]
	if as == noLink && s.m.Extended && e != anySVG && e != anyMathML {
		as = extendedAs[a.id]
		if as == asURL && bytes.Contains(s.src[a.start:a.end], []byte("url(")) {
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
	s.link(a, as, place, scope)
}

// link marks one attribute that contains links. as is the way to read its value.
func (s *scanner) link(a attribute, as value, place *mark.Place, scope int32) {
	m, text := s.m, a.quoting.Text()
	switch as {
	case asURL, asOwnURL, asName:
		m.LinkIn(scope, place, a.start, a.end, a.quoting.URL())
	case asEarlyURL:
		if scope == 0 {
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
		// Without "(", and without a character reference, the value has no url().
		v := s.src[a.start:a.end]
		if bytes.IndexByte(v, '(') >= 0 || bytes.IndexByte(v, '&') >= 0 {
			m.Inline(scope, place, a.start, a.end, text, css.StyleAttribute)
		}
	case asDocument:
		m.Nested(scope, place, a.start, a.end, text, m.FormatOf("text/html"))
	}
}

var basePlace = &mark.Place{Name: "base@href"}

// base marks the href of a BASE element. Only the first BASE element with an href counts (HTML 4.2.3). It may be anywhere
// in the page, except in templates, noscript elements, SVG and MathML.
func (s *scanner) base(href attribute) {
	if s.fragment && s.noBase == "" || s.templates > 0 {
		return
	}
	if s.noBase != "" {
		s.m.Base(basePlace, href.start, href.end, href.quoting.URL(), mark.Declaration{By: mark.BaseElement, Refuse: s.noBase})
		return
	}
	refuse := ""
	if s.based {
		refuse = mark.RepeatedBase
	}
	s.based = true
	filled := s.filled || s.tag.Start > 0 && s.src[s.tag.Start-1] == '<' // without the tag, this "<" could begin a tag
	s.m.Base(basePlace, href.start, href.end, href.quoting.URL(),
		mark.Declaration{By: mark.BaseElement, Refuse: refuse, Element: codec.Span{Start: s.tag.Start - href.start, End: s.tag.End - href.end}, Filled: filled, Before: s.commentedBase()})
}
