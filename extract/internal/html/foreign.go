package html

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/css"
	"absolink/extract/internal/mark"
)

// Foreign content: SVG and MathML (HTML 13.2.6.5). Any element there may have an href, a title is not raw text, and a
// base declares nothing. The scanner keeps a stack of the open SVG and MathML elements, but no HTML elements. That is
// enough for the HTML inside them and for the start tags that end them, but not for the end tag of an element around
// them, as in <div><svg></div>.

// Namespace is a namespace whose elements browsers show.
type Namespace uint8

const (
	XHTML Namespace = iota // the elements of HTML
	SVG
	MathML
)

// foreign is an open SVG or MathML element.
type foreign struct {
	name  []byte // in the case of the source, with U+FFFD for NUL
	ns    Namespace
	point integration
	html  bool  // it has HTML elements inside
	css   bool  // its text is a style sheet
	scope int32 // the scope of the nearest xml:base, on this element or around it
}

// integration is the kind of an integration point, an element inside which tags are HTML (13.2.6.5).
type integration uint8

const (
	noPoint         integration = iota
	svgPoint                    // annotation-xml: only an svg inside is not MathML
	mathMLTextPoint             // mglyph and malignmark inside are MathML
	htmlPoint
)

// maxOpen limits the stack, and with it the time that an end tag takes. Elements beyond it are read as closed.
const maxOpen = 512

// inForeign reports whether the current node is an SVG or MathML element.
func (s *scanner) inForeign() bool {
	n := len(s.open)
	return n > 0 && !s.open[n-1].html
}

// foreignTag is startTag for a tag that may be SVG or MathML. Its name is src[start+1:p].
func (s *scanner) foreignTag(e *element, start, p int) int {
	src, name, attributes := s.src, s.src[start+1:p], p
	s.begin(name)
	p = s.attributes(p, allAttrs)
	if s.after = p; p < 0 {
		return len(src)
	}
	ns := s.namespace(e, name, src[attributes:p])
	s.scope = 0
	if n := len(s.open); n > 0 {
		s.scope = s.open[n-1].scope
		s.open[n-1].html = s.open[n-1].html || ns == XHTML
	}
	if ns == XHTML {
		return s.element(e, name, start, p)
	}
	s.foreignElement(ns, name, src[attributes:p])
	s.styleText(p)
	return p
}

// namespace returns the namespace of a start tag's element, after closing the elements that the tag ends.
func (s *scanner) namespace(e *element, name, attributes []byte) Namespace {
	var buf [16]byte
	folded := ascii.Fold(buf[:0], name)
	if n := len(s.open); n > 0 && !s.open[n-1].takesHTML(folded) {
		if !breaksOut(folded, attributes) {
			return s.open[n-1].ns
		}
		s.breakOut()
	}
	switch {
	case e.role != roleForeign:
		return XHTML
	case e.name == "math":
		return MathML
	}
	return SVG
}

// takesHTML reports whether a start tag inside f is read as outside of foreign content: as an HTML element, an svg or a
// math.
func (f *foreign) takesHTML(name []byte) bool {
	switch f.point {
	case svgPoint:
		return string(name) == "svg"
	case mathMLTextPoint:
		return string(name) != "mglyph" && string(name) != "malignmark"
	}
	return f.point == htmlPoint
}

func breaksOut(name, attributes []byte) bool {
	switch string(name) {
	case "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2",
		"h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre",
		"ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var":
		return true
	case "font":
		return has(attributes, "color") || has(attributes, "face") || has(attributes, "size")
	}
	return false
}

// breakOut closes the open elements up to the innermost integration point.
func (s *scanner) breakOut() {
	n := len(s.open)
	for n > 0 && s.open[n-1].point < mathMLTextPoint {
		n--
	}
	s.open = s.open[:n]
}

func pointOf(ns Namespace, name, attributes []byte) integration {
	var buf [16]byte
	switch folded := ascii.Fold(buf[:0], name); string(folded) {
	case "mi", "mo", "mn", "ms", "mtext":
		if ns == MathML {
			return mathMLTextPoint
		}
	case "foreignobject", "desc", "title":
		if ns == SVG {
			return htmlPoint
		}
	case "annotation-xml":
		encoding, _ := valueOf(attributes, "encoding")
		switch {
		case ns != MathML:
		case ascii.FoldEqual(encoding, "text/html"), ascii.FoldEqual(encoding, "application/xhtml+xml"):
			return htmlPoint
		default:
			return svgPoint
		}
	}
	return noPoint
}

// valueOf returns the decoded value of an attribute, which need not be in the tables.
func valueOf(attributes []byte, name string) (value []byte, ok bool) {
	for p := 0; ; {
		a, end, ok := attr.Next(attributes, p)
		if !ok {
			return nil, false
		}
		if ascii.FoldEqual(a.Name, name) {
			value, _ := spell.AttrDouble.Decode(a.Value)
			return value, true
		}
		p = end
	}
}

func has(attributes []byte, name string) bool {
	_, ok := valueOf(attributes, name)
	return ok
}

func (s *scanner) foreignElement(ns Namespace, name, attributes []byte) {
	e, scope := anySVG, s.scope
	if ns == MathML {
		e = anyMathML
	}
	if a, ok := s.attr(attrXMLBase); ok {
		place := s.placeOf(anySVG, name, attrXMLBase, asURL)
		scope = s.m.OpenScope(scope, place, a.start, a.end, a.quoting.URL(), mark.Declaration{By: mark.XMLBase})
	}
	s.links(e, name, scope)
	if s.selfClosing || len(s.open) >= maxOpen {
		return
	}
	isCSS := ns == SVG && ascii.FoldEqual(name, "style") && s.isCSS()
	s.open = append(s.open, foreign{name: withoutNUL(name), ns: ns, point: pointOf(ns, name, attributes), css: isCSS,
		scope: scope})
}

// foreignEnd reads an end tag inside SVG and MathML. An HTML element inside an integration point, for example an a, can
// have the name of an element around the point, so only </svg> and </math> close elements with HTML inside.
func (s *scanner) foreignEnd(name []byte) {
	if ascii.FoldEqual(name, "br") || ascii.FoldEqual(name, "p") {
		s.breakOut()
		return
	}
	name = withoutNUL(name)
	outermost := ascii.FoldEqual(name, "svg") || ascii.FoldEqual(name, "math")
	for i := len(s.open) - 1; i >= 0; i-- {
		if ascii.FoldEqualBytes(s.open[i].name, name) {
			s.open = s.open[:i]
			return
		}
		if s.open[i].html && !outermost {
			return
		}
	}
}

// withoutNUL replaces each NUL of a name by U+FFFD (13.2.5.8).
func withoutNUL(name []byte) []byte {
	if bytes.IndexByte(name, 0) < 0 {
		return name
	}
	return bytes.ReplaceAll(name, []byte{0}, []byte("\uFFFD"))
}

// styleText marks the text at p if it is in an SVG style element. The text ends at the next tag or comment; a "<" that
// opens neither belongs to it (HTML 13.2.5.6), as in "@media (width < 40em)".
func (s *scanner) styleText(p int) {
	if len(s.open) == 0 || !s.open[len(s.open)-1].css {
		return
	}
	end := ascii.Next(s.src, p, '<')
	for end < len(s.src) && !opensMarkup(s.src[end+1:]) {
		end = ascii.Next(s.src, end+1, '<')
	}
	s.foreignText(p, end, spell.CharData)
}

// opensMarkup reports whether a "<" before rest opens a tag or a comment (HTML 13.2.5.6).
func opensMarkup(rest []byte) bool {
	return len(rest) > 0 && (class[rest[0]]&letter != 0 || rest[0] == '/' || rest[0] == '!' || rest[0] == '?')
}

// foreignText marks src[start:end] as CSS if it is in an SVG style element.
func (s *scanner) foreignText(start, end int, c codec.Codec) {
	if top := &s.open[len(s.open)-1]; start < end && top.css {
		s.m.Inline(top.scope, stylePlace, start, end, c, css.Format)
	}
}
