package mark

import (
	"iter"

	"absolink/extract/internal/window"
)

// Format finds the bases, links and nested documents in the text of one media type, or of one of the small grammars
// inside another format (srcset, meta refresh). A Format never changes.
//
// A new format is a package of its own, and a row of the table in extract/format.go.
type Format struct {
	Name  string   // the media type, or the name of the small grammar
	Types []string // further media types that mean the same
	Exts  []string // file name extensions, with the dot, in lower case

	// Charset returns the label of the encoding of raw bytes, by the rules of the media type. transport is the
	// label from outside, or "". A nil Charset means that the bytes are the text.
	Charset func(raw []byte, transport string) string

	// Split cuts a stream into records, each with its own format. A record longer than limit comes in pieces
	// without a format. A nil Split means that a document is one record. An error is a read error.
	Split func(in window.Window, limit int) iter.Seq2[Chunk, error]

	// Extract marks the bases, links and nested documents in src. src is text: UTF-8, though perhaps not valid.
	Extract func(src []byte, m *Marks)

	Holds    Holding   // the kind of documents that a collection contains
	Embeds   Embedding // the kind of documents that a document can contain
	Members  bool      // in a compressed file, each record is a member of its own
	Fragment bool      // a part of the document around it: it has links, and no base of its own
	Single   bool      // a small grammar for one link, which needs no number
	UTF8     bool      // under the URL Standard, queries in it are encoded in UTF-8, whatever the document's encoding is
}

// Holding is the kind of documents that a collection contains. Their URLs are not the URL of the collection.
type Holding uint8

const (
	NoFiles    Holding = iota
	NamedFiles         // files with paths, as in a folder
	SavedFiles         // files with paths, and the archive has the URLs of the pages among them
	Captures           // documents that were retrieved one by one: each has its own URL
)

// HasPaths reports whether the documents have paths in the collection.
func (h Holding) HasPaths() bool { return h == NamedFiles || h == SavedFiles }

// HasURLs reports whether the collection has the URLs of its documents.
func (h Holding) HasURLs() bool { return h == SavedFiles || h == Captures }

// Embedding is the kind of documents that a document can contain.
type Embedding uint8

const (
	AnyDocuments Embedding = iota
	OnlyPages              // HTML, such as a srcdoc
	NoDocuments
)

// SniffLen is the number of bytes of a document that are enough to detect its format.
const SniffLen = 1024

// Chunk is one record of a stream, as its format cuts it out. A Chunk without a format is a piece of a record
// that is too long. Its bytes are copied.
type Chunk struct {
	Entity string // the name of a record that is too long; "" for others
	Format *Format
	Offset int64  // in the stream
	Bytes  []byte // valid until the next Chunk is read
	More   bool   // the next Chunk belongs to the same record
	Fault  *Fault // found when the record was cut out; its Offset is in Bytes
}

// RatioFree is the number of bytes that a compressed file may always decompress to, however short it is.
const RatioFree = 16 << 20
