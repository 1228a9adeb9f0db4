package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

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

// rooms is the memory that one lift after the other works in.
type rooms struct {
	text, want, spelled, got []byte
	atoms                    Atoms
}

// mapper is a codec whose Map can take its text and atoms from rooms.
type mapper interface {
	mapInto(in *rooms, src []byte) ([]byte, Atoms)
}

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

// trim checks edits of text and cuts from each what it does not change, in whole characters.
// The result is fresh; its New share bytes with those of edits.
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
		}
	}
	return out, nil
}

// push appends an edit. It is written where it is to stand: a copy of what was just made would have to wait for it.
func push(edits []Edit, start, end int, put []byte) []Edit {
	edits = append(edits, Edit{})
	e := &edits[len(edits)-1]
	e.Start, e.End, e.New = start, end, put
	return edits
}

// common gives the lengths of the tail and the head that old and new share, in whole
// characters. The tail goes first: what makes a reference absolute is put before it.
func common(old, new []byte) (head, tail int) {
	if len(old) > 0 && bytes.HasSuffix(new, old) && utf8.RuneStart(old[0]) {
		return 0, len(old) // as it is with most references
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

func lastWord(b []byte) uint64 { return binary.LittleEndian.Uint64(b[len(b)-8:]) }

// grown is how many bytes the edits bring.
func grown(edits []Edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.New)
	}
	return n
}

// around widens those edits by n bytes that lie near the place in the wanted text where the law failed,
// in whole characters.
func around(edits []Edit, bad Span, text []byte, n int) []Edit {
	out := make([]Edit, 0, len(edits))
	shift, at := 0, 0 // from text to wanted text; the end of the edit before
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
		out, at = append(out, Edit{Span{from, to}, wide}), to
	}
	return out
}

// longestKept is the length of a source for which the memory of a lift is kept.
const longestKept = 1 << 20

// lifter is one call of Lift: src, what it spells, and what the result is to spell.
type lifter struct {
	c               Codec
	src, text, want []byte
	atoms           Atoms
	rooms           *rooms
}

// group is one edit in both worlds: src spells text and shall spell new.
type group struct {
	src, text Span
	new       []byte
}

// try spells edits of the text and checks the law, as check does.
func (l *lifter) try(edits []Edit) ([]Edit, Span, error) {
	groups := make([]group, 0, len(edits))
	at := 0 // the end of the edit before
	end := func() {
		if n := len(groups) - 1; n >= 0 {
			groups[n].new = append(groups[n].new, l.text[at:groups[n].text.End]...)
		}
	}
	for _, e := range edits {
		src, text := l.atoms.widen(e.Span)
		n := len(groups) - 1
		if n < 0 || groups[n].src.End < src.Start { // else the same atom, or side by side: one group
			end()
			groups = append(groups, group{src: src, text: text, new: make([]byte, 0, len(e.New)+text.Len()-e.Len())})
			n, at = n+1, text.Start
		}
		g := &groups[n]
		g.new = append(g.new, l.text[at:e.Start]...)
		g.new = append(g.new, e.New...)
		g.src.End, g.text.End, at = src.End, text.End, e.End
	}
	end()
	w, ok := l.c.(widener)
	if !ok {
		return l.check(groups)
	}
	out, bad, err := l.check(w.widen(l, groups))
	return tight(l.src, out), bad, err
}

// check spells the groups and reads the result back. It gives edits of the source, and the span of
// the wanted text that came out wrong: the zero Span when all is well.
func (l *lifter) check(groups []group) ([]Edit, Span, error) {
	out := make([]Edit, 0, len(groups))
	var buf []byte
	encode := l.c.Encode
	if o, ok := l.c.(ordered); ok {
		encode = o.inOrder()
	}
	for _, g := range groups {
		n := len(buf)
		var err error
		if buf, err = encode(buf, l.src, g.src, g.new); err != nil {
			return nil, Span{}, err
		}
		out = append(out, Edit{g.src, buf[n:len(buf):len(buf)]})
	}
	l.rooms.spelled = Apply(slices.Grow(l.rooms.spelled[:0], len(l.src)+len(buf)), l.src, out)
	got, _ := DecodeInto(&l.rooms.got, l.c, l.rooms.spelled)
	if bytes.Equal(got, l.want) {
		return out, Span{}, nil
	}
	return nil, differ(got, l.want), nil
}

// differ is the least span of want outside which got is the same; never the zero Span.
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

// set is a set of bytes.
type set [256]bool

// holds reports whether all bytes of b are in the set; nothing is in no set.
func (s *set) holds(b []byte) bool {
	if s == nil {
		return false
	}
	for _, c := range b {
		if !s[c] {
			return false
		}
	}
	return true
}

// setOf is the set of the bytes of each string.
func setOf(strs ...string) *set {
	var s set
	for _, str := range strs {
		for i := 0; i < len(str); i++ {
			s[str[i]] = true
		}
	}
	return &s
}

// not is the set of all other bytes.
func (s *set) not() *set {
	var n set
	for i := range s {
		n[i] = !s[i]
	}
	return &n
}
