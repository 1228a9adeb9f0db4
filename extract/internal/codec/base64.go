package codec

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// Base64 is the transfer encoding of RFC 2045, 6.8. Each quantum of four letters is an atom, with the line
// breaks and junk inside it; line breaks and junk between quanta are atoms without text.
//
// Bytes outside the alphabet are skipped, as the RFC asks. A last quantum without its padding counts
// for the bytes it holds. Padding ends the data, and so does an empty line behind a whole quantum, unless
// all behind it is base64 again: such bodies were encoded in pieces, and are read on; else what stands
// there is no data (the footers of mailing lists, in the clear). The error says that the source had junk
// that is no white space, data or junk behind padding, or an end that is no whole quantum. It is ErrUnread if
// letters were lost: a single letter is no byte, and junk with an end that is no whole quantum stands for a letter.
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

// base64Read appends the text of src to dst, and adds the atoms to atoms unless that is nil.
func base64Read(dst, src []byte, atoms *Atoms) ([]byte, error) {
	r := base64Reader{src: src, text: dst, atoms: atoms}
	for r.at < len(src) {
		r.letters()
		if r.at < len(src) {
			r.other()
		}
	}
	r.finish()
	return r.text, r.err
}

// base64Reader reads base64 data with junk in it.
type base64Reader struct {
	src   []byte
	at    int // of the next byte of src
	text  []byte
	atoms *Atoms // nil if they are not wanted
	err   error
	junk  bool // there was a byte that is neither a letter, nor padding, nor white space

	bits  uint32 // of the letters of the quantum at hand
	have  int    // how many letters it has
	start int    // its first letter
	end   int    // the end of the last quantum

	closed bool // there was padding, with nothing but base64 after it
	only   bool // there was an empty line, with nothing but base64 after it
}

// note adds the atom src[from:to], which stands for n bytes of text at offset text.
func (r *base64Reader) note(from, to, text, n int) {
	if r.atoms != nil {
		*r.atoms = r.atoms.add(from, text, to-from, n)
	}
}

// letters reads letters up to the next other byte.
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

// other reads one byte that is no letter, or the whole padding of a quantum.
func (r *base64Reader) other() {
	b := r.src[r.at]
	r.at++
	if b == '=' && r.have >= 2 {
		r.padding()
		return
	}
	if b == '=' { // padding where no quantum needs it
		r.wrong(ErrUndecodable, "\"=\" where no padding is needed; it was ignored")
	} else if !isSpace(b) {
		r.junk = true
		r.wrong(ErrUndecodable, "a byte that is no letter of base64; it was ignored")
	}
	if b == '\n' && r.have == 0 && r.end > 0 && !r.only && emptyLine(r.src[r.at:]) {
		if r.only = base64Only(r.src[r.at:]); !r.only {
			r.stop()
		}
	}
}

// padding reads the second "=" of a quantum of two letters, and ends the quantum. The first one was read.
func (r *base64Reader) padding() {
	if r.have == 2 {
		i := r.at
		for i < len(r.src) && isSpace(r.src[i]) {
			i++
		}
		if i < len(r.src) && r.src[i] == '=' {
			r.at = i + 1
		} else {
			r.cut()
		}
	}
	r.tail(r.at)
	if r.closed {
		return
	}
	r.closed = true
	if rest := trimSpace(r.src[r.at:]); len(rest) > 0 {
		if !base64Only(rest) {
			r.stop()
			return
		}
		r.wrong(ErrUndecodable, "data after the padding; it was read, too")
	}
}

// stop ends the data: the rest of the source is something else.
func (r *base64Reader) stop() {
	r.wrong(ErrUndecodable, "other text after the data; it was not read as base64")
	r.at = len(r.src)
}

// wrong sets the error, with what is wrong before r.at. The first error stays, unless letters were lost.
func (r *base64Reader) wrong(kind error, what string) {
	if old, ok := r.err.(damaged); !ok || kind == ErrUnread && old.kind != ErrUnread {
		r.err = damaged{kind, fmt.Sprintf("byte %d of the base64 data: %s", r.at, what)}
	}
}

// cut sets the error for an end that is no whole quantum.
func (r *base64Reader) cut() {
	if r.junk {
		r.wrong(ErrUnread, "the data ends inside a group of four letters, so some are lost")
		return
	}
	r.wrong(ErrUndecodable, "the data ends without its padding \"=\"; it was read to the end")
}

// finish reads the last quantum, if it is not whole.
func (r *base64Reader) finish() {
	switch r.have {
	case 1: // six bits are no byte
		r.wrong(ErrUnread, "the data ends with one letter of a group of four, which stands for no byte")
		r.end = r.start
	case 2, 3:
		r.cut()
		last := len(r.src)
		for last > r.start && base64Value[r.src[last-1]] >= 64 {
			last--
		}
		r.tail(last)
	}
	r.note(r.end, len(r.src), len(r.text), 0)
}

// tail ends a quantum of two or three letters at src[end].
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

// emptyLine reports whether b begins with an empty line, or one of blanks.
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
