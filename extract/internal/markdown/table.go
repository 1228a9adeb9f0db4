package markdown

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// Tables (GFM 4.10).

// startTable opens a table if the line is a delimiter row, and the line before it is a row with the same number of cells.
// The lines before that row are a paragraph.
func (s *Scanner) startTable(matched int, rest []byte) bool {
	if !s.continuing(matched) || rest[0] != '|' && rest[0] != ':' && rest[0] != '-' {
		return false
	}
	l := &s.line
	header := s.pending.last
	columns := 0
	for cell := range s.cells(codec.Span{Start: l.nonspace, End: l.end}) {
		if !isDelimiter(s.src[cell.Start:cell.End]) {
			return false
		}
		columns++
	}
	named := 0
	for range s.cells(header) {
		named++
	}
	if named != columns || columns == 0 {
		return false
	}
	s.pending.removeLast()
	s.begin(matched, table)
	s.columns = columns
	s.row(header)
	return true
}

// isDelimiter reports whether a cell of the delimiter row is hyphens, with colons at its ends.
func isDelimiter(cell []byte) bool {
	cell = bytes.TrimPrefix(cell, []byte(":"))
	cell = bytes.TrimSuffix(cell, []byte(":"))
	return len(cell) > 0 && bytes.Count(cell, []byte("-")) == len(cell)
}

// row adds the cells of a row. It ignores the cells after the last column of the header.
func (s *Scanner) row(line codec.Span) {
	n := 0
	for cell := range s.cells(line) {
		if n++; n > s.columns {
			return
		}
		if cell.Len() > 0 {
			s.blocks.add(cellText, cell)
		}
	}
}

// cells yields the cells of a row, without white space around them. Pipes separate the cells, except a pipe after a
// backslash.
func (s *Scanner) cells(line codec.Span) func(yield func(codec.Span) bool) {
	return func(yield func(codec.Span) bool) {
		p := skipBlanks(s.src, line.Start, line.End)
		if p < line.End && s.src[p] == '|' {
			p++
		}
		for p = skipBlanks(s.src, p, line.End); p < line.End; {
			end := p
			for end < line.End && (s.src[end] != '|' || end > p && s.src[end-1] == '\\') {
				end++
			}
			text := trimRight(s.src[p:end])
			if !yield(codec.Span{Start: p, End: p + len(text)}) {
				return
			}
			p = skipBlanks(s.src, min(end+1, line.End), line.End)
		}
	}
}

// skipBlanks returns the offset of the first byte at or after p that is not a space or a tab, or end.
func skipBlanks(src []byte, p, end int) int {
	for p < end && ascii.IsBlank(src[p]) {
		p++
	}
	return p
}

// cell returns the text of a cell, without the backslashes before pipes. The text is valid until the next call of join or
// cell.
func (s *Scanner) cell(at codec.Span) text {
	src := s.src[at.Start:at.End]
	i := bytes.Index(src, escapedPipe)
	if i < 0 {
		return text{b: src, at: at.Start}
	}
	s.room = s.room[:0]
	s.atoms.Reset()
	p := 0
	for ; i >= 0; i = bytes.Index(src[p:], escapedPipe) {
		s.room = append(s.room, src[p:p+i]...)
		s.atoms.Add(p+i, len(s.room), 1, 0)
		p += i + 1
	}
	s.room = append(s.room, src[p:]...)
	return text{b: s.room, at: at.Start, atoms: &s.atoms}
}

var escapedPipe = []byte(`\|`)
