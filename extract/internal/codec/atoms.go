package codec

import "sort"

// Atom is a run of N equal, adjacent atoms. The first atom is at source offset Src and text offset Text. Each atom has
// SrcLen > 0 bytes of source and TextLen >= 0 bytes of text.
type Atom struct{ Src, Text, N, SrcLen, TextLen int }

// SrcEnd returns the end of the run in the source.
func (a Atom) SrcEnd() int { return a.Src + a.N*a.SrcLen }

// TextEnd returns the end of the run in the text.
func (a Atom) TextEnd() int { return a.Text + a.N*a.TextLen }

// Atoms maps a source to its text. It is a sorted list of atoms that do not overlap. A run of equal atoms is one entry.
// For example, each run of Cyrillic letters in windows-1251 is one entry. The empty list maps each offset to itself.
type Atoms []Atom

// Add appends one atom. An atom that continues the last run becomes a part of that run.
func (a Atoms) Add(src, text, srcLen, textLen int) Atoms {
	return a.AddRun(Atom{src, text, 1, srcLen, textLen})
}

// AddRun appends a run of atoms. It ignores an empty run.
func (a Atoms) AddRun(run Atom) Atoms {
	if run.N == 0 || run.SrcLen == 0 {
		return a
	}
	if n := len(a) - 1; n >= 0 {
		last := &a[n]
		if last.SrcLen == run.SrcLen && last.TextLen == run.TextLen && last.SrcEnd() == run.Src && last.TextEnd() == run.Text {
			last.N += run.N
			return a
		}
	}
	return append(a, run)
}

// Source returns the source offset of a boundary near a text offset. A boundary is an end of an atom, or a place
// between atoms. If up is false, the result is the greatest boundary whose text offset is at most text. If up is true,
// the result is the least boundary whose text offset is at least text. So an offset inside an atom becomes the start of
// the atom, or its end.
//
// Atoms without text are outside a range of the text. For example, if " g " is read as "g", the source of the range
// [0,1) is the g without its spaces. For an empty range the two offsets may be in the wrong order. Span handles that
// case.
func (a Atoms) Source(text int, up bool) int {
	src, _ := a.boundary(text, up)
	return src
}

// Span returns the source bytes that spell a range of the text, widened to whole atoms. For an empty range outside all
// atoms, the result is the empty span directly after the byte that spells the text before it. For text offset 0, it is
// the empty span directly before the first byte that spells text.
func (a Atoms) Span(text Span) Span {
	src, _ := a.Around(text)
	return src
}

// Around returns the shortest source span on boundaries that contains the text span t, and the text that it spells.
func (a Atoms) Around(t Span) (src, text Span) {
	s, ts := a.boundary(t.Start, false)
	e, te := a.boundary(t.End, true)
	if s > e || t.Len() == 0 && ts == te {
		// The place is between atoms without text. Choose one end of them.
		if t.Start == 0 {
			e = s
		} else {
			s = e
		}
	}
	return Span{s, e}, Span{ts, te}
}

// boundary is Source. It also returns the text offset of the boundary.
func (a Atoms) boundary(t int, up bool) (src, text int) {
	if up {
		i := sort.Search(len(a), func(i int) bool { return a[i].TextEnd() >= t })
		switch {
		case i < len(a) && a[i].Text >= t:
			return a[i].Src - (a[i].Text - t), t
		case i < len(a):
			k := (t - a[i].Text + a[i].TextLen - 1) / a[i].TextLen
			return a[i].Src + k*a[i].SrcLen, a[i].Text + k*a[i].TextLen
		case i > 0:
			return a[i-1].SrcEnd() + t - a[i-1].TextEnd(), t
		}
		return t, t
	}
	i := sort.Search(len(a), func(i int) bool { return a[i].Text > t }) - 1
	switch {
	case i < 0:
		return t, t
	case t >= a[i].TextEnd():
		return a[i].SrcEnd() + t - a[i].TextEnd(), t
	}
	k := (t - a[i].Text) / a[i].TextLen
	return a[i].Src + k*a[i].SrcLen, a[i].Text + k*a[i].TextLen
}

// text returns the text offset of a boundary in the source. It is the inverse of Source.
func (a Atoms) text(src int) int {
	i := sort.Search(len(a), func(i int) bool { return a[i].Src > src }) - 1
	switch {
	case i < 0:
		return src
	case src >= a[i].SrcEnd():
		return a[i].TextEnd() + src - a[i].SrcEnd()
	}
	return a[i].Text + (src-a[i].Src)/a[i].SrcLen*a[i].TextLen
}

// Mapped is the method Map of a codec, made from its function read. read adds the atoms to *atoms if atoms is not nil.
func Mapped(read func(src []byte, atoms *Atoms) ([]byte, error), src []byte) ([]byte, Atoms, error) {
	var atoms Atoms
	text, err := read(src, &atoms)
	return text, atoms, err
}

// OneAtom is the method Map of a codec whose source is one atom.
func OneAtom(c Codec, src []byte) ([]byte, Atoms, error) {
	text, err := c.Decode(src)
	return text, Atoms(nil).Add(0, 0, len(src), len(text)), err
}
