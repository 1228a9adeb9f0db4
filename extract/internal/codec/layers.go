package codec

// This file has Layers, which nests codecs.

import (
	"errors"
	"slices"
)

// Layers returns the codec of several nested codecs. The first one is the outermost. The source is one atom. Without
// codecs, Layers returns Identity. For one codec, Layers returns that codec itself.
//
//	Layers(Chunked, Packed("gzip", 1000))
//
//	source of Chunked     1E␍␊ 1F 8B 08 ... ␍␊0␍␊␍␊     the body of an HTTP message
//	source of Packed      1F 8B 08 ...
//	text                  <a href="x">
func Layers(codecs ...Codec) Codec {
	switch len(codecs) {
	case 0:
		return Identity
	case 1:
		return codecs[0]
	}
	return &layers{slices.Clone(codecs)}
}

// layers is used as a pointer, because codecs must be comparable with ==.
type layers struct{ codecs []Codec }

// Decode returns the first error of the layers. A Damage of an inner layer gets the offset 0, because its place in the
// source is unknown.
func (c *layers) Decode(src []byte) ([]byte, error) {
	var first error
	for i, layer := range c.codecs {
		text, err := layer.Decode(src)
		if src = text; first == nil {
			first = err
		}
		if d := (*Damage)(nil); i > 0 && errors.As(err, &d) {
			d.Offset = 0
		}
	}
	return src, first
}

func (c *layers) Map(src []byte) ([]byte, Atoms, error) { return oneAtom(c, src) }

// Encode spells the text with each codec, from the innermost to the outermost. It uses Lift, which checks the law for
// each.
func (c *layers) Encode(dst, src []byte, _ Span, text []byte) ([]byte, error) {
	texts := [][]byte{src} // the source of each codec, and the text at the end
	for i, layer := range c.codecs {
		inner, err := layer.Decode(texts[i])
		if err != nil {
			return dst, err
		}
		texts = append(texts, inner)
	}
	edits := []Edit{{Span: Span{0, len(texts[len(c.codecs)])}, New: text}}
	for i, layer := range slices.Backward(c.codecs) {
		var err error
		if edits, err = Lift(layer, texts[i], texts[i+1], edits); err != nil {
			return dst, err
		}
	}
	return Apply(dst, src, edits), nil
}
