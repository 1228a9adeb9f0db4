package spell

import (
	"bytes"

	"absolink/extract/internal/codec"
)

// SwappedLines reads a text whose lines end in CR, by swapping CR and LF, so that every byte is kept even if the source has
// an LF. Each CR and each LF is an atom.
//
//	source   a CR b CR CR c
//	text     a LF b LF LF c
var SwappedLines codec.Codec = swappedLines{}

type swappedLines struct{ codec.Simple }

func (swappedLines) Decode(src []byte) ([]byte, error) {
	text := bytes.Clone(src)
	SwapLines(text)
	return text, nil
}

func (swappedLines) Map(src, _ []byte, atoms *codec.Atoms) {
	for i, b := range src {
		if b == '\r' || b == '\n' {
			atoms.Add(i, i, 1, 1)
		}
	}
}

func (swappedLines) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	dst = append(dst, text...)
	SwapLines(dst[len(dst)-len(text):])
	return dst, nil
}

// SwapLines replaces each CR by LF, and each LF by CR.
func SwapLines(text []byte) {
	for i, b := range text {
		switch b {
		case '\r':
			text[i] = '\n'
		case '\n':
			text[i] = '\r'
		}
	}
}
