package codec

// A codec obeys one law: the text of the edited source is the edited text.
//
//	Decode(Apply(src, Lift(src, edits))) == Apply(Decode(src), edits)      Lift(src, nothing) == nothing

import (
	"bytes"
	"slices"
)

// law returns the zero Span if the law holds for edits of a text and the source that spells the edited text, or else
// the span of the edited text that is wrong.
func (r *Replacer) law(c Codec, spelled, text []byte, edits []Edit) Span {
	if isWhole(c) {
		// else the room grows step by step, in more memory
		r.got = slices.Grow(r.got[:0], EditedLen(len(text), edits)+bytes.MinRead)
	}
	got, _ := DecodeInto(&r.got, c, spelled)
	if isEdited(got, text, edits) {
		return Span{}
	}
	return differ(got, Apply(nil, text, edits))
}

// isEdited reports whether got is text with the edits.
func isEdited(got, text []byte, edits []Edit) bool {
	at := 0
	for _, e := range edits {
		if same := text[at:e.Start]; !bytes.HasPrefix(got, same) || !bytes.HasPrefix(got[len(same):], e.New) {
			return false
		}
		got, at = got[e.Start-at+len(e.New):], e.End
	}
	return bytes.Equal(got, text[at:])
}

// differ returns the shortest span of want outside which got is equal to want. The span is never the zero Span.
func differ(got, want []byte) Span {
	head, tail := 0, 0
	for head < len(got) && head < len(want) && got[head] == want[head] {
		head++
	}
	for tail < len(got)-head && tail < len(want)-head && got[len(got)-1-tail] == want[len(want)-1-tail] {
		tail++
	}
	return Span{head, max(len(want)-tail, head, 1)}
}
