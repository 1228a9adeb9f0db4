package extract

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"net/http"
	"path"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/window"
)

// Document is one input. Only Bytes or Reader is needed. FromResponse returns the Document of a response of package
// net/http.
//
// URL comes before every URL that an archive records for the documents in it. So leave URL empty for an
// archive: see Format.Archive.
type Document struct {
	Name  string // the name in Links and Problems; its extension may decide the type
	Type  string // the media type, perhaps with a charset; if "", the Name and the bytes decide
	URL   string // the absolute URL that it was retrieved from, before redirects in it (RFC 1808 3.3); "" if unknown
	URLBy string // the source of URL, such as "--url"; "" is shown as "retrieval URL"

	// Evidence has further URLs that the document may have come from, such as those in the attributes of its file. The
	// best comes first. A URL that the document itself records is better.
	Evidence []Evidence

	// MemberURL returns the absolute URL that a file of an archive was retrieved from, and the source of that URL. name
	// is the name of the file in the archive. MemberURL returns "" if the URL is unknown. It may be nil. The URL of
	// the Document comes before it.
	MemberURL func(name string) (url, by string)

	// Bytes is the document. absolink does not change it. If Bytes is nil, Reader is read instead, from its
	// current offset. The caller closes it. A Reader that is an io.Seeker may be read twice for a rewriting.
	Bytes  []byte
	Reader io.Reader

	record *Record // set by Record.Document
	header int     // the length of the header that FromResponse writes before the body
}

// FromResponse returns the body of a response as a document. Its URL is that of the last request, its type that of the
// response. The links of the fields Link and Refresh are links of the document, and come first. The body is read as a
// stream. The caller closes it.
//
// Rewrite writes the body without the fields, which stay unchanged in the response. A body with a Content-Encoding that
// absolink knows (gzip, deflate, br, zstd) is compressed again. Update the Content-Length, and remove an ETag.
//
// The links in the body have the path "body". A body that has many records, such as an mbox, has no such path, and the
// fields of its response are not read.
func FromResponse(resp *http.Response) Document {
	d := Document{Type: resp.Header.Get("Content-Type"), Reader: resp.Body}
	if resp.Request != nil && resp.Request.URL != nil {
		d.URL = resp.Request.URL.String()
		d.Name = d.URL
	}
	if d.Reader == nil {
		d.Reader = bytes.NewReader(nil)
	}
	if f := formatOf(d.Type); f != nil && f.Split != nil {
		return d
	}
	// The fields of the transfer, such as Content-Length, are those of bytes that package net/http has decoded.
	var header bytes.Buffer
	fmt.Fprintf(&header, "HTTP/1.1 %03d\r\n", resp.StatusCode)
	for _, name := range []string{"Content-Type", "Content-Encoding", "Content-Range", "Content-Location", "Link", "Refresh"} {
		for _, value := range resp.Header.Values(name) {
			header.WriteString(name + ": " + strings.NewReplacer("\r", " ", "\n", " ").Replace(value) + "\r\n")
		}
	}
	header.WriteString("\r\n")
	d.Type, d.header, d.Reader = "message/http", header.Len(), io.MultiReader(&header, d.Reader)
	return d
}

// Evidence is a URL that a document came from, recorded outside the document, such as in an attribute of its file.
type Evidence struct {
	By  string // the source of the URL: "user.xdg.origin.url"
	URL string
}

// UnknownTypeError is the error for a document that no format can read.
type UnknownTypeError struct{ Type string }

func (e *UnknownTypeError) Error() string {
	if e.Type == "" {
		return "neither its name nor its first bytes tell a type that can be read"
	}
	return fmt.Sprintf("the type %q cannot be read", e.Type)
}

// URLError is the error for a URL from the caller that cannot be a base. What is the source of the URL:
// "--override-base" for Extractor.Override, or the URLBy of the Document. Err is the reason. It may be
// resolve.ErrMalformed.
type URLError struct {
	What, URL string
	Err       error
}

func (e *URLError) Error() string { return fmt.Sprintf("%s %q: %v", e.What, e.URL, e.Err) }

func (e *URLError) Unwrap() error { return e.Err }

// Record is one self-contained document of a stream, such as a message of an mbox, a record of a WARC file, or a file of
// a tar archive. The limits of memory, failures, and parallel work concern single records. A document
// of any other type is one record.
type Record struct {
	Entity string    // the name of a file in an archive; "" for the whole document, and for records without a name
	Type   string    // its media type; "" for bytes that are copied unread
	Offset int64     // in the decompressed document
	Bytes  []byte    // of a Stream: valid until the next record is read; see RecordsIn
	Rest   io.Reader // the bytes of a record longer than the limit; they are copied

	More bool // the next Record is another piece of this record

	of     *Stream
	format *mark.Format // nil without a Type
	fault  *mark.Fault  // found when the record was cut out; nil for most records
	packed pack.Packed  // how it was compressed, if each record is compressed on its own
}

// Document returns the record as a document for Links, Bases and Rewrite. Rewrite writes it as Put needs it: compressed
// already, if each record of the document is compressed on its own.
func (rec Record) Document() Document { return Document{Name: rec.of.d.Name, record: &rec} }

// Records yields the records of the document. It can be called once. An error comes last: it is a read error, or
// *UnknownTypeError.
func (s *Stream) Records() iter.Seq2[Record, error] { return s.RecordsIn(nil) }

// RecordsIn is Records for a caller that keeps more than one record. rooms returns memory of n bytes or more, which
// belongs to the stream from then on. A record is in the memory that rooms returned last, and stays valid until the
// caller reuses that memory. While the stream reads a record, the beginning of the record may still be in the memory
// before that. The caller must not reuse that memory before it has the record.
func (s *Stream) RecordsIn(rooms func(n int) []byte) iter.Seq2[Record, error] {
	s.rooms = rooms
	return func(yield func(Record, error) bool) {
		defer s.giveBack()
		limit := s.opener.maxRecord()
		format := s.format()
		if format == nil {
			yield(Record{}, &UnknownTypeError{s.d.Type})
			return
		}
		s.wanted = s.opener.wants(false, format)
		err := s.ctx.Err()
		if err == nil {
			err = s.memberwise(format)
		}
		if err != nil {
			yield(Record{}, err)
			return
		}
		if format.Split != nil {
			s.split(format, limit, yield)
			return
		}
		yield(s.whole(format, limit))
	}
}

// whole returns the only record of a document that has no Split.
func (s *Stream) whole(format *mark.Format, limit int) (Record, error) {
	raw, rest := s.d.Bytes, io.Reader(nil)
	switch {
	case s.r != nil:
		var err error
		if raw, rest, err = s.opener.read(s.r, s.d.Reader, limit); err != nil {
			return Record{}, err
		}
		s.buffer = raw
	case len(raw) > limit:
		raw, rest = raw[:0], bytes.NewReader(raw)
	}
	rec := Record{of: s, Entity: strings.TrimSuffix(s.entity, "/"), Type: format.Name, format: format, Bytes: raw, Rest: rest, Offset: -int64(s.d.header)}
	if rest != nil {
		s.tooLong(rec.Entity, limit)
		if _, err := io.CopyN(io.Discard, rest, int64(s.d.header)); err != nil {
			return Record{}, err
		}
	}
	s.keep(&rec)
	return rec, nil
}

// keep copies a record into memory of the caller of RecordsIn. The compressed bytes are never overwritten.
func (s *Stream) keep(rec *Record) {
	if s.rooms == nil {
		return
	}
	if cap(s.room)-len(s.room) < len(rec.Bytes) {
		s.room = s.rooms(len(rec.Bytes))[:0]
	}
	at := len(s.room)
	s.room = append(s.room, rec.Bytes...)
	rec.Bytes = s.room[at:len(s.room):len(s.room)]
}

// split yields the records of a stream that has many.
func (s *Stream) split(format *mark.Format, limit int, yield func(Record, error) bool) {
	reported := "" // the last record that is too long; it comes in pieces
	if s.r == nil {
		s.r = bufio.NewReader(bytes.NewReader(s.d.Bytes))
	}
	in, giver := window.New(s.r), (*window.Giver)(nil)
	if s.unpacked != nil {
		in = window.NewLent(s.r, unpackedBytes{s})
	} else if s.rooms != nil {
		giver = window.NewGiver(func(n int) []byte { s.room = nil; return s.rooms(n) })
		in = window.NewGiven(s.r, giver)
	}
	for c, err := range format.Split(in, limit) {
		if err == nil && c.Format == nil && c.Entity != reported {
			reported = c.Entity
			s.tooLong(s.entity+c.Entity, limit)
		}
		if err == nil {
			err = s.ctx.Err()
		}
		rec := Record{of: s, Entity: strings.TrimSuffix(s.entity+c.Entity, "/"), format: c.Format, Offset: c.Offset, Bytes: c.Bytes,
			More: c.More, fault: c.Fault}
		if c.Format != nil {
			rec.Type = c.Format.Name
		}
		if s.in != nil {
			rec.packed = s.in.Packed(c.Offset, len(c.Bytes), c.Format == nil)
		}
		if !giver.Holds() {
			s.keep(&rec)
		}
		if !yield(rec, err) || err != nil {
			return
		}
	}
}

// tooLong reports a record longer than the limit.
func (s *Stream) tooLong(entity string, limit int) {
	s.opener.problem(Problem{Document: s.d.Name, Entity: entity, Code: SizeLimit,
		Detail: fmt.Sprintf("longer than %d bytes, passed through unread; raise --max-record if it is to be read", limit)})
}

// read reads all of r into the opener's buffer, which giveBack returns to the opener. If r has more than limit bytes,
// read returns no bytes, and a reader of all of r. If file is a regular file, read uses its size as a hint.
func (o *opener) read(r, file io.Reader, limit int) ([]byte, io.Reader, error) {
	buf, asked := o.buffer[:0], false
	o.buffer = nil
	for {
		if len(buf) == cap(buf) {
			size := cap(buf) + cap(buf)/2 + 512
			if !asked { // only now, since most documents fit into the buffer of earlier documents
				size, asked = max(size, min(sizeOf(file), limit)+1), true
			}
			buf = append(make([]byte, 0, size), buf...)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case err == io.EOF && len(buf) <= limit:
			return buf, nil, nil
		case err != nil && err != io.EOF:
			return nil, nil, err
		case len(buf) > limit:
			return nil, io.MultiReader(bytes.NewReader(buf), r), nil
		}
	}
}

// sizeOf returns the size of a file, or 0 if r is not a regular file.
func sizeOf(r io.Reader) int {
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return int(info.Size())
		}
	}
	return 0
}

// defaultDepth is the default of Extractor.MaxDepth.
const defaultDepth = 64

// The defaults of the other limits.
const (
	defaultRecord = 256 << 20
	defaultRatio  = 200

	longestRatio = 1 << 30 // the product with a length in memory does not overflow
)

func (x *Extractor) maxDepth() int {
	if x.MaxDepth <= 0 {
		return defaultDepth
	}
	return x.MaxDepth
}

func (x *Extractor) maxRecord() int {
	if x.MaxRecord <= 0 {
		return defaultRecord
	}
	return min(x.MaxRecord, math.MaxInt/2) // so that the sum with a length in memory does not overflow
}

// Splits reports whether a document may have more than one record, and each can be walked and rewritten apart from
// the others. peek returns the first bytes of the document, as many as Detect needs. Splits may read the Reader of a
// compressed document, and then seeks back.
func (x *Extractor) Splits(d Document, peek func() ([]byte, error), rewriting bool) bool {
	if f := byExt[ascii.Lower(path.Ext(d.Name))]; d.Type == "" && f != nil && f.Split == nil {
		return false // even if it is compressed, or an HTTP response
	}
	head, err := peek()
	if err != nil {
		return false
	}
	f, packed := detectUnpacked(d.Type, d.Name, head)
	return f != nil && f.Split != nil && (!rewriting || !packed || f.Members && x.copies(d))
}

// copies reports whether Rewrite rewrites a compressed document at once, without a first pass that looks for an edit. It
// does so if records that do not change are copied, or if the document can be read only once.
func (x *Extractor) copies(d Document) bool {
	again := rereadable(d, 0)
	if again == nil {
		return true
	}
	defer again.Seek(0, io.SeekStart)
	if _, err := again.Seek(0, io.SeekStart); err != nil {
		return true
	}
	probe := opener{Extractor: Extractor{MaxDepth: x.MaxDepth, MaxRecord: x.MaxRecord, MaxRatio: x.MaxRatio}}
	d.Bytes, d.Reader = nil, again
	in, err := probe.open(context.Background(), d, nil)
	if err != nil {
		return true // Rewrite fails, too
	}
	copied := in.copied()
	for first, err := range in.Records() {
		return err == nil && copied(first)
	}
	return false
}
