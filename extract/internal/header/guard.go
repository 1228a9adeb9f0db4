package header

import (
	"bytes"
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// guardBody guards the lines around the end of a header that has no empty line. No edit may make a field of these
// lines, because that would move them into the header.
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

// lineGuard reads the lines of a region as they will be after its edits, which come in the order of the bytes.
type lineGuard struct {
	src  []byte
	at   int    // the region is read up to this offset
	line []byte // the part of the line before at, as it will be written
}

// mostName is how many bytes of a line are read on each side of an edit. A longer run of bytes is taken for a field's
// name.
const mostName = 1000

// refuses reports whether an edit makes a field of a line.
func (g *lineGuard) refuses(e codec.Edit) (why string) {
	if e.Start < g.at {
		return "" // an older edit is in the same line
	}
	g.read(g.src[g.at:e.Start])
	rest, _, whole := bytes.Cut(g.src[e.End:min(e.End+mostName, len(g.src))], []byte("\n"))
	text := slices.Concat(g.line, e.New, rest)
	if !whole && len(rest) == mostName {
		text = append(text, ':')
	}
	put := e.New
	for line := range bytes.Lines(text) {
		if name, _ := FieldName(line, 0); name.Len() > 0 {
			put, why = g.src[e.Start:e.End], " would make a header field of its line, because no empty line is "+
				"before it"
			break
		}
	}
	g.read(put)
	g.at = e.End
	return why
}

// read adds bytes that will be written to the line.
func (g *lineGuard) read(put []byte) {
	if n := bytes.LastIndexByte(put, '\n'); n >= 0 {
		g.line, put = g.line[:0], put[n+1:]
	}
	g.line = append(g.line, put[:min(len(put), mostName-len(g.line))]...)
}
