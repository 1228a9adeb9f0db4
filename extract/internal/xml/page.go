package xml

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/css"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mark"
)

// The elements of XHTML, SVG, MathML and XSLT. The tables of package html have the places of XHTML, SVG and MathML.

// pageElement marks the links of an element of XHTML, SVG or MathML by its tag.
func (s *scanner) pageElement(ns space, name []byte, tag codec.Span, how tagEnd) {
	inner := !s.shown || s.element.template // the element belongs to another document than the page
	if len(s.attrs) > 0 {
		s.openPage(ns, name, tag, how, inner)
		if xlink, ok := s.pageAttributes(ns); ok && !s.element.opaque {
			s.pageLinks(xlink)
		}
	}
	switch {
	case ns == spaceXHTML && string(name) == "template":
		s.element.template = true // its content is another document (HTML 4.12.3)
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

// scriptData sets the format of the JSON of a script. It ignores a script with a src.
func (s *scanner) scriptData() {
	if format, place := html.ScriptData([]byte(s.text("type"))); format != nil {
		if _, external := s.attr("src"); !external {
			s.element.text, s.element.place, s.element.format = textInline, place, format
		}
	}
}

// openPage begins the current element in s.page.
func (s *scanner) openPage(ns space, name []byte, tag codec.Span, how tagEnd, inner bool) {
	end := s.element.name.End
	t := html.Tag{Span: tag, Name: codec.Span{Start: end - len(name), End: end}, Scope: s.element.scope, Fragment: inner}
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

// pageAttributes adds the attributes of the current tag to s.page, except attributes whose value cannot be read. xlink is
// the index of an xlink:href in XHTML, or -1: package html has no table for it. ok is false if the base of the links of
// the element cannot be read.
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

// pageLinks marks the links of the attributes of the current tag.
func (s *scanner) pageLinks(xlink int) {
	for i := range s.attrs {
		switch a := &s.attrs[i]; {
		case i == s.base:
			s.baseLink(a)
		case i == xlink:
			s.m.LinkIn(s.element.scope, s.place(xlinkName, false), a.Start, a.End, a.Quoting.URL())
		case s.page.Mark(i):
			s.unlessKnown(a)
		}
	}
}

// unlessKnown removes the mark of an attribute if the value cannot be read. It is for attributes that are a link or a
// base because of other attributes, such as the content of a refresh.
func (s *scanner) unlessKnown(a *attribute) {
	at := s.m.LastAt(a.Start)
	if at == nil || s.known(a.Start, a.End) {
		return
	}
	s.m.Notes.Opaque = s.m.Notes.Opaque || at.Kind == mark.IsBase
	s.m.TakeBack()
}

// endOfEmpty returns the offset after the end tag of the current element, if the element is empty. p is the offset after
// the start tag. filled reports whether the element has content. Then the start tag cannot be removed.
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

// styleElement marks the links of an element of XSLT: the stylesheets that it imports or includes.
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
