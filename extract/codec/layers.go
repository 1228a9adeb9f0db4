package codec

// Layers is the spelling by several codecs, one around the other, the outermost first: Identity without any,
// the codec itself if there is one. Several are one atom.
func Layers(codecs ...Codec) Codec {
	switch len(codecs) {
	case 0:
		return Identity
	case 1:
		return codecs[0]
	}
	return layers{codecs[0], Layers(codecs[1:]...)}
}

type layers struct{ outer, inner Codec }

// Decode gives the first error of all.
func (c layers) Decode(src []byte) ([]byte, error) {
	between, err := c.outer.Decode(src)
	text, innerErr := c.inner.Decode(between)
	if err == nil {
		err = innerErr
	}
	return text, err
}

func (c layers) Map(src []byte) ([]byte, Atoms, error) {
	text, err := c.Decode(src)
	return text, Atoms(nil).add(0, 0, len(src), len(text)), err
}

// Encode spells the text by each of the codecs. It lifts, and so checks each.
func (c layers) Encode(dst, src []byte, _ Span, text []byte) ([]byte, error) {
	between, err := c.outer.Decode(src)
	if err != nil {
		return dst, err
	}
	old, err := c.inner.Decode(between)
	if err != nil {
		return dst, err
	}
	edits, err := Lift(c.inner, between, old, []Edit{{Span{0, len(old)}, text}})
	if err != nil {
		return dst, err
	}
	if edits, err = Lift(c.outer, src, between, edits); err != nil {
		return dst, err
	}
	return Apply(dst, src, edits), nil
}
