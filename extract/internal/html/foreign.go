package html

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/css"
	"absolink/extract/internal/mark"
)

// Foreign content: the rules of the tree builder for SVG and MathML (HTML 13.2.6.5), as far as they change links. They
// decide whether a tag is an HTML element or a foreign one. In SVG a title is not raw text, an href may be on any
// element, and a base element declares nothing.

// foreignStack holds the open elements from the outermost svg or math on. It is empty
// almost always. HTML elements are on it only where they stand inside an integration
// point; there it follows start and end tags, and of the implied ones knows none, which
// changes nothing but where a later "</svg>" is ignored.
type foreignStack []openElement

// maxOpen bounds the stack, which an end tag of nothing walks to its bottom. Browsers
// have the same bound on the depth of a page.
const maxOpen = 512

type openElement struct {
	name  []byte // as spelled
	ns    Namespace
	point integration
	scope int32   // of xml:base, or the one around it
	css   bool    // its text is a style sheet
	class tagKind // of an HTML element
}

// integration says which of the points an element is (HTML 13.2.6.5): HTML stands in
// both kinds, but for two tags in MathML text.
type integration uint8

const (
	noPoint integration = iota
	htmlPoint
	mathMLTextPoint
)

// foreign reports whether the adjusted current node is not an HTML element.
func (o foreignStack) foreign() bool { return len(o) > 0 && o[len(o)-1].ns != XHTML }

// scope is that of an xml:base around what comes next (XML Base 4.2), which holds for HTML
// in svg and math as well.
func (o foreignStack) scope() int32 {
	if len(o) == 0 {
		return 0
	}
	return o[len(o)-1].scope
}

// foreignStart reads a start tag that opens foreign content or stands within an open
// svg or math. It returns true when that was all, false when the tag is an HTML element,
// for the caller to take.
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
		s.open = s.open[:0] // it closes the cell that the svg stands in (13.2.6.4.15)
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

// pointOf reports whether an element is an integration point (HTML 13.2.6.5, "MathML text
// integration point" and "HTML integration point").
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

// fontBreaksOut reports whether a font tag has one of the attributes that tell HTML's font
// from SVG's.
func (s *scanner) fontBreaksOut() bool {
	_, ok := s.attr(attrFont)
	return ok
}

// breakOut closes foreign elements up to an integration point or HTML.
func (s *scanner) breakOut() {
	for s.open.foreign() && s.open[len(s.open)-1].point == noPoint {
		s.open = s.open[:len(s.open)-1]
	}
}

// styleText marks the text at p if it is that of an SVG style element, all of it: a "<" that
// opens nothing is a letter (HTML 13.2.5.6), as in "@media (width < 40em)".
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

// opensMarkup reports whether what stands after a "<" makes it more than a letter.
func opensMarkup(rest []byte) bool {
	return len(rest) > 0 && (class[rest[0]]&letter != 0 || rest[0] == '/' || rest[0] == '!' || rest[0] == '?')
}

// foreignText marks the text of an SVG style element: it is CSS.
func (s *scanner) foreignText(start, end int, c codec.Codec) {
	if top := s.open[len(s.open)-1]; start < end && top.css && s.m != nil {
		s.m.Inline(top.scope, stylePlace, start, end, c, css.Format)
	}
}

// foreignEnd reads an end tag within an open svg or math.
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

// htmlEnd reads an end tag within an open svg or math by the rules of HTML. The open elements after the i-th are
// foreign. An end tag does not reach through an integration point, which ends every scope but those of tables and
// templates.
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
		return // they close nothing: what is open stays open (13.2.6.4.7)
	}
	if s.openOutside(folded) {
		s.closeTo(0, template)
	}
}

// closeTo closes the open elements from the i-th on, because of the end tag of a template or of another element.
func (s *scanner) closeTo(i int, template bool) {
	s.open = s.open[:i]
	if template {
		s.templates--
	}
}

// hasPoint reports whether one of the open elements from i on ends a scope: an integration
// point, or an annotation-xml that is none.
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

// foreignLeft notes the end of foreign content before the tag at p, which may have closed the outermost svg or math.
func (s *scanner) foreignLeft(p int) {
	if len(s.open) == 0 {
		s.around.foreign = append(s.around.foreign, p)
	}
}

// openOutside reports whether an end tag closes an element around the outermost svg or
// math. Only one that matches nothing in foreign content asks, so the tags before it
// are read when the first one does, and each once; not those in an svg or math before,
// where nothing is open any more.
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
