package codec

// SourceMap maps spans of a text to the bytes of its source. It keeps the source and the text, which must not change.
// Goroutines must not share one.
type SourceMap struct {
	atoms Atoms

	// In a stateless charset, where they may be as many as letters, instead:
	cursor cursor     // how far there are marks
	marks  []boundary // of the letters that the offsets 0, everyMark, 2*everyMark of the text are in
}

// everyMark is how many bytes of a text have one mark, of 16 bytes.
const everyMark = 256

// NewSourceMap returns the SourceMap of src and of text, which is c.Decode(src).
func NewSourceMap(c Codec, src, text []byte) *SourceMap {
	if c, ok := c.(stateless); ok && readable(text) {
		return &SourceMap{cursor: cursor{c: c, src: src, text: text}}
	}
	_, atoms, _ := c.Map(src)
	return &SourceMap{atoms: atoms}
}

// Span returns the source bytes that spell a range of the text, widened to whole atoms, as Atoms.Span does.
func (m *SourceMap) Span(text Span) Span {
	if m.cursor.c == nil {
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

// at is the letter that an offset of the text is in.
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
