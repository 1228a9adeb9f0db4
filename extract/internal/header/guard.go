package header

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// guardBody guards the lines before or after the end of a header that has no empty line. These lines are not fields, and
// no edit may make a field of them: the field would move the line into the header.
func (r *Reader) guardBody(part codec.Span, body int) {
	before := r.Src[part.Start:body]
	line := before[bytes.LastIndexByte(before[:len(before)-ascii.LastNewline(before)], '\n')+1:]
	switch {
	case body == part.End || ascii.EmptyLineLen(line) > 0:
	case bytes.HasPrefix(r.Src[body:], []byte("--")), len(line) > 0 && ascii.IsBlankLine(line):
		r.guardLines(codec.Span{Start: body, End: min(part.End, ascii.LineEnd(r.Src, body))})
	default:
		r.guardLines(codec.Span{Start: body, End: part.End})
	}
}

// guardLines guards lines that are not fields.
func (r *Reader) guardLines(of codec.Span) {
	g := lineGuard{src: r.Src[:of.End], at: of.Start}
	r.Marks.Guard(of, g.refuses)
}

// lineGuard reads the lines of a region, with the edits of the region. The edits come in the order of the bytes.
type lineGuard struct {
	src   []byte
	at    int       // the region is read up to this offset
	state lineState // there
}

// refuses reports whether an edit makes a field of a line. It reads the other edits, which are made.
func (g *lineGuard) refuses(e codec.Edit) (why string) {
	if e.Start < g.at {
		return "" // an older edit is in the same line
	}
	if n := bytes.LastIndexByte(g.src[g.at:e.Start], '\n'); n >= 0 {
		g.at, g.state = g.at+n+1, atStart
	}
	g.state, g.at = g.state.after(g.src[g.at:e.Start]), e.Start
	now := g.state.after(e.New)
	next := now
	if now != g.state.after(g.src[e.Start:e.End]) {
		next = now.after(g.src[e.End:ascii.LineEnd(g.src, e.End)])
	}
	if next == inField {
		return " would make a header field of its line, because no empty line is before it"
	}
	g.state, g.at = now, e.End
	return ""
}

// lineState is how far a line is read: see FieldName.
type lineState uint8

const (
	atStart     lineState = iota
	inName                // all bytes may be those of a name
	behindName            // white space follows the name
	inOtherLine           // the line is not a field
	inField               // a line is a field
)

// after returns the state after more bytes.
func (s lineState) after(text []byte) lineState {
	for i := 0; i < len(text) && s != inField; i++ {
		c := text[i]
		switch {
		case s == inOtherLine:
			n := bytes.IndexByte(text[i:], '\n')
			if n < 0 {
				return s
			}
			i, s = i+n, atStart
		case c == '\n':
			s = atStart
		case c == ':' && s != atStart:
			s = inField
		case ascii.IsBlank(c) && s != atStart:
			s = behindName
		case c > ' ' && c != ':' && c != 0x7F && s != behindName:
			s = inName
		default:
			s = inOtherLine
		}
	}
	return s
}
