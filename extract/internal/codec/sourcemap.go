package codec

// This file has SourceMap, which maps spans of a text to its source with little memory.

// SourceMap maps spans of a text to the bytes of its source. It keeps the source and the text, which must not change.
// Goroutines must not share a SourceMap.
type SourceMap struct {
	atoms Atoms

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
