package extract

import "absolink/extract/codec"

// Foreign content: what the tree builder's rules for SVG and MathML (HTML 13.2.6.5)
// change for links. It decides whether a tag is an HTML element or a foreign one: in
// SVG a title is not raw text, an href may stand on any element, and a base is none.

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
	ns    namespace
	point integration
	scope int32 // of xml:base, or the one around it
}

type namespace uint8

const (
	nsHTML namespace = iota
	nsSVG
	nsMathML
)

// integration says which of the points an element is (HTML 13.2.6.5): HTML stands in
// both kinds, but for two tags in MathML text.
type integration uint8

const (
	noPoint integration = iota
	htmlPoint
	mathMLTextPoint
)

// foreign says whether the adjusted current node is not an HTML element.
func (o foreignStack) foreign() bool { return len(o) > 0 && o[len(o)-1].ns != nsHTML }

// breakouts are the start tags that end foreign content. font does with one of three
// attributes.
var breakouts = map[string]bool{}

// voids have no content, so they are never open.
var voids = map[string]bool{}

func init() {
	for _, name := range fields("b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li " +
		"listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var") {
		breakouts[name] = true
	}
	for _, name := range fields("area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr") {
		voids[name] = true
	}
}

// foreignStart takes a start tag that opens foreign content or stands within an open
// svg or math. It gives true when that was all, false when the tag is an HTML element,
// for the caller to take.
func (s *htmlScanner) foreignStart(e *element, name []byte, end int) bool {
	var buf [32]byte
	folded := fold(buf[:0], name)
	if s.open.foreign() {
		top := s.open[len(s.open)-1]
		html := top.point == htmlPoint ||
			top.point == mathMLTextPoint && string(folded) != "mglyph" && string(folded) != "malignmark" ||
			top.ns == nsMathML && string(folded) == "svg" && foldEqual(top.name, "annotation-xml")
		if !html && (breakouts[string(folded)] || string(folded) == "font" && s.fontBreaksOut()) {
			s.breakOut()
			html = true
		}
		if !html {
			s.pushForeign(name, folded, top.ns, end)
			return true
		}
	}
	switch {
	case e.role == roleForeign:
		ns := nsSVG
		if string(folded) == "math" {
			ns = nsMathML
		}
		if len(s.open) == 0 {
			s.outermost = end
		}
		s.pushForeign(name, folded, ns, end)
		return true
	case len(s.open) > 0 && len(s.open) < maxOpen && !voids[string(folded)]:
		s.open = append(s.open, openElement{name: name})
	}
	return false
}

// pushForeign opens a foreign element and marks its links.
func (s *htmlScanner) pushForeign(name, folded []byte, ns namespace, end int) {
	el := openElement{name: name, ns: ns}
	if len(s.open) > 0 {
		el.scope = s.open[len(s.open)-1].scope
	}
	if a, ok := s.attr(attrXMLBase); ok {
		place := s.f.placeOf(anySVG, name, attrXMLBase, asURL)
		el.scope = s.f.Scope(el.scope, place, a.start, a.end, urlCodecs[a.quoting], "xml:base")
	}
	if ns == nsSVG {
		s.links(anySVG, name, el.scope)
	} else {
		s.links(anyMathML, name, el.scope)
	}
	if s.selfClosing || len(s.open) >= maxOpen {
		return
	}
	el.point = s.pointOf(folded, ns)
	s.open = append(s.open, el)
	if ns == nsSVG && string(folded) == "style" {
		s.foreignText(end, next(s.src, end, '<'), codec.CharData)
	}
}

// pointOf says whether an element is an integration point (HTML 13.2.6.5, "MathML text
// integration point" and "HTML integration point").
func (s *htmlScanner) pointOf(name []byte, ns namespace) integration {
	switch string(name) {
	case "mi", "mo", "mn", "ms", "mtext":
		if ns == nsMathML {
			return mathMLTextPoint
		}
	case "foreignobject", "desc", "title":
		if ns == nsSVG {
			return htmlPoint
		}
	case "annotation-xml":
		if ns == nsMathML && (s.keyword(attrEncoding, "text/html") || s.keyword(attrEncoding, "application/xhtml+xml")) {
			return htmlPoint
		}
	}
	return noPoint
}

// fontBreaksOut says whether a font tag has one of the attributes that tell HTML's font
// from SVG's.
func (s *htmlScanner) fontBreaksOut() bool {
	for _, id := range [...]uint8{attrColor, attrFace, attrSize} {
		if _, ok := s.attr(id); ok {
			return true
		}
	}
	return false
}

// breakOut closes foreign elements up to an integration point or HTML.
func (s *htmlScanner) breakOut() {
	for s.open.foreign() && s.open[len(s.open)-1].point == noPoint {
		s.open = s.open[:len(s.open)-1]
	}
}

// foreignText takes the text of an SVG style element: it is CSS.
func (s *htmlScanner) foreignText(start, end int, c codec.Codec) {
	if top := s.open[len(s.open)-1]; top.ns == nsSVG && foldEqual(top.name, "style") {
		s.f.Inline(top.scope, stylePlace, start, end, c, CSS)
	}
}

// foreignEnd takes an end tag within an open svg or math.
func (s *htmlScanner) foreignEnd(name []byte) {
	i := len(s.open) - 1
	if s.open[i].ns != nsHTML {
		if foldEqual(name, "br") || foldEqual(name, "p") {
			s.breakOut()
			return
		}
		for ; i >= 0 && s.open[i].ns != nsHTML; i-- {
			if foldEqualBytes(s.open[i].name, name) {
				s.open = s.open[:i]
				return
			}
		}
		// From here on the rules of HTML: an end tag does not reach through an
		// integration point, which ends every scope but those of tables and templates.
		if s.hasPoint(i+1) && !endsTable(name) {
			return
		}
	}
	template := foldEqual(name, "template")
	for ; i >= 0; i-- {
		if el := s.open[i]; el.ns == nsHTML && foldEqualBytes(el.name, name) {
			s.open = s.open[:i]
			if template {
				s.templates--
			}
			return
		} else if el.point != noPoint && !endsTable(name) {
			return
		}
	}
	if foldEqual(name, "body") || foldEqual(name, "html") {
		return // they close nothing: what is open stays open (13.2.6.4.7)
	}
	if s.openOutside(name) {
		s.open = s.open[:0]
		if template {
			s.templates--
		}
	}
}

// hasPoint says whether an integration point is among the open elements from i on.
func (s *htmlScanner) hasPoint(i int) bool {
	for _, el := range s.open[i:] {
		if el.point != noPoint {
			return true
		}
	}
	return false
}

// endsTable says whether an end tag is one whose scope only tables bound, or none.
func endsTable(name []byte) bool {
	var buf [32]byte
	switch string(fold(buf[:0], name)) {
	case "table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "template":
		return true
	}
	return false
}

// openOutside says whether an element of that name is open around the outermost svg or
// math. Only an end tag that matches nothing in foreign content asks, so the tags before
// it are counted when the first one does, and each once.
func (s *htmlScanner) openOutside(name []byte) bool {
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	for t := (tagReader{src: s.src[:s.outermost], p: s.counted}); t.next(); s.counted = t.p {
		var buf [32]byte
		folded := fold(buf[:0], t.name)
		switch {
		case !t.end && !voids[string(folded)]:
			s.counts[string(folded)]++
		case t.end && s.counts[string(folded)] > 0:
			s.counts[string(folded)]--
		}
	}
	var buf [32]byte
	return s.counts[string(fold(buf[:0], name))] > 0
}

// fold appends name to dst with its ASCII letters in lower case.
func fold(dst, name []byte) []byte {
	for _, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// foldEqualBytes says whether a and b are the same but for the case of ASCII letters.
func foldEqualBytes(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		if 'A' <= x && x <= 'Z' {
			x |= 0x20
		}
		if 'A' <= y && y <= 'Z' {
			y |= 0x20
		}
		if x != y {
			return false
		}
	}
	return true
}
