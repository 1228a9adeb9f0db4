package codec

import (
	"bytes"
	"fmt"
)

// FromQuoteRD and FromQuoteO are a message in an mbox, where a line that begins with `From ` would be the
// start of the next one. The `>` that quotes a line is an atom without text; all else stands for itself. The
// start of the source is the start of a line.
//
// FromQuoteRD is mboxrd: lines of any number of `>` and then `From ` have one `>` more in the file, so that each
// text can be spelled. FromQuoteO is mboxo: lines that begin with `From ` have one, those that had
// some already have no more, and so `>From ` at the start of a line of text cannot be spelled.
//
// A bare `From ` in the source, which a lax reader takes for text, stands for itself as well.
var (
	FromQuoteRD Codec = fromQuote{rd: true}
	FromQuoteO  Codec = fromQuote{}
)

type fromQuote struct{ rd bool }

// FromUnquoted is a message in an mbox in which no line is quoted: all stands for itself, and text that would
// have to be quoted cannot be spelled.
var FromUnquoted Codec = fromUnquoted{fromQuote{rd: true}}

type fromUnquoted struct{ fromQuote }

func (fromUnquoted) Decode(src []byte) ([]byte, error)     { return src, nil }
func (fromUnquoted) Map(src []byte) ([]byte, Atoms, error) { return src, nil, nil }

func (c fromUnquoted) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	out, err := c.fromQuote.Encode(dst, src, at, text)
	if err == nil && len(out)-len(dst) != len(text) {
		return dst, fmt.Errorf("%w: \"From \" at the start of a line", ErrCannotSpell)
	}
	return out, err
}

// short passes on edits that bring no "From " and put nothing before one: then all stands for itself
// before and after.
func (fromUnquoted) short(src, _ []byte, edits []Edit) ([]Edit, bool) {
	const reach = 4 // of "From "
	var room [4 * reach]byte
	end := -reach - 1
	for _, e := range edits {
		before, behind := src[max(0, e.Start-reach):e.Start], src[e.End:]
		brings := bytes.IndexByte(e.New, ' ') >= 0 && bytes.Contains(e.New, fromMark) // base64 is long, and has no blank
		if brings || e.Start-end <= reach || bytes.HasPrefix(behind[quotes(behind):], fromMark) {
			return nil, false
		}
		first, last := e.New[:min(reach, len(e.New))], e.New[max(0, len(e.New)-reach):]
		if len(e.New) <= 2*reach {
			first, last = e.New, nil
		}
		seams := append(append(append(room[:0], before...), first...), last...)
		if bytes.Contains(append(seams, behind[:min(reach, len(behind))]...), fromMark) {
			return nil, false
		}
		end = e.End
	}
	return edits, true
}

var fromMark = []byte("From ")

// Decode never fails.
func (c fromQuote) Decode(src []byte) ([]byte, error) { return c.read(src, nil), nil }

func (c fromQuote) Map(src []byte) ([]byte, Atoms, error) {
	var atoms Atoms
	text := c.read(src, &atoms)
	return text, atoms, nil
}

func (c fromQuote) read(src []byte, atoms *Atoms) []byte {
	r := readFrom(src, 0, atoms)
	for i := 0; ; {
		n := bytes.Index(src[i:], fromMark)
		if n < 0 {
			break
		}
		from := i + n
		line := from
		for line > i && src[line-1] == '>' {
			line--
		}
		if n = from - line; n > 0 && startsLine(src, line) && (c.rd || n == 1) {
			r.same(line)
			r.put(1, "")
		}
		i = from + len(fromMark)
	}
	r.same(len(src))
	return r.text()
}

func startsLine(src []byte, i int) bool { return i == 0 || src[i-1] == '\n' }

// fromLine is how many `>` stand before `From ` at the start of the line that text and then rest make;
// false when it is no such line.
func fromLine(text, rest []byte) (int, bool) {
	n := quotes(text)
	if n < len(text) {
		return n, begins(text[n:], rest, string(fromMark))
	}
	m := quotes(rest)
	return n + m, bytes.HasPrefix(rest[m:], fromMark)
}

// quotes is how many `>` b begins with.
func quotes(b []byte) int {
	n := 0
	for n < len(b) && b[n] == '>' {
		n++
	}
	return n
}

// widen makes one group of all on one line. It takes in the beginning of a line in the midst of which an
// edit starts, and that of a line which comes to stand behind other text.
func (fromQuote) widen(l *lifter, groups []group) []group {
	out := l.byLine(groups)
	for i := range out {
		g := &out[i]
		src := g.src
		line := lineStart(l.src, src.Start)
		if before := l.src[line:src.Start]; bytes.HasPrefix(fromMark[:len(fromMark)-1], before[quotes(before):]) {
			src.Start = line
		}
		stays := startsLine(l.src, src.Start)
		if n := len(g.new); n > 0 {
			stays = g.new[n-1] == '\n'
		}
		if n, ok := fromLine(nil, l.src[src.End:]); ok && !stays && startsLine(l.src, src.End) {
			src.End += n + len(fromMark)
		}
		l.extend(g, src)
	}
	return out
}

// Encode quotes lines that begin in text, or with what follows it. The error is that of FromQuoteO for a
// line that it would read without its `>`.
func (c fromQuote) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	out := dst
	rest, spelled := src[at.End:], startsLine(src, at.End)
	for line := startsLine(src, at.Start); ; line = true {
		if len(text) == 0 && spelled {
			return out, nil
		}
		if n, ok := fromLine(text, rest); line && ok {
			switch {
			case c.rd || n == 0:
				out = append(out, '>')
			case n == 1:
				return dst, fmt.Errorf("%w: \">From \" at the start of a line, in mboxo", ErrCannotSpell)
			}
		}
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			return append(out, text...), nil
		}
		out, text = append(out, text[:n]...), text[n:]
	}
}
