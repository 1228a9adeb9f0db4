package codec

import "sort"

// SourceMap returns the source bytes that spell a range of a text, widened to whole atoms, as Atoms.Span does. It keeps
// the source and the text, which must not change. Goroutines must not share a SourceMap.
type SourceMap func(text Span) Span

// NewSourceMap returns the SourceMap of src and text. The text is c.Decode(src). It needs little memory: a long source
// may have an atom for each few bytes, so it has the atoms of one piece at a time.
func NewSourceMap(c Codec, src, text []byte) SourceMap {
	if s, ok := c.(spanner); ok {
		if spans := s.Spans(src, text); spans != nil {
			return spans
		}
	}
	if p, ok := cut(c, src, text, pieceLen); ok {
		return p.span
	}
	_, atoms, _ := c.Map(src)
	return atoms.Span
}

// span is a SourceMap.
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
