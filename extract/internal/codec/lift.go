package codec

// This file has Lift, which turns edits of a text into edits of its source.

import (
	"errors"
	"fmt"
	"slices"
)

// ErrRefused reports that no spelling of the edits reads back as the edited text. The caller leaves the bytes unchanged.
var ErrRefused = errors.New("not rewritten")

var (
	errEdits = errors.New("the edits are not sorted, overlap or are outside the text")
	errLaw   = errors.New("every way to write the new text here would be read as another text")
)

// near is the number of bytes around an edit that Lift spells again if the edit and its neighbours together read as
// another text. An example is "&am" before an inserted "p;". The longest name of a character reference has 33 bytes.
const near = 48

// Lift turns edits of the text that src spells into edits of src. text is c.Decode(src).
//
//	Decode(Apply(src, Lift(src, edits))) == Apply(Decode(src), edits)      Lift(src, nothing) == nothing
//
// The edits of the text are sorted and do not overlap. Lift takes these steps:
//
//  1. It cuts from each edit the equal start and end of old and new text.
//  2. It widens the edits to whole atoms, and joins edits of one atom.
//  3. It widens the edits to the bytes that the codec must spell together with them, such as a line.
//  4. It spells the edits with c.Encode, decodes the result, and checks the law.
//  5. If the law does not hold, it spells the characters beside the failing edits again, then more characters around
//     them, and last the whole source.
//
// If step 5 fails too, or the text has no spelling, Lift returns nil and an error that wraps ErrRefused and the reason.
// The caller then leaves the bytes unchanged and reports the error.
//
// The result is sorted and does not overlap. It may share bytes with edits, but not with src. The time is linear in
// len(src) and the edits, plus a binary search for each edit. Lift ignores errors of Decode, because the text that is
// returned with an error is usable.
func Lift(c Codec, src, text []byte, edits []Edit) ([]Edit, error) {
	return new(Replacer).Lift(c, src, text, edits)
}

// rooms is the memory that a Replacer uses again in each lift.
type rooms struct {
	text, want, spelled, got []byte
	atoms                    Atoms
}

// Lift is the function Lift. It uses the memory of the Replacer again in each call. The result is not in that memory.
func (r *Replacer) Lift(c Codec, src, text []byte, edits []Edit) ([]Edit, error) {
	if len(edits) == 0 {
		return nil, nil
	}
	if s, ok := c.(shortcut); ok {
		trimmed, err := trim(text, edits)
		if len(trimmed) == 0 || err != nil {
			return nil, err
		}
		if out, ok := s.short(src, text, trimmed); ok {
			return out, nil
		}
	}
	if p, ok := c.(plainer); ok && p.plain().holds(src) {
		// The text is src, and the law holds by the definition of plain.
		return r.liftPlain(c, p.plain(), src, edits)
	}
	return r.lift(c, src, edits)
}

// liftPlain is Lift for a source of plain bytes. It calls lift if the new text has other bytes. It calls lift for a
// deletion too, because the source may become empty, and an empty source is not valid in every place.
func (r *Replacer) liftPlain(c Codec, plain *set, src []byte, edits []Edit) ([]Edit, error) {
	trimmed, err := trim(src, edits)
	if len(trimmed) == 0 || err != nil {
		return nil, err
	}
	for _, e := range trimmed {
		if len(e.New) == 0 || !plain.holds(e.New) {
			return r.lift(c, src, edits)
		}
	}
	return trimmed, nil
}

// lift is Lift without the faster ways.
func (r *Replacer) lift(c Codec, src []byte, edits []Edit) ([]Edit, error) {
	if len(src) > longestKept {
		r = new(Replacer)
	}
	l := lifter{c: c, src: src, rooms: &r.rooms}
	if m, ok := c.(mapper); ok {
		l.text, l.atoms = m.mapInto(&r.rooms, src)
	} else {
		l.text, l.atoms, _ = c.Map(src)
	}
	text := l.text
	edits, err := trim(text, edits)
	if len(edits) == 0 && !goesOn(c) || err != nil {
		return nil, err
	}
	want := Apply(slices.Grow(r.rooms.want[:0], len(text)+grown(edits)), text, edits)
	l.want, r.rooms.want = want, want
	out, bad, err := l.try(edits)
	for _, n := range []int{1, near} { // few characters first, because a CRLF that is spelled again becomes an LF
		if err == nil && bad != (Span{}) {
			out, bad, err = l.try(around(edits, bad, text, n))
		}
	}
	if err == nil && bad != (Span{}) {
		// Spell the whole text again, but not the white space around it.
		out, bad, err = l.try([]Edit{{Span{0, len(text)}, want, Joined(edits)}})
	}
	if err == nil && bad != (Span{}) {
		out, bad, err = l.check([]group{{src: Span{0, len(src)}, text: Span{0, len(text)}, new: want, edits: Span{0, len(l.edits)}}})
	}
	if err == nil && bad != (Span{}) {
		err = errLaw
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return out, nil
}

// longestKept is the greatest length of a source for which a Replacer keeps the memory of a lift.
const longestKept = 1 << 20
