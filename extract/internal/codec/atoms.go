package codec

import (
	"slices"
	"sort"
)

// Atom is a run of N equal, adjacent atoms, the first at source offset Src and text offset Text. Each has SrcLen > 0
// bytes of source and TextLen >= 0 bytes of text.
type Atom struct{ Src, Text, N, SrcLen, TextLen int }

func (a Atom) SrcEnd() int { return a.Src + a.N*a.SrcLen }

func (a Atom) TextEnd() int { return a.Text + a.N*a.TextLen }

// Atoms maps a source to its text. It is a sorted list of atoms that do not overlap; the bytes between them stand for
// themselves. A run of equal atoms, like the Cyrillic letters of a word in windows-1251, is one entry. The zero Atoms
// maps each offset to itself.
type Atoms struct {
	Apart bool // adjacent atoms are spelled apart, and an insertion between them is spelled with one of them
	Full  bool // the source has too many atoms: see Reset
	runs  []run
	most  int // the greatest number of runs; 0 is no limit
}

// run is an Atom in half the memory, because a source may have one for every few bytes. It limits a source and its text
// to mostLen bytes.
type run struct{ src, text, n, srcLen, textLen uint32 }

const mostLen = 1<<32 - 1

func (r *run) srcEnd() int  { return int(r.src) + int(r.n)*int(r.srcLen) }
func (r *run) textEnd() int { return int(r.text) + int(r.n)*int(r.textLen) }

// Reset removes all atoms, for a source of n bytes, and keeps the memory. A source may have one run for each 8 bytes,
// and a million more. Only a long and hostile source has more, and its atoms would need more memory than anything else,
// so the rest is dropped and Full is set.
func (a *Atoms) Reset(n int) { *a = Atoms{runs: a.runs[:0], most: n/8 + 1<<20} }

// Add appends one atom, which may extend the last run.
func (a *Atoms) Add(src, text, srcLen, textLen int) { a.AddRun(Atom{src, text, 1, srcLen, textLen}) }

// AddRun appends a run of atoms. It ignores an empty run.
func (a *Atoms) AddRun(at Atom) {
	if at.N == 0 || at.SrcLen == 0 {
		return
	}
	if uint64(at.SrcEnd()|at.TextEnd()) > mostLen {
		a.Full = true
		return
	}
	if n := len(a.runs); n > 0 {
		last := &a.runs[n-1]
		if int(last.srcLen) == at.SrcLen && int(last.textLen) == at.TextLen && last.srcEnd() == at.Src &&
			last.textEnd() == at.Text {
			last.n += uint32(at.N)
			return
		}
	}
	if n := len(a.runs); n == cap(a.runs) && a.most > 0 {
		if n == a.most {
			a.Full = true
			return
		}
		room := min(2*n+64, a.most)
		if room > 1<<17 {
			room = a.most // at once: pages that are not used need no memory
		}
		a.runs = slices.Grow(a.runs, room-n)
		a.runs = a.runs[:n:min(cap(a.runs), a.most)]
	}
	a.runs = append(a.runs, run{uint32(at.Src), uint32(at.Text), uint32(at.N), uint32(at.SrcLen), uint32(at.TextLen)})
}

// All yields the runs.
func (a *Atoms) All(yield func(Atom) bool) {
	for _, r := range a.runs {
		if !yield(Atom{int(r.src), int(r.text), int(r.n), int(r.srcLen), int(r.textLen)}) {
			return
		}
	}
}

// Source returns the source offset of the boundary nearest to a text offset: the last one at or before text, or, if up
// is true, the first one at or after it. A boundary is an end of an atom or a place between atoms, so an offset inside
// an atom becomes its start or its end.
//
// Atoms without text stay outside a range of the text: if " g " is read as "g", the source of the range [0,1) is the g
// without its spaces. For an empty range the two offsets may therefore be in the wrong order; Span handles that.
func (a *Atoms) Source(text int, up bool) int {
	src, _ := a.boundary(text, up)
	return src
}

// Span returns the source bytes that spell a range of the text, widened to whole atoms. For an empty range outside all
// atoms it is the empty span directly after the byte that spells the text before it, or, at text offset 0, directly
// before the first byte that spells text.
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
	n := len(a.runs)
	i := sort.Search(n, func(i int) bool {
		if up {
			return a.runs[i].textEnd() >= t
		}
		return int(a.runs[i].text) > t
	})
	if !up || i == n {
		i--
	}
	if i < 0 {
		return t, t
	}
	r := &a.runs[i]
	switch {
	case up && t <= int(r.text):
		return int(r.src) - (int(r.text) - t), t
	case t >= r.textEnd():
		return r.srcEnd() + t - r.textEnd(), t
	}
	k := t - int(r.text)
	if up {
		k += int(r.textLen) - 1
	}
	k /= int(r.textLen)
	return int(r.src) + k*int(r.srcLen), int(r.text) + k*int(r.textLen)
}

// text is the inverse of Source.
func (a *Atoms) text(src int) int {
	i := sort.Search(len(a.runs), func(i int) bool { return int(a.runs[i].src) > src }) - 1
	if i < 0 {
		return src
	}
	r := &a.runs[i]
	if src >= r.srcEnd() {
		return r.textEnd() + src - r.srcEnd()
	}
	return int(r.text) + (src-int(r.src))/int(r.srcLen)*int(r.textLen)
}
