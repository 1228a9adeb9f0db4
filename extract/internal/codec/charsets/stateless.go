package charsets

// This file has the helpers of charsets without state. They find atoms from the source and its text, without storing
// them.

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// stateless is a charset in which a character has the same bytes at each place.
type stateless interface {
	codec.Codec
	// letter returns the length of the character at the start of src, and the length of its text, which is at the start
	// of text. The character is not ASCII, and the whole source is valid.
	letter(src, text []byte) (n, textLen int)
}

// letterMap is the fast way of stateless charsets to find places of a text.
type letterMap struct {
	cursor            // the end of the text that has marks
	marks  []boundary // the characters that contain the text offsets 0, everyMark, 2*everyMark and so on
}

// everyMark is the number of bytes of text for each mark. A mark has 16 bytes.
const everyMark = 256

// spansOf is the method Spans of a stateless charset.
func spansOf(c stateless, src, text []byte) func(codec.Span) codec.Span {
	if !readable(text) {
		return nil
	}
	return (&letterMap{cursor: cursor{c: c, src: src, text: text}}).span
}

func (m *letterMap) span(text codec.Span) codec.Span {
	l := m.at(text.Start)
	start := l.i
	if text.End-l.at > everyMark {
		l = m.at(text.End)
	}
	l.past(text.End)
	return codec.Span{Start: start, End: l.i}
}

// at returns a cursor at the character that contains a text offset.
func (m *letterMap) at(text int) cursor {
	for len(m.marks) <= text/everyMark {
		m.to(len(m.marks) * everyMark)
		m.marks = append(m.marks, m.boundary)
	}
	l := m.cursor
	l.boundary = m.marks[text/everyMark]
	l.to(text)
	return l
}

// readable reports whether text has no U+FFFD. If it has none, all bytes of its source are valid.
func readable(text []byte) bool { return !bytes.Contains(text, []byte("\uFFFD")) }

// cursor moves over a valid source of a stateless charset and its text at the same time.
type cursor struct {
	c         stateless
	src, text []byte
	boundary
}

// boundary is the start of a character: the offset i in the source, and the offset at in the text.
type boundary struct{ i, at int }

// to moves the cursor to the character that contains text[end].
func (l *cursor) to(end int) {
	for l.at < end {
		n, m := l.next(end)
		if l.at+m > end {
			return
		}
		l.i, l.at = l.i+n, l.at+m
	}
}

// past moves the cursor to the first character that starts at text[end] or later.
func (l *cursor) past(end int) {
	for l.at < end {
		n, m := l.next(end)
		l.i, l.at = l.i+n, l.at+m
	}
}

// next returns the length of the character at the cursor, and the length of its text. If the character is ASCII, next
// returns the length of the run of ASCII up to text[end].
func (l *cursor) next(end int) (n, textLen int) {
	if l.src[l.i] < utf8.RuneSelf {
		n = ascii.NextWide(l.src[l.i:min(l.i+end-l.at, len(l.src))], 0)
		return n, n
	}
	return l.c.letter(l.src[l.i:], l.text[l.at:])
}

// atomsOf returns the atoms of a valid source.
func atomsOf(c stateless, src, text []byte) (atoms codec.Atoms) {
	run := codec.Atom{}
	for l := (cursor{c: c, src: src, text: text}); l.i < len(src); {
		n, m := l.next(len(text))
		if src[l.i] >= utf8.RuneSelf {
			if run.SrcLen != n || run.TextLen != m || run.SrcEnd() != l.i {
				atoms.AddRun(run)
				run = codec.Atom{Src: l.i, Text: l.at, SrcLen: n, TextLen: m}
			}
			run.N++
		}
		l.i, l.at = l.i+n, l.at+m
	}
	atoms.AddRun(run)
	return atoms
}

// liftLetters is the method short for a valid source. The law holds, because no character depends on another one.
func liftLetters(c stateless, src, text []byte, edits []codec.Edit) ([]codec.Edit, bool) {
	l := cursor{c: c, src: src, text: text}
	out := make([]codec.Edit, len(edits))
	for k, e := range edits {
		l.to(e.Start)
		start := l.boundary
		l.to(e.End)
		if start.at != e.Start || l.at != e.End {
			return nil, false
		}
		put := e.New
		if !ascii.IsASCII(put) {
			var err error
			if put, err = c.Encode(nil, src, codec.Span{Start: start.i, End: l.i}, put); err != nil {
				return nil, false
			}
		}
		out[k] = codec.Edit{Span: codec.Span{Start: start.i, End: l.i}, New: put, Changes: e.Changes}
	}
	return out, true
}
