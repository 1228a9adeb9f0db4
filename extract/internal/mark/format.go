package mark

import (
	"iter"

	"absolink/extract/internal/window"
)

// Format finds the bases, links and nested documents in a text of one media type, or of a small grammar inside another
// format, like srcset. A Format never changes. A new one is a package of its own, and a row of the table in
// extract/format.go.
type Format struct {
	Name  string   // the media type, or the name of the small grammar
	Types []string // further media types that mean the same
	Exts  []string // file name extensions, with the dot, in lower case

	// Charset returns the label of the encoding of raw bytes, by the rules of the media type. transport is the label
	// that came with them, or "". If Charset is nil, the bytes are the text.
	Charset func(raw []byte, transport string) string

	// Guess returns the label of the encoding of raw bytes for which Charset returns "". head has the first SniffLen
	// bytes. If head is ASCII, utf8 tells whether the bytes after it are UTF-8 beyond ASCII. If Guess is nil, Charset
	// never returns "".
	Guess func(head []byte, utf8 bool) string

	// Is reports whether an embedded document of the media type, whose raw bytes it gets, is of this format. One that
	// is not is not read. If Is is nil, every document is of the format.
	Is func(raw []byte) bool

	// Split cuts a stream into records, each with its own format, and a record longer than limit into pieces without
	// one. An error is a read error. If Split is nil, a document is one record.
	Split func(in window.Window, limit int) iter.Seq2[Chunk, error]

	// Variant returns the format for parameters of the media type, or nil if they do not change the format. It may be
	// nil.
	Variant func(params map[string]string) *Format

	// Mark marks the bases, links and nested documents in src, which is text in UTF-8 and may be invalid.
	Mark func(src []byte, m *Marks)

	// Places returns the forms of the places of links (see MayFit), and the names of elements with such places. It is
	// nil if the format has only places of other formats.
	Places func() []string

	Avoid    string    // characters that edits escape, because they may change how the text around them is read
	Holds    Holding   // what a collection contains
	Embeds   Embedding // what a document can contain
	Members  bool      // in a compressed file, each record is a member of its own
	Fragment bool      // it is a part of the document around it, with links but no base of its own
	Single   bool      // it is a small grammar with one link, which needs no number
	UTF8     bool      // under the URL Standard, queries are encoded in UTF-8 whatever the encoding of the document is
}

// Holding is the kind of documents that a collection contains. The URL of the collection is not theirs.
type Holding uint8

const (
	NoFiles    Holding = iota
	NamedFiles         // files with paths, as in a folder
	SavedFiles         // files with paths, and the URLs of the pages among them
	Captures           // documents that were retrieved one by one, each with its own URL
)

// HasPaths reports whether the documents are files with paths.
func (h Holding) HasPaths() bool { return h == NamedFiles || h == SavedFiles }

// HasURLs reports whether the collection records the URLs of its documents.
func (h Holding) HasURLs() bool { return h == SavedFiles || h == Captures }

// Embedding is the kind of documents that a document can contain.
type Embedding uint8

const (
	AnyDocuments Embedding = iota
	OnlyPages              // HTML, like a srcdoc
	NoDocuments
)

// SniffLen is how many bytes of a document are enough to detect its format.
const SniffLen = 1024

// Chunk is one record of a stream. Without a format, it is a piece of a record that is too long, which is copied
// unchanged.
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
