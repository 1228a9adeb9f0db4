package mark

import (
	"math"
	"slices"

	"absolink/extract/internal/codec"
)

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

// Outermost adds a guard of the whole text. It must be called before Refuses.
func (g *Guards) Outermost(refuses func(codec.Edit) (why string)) {
	g.all = slices.Insert(g.all, 0, guard{codec.Span{End: math.MaxInt}, refuses})
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
