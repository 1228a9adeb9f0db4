package mark

import "absolink/extract/internal/codec"

// Part describes the body of a body part, by its header. A message may have very many parts, so equal ones share a
// Part.
type Part struct {
	Name       string // if the part has no format, its extension determines the type, or failing that the bytes
	Charset    string // "" if the header names none
	Identified string // the media type that an archive has identified by the content, or ""

	Group    int32 // the group of Parts that the part is in
	Signed   bool  // a signature covers the part
	Hashed   bool  // it is signed because its archive has a hash of each file
	SevenBit bool  // its transfer encoding is 7bit
	Encoded  bool  // it is in a transfer encoding like quoted-printable
	Text     bool  // it is text, whose canonical form has CRLF line ends

	// Given is set if the user or the format of the container determines the media type, so that the content is not
	// compared with it.
	Given bool

	Policy string // the Content-Security-Policy of the header

	MD5 codec.Span // the value of its Content-MD5; empty if it has none

	// Files has the files of the archive around the part. It is nil unless the part is a document of a page that was
	// saved in an archive.
	Files *Files
}

// Files reports whether there is a file at a path, which is relative to a document.
type Files struct{ Has func(path string) bool }

// Parts are the body parts of one message that its links may name (RFC 2557 8).
type Parts struct {
	Siblings []Sibling
	Groups   []int // for each multipart/related, the group around it; -1 for the message itself
	full     bool  // see mostSiblings
	Snapshot bool  // Chromium wrote the message as the snapshot of a page
}

// Group opens a multipart/related inside the group outer, and returns its number.
func (p *Parts) Group(outer int) int {
	p.Groups = append(p.Groups, outer)
	return len(p.Groups) - 1
}

func (p *Parts) clear() { *p = Parts{Siblings: p.Siblings[:0], Groups: p.Groups[:0]} }

// Sibling is a body part that other parts may name by its Content-ID, and those of the same multipart/related by its
// Content-Location.
type Sibling struct {
	Path     string     // its number in the message: "2.1"
	Group    int        // the multipart/related; 0 is the message
	ID       codec.Span // the value of its Content-ID; empty if it has none
	Location *Mark      // the URL of its Content-Location; nil if it has none
	Based    bool       // its header declares a base
}

// mostSiblings is how many parts are kept for their Content-ID. Only a hostile message has more.
const mostSiblings = 1 << 16

// Sibling adds a body part that other parts may name.
func (m *Marks) Sibling(s Sibling) {
	if s.Location == nil && len(m.Parts.Siblings) >= mostSiblings {
		if !m.Parts.full {
			m.Warn(s.ID.Start, LinkLimit,
				"links find no later part by its Content-ID, because the message has too many")
		}
		m.Parts.full = true
		return
	}
	m.Parts.Siblings = append(m.Parts.Siblings, s)
}
