package codec

import (
	"errors"
	"sort"
	"unicode/utf8"
)

// Span is [Start, End) in one entity's bytes.
// 0 <= Start <= End; a span with Start == End is a place between two bytes.
type Span struct{ Start, End int }

// Len is the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Edit is a Span and its new bytes.
// Edits in a list are sorted by Start and do not overlap; two insertions at one place stand in the
// order of the list. New belongs to whoever made the edit and is never written to.
type Edit struct {
	Span
	New []byte
}

// Apply appends src with the edits applied to dst and returns the longer slice.
// The edits are sorted, do not overlap and lie within src. src and the edits are only read; dst must
// not overlap src.
func Apply(dst, src []byte, edits []Edit) []byte {
	at := 0
	for _, e := range edits {
		dst = append(dst, src[at:e.Start]...)
		dst = append(dst, e.New...)
		at = e.End
	}
	return append(dst, src[at:]...)
}

// Codec is one reversible spelling: how bytes of a document spell a text.
// A Codec is a value without state, may be used by many goroutines, and can be compared with ==.
type Codec interface {
	// Decode gives the text that src spells. It returns src itself, or a part of it, when nothing in it
	// is escaped; otherwise a fresh slice owned by the caller. A decode error comes together with
	// usable text.
	Decode(src []byte) ([]byte, error)

	// Map is Decode with the atoms: the source spans that decode as indivisible wholes. Everything
	// between atoms stands for itself byte for byte. Its text is always that of Decode.
	Map(src []byte) (text []byte, atoms Atoms, err error)

	// Encode appends to dst the bytes that spell text where src[at.Start:at.End] stands now, in the
	// style found there. at begins and ends on boundaries of atoms. The error wraps ErrCannotSpell
	// when no spelling of text can stand here; dst is returned as it came then.
	// Encode looks at src in and around at only, so that many edits of a long source stay cheap;
	// whether its result reads well between its neighbours is for Lift to check.
	Encode(dst, src []byte, at Span, text []byte) ([]byte, error)
}

// DecodeInto is c.Decode, but a fresh text may be put in room, which grows as needed: it is valid
// until the next call with that room.
func DecodeInto(room *[]byte, c Codec, src []byte) ([]byte, error) {
	if d, ok := c.(interface {
		decodeInto(room *[]byte, src []byte) ([]byte, error)
	}); ok {
		return d.decodeInto(room, src)
	}
	return c.Decode(src)
}

// Escape writes the letters of spelled, which is spelled by c, that lacks says cannot be written, as
// escapes of c. It gives spelled itself where c has none. What is no UTF-8 stays, for an escape would
// be that of U+FFFD.
func Escape(c Codec, spelled []byte, lacks func([]byte) bool) []byte {
	e, ok := c.(interface {
		escapeRune(dst []byte, r rune) []byte
	})
	if !ok {
		return spelled
	}
	var out []byte
	for len(spelled) > 0 {
		r, n := utf8.DecodeRune(spelled)
		if (r != utf8.RuneError || n > 1) && lacks(spelled[:n]) {
			out = e.escapeRune(out, r)
		} else {
			out = append(out, spelled[:n]...)
		}
		spelled = spelled[n:]
	}
	return out
}

// ErrCannotSpell: the text has no spelling at this place, such as a letter outside the charset.
var ErrCannotSpell = errors.New("text cannot be spelled here")

// ErrUndecodable: the source holds bytes that stand for nothing in its spelling. The text returned
// beside it is usable: it has U+FFFD (or the bytes themselves) in their place.
var ErrUndecodable = errors.New("bytes stand for nothing in this encoding")

// Atom is a run of N equal, adjacent atoms, the first at source offset Src and text offset Text.
// Each has SrcLen > 0 bytes of source and TextLen >= 0 bytes of text.
type Atom struct{ Src, Text, N, SrcLen, TextLen int }

func (a Atom) srcEnd() int  { return a.Src + a.N*a.SrcLen }
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
