package codec

import (
	"encoding/binary"
	"slices"
	"sort"
)

// Atom is a run of N equal, adjacent atoms. The first atom is at source offset Src and text offset Text. Each atom has
// SrcLen > 0 bytes of source and TextLen >= 0 bytes of text.
type Atom struct{ Src, Text, N, SrcLen, TextLen int }

// SrcEnd returns the end of the run in the source.
func (a Atom) SrcEnd() int { return a.Src + a.N*a.SrcLen }

// TextEnd returns the end of the run in the text.
func (a Atom) TextEnd() int { return a.Text + a.N*a.TextLen }

// Atoms maps a source to its text. It is a sorted list of atoms that do not overlap. A run of equal atoms is one entry.
// For example, each run of Cyrillic letters in windows-1251 is one entry. The zero Atoms maps each offset to itself.
//
// A source may have an atom for each few bytes, so Atoms packs the runs if there are many. A packed run is four numbers of
// varying length, which are usually one byte each:
//
//	| gap | N | SrcLen | TextLen |      gap is the number of bytes after the run before it; they stand for themselves
type Atoms struct {
	plain  []Atom   // the last runs, which are not packed
	full   [][]byte // the packed runs, in pieces that never grow
	packed []byte   // the last piece
	groups []group  // each group has groupLen packed runs
	n      int      // the number of packed runs
	ends   boundary // the end of the last packed run
	known  *known   // the group that packedAt has read last, or nil
}

// known has the runs of a group. Copies of Atoms with the same groups share it.
type known struct {
	g    int // the index of the group after it
	runs []Atom
}

// group is the start of a group of packed runs: their place in the packed runs, and the offsets of the first run.
type group struct{ at, src, text int }

const (
	groupLen  = 16
	mostPlain = 512 * groupLen                       // so that all groups are full
	packedLen = 64 << 10                             // the length of a piece of packed runs; a group is in one piece
	groupRoom = groupLen * 4 * binary.MaxVarintLen64 // the greatest length of a group
)

// Reset removes all atoms. It keeps some memory.
func (a *Atoms) Reset() { *a = Atoms{plain: a.plain[:0], packed: a.packed[:0], groups: a.groups[:0]} }

// Grow makes room for n runs.
func (a *Atoms) Grow(n int) { a.plain = slices.Grow(a.plain, min(n, mostPlain)) }

// Add appends one atom. An atom that continues the last run becomes a part of that run.
func (a *Atoms) Add(src, text, srcLen, textLen int) { a.AddRun(Atom{src, text, 1, srcLen, textLen}) }

// AddRun appends a run of atoms. It ignores an empty run.
func (a *Atoms) AddRun(run Atom) {
	if run.N == 0 || run.SrcLen == 0 {
		return
	}
	if n := len(a.plain) - 1; n >= 0 {
		last := &a.plain[n]
		if last.SrcLen == run.SrcLen && last.TextLen == run.TextLen && last.SrcEnd() == run.Src && last.TextEnd() == run.Text {
			last.N += run.N
			return
		}
		if n+1 == mostPlain {
			for i := range a.plain {
				a.pack(&a.plain[i])
			}
			a.plain, a.known = make([]Atom, 0, mostPlain), nil // a Reader may go back to the old ones
		}
	}
	a.plain = append(a.plain, run)
}

// pack packs a run.
func (a *Atoms) pack(run *Atom) {
	if a.n%groupLen == 0 {
		if a.packed == nil || cap(a.packed)-len(a.packed) < groupRoom {
			if a.packed != nil {
				a.full = append(a.full, a.packed)
			}
			a.packed = make([]byte, 0, packedLen)
		}
		a.groups = append(a.groups, group{len(a.full)*packedLen + len(a.packed), run.Src, run.Text})
	}
	gap := run.Src - a.ends.i
	if uint(gap|run.N|run.SrcLen|run.TextLen) < 0x80 {
		a.packed = append(a.packed, byte(gap), byte(run.N), byte(run.SrcLen), byte(run.TextLen))
	} else {
		for _, n := range [...]int{gap, run.N, run.SrcLen, run.TextLen} {
			a.packed = binary.AppendUvarint(a.packed, uint64(n))
		}
	}
	a.ends = boundary{run.SrcEnd(), run.TextEnd()}
	a.n++
}

// runs reads the packed runs of Atoms, from the start of a group on.
type runs struct {
	a         *Atoms
	i         int    // the index of the next run
	rest      []byte // the next run, and the runs after it in the piece
	src, text int    // the end of the run before it
}

// from returns the packed runs from the start of a group on.
func (a *Atoms) from(g int) runs { return runs{a: a, i: g * groupLen} }

// piece returns the packed runs from an offset on, up to the end of their piece.
func (a *Atoms) piece(at int) []byte {
	if n := at / packedLen; n < len(a.full) {
		return a.full[n][at%packedLen:]
	}
	return a.packed[at%packedLen:]
}

// next returns the next run. Its N is 0 after the last packed run.
func (r *runs) next() (run Atom) {
	if r.i == r.a.n {
		return run
	}
	starts := r.i%groupLen == 0
	if starts {
		r.rest = r.a.piece(r.a.groups[r.i/groupLen].at)
	}
	var gap int
	if b := r.rest; binary.LittleEndian.Uint32(b)&0x80808080 == 0 {
		gap, run.N, run.SrcLen, run.TextLen = int(b[0]), int(b[1]), int(b[2]), int(b[3])
		r.rest = b[4:]
	} else {
		for _, n := range [...]*int{&gap, &run.N, &run.SrcLen, &run.TextLen} {
			v, size := binary.Uvarint(r.rest)
			*n, r.rest = int(v), r.rest[size:]
		}
	}
	if run.Src, run.Text = r.src+gap, r.text+gap; starts {
		run.Src, run.Text = r.a.groups[r.i/groupLen].src, r.a.groups[r.i/groupLen].text
	}
	r.src, r.text = run.SrcEnd(), run.TextEnd()
	r.i++
	return run
}

// All yields the runs.
func (a *Atoms) All(yield func(Atom) bool) {
	r := runs{a: a}
	for run := r.next(); run.N > 0; run = r.next() {
		if !yield(run) {
			return
		}
	}
	for _, run := range a.plain {
		if !yield(run) {
			return
		}
	}
}

// last returns the last run, or a run with N = 0.
func (a *Atoms) last() (run Atom) {
	if n := len(a.plain); n > 0 {
		run = a.plain[n-1]
	}
	return run
}

// lastWhere returns the last run for which before returns true, or a run with N = 0. before returns true for the runs up to some
// run, and false for all later runs. It depends only on the offsets at which a run starts.
func (a *Atoms) lastWhere(before func(src, text int) bool) (found Atom) {
	if i := sort.Search(len(a.plain), func(i int) bool { return !before(a.plain[i].Src, a.plain[i].Text) }); i > 0 {
		return a.plain[i-1]
	}
	g := sort.Search(len(a.groups), func(i int) bool { return !before(a.groups[i].src, a.groups[i].text) })
	if g == 0 {
		return Atom{}
	}
	r := a.from(g - 1)
	for run := r.next(); run.N > 0 && before(run.Src, run.Text); run = r.next() {
		found = run
	}
	return found
}

// packedAt returns the last packed run that starts at a text offset or before it, or a run with N = 0. Most calls are for the
// group of the previous call, which is not read again.
func (a *Atoms) packedAt(t int) Atom {
	if a.known == nil {
		a.known = &known{runs: make([]Atom, 0, groupLen)}
	}
	k := a.known
	if k.g == 0 || a.groups[k.g-1].text > t || k.g < len(a.groups) && a.groups[k.g].text <= t {
		k.g = sort.Search(len(a.groups), func(i int) bool { return a.groups[i].text > t })
		if k.g == 0 {
			return Atom{}
		}
		k.runs = k.runs[:0]
		for r := a.from(k.g - 1); len(k.runs) < groupLen; {
			k.runs = append(k.runs, r.next())
		}
	}
	return k.runs[sort.Search(len(k.runs), func(i int) bool { return k.runs[i].Text > t })-1]
}

// Source returns the source offset of a boundary near a text offset. A boundary is an end of an atom, or a place
// between atoms. If up is false, the result is the greatest boundary whose text offset is at most text. If up is true,
// the result is the least boundary whose text offset is at least text. So an offset inside an atom becomes the start of
// the atom, or its end.
//
// Atoms without text are outside a range of the text. For example, if " g " is read as "g", the source of the range
// [0,1) is the g without its spaces. For an empty range the two offsets may be in the wrong order. Span handles that
// case.
func (a *Atoms) Source(text int, up bool) int {
	src, _ := a.boundary(text, up)
	return src
}

// Span returns the source bytes that spell a range of the text, widened to whole atoms. For an empty range outside all
// atoms, the result is the empty span directly after the byte that spells the text before it. For text offset 0, it is
// the empty span directly before the first byte that spells text.
func (a *Atoms) Span(text Span) Span {
	src, _ := a.Around(text)
	return src
}

// Around returns the shortest source span on boundaries that contains the text span t, and the text that it spells.
func (a *Atoms) Around(t Span) (src, text Span) {
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
func (a *Atoms) boundary(t int, up bool) (src, text int) {
	run := &Atom{Src: a.ends.i, Text: a.ends.at} // the end of the packed runs
	switch {
	case up && t <= a.ends.at && a.n > 0:
		packed := a.Ending(t)
		run = &packed
	case up:
		if i := sort.Search(len(a.plain), func(i int) bool { return a.plain[i].TextEnd() >= t }); i < len(a.plain) {
			run = &a.plain[i]
		} else if i > 0 {
			run = &a.plain[i-1]
		}
	default:
		if i := sort.Search(len(a.plain), func(i int) bool { return a.plain[i].Text > t }); i > 0 {
			run = &a.plain[i-1]
		} else if t < a.ends.at {
			packed := a.packedAt(t)
			run = &packed
		}
	}
	switch {
	case up && t <= run.Text:
		return run.Src - (run.Text - t), t
	case t >= run.TextEnd():
		return run.SrcEnd() + t - run.TextEnd(), t
	}
	k := t - run.Text
	if up {
		k += run.TextLen - 1
	}
	k /= run.TextLen
	return run.Src + k*run.SrcLen, run.Text + k*run.TextLen
}

// Ending returns the first run that ends at a text offset or later, or a run with N = 0.
func (a *Atoms) Ending(t int) Atom {
	if a.n == 0 || t > a.ends.at {
		if i := sort.Search(len(a.plain), func(i int) bool { return a.plain[i].TextEnd() >= t }); i < len(a.plain) {
			return a.plain[i]
		}
		return Atom{}
	}
	g := sort.Search(len(a.groups), func(i int) bool { return a.groups[i].text >= t })
	r := a.from(max(g-1, 0))
	for {
		if run := r.next(); run.TextEnd() >= t {
			return run
		}
	}
}

// text returns the text offset of a boundary in the source. It is the inverse of Source.
func (a *Atoms) text(src int) int {
	run := a.lastWhere(func(at, _ int) bool { return at <= src })
	if src >= run.SrcEnd() {
		return run.TextEnd() + src - run.SrcEnd()
	}
	return run.Text + (src-run.Src)/run.SrcLen*run.TextLen
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
	return text, oneAtom(len(src), len(text)), err
}

// oneAtom returns the Atoms of a source that is one atom.
func oneAtom(srcLen, textLen int) (atoms Atoms) {
	atoms.Add(0, 0, srcLen, textLen)
	return atoms
}
