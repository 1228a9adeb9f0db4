package markdown

import (
	"golang.org/x/text/cases"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// Scan finds the links and the embedded HTML of a Markdown document, and passes them to out. Its time is linear in
// len(src). Scan reuses the memory of the previous document.
func (s *Scanner) Scan(src []byte, out Sink) {
	s.reset(src, out)
	s.readBlocks(frontMatterEnd(src))
	for _, b := range s.blocks {
		lines := s.lines[b.from:b.to]
		switch b.kind {
		case definitionBare:
			out.Link(PlaceDefinition, lines[0].Start, lines[0].End, spell.MarkdownBare)
		case definitionPointy:
			out.Link(PlaceDefinition, lines[0].Start, lines[0].End, spell.MarkdownPointy)
		case htmlText:
			s.html(lines)
		case cellText:
			s.readInlines(s.cell(lines[0]), true)
		default:
			s.readInlines(s.join(lines), false)
		}
	}
	s.reset(nil, nil)
}

// Scanner has the memory that Scan reuses for each document. The zero Scanner is ready to use. A Scanner must not be used
// by several goroutines at the same time.
type Scanner struct {
	src []byte
	out Sink

	// The first pass.
	line    line
	open    []container  // the open containers, beginning with the outermost
	leaf    leaf         // the open block in the innermost container
	pending []codec.Span // the lines of the open paragraph, or of the open HTML block with their line endings
	fence   fence        // the fence of the open code block
	htmlEnd htmlKind     // the kind of the open HTML block, which determines its end
	columns int          // the number of columns of the open table

	// The result of the first pass.
	blocks []block
	lines  []codec.Span        // the lines of all blocks
	labels map[string]struct{} // the normalized labels of the definitions
	fixed  []codec.Span        // the text that must stay, because it decides what is a link

	// Reused memory.
	room   []byte
	pieces []piece
	label  []byte
	folder cases.Caser
	inline inlines
	parts  []codec.Span
}

// reset prepares the Scanner for a document.
func (s *Scanner) reset(src []byte, out Sink) {
	s.src, s.out = src, out
	s.open, s.leaf, s.pending = s.open[:0], noLeaf, s.pending[:0]
	s.blocks, s.lines = s.blocks[:0], s.lines[:0]
	if src != nil {
		s.fixed = s.fixed[:0]
	}
	clear(s.labels)
	s.inline.text, s.inline.b = text{}, nil
}

// block is a part of the document that may contain links. Blocks are in the order of the bytes.
type block struct {
	kind     blockKind
	from, to int // indexes in Scanner.lines
}

type blockKind uint8

const (
	inlineText       blockKind = iota // a paragraph or a heading
	cellText                          // a table cell
	htmlText                          // an HTML block
	definitionBare                    // the destination of a definition
	definitionPointy                  // the destination of a definition, in angle brackets
)

// addBlock adds a block with its lines. A destination is one line.
func (s *Scanner) addBlock(kind blockKind, lines ...codec.Span) {
	from := len(s.lines)
	s.lines = append(s.lines, lines...)
	s.blocks = append(s.blocks, block{kind, from, len(s.lines)})
}

// html passes the lines of an HTML block to the sink. Lines without a prefix between them are one part.
func (s *Scanner) html(lines []codec.Span) {
	s.parts = s.parts[:0]
	for _, l := range lines {
		if n := len(s.parts) - 1; n >= 0 && s.parts[n].End == l.Start {
			s.parts[n].End = l.End
		} else if l.Len() > 0 {
			s.parts = append(s.parts, l)
		}
	}
	if len(s.parts) > 0 {
		s.out.HTML(s.parts)
	}
}

// text is the content of a block, without the prefixes of its lines. In a table cell, it has no backslashes before pipes.
type text struct {
	b      []byte
	at     int     // the offset of b in the source, if pieces is nil
	pieces []piece // the sources of the copied parts of b; nil if b is a slice of the source
}

// piece maps a part of the text to the source. It has the offsets at which the part begins in the text and in the source.
// The part ends where the next part begins. The newline between two lines belongs to the first line.
type piece struct{ text, src int }

// join returns the text of the lines of a block. If only white space is between the lines, the text is a slice of the
// source. The text is valid until the next call of join or cell.
func (s *Scanner) join(lines []codec.Span) text {
	first, last := lines[0], lines[len(lines)-1]
	plain := true
	for i := 1; i < len(lines) && plain; i++ {
		for p := lines[i-1].End; p < lines[i].Start && plain; p++ {
			plain = ascii.IsWhite(s.src[p])
		}
	}
	if plain {
		return text{b: s.src[first.Start:last.End], at: first.Start}
	}
	s.room, s.pieces = s.room[:0], s.pieces[:0]
	for i, l := range lines {
		if i > 0 {
			s.room = append(s.room, '\n')
		}
		s.pieces = append(s.pieces, piece{len(s.room), l.Start})
		s.room = append(s.room, s.src[l.Start:l.End]...)
	}
	return text{b: s.room, pieces: s.pieces}
}

// source returns the offset in the source of an offset in the text.
func (t *text) source(p int) int {
	if t.pieces == nil {
		return t.at + p
	}
	return t.pieces[t.piece(p)].src + p - t.pieces[t.piece(p)].text
}

// piece returns the index of the piece that contains an offset of the text.
func (t *text) piece(p int) int {
	lo, hi := 0, len(t.pieces)
	for lo+1 < hi {
		if mid := int(uint(lo+hi) >> 1); t.pieces[mid].text <= p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// span maps a span of the text to the source. The span must be on one line.
func (t *text) span(start, end int) codec.Span {
	if start == end {
		return codec.Span{Start: t.source(start), End: t.source(start)}
	}
	return codec.Span{Start: t.source(start), End: t.source(end-1) + 1}
}

// spans maps a span of the text to the source, and appends one span for each piece.
func (t *text) spans(dst []codec.Span, start, end int) []codec.Span {
	if t.pieces == nil {
		return append(dst, t.span(start, end))
	}
	for i := t.piece(start); i < len(t.pieces) && t.pieces[i].text < end; i++ {
		from, to := max(start, t.pieces[i].text), end
		if i+1 < len(t.pieces) {
			to = min(end, t.pieces[i+1].text)
		}
		dst = append(dst, t.span(from, to))
	}
	return dst
}
