package extract

// This file has the input: a Document, and the Records in it.

import (
	"cmp"
	"context"
	"io"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/header"
	"absolink/extract/internal/http"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/window"
)

// Document is one input: a file, a message, the body of a response. All fields are optional.
type Document struct {
	Name string // for Entity and Problem; its extension can tell the type

	// Type is the media type, such as "text/html; charset=utf-8", and is trusted. If it is "", Header or Detect tell
	// it.
	Type string

	// URL is the absolute URL that the document was retrieved from (RFC 1808 3.3), or "". A BASE element takes
	// precedence over it. Leave it empty for an archive: it takes precedence over the URLs that the archive records.
	URL   string
	URLBy string // names URL in reports

	Evidence []Evidence // used if neither URL nor the document tells where it came from; the best comes first

	// Beside reports whether there is a folder of a name beside the document, such as NAME_files, which a browser saves
	// with a page. Links into it stay.
	Beside func(folder string) bool

	// MemberURL returns the URL of a file in an archive, or "", and its URLBy.
	MemberURL func(name string) (url, by string)

	// Local returns the path of the file that target names, or "": see LocalFiles. With Local, Rewrite makes links to
	// files relative, others absolute, and removes BASE elements, so that saved pages work from disk. A target is
	//
	//   - a path like Name, not percent-encoded; a tar archive is a folder
	//   - a path and "?", for a file with a query in its name, as wget writes them
	//   - a path and "#", for a file whose URL is known, so that other URLs do not lead to it
	//   - an absolute URL
	Local func(target string) (file string)

	// With FileURL and RecordedURL, links that wget -k, HTTrack and SingleFile have made lead to files have the URLs
	// of the files. A path is one like Name. FileURL returns the URL of a file of a mirror, the folder of its host, and
	// whether the file exists; RecordedURL the URL that a page records, or "".
	FileURL     func(path string) (url, host string, exists bool)
	RecordedURL func(path string) (url string)

	// Bytes is the content, and is never changed. If it is nil, Reader is read to its end, and not closed.
	Bytes  []byte
	Reader io.Reader

	// Header is the http.Header of the response whose body the document is: see httpx.FromResponse.
	Header map[string][]string

	record *Record // set by Record.Document; tells where the content is in the document around it
}

// response returns the header of the response whose body is d, and the media type of the body. head is nil if the body
// is read without a header, like one that has many records. With a header, the Path of an entity in the body begins
// with "body".
func (d *Document) response() (head []byte, mediaType string) {
	if d.Header == nil {
		return nil, d.Type
	}
	types := d.Header["Content-Type"]
	if d.Type != "" {
		types = []string{d.Type}
	}
	mediaType, _ = header.HTTPContentType([]byte(strings.Join(types, ", ")))
	if f := formatOf(mediaType); f != nil && f.Split != nil {
		return nil, mediaType
	}
	return http.Head(d.Header, types), mediaType
}

// Record is a part of a document that can be read alone, such as a message of an mbox. Other documents are one record.
type Record struct {
	Entity string    // the name of a file in an archive, or ""
	Type   string    // the media type; "" if the record is not read
	Offset int64     // of Bytes in the decompressed document
	Bytes  []byte    // the content, valid until Release
	Rest   io.Reader // the rest of a record that has no links or exceeds MaxRecord

	of     *Stream
	format *mark.Format  // nil without a Type
	fault  *mark.Fault   // found when the record was cut out; nil for most records
	packed pack.Packed   // how it was compressed, if each record is compressed on its own
	block  *window.Block // the memory of Bytes, or nil
	number int           // from 0, in the order of Records
	more   bool          // the record is longer than MaxRecord, and the next Record is its next piece
	passes bool          // the record is a response that Bytes are enough to read; Rest is only copied

	original io.Reader // the compressed document, if it is copied because it is damaged or too long
}

// Release lets later records use the memory of Bytes. Call it at most once, after Put.
func (rec Record) Release() { rec.block.Release() }

// Document returns the record as a document for Links, Bases and Rewrite, valid as long as Bytes. Its other fields
// are those of the document around it, and can be replaced.
func (rec Record) Document() Document {
	d := rec.visible()
	d.record = &rec
	return d
}

// visible returns the Document of a record without its field record, which is what a caller sees.
func (rec *Record) visible() Document {
	d := rec.of.d
	d.Bytes, d.Reader = rec.Bytes, rec.Rest
	if rec.Rest != nil {
		d.Bytes = nil
	}
	if rec.of.header == nil && (d.Type == "" || formatOf(d.Type) != rec.format) {
		d.Type = rec.Type
	}
	return d
}

// recordOf returns the record of a Document from Record.Document, with what the caller has replaced in it since then.
// The record is valid until the next call. If its format is now unknown, rec.of.head has its first bytes.
func (o *opener) recordOf(ctx context.Context, d Document) (rec Record, err error) {
	if rec, err = *d.record, cmp.Or(o.check(), d.checkType()); err != nil {
		return rec, err
	}
	was, of := rec.visible(), rec.of
	o.own = Stream{opener: o, d: d, name: d.Name, root: of.root, entity: of.entity, urlSetting: of.urlSetting,
		wanted: of.wanted, memberwise: of.memberwise}
	if d.URL != was.URL || d.URLBy != was.URLBy {
		if o.own.root, err = o.root(d.URL, d.URLBy); err != nil {
			return rec, err
		}
	}
	if rec.of = &o.own; !sameContent(d, was) {
		rec.Bytes, rec.Rest, rec.original, rec.fault, rec.packed = d.Bytes, nil, nil, nil, rec.packed.Replaced()
		if d.Bytes == nil && d.Reader != nil {
			if rec.Bytes, rec.Rest, err = o.read(untilDone(ctx, d.Reader), d.Reader); err != nil {
				return rec, err
			}
			o.buffer = rec.Bytes
		}
		if rec.Rest != nil {
			o.reportTooLong(d.Name, rec.Entity)
		}
	}
	mediaType := ""
	o.own.header, mediaType = d.response()
	switch {
	case o.own.header != nil:
		rec.format = http.Single
	case mediaType == was.Type && of.header == nil:
		o.own.d.Type = of.d.Type // not was.Type: this one is "" unless the caller set it, and may have a charset
		return rec, nil
	default:
		o.own.d.Type = mediaType
		if rec.format = detect(mediaType, d.Name, rec.Bytes); rec.format == nil {
			rec.Type, o.own.head = "", rec.Bytes
			return rec, nil
		}
	}
	rec.Type = rec.format.Name
	return rec, nil
}

// sameContent reports whether two documents have the same memory or the same Reader.
func sameContent(a, b Document) bool {
	if a.Bytes == nil || b.Bytes == nil {
		return a.Bytes == nil && b.Bytes == nil && a.Reader == b.Reader
	}
	return len(a.Bytes) == len(b.Bytes) && (len(a.Bytes) == 0 || &a.Bytes[0] == &b.Bytes[0])
}

// checkType returns an error if Type is not a media type.
func (d *Document) checkType() error {
	name, _, _ := strings.Cut(d.Type, ";")
	if d.Type == "" || strings.Contains(name, "/") {
		return nil
	}
	e := &TypeError{Type: d.Type}
	if f := byExt("." + ascii.Lower(strings.Trim(name, " \t"))); f != nil {
		e.Meant = f.Name
	}
	return e
}
