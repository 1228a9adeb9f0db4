package extract

import (
	"bytes"
	"fmt"

	"absolink/extract/codec"
)

// srcset is the value of a srcset or imagesrcset attribute: "a.png 1x, b.png 2x".
var srcset = &Format{Name: "srcset", Extract: extractSrcset}

var srcsetPlace = &Place{Name: "srcset"}

// extractSrcset is "parse a srcset attribute" of HTML 4.8.4.3, its splitting loop. Each
// candidate is marked, also one whose descriptors make browsers drop it: what it names is
// a URL all the same, and other readers are less strict.
func extractSrcset(src []byte, f *Finder) {
	for i := 0; ; {
		for i < len(src) && (isSpace(src[i]) || src[i] == ',') {
			i++
		}
		if i == len(src) {
			return
		}
		// The URL goes up to white space, commas and all; only those at its end are not part
		// of it, and mean that it has no descriptors.
		start := i
		for i < len(src) && !isSpace(src[i]) {
			i++
		}
		end := i
		for src[end-1] == ',' {
			end--
		}
		f.Link(srcsetPlace, start, end, srcsetURL)
		if end == i {
			i = srcsetDescriptors(src, i)
		}
	}
}

// srcsetDescriptors gives the end of the descriptors at i: a comma that is not in
// parentheses. Those do not nest.
func srcsetDescriptors(src []byte, i int) int {
	for i < len(src) && src[i] != ',' {
		if src[i] == '(' {
			n := bytes.IndexByte(src[i:], ')')
			if n < 0 {
				return len(src)
			}
			i += n
		}
		i++
	}
	return i
}

// unescaped is how a URL is spelled in a grammar that has no escapes: every byte stands for
// itself, and so what would end the URL cannot be in it. Nor can it be empty.
type unescaped struct {
	never       string // bytes that cannot stand in it
	first, last string // bytes that cannot stand at its ends
}

const whiteSpace = " \t\n\f\r"

var srcsetURL codec.Codec = &unescaped{never: whiteSpace, first: ",", last: ","}

func (*unescaped) Decode(src []byte) ([]byte, error) { return src, nil }

func (*unescaped) Map(src []byte) ([]byte, codec.Atoms, error) { return src, nil, nil }

// Encode refuses text that would be cut, or would lose an end, when it is read again.
func (b *unescaped) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	if i := bytes.IndexAny(text, b.never); i >= 0 {
		return dst, fmt.Errorf("%w: %q in a URL", codec.ErrCannotSpell, text[i])
	}
	first, last := text, text
	if at.Start > 0 || len(text) == 0 {
		first = edge(src[:at.Start], src[at.End:])
	}
	if at.End < len(src) || len(text) == 0 {
		last = edge(src[at.End:], src[:at.Start])
	}
	if len(first) == 0 {
		return dst, fmt.Errorf("%w: an empty URL", codec.ErrCannotSpell)
	}
	if c := first[:1]; bytes.ContainsAny(c, b.first) {
		return dst, fmt.Errorf("%w: %q at the start of a URL", codec.ErrCannotSpell, c)
	}
	if c := last[len(last)-1:]; bytes.ContainsAny(c, b.last) {
		return dst, fmt.Errorf("%w: %q at the end of a URL", codec.ErrCannotSpell, c)
	}
	return append(dst, text...), nil
}

// brokenURL is unescaped where tabs and newlines can stand inside the URL: they are no part
// of it (URL Standard 4.4, step 3), and stay where they are.
type brokenURL struct{ unescaped }

const inURL = "\t\n\r"

func (b *brokenURL) Decode(src []byte) ([]byte, error) {
	text, _, err := b.Map(src)
	return text, err
}

func (*brokenURL) Map(src []byte) ([]byte, codec.Atoms, error) {
	i := bytes.IndexAny(src, inURL)
	if i < 0 {
		return src, nil, nil
	}
	text, atoms := append([]byte(nil), src[:i]...), codec.Atoms(nil)
	for ; i < len(src); i++ {
		if c := src[i]; c == '\t' || c == '\n' || c == '\r' {
			atoms = append(atoms, codec.Atom{Src: i, Text: len(text), N: 1, SrcLen: 1})
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
