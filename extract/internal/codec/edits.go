package codec

import (
	"cmp"
	"slices"
)

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
