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

// AtomsOf are the atoms that c.Map(src) gives, for who has the text of c.Decode(src).
func AtomsOf(c Codec, src, text []byte) Atoms {
	if c, ok := c.(stateless); ok && readable(text) {
		return atomsOf(c, src, text)
	}
	_, atoms, _ := c.Map(src)
	return atoms
}

// readable says whether all of a source could be read, by its text.
func readable(text []byte) bool { return !bytes.Contains(text, []byte("\uFFFD")) }

// atomsOf are those of a source that could be read.
func atomsOf(c stateless, src, text []byte) (atoms Atoms) {
	run := Atom{}
	for i, at := 0, 0; i < len(src); {
		if src[i] < utf8.RuneSelf {
			n := asciiLen(src[i:])
			i, at = i+n, at+n
			continue
		}
		n, m := c.letter(src[i:], text[at:])
		if run.SrcLen != n || run.TextLen != m || run.srcEnd() != i {
			atoms = atoms.addRun(run)
			run = Atom{Src: i, Text: at, SrcLen: n, TextLen: m}
		}
		run.N++
		i, at = i+n, at+m
	}
	return atoms.addRun(run)
}

// liftLetters is short for a source that could be read: the law holds, since no letter depends on
// another.
func liftLetters(c stateless, src, text []byte, edits []Edit) ([]Edit, bool) {
	i, at := 0, 0
	to := func(end int) bool { // goes on to the letter whose text begins there
		for at < end {
			if src[i] < utf8.RuneSelf {
				n := asciiLen(src[i:min(i+end-at, len(src))])
				i, at = i+n, at+n
				continue
			}
			n, m := c.letter(src[i:], text[at:])
			i, at = i+n, at+m
		}
		return at == end
	}
	out := make([]Edit, len(edits))
	for k, e := range edits {
		if !to(e.Start) {
			return nil, false
		}
		start := i
		if !to(e.End) {
			return nil, false
		}
		put := e.New
		if asciiLen(put) < len(put) {
			var err error
			if put, err = c.Encode(nil, src, Span{start, i}, put); err != nil {
				return nil, false
			}
		}
		out[k] = Edit{Span{start, i}, put}
	}
	return out, true
}
