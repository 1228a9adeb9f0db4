package codec

import "fmt"

// Kept is the spelling of a region that stands for itself and is never written. The string says
// why, such as that something outside of the entity depends on these bytes.
type Kept string

func (Kept) Decode(src []byte) ([]byte, error) { return src, nil }

func (Kept) Map(src []byte) ([]byte, Atoms, error) { return src, nil, nil }

func (k Kept) Encode(dst, _ []byte, _ Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: %s", ErrCannotSpell, string(k))
}

// Told is the spelling of a region that says a text in some other way than by its bytes, such as
// a packed file with a URL in it. The string is that text; it is never written.
type Told string

func (t Told) Decode([]byte) ([]byte, error) { return []byte(t), nil }

func (t Told) Map(src []byte) ([]byte, Atoms, error) {
	return []byte(t), Atoms{{N: 1, SrcLen: len(src), TextLen: len(t)}}, nil
}

func (t Told) Encode(dst, _ []byte, _ Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: %s is not written", ErrCannotSpell, string(t))
}
