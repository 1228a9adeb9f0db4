package spell

import (
	"bytes"
	"fmt"
	"slices"

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
// Encode writes upper-case hex digits (rule 1), and line ends of the kind found nearby. Lift wraps the lines that an
// edit changes at 76 columns (rule 5), and leaves other lines alone. At the start of a line ".", "From " and "--" mean
// something to SMTP, mbox and multipart, so Encode escapes their first character where new text or a new line break
// brings them there.
var QuotedPrintable codec.Codec = quotedPrintable{newline: "\r\n"}

// QuotedPrintableLF is QuotedPrintable in a document with LF line ends. It writes LF if the source has no line end.
var QuotedPrintableLF codec.Codec = quotedPrintable{newline: "\n"}

type quotedPrintable struct {
	codec.Simple
	newline string // the line end of a soft break if the source has none
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

func (quotedPrintable) Map(src, _ []byte, atoms *codec.Atoms) {
	s, without := qpScan{src: src, eq: -1}, 0 // the number of bytes that stand for no text
	for at, n, b := s.next(); n > 0; at, n, b = s.next() {
		switch text := at - without; {
		case b >= 0:
			atoms.Add(at, text, n, 1)
			without += n - 1
			continue
		case src[at] == '=':
			atoms.Add(at, text, n, 0)
		default: // one atom for each space or tab
			atoms.AddRun(codec.Atom{Src: at, Text: text, N: n, SrcLen: 1})
		}
		without += n
	}
}

// unhex has the value of each hex digit, and -1 for other bytes.
var unhex = func() *[256]int16 {
	var v [256]int16
	for b := range v {
		v[b] = int16(ascii.HexValue(byte(b)))
	}
	return &v
}()

// qpScan finds the atoms of a source in order.
type qpScan struct {
	src []byte
	at  int // the offset of the next byte to read
	eq  int // the offset of the first "=" from at on, or len(src) if there is none; unknown if it is less than at

	bad, first int // the number of "=" that start no atom, and the offset of the first of them
}

func (s *qpScan) damage() error {
	if s.bad == 0 {
		return nil
	}
	return &codec.Damage{Offset: s.first, What: fmt.Sprintf("%q is not valid in quoted-printable; it was read "+
		"unchanged%s", s.src[s.first:min(s.first+3, len(s.src))], andMore(s.bad))}
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

// isBad counts an "=" that starts no atom.
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

// Widen joins the groups on one line, because the column of the second depends on the first. It widens each group to
// the bytes around it whose meaning the new text would change, and to the rest of the line if that is too long.
func (c quotedPrintable) Widen(l *codec.Lifting, groups []codec.Group) []codec.Group {
	out := l.ByLine(groups)
	for i := range out {
		g := &out[i]
		line := lineStart(l.Src, g.Src.Start)
		start := line + qpBefore(l.Src[line:g.Src.Start], g.New, g.Src.Start == len(l.Src))
		if start-line >= columns {
			start = line // there is no column for the "=" of a soft break
		}
		end := g.Src.End
		switch stop := lineEnd(l.Src, end); {
		case stop-end > columns:
			// The rest is too long, even on its own line. Spell it again, together with the soft break at its end.
			end = stop
			if i := softBreak(l.Src, stop); i >= g.Src.End && l.Src[i] == '=' {
				n, _ := equals(l.Src[i:])
				end = i + n
			}
		case end > 0 && l.Src[end-1] != '\n' && misread(l.Src[end:], nil):
			end++ // a soft break before this byte would bring it to the start of a line
		}
		l.Extend(g, codec.Span{Start: start, End: end})
	}
	return out
}

// softBreak returns the offset of the last byte before the white space at stop. The line that ends at stop has a soft
// break if that byte is an "=".
func softBreak(src []byte, stop int) int {
	for stop > 0 && (ascii.IsBlank(src[stop-1]) || src[stop-1] == '\r') {
		stop--
	}
	return max(stop-1, 0)
}

// qpBefore returns how much of line keeps its meaning before the new text. That excludes white space at the end, which
// means something else at a line end, and an "=" without its digits. atEnd reports whether the line ends at the end of
// the source.
func qpBefore(line, text []byte, atEnd bool) int {
	n := len(line)
	if n == 0 {
		return 0
	}
	if !atEnd && len(text) > 0 && !ascii.IsSpace(text[0]) && ascii.HexValue(text[0]) < 0 && !ascii.IsSpace(line[n-1]) {
		return n
	}
	for n > 0 && (ascii.IsBlank(line[n-1]) || line[n-1] == '\r' || line[n-1] == '=') {
		n--
	}
	if n == len(line) && n > 1 && line[n-2] == '=' && ascii.HexValue(line[n-1]) >= 0 {
		// An edit never cuts an escape, so this "=" and digit are not an escape, but may become one.
		return n - 2
	}
	return n
}

// misread reports whether text and then rest may mean something else at the start of a line: the end of a message (RFC
// 5321, 4.5.2), the start of a message in an mbox, or a boundary of a multipart (RFC 2046, 5.1.1).
func misread(text, rest []byte) bool {
	if len(text) == 0 {
		return false
	}
	switch text[0] {
	case '.':
		return true
	case '-':
		return begins(text, rest, "--")
	case 'F':
		return begins(text, rest, "From ")
	}
	return false
}

// begins reports whether text and then rest start with prefix.
func begins(text, rest []byte, prefix string) bool {
	n := min(len(text), len(prefix))
	return string(text[:n]) == prefix[:n] && bytes.HasPrefix(rest, []byte(prefix[n:]))
}

// Encode wraps lines as late as possible, and ends text with a soft break if the rest of the line would become too
// long. Line ends in text keep their kind (CRLF or LF), and one that was an escape stays an escape. Encode never fails.
func (c quotedPrintable) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	w := qpWriter{out: dst, src: src, at: at, newline: c.newline, col: at.Start - lineStart(src, at.Start),
		text: text, escaped: escapedEnds(src[at.Start:at.End], text)}
	w.look()
	for i := 0; i < len(text); {
		if n := w.hardEnd(i); n > 0 {
			w.out = append(w.out, text[i:i+n]...)
			w.col = 0
			i += n
			continue
		}
		w.put(i)
		i++
	}
	if w.col > 0 && (w.soft || w.col+w.rest > columns) {
		w.softBreak()
	}
	return w.out, nil
}

// escapedEnds returns the offsets of the LFs in text that are escapes in src, the bytes that text replaces. It pairs
// the LFs in order, so it returns none if src and text have different numbers of them.
func escapedEnds(src, text []byte) (places []int) {
	if bytes.IndexByte(text, '\n') < 0 {
		return nil
	}
	var escaped []bool // for each LF in src, whether it is an escape
	s, end := qpScan{src: src, eq: -1}, 0
	for at, n, b := s.next(); n > 0; at, n, b = s.next() {
		escaped = append(escaped, make([]bool, bytes.Count(src[end:at], []byte("\n")))...)
		if b == '\n' {
			escaped = append(escaped, true)
		}
		end = at + n
	}
	escaped = append(escaped, make([]bool, bytes.Count(src[end:], []byte("\n")))...)
	if bytes.Count(text, []byte("\n")) != len(escaped) {
		return nil
	}
	for i, c := range text {
		if c != '\n' {
			continue
		}
		if escaped[0] {
			places = append(places, i)
		}
		escaped = escaped[1:]
	}
	return places
}

// endsSoft reports whether the span ends with a soft break, so that the next line stays a line of its own.
func endsSoft(src []byte, at codec.Span) bool {
	if at.Len() == 0 || src[at.End-1] != '\n' {
		return false
	}
	end := at.End - 1
	if end > at.Start && src[end-1] == '\r' {
		end--
	}
	i := softBreak(src, end)
	return i >= at.Start && src[i] == '='
}

// qpWriter is one call of Encode.
type qpWriter struct {
	out, src []byte
	at       codec.Span
	col      int    // the column of the next byte
	newline  string // the line end if the source has none
	end      string // the line end to write, or "" if not known yet

	text    []byte
	escaped []int // the offsets of the LFs in text that stay escapes
	rest    int   // the length of the rest of the line after the span
	blank   bool  // the rest is empty or has only white space
	soft    bool  // the span ends with a soft break, so the rest is a line of its own
}

// look reads the rest of the line after the span.
func (w *qpWriter) look() {
	if w.soft = endsSoft(w.src, w.at); w.soft {
		return
	}
	rest := w.src[w.at.End:lineEnd(w.src, w.at.End)]
	w.rest, w.blank = len(rest), true
	for _, b := range rest {
		if !ascii.IsBlank(b) {
			w.blank = false
			return
		}
	}
}

// hardEnd returns the length of the line end at text[i]. It returns 0 if there is none, or if it stays an escape.
func (w *qpWriter) hardEnd(i int) int {
	n := ascii.NewlineLen(w.text[i:])
	if n > 0 {
		if _, stays := slices.BinarySearch(w.escaped, i+n-1); stays {
			return 0
		}
	}
	return n
}

// put writes the byte text[i], after a soft break if the line has no room for the byte.
func (w *qpWriter) put(i int) {
	b, last := w.text[i], i+1 == len(w.text)
	ends := last && w.blank || !last && w.hardEnd(i+1) > 0
	escape := b == '=' || b < ' ' && b != '\t' || b > '~' || ascii.IsBlank(b) && ends
	end := w.col + 1
	if escape {
		end = w.col + 3
	}
	if end >= columns && w.col > 0 && !w.fits(end, last, ends) {
		w.softBreak()
	}
	if escape || w.col == 0 && misread(w.text[i:], w.src[w.at.End:]) {
		w.escape(b)
	} else {
		w.out = append(w.out, b)
		w.col++
	}
}

// fits reports whether a byte may stay on its line although no column is left for a soft break after it. end is the
// column after the byte; last marks the last byte of text, and ends the last byte of its line.
func (w *qpWriter) fits(end int, last, ends bool) bool {
	if last {
		return !w.soft && end+w.rest <= columns
	}
	return ends && end == columns
}

func (w *qpWriter) softBreak() {
	if w.end == "" {
		w.end = nearestNewline(w.src, w.at, w.newline)
	}
	w.out = append(w.out, '=')
	w.out = append(w.out, w.end...)
	w.col = 0
}

func (w *qpWriter) escape(b byte) {
	w.out = append(w.out, '=', upperHex[b>>4], upperHex[b&0xF])
	w.col += 3
}

const (
	upperHex = "0123456789ABCDEF"
	lowerHex = "0123456789abcdef"
)
