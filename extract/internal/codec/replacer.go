package codec

import (
	"bytes"
	"fmt"
	"slices"
)

// Replacer makes edits and keeps their bytes, or those it works in. The zero Replacer is ready; it is not for several
// goroutines at once.
type Replacer struct {
	rooms rooms
	room  []byte
	codec Codec  // of the edit before
	plain *set   // of that; see plainer
	last  []byte // the bytes of the last one that was plain, in room
}

// Replace appends to dst the edits that make src spell new instead of text, which it
// spells now: Lift of the one edit, made short where all bytes up to the end of what changes, and
// the one behind it, are plain. new is copied.
func (r *Replacer) Replace(dst []Edit, c Codec, src, text, new []byte) ([]Edit, error) {
	if c != r.codec {
		r.use(c)
	}
	if r.plain != nil {
		head, tail := common(text, new)
		put, end := new[head:len(new)-tail], len(text)-tail
		if len(put) == 0 && head == end {
			return dst, nil
		}
		seen := end + 1
		if tail == 0 {
			seen = max(len(text), len(src))
		}
		if seen <= len(src) && r.plain.holds(src[:seen]) && r.holds(put) {
			return push(dst, head, end, r.last), nil
		}
	}
	edits, err := r.Lift(c, src, text, []Edit{{Span{0, len(text)}, bytes.Clone(new)}})
	return append(dst, edits...), err
}

// use readies the Replacer for edits of another codec than the last one.
func (r *Replacer) use(c Codec) {
	r.codec, r.plain, r.last = c, nil, nil
	if p, ok := c.(plainer); ok {
		r.plain = p.plain()
	}
}

// holds reports whether all of put is plain, and makes it the last. Most links of a page get the
// same bytes put before them.
func (r *Replacer) holds(put []byte) bool {
	if len(put) > 0 && bytes.Equal(put, r.last) {
		return true
	}
	if len(put) == 0 || !r.plain.holds(put) {
		return false
	}
	if cap(r.room)-len(r.room) < len(put) {
		r.room = make([]byte, 0, max(len(put), replacerRoom)) // the edits keep what they need of the one before
	}
	at := len(r.room)
	r.room = append(r.room, put...)
	r.last = r.room[at:len(r.room):len(r.room)]
	return true
}

const replacerRoom = 16 << 10

// Clear lets go of the bytes of all edits.
func (r *Replacer) Clear() { r.room, r.last = r.room[:0], nil }

// Lift is the function of that name, working in memory that the Replacer keeps; what it gives does not lie there.
func (r *Replacer) Lift(c Codec, src, text []byte, edits []Edit) ([]Edit, error) {
	if len(edits) == 0 {
		return nil, nil
	}
	if s, ok := c.(shortcut); ok {
		trimmed, err := trim(text, edits)
		if len(trimmed) == 0 || err != nil {
			return nil, err
		}
		if out, ok := s.short(src, text, trimmed); ok {
			return out, nil
		}
	}
	if p, ok := c.(plainer); ok && p.plain().holds(src) {
		// Here the text is src and the law holds by the meaning of plain.
		return r.liftPlain(c, p.plain(), src, edits)
	}
	return r.lift(c, src, edits)
}

// liftPlain is Lift for a source of plain bytes. Text of other bytes goes the long way, and so does
// a deletion, which may leave nothing: not every place can hold nothing.
func (r *Replacer) liftPlain(c Codec, plain *set, src []byte, edits []Edit) ([]Edit, error) {
	trimmed, err := trim(src, edits)
	if len(trimmed) == 0 || err != nil {
		return nil, err
	}
	for _, e := range trimmed {
		if len(e.New) == 0 || !plain.holds(e.New) {
			return r.lift(c, src, edits)
		}
	}
	return trimmed, nil
}

func (r *Replacer) lift(c Codec, src []byte, edits []Edit) ([]Edit, error) {
	if len(src) > longestKept {
		r = new(Replacer)
	}
	l := lifter{c: c, src: src, rooms: &r.rooms}
	if m, ok := c.(mapper); ok {
		l.text, l.atoms = m.mapInto(&r.rooms, src)
	} else {
		l.text, l.atoms, _ = c.Map(src)
	}
	text := l.text
	edits, err := trim(text, edits)
	if len(edits) == 0 || err != nil {
		return nil, err
	}
	want := Apply(slices.Grow(r.rooms.want[:0], len(text)+grown(edits)), text, edits)
	l.want, r.rooms.want = want, want
	out, bad, err := l.try(edits)
	for _, n := range []int{1, near} { // a CRLF spelled anew is an LF
		if err == nil && bad != (Span{}) {
			out, bad, err = l.try(around(edits, bad, text, n))
		}
	}
	if err == nil && bad != (Span{}) {
		// From the first text to the last, which keeps blanks around it.
		out, bad, err = l.try([]Edit{{Span{0, len(text)}, want}})
	}
	if err == nil && bad != (Span{}) {
		out, bad, err = l.check([]group{{src: Span{0, len(src)}, text: Span{0, len(text)}, new: want}})
	}
	if err == nil && bad != (Span{}) {
		err = errLaw
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return out, nil
}

// longestKept is the length of a source for which the memory of a lift is kept.
const longestKept = 1 << 20

// rooms is the memory that one lift after the other works in.
type rooms struct {
	text, want, spelled, got []byte
	atoms                    Atoms
}

// mapper is a codec whose Map can take its text and atoms from rooms.
type mapper interface {
	mapInto(in *rooms, src []byte) ([]byte, Atoms)
}

// LiftEach is Lift for edits that do not depend on one another, such as those of the links of a page: an edit that
// cannot be spelled does not take the others along. refused is called for each, with its index and an error that wraps
// ErrRefused. LiftEach fails only if the others cannot be spelled together.
func (r *Replacer) LiftEach(c Codec, src, text []byte, edits []Edit, refused func(i int, err error)) ([]Edit, error) {
	out, err := r.Lift(c, src, text, edits)
	if err == nil {
		return out, nil
	}
	encode := c.Encode
	if o, ok := c.(ordered); ok {
		encode = o.inOrder()
	}
	_, atoms, _ := c.Map(src)
	var room, spelled []byte
	kept := make([]Edit, 0, len(edits))
	for i, e := range edits {
		if e.Start < 0 || e.End < e.Start || e.End > len(text) {
			return nil, err
		}
		head, tail := common(text[e.Start:e.End], e.New)
		start, end := e.Start+head, e.End-tail
		at, wide := atoms.widen(Span{start, end})
		room = append(room[:0], text[wide.Start:start]...)
		room = append(room, e.New[head:len(e.New)-tail]...)
		room = append(room, text[end:wide.End]...)
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
