package mark

import (
	"iter"
	"sort"

	"absolink/extract/internal/codec"
)

// Notes are what a format finds besides marks, by who reads it.
type Notes struct {
	// The phase mark, which reports what is wrong and what is not read.

	Faults []Fault
	Unread []UnreadCount
	Full   bool // the text has more marks than MaxMarks
	FullAt int  // the offset of the first mark that was dropped

	// The phase scope.

	Evidence   []Evidence
	Redirects  []Redirect // before the response, in the order of the bytes
	redirected int        // the bytes of all their URLs
	Opaque     bool       // the text declares a base that cannot be read, so no link in the text can be resolved
	// the text has a relative reference that is not a link, like a URL pattern; it stays relative, so the text must
	// keep its base
	NeedsBase bool

	// The phase link.

	Feed    bool             // the text is a feed, in which most readers complete no link, even in HTML
	Files   iter.Seq[string] // the names of all files in an archive of files; else nil
	Skipped []codec.Span     // see Marks.Skip

	// The phase lift, of the edits of one mark and then of all.

	Signed    []codec.Span // the signed regions, in the order of the bytes
	Guards    Guards
	Sealed    string     // why no part of the text is rewritten, or "": see Marks.Seal
	Menders   []Mender   // see Marks.Mends
	Inner     [][]Mender // by depth: see Marks.MendsInside
	Breaks    []Fault    // see Marks.Breaks
	Checks    []Check
	Integrity []string        // see Marks.Integrity
	policy    map[string]bool // see Marks.Policy
}

// clear empties the Notes, and keeps the memory of most slices.
func (n *Notes) clear() {
	n.Guards.clear()
	*n = Notes{Faults: n.Faults[:0], Unread: n.Unread[:0], Evidence: n.Evidence[:0], Redirects: n.Redirects[:0],
		Skipped: n.Skipped[:0], Signed: n.Signed[:0], Guards: n.Guards, Menders: n.Menders[:0], Breaks: n.Breaks[:0],
		Checks: n.Checks[:0]}
}

// Fault is something wrong at an offset of a text. The engine reports it as a problem.
type Fault struct {
	Offset int
	Code   Code
	Detail string
	By     string // the setting of the caller that avoids the fault, or ""
	Read   bool   // the whole text was read nevertheless, so it is a warning, whatever the code is
	Normal bool   // it is normal in real documents, so it is a note
	More   int    // how many others it stands for

	Of codec.Span // the region whose edits cause the fault: see Breaks
}

// mostFaults is how many faults of a text are kept, because a hostile text may have one for every 10 bytes. Those after
// them are one fault for each kind.
const mostFaults = 1 << 13

func (n *Notes) fault(f Fault) {
	for i := mostFaults; i < len(n.Faults); i++ {
		if same := &n.Faults[i]; same.Code == f.Code && same.Read == f.Read && same.Normal == f.Normal {
			same.More++
			return
		}
	}
	n.Faults = append(n.Faults, f)
}

// Fault adds a fault at an offset of the text.
func (m *Marks) Fault(offset int, code Code, detail string) {
	m.Notes.fault(Fault{Offset: offset, Code: code, Detail: detail})
}

// Avoidable adds a fault that the setting by of the caller avoids, or none if by is "". The setting Type is left out
// for an embedded document, whose type the caller cannot set.
func (m *Marks) Avoidable(offset int, code Code, by, detail string) {
	m.Notes.fault(Fault{Offset: offset, Code: code, By: by, Detail: detail})
}

// Warn adds a fault that is only a warning, because the whole text was read nevertheless.
func (m *Marks) Warn(offset int, code Code, detail string) {
	m.Notes.fault(Fault{Offset: offset, Code: code, Detail: detail, Read: true})
}

// Note adds a fault that is only a note, because it is normal in real documents.
func (m *Marks) Note(offset int, code Code, detail string) {
	m.Notes.fault(Fault{Offset: offset, Code: code, Detail: detail, Normal: true})
}

// Seal keeps the text unchanged, with the documents in it. The engine reports why if something would have changed.
func (m *Marks) Seal(why string) { m.Notes.Sealed = why }

// Breaks adds the fault that a change of a region of the text would cause, like a broken signature.
func (m *Marks) Breaks(of codec.Span, offset int, code Code, detail string) {
	m.Notes.Breaks = append(m.Notes.Breaks, Fault{Offset: offset, Code: code, Detail: detail, Of: of})
}

// Signed marks a region that a signature covers. Call it in the order of the bytes.
func (m *Marks) Signed(start, end int) {
	m.Notes.Signed = append(m.Notes.Signed, codec.Span{Start: start, End: end})
}

// Covers reports whether a signature covers the text at an offset.
func (n *Notes) Covers(offset int) bool {
	i := sort.Search(len(n.Signed), func(i int) bool { return offset < n.Signed[i].End })
	return i < len(n.Signed) && n.Signed[i].Start <= offset
}

// Guards are the regions of a text, some inside others, in which an edit may change how the text around it is read.
type Guards struct {
	all  []guard
	next int   // the first guard that begins after the last edit
	open []int // the guards whose regions the last edit starts in
}

type guard struct {
	of      codec.Span
	refuses func(codec.Edit) (why string)
}

// Guard marks a region, and must be called in the order in which regions start. The engine calls refuses for the edits
// of the region, in the order of the bytes. refuses returns the reason why an edit is not made, which continues a
// sentence that starts with the new bytes, or "".
func (m *Marks) Guard(of codec.Span, refuses func(codec.Edit) (why string)) {
	m.Notes.Guards.all = append(m.Notes.Guards.all, guard{of, refuses})
}

func (g *Guards) clear() { g.all, g.open, g.next = g.all[:0], g.open[:0], 0 }

// Refuses returns the reason why a guard refuses an edit, or "". Call it in the order of the bytes.
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
