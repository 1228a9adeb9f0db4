package codec

import (
	"errors"
	"fmt"
	"slices"

	"absolink/extract/internal/ascii"
)

// Identity is the spelling in which every byte stands for itself. Decode returns src itself. Encode and Lift never
// fail.
var Identity Codec = identity{}

type identity struct{ Simple }

var everyByte = new(ascii.Set).Not()

func (identity) Short(_, _ []byte, edits []Edit) ([]Edit, bool) { return edits, true }
func (identity) Plain() *ascii.Set                              { return everyByte }

func (identity) Encode(dst, _ []byte, _ Span, text []byte) ([]byte, error) {
	return append(dst, text...), nil
}

// ReadOnly returns the codec of a region whose bytes stand for themselves and must not change. The reason is shown to
// the user: bytes outside the entity depend on the region, for instance.
func ReadOnly(reason string) Codec { return readOnly{reason: reason} }

type readOnly struct {
	Simple
	reason string
}

func (c readOnly) Encode(dst, _ []byte, _ Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: %s", ErrCannotSpell, c.reason)
}

// Constant returns the codec of a region whose text does not come from its bytes, like a URL from a compressed file.
// Encode always fails.
func Constant(text string) Codec { return constant{text: text} }

type constant struct {
	OneAtom
	text string
}

func (c constant) Decode([]byte) ([]byte, error) { return []byte(c.text), nil }

func (c constant) Encode(dst, _ []byte, _ Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: the bytes that contain %s are read only", ErrCannotSpell, c.text)
}

// Nested returns the codec of nested codecs, the outermost first. The source is one atom. Without codecs the result is
// Identity, and for one codec it is that codec itself.
//
//	Nested(Chunked, Packed("gzip", 1000))
//
//	source of Chunked     1E␍␊ 1F 8B 08 ... ␍␊0␍␊␍␊     the body of an HTTP message
//	source of Packed      1F 8B 08 ...
//	text                  <a href="x">
func Nested(codecs ...Codec) Codec {
	switch len(codecs) {
	case 0:
		return Identity
	case 1:
		return codecs[0]
	}
	return &nested{codecs: slices.Clone(codecs)}
}

// NestedOf returns the codecs from which Nested made c, or just c.
func NestedOf(c Codec) []Codec {
	if c, ok := c.(*nested); ok {
		return slices.Clone(c.codecs)
	}
	return []Codec{c}
}

// nested is used as a pointer, because codecs must be comparable with ==.
type nested struct {
	Whole
	codecs []Codec
}

// Decode returns the first error of the codecs. A Damage of an inner codec gets the offset 0, because its place in the
// source is unknown.
func (c *nested) Decode(src []byte) ([]byte, error) { return c.DecodeInto(new([]byte), src) }

func (c *nested) DecodeInto(room *[]byte, src []byte) ([]byte, error) {
	var first error
	for i, one := range c.codecs {
		into := new([]byte)
		if i == len(c.codecs)-1 {
			into = room
		}
		text, err := DecodeInto(into, one, src)
		if src = text; first == nil {
			first = err
		}
		if d := (*Damage)(nil); i > 0 && errors.As(err, &d) && d.Offset > 0 {
			d.Offset = 0
		}
	}
	return src, first
}

// Encode spells the text with each codec, from the innermost outward. It uses Lift, which checks the law for each.
func (c *nested) Encode(dst, src []byte, _ Span, text []byte) ([]byte, error) {
	texts := [][]byte{src} // the source of each codec, and the text at the end
	for i, one := range c.codecs {
		inner, err := one.Decode(texts[i])
		if err != nil {
			return dst, err
		}
		texts = append(texts, inner)
	}
	edits := []Edit{{Span: Span{0, len(texts[len(c.codecs)])}, New: text}}
	for i, one := range slices.Backward(c.codecs) {
		var err error
		if edits, err = Lift(one, texts[i], texts[i+1], edits); err != nil {
			return dst, err
		}
	}
	return Apply(dst, src, edits), nil
}
