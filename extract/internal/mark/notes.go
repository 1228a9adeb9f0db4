package mark

import (
	"sort"

	"absolink/extract/internal/codec"
)

// Notes are what a format has found besides regions.
type Notes struct {
	Faults   []Fault
	Breaks   []Break
	Menders  []Mender
	Evidence []Evidence
	Signed   []codec.Span // what a signature covers, in the order of the bytes

	// Opaque is set when the text declares a base that cannot be known: nothing in it is resolved.
	Opaque bool

	// Late is set when something that depends on the edits may stand before them: no edit is written before all of
	// them are known.
	Late bool
}

func (n *Notes) clear() {
	n.Faults, n.Breaks, n.Menders = n.Faults[:0], n.Breaks[:0], n.Menders[:0]
	n.Evidence, n.Signed = n.Evidence[:0], n.Signed[:0]
	n.Opaque, n.Late = false, false
}

// Fault is something wrong at an offset of a text. The engine makes a problem of it.
type Fault struct {
	Offset int
	Code   Code
	Detail string
}

// Fault notes something wrong at an offset of the text.
func (m *Marks) Fault(offset int, code Code, detail string) {
	m.Notes.Faults = append(m.Notes.Faults, Fault{Offset: offset, Code: code, Detail: detail})
}

// Break is a Fault that an edit of a region would cause.
type Break struct {
	Of codec.Span
	Fault
}

// Breaks notes what is no longer true if a region of the text is changed, such as a signature.
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
