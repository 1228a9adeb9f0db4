package extract

import (
	"bytes"
	"iter"
	"mime"
	"path"
	"slices"
	"strings"
)

// Format says how to find bases, links and nested documents in the text of one media
// type, or in one of the small grammars inside another (srcset, meta refresh).
// A new one is a file of its own in this package, which calls register. None is to be changed later.
type Format struct {
	Name  string   // the media type, or the name of the small grammar
	Types []string // further media types that mean the same
	Exts  []string // file name extensions, with the dot, lower case

	// Sniff tells from the first bytes, at most 1024 of them, whether they are a
	// document of this type. It may be nil.
	Sniff func(head []byte) bool

	// Charset gives the label of the encoding that raw bytes are in, by the rules of
	// the media type; transport is the label from outside, "" if none came. A nil
	// Charset means that the bytes are the text.
	Charset func(raw []byte, transport string) string

	// Split cuts a stream into records, each with its own format; a record longer than
	// limit comes in pieces without a format. nil means that a document is one record.
	// The error is one of reading.
	Split func(in window, limit int) iter.Seq2[Record, error]

	// Extract marks what it finds in src, which is text: UTF-8, though perhaps not
	// valid. It does not decode, resolve, recurse or do I/O.
	Extract func(src []byte, f *Finder)

	holds    holding // of a collection of documents
	members  bool    // packed, each record is a member of its own
	fragment bool    // part of the document around it: it has links, and no base of its own
	single   bool    // a small grammar for one link, which needs no number
	utf8     bool    // under the URL Standard, the queries in it are in UTF-8, whatever the document is in
}

// holding says what a collection of documents holds. Its own URL is not theirs.
type holding uint8

const (
	noFiles    holding = iota
	namedFiles         // files with paths, as in a folder: Document.MemberURL tells their URLs
	captures           // what was retrieved one by one: each comes with its own URL
)

// sniffLen is how much of a document Sniff is shown.
const sniffLen = 1024

var (
	formats []*Format // in the order of their files' names; fixed once the program runs
	byType  = map[string]*Format{}
	byExt   = map[string]*Format{}
)

// register adds f to the table. It is called from init functions only, and panics on
// a name that is taken: two formats for one type are a programmer's error.
func register(f *Format) {
	formats = append(formats, f)
	for _, t := range append([]string{f.Name}, f.Types...) {
		if byType[t] != nil {
			panic("extract: two formats for the type " + t)
		}
		byType[t] = f
	}
	for _, e := range f.Exts {
		if byExt[e] != nil {
			panic("extract: two formats for the extension " + e)
		}
		byExt[e] = f
	}
}

// Formats lists the formats of documents, not those of the small grammars.
func Formats() []*Format { return slices.Clone(formats) }

// FormatOf finds the format of a media type, parameters and case aside; nil if unknown.
func FormatOf(mediaType string) *Format {
	if f := byType[mediaType]; f != nil {
		return f
	}
	t, _, _ := strings.Cut(mediaType, ";") // whatever its parameters are: some servers send "text/html; charset="
	t, _, err := mime.ParseMediaType(t)
	if err != nil {
		return nil
	}
	if f := byType[t]; f != nil || !strings.HasSuffix(t, "+xml") {
		return f
	}
	return XML // RFC 7303 4.2: any type of that suffix can be read as XML
}

// Detect finds the format of a document: by its type if one is given, else by the
// extension of its name, else by its first bytes, of which 1024 are enough. nil means that
// none claims it. A saved response often has the name of the page in it: if the first bytes
// are those of a response, the format is HTTP whatever the extension says. And what programs
// save as .mht is at times the page alone.
func Detect(mediaType, name string, head []byte) *Format {
	if mediaType != "" {
		return FormatOf(mediaType)
	}
	if f := formatByName(name); f != nil {
		switch {
		case isResponse(head):
			return HTTP
		case f == Message && sniffHTML(head):
			return HTML
		}
		return f
	}
	head = head[:min(len(head), sniffLen)]
	for _, archives := range [...]bool{true, false} { // first, for the first file of one is in what is shown
		for _, f := range formats {
			if (f.holds == namedFiles) == archives && f.Sniff != nil && f.Sniff(head) {
				return f
			}
		}
	}
	return nil
}

// formatByName finds the format of a file's extension, which may stand before the query that wget
// leaves in the name, behind a "?", or an "@" on Windows; nil if none has it.
func formatByName(name string) *Format {
	if f := byExt[lower(path.Ext(name))]; f != nil {
		return f
	}
	file := path.Base(name)
	if i := strings.IndexAny(file, "?@"); i >= 0 {
		return byExt[lower(path.Ext(file[:i]))]
	}
	return nil
}

// charsetOf is the charset parameter of a media type, "" if there is none.
func charsetOf(mediaType string) string {
	if strings.IndexByte(mediaType, '=') < 0 {
		return ""
	}
	_, params := contentType([]byte(mediaType))
	return params["charset"]
}

// markLen is the length of the byte order mark of UTF-8 that src starts with, or 0.
func markLen(src []byte) int {
	const mark = "\xEF\xBB\xBF"
	if bytes.HasPrefix(src, []byte(mark)) {
		return len(mark)
	}
	return 0
}
