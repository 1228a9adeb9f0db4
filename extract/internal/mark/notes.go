package mark

import (
	"sort"

	"absolink/extract/internal/codec"
)

// Notes are the findings of a format that are not marks.
type Notes struct {
	Faults   []Fault
	Breaks   []Break
	Menders  []Mender
	Evidence []Evidence
	Signed   []codec.Span // the signed regions, in the order of the bytes

	Redirects  []Redirect // before the response that the text is, the first one first
	redirected int        // the length of their URLs

	// Opaque is set when the text declares a base that cannot be known: nothing in it is resolved.
	Opaque bool

	// NeedsBase is set when the text has something relative that is no link and stays, such as a URL pattern.
	NeedsBase bool

	// Late is set when something that depends on the edits may stand before them. Then no edit is written before all
	// edits are known.
	Late bool
}

func (n *Notes) clear() {
	n.Faults, n.Breaks, n.Menders = n.Faults[:0], n.Breaks[:0], n.Menders[:0]
	n.Evidence, n.Signed = n.Evidence[:0], n.Signed[:0]
	n.Redirects, n.redirected = n.Redirects[:0], 0
	n.Opaque, n.NeedsBase, n.Late = false, false, false
}

// Fault is something wrong at an offset of a text. The engine reports it as a problem.
type Fault struct {
	Offset int
	Code   Code
	Detail string
	Read   bool // everything was read nevertheless, so the fault is a warning, whatever its code
}

// Fault adds a fault at an offset of the text.
func (m *Marks) Fault(offset int, code Code, detail string) {
	m.Notes.Faults = append(m.Notes.Faults, Fault{Offset: offset, Code: code, Detail: detail})
}

// Warn adds a fault at an offset of a text that was read nevertheless.
func (m *Marks) Warn(offset int, code Code, detail string) {
	m.Notes.Faults = append(m.Notes.Faults, Fault{Offset: offset, Code: code, Detail: detail, Read: true})
}

// Break is a Fault that an edit of a region would cause.
type Break struct {
	Of codec.Span
	Fault
}

// Breaks adds the fault that a change of a region of the text would cause, such as a broken signature.
func (m *Marks) Breaks(of codec.Span, offset int, code Code, detail string) {
	m.Notes.Breaks = append(m.Notes.Breaks, Break{of, Fault{Offset: offset, Code: code, Detail: detail}})
	m.Notes.Late = true
}

// Signed marks a region that a signature covers. Regions come in the order of the bytes.
func (m *Marks) Signed(start, end int) {
	m.Notes.Signed = append(m.Notes.Signed, codec.Span{Start: start, End: end})
}

// Covers reports whether a signature covers the text at an offset.
func (n *Notes) Covers(offset int) bool {
	i := sort.Search(len(n.Signed), func(i int) bool { return offset < n.Signed[i].End })
	return i < len(n.Signed) && n.Signed[i].Start <= offset
}
