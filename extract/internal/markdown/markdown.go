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
	s.labels.sort()
	for kind, b := range s.blocks.all {
		switch kind {
		case definitionBare:
			out.Link(PlaceDefinition, b.first.Start, b.first.End, spell.MarkdownBare)
		case definitionPointy:
			out.Link(PlaceDefinition, b.first.Start, b.first.End, spell.MarkdownPointy)
		case htmlText:
			s.html(b)
		case cellText:
			s.readInlines(s.cell(b.first), true)
		default:
			s.readInlines(s.join(b), false)
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
	open    []container // the open containers, beginning with the outermost
	leaf    leaf        // the open block in the innermost container
	pending lineList    // the lines of the open paragraph, or of the open HTML block with their line endings
	fence   fence       // the fence of the open code block
	htmlEnd htmlKind    // the kind of the open HTML block, which determines its end
	columns int         // the number of columns of the open table

	// The result of the first pass.
	blocks blocks       // the parts of the document that may contain links, in the order of the bytes
	labels labels       // of the definitions
	fixed  []codec.Span // the text that must stay, because it decides what is a link

	// Reused memory.
	room   []byte
	atoms  codec.Atoms
	label  []byte
	folder cases.Caser
	inline inlines
	parts  []codec.Span
}

// reset prepares the Scanner for a document.
func (s *Scanner) reset(src []byte, out Sink) {
	s.src, s.out = src, out
	s.open, s.leaf = s.open[:0], noLeaf
	s.pending.clear()
	s.blocks.clear()
	if src != nil {
		s.fixed = s.fixed[:0]
	}
	s.labels.clear()
	s.inline.text, s.inline.b = text{}, nil
}

type blockKind uint8

const (
	inlineText       blockKind = iota // a paragraph or a heading
	cellText                          // a table cell
	htmlText                          // an HTML block
	definitionBare                    // the destination of a definition
	definitionPointy                  // the destination of a definition, in angle brackets
)

// html passes the lines of an HTML block to the sink. Lines without a prefix between them are one part.
func (s *Scanner) html(b block) {
	s.parts = s.parts[:0]
	if b.first.Len() > 0 {
		s.parts = append(s.parts, b.first)
	}
	for l := range b.rest.all {
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
	b     []byte
	at    int          // the offset in the source at which b begins
	atoms *codec.Atoms // the map from b to the source; nil if b is a slice of the source
}

// join returns the text of the lines of a block. If only white space is between the lines, the text is a slice of the
// source. The text is valid until the next call of join or cell. A copied text has one newline between two lines. It is an atom:
// it stands for all bytes between the lines.
func (s *Scanner) join(b block) text {
	first, end, plain := b.first, b.first.End, true
	for l := range b.rest.all {
		for p := end; p < l.Start && plain; p++ {
			plain = ascii.IsWhite(s.src[p])
		}
		if end = l.End; !plain {
			break
		}
	}
	if plain {
		return text{b: s.src[first.Start:end], at: first.Start}
	}
	s.room = append(s.room[:0], s.src[first.Start:first.End]...)
	s.atoms.Reset()
	end = first.End
	for l := range b.rest.all {
		s.atoms.Add(end-first.Start, len(s.room), l.Start-end, 1)
		s.room = append(s.room, '\n')
		s.room = append(s.room, s.src[l.Start:l.End]...)
		end = l.End
	}
	return text{b: s.room, at: first.Start, atoms: &s.atoms}
}

// source returns the offset in the source of an offset in the text.
func (t *text) source(p int) int {
	if t.atoms == nil {
		return t.at + p
	}
	return t.at + t.atoms.Source(p, false)
}

// span maps a span of the text to the source. The span must be on one line.
func (t *text) span(start, end int) codec.Span {
	if start == end {
		return codec.Span{Start: t.source(start), End: t.source(start)}
	}
	return codec.Span{Start: t.source(start), End: t.source(end-1) + 1}
}

// spans maps a span of the text to the source, and appends one span for each part that was copied as a whole.
func (t *text) spans(dst []codec.Span, start, end int) []codec.Span {
	for start < end {
		to := end
		if t.atoms != nil {
			if atom := t.atoms.Ending(start + 1); atom.N > 0 {
				to = min(end, atom.TextEnd())
			}
		}
		dst = append(dst, t.span(start, to))
		start = to
	}
	return dst
}
