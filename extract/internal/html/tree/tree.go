package tree

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/spell"
)

// Tree is the state of the tree builder. The caller passes all tags, texts and doctypes of a page to it. After Reset a Tree
// is ready to use.
type Tree struct {
	open      Stack
	formats   []*format // the list of active formatting elements; nil is a marker
	mode      mode
	templates []mode // the stack of template insertion modes

	inText     bool // the element of the last start tag has text, and its end tag comes next
	framesetOK bool
	quirks     bool
	started    bool // a doctype does not count any more
	foster     bool // foster parenting is enabled
	framed     bool // a frameset counts
	fragment   bool
	body       int // the offset at which the body begins, or -1
	form       int32
	ids        int32 // the last id of an element
	base       int   // the offset of the first BASE element of the tree, or -1
}

// mode is an insertion mode (13.2.4.1).
type mode uint8

const (
	beforeHead mode = iota // or before that: "initial", "before html"
	headMode
	afterHead
	bodyMode
	tableMode
	captionMode
	columnGroupMode
	tableBodyMode
	rowMode
	cellMode
	templateMode
	afterBody
)

// Context is the kind of text that a Tree reads.
type Context uint8

const (
	Page     Context = iota
	Srcdoc           // of an iframe
	Fragment         // the content of a body
)

// Reset prepares t for a text. t keeps its buffers.
func (t *Tree) Reset(c Context) {
	rules() // t uses htmlRule before it reads a name
	clear(t.formats[:cap(t.formats)])
	*t = Tree{open: t.open[:0], formats: t.formats[:0], templates: t.templates[:0], framesetOK: true, quirks: c != Srcdoc, started: c != Page, body: -1, base: -1}
	t.imply(htmlRule)
	if c == Fragment {
		t.fragment, t.mode = true, bodyMode
	}
}

// Open returns the open elements. They are valid until the next tag or text.
func (t *Tree) Open() Stack { return t.open }

// Templates returns the number of open templates.
func (t *Tree) Templates() int { return len(t.templates) }

// Framed reports whether a frameset has replaced the body. body is the offset at which that body begins, or -1.
func (t *Tree) Framed() (body int, framed bool) { return t.body, t.framed }

// HasForeign reports whether a foreign element is open.
func (t *Tree) HasForeign() bool {
	for i := range t.open {
		if t.open[i].NS != HTML {
			return true
		}
	}
	return false
}

// Adopt copies the scopes and the style sheets of s to the innermost elements, which must be the elements of s.
func (t *Tree) Adopt(s Stack) {
	for i, n := 0, len(t.open)-len(s); n > 0 && i < len(s); i++ {
		t.open[n+i].Scope, t.open[n+i].CSS = s[i].Scope, s[i].CSS
	}
}

// Doctype reads the markup that begins with "<!doctype", in any case.
func (t *Tree) Doctype(markup []byte) {
	if !t.started {
		t.quirks, t.started = inQuirks(markup), true
	}
}

// Start reads a start tag. It returns the namespace of the element, and whether the tag counts. If the element has text
// (13.2.6.2), the next call must be End.
func (t *Tree) Start(tag *Tag) (ns Namespace, counts bool) {
	if t.open.Foreign() {
		if t.open.takes(tag) {
			ns = t.open[len(t.open)-1].NS
			t.open.Open(tag, ns)
			return ns, true
		}
		if !t.open[len(t.open)-1].takesHTML(tag) {
			t.open.breakOut()
		}
	}
	t.started = true
	if len(t.open) < MaxOpen-4 { // a start tag can imply three elements
		done := again
		for done == again {
			done = t.start(tag)
		}
		if done == ignored {
			return HTML, false
		}
	}
	t.inText = tag.rule.class&raw != 0
	switch tag.rule.start {
	case startSVG:
		return SVG, true
	case startMath:
		return MathML, true
	}
	return HTML, true
}

// outcome is what a mode has done with a token.
type outcome uint8

const (
	taken   outcome = iota
	again           // the mode has changed, and the new mode must read the token
	ignored         // of a start tag: no content of the element is text
)

// start reads the start tag of an HTML element, an svg or a math, by the rules of the insertion mode.
func (t *Tree) start(tag *Tag) outcome {
	switch t.mode {
	case beforeHead:
		return t.startBeforeHead(tag)
	case headMode:
		return t.startInHead(tag)
	case afterHead:
		return t.startAfterHead(tag)
	case tableMode:
		return t.startInTable(tag)
	case captionMode:
		return t.startInCaption(tag)
	case columnGroupMode:
		return t.startInColumnGroup(tag)
	case tableBodyMode:
		return t.startInTableBody(tag)
	case rowMode:
		return t.startInRow(tag)
	case cellMode:
		return t.startInCell(tag)
	case templateMode:
		return t.startInTemplate(tag)
	case afterBody:
		if tag.rule != htmlRule {
			t.mode = bodyMode
		}
	}
	return t.startInBody(tag)
}

// End reads the end tag at an offset.
func (t *Tree) End(name []byte, at int) {
	if t.inText {
		t.inText = false
		return
	}
	t.started = true
	name = WithoutNUL(name)
	r := ruleOf(name)
	if t.open.Foreign() {
		if r == brRule || r == pRule {
			t.open.breakOut()
		} else if i := t.open.match(name); i >= 0 {
			t.popTo(i)
			return
		}
	}
	for t.end(r, name, at) == again {
	}
}

// end reads an end tag by the rules of the insertion mode.
func (t *Tree) end(r *rule, name []byte, at int) outcome {
	switch t.mode {
	case beforeHead:
		return t.endBeforeHead(r)
	case headMode:
		return t.endInHead(r)
	case afterHead:
		return t.endAfterHead(r, at)
	case tableMode:
		return t.endInTable(r, name)
	case captionMode:
		return t.endInCaption(r, name)
	case columnGroupMode:
		return t.endInColumnGroup(r)
	case tableBodyMode:
		return t.endInTableBody(r, name)
	case rowMode:
		return t.endInRow(r, name)
	case cellMode:
		return t.endInCell(r, name)
	case templateMode:
		if r == templateRule {
			t.endTemplate()
		}
		return taken
	case afterBody:
		if r == htmlRule || r == bodyRule {
			return taken
		}
		t.mode = bodyMode
	}
	return t.endInBody(r, name)
}

// Text reads text at an offset. Character references in the text count, unless the text is in a CDATA section.
func (t *Tree) Text(text []byte, at int, section bool) {
	if len(text) == 0 || t.inText {
		return
	}
	c := charactersOf(text)
	if c&other != 0 && !section && bytes.IndexByte(text, '&') >= 0 { // "&#32;" is white space, too
		text, _ = spell.CharData.Decode(bytes.ReplaceAll(text, []byte{0}, nil))
		c = c&nul | charactersOf(text)
	}
	if c&(other|nul) != 0 {
		t.started = true
	}
	if t.open.Foreign() && t.open[len(t.open)-1].point == noPoint {
		t.framesetOK = t.framesetOK && c&other == 0
		return
	}
	for t.characters(c, at) == again {
	}
}

// characters is a set of kinds of characters.
type characters uint8

const (
	white characters = 1 << iota
	nul
	other
)

func charactersOf(text []byte) (c characters) {
	for _, b := range text {
		switch {
		case ascii.IsSpace(b):
			c |= white
		case b == 0:
			c |= nul
		default:
			c |= other
		}
	}
	return c
}

// characters reads text by the rules of the insertion mode.
func (t *Tree) characters(c characters, at int) outcome {
	switch t.mode {
	case beforeHead, headMode, afterHead:
		if c == white {
			return taken
		}
		t.implyBody(at)
	case columnGroupMode:
		if c == white {
			return taken
		}
		return t.leaveColumnGroup()
	case tableMode, tableBodyMode, rowMode:
		if r := t.open[len(t.open)-1].rule; c&other == 0 && (r.class&fosters != 0 || r == templateRule) {
			return taken
		}
		t.foster = true
		defer func() { t.foster = false }()
	case afterBody:
		if c != white {
			t.mode = bodyMode
		}
	}
	if c&(white|other) != 0 {
		t.reconstruct()
	}
	t.framesetOK = t.framesetOK && c&other == 0
	return taken
}

// push opens the element of a tag, and reports whether there is room for it.
func (t *Tree) push(tag *Tag) bool {
	return t.add(Element{Name: tag.Name, rule: tag.rule})
}

// imply opens an implied element.
func (t *Tree) imply(r *rule) { t.add(Element{rule: r}) }

func (t *Tree) add(el Element) bool {
	if len(t.open) >= MaxOpen {
		return false
	}
	t.ids++
	el.id, el.class, el.Scope, el.out = t.ids, el.rule.class, t.open.Scope(), t.fosterTable()
	t.open = append(t.open, el)
	return true
}

// popTo closes the i-th open element and all elements inside it.
func (t *Tree) popTo(i int) {
	for _, el := range t.open[i:] {
		if el.format != nil {
			el.format.open = false
		}
	}
	t.open = t.open[:i]
}

// inScope returns the index of the innermost element with a rule, or -1 if an element of the class ends the scope before it.
func (t *Tree) inScope(ends class, wanted ...*rule) int {
	for i := len(t.open) - 1; i >= 0; i-- {
		el := &t.open[i]
		for _, r := range wanted {
			if el.is(r) {
				return i
			}
		}
		if el.class&ends != 0 {
			return -1
		}
	}
	return -1
}

// closeInScope closes the innermost element with a rule, if it is in scope. It reports whether it is.
func (t *Tree) closeInScope(ends class, wanted *rule) bool {
	i := t.inScope(ends, wanted)
	if i >= 0 {
		t.popTo(i)
	}
	return i >= 0
}

// closeImplied closes elements whose end tags may be omitted, up to an element with the rule except (13.2.6.3).
func (t *Tree) closeImplied(except *rule) {
	n := len(t.open)
	for n > 0 && t.open[n-1].NS == HTML && t.open[n-1].class&implied != 0 && t.open[n-1].rule != except {
		n--
	}
	t.popTo(n)
}
