package spell

import (
	"bytes"
	"fmt"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// Bytes that an Unescaped URL may not contain.
const (
	WhiteSpace = " \t\n\f\r" // ASCII whitespace (Infra Standard 4.6)
	Breaks     = "\t\n\r"    // the bytes that URL parsers remove from a URL
)

// Unescaped is the spelling of a URL in a grammar without escapes. Every byte stands for itself, so a URL has no
// spelling if it is empty or contains a byte that ends URLs in this grammar. Unescaped is used as a pointer.
//
//	srcset="a.png 2x, b.png"     source a.png, text a.png; white space ends the URL, and so does a comma at its end
type Unescaped struct {
	codec.Simple
	Never       string // bytes that the URL cannot contain
	First, Last string // bytes that cannot be the first or the last byte of the URL
}

// Encode appends text to dst, and returns the extended slice. It returns dst unchanged, and an error that wraps
// ErrCannotSpell, in these cases:
//
//   - text contains a byte of Never, where a reader would end the URL
//   - the whole URL, src with text in place of the span at, is empty
//   - the whole URL starts with a byte of First, or ends with a byte of Last, which a reader would remove
func (b *Unescaped) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	if i := bytes.IndexAny(text, b.Never); i >= 0 {
		return dst, fmt.Errorf("%w: %q is not allowed in a URL at this place", codec.ErrCannotSpell, text[i])
	}
	first, last := text, text
	if at.Start > 0 || len(text) == 0 {
		first = edge(src[:at.Start], src[at.End:])
	}
	if at.End < len(src) || len(text) == 0 {
		last = edge(src[at.End:], src[:at.Start])
	}
	if len(first) == 0 {
		return dst, fmt.Errorf("%w: the URL is empty", codec.ErrCannotSpell)
	}
	if c := first[:1]; bytes.ContainsAny(c, b.First) {
		return dst, fmt.Errorf("%w: %q is not allowed at the start of a URL at this place", codec.ErrCannotSpell, c)
	}
	if c := last[len(last)-1:]; bytes.ContainsAny(c, b.Last) {
		return dst, fmt.Errorf("%w: %q is not allowed at the end of a URL at this place", codec.ErrCannotSpell, c)
	}
	return append(dst, text...), nil
}

// BrokenURL is Unescaped for a URL with tabs and newlines in it. These are not part of the URL (URL Standard 4.4, step
// 3). They are atoms without text, and stay.
type BrokenURL struct{ Unescaped }

func (b *BrokenURL) Decode(src []byte) ([]byte, error) { return b.read(src, nil) }

func (b *BrokenURL) Map(src, _ []byte, atoms *codec.Atoms) { b.read(src, atoms) }

func (*BrokenURL) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	return without(breaks, src, atoms), nil
}

var breaks = ascii.SetOf(Breaks)

// without returns src without the bytes of a set, which are atoms without text.
func without(set *ascii.Set, src []byte, atoms *codec.Atoms) []byte {
	r := codec.ReadFrom(src, 0, atoms)
	for i, b := range src {
		if set[b] {
			r.Put(1, "")
		} else {
			r.Same(i + 1)
		}
	}
	return r.Text()
}

// edge returns near, or far if near is empty.
func edge(near, far []byte) []byte {
	if len(near) > 0 {
		return near
	}
	return far
}
