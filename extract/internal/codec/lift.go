package codec

import (
	"errors"
	"fmt"
	"slices"
)

// ErrRefused reports that no spelling of the edits reads back as the edited text. The caller leaves the bytes
// unchanged.
var ErrRefused = errors.New("not rewritten")

var (
	errEdits = errors.New("the edits are not sorted, overlap or are outside the text")
	errAtoms = errors.New("the text has too many escapes or line breaks for its length")
	errLaw   = errors.New("every way to write the new text here would be read as another text")
)

// near is the number of bytes around an edit that Lift spells again if the edit and its neighbours together read as
// another text, like "&am" before an inserted "p;". The longest name of a character reference has 33 bytes.
const near = 48

// Lift turns edits of text, which is c.Decode(src), into edits of src that obey the law (see law.go). The edits are
// sorted and do not overlap. Lift takes these steps:
//
//  1. It cuts from each edit the equal start and end of old and new text.
//  2. It widens the edits to whole atoms, and joins edits of one atom.
//  3. It widens the edits to the bytes that the codec must spell together with them, for instance a line.
//  4. It spells the edits with c.Encode, decodes the result, and checks the law.
//  5. If the law does not hold, it spells the characters beside the failing edits again, then more characters around
//     them, and last the whole source.
//
// If step 5 fails, or the text has no spelling, Lift returns nil and an error that wraps ErrRefused and the reason. The
// caller then leaves the bytes unchanged and reports the error.
//
// The result is sorted and does not overlap. It may share bytes with edits, but not with src. The time is linear in
// len(src) and the edits, plus a binary search for each edit. Lift ignores errors of Decode, because the text returned
// with an error is usable.
func Lift(c Codec, src, text []byte, edits []Edit) ([]Edit, error) {
	return new(Replacer).Lift(c, src, text, slices.Clone(edits))
}

// Lift is the function Lift with the memory of the Replacer. The result is not in that memory. Lift trims edits in
// place.
func (r *Replacer) Lift(c Codec, src, text []byte, edits []Edit) ([]Edit, error) {
	var whole Edit
	if isWhole(c) && len(edits) == 1 {
		whole = edits[0]
	}
	edits, err := Trim(text, edits)
	if len(edits) > 0 && whole.Len() == len(text) && len(text) > longestKept {
		edits[0] = whole // to spell the trimmed edit would need another copy of the text
	}
	if err != nil {
		return nil, err
	}
	return r.lift(c, src, text, edits)
}

// lift is Lift for trimmed edits.
func (r *Replacer) lift(c Codec, src, text []byte, edits []Edit) ([]Edit, error) {
	if len(edits) == 0 {
		return nil, nil
	}
	if out, ok := short(c, src, text, edits); ok {
		return out, nil
	}
	return r.respell(c, src, text, edits)
}

// respell is Lift without the fast ways, for trimmed edits.
func (r *Replacer) respell(c Codec, src, text []byte, edits []Edit) ([]Edit, error) {
	l := Lifting{c: c, Src: src, Text: text, wanted: edits, r: r}
	if l.long() {
		l.r = new(Replacer)
	}
	out, bad, err := l.try(edits)
	for _, n := range []int{1, near} { // few characters first, because a CRLF that is spelled again becomes an LF
		if err == nil && bad != (Span{}) {
			out, bad, err = l.try(around(edits, bad, text, n))
		}
	}
	if err == nil && bad != (Span{}) {
		// Spell the whole text again, but not the white space around it.
		one := AsOne(text, edits)
		out, bad, err = l.try([]Edit{one})
		if err == nil && bad != (Span{}) {
			out, bad, err = l.check([]Group{{Src: Span{0, len(src)}, Text: Span{0, len(text)}, New: one.New,
				edits: Span{0, len(l.edits)}}})
		}
	}
	if err == nil && bad != (Span{}) {
		err = errLaw
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return out, nil
}

// longestKept is the greatest length of a source and of its text for which a Replacer keeps the memory of a lift.
const longestKept = 1 << 20
