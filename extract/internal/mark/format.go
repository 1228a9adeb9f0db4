package mark

import (
	"iter"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/window"
)

// Format finds the bases, links and nested documents in a text. It is for one media type, or for one small grammar inside
// another format, such as srcset. A Format never changes.
//
// A new format is a package of its own, and a row of the table in extract/format.go.
type Format struct {
	Name  string   // the media type, or the name of the small grammar
	Types []string // further media types that mean the same
	Exts  []string // file name extensions, with the dot, in lower case

	// Charset returns the label of the encoding of raw bytes, by the rules of the media type. transport is the
	// label from outside, or "". A nil Charset means that the bytes are the text.
	Charset func(raw []byte, transport string) string

	// Guess returns the label of the encoding of raw bytes for which Charset returns "". head has the first SniffLen
	// bytes. utf8 is for a head that is ASCII: it reports whether the bytes after head are UTF-8, and not only ASCII.
	// If Guess is nil, Charset never returns "".
	Guess func(head []byte, utf8 bool) string

	// Is reports whether a document of the media type is of this format. It is called with the raw bytes of an embedded
	// document. If it returns false, the document is not read. A nil Is means that every document is of the format.
	Is func(raw []byte) bool

	// Lines returns the codec of raw bytes whose lines end in CR, or nil for other bytes. A nil Lines means that all bytes
	// are the text. A Format with a Charset has no Lines.
	Lines func(raw []byte) codec.Codec

	// Split cuts a stream into records, each with its own format. It cuts a record longer than limit into pieces
	// without a format. A nil Split means that a document is one record. An error is a read error.
	Split func(in window.Window, limit int) iter.Seq2[Chunk, error]

	// Variant returns the format for parameters of the media type, or nil if they do not change the format. It may be nil.
	Variant func(params map[string]string) *Format

	// Extract marks the bases, links and nested documents in src. src is UTF-8 text, but it may be invalid UTF-8.
	Extract func(src []byte, m *Marks)

	// Places returns the forms of the places of links (see MayFit), and the names of elements with such places. A nil Places
	// means that the format has only places of other formats.
	Places func() []string

	Avoid    string    // characters that edits escape, because they may change how the text around them is read
	Holds    Holding   // the kind of documents that a collection contains
	Embeds   Embedding // the kind of documents that a document can contain
	Members  bool      // in a compressed file, each record is a member of its own
	Fragment bool      // it is a part of the document around it: it has links, but no base of its own
	Single   bool      // it is a small grammar with one link, so the link has no number
	UTF8     bool      // under the URL Standard, queries are encoded in UTF-8, even if the document has another encoding
}

// Holding is the kind of documents that a collection contains. The URL of the collection is not the URL of its documents.
type Holding uint8

const (
	NoFiles    Holding = iota
	NamedFiles         // files with paths, as in a folder
	SavedFiles         // files with paths; the archive also records the URLs of the pages
	Captures           // documents that were retrieved one by one, each with its own URL
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

// Chunk is one record of a stream. A Chunk without a format is a piece of a record that is too long, and its bytes are
// copied unchanged.
type Chunk struct {
	Entity string // the name of a record that is too long; "" for other records
	Format *Format
	Offset int64  // in the stream
	Bytes  []byte // valid until the next Chunk is read
	More   bool   // the next Chunk belongs to the same record
	Fault  *Fault // found when the record was cut out; its Offset is in Bytes
	File   string // the name of the file in the record, if the stream is an archive of files
}

// RatioFree is the size below which the ratio limit does not apply to decompressed data.
const RatioFree = 16 << 20
