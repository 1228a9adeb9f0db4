package mark

import (
	"absolink/extract/internal/codec"
)

// Saver is a program that writes into a page where it saved it from.
type Saver struct {
	By   string
	Read func(text []byte) []byte // gives the URL that it wrote as text; nil: that is the URL
}

// Evidence is a region of the text that says where a saved document came from.
type Evidence struct {
	Start, End int
	Codec      codec.Codec
	Saver      *Saver
}

// listedEvidence is how much evidence of a document is listed: as many programs as may
// ever have saved it one after the other.
const listedEvidence = 20

// Evidence marks a region that says where the text was saved from.
func (f *Finder) Evidence(by *Saver, start, end int, c codec.Codec) {
	if len(f.Evident) < listedEvidence {
		f.Evident = append(f.Evident, Evidence{start, end, c, by})
	}
}
