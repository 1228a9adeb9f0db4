package codec

import (
	"errors"
	"slices"
)

// Layers returns the codec of several codecs, one around the other, the outermost first. Without codecs it is Identity; one
// codec is itself. For several, the source is one atom.
func Layers(codecs ...Codec) Codec {
	switch len(codecs) {
	case 0:
		return Identity
	case 1:
		return codecs[0]
	}
	return &layers{slices.Clone(codecs)}
}

// layers is used by its address, by which it can be compared.
type layers struct{ codecs []Codec }

// Decode returns the first error of all. The place of a Damage is known in the source only.
func (c layers) Decode(src []byte) ([]byte, error) {
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

func (c layers) Map(src []byte) ([]byte, Atoms, error) { return oneAtom(c, src) }

// Encode spells the text by each of the codecs, from the inside out. It lifts, and so checks each.
func (c layers) Encode(dst, src []byte, _ Span, text []byte) ([]byte, error) {
	texts := [][]byte{src} // that the codecs spell, and at last the text
	for i, layer := range c.codecs {
		inner, err := layer.Decode(texts[i])
		if err != nil {
			return dst, err
		}
		texts = append(texts, inner)
	}
	edits := []Edit{{Span{0, len(texts[len(c.codecs)])}, text}}
	for i, layer := range slices.Backward(c.codecs) {
		var err error
		if edits, err = Lift(layer, texts[i], texts[i+1], edits); err != nil {
			return dst, err
		}
	}
	return Apply(dst, src, edits), nil
}
