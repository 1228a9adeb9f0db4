package mark

import (
	"iter"
	"strconv"

	"absolink/extract/internal/window"
)

// Format says how to find bases, links and nested documents in the text of one media
// type, or in one of the small grammars inside another (srcset, meta refresh).
// A new one is a file of its own in this package, which calls register. None is to be changed later.
type Format struct {
	Name  string   // the media type, or the name of the small grammar
	Types []string // further media types that mean the same
	Exts  []string // file name extensions, with the dot, lower case

	// Charset gives the label of the encoding that raw bytes are in, by the rules of
	// the media type; transport is the label from outside, "" if none came. A nil
	// Charset means that the bytes are the text.
	Charset func(raw []byte, transport string) string

	// Split cuts a stream into records, each with its own format; a record longer than
	// limit comes in pieces without a format. nil means that a document is one record.
	// The error is one of reading.
	Split func(in window.Window, limit int) iter.Seq2[Chunk, error]

	// Extract marks what it finds in src, which is text: UTF-8, though perhaps not
	// valid. It does not decode, resolve, recurse or do I/O.
	Extract func(src []byte, f *Finder)

	Holds    holding // of a collection of documents
	Members  bool    // packed, each record is a member of its own
	Fragment bool    // part of the document around it: it has links, and no base of its own
	Single   bool    // a small grammar for one link, which needs no number
	UTF8     bool    // under the URL Standard, the queries in it are in UTF-8, whatever the document is in
}

// holding says what a collection of documents holds. Its own URL is not theirs.
type holding uint8

const (
	NoFiles    holding = iota
	NamedFiles         // files with paths, as in a folder: Document.MemberURL tells their URLs
	Captures           // what was retrieved one by one: each comes with its own URL
)

// SniffLen is how much of a document Sniff is shown.
const SniffLen = 1024

func Numbered(name string, n int) string { return name + "[" + strconv.Itoa(n) + "]" }

// Chunk is one record of a stream as its format cuts it out. Without a format it is a piece of a record that is
// too long: its bytes are copied.
type Chunk struct {
	Entity string // the name of a record that is too long; "" for others
	Format *Format
	Offset int64  // in the stream
	Bytes  []byte // valid until the next chunk is asked for
	More   bool   // the next Chunk is more of this record
	Fault  *Fault // with cutting it out; its Offset is in Bytes
}

// Fault is something wrong at an offset of a text.
type Fault struct {
	Offset int
	Code   Code
	Detail string
}

// RatioFree is how many bytes a packed file may unpack to, whatever its length is.
const RatioFree = 16 << 20
