package mark

import (
	"iter"
	"sort"

	"absolink/extract/internal/codec"
)

// Notes are the findings of a format that are not marks.
type Notes struct {
	Faults   []Fault
	Unread   []UnreadCount
	Breaks   []Fault  // see Marks.Breaks
	Menders  []Mender // see Mends
	Checks   []Check
	Evidence []Evidence
	Signed   []codec.Span // the signed regions, in the order of the bytes
	Guards   Guards

	Redirects  []Redirect // the redirects before the response, in the order of the bytes
	redirected int        // the number of bytes of all URLs in Redirects

	// Opaque is set when the text declares a base whose value cannot be read. Then no link in the text is resolved.
	Opaque bool

	// Files are the names of all files of an archive of files, or nil.
	Files iter.Seq[string]

	// NeedsBase is set when the text has a relative reference that is not a link, such as a URL pattern. It stays
	// relative, so the text must keep its base.
	NeedsBase bool

	// Sealed is the reason why no part of the text is rewritten, or "". See Seal.
	Sealed string

	Full   bool // the text has more marks than MaxMarks
	FullAt int  // the offset of the first mark that was dropped
}

func (n *Notes) clear() {
	n.Faults, n.Breaks, n.Menders = n.Faults[:0], n.Breaks[:0], n.Menders[:0]
	n.Checks = n.Checks[:0]
	n.Evidence, n.Signed, n.Unread = n.Evidence[:0], n.Signed[:0], n.Unread[:0]
	n.Guards.clear()
	n.Redirects, n.redirected = n.Redirects[:0], 0
	n.Opaque, n.Files, n.NeedsBase, n.Sealed, n.Full, n.FullAt = false, nil, false, "", false, 0
}

// Fault is something wrong at an offset of a text. The engine reports it as a problem.
type Fault struct {
	Offset int
	Code   Code
	Detail string
	By     string // the setting of the caller that avoids the fault, or ""
	Read   bool   // the whole text was read nevertheless, so the fault is a warning, whatever its code is
	Normal bool   // it is normal in real documents, so the fault is a note

	Of codec.Span // the region whose edits cause the fault: see Breaks
}

// Fault adds a fault at an offset of the text.
func (m *Marks) Fault(offset int, code Code, detail string) {
	m.Notes.Faults = append(m.Notes.Faults, Fault{Offset: offset, Code: code, Detail: detail})
}

// Avoidable adds a fault at an offset of the text that a setting of the caller avoids. by may be "". The type matters only for a
// whole document.
func (m *Marks) Avoidable(offset int, code Code, by, detail string) {
	m.Notes.Faults = append(m.Notes.Faults, Fault{Offset: offset, Code: code, By: by, Detail: detail})
}

// Warn adds a fault at an offset of the text, and reports it as a warning: the whole text was read nevertheless.
func (m *Marks) Warn(offset int, code Code, detail string) {
	m.Notes.Faults = append(m.Notes.Faults, Fault{Offset: offset, Code: code, Detail: detail, Read: true})
}

// Note adds a fault at an offset of the text, and reports it as a note: it is normal in real documents.
func (m *Marks) Note(offset int, code Code, detail string) {
	m.Notes.Faults = append(m.Notes.Faults, Fault{Offset: offset, Code: code, Detail: detail, Normal: true})
}

// Seal keeps the text unchanged, and also the documents in it. The engine reports why if there is an edit.
func (m *Marks) Seal(why string) { m.Notes.Sealed = why }

// Breaks adds the fault that a change of a region of the text would cause, such as a broken signature.
func (m *Marks) Breaks(of codec.Span, offset int, code Code, detail string) {
	m.Notes.Breaks = append(m.Notes.Breaks, Fault{Offset: offset, Code: code, Detail: detail, Of: of})
}

// Signed marks a region that a signature covers. It must be called in the order of the bytes.
func (m *Marks) Signed(start, end int) {
	m.Notes.Signed = append(m.Notes.Signed, codec.Span{Start: start, End: end})
}

// Covers reports whether a signature covers the text at an offset.
func (n *Notes) Covers(offset int) bool {
	i := sort.Search(len(n.Signed), func(i int) bool { return offset < n.Signed[i].End })
	return i < len(n.Signed) && n.Signed[i].Start <= offset
}

// Guards are the regions of a text in which an edit may change how the text around it is read. Regions may be inside other
// regions.
type Guards struct {
	all  []guard
	next int   // the guards before this index begin before the last edit
	open []int // the guards whose regions contain the last edit
}

type guard struct {
	of      codec.Span
	refuses func(codec.Edit) (why string)
}

// Guard marks a region. The engine calls refuses for the edits of the region, in the order of the bytes. refuses returns
// the reason why the edit is not made, or "". The reason is a phrase that continues after the new bytes. Guard must be
// called in the order of the starts of the regions.
func (m *Marks) Guard(of codec.Span, refuses func(codec.Edit) (why string)) {
	m.Notes.Guards.all = append(m.Notes.Guards.all, guard{of, refuses})
}

func (g *Guards) clear() { g.all, g.open, g.next = g.all[:0], g.open[:0], 0 }

// Refuses returns the reason why a guard refuses an edit, or "". It must be called in the order of the bytes.
func (g *Guards) Refuses(e *codec.Edit) (why string) {
	if len(g.all) == 0 {
		return ""
	}
	return g.refuses(e)
}

func (g *Guards) refuses(e *codec.Edit) (why string) {
	for ; g.next < len(g.all) && g.all[g.next].of.Start <= e.Start; g.next++ {
		g.open = append(g.open, g.next)
	}
	kept := g.open[:0]
	for _, i := range g.open {
		if at := &g.all[i]; e.Start <= at.of.End {
			kept = append(kept, i)
			if e.End <= at.of.End && why == "" {
				why = at.refuses(*e)
			}
		}
	}
	g.open = kept
	return why
}
