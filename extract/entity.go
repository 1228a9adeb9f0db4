package extract

import (
	"absolink/base"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/source"
)

// Entity is a document, or a document that stands inside another one. The Entity and its Bytes are valid until the
// visit returns. The Scope may be kept.
type Entity struct {
	Document string // the Name of the Document
	Path     string // within the document: "iframe@srcdoc[1]"; "" is the document itself
	Type     string // media type
	Bytes    []byte // what offsets count
	Scope    *base.Scope

	fragment bool // a part of the document around it, with no base of its own
	srcdoc   bool // the document of an iframe's srcdoc

	spelled
	position
	origin
	member
	lines source.Lines
}

// spelled is how the bytes of an entity spell its text.
type spelled struct {
	text     *source.Text
	whole    source.Text     // what text points to
	charset  codec.Codec     // how Bytes spell the text; nil if they are the text
	raw      bool            // Bytes are as they came, in a charset; else they are text that was decoded already
	spelling *source.Charset // what edits are spelled in: the charset of the nearest raw entity, itself or around it
	spells   source.Charset  // of a raw entity, what spelling points to
}

// position is where an entity stands.
type position struct {
	outer      *Entity      // the one it stands in; nil for a record
	region     *source.Text // where it stands there
	depth      int          // how many documents are around it
	start      int64        // of a record, in what its path names
	compressed bool         // of a record: the document is compressed, and offsets count decompressed bytes
}

// origin is where the file came from that an entity is.
type origin struct {
	file       string         // its name: the Document's, or the name in an archive
	own        bool           // it is a file: a record, or a file in an archive
	attributes []Evidence     // of a record: the Document's
	members    mark.MemberURL // of an archive; may be nil
	saved      *saved.Saved   // how the page was saved that it is or stands in; nil for most
}

// member is an entity's place among the parts of a message.
type member struct {
	header *base.Scope // of the header that it has there, as a body part or a response
	parts  *siblings   // its own parts, if it is a message
	among  *siblings   // those that its links may name, from within a group of them
	group  int
	sealed bool // a signature covers it, and it will stay as it is
}

// inside returns the position of a record that stands in e, whose bytes text begin at start.
func (e *Entity) inside(text []byte, start int) position {
	return position{outer: e, region: &source.Text{Parent: e.text, Bytes: text, Start: start, Src: text}, depth: e.depth, start: int64(start)}
}

// within returns the path of an entity that stands in e.
func (e *Entity) within(name string) string {
	if e.Path == "" {
		return name
	}
	return e.Path + "/" + name
}

// srcdocURL is the URL of a document that an iframe's srcdoc holds (HTML 4.8.5).
const srcdocURL = "about:srcdoc"

// ownURL is the URL of the document that the entity is or is part of, as the HTML of a feed's entry is
// part of the feed; "" if unknown.
func (e *Entity) ownURL(scope *base.Scope) string {
	for !e.raw && !e.srcdoc {
		e = e.outer
	}
	if e.srcdoc {
		return srcdocURL
	}
	if e.header != nil {
		for _, c := range e.header.Own() {
			if c.By == header.ContentLocation.Name && c.Verdict != base.Rejected { // RFC 2557 4.2
				return c.URL
			}
		}
	}
	return scope.RetrievalURL()
}
