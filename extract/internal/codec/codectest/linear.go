package codectest

import (
	"fmt"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/internal/longtest"
)

// Repeated is a source: the first string, and the second many times.
type Repeated [2]string

// Mega is the usual length of a long source.
const Mega = 1 << 20

// Linear checks that the time of Decode and Lift is linear in the length of a source, up to most bytes. It also checks
// the law for the longest source, or for a shorter one in a plain test. edits returns the edits of a text.
func Linear(t *testing.T, name string, c codec.Codec, row Repeated, most int, edits func(text []byte) []codec.Edit) {
	t.Helper()
	prepare := func(n int) (src, text []byte, put []codec.Edit) {
		src = []byte(row[0] + strings.Repeat(row[1], max(n/len(row[1]), 1)))
		text, _ = c.Decode(src)
		return src, text, edits(text)
	}
	longtest.Linear(t, fmt.Sprintf("%s %q", name, row[1]), most, func(n int) func() {
		src, _, put := prepare(n)
		return func() {
			text, _ := c.Decode(src)
			_, _ = codec.Lift(c, src, text, put)
		}
	})
	if t.Failed() {
		t.FailNow() // the longest source would take minutes
	}
	src, text, put := prepare(longtest.Or(most/64, most))
	if lifted, err := codec.Lift(c, src, text, put); err == nil {
		lawOf(t, c, src, text, put, lifted)
	}
}

// AtEnds returns edits at both ends of a text.
func AtEnds(text []byte) []codec.Edit {
	return []codec.Edit{{Span: codec.Span{Start: 0, End: 0}, New: []byte("x")},
		{Span: codec.Span{Start: len(text), End: len(text)}, New: []byte("1")}}
}

// EverySome returns a function that inserts put at every 512th byte of a text.
func EverySome(put string) func(text []byte) []codec.Edit {
	return func(text []byte) (edits []codec.Edit) {
		for i := 0; i < len(text); i += 512 {
			edits = append(edits, codec.Edit{Span: codec.Span{Start: i, End: i}, New: []byte(put)})
		}
		return edits
	}
}
