package codec

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Span is the bytes [Start, End) of one text, with 0 <= Start <= End. An empty Span is the place before the byte at
// Start.
type Span struct{ Start, End int }

func (s Span) Len() int { return s.End - s.Start }

// Edit is a Span and the bytes that replace it. The edits of a list are sorted by Start and do not overlap; two
// insertions at one place keep the order of the list. New belongs to the function that made the edit, and all others
// only read it.
type Edit struct {
	Span
	New     []byte
	Changes *Changes // nil if the edit changes no link, but a field like a length
}

// Changes is a list of the links that one edit changes. When edits of a text are joined into a longer edit of the
// source, that edit has the Changes of all of them. Changes belongs to the function that made the edit, and all others
// only read it.
type Changes struct {
	N    int      // the number of links
	Of   any      // what the caller knows about the link, or nil; if it is not nil, N is 1
	Next *Changes // the other links, or nil
}

func Joined(edits []Edit) *Changes {
	if len(edits) == 1 {
		return edits[0].Changes
	}
	var all Changes
	last := &all
	for i := range edits {
		for c := edits[i].Changes; c != nil; c = c.Next {
			if c.Of == nil {
				all.N += c.N
				continue
			}
			last.Next = &Changes{N: c.N, Of: c.Of}
			last = last.Next
		}
	}
	if all.N == 0 {
		return all.Next
	}
	return &all
}

// Apply appends src, with the edits applied, to dst and returns the extended slice. The edits are sorted, do not
// overlap and are within src. dst must not overlap src.
func Apply(dst, src []byte, edits []Edit) []byte {
	at := 0
	for _, e := range edits {
		dst = append(dst, src[at:e.Start]...)
		dst = append(dst, e.New...)
		at = e.End
	}
	return append(dst, src[at:]...)
}

// Shift adds n to the offsets of the edits, in place, and returns the edits.
func Shift(edits []Edit, n int) []Edit {
	for i := range edits {
		edits[i].Start += n
		edits[i].End += n
	}
	return edits
}

// SortEdits sorts edits by Start, and keeps the order of edits with the same Start.
func SortEdits(edits []Edit) {
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
}

// Trim cuts from each edit of text the whole characters at its start and its end that it does not change, and leaves
// out an edit that changes nothing. It works in place. The error wraps ErrRefused if the edits are not sorted, overlap
// or are outside text.
func Trim(text []byte, edits []Edit) ([]Edit, error) {
	out := edits[:0]
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			return nil, fmt.Errorf("%w: %w", ErrRefused, errEdits)
		}
		at = e.End
		head, tail := common(text[e.Start:e.End], e.New)
		start, end, put := e.Start+head, e.End-tail, e.New[head:len(e.New)-tail:len(e.New)-tail]
		if start < end || len(put) > 0 {
			out = append(out, Edit{Span{start, end}, put, e.Changes})
		}
	}
	return out, nil
}

// common returns the lengths of the head and the tail that old and new share, in whole characters. The tail comes
// first, because a reference becomes absolute by new bytes before it.
func common(old, new []byte) (head, tail int) {
	for tail < len(old) && tail < len(new) && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(old[len(old)-tail]) {
		tail--
	}
	old, new = old[:len(old)-tail], new[:len(new)-tail]
	for head < len(old) && head < len(new) && old[head] == new[head] {
		head++
	}
	for head > 0 && (head < len(old) && !utf8.RuneStart(old[head]) || head < len(new) && !utf8.RuneStart(new[head])) {
		head--
	}
	return head, tail
}

// EditedLen returns the length of a text of n bytes with the edits.
func EditedLen(n int, edits []Edit) int {
	for i := range edits {
		n += len(edits[i].New) - edits[i].Len()
	}
	return n
}

// AsOne returns one edit of the whole text that makes all edits.
func AsOne(text []byte, edits []Edit) Edit {
	return Edit{Span{0, len(text)}, Apply(make([]byte, 0, EditedLen(len(text), edits)), text, edits), Joined(edits)}
}

// Grown returns the number of new bytes in the edits.
func Grown(edits []Edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.New)
	}
	return n
}
