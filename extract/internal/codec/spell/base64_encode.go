package spell

// This file encodes base64. See base64.go for the terms.

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

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

// Short is the fast way for a source of whole quanta in lines of one width. Most sources are like that. In such a
// source, short computes the place of the first changed quantum from the width, without decoding.
func (c base64Codec) Short(src, text []byte, edits []codec.Edit) ([]codec.Edit, bool) {
	start := edits[0].Start
	if len(text)%3 != 0 && start >= len(text)-len(text)%3 || start == len(text) {
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
	return codec.Tight(src, []codec.Edit{{Span: span, New: c.spell(nil, src, span, fresh), Changes: codec.Joined(edits)}}), true
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

// Encode spells text in lines. The lines are as wide as the first line of src that has another line after it. If there
// is no such line, they have 76 columns. A source of one longer line has no line breaks, and stays one line.
//
// Data without padding must not be joined to a footer after it. So Encode writes an empty line between them, if the old data had padding.
//
// If the span is the whole src, the white space after the data stays. Encode returns an error if other bytes come after
// the data, or if the span contains junk. The new data would replace these bytes, or would be joined to them.
func (c base64Codec) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	var tail []byte
	if at.Start == 0 && at.End == len(src) {
		var atoms codec.Atoms
		old, _ := base64Read(nil, src, &atoms)
		tail = src[atoms.Source(len(old), true):]
		if len(ascii.Trimmed(tail)) > 0 {
			return dst, fmt.Errorf("%w: new base64 data would be joined to the text after the data", codec.ErrCannotSpell)
		}
	}
	for i, b := range src[at.Start : at.End-len(tail)] {
		if !inBase64[b] {
			return dst, fmt.Errorf("%w: new base64 data would replace %q at byte %d of the data, which is not in the base64 alphabet", codec.ErrCannotSpell, string([]byte{b}), at.Start+i)
		}
	}
	dst = append(c.spell(dst, src, at, text), tail...)
	if !c.line && len(text)%3 == 0 && isFooter(src[at.End:]) {
		dst = append(dst, src[at.End:at.End+ascii.NewlineLen(src[at.End:])]...)
	}
	return dst, nil
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

// base64Writer writes text in lines of whole quanta.
type base64Writer struct {
	out   []byte
	width int    // of a line, or 0 for no limit
	end   string // of a line
	col   int    // the column after out
}

// write appends the spelling of text. If more text follows, text is whole quanta.
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

// ruleLine reports whether b starts with a line above a footer, such as "____" or "-- ". It has at least two characters, and no
// character of base64.
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

// isFooter reports whether text that only padding separates from the data begins on the line after b.
func isFooter(b []byte) bool {
	n := ascii.NewlineLen(b)
	return n > 0 && !emptyLine(b[n:]) && !ruleLine(b[n:]) && !inBase64.Holds(b[n:])
}
