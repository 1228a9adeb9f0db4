package codec

// This file has the helpers of Lift that cut, widen and compare edits.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// trim makes each edit of text shorter: it cuts the characters at the start and at the end that the edit does not change.
// It cuts only whole characters, and leaves out an edit that changes nothing. The result is a new list, whose New slices
// share memory with the slices of edits. The error wraps ErrRefused if the edits are not sorted, overlap or are outside
// text.
func trim(text []byte, edits []Edit) ([]Edit, error) {
	out := make([]Edit, 0, len(edits))
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			return nil, fmt.Errorf("%w: %w", ErrRefused, errEdits)
		}
		at = e.End
		head, tail := common(text[e.Start:e.End], e.New)
		start, end, put := e.Start+head, e.End-tail, e.New[head:len(e.New)-tail:len(e.New)-tail]
		if start < end || len(put) > 0 {
			out = push(out, start, end, put)
			out[len(out)-1].Changes = e.Changes
		}
	}
	return out, nil
}

// push appends an edit. It writes the fields in place, which is faster than to make an Edit and copy it.
func push(edits []Edit, start, end int, put []byte) []Edit {
	edits = append(edits, Edit{})
	e := &edits[len(edits)-1]
	e.Start, e.End, e.New = start, end, put
	return edits
}

// common returns the lengths of the head and the tail that old and new share, in whole characters. It finds the tail
// first, because a reference becomes absolute by new bytes before it.
func common(old, new []byte) (head, tail int) {
	if len(old) > 0 && bytes.HasSuffix(new, old) && utf8.RuneStart(old[0]) {
		return 0, len(old) // true for most references
	}
	for tail+8 <= min(len(old), len(new)) && lastWord(old[:len(old)-tail]) == lastWord(new[:len(new)-tail]) {
		tail += 8
	}
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

// lastWord returns the last eight bytes of b.
func lastWord(b []byte) uint64 { return binary.LittleEndian.Uint64(b[len(b)-8:]) }

// grown returns the number of new bytes in the edits.
func grown(edits []Edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.New)
	}
	return n
}

// around returns edits of text. It widens the edits that are near bad by n bytes on both sides, in whole characters.
// bad is the span of the wanted text for which the law failed.
func around(edits []Edit, bad Span, text []byte, n int) []Edit {
	out := make([]Edit, 0, len(edits))
	shift, at := 0, 0 // the difference of offsets between text and wanted text; the end of the previous edit
	for i, e := range edits {
		start := e.Start + shift
		shift += len(e.New) - e.Len()
		if end := e.End + shift; end+near < bad.Start || bad.End+near < start {
			out, at = append(out, e), e.End
			continue
		}
		next := len(text)
		if i+1 < len(edits) {
			next = edits[i+1].Start
		}
		from, to := max(e.Start-n, at), min(e.End+n, next)
		for from > at && !utf8.RuneStart(text[from]) {
			from--
		}
		for to < next && !utf8.RuneStart(text[to]) {
			to++
		}
		wide := append([]byte(nil), text[from:e.Start]...)
		wide = append(wide, e.New...)
		wide = append(wide, text[e.End:to]...)
		out, at = append(out, Edit{Span{from, to}, wide, e.Changes}), to
	}
	return out
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
