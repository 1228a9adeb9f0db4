package codec

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
)

// Base64 is the transfer encoding of RFC 2045, 6.8. Each quantum of four letters is an atom, with the line
// breaks and junk inside it; line breaks and junk between quanta are atoms without text.
//
// Bytes outside the alphabet are skipped, as the RFC asks. A last quantum without its padding counts
// for the bytes it holds. Padding ends the data, and so does an empty line behind a whole quantum, unless
// all behind it is base64 again: such bodies were encoded in pieces, and are read on; else what stands
// there is no data (the footers of mailing lists, in the clear). The error says that the source had junk
// that is no white space, data or junk behind padding, or an end that is no whole quantum.
//
// A change of the text spells anew all from the first quantum that it changes to the end of the data, in
// lines as wide as the first and with line ends as found: CRLF where there is none.
var Base64 Codec = base64Codec{newline: "\r\n"}

// Base64LF is Base64 in what has LF line ends, for a source without one.
var Base64LF Codec = base64Codec{newline: "\n"}

// Base64Line is Base64 where no line break can stand: it stays one line.
var Base64Line Codec = base64Codec{line: true}

type base64Codec struct {
	newline string // if the source has none
	line    bool
}

const base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// base64Value is the six bits that each letter stands for; junk is at least 64.
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

func (c base64Codec) Decode(src []byte) ([]byte, error) { return c.decodeInto(nil, src) }

func (base64Codec) decodeInto(room *[]byte, src []byte) ([]byte, error) {
	var out []byte
	if room != nil {
		out = *room
	}
	if n := base64.StdEncoding.DecodedLen(len(src)); cap(out) < n {
		out = make([]byte, n)
	}
	out = out[:cap(out)]
	// The strict decoder knows no junk but line breaks, and what it takes is right.
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

// base64Quanta decodes whole quanta and the line breaks between them into dst, as far as there is
// nothing else: all but the end of most sources, in half the time of the strict decoder. It gives how
// much it has written and read.
func base64Quanta(dst, src []byte) (n, read int) {
	quantum := func(q []byte) uint32 { return spread[0][q[0]] | spread[1][q[1]] | spread[2][q[2]] | spread[3][q[3]] }
	for {
		for len(src)-read >= 8 && len(dst)-n >= 8 {
			a, b := quantum(src[read:read+4]), quantum(src[read+4:read+8])
			if a|b >= noLetter {
				break
			}
			binary.BigEndian.PutUint64(dst[n:], uint64(a)<<40|uint64(b)<<16)
			n, read = n+6, read+8
		}
		if len(src)-read < 4 || len(dst)-n < 3 {
			return n, read
		}
		q := quantum(src[read : read+4])
		switch {
		case q < noLetter:
			dst[n], dst[n+1], dst[n+2] = byte(q>>16), byte(q>>8), byte(q)
			n, read = n+3, read+4
		case src[read] == '\n':
			read++
		case src[read] == '\r' && src[read+1] == '\n':
			read += 2
		default:
			return n, read
		}
	}
}

// spread has the bits of a letter where its place among the four of a quantum puts them; noLetter
// for every other byte.
var spread = func() (t [4][256]uint32) {
	for place := range t {
		for b := range t[place] {
			if t[place][b] = noLetter; base64Value[b] < 64 {
				t[place][b] = uint32(base64Value[b]) << (18 - 6*place)
			}
		}
	}
	return t
}()

const noLetter = 1 << 24

func (base64Codec) Map(src []byte) ([]byte, Atoms, error) {
	var atoms Atoms
	text, err := base64Read(make([]byte, 0, base64.StdEncoding.DecodedLen(len(src))), src, &atoms)
	return text, atoms, err
}

// base64Read appends the text of src to dst, and notes the atoms unless they are nil.
func base64Read(dst, src []byte, atoms *Atoms) ([]byte, error) {
	text := dst
	var err error
	note := func(from, to, n int) {
		if atoms != nil {
			*atoms = atoms.add(from, len(text)-n, to-from, n)
		}
	}
	var bits uint32
	have, start, end := 0, 0, 0 // letters of the quantum at hand, where it began, where the last one ended
	closed := false             // there was padding, with nothing but base64 behind it
	only := false               // there was an empty line, with nothing but base64 behind it
	for i := 0; i < len(src); i++ {
		b := src[i]
		if v := base64Value[b]; v < 64 {
			if have == 0 {
				note(end, i, 0)
				start = i
			}
			bits = bits<<6 | uint32(v)
			if have++; have == 4 {
				text = append(text, byte(bits>>16), byte(bits>>8), byte(bits))
				end, have = i+1, 0
				note(start, end, 3)
			}
			continue
		}
		if b != '=' || have < 2 {
			// Padding where no quantum needs it is junk too.
			if !isSpace(b) {
				err = ErrUndecodable
			}
			if b == '\n' && have == 0 && end > 0 && !only && emptyLine(src[i+1:]) {
				if only = base64Only(src[i:]); !only {
					err = ErrUndecodable
					break
				}
			}
			continue
		}
		if have == 2 {
			// There should be one more.
			k := i + 1
			for k < len(src) && isSpace(src[k]) {
				k++
			}
			if k < len(src) && src[k] == '=' {
				i = k
			} else {
				err = ErrUndecodable
			}
		}
		n := have - 1
		text = base64Tail(text, bits, have)
		end, have = i+1, 0
		note(start, end, n)
		if !closed {
			closed = true
			if rest := trimSpace(src[end:]); len(rest) > 0 {
				err = ErrUndecodable
				if !base64Only(rest) {
					break
				}
			}
		}
	}
	switch have {
	case 1: // six bits are no byte
		err = ErrUndecodable
		end = start
	case 2, 3:
		err = ErrUndecodable
		text = base64Tail(text, bits, have)
		last := len(src)
		for last > start && base64Value[src[last-1]] >= 64 {
			last--
		}
		note(start, last, have-1)
		end = last
	}
	note(end, len(src), 0)
	return text, err
}

// base64Tail appends the bytes of a last quantum of two or three letters.
func base64Tail(text []byte, bits uint32, have int) []byte {
	if have == 2 {
		return append(text, byte(bits>>4))
	}
	return append(text, byte(bits>>10), byte(bits>>2))
}

// emptyLine says whether b begins with an empty line, or one of blanks.
func emptyLine(b []byte) bool {
	for _, x := range b {
		if x == '\n' {
			return true
		}
		if !isSpace(x) {
			break
		}
	}
	return false
}

// base64Only reports whether b has nothing but letters of the alphabet, padding and white space.
func base64Only(b []byte) bool {
	for _, x := range b {
		if base64Value[x] >= 64 && x != '=' && !isSpace(x) {
			return false
		}
	}
	return true
}

// widen makes one group of all from the first changed quantum to the end of the data.
func (base64Codec) widen(l *lifter, groups []group) []group {
	g := groups[0]
	for _, next := range groups[1:] {
		g.join(l.text, next)
	}
	whole := Span{g.src.Start, max(l.atoms.Source(len(l.text), true), g.src.End)}
	if t := g.text.Start; t > 0 {
		if src, text := l.atoms.widen(Span{t - 1, t}); text.Len() < 3 {
			whole.Start = src.Start // padding must not stay before new text
		} else if len(g.new) == 0 && g.text.End == len(l.text) {
			whole.Start = src.End // nor a line break, when nothing comes behind it
		}
	}
	l.extend(&g, whole)
	return append(groups[:0], g)
}

// short is for a source of whole quanta in lines that are all as wide, which most are: where the
// first changed quantum stands can be reckoned then, and what is spelled from there on reads as it
// should.
func (c base64Codec) short(src, text []byte, edits []Edit) ([]Edit, bool) {
	start := edits[0].Start
	if len(text)%3 != 0 && start >= len(text)-len(text)%3 || start == len(text) {
		return nil, false // at the end
	}
	width := max(bytes.IndexByte(src, '\n'), 0)
	eol := 1
	if width > 0 && src[width-1] == '\r' {
		width, eol = width-1, 2
	}
	end := len(src)
	for end > 0 && isSpace(src[end-1]) {
		end--
	}
	if width >= end {
		width = end
	}
	if width == 0 || width%4 != 0 || end%(width+eol)%4 != 0 || !allAsWide(src[:end], width, eol) {
		return nil, false
	}
	// No junk is in the lines, nor padding but at the end, if they hold as much text as they can.
	letters := end - end/(width+eol)*eol
	padding := len(src[:end]) - len(bytes.TrimRight(src[:end], "="))
	if letters != (len(text)+2)/3*4 || padding != (3-len(text)%3)%3 {
		return nil, false
	}
	at := start / 3 * 4 // letters before it
	if edits[0].Len() == 0 && start%3 == 0 && start > 0 {
		at += (at - 4) / width * eol // behind the quantum before, which is before the line break
	} else {
		at += at / width * eol
	}
	from := start / 3 * 3
	fresh := make([]byte, 0, len(text)-from+grown(edits))
	for _, e := range edits {
		fresh = append(append(fresh, text[from:e.Start]...), e.New...)
		from = e.End
	}
	fresh = append(fresh, text[from:]...)
	if len(fresh) == 0 {
		return nil, false
	}
	span := Span{at, end}
	return []Edit{{span, c.spell(nil, src, span, fresh)}}, true
}

// allAsWide says whether all lines of src, but for the last, have width bytes and one kind of end.
func allAsWide(src []byte, width, eol int) bool {
	for i := width; i < len(src); i += width + eol {
		if i+eol > len(src) || src[i+eol-1] != '\n' || eol == 2 && src[i] != '\r' {
			return false
		}
	}
	return true
}

// Encode spells text in lines as wide as the first line of src that has another below it, or 76 columns. One
// line that is longer is a source without line breaks, and stays one.
//
// When the span is all of src, white space behind the data stays; other bytes there would be lost
// or read as data, and the error says so. So would junk in the span be.
func (c base64Codec) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	var tail []byte
	if at.Start == 0 && at.End == len(src) {
		var atoms Atoms
		old, _ := base64Read(nil, src, &atoms)
		tail = src[atoms.Source(len(old), true):]
		if len(trimSpace(tail)) > 0 {
			return dst, fmt.Errorf("%w: bytes behind the end of base64 data", ErrCannotSpell)
		}
	}
	if !base64Only(src[at.Start : at.End-len(tail)]) {
		return dst, fmt.Errorf("%w: bytes in base64 data that are none", ErrCannotSpell)
	}
	return append(c.spell(dst, src, at, text), tail...), nil
}

// spell is Encode for a span of data alone.
func (c base64Codec) spell(dst, src []byte, at Span, text []byte) []byte {
	width, end := base64Lines(src, c.newline)
	if c.line {
		width = 0
	}
	col := letters(src[lineStart(src, at.Start):at.Start])
	out := slices.Grow(dst, (len(text)+2)/3*4+len(text)/max(width, columns)*2*len(end))
	if width%4 == 0 && col%4 == 0 {
		// A line holds whole quanta.
		for len(text) > 0 {
			if width > 0 && col >= width {
				out = append(out, end...)
				col = 0
			}
			n := len(text)
			if width > 0 {
				n = min(n, (width-col)/4*3)
			}
			out = appendBase64(out, text[:n])
			text, col = text[n:], width
		}
		return out
	}
	code := appendBase64(nil, text)
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

// appendBase64 is AppendEncode of the standard encoding in half the time: it looks two letters up at once.
func appendBase64(dst, text []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, base64.StdEncoding.EncodedLen(len(text)))[:n+base64.StdEncoding.EncodedLen(len(text))]
	out := dst[n:]
	for len(text) >= 8 && len(out) >= 8 {
		bits := binary.BigEndian.Uint64(text)
		binary.LittleEndian.PutUint64(out, uint64(letterPairs[bits>>52])|uint64(letterPairs[bits>>40&0xFFF])<<16|
			uint64(letterPairs[bits>>28&0xFFF])<<32|uint64(letterPairs[bits>>16&0xFFF])<<48)
		text, out = text[6:], out[8:]
	}
	for len(text) >= 3 && len(out) >= 4 {
		first, second := uint32(text[0])<<4|uint32(text[1])>>4, uint32(text[1])&0xF<<8|uint32(text[2])
		binary.LittleEndian.PutUint32(out, uint32(letterPairs[first])|uint32(letterPairs[second])<<16)
		text, out = text[3:], out[4:]
	}
	base64.StdEncoding.Encode(out, text)
	return dst
}

// letterPairs has the two letters of each twelve bits, the first one low.
var letterPairs = func() (t [1 << 12]uint16) {
	for i := range t {
		t[i] = uint16(base64Letters[i>>6]) | uint16(base64Letters[i&63])<<8
	}
	return t
}()

// base64Lines is the width of the lines of src, 0 for no limit, and what ends them: with what indents the second,
// as property lists have it. newline is for a source without line ends.
func base64Lines(src []byte, newline string) (width int, end string) {
	end = nearestNewline(src, Span{}, newline)
	for line := src; len(line) > 0; {
		i := bytes.IndexByte(line, '\n')
		if i < 0 {
			i = len(line)
		}
		width = letters(line[:i])
		line = line[min(i+1, len(line)):]
		if width > 0 {
			if len(trimSpace(line)) > 0 {
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

// letters is how many bytes of b are letters of the alphabet or padding.
func letters(b []byte) int {
	n := 0
	for _, x := range b {
		if base64Value[x] < 64 || x == '=' {
			n++
		}
	}
	return n
}
