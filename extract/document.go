package extract

// This file has the input: Document, and the Stream of Records that a document is opened as.

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"absolink/base"
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
	// field URL takes precedence over MemberURL.
	MemberURL func(name string) (url, by string)

	// Bytes is the content of the document. It is never changed. If Bytes is nil, the content is read from Reader, from
	// its current offset to its end. The caller closes the Reader. If the Reader is an io.Seeker, Rewrite may read it
	// twice.
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
	Bytes  []byte    // the content; valid until the next record is read, or longer: see RecordsIn and Extractor.Records
	Rest   io.Reader // the content after Bytes, of a document that is only copied: it has no links, or is longer than MaxRecord

	More bool // the next Record is the next piece of this record: a long record that is only copied comes in pieces

	of     *Stream
	format *mark.Format // nil without a Type
	fault  *mark.Fault  // found when the record was cut out; nil for most records
	packed pack.Packed  // how it was compressed, if each record is compressed on its own
	passes bool         // Rest is the rest of the body of a response, and Bytes are enough to read the response
}

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
	o.own = Stream{opener: o, d: d, name: d.Name, root: of.root, entity: of.entity, lacks: of.lacks, wanted: of.wanted, in: of.in}
	if d.URL != was.URL || d.URLBy != was.URLBy {
		if o.own.root, err = o.root(d.URL, d.URLBy); err != nil {
			return rec, err
		}
	}
	if rec.of = &o.own; !sameContent(d, was) {
		rec.Bytes, rec.Rest, rec.fault, rec.packed = d.Bytes, nil, nil, rec.packed.Replaced()
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

// Stream is a document that is decompressed and read record by record: see Extractor.Open. Put writes rewritten records
// in the order of the records.
//
// The Extractor that opened the Stream reports damaged compression, and records longer than the limit. The Extractor
// that reads or rewrites a record reports the problems inside the record.
type Stream struct {
	opener    *opener
	ctx       context.Context
	d         Document
	name      string           // of the decompressed file
	r         *bufio.Reader    // nil if there are Bytes
	entity    string           // "gzip/" inside a gzip file
	head      []byte           // the first bytes
	header    []byte           // made from Document.Header; it is read before the body
	mediaType string           // of the body of a response, or Document.Type
	dst       io.Writer        // of the text of records; it compresses
	layers    []*pack.Layer    // the outermost first
	unpacked  *unpacking       // the innermost compression; nil if the document is not compressed
	in        *pack.Memberwise // not nil if each record is compressed on its own
	root      *base.Scope
	lacks     string
	wanted    bool   // Extractor.Only wants the document as a whole
	damaged   bool   // the compressed document was not read to its end
	probing   bool   // the document is read only to find out whether rewriting changes anything
	unread    bool   // the document is compressed, and it is only copied: it has too many compressions, or an unknown type
	release   func() // returns the opener to its pool when the records are read; may be nil

	original io.Reader // the compressed document, if it is unread and is rewritten

	rooms func(n int) []byte // the argument of RecordsIn
	room  []byte             // the last memory for copies, up to the end of the last copy; nil if the stream is read into it

	// Buffers of the opener, until all records are read. A document that is read meanwhile uses other buffers.
	reader *bufio.Reader
	buffer []byte
}

// unpacking is the reader of one compression. The text may be damaged, or longer than the ratio limit allows. If the
// document is only read, this is a problem, and the text ends there. If the document is compressed again, this is an
// error, since the rest would be lost.
type unpacking struct {
	*Stream
	layer  *pack.Layer
	packed *pack.Counter // of the compressed bytes
	n      int64         // the length of the text so far
	entity string
	done   bool // the rest is not read, because it is damaged or longer than the ratio limit allows
}

func (u *unpacking) Read(p []byte) (int, error) {
	if u.done {
		return 0, io.EOF
	}
	n, err := u.layer.Read(p)
	return n, u.took(n, err)
}

// Lend implements window.Lender.
func (u *unpacking) Lend() (next []byte, edge bool, err error) {
	if u.done {
		return nil, false, nil
	}
	next, edge, err = u.layer.Lend()
	return next, edge, u.took(len(next), err)
}

// took counts n bytes of text that a read returned together with err. It returns the error of the reader.
func (u *unpacking) took(n int, err error) error {
	u.n += int64(n)
	if err == io.EOF || err == nil && !u.grows() {
		return err
	}
	p := Problem{Document: u.d.Name, Entity: u.entity, Offset: int(u.n), Code: CodeUndecodable}
	if err == nil {
		p.Code, p.Setting = CodeRatioLimit, settingMaxRatio
		err = &LimitError{settingMaxRatio, fmt.Sprintf("decompressed, it is more than %d times as long", u.opener.maxRatio())}
	}
	if u.packed.Failed != nil {
		return u.packed.Failed
	}
	salvaged := err == pack.ErrSalvaged
	err = u.named(err)
	if u.dst != nil && !salvaged {
		return err
	}
	u.done, u.damaged = true, true
	what := "the rest is not read"
	switch {
	case salvaged:
		what = "the rest is copied unchanged"
	case u.probing:
		what = "the file is copied unchanged"
	}
	p.Detail = err.Error() + "; " + what
	u.opener.problem(p)
	return io.EOF
}

// named adds the name of the compression to an error, if the error does not start with it.
func (u *unpacking) named(err error) error {
	name := u.layer.Name() + ": "
	if strings.HasPrefix(err.Error(), name) {
		return err
	}
	return fmt.Errorf("%s%w", name, err)
}

// grows reports whether the text is longer than the ratio limit allows.
func (u *unpacking) grows() bool {
	return u.n > mark.RatioFree && u.n/int64(u.opener.maxRatio()) > u.packed.N
}

// opener opens documents. It reuses its buffers for the next document.
type opener struct {
	Extractor
	buffer  []byte // the bytes of a document that is read as a whole
	reader  *bufio.Reader
	own     Stream   // of a record whose Document the caller may have changed
	places  []string // the Places that were checked last
	reached int64    // see countRecord
}

// checkType returns an error if Type is not a media type.
func (d *Document) checkType() error {
	name, _, _ := strings.Cut(d.Type, ";")
	if d.Type == "" || strings.Contains(name, "/") {
		return nil
	}
	e := &TypeError{Type: d.Type}
	if f := byExt("." + ascii.Lower(strings.TrimSpace(name))); f != nil {
		e.Meant = f.Name
	}
	return e
}

// checkSettings returns an error if a constant is not one of its type, or if a pattern of Places cannot match a place.
func (o *opener) checkSettings() error {
	if o.BaseURLs > BaseRemove {
		return fmt.Errorf("the Extractor has the BaseURLs %d; use BaseKeep, BaseEmpty or BaseRemove", o.BaseURLs)
	}
	if o.Mbox.format() == nil {
		return fmt.Errorf("the Extractor has the Mbox %d; use 0, MboxO, MboxRD, MboxCL or MboxCL2", o.Mbox)
	}
	if slices.Equal(o.places, o.Places) {
		return nil
	}
	for _, pattern := range o.Places {
		if err := CheckPlace(pattern); err != nil {
			return err
		}
	}
	o.places = slices.Clone(o.Places)
	return nil
}

// giveBack returns the buffers to the opener, and the opener to its pool if the stream owns it.
func (s *Stream) giveBack() {
	if s.reader != nil && s.in == nil { // else Close copies the rest from the reader
		s.opener.reader = s.reader
		s.opener.reader.Reset(nil)
	}
	if s.buffer != nil {
		s.opener.buffer = s.buffer[:0]
	}
	if release := s.release; release != nil {
		s.release = nil
		release()
	}
}

// skip makes the stream copy the compressed document. If packed is nil, the document is only read, and the stream has no
// text.
func (s *Stream) skip(packed *pack.Original) {
	s.layers, s.unpacked, s.unread = nil, nil, true
	if packed != nil {
		s.dst, s.original = packed.W, packed.Reader()
	}
}

// tooDeep reports that the document has more compressions than depth, and is skipped.
func (s *Stream) tooDeep(depth int) {
	setting := ""
	if depth < mostPacked {
		setting = settingMaxDepth
	}
	s.opener.problem(Problem{Document: s.d.Name, Code: CodeDepthLimit, Setting: setting,
		Detail: fmt.Sprintf("more than %d nested compressions; the document %s", depth, s.skipped())})
}

// skipped tells what happens to a document that is skipped.
func (s *Stream) skipped() string {
	if s.original != nil || s.probing {
		return "is copied unchanged"
	}
	return "is not read"
}

// tooLong reports a record longer than the limit.
func (o *opener) tooLong(document, entity string) {
	o.problem(Problem{Document: document, Entity: entity, Code: CodeSizeLimit, Setting: settingMaxRecord,
		Detail: fmt.Sprintf("skipped: the record is longer than %d bytes", o.maxRecord())})
}

// untilDone returns a reader of r that returns an error as soon as the context is done.
func untilDone(ctx context.Context, r io.Reader) io.Reader {
	if ctx.Done() == nil {
		return r
	}
	return window.Until(func() error { return interrupted(ctx) }, r)
}

// read reads all of r into the opener's buffer, which giveBack returns to the opener: see window.ReadAll.
func (o *opener) read(r, file io.Reader) ([]byte, io.Reader, error) {
	buf := o.buffer[:0]
	o.buffer = nil
	return window.ReadAll(buf, r, file, o.maxRecord())
}
