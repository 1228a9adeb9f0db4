package codec

// A codec obeys one law: the text of the edited source is the edited text.
//
//	Decode(Apply(src, Lift(src, edits))) == Apply(Decode(src), edits)      Lift(src, nothing) == nothing

import (
	"bytes"
	"slices"
)

// Law returns the zero Span if the law holds for edits of the text of src and the edits of src that Lift returns for
// them. Otherwise it returns the span of the edited text that is wrong.
func Law(c Codec, src []byte, edits, lifted []Edit) Span {
	text, _ := c.Decode(src)
	return new(rooms).law(c, src, Apply(nil, text, edits), lifted)
}

// law is Law for the edited text want.
func (in *rooms) law(c Codec, src, want []byte, lifted []Edit) Span {
	in.spelled = Apply(slices.Grow(in.spelled[:0], len(src)+Grown(lifted)), src, lifted)
	got, _ := DecodeInto(&in.got, c, in.spelled)
	if bytes.Equal(got, want) {
		return Span{}
	}
	return differ(got, want)
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
