package tree

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec/spell"
)

// Foreign content: the rules for SVG and MathML (HTML 13.2.6.5).

// Tag is a start tag.
type Tag struct {
	At     int    // the offset of the tag
	Name   []byte // with the case of the source, but without NUL
	Opened bool   // the element is a foreign element, and open; set by Open and Start

	attributes  []byte // the rest of the tag
	selfClosing bool
	rule        *rule
}

// NewTag returns the start tag at an offset. attributes is the tag after its name.
func NewTag(at int, name, attributes []byte, selfClosing bool) Tag {
	name = WithoutNUL(name)
	return Tag{At: at, Name: name, attributes: attributes, selfClosing: selfClosing, rule: ruleOf(name)}
}

// value returns the decoded value of an attribute, and reports whether the tag has the attribute.
func (t *Tag) value(name string) ([]byte, bool) {
	for p := 0; ; {
		a, end, ok := attr.Next(t.attributes, p)
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

// is reports whether the value of an attribute is word. It ignores case.
func (t *Tag) is(attribute, word string) bool {
	value, _ := t.value(attribute)
	return ascii.FoldEqual(value, word)
}

// Open opens a foreign element, unless its tag is self-closing.
func (s *Stack) Open(tag *Tag, ns Namespace) {
	if tag.selfClosing || len(*s) >= MaxOpen {
		return
	}
	el := Element{Name: tag.Name, NS: ns, Scope: s.Scope(), rule: tag.rule, point: tag.pointIn(ns)}
	if tag.rule.endsScope(ns) {
		el.class = special | bound | listBound | buttonBound
	}
	*s, tag.Opened = append(*s, el), true
}

// Start reads a start tag inside SVG or MathML. The stack must begin with the outermost svg or math, and its current node
// must be foreign. Start returns the namespace of the element, which may be HTML. known is false if the elements around the
// svg or math can matter: in an integration point. Then Start changes nothing, and only a Tree can read the tag.
func (s *Stack) Start(tag *Tag) (ns Namespace, known bool) {
	top := &(*s)[len(*s)-1]
	switch {
	case s.takes(tag):
		ns = top.NS
		s.Open(tag, ns)
		return ns, true
	case top.takesHTML(tag) || s.hasPoint():
		return HTML, false
	}
	*s = (*s)[:0]
	return HTML, true
}

// End reads an end tag inside SVG or MathML. As with Start, known is false if only a Tree can read the tag.
func (s *Stack) End(name []byte) (known bool) {
	if ascii.FoldEqual(name, "br") || ascii.FoldEqual(name, "p") {
		if s.hasPoint() {
			return false
		}
		*s = (*s)[:0]
		return true
	}
	i := s.match(WithoutNUL(name))
	if i >= 0 {
		*s = (*s)[:i]
	}
	return i >= 0
}

// takes reports whether a start tag inside foreign content is a foreign element.
func (s Stack) takes(tag *Tag) bool { return !s[len(s)-1].takesHTML(tag) && !tag.breaksOut() }

// takesHTML reports whether a start tag inside e is an HTML element because e is an integration point (13.2.6).
func (e *Element) takesHTML(tag *Tag) bool {
	switch e.point {
	case htmlPoint:
		return true
	case mathMLTextPoint:
		return tag.rule.name != "mglyph" && tag.rule.name != "malignmark"
	}
	return e.NS == MathML && e.rule.name == "annotation-xml" && tag.rule.name == "svg"
}

// breaksOut reports whether a tag ends foreign content.
func (t *Tag) breaksOut() bool {
	if t.rule.name != "font" {
		return t.rule.class&breakout != 0
	}
	for _, name := range []string{"color", "face", "size"} {
		if _, ok := t.value(name); ok {
			return true
		}
	}
	return false
}

// breakOut closes the foreign elements up to an integration point or an HTML element.
func (s *Stack) breakOut() {
	n := len(*s)
	for n > 0 && (*s)[n-1].NS != HTML && (*s)[n-1].point == noPoint {
		n--
	}
	*s = (*s)[:n]
}

// match returns the index of the foreign element that an end tag closes, or -1. No HTML element is open inside it.
func (s Stack) match(name []byte) int {
	for i := len(s) - 1; i >= 0 && s[i].NS != HTML; i-- {
		if ascii.FoldEqualBytes(s[i].Name, name) {
			return i
		}
	}
	return -1
}

// hasPoint reports whether an integration point is open.
func (s Stack) hasPoint() bool {
	for i := range s {
		if s[i].point != noPoint {
			return true
		}
	}
	return false
}

// pointIn returns the kind of integration point that the element of a tag is.
func (t *Tag) pointIn(ns Namespace) integration {
	switch t.rule.name {
	case "mi", "mo", "mn", "ms", "mtext":
		if ns == MathML {
			return mathMLTextPoint
		}
	case "foreignobject", "desc", "title":
		if ns == SVG {
			return htmlPoint
		}
	case "annotation-xml":
		if ns == MathML && (t.is("encoding", "text/html") || t.is("encoding", "application/xhtml+xml")) {
			return htmlPoint
		}
	}
	return noPoint
}

// endsScope reports whether a foreign element is in the special category, and ends a scope (13.2.4.2).
func (r *rule) endsScope(ns Namespace) bool {
	switch r.name {
	case "mi", "mo", "mn", "ms", "mtext", "annotation-xml":
		return ns == MathML
	case "foreignobject", "desc", "title":
		return ns == SVG
	}
	return false
}
