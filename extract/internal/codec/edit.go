package codec

import (
	"cmp"
	"slices"
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

// Shift moves edits by n bytes, in place.
func Shift(edits []Edit, n int) []Edit {
	for i := range edits {
		edits[i].Start += n
		edits[i].End += n
	}
	return edits
}

// SortEdits puts edits in the order of the bytes; those at one place stay in theirs.
func SortEdits(edits []Edit) {
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
}
