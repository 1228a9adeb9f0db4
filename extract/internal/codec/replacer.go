package codec

import (
	"bytes"
	"fmt"

	"absolink/extract/internal/ascii"
)

// Replacer lifts the edits of many sources, and reuses its memory. The zero Replacer is ready for use. Goroutines must
// not share one.
type Replacer struct {
	room  []byte
	codec Codec      // of the previous edit
	plain *ascii.Set // the plain bytes of codec
	last  []byte     // the new bytes of the last plain edit, in room

	atoms        Atoms  // of the source that is lifted
	spelled, got []byte // the new source, and its text
}

// Replace appends to dst the edits that make src, which now spells text, spell want: the result of Lift for this one
// edit. It is faster than Lift if all bytes up to the end of the change, and the next byte, are plain. It copies want.
func (r *Replacer) Replace(dst []Edit, c Codec, src, text, want []byte) ([]Edit, error) {
	if c != r.codec {
		r.codec, r.plain, r.last = c, plainOf(c), nil
	}
	if r.plain != nil {
		head, tail := common(text, want)
		put, end := want[head:len(want)-tail], len(text)-tail
		if len(put) == 0 && head == end {
			return dst, nil
		}
		seen := end + 1
		if tail == 0 {
			seen = max(len(text), len(src))
		}
		if seen <= len(src) && r.plain.Holds(src[:seen]) && r.holds(put) {
			return append(dst, Edit{Span: Span{head, end}, New: r.last}), nil
		}
	}
	edits, err := r.Lift(c, src, text, []Edit{{Span: Span{0, len(text)}, New: bytes.Clone(want)}})
	return append(dst, edits...), err
}

// holds reports whether put is not empty and all its bytes are plain; r.last is then a copy of put. It compares put
// with the previous r.last first, because most links of a page get the same new bytes at their start.
func (r *Replacer) holds(put []byte) bool {
	if len(put) > 0 && bytes.Equal(put, r.last) {
		return true
	}
	if len(put) == 0 || !r.plain.Holds(put) {
		return false
	}
	if cap(r.room)-len(r.room) < len(put) {
		r.room = make([]byte, 0, max(len(put), replacerRoom)) // earlier edits still refer to the previous room
	}
	at := len(r.room)
	r.room = append(r.room, put...)
	r.last = r.room[at:len(r.room):len(r.room)]
	return true
}

const replacerRoom = 16 << 10

// Clear releases the memory of all edits that Replace has returned. They are no longer valid.
func (r *Replacer) Clear() { r.room, r.last = r.room[:0], nil }

// LiftEach is Lift for independent edits, like those of the links of a page. It trims edits in place. For an edit
// without a spelling it calls refused, with the index of the trimmed edit and an error that wraps ErrRefused, and lifts
// the others. It returns an error only if these have no spelling together.
func (r *Replacer) LiftEach(c Codec, src, text []byte, edits []Edit, refused func(i int, err error)) ([]Edit, error) {
	if isWhole(c) {
		return r.Lift(c, src, text, edits)
	}
	edits, err := Trim(text, edits)
	if err != nil {
		return nil, err
	}
	out, err := r.lift(c, src, text, edits)
	if err == nil {
		return out, nil
	}
	encode := encoderOf(c)
	var atoms Atoms
	atoms.Reset(len(src))
	if c.Map(src, text, &atoms); atoms.Full {
		return nil, err
	}
	var room, spelled []byte
	kept := edits[:0]
	for i, e := range edits {
		at, wide := atoms.Around(e.Span)
		room = append(room[:0], text[wide.Start:e.Start]...)
		room = append(room, e.New...)
		room = append(room, text[e.End:wide.End]...)
		var failed error
		if spelled, failed = encode(spelled[:0], src, at, room); failed != nil {
			refused(i, fmt.Errorf("%w: %w", ErrRefused, failed))
		} else {
			kept = append(kept, e)
		}
	}
	if len(kept) == len(edits) {
		return nil, err
	}
	return r.Lift(c, src, text, kept)
}
