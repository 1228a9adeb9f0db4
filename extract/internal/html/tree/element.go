package tree

import "bytes"

// Namespace is a namespace whose elements browsers show.
type Namespace uint8

const (
	HTML Namespace = iota
	SVG
	MathML
)

// Element is an open element.
type Element struct {
	Name  []byte // with the case of the source, but without NUL; nil if the element is implied
	NS    Namespace
	Scope int32 // the scope of the nearest xml:base, on this element or around it
	CSS   bool  // its text is a style sheet

	point  integration
	rule   *rule
	class  class
	id     int32
	out    int32   // the id of the table that foster parenting moved this element before, or 0 (13.2.6.1)
	first  bool    // of a table: the first BASE element is inside; see order.go
	format *format // of a formatting element
}

// integration is the kind of integration point that an element is (HTML 13.2.6.5). The tags inside an integration point
// are HTML elements. The exceptions are mglyph and malignmark in a MathML text integration point.
type integration uint8

const (
	noPoint integration = iota
	htmlPoint
	mathMLTextPoint
)

// Stack is a stack of open elements (13.2.4.2).
type Stack []Element

// MaxOpen is the largest size of a Stack. It limits the time of an end tag, which searches the stack. An element that does
// not fit is read as closed.
const MaxOpen = 512

// Foreign reports whether the current node is not an HTML element.
func (s Stack) Foreign() bool { return len(s) > 0 && s[len(s)-1].NS != HTML }

// Scope returns the scope of the xml:base around the next tag (XML Base 4.2), or 0. HTML elements inside SVG and MathML
// have this scope, too.
func (s Stack) Scope() int32 {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].Scope
}

// is reports whether e is the HTML element that r is the rule of. r must not be otherRule.
func (e *Element) is(r *rule) bool { return e.rule == r && e.NS == HTML }

// WithoutNUL returns a name with U+FFFD in the place of each NUL (13.2.5.8).
func WithoutNUL(name []byte) []byte {
	if bytes.IndexByte(name, 0) < 0 {
		return name
	}
	return bytes.ReplaceAll(name, []byte{0}, []byte("\uFFFD"))
}
