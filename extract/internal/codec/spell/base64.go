package spell

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// In this file a letter is one of the 64 characters of the alphabet, and junk is any other byte except padding.

// Base64 is the transfer encoding of RFC 2045, 6.8. A quantum is four letters, which stand for three bytes.
//
//	source   QUJD REVG ␍␊ RA==     three quanta; the last one has padding
//	         |    |    |  |
//	text     ABC  DEF     D
//
// Each quantum is an atom, together with line breaks and junk inside it. Line breaks and junk between quanta are atoms
// without text. Decode follows these rules:
//
//   - Bytes outside the alphabet are skipped, as the RFC requires.
//   - A last quantum without padding stands for the whole bytes that it contains.
//   - Padding ends the data, and so does an empty line or a line like "____" after a whole quantum, because mailing
//     lists append a footer to encoded bodies. What comes after the end is not data.
//   - If only base64 comes after the padding or the empty line, Decode reads on: the body was encoded in pieces.
//
// Junk that is not white space, text after the end of the data, missing or surplus padding, and a last quantum of one
// letter are a Damage. Text may be missing, so the Damage is an ErrUnread, if
//
//   - the last quantum has only one letter,
//   - the source has junk, and the last quantum is not whole, or
//   - the source has more than 1 + n/57 junk bytes for n bytes of text.
//
// Changing the text rewrites the data from the first changed quantum to its end, in lines as wide as the first one and
// with the line ends of the source. A source without line ends gets CRLF.
var Base64 codec.Codec = base64Codec{newline: "\r\n"}

// Base64LF is Base64 in a document with LF line ends. It writes LF if the source has no line end.
var Base64LF codec.Codec = base64Codec{newline: "\n"}

// Base64Line is Base64 in a place that cannot contain a line break. It writes one line.
var Base64Line codec.Codec = base64Codec{line: true}

type base64Codec struct {
	codec.Simple
	newline string // the line end to write if the source has none
	line    bool   // Encode writes no line ends
}

const base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// base64Value has the six bits of each letter, and 0xFF for other bytes.
var base64Value = func() *[256]byte {
	var v [256]byte
	for i := range v {
		v[i] = 0xFF
	}
	for i := range base64Letters {
		v[base64Letters[i]] = byte(i)
	}
	return &v
}()

func (c base64Codec) Decode(src []byte) ([]byte, error) { return c.DecodeInto(nil, src) }

func (base64Codec) DecodeInto(room *[]byte, src []byte) ([]byte, error) {
	var out []byte
	if room != nil {
		out = *room
	}
	if n := base64.StdEncoding.DecodedLen(len(src)); cap(out) < n {
		out = make([]byte, n)
	}
	out = out[:cap(out)]
	// The strict decoder of the library skips only line breaks. If it returns no error, its text is right.
	n, read := base64Quanta(out, src)
	rest, err := base64.StdEncoding.Decode(out[n:], src[read:])
	out = out[:n+rest]
	if err != nil {
		out, err = base64Read(out[:0], src, nil)
	}
	if room != nil {
		*room = out[:0]
	}
	return out, err
}

// base64Quanta decodes into dst the lines that are as wide as the first one, and stops before any other line, so
// usually before the last. It returns the number of bytes written and read. It needs less than half the time of the
// strict decoder: without it, the links of an mbox take 5 % longer.
func base64Quanta(dst, src []byte) (n, read int) {
	width, spread := base64Width(src), spread()
	for len(src)-read > width && base64Row(spread, dst[n:], src[read:read+width]) {
		n, read = n+width/4*3, read+width
		read += ascii.NewlineLen(src[read:])
	}
	return n, read
}

// base64Width returns the width of the rows for base64Row: that of the first line, or columns if that line is too long
// or ends inside a quantum.
func base64Width(src []byte) int {
	width := bytes.IndexByte(src[:min(len(src), 2*columns)], '\n')
	if width > 0 && src[width-1] == '\r' {
		width--
	}
	if width <= 0 || width%4 != 0 {
		return columns
	}
	return width
}

// base64Row decodes a row of letters into dst. It returns false if the row has other bytes or dst has no room for the
// text, and may have written to dst even then: it checks at the end of the row, because a branch per quantum is slow.
func base64Row(spread *[4][256]uint32, dst, row []byte) bool {
	seen := uint32(0)
	for len(row) >= 16 && len(dst) >= 14 {
		r, d := (*[16]byte)(row), (*[14]byte)(dst)
		a := spread[0][r[0]] | spread[1][r[1]] | spread[2][r[2]] | spread[3][r[3]]
		b := spread[0][r[4]] | spread[1][r[5]] | spread[2][r[6]] | spread[3][r[7]]
		binary.BigEndian.PutUint64(d[:], uint64(a)<<40|uint64(b)<<16)
		seen |= a | b
		a = spread[0][r[8]] | spread[1][r[9]] | spread[2][r[10]] | spread[3][r[11]]
		b = spread[0][r[12]] | spread[1][r[13]] | spread[2][r[14]] | spread[3][r[15]]
		binary.BigEndian.PutUint64(d[6:], uint64(a)<<40|uint64(b)<<16)
		seen |= a | b
		dst, row = dst[12:], row[16:]
	}
	for len(row) >= 4 && len(dst) >= 4 {
		a := spread[0][row[0]] | spread[1][row[1]] | spread[2][row[2]] | spread[3][row[3]]
		binary.BigEndian.PutUint32(dst, a<<8)
		seen |= a
		dst, row = dst[3:], row[4:]
	}
	return len(row) == 0 && seen < noLetter
}

// spread returns a table whose row i has, for each byte, the six bits it contributes as letter i of a quantum, shifted
// to their place in the quantum's 24 bits, or noLetter if the byte is not a letter.
var spread = sync.OnceValue(func() *[4][256]uint32 {
	var t [4][256]uint32
	for place := range t {
		for b := range t[place] {
			if t[place][b] = noLetter; base64Value[b] < 64 {
				t[place][b] = uint32(base64Value[b]) << (18 - 6*place)
			}
		}
	}
	return &t
})

const noLetter = 1 << 24

// Map is fast for a source of whole quanta in lines of one width.
func (base64Codec) Map(src, text []byte, atoms *codec.Atoms) {
	if shape, ok := shapeOf(src, text); ok {
		shape.add(src, text, atoms)
	} else {
		base64Read(nil, src, atoms)
	}
}

// base64Read appends the text of src to dst, and adds the atoms to *atoms unless atoms is nil.
func base64Read(dst, src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := base64Reader{src: src, text: dst, atoms: atoms}
	for r.at < len(src) {
		r.letters()
		if r.at < len(src) {
			r.other()
		}
	}
	r.finish()
	return r.text, r.damage()
}

func (r *base64Reader) damage() error {
	if r.junk > 0 {
		r.wrong.Unread = r.wrong.Unread || r.junk > 1+len(r.text)/(columns/4*3)
		what := fmt.Sprintf("%q is not in the base64 alphabet; it was skipped%s", r.src[r.first:r.first+1],
			andMore(r.junk))
		if r.wrong.Offset, r.wrong.What = r.first, what; r.wrong.Unread {
			r.wrong.What += "; text may be missing"
		}
	}
	if r.wrong.What == "" {
		return nil
	}
	d := r.wrong
	return &d
}

// base64Reader reads base64 data with junk in it.
type base64Reader struct {
	src   []byte
	at    int // of the next byte of src
	text  []byte
	atoms *codec.Atoms // nil if the caller does not need atoms
	wrong codec.Damage // the first damage, or the first damage that loses text; What is "" if there is none
	junk  int          // the number of junk bytes that are not white space
	first int          // the offset of the first such byte

	bits  uint32 // the bits of the current quantum
	have  int    // the number of letters in the current quantum
	start int    // the offset of its first letter
	end   int    // the end of the previous quantum

	closed bool // padding was read, and only base64 comes after it
	only   bool // an empty line was read, and only base64 comes after it
}

// note adds the atom src[from:to], which stands for n bytes of text at offset text.
func (r *base64Reader) note(from, to, text, n int) {
	if r.atoms != nil {
		r.atoms.Add(from, text, to-from, n)
	}
}

func (r *base64Reader) letters() {
	src, text, bits, have, i := r.src, r.text, r.bits, r.have, r.at
	for ; i < len(src); i++ {
		v := base64Value[src[i]]
		if v >= 64 {
			break
		}
		if have == 0 {
			r.note(r.end, i, len(text), 0)
			r.start = i
		}
		bits = bits<<6 | uint32(v)
		if have++; have == 4 {
			r.end, have = i+1, 0
			r.note(r.start, r.end, len(text), 3)
			text = append(text, byte(bits>>16), byte(bits>>8), byte(bits))
		}
	}
	r.text, r.bits, r.have, r.at = text, bits, have, i
}

// other reads one byte that is not a letter, or the whole padding of a quantum.
func (r *base64Reader) other() {
	b := r.src[r.at]
	r.at++
	if b == '=' && r.have >= 2 {
		r.padding()
		return
	}
	if b == '=' { // padding, but the quantum does not need it
		r.fault(r.at-1, "the base64 padding \"=\" is not needed here; it was skipped", false)
	} else if !ascii.IsSpace(b) {
		if r.junk++; r.junk == 1 {
			r.first = r.at - 1
		}
	}
	if b == '\n' && r.have == 0 && r.end > 0 && !r.only {
		switch rest := r.src[r.at:]; {
		case ruleLine(rest):
			r.stop()
		case emptyLine(rest):
			if r.only = inBase64.Holds(rest); !r.only {
				r.stop()
			}
		}
	}
}

// padding ends the quantum after its first "=", and after the second one if the quantum has two letters.
func (r *base64Reader) padding() {
	if r.have == 2 {
		i := r.at
		for i < len(r.src) && ascii.IsSpace(r.src[i]) {
			i++
		}
		if i < len(r.src) && r.src[i] == '=' {
			r.at = i + 1
		} else {
			r.fault(r.at-1, "the base64 padding has one \"=\" instead of two; the data before it was read", r.junk > 0)
		}
	}
	r.tail(r.at)
	if r.closed {
		return
	}
	r.closed = true
	if rest := ascii.Trimmed(r.src[r.at:]); len(rest) > 0 {
		if !inBase64.Holds(rest) {
			r.stop()
			return
		}
		r.fault(r.at, "more base64 data after the padding \"=\"; it was read, too", false)
	}
}

// stop ends the data; the rest of the source stays as it is.
func (r *base64Reader) stop() {
	r.fault(r.at, "the base64 data ends here; the text after it was left unchanged", false)
	r.at = len(r.src)
}

// fault keeps the first damage, or the first one that loses text (unread) if there is one.
func (r *base64Reader) fault(offset int, what string, unread bool) {
	if r.wrong.What == "" || unread && !r.wrong.Unread {
		r.wrong = codec.Damage{Offset: offset, What: what, Unread: unread}
	}
}

// finish ends a last quantum that has no padding.
func (r *base64Reader) finish() {
	switch r.have {
	case 1: // six bits are less than a byte
		r.fault(r.start, "the base64 data ends with a single character, which is less than a byte; it was skipped",
			true)
		r.end = r.start
	case 2, 3:
		r.fault(r.start, "the base64 data ends without its padding \"=\"; all data was read", r.junk > 0)
		last := len(r.src)
		for last > r.start && base64Value[r.src[last-1]] >= 64 {
			last--
		}
		r.tail(last)
	}
	r.note(r.end, len(r.src), len(r.text), 0)
}

// tail ends a quantum of two or three letters, before src[end].
func (r *base64Reader) tail(end int) {
	r.note(r.start, end, len(r.text), r.have-1)
	r.text = base64Tail(r.text, r.bits, r.have)
	r.end, r.have = end, 0
}

// base64Tail appends the bytes of a last quantum of two or three letters.
func base64Tail(text []byte, bits uint32, have int) []byte {
	if have == 2 {
		return append(text, byte(bits>>4))
	}
	return append(text, byte(bits>>10), byte(bits>>2))
}

// Widen returns one group, from the first changed quantum to the end of the data.
func (base64Codec) Widen(l *codec.Lifting, groups []codec.Group) []codec.Group {
	g := groups[0]
	for _, next := range groups[1:] {
		g.Join(l.Text, next)
	}
	whole := codec.Span{Start: g.Src.Start, End: max(l.Atoms.Source(len(l.Text), true), g.Src.End)}
	if t := g.Text.Start; t > 0 {
		if src, text := l.Atoms.Around(codec.Span{Start: t - 1, End: t}); text.Len() < 3 {
			whole.Start = src.Start // new data must not follow padding
		} else if len(g.New) == 0 && g.Text.End == len(l.Text) {
			whole.Start = src.End // the last line break must go if no data follows it
		}
	}
	l.Extend(&g, whole)
	return append(groups[:0], g)
}

// Short handles a source of whole quanta in lines of one width, as most are. There the place of the first changed
// quantum follows from the width, so the source need not be mapped.
func (c base64Codec) Short(src, text []byte, edits []codec.Edit) ([]codec.Edit, bool) {
	start := edits[0].Start
	if start >= len(text)-len(text)%3 {
		return nil, false // a change at the end, or of the last quantum with padding
	}
	shape, ok := shapeOf(src, text)
	if !ok {
		return nil, false
	}
	from := start / 3 * 3
	fresh := make([]byte, 0, len(text)-from+codec.Grown(edits))
	for _, e := range edits {
		fresh = append(append(fresh, text[from:e.Start]...), e.New...)
		from = e.End
	}
	fresh = append(fresh, text[from:]...)
	if len(fresh) == 0 {
		return nil, false
	}
	span := codec.Span{Start: shape.place(edits[0]), End: shape.end}
	return codec.Tight(src, []codec.Edit{{Span: span, New: c.spell(nil, src, span, fresh),
		Changes: codec.Joined(edits)}}), true
}

// allAsWide reports whether all lines of src except the last one have width bytes and a line end of eol bytes.
func allAsWide(src []byte, width, eol int) bool {
	for i := width; i < len(src); i += width + eol {
		if i+eol > len(src) || src[i+eol-1] != '\n' || eol == 2 && src[i] != '\r' {
			return false
		}
	}
	return true
}

// Encode spells text in lines as wide as the first line of src that has another line after it, or else of 76 columns. A
// source that is one longer line stays one line.
//
// If the span is the whole src, the white space after the data stays. Encode returns an error if other bytes come after
// the data, or if the span contains junk, because the new data would replace these bytes or be joined to them. It also
// returns an error if padding kept text, or another piece of data, from many programs that would now decode it.
func (c base64Codec) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	var tail []byte
	if at.Start == 0 && at.End == len(src) {
		var atoms codec.Atoms
		old, _ := base64Read(nil, src, &atoms)
		tail = src[atoms.Source(len(old), true):]
		if len(ascii.Trimmed(tail)) > 0 {
			return dst, fmt.Errorf("%w: new base64 data would be joined to the text after the data",
				codec.ErrCannotSpell)
		}
	}
	for i, b := range src[at.Start : at.End-len(tail)] {
		if !inBase64[b] {
			return dst, fmt.Errorf("%w: new base64 data would replace %q at byte %d of the data, which is not in "+
				"the base64 alphabet", codec.ErrCannotSpell, string([]byte{b}), at.Start+i)
		}
	}
	if i := bytes.IndexByte(src[at.Start:at.End], '='); i >= 0 {
		after := bytes.TrimLeft(src[at.Start+i:], "= \t\n\f\r")
		if len(after) > len(src)-at.End || len(after) > 0 && len(text)%3 == 0 {
			return dst, fmt.Errorf("%w: many programs stop at the padding \"=\" of base64 data, and would decode "+
				"the text after it without this padding", codec.ErrCannotSpell)
		}
	}
	return append(c.spell(dst, src, at, text), tail...), nil
}

// spell is Encode for a span that contains only data.
func (c base64Codec) spell(dst, src []byte, at codec.Span, text []byte) []byte {
	width, end := base64Lines(src, c.newline)
	if c.line {
		width = 0
	}
	col := letters(src[lineStart(src, at.Start):at.Start])
	out := slices.Grow(dst, (len(text)+2)/3*4+len(text)/max(width, columns)*2*len(end))
	if width%4 == 0 && col%4 == 0 {
		w := base64Writer{out: out, width: width, end: end, col: col}
		w.write(text)
		return w.out
	}
	code := base64.StdEncoding.AppendEncode(nil, text)
	for len(code) > 0 {
		if width > 0 && col >= width {
			out = append(out, end...)
			col = 0
		}
		n := len(code)
		if width > 0 {
			n = min(n, width-col)
		}
		out = append(out, code[:n]...)
		code, col = code[n:], col+n
	}
	return out
}

// base64Writer writes lines of whole quanta.
type base64Writer struct {
	out   []byte
	width int    // of a line, or 0 for no limit
	end   string // of a line
	col   int    // the column after out
}

// write appends the spelling of text, which must be whole quanta if more text follows.
func (w *base64Writer) write(text []byte) {
	for len(text) > 0 {
		if w.width > 0 && w.col >= w.width {
			w.out = append(w.out, w.end...)
			w.col = 0
		}
		n := len(text)
		if w.width > 0 {
			n = min(n, (w.width-w.col)/4*3)
		}
		w.out = base64.StdEncoding.AppendEncode(w.out, text[:n])
		text, w.col = text[n:], w.col+(n+2)/3*4
	}
}

// base64Lines returns the width of the lines of src, or 0 for no limit. end is the line end, together with the
// indentation of the second line, which property lists have. newline is the line end of a source without line ends.
func base64Lines(src []byte, newline string) (width int, end string) {
	end = nearestNewline(src, codec.Span{}, newline)
	for line := src; len(line) > 0; {
		i := bytes.IndexByte(line, '\n')
		if i < 0 {
			i = len(line)
		}
		width = letters(line[:i])
		line = line[min(i+1, len(line)):]
		if width > 0 {
			if len(ascii.Trimmed(line)) > 0 {
				return width, end + string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
			}
			break
		}
	}
	if width > columns {
		return 0, end
	}
	return columns, end
}

// letters returns the number of letters and padding bytes in b.
func letters(b []byte) int {
	n := 0
	for _, x := range b {
		if base64Value[x] < 64 || x == '=' {
			n++
		}
	}
	return n
}

// emptyLine reports whether b starts with a line that is empty or has only white space.
func emptyLine(b []byte) bool {
	n := bytes.IndexByte(b, '\n')
	return n >= 0 && len(ascii.Trimmed(b[:n])) == 0
}

// ruleLine reports whether b starts with a line that sets off a footer, like "____" or "-- ": at least two characters,
// none of them base64.
func ruleLine(b []byte) bool {
	n := 0
	for _, x := range b {
		switch {
		case x == '\n':
			return n >= 2
		case ascii.IsSpace(x):
		case inBase64[x]:
			return false
		default:
			n++
		}
	}
	return n >= 2
}

// inBase64 has the letters, padding and white space.
var inBase64 = ascii.SetOf(base64Letters, "= \t\n\f\r")

// base64Shape is the shape of a source of whole quanta in lines of one width, which most sources have.
type base64Shape struct {
	width, eol int // the length of a line, and of its line end
	end        int // the end of the data
}

func shapeOf(src, text []byte) (s base64Shape, ok bool) {
	s.width, s.eol = bytes.IndexByte(src, '\n'), 1
	if s.width < 0 {
		s.width = len(src)
	} else if s.width > 0 && src[s.width-1] == '\r' {
		s.width, s.eol = s.width-1, 2
	}
	s.end = len(src)
	for s.end > 0 && ascii.IsSpace(src[s.end-1]) {
		s.end--
	}
	if s.width >= s.end {
		s.width = s.end
	}
	if s.width == 0 || s.width%4 != 0 || s.end%(s.width+s.eol)%4 != 0 || !allAsWide(src[:s.end], s.width, s.eol) {
		return s, false
	}
	// There is no junk, and padding only at the end, if the text is as long as so many letters can spell.
	letters := s.end - s.end/(s.width+s.eol)*s.eol
	padding := s.end - len(bytes.TrimRight(src[:s.end], "="))
	return s, letters == (len(text)+2)/3*4 && padding == (3-len(text)%3)%3
}

// place returns the source offset of the first quantum that an edit of the text changes.
func (s base64Shape) place(e codec.Edit) int {
	at := e.Start / 3 * 4 // the number of letters before it
	if e.Len() == 0 && e.Start%3 == 0 && e.Start > 0 {
		return at + (at-4)/s.width*s.eol // directly after the quantum before, and before a line break
	}
	return at + at/s.width*s.eol
}

func (s base64Shape) add(src, text []byte, atoms *codec.Atoms) {
	at, t := 0, 0
	for at < s.end {
		n := min(s.width, s.end-at) / 4
		whole := min(n, (len(text)-t)/3)
		atoms.AddRun(codec.Atom{Src: at, Text: t, N: whole, SrcLen: 4, TextLen: 3})
		if at, t = at+4*whole, t+3*whole; whole < n { // the last quantum has padding
			atoms.Add(at, t, 4, len(text)-t)
			at, t = at+4, len(text)
		}
		if at < s.end {
			atoms.Add(at, t, s.eol, 0)
			at += s.eol
		}
	}
	atoms.Add(at, t, len(src)-at, 0)
}

func (base64Codec) InPlace() bool { return false }
