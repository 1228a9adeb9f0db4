package extract

// This file has the input: Document, its errors, and the Stream of Records that a document is opened as.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"

	"absolink/base"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
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

// Stream is a document that is decompressed and read record by record: see Extractor.Open. Rewritten records are written
// back in the order of the records.
//
// The Extractor that reads a record reports its problems. The Extractor that opened the Stream reports damaged compression
// and records longer than the limit, while it reads.
type Stream struct {
	opener   *opener
	ctx      context.Context
	d        Document
	name     string           // of the decompressed file
	r        *bufio.Reader    // nil if there are Bytes
	entity   string           // "gzip/" inside a gzip file
	head     []byte           // the first bytes
	dst      io.Writer        // of the text of records; it compresses
	layers   []*pack.Layer    // the outermost first
	unpacked *unpacking       // the innermost of them; nil if the document is not compressed
	in       *pack.Memberwise // not nil if each record is compressed on its own
	root     *base.Scope
	wanted   bool   // Extractor.Only wants the document as a whole
	damaged  bool   // the compressed document was not read to its end
	asking   bool   // it is read only to see whether rewriting changes anything
	release  func() // returns the opener to its pool when the records are read; may be nil

	rooms func(n int) []byte // the argument of RecordsIn
	room  []byte             // the last memory for copies, up to the end of the last copy; nil if the stream is read into it

	// Buffers of the opener, until the records are read. Other documents that are read meanwhile use other buffers.
	reader *bufio.Reader
	buffer []byte
}

// unpacking is the reader of one compression. The text may be damaged, or longer than the ratio limit allows. If the
// document is only read, this is a problem, and the text ends there. If the document is compressed again, this is an
// error, since the rest would be lost.
type unpacking struct {
	*Stream
	layer  *pack.Layer
	packed *countingReader // of the compressed bytes
	n      int64           // the length of the text so far
	entity string
	done   bool // nothing more is read: it is damaged, or longer than the ratio limit allows
}

// opener opens documents. It reuses its buffers for the next document.
type opener struct {
	Extractor
	buffer []byte // the bytes of a document that is read as a whole
	reader *bufio.Reader
}

// root returns the outermost scope: that of the URLs which are known before a byte is read.
func (x *Extractor) root(d Document) (*base.Scope, error) {
	known := make([]base.Declaration, 0, 2)
	if x.Override != "" {
		known = append(known, base.Declaration{Rung: base.Override, By: "--override-base", Value: x.original(x.Override), Offset: -1})
	}
	if d.URL != "" {
		by := d.URLBy
		if by == "" {
			by = "retrieval URL"
		}
		known = append(known, base.Declaration{Rung: base.Retrieval, By: by, Value: x.original(d.URL), Offset: -1})
	}
	root := base.Root(x.Standard, known...)
	if len(known) == 1 && root.Rung() == known[0].Rung {
		return root, nil // the URL is a valid base
	}
	for _, k := range known {
		if err := x.refusal(k.Value); err != nil {
			return nil, &URLError{k.By, k.Value, err}
		}
	}
	return root, nil
}

// refusal returns the reason why a URL from the caller cannot be a base, or nil if it can.
func (x *Extractor) refusal(url string) error {
	b, err := x.Standard.Base(url)
	if err != nil {
		if none, e := x.Standard.Base(""); e == nil && !none.IsAbsolute([]byte(url)) {
			return errors.New("not absolute; give it with its scheme, as in http://host/path")
		}
		return err
	}
	if why := b.Unsuitable(); why != "" {
		return errors.New(why)
	}
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

// contextReader reads until a context is done.
type contextReader struct {
	ctx context.Context
	io.Reader
}

// untilDone returns r, or a reader of r that ends with the error of the context when that is done.
func untilDone(ctx context.Context, r io.Reader) io.Reader {
	if ctx.Done() == nil {
		return r
	}
	return &contextReader{ctx, r}
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}

// countingReader counts the bytes that are read, and keeps the error.
type countingReader struct {
	r      io.Reader
	n      int64
	failed error
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.failed = err
	}
	return n, err
}
