package codec

import (
	"bytes"
	"unicode/utf8"
)

// stateless is a charset in which a letter is spelled by the same bytes wherever it stands.
type stateless interface {
	Codec
	// letter is how many bytes the letter takes that src begins with, and how many its text, with
	// which text begins. There is one that is not ASCII, and all of src could be read.
	letter(src, text []byte) (n, textLen int)
}

// readable reports whether all of a source could be read, by its text.
func readable(text []byte) bool { return !bytes.Contains(text, []byte("\uFFFD")) }

// cursor goes over a source of a stateless charset that could be read, and over its text.
type cursor struct {
	c         stateless
	src, text []byte
	boundary
}

// boundary is where a letter begins: in the source, and in the text.
type boundary struct{ i, at int }

// to goes on to the letter that text[end] is in or begins.
func (l *cursor) to(end int) {
	for l.at < end {
		n, m := l.next(end)
		if l.at+m > end {
			return
		}
		l.i, l.at = l.i+n, l.at+m
	}
}

// past goes on to the first letter that begins at text[end] or behind it.
func (l *cursor) past(end int) {
	for l.at < end {
		n, m := l.next(end)
		l.i, l.at = l.i+n, l.at+m
	}
}

// next is how many bytes the letter at hand takes, and how many its text; of ASCII, how many all
// letters take up to text[end].
func (l *cursor) next(end int) (n, textLen int) {
	if l.src[l.i] < utf8.RuneSelf {
		n = asciiLen(l.src[l.i:min(l.i+end-l.at, len(l.src))])
		return n, n
	}
	return l.c.letter(l.src[l.i:], l.text[l.at:])
}

// atomsOf are those of a source that could be read.
func atomsOf(c stateless, src, text []byte) (atoms Atoms) {
	run := Atom{}
	for l := (cursor{c: c, src: src, text: text}); l.i < len(src); {
		n, m := l.next(len(text))
		if src[l.i] >= utf8.RuneSelf {
			if run.SrcLen != n || run.TextLen != m || run.srcEnd() != l.i {
				atoms = atoms.addRun(run)
				run = Atom{Src: l.i, Text: l.at, SrcLen: n, TextLen: m}
			}
			run.N++
		}
		l.i, l.at = l.i+n, l.at+m
	}
	return atoms.addRun(run)
}

// liftLetters is short for a source that could be read: the law holds, since no letter depends on
// another.
func liftLetters(c stateless, src, text []byte, edits []Edit) ([]Edit, bool) {
	l := cursor{c: c, src: src, text: text}
	out := make([]Edit, len(edits))
	for k, e := range edits {
		l.to(e.Start)
		start := l.boundary
		l.to(e.End)
		if start.at != e.Start || l.at != e.End {
			return nil, false
		}
		put := e.New
		if asciiLen(put) < len(put) {
			var err error
			if put, err = c.Encode(nil, src, Span{start.i, l.i}, put); err != nil {
				return nil, false
			}
		}
		out[k] = Edit{Span{start.i, l.i}, put}
	}
	return out, true
}
