package codec

// This file has Identity, the spelling without escapes.

// Identity is the spelling in which every byte stands for itself. Decode returns src itself. Encode and Lift never
// fail.
var Identity Codec = identity{}

type identity struct{}

// everyByte is the set of all bytes.
var everyByte = new(set).not()

func (identity) short(_, _ []byte, edits []Edit) ([]Edit, bool) { return edits, true }

func (identity) Decode(src []byte) ([]byte, error)     { return src, nil }
func (identity) Map(src []byte) ([]byte, Atoms, error) { return src, nil, nil }
func (identity) plain() *set                           { return everyByte }

func (identity) Encode(dst, _ []byte, _ Span, text []byte) ([]byte, error) {
	return append(dst, text...), nil
}
