package mark

import "absolink/extract/internal/codec"

// Part describes the body of a body part, by its header. A message may have very many parts, so a Part has no padding.
type Part struct {
	Name       string // if the part has no format, the extension of Name, or else the bytes, determine the type
	Charset    string // "" if the header names none
	Identified string // the media type that an archive has identified by the content, or ""

	Group    int32 // the group of Parts that contains the part
	Signed   bool  // a signature covers the part
	SevenBit bool  // its transfer encoding is 7bit
	Encoded  bool  // it is in a transfer encoding, such as quoted-printable
	Text     bool  // it is text: its canonical form has CRLF line ends

	// Given is set if the media type is certain, because the user or the format of the container determines it. Then the
	// content is not compared with the type.
	Given bool

	MD5 codec.Span // the value of its Content-MD5; empty if there is no Content-MD5

	// Beside reports whether the archive has a file at a path relative to the part. It is set for the documents of a
	// page that was saved in an archive, and nil for other parts.
	Beside func(path string) bool
}

// like reports whether two parts are equal. A Part with Beside is like no other Part.
func (p *Part) like(other *Part) bool {
	return p.Name == other.Name && p.Charset == other.Charset && p.Identified == other.Identified && p.Group == other.Group &&
		p.Signed == other.Signed && p.SevenBit == other.SevenBit && p.Encoded == other.Encoded && p.Text == other.Text && p.Given == other.Given &&
		p.MD5 == other.MD5 && p.Beside == nil && other.Beside == nil
}

// Parts are the body parts of one message that its links may name (RFC 2557 8).
type Parts struct {
	Siblings []Sibling
	Groups   []int // for each multipart/related, the group around it; -1 for the message itself
	Snapshot bool  // Chromium wrote the message, as the snapshot of a page
}

// Group opens a multipart/related inside the group outer. It returns the number of the new group.
func (p *Parts) Group(outer int) int {
	p.Groups = append(p.Groups, outer)
	return len(p.Groups) - 1
}

func (p *Parts) clear() { p.Siblings, p.Groups, p.Snapshot = p.Siblings[:0], p.Groups[:0], false }

// Sibling is a body part that other parts may name by its Content-ID. Parts of the same multipart/related may also name
// it by its Content-Location.
type Sibling struct {
	Path     string     // its number in the message: "2.1"
	Group    int        // the multipart/related; 0 is the message
	ID       codec.Span // the value of its Content-ID; empty if there is no Content-ID
	Location *Mark      // the URL of its Content-Location; nil if there is no Content-Location
	Based    bool       // its header declares a base
}

// Sibling adds a body part that other parts may name.
func (m *Marks) Sibling(s Sibling) {
	m.Parts.Siblings = append(m.Parts.Siblings, s)
}
