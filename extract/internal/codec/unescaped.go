package codec

import (
	"bytes"
	"fmt"
)

// Bytes that an Unescaped URL may not hold.
const (
	WhiteSpace = " \t\n\f\r" // HTML's ASCII whitespace
	Breaks     = "\t\n\r"    // what URL parsers remove from a URL
)

// Unescaped is the spelling of a URL in a grammar that has no escapes. Every byte stands for itself, and a URL that
// contains a byte which would end it has no spelling. The empty URL has none either.
type Unescaped struct {
	Never       string // bytes that cannot stand in it
	First, Last string // bytes that cannot stand at its ends
}

// Decode returns src.
func (*Unescaped) Decode(src []byte) ([]byte, error) { return src, nil }

func (*Unescaped) Map(src []byte) ([]byte, Atoms, error) { return src, nil, nil }

// Encode refuses a URL that a reader would cut, or whose first or last byte a reader would drop.
func (b *Unescaped) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	if i := bytes.IndexAny(text, b.Never); i >= 0 {
		return dst, fmt.Errorf("%w: %q in a URL", ErrCannotSpell, text[i])
	}
	first, last := text, text
	if at.Start > 0 || len(text) == 0 {
		first = edge(src[:at.Start], src[at.End:])
	}
	if at.End < len(src) || len(text) == 0 {
		last = edge(src[at.End:], src[:at.Start])
	}
	if len(first) == 0 {
		return dst, fmt.Errorf("%w: an empty URL", ErrCannotSpell)
	}
	if c := first[:1]; bytes.ContainsAny(c, b.First) {
		return dst, fmt.Errorf("%w: %q at the start of a URL", ErrCannotSpell, c)
	}
	if c := last[len(last)-1:]; bytes.ContainsAny(c, b.Last) {
		return dst, fmt.Errorf("%w: %q at the end of a URL", ErrCannotSpell, c)
	}
	return append(dst, text...), nil
}

// BrokenURL is Unescaped with tabs and newlines inside the URL. They are not part of the URL (URL Standard 4.4, step 3), and
// they stay.
type BrokenURL struct{ Unescaped }

func (b *BrokenURL) Decode(src []byte) ([]byte, error) {
	text, _, err := b.Map(src)
	return text, err
}

func (*BrokenURL) Map(src []byte) ([]byte, Atoms, error) {
	i := bytes.IndexAny(src, Breaks)
	if i < 0 {
		return src, nil, nil
	}
	text, atoms := append([]byte(nil), src[:i]...), Atoms(nil)
	for ; i < len(src); i++ {
		if c := src[i]; c == '\t' || c == '\n' || c == '\r' {
			atoms = append(atoms, Atom{Src: i, Text: len(text), N: 1, SrcLen: 1})
		} else {
			text = append(text, c)
		}
	}
	return text, atoms, nil
}

// edge is near, or far if that is empty.
func edge(near, far []byte) []byte {
	if len(near) > 0 {
		return near
	}
	return far
}
