package extract

import "absolink/extract/internal/codec"

// saver is a program that writes into a page where it saved it from.
type saver struct {
	by   string
	read func(text []byte) []byte // gives the URL that it wrote as text; nil: that is the URL
}

// evidence is a region of the text that says where a saved document came from.
type evidence struct {
	start, end int
	codec      codec.Codec
	saver      *saver
}

// listedEvidence is how much evidence of a document is listed: as many programs as may
// ever have saved it one after the other.
const listedEvidence = 20

// Evidence marks a region that says where the text was saved from.
func (f *Finder) Evidence(by *saver, start, end int, c codec.Codec) {
	if len(f.evidence) < listedEvidence {
		f.evidence = append(f.evidence, evidence{start, end, c, by})
	}
}
