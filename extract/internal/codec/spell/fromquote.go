package spell

import (
	"bytes"
	"fmt"

	"absolink/extract/internal/codec"
)

// FromQuoteRD and FromQuoteO are the spellings of a message in an mbox (RFC 4155). There a line that starts with "From
// " begins the next message, so such a line of the message itself gets a ">", which is an atom without text. All other
// bytes stand for themselves. The start of the source is the start of a line.
//
//	text       FromQuoteRD (mboxrd)   FromQuoteO (mboxo)
//	From x     >From x                >From x
//	>From x    >>From x               no spelling
//	>>From x   >>>From x              >>From x
//
// In mboxrd any number of ">" and then "From " gets one more ">", so every text has a spelling. In mboxo only "From "
// gets a ">". A bare "From " at the start of a line of the source stands for itself, because lenient readers take it
// for text.
var (
	FromQuoteRD codec.Codec = fromQuote{rd: true}
	FromQuoteO  codec.Codec = fromQuote{}
)

type fromQuote struct {
	codec.Simple
	rd bool
}

// FromUnquoted is the spelling of a message in an mbox without quoted lines. Every byte stands for itself. Text that
// needs a ">" has no spelling.
var FromUnquoted codec.Codec = fromUnquoted{fromQuote{rd: true}}

type fromUnquoted struct{ fromQuote }

func (fromUnquoted) Decode(src []byte) ([]byte, error) { return src, nil }
func (fromUnquoted) Map(_, _ []byte, _ *codec.Atoms)   {}

func (c fromUnquoted) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	out, err := c.fromQuote.Encode(dst, src, at, text)
	if err == nil && len(out)-len(dst) != len(text) {
		return dst, fmt.Errorf("%w: \"From \" at the start of a line would start the next message of the mbox",
			codec.ErrCannotSpell)
	}
	return out, err
}

// Short returns the edits unchanged if none of them adds a "From " or is directly before one, because then every byte
// stands for itself before and after the edits.
func (fromUnquoted) Short(src, _ []byte, edits []codec.Edit) ([]codec.Edit, bool) {
	const reach = 4 // the number of bytes of "From " that can be on one side of an edge
	var room [4 * reach]byte
	end := -reach - 1
	for _, e := range edits {
		before, behind := src[max(0, e.Start-reach):e.Start], src[e.End:]
		brings := bytes.IndexByte(e.New, ' ') >= 0 && bytes.Contains(e.New, fromMark) // long base64 data has no space
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
func (c fromQuote) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c fromQuote) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (c fromQuote) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := codec.ReadFrom(src, 0, atoms)
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
			r.Same(line)
			r.Put(1, "")
		}
		i = from + len(fromMark)
	}
	r.Same(len(src))
	return r.Text(), nil
}

func startsLine(src []byte, i int) bool { return i == 0 || src[i-1] == '\n' }

// fromLine returns the number of ">" before "From " at the start of the line that consists of text and rest. ok is
// false if "From " is not there.
func fromLine(text, rest []byte) (n int, ok bool) {
	n = quotes(text)
	if n < len(text) {
		return n, begins(text[n:], rest, string(fromMark))
	}
	m := quotes(rest)
	return n + m, bytes.HasPrefix(rest[m:], fromMark)
}

// quotes returns the number of ">" at the start of b.
func quotes(b []byte) int {
	n := 0
	for n < len(b) && b[n] == '>' {
		n++
	}
	return n
}

// Widen joins the groups on one line. It widens a group to the start of its line if the bytes there may become a "From
// " line, and to the "From " of the next line if an edit puts other text before it.
func (c fromQuote) Widen(l *codec.Lifting, groups []codec.Group) []codec.Group {
	out := l.ByLine(groups)
	for i := range out {
		g := &out[i]
		src := g.Src
		line := lineStart(l.Src, src.Start)
		if before := l.Src[line:src.Start]; bytes.HasPrefix(fromMark[:len(fromMark)-1], before[quotes(before):]) {
			src.Start = line
		}
		stays := startsLine(l.Src, src.Start)
		if n := len(g.New); n > 0 {
			stays = g.New[n-1] == '\n'
		}
		if n, ok := fromLine(nil, l.Src[src.End:]); ok && !stays && startsLine(l.Src, src.End) {
			src.End += n + len(fromMark)
		}
		l.Extend(g, src)
	}
	return out
}

// Encode adds a ">" to the lines that start in text, and to the line that starts directly after text. It returns an
// error for a line that FromQuoteO would read without its ">".
func (c fromQuote) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
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
				return dst, fmt.Errorf("%w: an mboxo file cannot have \">From \" at the start of a line of a message",
					codec.ErrCannotSpell)
			}
		}
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			return append(out, text...), nil
		}
		out, text = append(out, text[:n]...), text[n:]
	}
}
