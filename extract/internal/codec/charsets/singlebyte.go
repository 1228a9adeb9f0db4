package charsets

import (
	"sync"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"

	"golang.org/x/text/encoding/charmap"
)

// singleByte is an encoding of one byte for each character (Encoding Standard 9.1, and x-user-defined in 14.5). An
// ASCII byte stands for itself. Each other byte is an atom.
//
//	source   63 61 66 E9     windows-1252
//	text     c  a  f  é
type singleByte struct {
	codec.Simple
	charmap *charmap.Charmap
	upper   [128]string // the text of the bytes 0x80 to 0xFF, two or three bytes each
}

// singleBytes has the encodings that were used before, by their charmap. To make an encoding takes longer than to read
// a small page.
var singleBytes sync.Map

// singleByteOf returns the encoding of a charmap.
func singleByteOf(cm *charmap.Charmap) *singleByte {
	c, ok := singleBytes.Load(cm)
	if !ok {
		c, _ = singleBytes.LoadOrStore(cm, newSingleByte(cm))
	}
	return c.(*singleByte)
}

func newSingleByte(cm *charmap.Charmap) *singleByte {
	c := &singleByte{charmap: cm}
	for i := range c.upper {
		r := cm.DecodeByte(byte(0x80 + i))
		if r == utf8.RuneError && i < 0x20 {
			// In the indexes of the Encoding Standard, a byte that a code page does not use is a C1 control. In x/text
			// that is so only for the ISO sets.
			r = rune(0x80 + i)
		}
		c.upper[i] = string(r)
	}
	return c
}

func (*singleByte) Plain() *ascii.Set { return asciiBytes }

func (c *singleByte) Decode(src []byte) ([]byte, error) {
	n := ascii.NextWide(src, 0)
	if n == len(src) {
		return src, nil
	}
	var err error
	text := append(make([]byte, 0, len(src)+len(src)/2), src[:n]...)
	for i := n; i < len(src); {
		if src[i] < utf8.RuneSelf {
			n = ascii.NextWide(src[i:], 0)
			text = append(text, src[i:i+n]...)
			i += n
			continue
		}
		s := c.upper[src[i]-0x80]
		if s == "\uFFFD" {
			err = codec.ErrUndecodable
		}
		if text = append(text, s[0], s[1]); len(s) == 3 {
			text = append(text, s[2])
		}
		i++
	}
	return text, err
}

func (c *singleByte) Map(src []byte) ([]byte, codec.Atoms, error) {
	text, err := c.Decode(src)
	return text, atomsOf(c, src, text), err
}

// letter is a method of stateless. It has a length for invalid bytes too.
func (c *singleByte) letter(src, _ []byte) (n, textLen int) { return 1, len(c.upper[src[0]-0x80]) }

func (c *singleByte) Short(src, text []byte, edits []codec.Edit) ([]codec.Edit, bool) {
	return liftLetters(c, src, text, edits)
}

func (c *singleByte) Spans(src, text []byte) func(codec.Span) codec.Span {
	return spansOf(c, src, text)
}

func (c *singleByte) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	out := dst
	err := runes(text, func(r rune) bool {
		b, ok := encodeByte(c.charmap, r)
		out = append(out, b)
		return ok
	})
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Cut cuts everywhere.
func (*singleByte) Cut(_, _ []byte, _ int) codec.Cuts { return codec.Anywhere }
