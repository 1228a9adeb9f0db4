package spell

// This file decodes quoted-printable. The file quotedprintable_encode.go encodes it.

import (
	"bytes"
	"fmt"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// QuotedPrintable is the transfer encoding of RFC 2045, 6.7.
//
//	source   <a href  =3D  "x" >caf  =C3  =A9  =␍␊  </a>  ␣␣  ␍␊
//	         |        |    |         |    |    |    |     |   |
//	text     <a href  =    "x" >caf  C3   A9        </a>      ␍␊
//
// The atoms are:
//
//	=XX     one byte; the hex digits may have either case (rule 1)
//	=␣␍␊    a soft line break, with white space after the "="; it has no text (rule 5)
//	␣␣      white space before the end of a line; it has no text, and each character is one atom (rule 3)
//
// The end of the source is the end of a line. All other bytes stand for themselves: line ends (CRLF and LF), bytes from
// 0x80 on, and an "=" that starts no atom. A CR without LF does not end a line.
//
// Encode writes hex digits in the case, and line ends of the kind, that are found near the place. Lift wraps the lines
// that an edit changes at 76 columns (rule 5). Other lines stay unchanged. At the start of a line, SMTP, mbox and
// multipart give a meaning to ".", "From " and "--". If new text or a new line break would bring these bytes there,
// Encode escapes their first character.
var QuotedPrintable codec.Codec = quotedPrintable{newline: "\r\n"}

// QuotedPrintableLF is QuotedPrintable in a document with LF line ends. It writes LF if the source has no line end.
var QuotedPrintableLF codec.Codec = quotedPrintable{newline: "\n"}

type quotedPrintable struct {
	codec.Simple
	newline string // the line end of a soft break if the source has none

	// A source may be a piece of a longer source, which has too long lines: see inPieces.
	middle bool // the source starts in the middle of a line, and this line is unchanged so far
	broken bool // the source starts after a soft break that was written in the middle of a line
	open   bool // the source ends in the middle of a line
}

// Decode returns a Damage for the first "=" that starts no atom. This "=" stands for itself.
func (c quotedPrintable) Decode(src []byte) ([]byte, error) { return c.DecodeInto(nil, src) }

func (quotedPrintable) DecodeInto(room *[]byte, src []byte) ([]byte, error) {
	s := qpScan{src: src, eq: -1}
	at, n, b := s.next()
	if n == 0 {
		return src, s.damage()
	}
	// The text is never longer than its source.
	var out []byte
	if room != nil && cap(*room) >= len(src) {
		out = (*room)[:len(src)]
	} else {
		out = make([]byte, len(src))
	}
	w, end := 0, 0
	for ; n > 0; at, n, b = s.next() {
		w += copy(out[w:], src[end:at])
		if b >= 0 {
			out[w] = byte(b)
			w++
		}
		end = at + n
		for end+2 < len(src) && src[end] == '=' { // adjacent escapes
			hi, lo := unhex[src[end+1]], unhex[src[end+2]]
			if hi|lo < 0 {
				break
			}
			out[w] = byte(hi<<4 | lo)
			end, w = end+3, w+1
		}
		s.at = end
	}
	w += copy(out[w:], src[end:])
	if room != nil {
		*room = out[:0]
	}
	return out[:w], s.damage()
}

func (quotedPrintable) Map(src []byte) ([]byte, codec.Atoms, error) {
	s := qpScan{src: src, eq: -1}
	var atoms codec.Atoms
	atoms.Grow(bytes.Count(src, []byte("=")))
	r := codec.ReadFrom(src, 0, &atoms)
	for at, n, b := s.next(); n > 0; at, n, b = s.next() {
		r.Same(at)
		switch {
		case b >= 0:
			r.Put(n, string([]byte{byte(b)}))
		case src[at] == '=':
			r.Put(n, "")
		default:
			for range n { // one atom for each space or tab
				r.Put(1, "")
			}
		}
	}
	r.Same(len(src))
	return r.Text(), atoms, s.damage()
}

// unhex has the value of each hex digit, and -1 for other bytes.
var unhex = func() *[256]int16 {
	var v [256]int16
	for b := range v {
		v[b] = int16(ascii.HexValue(byte(b)))
	}
	return &v
}()

// qpScan finds one atom after the other.
type qpScan struct {
	src []byte
	at  int // the offset of the next byte to read
	eq  int // the offset of the first "=" from at on, or len(src) if there is none; unknown if it is less than at

	bad, first int // the number of "=" that start no atom, and the offset of the first of them
}

// damage returns the error of the source that was read, or nil.
func (s *qpScan) damage() error {
	if s.bad == 0 {
		return nil
	}
	return &codec.Damage{Offset: s.first, What: fmt.Sprintf("%q is not valid in quoted-printable; it was read unchanged%s", s.src[s.first:min(s.first+3, len(s.src))], andMore(s.bad))}
}

// next returns the place and the length of the next atom, and the byte that it stands for, or -1 for no byte. It
// returns the white space at the end of a line at once. The length is 0 after the last atom.
func (s *qpScan) next() (at, n, b int) {
	for {
		if s.eq < s.at {
			s.eq = len(s.src)
			if i := bytes.IndexByte(s.src[s.at:], '='); i >= 0 {
				s.eq = s.at + i
			}
		}
		if s.at < s.eq {
			if at, n = s.blanks(); n > 0 {
				return at, n, -1
			}
		}
		if s.eq == len(s.src) {
			return len(s.src), 0, -1
		}
		at = s.eq
		s.at = at + 1
		if n, b = equals(s.src[at:]); n > 0 {
			s.at = at + n
			return at, n, b
		}
		s.isBad(at)
	}
}

// isBad counts the "=" at an offset, which starts no atom.
func (s *qpScan) isBad(at int) {
	if s.bad++; s.bad == 1 {
		s.first = at
	}
}

// blanks returns the next white space at the end of a line before s.eq. It moves s.at after the line end.
func (s *qpScan) blanks() (at, n int) {
	for s.at < s.eq {
		end := s.eq // the end of the white space
		next := s.eq
		if i := bytes.IndexByte(s.src[s.at:s.eq], '\n'); i >= 0 {
			end, next = s.at+i, s.at+i+1
			if end > s.at && s.src[end-1] == '\r' {
				end--
			}
		} else if s.eq < len(s.src) {
			end = s.at // white space before an "=" is not at the end of a line
		}
		at = end
		for at > s.at && ascii.IsBlank(s.src[at-1]) {
			at--
		}
		s.at = next
		if at < end {
			return at, end - at
		}
	}
	return 0, 0
}

// equals reads the atom that starts with the "=" at the start of src. It returns the length of the atom, or 0 if there
// is none, and the byte that it stands for, or -1 for no byte.
func equals(src []byte) (n, b int) {
	if len(src) >= 3 {
		if hi, lo := unhex[src[1]], unhex[src[2]]; hi|lo >= 0 {
			return 3, int(hi<<4 | lo)
		}
	}
	n = 1
	for n < len(src) && ascii.IsBlank(src[n]) {
		n++
	}
	if n == len(src) {
		return n, -1
	}
	for n < len(src) && src[n] == '\r' { // several, if a program replaced LF by CRLF twice
		n++
	}
	if n < len(src) && src[n] == '\n' {
		return n + 1, -1
	}
	return 0, -1
}
