package mark

import (
	"absolink/extract/internal/codec"
)

// Saver is a program that writes into a page the URL that it saved the page from.
type Saver struct {
	By   string                   // the name that the ladder shows
	Read func(text []byte) []byte // returns the URL that text spells; nil: the text is the URL
}

// Evidence is a region of the text that spells the URL from which the document was saved.
type Evidence struct {
	Start, End int
	Codec      codec.Codec
	Saver      *Saver
}

// listedEvidence is the number of pieces of evidence that are listed. A page is rarely saved by more programs, one after
// the other.
const listedEvidence = 20

// Evidence marks a region that spells the URL from which the text was saved.
func (m *Marks) Evidence(by *Saver, start, end int, c codec.Codec) {
	if len(m.Notes.Evidence) < listedEvidence {
		m.Notes.Evidence = append(m.Notes.Evidence, Evidence{start, end, c, by})
	}
}
