package codec

import (
	"bytes"
	"fmt"
)

// QuotedPrintable is the transfer encoding of RFC 2045, 6.7. Atoms are `=XX`, in either case of the
// hex digits, for one byte; and for nothing a soft line break, `=` with blanks behind it at the end of a line
// (rule 5), and the blanks before the end of a line (rule 3). The end of the source is the end of a line.
// All else stands for itself: line ends, CRLF or LF as found, bytes of 0x80 and above, and any `=`
// that begins neither of the two, for there is nothing better to make of it. A bare CR ends no line.
//
// New text is spelled with the hex case and the line ends found beside it, and the lines that an edit
// touches come out at 76 columns at most (rule 5); the others stay as they are. New text and new line
// breaks bring no `.`, `From ` or `--` to the start of a line, which SMTP, mbox and multipart would take
// for something else: the first letter is escaped there.
var QuotedPrintable Codec = quotedPrintable{"\r\n"}

// QuotedPrintableLF is QuotedPrintable in what has LF line ends, for a source without one.
var QuotedPrintableLF Codec = quotedPrintable{"\n"}

type quotedPrintable struct {
	newline string // of a soft break, if the source has none
}

// Decode returns a Damage for the first "=" that begins no escape. It stands for itself.
func (c quotedPrintable) Decode(src []byte) ([]byte, error) { return c.decodeInto(nil, src) }

func (quotedPrintable) decodeInto(room *[]byte, src []byte) ([]byte, error) {
	s := qpScan{src: src, eq: -1}
	at, n, b := s.next()
	if n == 0 {
		return src, s.damage()
	}
	// No text is longer than its source.
	var out []byte
	if room != nil && cap(*room) >= len(src) {
		out = (*room)[:len(src)]
	} else {
		out = make([]byte, len(src))
	}
	w, end := 0, 0
	for ; n > 0; at, n, b = s.next() {
		if end < at {
			w += copy(out[w:], src[end:at])
		}
		if b >= 0 {
			out[w] = byte(b)
			w++
		}
		end = at + n
		for end+2 < len(src) && src[end] == '=' { // escapes in a row
			hi, lo := unhex[src[end+1]], unhex[src[end+2]]
			if hi|lo < 0 {
				break
			}
			out[w] = byte(hi<<4 | lo)
			w++
			end += 3
		}
		s.at = end
	}
	w += copy(out[w:], src[end:])
	if room != nil {
		*room = out[:0]
	}
	return out[:w], s.damage()
}

func (quotedPrintable) Map(src []byte) ([]byte, Atoms, error) {
	s := qpScan{src: src, eq: -1}
	text, atoms := s.mapInto(new(rooms))
	return text, atoms, s.damage()
}

func (quotedPrintable) mapInto(in *rooms, src []byte) ([]byte, Atoms) {
	s := qpScan{src: src, eq: -1}
	return s.mapInto(in)
}

func (s *qpScan) mapInto(in *rooms) ([]byte, Atoms) {
	src := s.src
	atoms := in.atoms[:0]
	r := readFrom(src, 0, &atoms)
	r.useRoom(&in.text)
	for at, n, b := s.next(); n > 0; at, n, b = s.next() {
		r.same(at)
		switch {
		case b >= 0:
			r.put(n, string([]byte{byte(b)}))
		case src[at] == '=':
			r.put(n, "")
		default:
			for range n { // one for each blank
				r.put(1, "")
			}
		}
	}
	r.same(len(src))
	r.giveRoom(&in.text)
	in.atoms = atoms
	return r.text(), atoms
}

// qpScan goes from atom to atom.
type qpScan struct {
	src []byte
	at  int // where to go on
	eq  int // the first "=" from there on, or len(src); behind at: not known

	bad, first int // how many "=" were no escape, and where the first one is
}

// damage returns the error of the source that was read, or nil.
func (s *qpScan) damage() error {
	if s.bad == 0 {
		return nil
	}
	return &Damage{Offset: s.first, What: fmt.Sprintf("%q is no escape in quoted-printable; it was read as it stands%s", s.src[s.first:min(s.first+3, len(s.src))], andMore(s.bad))}
}

// next is the next atom: its place, its length and the byte that it stands for, -1 for none. All
// trailing blanks of a line come at once. The length is 0 when there is no more.
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
		if s.bad++; s.bad == 1 {
			s.first = at
		}
	}
}

// blanks is the next trailing white space before s.eq; s.at moves behind it.
func (s *qpScan) blanks() (at, n int) {
	for s.at < s.eq {
		end := s.eq // of the blanks
		next := s.eq
		if i := bytes.IndexByte(s.src[s.at:s.eq], '\n'); i >= 0 {
			end, next = s.at+i, s.at+i+1
			if end > s.at && s.src[end-1] == '\r' {
				end--
			}
		} else if s.eq < len(s.src) {
			end = s.at // blanks before "=" are none
		}
		at = end
		for at > s.at && isBlank(s.src[at-1]) {
			at--
		}
		s.at = next
		if at < end {
			return at, end - at
		}
	}
	return 0, 0
}

// equals reads what begins with "=": the length of the atom, 0 for none, and its byte, -1 for none.
func equals(src []byte) (n, b int) {
	if len(src) >= 3 {
		if hi, lo := unhex[src[1]], unhex[src[2]]; hi|lo >= 0 {
			return 3, int(hi<<4 | lo)
		}
	}
	n = 1
	for n < len(src) && isBlank(src[n]) {
		n++
	}
	if n == len(src) {
		return n, -1
	}
	for n < len(src) && src[n] == '\r' { // more than one where LF was made CRLF twice
		n++
	}
	if n < len(src) && src[n] == '\n' {
		return n + 1, -1
	}
	return 0, -1
}
