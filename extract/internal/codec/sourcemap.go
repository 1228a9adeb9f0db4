package codec

// This file has SourceMap, which maps spans of a text to its source with little memory.

import "sort"

// SourceMap maps spans of a text to the bytes of its source. It keeps the source and the text, which must not change.
// Goroutines must not share a SourceMap.
type SourceMap struct {
	atoms Atoms

	// A long source may have an atom for each few bytes. There the SourceMap has the atoms of one piece at a time.
	pieces pieces

	// A stateless charset may have an atom for each character. There the SourceMap uses these fields instead of atoms:
	cursor cursor     // the end of the text that has marks
	marks  []boundary // the characters that contain the text offsets 0, everyMark, 2*everyMark and so on
}

// everyMark is the number of bytes of text for each mark. A mark has 16 bytes.
const everyMark = 256

// NewSourceMap returns the SourceMap of src and text. The text is c.Decode(src).
func NewSourceMap(c Codec, src, text []byte) *SourceMap {
	if c, ok := c.(stateless); ok && readable(text) {
		return &SourceMap{cursor: cursor{c: c, src: src, text: text}}
	}
	if p, ok := cut(c, src, text); ok {
		return &SourceMap{pieces: p}
	}
	_, atoms, _ := c.Map(src)
	return &SourceMap{atoms: atoms}
}

// Span returns the source bytes that spell a range of the text, widened to whole atoms, as Atoms.Span does.
func (m *SourceMap) Span(text Span) Span {
	switch {
	case m.pieces.next != nil:
		return m.pieces.span(text)
	case m.cursor.c == nil:
		return m.atoms.Span(text)
	}
	l := m.at(text.Start)
	start := l.i
	if text.End-l.at > everyMark {
		l = m.at(text.End)
	}
	l.past(text.End)
	return Span{start, l.i}
}

// at returns a cursor at the character that contains a text offset.
func (m *SourceMap) at(text int) cursor {
	for len(m.marks) <= text/everyMark {
		m.cursor.to(len(m.marks) * everyMark)
		m.marks = append(m.marks, m.cursor.boundary)
	}
	l := m.cursor
	l.boundary = m.marks[text/everyMark]
	l.to(text)
	return l
}

// span is SourceMap.Span.
func (p *pieces) span(text Span) Span {
	for (len(p.ends) == 0 || p.ends[len(p.ends)-1].at <= text.End) && p.find() {
	}
	// ending returns the first piece that ends at a text offset or later.
	ending := func(at int) int { return sort.Search(len(p.ends)-1, func(i int) bool { return p.ends[i].at >= at }) }
	if text.Len() == 0 {
		start, atoms := p.piece(ending(text.Start))
		s := atoms.Span(Span{text.Start - start.at, text.Start - start.at})
		return Span{start.i + s.Start, start.i + s.End}
	}
	start, atoms := p.piece(ending(text.Start + 1))
	from := start.i + atoms.Source(text.Start-start.at, false)
	start, atoms = p.piece(ending(text.End))
	return Span{from, start.i + atoms.Source(text.End-start.at, true)}
}
