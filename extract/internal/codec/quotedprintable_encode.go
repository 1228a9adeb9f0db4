package codec

import (
	"bytes"
	"slices"
)

// widen makes one group of all on one line, for where the second stands depends on the first. It takes
// in what the new text would change the meaning of, and what must go for the line to become short.
func (quotedPrintable) widen(l *lifter, groups []group) []group {
	out := l.byLine(groups)
	for i := range out {
		g := &out[i]
		line := lineStart(l.src, g.src.Start)
		start := line + qpBefore(l.src[line:g.src.Start], g.new, g.src.Start == len(l.src))
		if start-line >= columns {
			start = line // no room for the "=" of a soft break
		}
		end := g.src.End
		switch stop := lineEnd(l.src, end); {
		case stop-end > columns:
			// Too long even on a line of its own. A soft break goes with it and comes again.
			end = stop
			if i := softBreak(l.src, stop); i >= g.src.End && l.src[i] == '=' {
				n, _ := equals(l.src[i:])
				end = i + n
			}
		case end > 0 && l.src[end-1] != '\n' && misread(l.src[end:], nil):
			end++ // a break before it would put it at the start of a line
		}
		l.extend(g, Span{start, end})
	}
	return out
}

// softBreak is where a soft break before the line end would begin.
func softBreak(src []byte, stop int) int {
	for stop > 0 && (isBlank(src[stop-1]) || src[stop-1] == '\r') {
		stop--
	}
	return max(stop-1, 0)
}

// qpBefore is how much of the line before new text keeps its meaning whatever new is: not blanks, which
// may come to stand at a line end or leave it, nor an unfinished escape, nor what counts at the end of
// the source only.
func qpBefore(line, text []byte, atEnd bool) int {
	n := len(line)
	if n == 0 {
		return 0
	}
	if !atEnd && len(text) > 0 && !isSpace(text[0]) && hexDigit(text[0]) < 0 && !isSpace(line[n-1]) {
		return n
	}
	for n > 0 && (isBlank(line[n-1]) || line[n-1] == '\r' || line[n-1] == '=') {
		n--
	}
	if n == len(line) && n > 1 && line[n-2] == '=' && hexDigit(line[n-1]) >= 0 {
		// The digits of an escape are never cut: this one has no second.
		return n - 2
	}
	return n
}

// misread reports whether text, and then rest, would be taken for something else at the start of a line:
// the end of a message (RFC 5321, 4.5.2), the start of one in an mbox, or a boundary.
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

// begins reports whether text and rest together begin with prefix.
func begins(text, rest []byte, prefix string) bool {
	n := min(len(text), len(prefix))
	return string(text[:n]) == prefix[:n] && bytes.HasPrefix(rest, []byte(prefix[n:]))
}

// Encode breaks lines as late as it can. It ends text with a soft break if the rest of the line would become too long.
// Line ends in text stay line ends, CRLF or LF as they come. Those that were escapes stay escapes. Encode never fails.
func (c quotedPrintable) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
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

// escapedEnds gives the places of the LFs in text that are escapes in src, which text is put instead of. It goes by
// their number: if text has more or fewer there are none.
func escapedEnds(src, text []byte) (places []int) {
	if bytes.IndexByte(text, '\n') < 0 {
		return nil
	}
	var escaped []bool // of each LF in src
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

// endsSoft reports whether the span ends with a soft break. Then the line behind it stays on its own.
func endsSoft(src []byte, at Span) bool {
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
	at       Span
	col      int
	newline  string
	hex, end string // the digits and the line end to write with; "" when not yet looked for

	text    []byte
	escaped []int // the LFs in text that stay escapes
	rest    int   // the length of the rest of the line after the span
	blank   bool  // that rest is empty or has blanks alone
	soft    bool  // the span ends with a soft break, so that the rest is a line of its own
}

// look reads the rest of the line after the span.
func (w *qpWriter) look() {
	if w.soft = endsSoft(w.src, w.at); w.soft {
		return
	}
	rest := w.src[w.at.End:lineEnd(w.src, w.at.End)]
	w.rest, w.blank = len(rest), true
	for _, b := range rest {
		if !isBlank(b) {
			w.blank = false
			return
		}
	}
}

// hardEnd returns the length of the line end at text[i], 0 if there is none that is to be written as a line end.
func (w *qpWriter) hardEnd(i int) int {
	n := eol(w.text[i:])
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
	escape := b == '=' || b < ' ' && b != '\t' || b > '~' || isBlank(b) && ends
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

// fits reports whether a byte that reaches to a column needs no soft break before it, although none would fit
// after it: last is true for the last byte of text, and ends for the last one of its line.
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
	if w.hex == "" {
		w.hex = nearestHex(w.src, w.at.End)
	}
	w.out = append(w.out, '=', w.hex[b>>4], w.hex[b&0xF])
	w.col += 3
}

const (
	upperHex = "0123456789ABCDEF"
	lowerHex = "0123456789abcdef"

	// hexReach is how far Encode looks for an escape that shows a hex case, so that many edits stay cheap.
	hexReach = 1 << 10
)

// nearestHex is the digits in the case of the escape with a letter in it that is nearest to i; upper
// case, as RFC 2045 has it, when there is none within reach.
func nearestHex(src []byte, i int) string {
	lo, hi := max(i-hexReach, 0), min(i+hexReach, len(src))
	before, behind := i, i
	digits, best := upperHex, hexReach+1
	for before > lo {
		if before = lo + bytes.LastIndexByte(src[lo:before], '='); before < lo {
			break
		}
		if d := hexOf(src[before:]); d != "" {
			digits, best = d, i-before
			break
		}
	}
	for behind < hi {
		n := bytes.IndexByte(src[behind:hi], '=')
		if n < 0 || behind+n-i >= best {
			break
		}
		behind += n
		if d := hexOf(src[behind:]); d != "" {
			return d
		}
		behind++
	}
	return digits
}

// hexOf is the digits in the case of the escape that src begins with, "" if it shows none.
func hexOf(src []byte) string {
	if n, b := equals(src[:min(3, len(src))]); n < 3 || b < 0 {
		return ""
	}
	for _, d := range src[1:3] {
		switch {
		case 'A' <= d && d <= 'F':
			return upperHex
		case 'a' <= d && d <= 'f':
			return lowerHex
		}
	}
	return ""
}
