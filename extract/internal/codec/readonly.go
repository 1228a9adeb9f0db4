package codec

// This file has the codecs of regions that are never written.

import "fmt"

// ReadOnly is the codec of a region whose bytes stand for themselves and must not change. The string is the reason for
// the user. An example of a reason is that other bytes, outside the entity, depend on the region.
type ReadOnly string

func (ReadOnly) Decode(src []byte) ([]byte, error) { return src, nil }

func (ReadOnly) Map(src []byte) ([]byte, Atoms, error) { return src, nil, nil }

func (k ReadOnly) Encode(dst, _ []byte, _ Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: %s", ErrCannotSpell, string(k))
}

// Constant is the codec of a region whose text is not computed from its bytes. An example is a URL from a compressed
// file. The string is the text. Encode always fails.
type Constant string

func (t Constant) Decode([]byte) ([]byte, error) { return []byte(t), nil }

func (t Constant) Map(src []byte) ([]byte, Atoms, error) {
	return []byte(t), Atoms{{N: 1, SrcLen: len(src), TextLen: len(t)}}, nil
}

func (t Constant) Encode(dst, _ []byte, _ Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: the bytes that contain %s are read only", ErrCannotSpell, string(t))
}
