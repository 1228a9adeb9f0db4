package codec

import "sort"

// Atom is a run of N equal, adjacent atoms, the first at source offset Src and text offset Text.
// Each has SrcLen > 0 bytes of source and TextLen >= 0 bytes of text.
type Atom struct{ Src, Text, N, SrcLen, TextLen int }

func (a Atom) srcEnd() int { return a.Src + a.N*a.SrcLen }

func (a Atom) textEnd() int { return a.Text + a.N*a.TextLen }

// Atoms is a sorted list of atoms without overlaps: the map between a source and its text.
// Runs of equal atoms are one entry, so that Cyrillic in windows-1251 costs a run and not an entry
// per letter. The empty list maps each offset to itself.
type Atoms []Atom

// add appends one atom, lengthening the last run when it is one more of the same.
func (a Atoms) add(src, text, srcLen, textLen int) Atoms {
	return a.addRun(Atom{src, text, 1, srcLen, textLen})
}

// addRun appends a run of atoms; an empty run is dropped.
func (a Atoms) addRun(run Atom) Atoms {
	if run.N == 0 || run.SrcLen == 0 {
		return a
	}
	if n := len(a) - 1; n >= 0 {
		last := &a[n]
		if last.SrcLen == run.SrcLen && last.TextLen == run.TextLen && last.srcEnd() == run.Src && last.textEnd() == run.Text {
			last.N += run.N
			return a
		}
	}
	return append(a, run)
}

// Source maps a text offset to a source offset.
// Boundaries are the ends of atoms and all places between atoms. With up false it is the greatest
// boundary whose text offset is at most text, with up true the least one whose text offset is at
// least text. So an offset inside an atom goes to its start, or up to its end; and where atoms
// without text stand, a range that starts at text starts after them and one that ends at text ends
// before them: for ` g `, read as `g`, the source of the range [0,1) is the g without its blanks.
// For an empty range the two cross over; Span knows what to do then.
func (a Atoms) Source(text int, up bool) int {
	src, _ := a.boundary(text, up)
	return src
}

// Span maps a range of the text to the source bytes that spell it, widened to whole atoms.
// An empty range inside no atom is a place, and lands right after the byte that spells the text
// before it; at text 0 it lands right before what spells the first text.
func (a Atoms) Span(text Span) Span {
	src, _ := a.widen(text)
	return src
}

// widen gives the least source span on boundaries that holds the text span, and the text it spells.
func (a Atoms) widen(t Span) (src, text Span) {
	s, ts := a.boundary(t.Start, false)
	e, te := a.boundary(t.End, true)
	if s > e || t.Len() == 0 && ts == te {
		// A place among atoms without text, any of which would do.
		if t.Start == 0 {
			e = s
		} else {
			s = e
		}
	}
	return Span{s, e}, Span{ts, te}
}

// boundary is Source, with the text offset of the boundary that was found.
func (a Atoms) boundary(t int, up bool) (src, text int) {
	if up {
		i := sort.Search(len(a), func(i int) bool { return a[i].textEnd() >= t })
		switch {
		case i < len(a) && a[i].Text >= t:
			return a[i].Src - (a[i].Text - t), t
		case i < len(a):
			k := (t - a[i].Text + a[i].TextLen - 1) / a[i].TextLen
			return a[i].Src + k*a[i].SrcLen, a[i].Text + k*a[i].TextLen
		case i > 0:
			return a[i-1].srcEnd() + t - a[i-1].textEnd(), t
		}
		return t, t
	}
	i := sort.Search(len(a), func(i int) bool { return a[i].Text > t }) - 1
	switch {
	case i < 0:
		return t, t
	case t >= a[i].textEnd():
		return a[i].srcEnd() + t - a[i].textEnd(), t
	}
	k := (t - a[i].Text) / a[i].TextLen
	return a[i].Src + k*a[i].SrcLen, a[i].Text + k*a[i].TextLen
}

// text maps a boundary in the source to its text offset: the inverse of Source.
func (a Atoms) text(src int) int {
	i := sort.Search(len(a), func(i int) bool { return a[i].Src > src }) - 1
	switch {
	case i < 0:
		return src
	case src >= a[i].srcEnd():
		return a[i].textEnd() + src - a[i].srcEnd()
	}
	return a[i].Text + (src-a[i].Src)/a[i].SrcLen*a[i].TextLen
}

// mapped is the Map of a codec with a function that reads, and notes the atoms unless they are nil.
func mapped(read func(src []byte, atoms *Atoms) ([]byte, error), src []byte) ([]byte, Atoms, error) {
	var atoms Atoms
	text, err := read(src, &atoms)
	return text, atoms, err
}

// oneAtom is the Map of a codec whose source is one atom.
func oneAtom(c Codec, src []byte) ([]byte, Atoms, error) {
	text, err := c.Decode(src)
	return text, Atoms(nil).add(0, 0, len(src), len(text)), err
}
