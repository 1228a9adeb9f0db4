package codec

// SourceMap finds what in a source spells the spans of its text. It keeps both, which must not
// change meanwhile, and may not be asked by two goroutines at once.
type SourceMap struct {
	atoms Atoms

	// In a stateless charset, where they may be as many as letters, instead:
	cursor cursor     // how far there are marks
	marks  []boundary // of the letters that the offsets 0, everyMark, 2*everyMark of the text are in
}

// everyMark is how many bytes of a text have one mark, of 16 bytes.
const everyMark = 256

// NewSourceMap makes one of src, which c spells, and of text, which c.Decode(src) gave.
func NewSourceMap(c Codec, src, text []byte) *SourceMap {
	if c, ok := c.(stateless); ok && readable(text) {
		return &SourceMap{cursor: cursor{c: c, src: src, text: text}}
	}
	_, atoms, _ := c.Map(src)
	return &SourceMap{atoms: atoms}
}

// Span is that of Atoms: the source bytes that spell a range of the text, widened to whole atoms.
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
