package codec

import "fmt"

// ReadOnly is the codec of a region that stands for itself and that nobody may change. The string is the reason, such as that
// something outside the entity depends on these bytes.
type ReadOnly string

func (ReadOnly) Decode(src []byte) ([]byte, error) { return src, nil }

func (ReadOnly) Map(src []byte) ([]byte, Atoms, error) { return src, nil, nil }

func (k ReadOnly) Encode(dst, _ []byte, _ Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: %s", ErrCannotSpell, string(k))
}

// Constant is the codec of a region whose bytes do not spell its text, such as a compressed file that contains a URL. The string
// is the text. The codec never writes it.
type Constant string

func (t Constant) Decode([]byte) ([]byte, error) { return []byte(t), nil }

func (t Constant) Map(src []byte) ([]byte, Atoms, error) {
	return []byte(t), Atoms{{N: 1, SrcLen: len(src), TextLen: len(t)}}, nil
}

func (t Constant) Encode(dst, _ []byte, _ Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: %s is not written", ErrCannotSpell, string(t))
}
