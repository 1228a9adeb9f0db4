package extract

// This file has the input, a Document, and the Records that it consists of.

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

// Document is one input. All fields may be empty: a Document without Bytes and Reader is an empty document. For
// the response of package net/http, see httpx.FromResponse.
//
// URL takes precedence over the URLs that an archive records for its documents. So leave URL empty for an archive: see
// Format.Archive.
type Document struct {
	Name string // the name in Entity and Problem; its extension may determine the type

	// Type is the media type, such as "application/mbox" or "text/html; charset=utf-8". If Type is "", see Header and
	// Detect. The content is not compared with it. Its charset takes precedence over a charset that the document declares.
	//
	// A Type without "/", such as "html", is a *TypeError. A document of a media type that is not in Formats, such as
	// "image/png" or "text/htm", has no links. Rewrite copies it, and OnProblem receives CodeNotRead.
	Type string

	// URL is the absolute URL that the document was retrieved from (RFC 1808 3.3), or "" if it is unknown. A document may
	// have several HTTP responses, with redirects before the last response, such as the output of "curl -iL". Then URL
	// is the URL of the first request, and the redirects are resolved against it. A base that the document declares,
	// such as a BASE element, takes precedence over URL, and Extractor.Override takes precedence over both.
	URL   string
	URLBy string // the source of URL, such as "--url"; "" means "retrieval URL"

	// Evidence has further URLs that the document may have come from, such as those in the attributes of its file. The
	// best URL comes first. A URL that the document itself records takes precedence over Evidence.
	Evidence []Evidence

	// MemberURL returns the absolute URL that a file in an archive was retrieved from, and the source of that URL. name
	// is the name of the file in the archive. MemberURL returns "" if the URL is unknown. MemberURL may be nil. The
	// field URL takes precedence over MemberURL. If Evidence has the same source, even without a URL, the URL of the file is
	// evidence, too.
	MemberURL func(name string) (url, by string)

	// Local returns the path of the file that a target names, or "" if there is no such file. If Local is set, Rewrite makes each
	// link to a file relative to the file of the document, and every other link absolute. It removes BASE elements; where one
	// stays, because another reference needs it, no link of the page becomes local. Links does not change. LocalFiles makes such a
	// function from a list of files. A target is one of these:
	//
	//   - A path in the notation of Name, not percent-encoded. For a file in a tar archive it is Name/FILE. The files of a zip
	//     archive are known, and Local is not asked.
	//   - A path and "?": is there a file with the name, "?" and a query? (wget writes such names, or "@" and a query.)
	//   - An absolute URL: it is asked first, in case that the path of the file does not follow from its URL.
	//
	// A path follows from a URL if the paths and the URLs of files have the same names below a folder, as far as URL and Name
	// show. Without any URL, a link leads where its path leads. A link of a page to itself is local only with KeepFragments. In
	// a message no link becomes local. In an EPUB book links to files of the book are always local, even if Local is nil.
	Local func(target string) (file string)

	// Bytes is the content of the document. It is never changed. If Bytes is nil, the content is read from Reader, from
	// its current offset to its end. The caller closes the Reader.
	Bytes  []byte
	Reader io.Reader

	// Header has fields of the HTTP response that the document is the body of. An http.Header can be assigned to it, and names
	// are spelled as there. If Header is nil, the document is not the body of a response. These fields are read: Content-Type
	// if Type is "", Content-Encoding, Content-Range, Content-Location, Link and Refresh. The other fields are ignored.
	//
	// The links in the fields are links of the document, and come first. The Path of an entity in the body begins with
	// "body". But if the body has many records, as an mbox has, then no Path begins with "body", and only the type is
	// read.
	Header map[string][]string

	record *Record // set by Record.Document; it has the place of the content in the document around it
}

// response returns the header of a response before the body d, or nil if the body is read without it. mediaType is
// the type of the body.
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

// Record is a part of a document that can be read alone, such as a message of an mbox, a record of a WARC file, or a
// file in a tar archive. A document of another type is one record. MaxRecord limits the bytes of each record, and
// goroutines can work on several records in parallel.
type Record struct {
	Entity string    // the name of a file in an archive; "" for the whole document, and for records without a name
	Type   string    // the media type; "" for bytes that are copied and not read: Links yields nothing for them
	Offset int64     // the offset of Bytes in the decompressed document
	Bytes  []byte    // the content, which belongs to the Record until Release
	Rest   io.Reader // the content after Bytes, of a document that is only copied: it has no links, or is longer than MaxRecord

	More bool // the next Record is the next piece of this record: a long record that is only copied comes in pieces

	of     *Stream
	format *mark.Format  // nil without a Type
	fault  *mark.Fault   // found when the record was cut out; nil for most records
	packed pack.Packed   // how it was compressed, if each record is compressed on its own
	block  *window.Block // the memory of Bytes, or nil
	passes bool          // Rest is the rest of the body of a response, and Bytes are enough to read the response

	original io.Reader // of the compressed document, which is copied because it is damaged or too long; else nil
}

// Release says that nothing uses the Bytes of the record any more, after Put or without it. Their memory is then used for later
// records, which saves time. It need not be called, and must not be called twice.
func (rec Record) Release() { rec.block.Release() }

// Document returns the record as a document for Links, Bases and Rewrite. It is valid as long as the Bytes of the
// Record. The output of Rewrite is the argument of Stream.Put: if each record of the document is compressed on its own,
// the output is compressed already.
//
// The fields of the Document are those of the document around it. Only Bytes and Reader have the content of the record,
// and Type is the type of the record. The caller may replace each field.
func (rec Record) Document() Document {
	d := rec.visible()
	d.record = &rec
	return d
}

// visible returns the exported fields of the Document of a record.
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

// recordOf returns the record of a Document that Record.Document has returned, with the fields that the caller has
// replaced since then. It is valid until the next call. If its format is unknown now, rec.of.head has its first bytes.
func (o *opener) recordOf(ctx context.Context, d Document) (rec Record, err error) {
	if rec, err = *d.record, cmp.Or(o.checkSettings(), d.checkType()); err != nil {
		return rec, err
	}
	was, of := rec.visible(), rec.of
	o.own = Stream{opener: o, d: d, name: d.Name, root: of.root, entity: of.entity, urlSetting: of.urlSetting, wanted: of.wanted, in: of.in}
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
			o.tooLong(d.Name, rec.Entity)
		}
	}
	mediaType := ""
	o.own.header, mediaType = d.response()
	switch {
	case o.own.header != nil:
		rec.format = http.Single
	case mediaType == was.Type && of.header == nil:
		o.own.d.Type = of.d.Type // it shows whether the caller has set the type, and the charset
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

// sameContent reports whether two documents have the same content: the same memory or the same Reader.
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
