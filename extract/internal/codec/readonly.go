package codec

import "fmt"

// Kept is the codec of a region that stands for itself and that nobody may change. The string is the reason, such as that
// something outside the entity depends on these bytes.
type Kept string

func (Kept) Decode(src []byte) ([]byte, error) { return src, nil }

func (Kept) Map(src []byte) ([]byte, Atoms, error) { return src, nil, nil }

func (k Kept) Encode(dst, _ []byte, _ Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: %s", ErrCannotSpell, string(k))
}

// Told is the codec of a region whose bytes do not spell its text, such as a compressed file that contains a URL. The string
// is the text. The codec never writes it.
type Told string

func (t Told) Decode([]byte) ([]byte, error) { return []byte(t), nil }

func (t Told) Map(src []byte) ([]byte, Atoms, error) {
	return []byte(t), Atoms{{N: 1, SrcLen: len(src), TextLen: len(t)}}, nil
}

func (t Told) Encode(dst, _ []byte, _ Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: %s is not written", ErrCannotSpell, string(t))
}
