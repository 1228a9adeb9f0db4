package html

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/css"
	"absolink/extract/internal/mark"
)

// Foreign content: the rules of the tree builder for SVG and MathML (HTML 13.2.6.5) that change links. They decide
// whether a tag is an HTML element or a foreign element. For example, any SVG element may have an href. A title in SVG is
// not raw text, and a base element in SVG does not declare a base.

// foreignStack is the stack of open elements from the outermost svg or math. On most pages it is always empty. It has
// HTML elements only inside an integration point. It follows the tags in the source, but no implied tags. The only
// effect is on whether a later "</svg>" is ignored.
type foreignStack []openElement

// maxOpen is the largest size of the stack. It limits the time of an end tag without a start tag, which searches the
// whole stack. Browsers have the same limit for the depth of a page.
const maxOpen = 512

type openElement struct {
	name  []byte // with the case of the source
	ns    Namespace
	point integration
	scope int32   // the scope of the nearest xml:base, on this element or around it
	css   bool    // its text is a style sheet
	class tagKind // of an HTML element
}

// integration is the kind of integration point that an element is (HTML 13.2.6.5). The tags inside an integration point
// are HTML elements. The exceptions are mglyph and malignmark in a MathML text integration point.
type integration uint8

const (
	noPoint integration = iota
	htmlPoint
	mathMLTextPoint
)

// foreign reports whether the adjusted current node is not an HTML element.
func (o foreignStack) foreign() bool { return len(o) > 0 && o[len(o)-1].ns != XHTML }

// scope returns the scope of the xml:base around the next tag (XML Base 4.2), or 0. HTML elements inside svg and math
// have this scope, too.
func (o foreignStack) scope() int32 {
	if len(o) == 0 {
		return 0
	}
	return o[len(o)-1].scope
}

// foreignStart reads the start tag of an svg or math, or a start tag inside an open svg or math. It reports whether the
// tag is a foreign element. If it returns false, the tag is an HTML element, and the caller must read it.
func (s *scanner) foreignStart(e *element, name []byte, end int) bool {
	var buf [32]byte
	folded := ascii.Fold(buf[:0], name)
	if s.open.foreign() {
		top := s.open[len(s.open)-1]
		html := top.point == htmlPoint ||
			top.point == mathMLTextPoint && string(folded) != "mglyph" && string(folded) != "malignmark" ||
			top.ns == MathML && string(folded) == "svg" && ascii.FoldEqual(top.name, "annotation-xml")
		if !html && (tagClass[string(folded)]&breakout != 0 || string(folded) == "font" && s.fontBreaksOut()) {
			s.breakOut()
			html = true
		}
		if !html {
			s.pushForeign(name, folded, top.ns, end)
			return true
		}
	}
	if len(s.open) > 0 && tagClass[string(folded)]&tableStart != 0 && !s.hasTable() && s.openOutside([]byte("table")) {
		s.open = s.open[:0] // the tag closes the table cell around the svg (13.2.6.4.15)
	}
	switch {
	case e.role == roleForeign:
		ns := SVG
		if string(folded) == "math" {
			ns = MathML
		}
		outermost := len(s.open) == 0
		s.pushForeign(name, folded, ns, end)
		if outermost && len(s.open) > 0 {
			s.around.foreign = append(s.around.foreign, end)
		}
		return true
	case len(s.open) > 0 && len(s.open) < maxOpen && tagClass[string(folded)]&(void|ignored) == 0:
		s.open = append(s.open, openElement{name: name, scope: s.open.scope(), class: tagClass[string(folded)]})
	}
	return false
}

// pushForeign opens a foreign element and marks its links.
func (s *scanner) pushForeign(name, folded []byte, ns Namespace, end int) {
	el := openElement{name: name, ns: ns, scope: s.open.scope()}
	if a, ok := s.attr(attrXMLBase); ok {
		place := s.placeOf(anySVG, name, attrXMLBase, asURL)
		el.scope = s.m.Scope(el.scope, place, a.start, a.end, a.quoting.URL(), mark.Declaration{By: mark.XMLBase})
	}
	if ns == SVG {
		s.links(anySVG, name, el.scope)
	} else {
		s.links(anyMathML, name, el.scope)
	}
	if s.selfClosing || len(s.open) >= maxOpen {
		s.styleText(end)
		return
	}
	el.point = s.pointOf(folded, ns)
	el.css = ns == SVG && string(folded) == "style" && s.isCSS()
	s.open = append(s.open, el)
	s.styleText(end)
}

// pointOf returns the kind of integration point that an element is (HTML 13.2.6.5, "MathML text integration point" and
// "HTML integration point"). name is in lower case.
func (s *scanner) pointOf(name []byte, ns Namespace) integration {
	switch string(name) {
	case "mi", "mo", "mn", "ms", "mtext":
		if ns == MathML {
			return mathMLTextPoint
		}
	case "foreignobject", "desc", "title":
		if ns == SVG {
			return htmlPoint
		}
	case "annotation-xml":
		if ns == MathML && (s.keyword(attrEncoding, "text/html") || s.keyword(attrEncoding, "application/xhtml+xml")) {
			return htmlPoint
		}
	}
	return noPoint
}

// fontBreaksOut reports whether the current font tag has a color, face or size (13.2.6.5). Then it is the font element
// of HTML, not that of SVG.
func (s *scanner) fontBreaksOut() bool {
	_, ok := s.attr(attrFont)
	return ok
}

// breakOut closes the open foreign elements up to an integration point or an HTML element.
func (s *scanner) breakOut() {
	for s.open.foreign() && s.open[len(s.open)-1].point == noPoint {
		s.open = s.open[:len(s.open)-1]
	}
}

// styleText marks the text at p if it is in an SVG style element. The text ends at the next tag or comment. A "<" that
// opens neither is a character of the text (HTML 13.2.5.6), as in "@media (width < 40em)".
func (s *scanner) styleText(p int) {
	if len(s.open) == 0 || !s.open[len(s.open)-1].css {
		return
	}
	end := ascii.Next(s.src, p, '<')
	for end < len(s.src) && !opensMarkup(s.src[end+1:]) {
		end = ascii.Next(s.src, end+1, '<')
	}
	s.foreignText(p, end, codec.CharData)
}

// opensMarkup reports whether a "<" before rest opens a tag or a comment (HTML 13.2.5.6).
func opensMarkup(rest []byte) bool {
	return len(rest) > 0 && (class[rest[0]]&letter != 0 || rest[0] == '/' || rest[0] == '!' || rest[0] == '?')
}

// foreignText marks src[start:end] as CSS if the innermost open element is an SVG style element.
func (s *scanner) foreignText(start, end int, c codec.Codec) {
	if top := s.open[len(s.open)-1]; start < end && top.css && s.m != nil {
		s.m.Inline(top.scope, stylePlace, start, end, c, css.Format)
	}
}

// foreignEnd reads an end tag inside an open svg or math.
func (s *scanner) foreignEnd(name []byte) {
	i := len(s.open) - 1
	if s.open.foreign() {
		if ascii.FoldEqual(name, "br") || ascii.FoldEqual(name, "p") {
			s.breakOut()
			return
		}
		for ; i >= 0 && s.open[i].ns != XHTML; i-- {
			if ascii.FoldEqualBytes(s.open[i].name, name) {
				s.open = s.open[:i]
				return
			}
		}
	}
	s.htmlEnd(name, i)
}

// htmlEnd reads an end tag inside an open svg or math by the rules of HTML. The open elements after the i-th are
// foreign. An integration point ends all scopes except the scopes of tables and templates. So an end tag cannot close an
// element outside an integration point, except a part of a table or a template.
func (s *scanner) htmlEnd(name []byte, i int) {
	var buf [32]byte
	folded := ascii.Fold(buf[:0], name)
	template, stop := string(folded) == "template", endTagStop(folded)
	reaches := template || tagClass[string(folded)]&tablePart != 0
	if !reaches && s.hasPoint(i+1) {
		return
	}
	for ; i >= 0; i-- {
		el := s.open[i]
		if el.ns == XHTML && ascii.FoldEqualBytes(el.name, name) {
			s.closeTo(i, template)
			return
		}
		if !reaches && el.point != noPoint || el.class&stop != 0 {
			return
		}
	}
	if string(folded) == "body" || string(folded) == "html" {
		return // these end tags close no elements (13.2.6.4.7)
	}
	if s.openOutside(folded) {
		s.closeTo(0, template)
	}
}

// closeTo closes the open elements from the i-th on. template is true at the end tag of a template.
func (s *scanner) closeTo(i int, template bool) {
	s.open = s.open[:i]
	if template {
		s.templates--
	}
}

// hasPoint reports whether any open element from the i-th on ends a scope. Integration points end a scope. An
// annotation-xml always ends a scope.
func (s *scanner) hasPoint(i int) bool {
	for _, el := range s.open[i:] {
		if el.point != noPoint || el.ns == MathML && ascii.FoldEqual(el.name, "annotation-xml") {
			return true
		}
	}
	return false
}

// hasTable reports whether a table is among the open elements.
func (s *scanner) hasTable() bool {
	for _, el := range s.open {
		if el.ns == XHTML && ascii.FoldEqual(el.name, "table") {
			return true
		}
	}
	return false
}

// foreignLeft records the end of foreign content at p, if the tag at p has closed the outermost svg or math.
func (s *scanner) foreignLeft(p int) {
	if len(s.open) == 0 {
		s.around.foreign = append(s.around.foreign, p)
	}
}

// openOutside reports whether an end tag closes an element around the outermost svg or math. It is called only for an
// end tag that matches no element of the stack, which is rare. Then it reads the tags before the svg or math that are
// not yet read. It skips the tags inside earlier svg and math elements, because these elements are closed.
func (s *scanner) openOutside(name []byte) bool {
	for a := &s.around; ; a.read, a.foreign = a.foreign[1], a.foreign[2:] {
		for t := (tagReader{src: s.src[:a.foreign[0]], p: a.read}); t.next(); {
			var buf [32]byte
			a.take(ascii.Fold(buf[:0], t.name), t.end)
		}
		if a.read = a.foreign[0]; len(a.foreign) == 1 {
			return a.find(name) >= 0
		}
	}
}
