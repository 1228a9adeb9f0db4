package codec

import "errors"

// ErrRefused: the edits have no spelling that reads back as asked. The bytes are to be left alone.
var ErrRefused = errors.New("edit refused")

var (
	errEdits = errors.New("edits are not sorted, overlap or lie outside the text")
	errLaw   = errors.New("no spelling reads back as asked")
)

// near is how much text around an edit is spelled anew when the edit and its neighbours read as
// something else together ("&am" before an inserted "p;"). The longest name of a character reference
// has 33 bytes.
const near = 48

// plainer is a codec some of whose bytes stand for themselves wherever they stand.
type plainer interface {
	// plain is the set of those bytes: every string over it decodes to itself and is its own
	// encoding, and what follows one of them at the start of a source reads the same whatever
	// others are put before it. nil when there are none.
	plain() *set
}

// ordered is a codec for which the spelling depends on all that stands before the place.
type ordered interface {
	// inOrder gives an Encode for places of one src that are asked in their order, which reads
	// what is before each of them once in all.
	inOrder() encoder
}

// encoder is the Encode of a Codec.
type encoder func(dst, src []byte, at Span, text []byte) ([]byte, error)

// shortcut is a codec that can lift most edits without reading the whole source.
type shortcut interface {
	// short gives edits of src for those of its text; false if lift has to. They are trimmed, and
	// there is one at least.
	short(src, text []byte, edits []Edit) ([]Edit, bool)
}

// Lift turns edits of the text that src spells into edits of src. text is what c.Decode(src) gives.
//
//	Decode(Apply(src, Lift(src, edits))) == Apply(Decode(src), edits)      Lift(src, nothing) == nothing
//
// The edits of the text are sorted and do not overlap. What they leave as it is (an equal head and
// tail of old and new text too) is not touched; they are widened to whole atoms, joined where they
// touch the same one, widened to what else the codec must spell along with them (a line, the rest of
// a base64 body), and spelled by c.Encode. Then the law is checked. Where it does not hold the
// characters beside the failing edits are spelled anew, then those around them, and at last the whole
// region. If that fails too, or the text cannot be spelled, the result is nil and an error that wraps
// ErrRefused and the reason: the caller leaves the bytes alone and reports it.
//
// The result is sorted and does not overlap; it may share bytes with edits, not with src. The cost is
// linear in len(src) and the edits, but for a binary search per edit. Errors of Decode are not
// Lift's: text that came with one is text.
func Lift(c Codec, src, text []byte, edits []Edit) ([]Edit, error) {
	return new(Replacer).Lift(c, src, text, edits)
}
