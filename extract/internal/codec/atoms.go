package codec

import "sort"

// Atom is a run of N equal, adjacent atoms. The first one is at source offset Src and text offset Text. Each has SrcLen > 0
// bytes of source and TextLen >= 0 bytes of text.
type Atom struct{ Src, Text, N, SrcLen, TextLen int }

func (a Atom) srcEnd() int { return a.Src + a.N*a.SrcLen }

func (a Atom) textEnd() int { return a.Text + a.N*a.TextLen }

// Atoms maps a source to its text. It is a sorted list of atoms that do not overlap. A run of equal atoms is one entry, so
// that Cyrillic in windows-1251 needs one entry for each run of letters. The empty list maps each offset to itself.
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

// Source returns the source offset for a text offset. It looks for a boundary: an end of an atom, or a place between atoms.
// If up is false, it returns the greatest boundary whose text offset is at most text. If up is true, it returns the least
// boundary whose text offset is at least text. So an offset inside an atom becomes the start of the atom, or its end.
//
// Atoms without text are outside a range of the text: in " g ", read as "g", the source of the range [0,1) is the g
// without its blanks. For an empty range the two offsets may be in the wrong order; Span handles that case.
func (a Atoms) Source(text int, up bool) int {
	src, _ := a.boundary(text, up)
	return src
}

// Span returns the source bytes that spell a range of the text, widened to whole atoms. An empty range that is inside no
// atom is a place: right after the byte that spells the text before it, and for text offset 0 right before the first byte
// that spells text.
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

// mapped is the Map of a codec that has a read function. read adds the atoms to atoms unless that is nil.
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
