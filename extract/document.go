package extract

// This file has the input: Document, the errors for a Document, and the Stream of Records that a document is opened as.

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"

	"absolink/base"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
)

// Document is one input. A Document needs Bytes or Reader; all other fields may be empty. FromResponse returns the
// Document of an HTTP response.
//
// URL takes precedence over the URLs that an archive records for its documents. So leave URL empty for an archive: see
// Format.Archive.
type Document struct {
	Name string // the name in Entity and Problem; its extension may determine the type
	Type string // the media type, with or without a charset parameter; if "", see Detect. The content is not compared with it

	// URL is the absolute URL that the document was retrieved from (RFC 1808 3.3), or "" if it is unknown. A document may
	// have several HTTP responses, with redirects before the last response, such as the output of "curl -iL". Then URL
	// is the URL of the first request, and the redirects are resolved against it.
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

	record *Record // set by Record.Document
	header int     // the length of the header that FromResponse adds before the body
}

// FromResponse returns the body of an HTTP response as a document. The URL of the document is the URL of resp.Request.
// If package net/http has followed redirects, this is the URL after the last redirect. The type is the Content-Type of
// the response. The body is read as a stream. The caller closes it.
//
// The links in the fields Link and Refresh are links of the document, and come first. The Path of an entity in the body
// begins with "body". If the body has many records, as an mbox has, then no Path begins with "body", and the fields are
// not read.
//
// Rewrite writes only the body. If the body has the Content-Encoding gzip, deflate, br or zstd, Rewrite compresses it
// again. The caller has to update the Content-Length of the response, and to remove its ETag. The links in the fields
// stay unchanged.
func FromResponse(resp *http.Response) Document {
	d := Document{Reader: resp.Body}
	if resp.Request != nil && resp.Request.URL != nil {
		d.URL = resp.Request.URL.String()
		d.Name = d.URL
	}
	if d.Reader == nil {
		d.Reader = bytes.NewReader(nil)
	}
	mediaType, _ := header.HTTPContentType([]byte(strings.Join(resp.Header.Values("Content-Type"), ", ")))
	if f := formatOf(mediaType); f != nil && f.Split != nil {
		d.Type = mediaType
		return d
	}
	// Fields such as Content-Length and Transfer-Encoding are left out: they describe bytes that package net/http has
	// decoded already.
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %03d\r\n", resp.StatusCode)
	for _, name := range []string{"Content-Type", "Content-Encoding", "Content-Range", "Content-Location", "Link", "Refresh"} {
		for _, value := range resp.Header.Values(name) {
			head.WriteString(name + ": " + strings.NewReplacer("\r", " ", "\n", " ").Replace(value) + "\r\n")
		}
	}
	head.WriteString("\r\n")
	d.Type, d.header, d.Reader = "message/http", head.Len(), io.MultiReader(&head, d.Reader)
	return d
}

// UnknownTypeError is the error for a document whose format is unknown.
type UnknownTypeError struct {
	Type string // Document.Type
}

// Error returns the type that is not supported. If Type is "", it returns that the document matches no format.
func (e *UnknownTypeError) Error() string {
	if e.Type == "" {
		return "unknown type: neither the name nor the first bytes match a format"
	}
	return fmt.Sprintf("the type %q is not supported", e.Type)
}

// LimitError is the error of Rewrite for a compressed document that is longer than a limit.
type LimitError struct {
	Setting Setting // the setting that allows more
	Detail  string  // the limit, in English
}

// Error returns the limit.
func (e *LimitError) Error() string { return e.Detail }

// URLError is the error for a URL from the caller that cannot be a base.
type URLError struct {
	What string // the source of the URL: Extractor.OverrideBy or Document.URLBy
	URL  string

	// Err is the reason. If the standard cannot parse the URL, Err wraps resolve.ErrMalformed. If the URL is relative,
	// or unsuitable as a base, such as mailto:a@b, Err is an error that has only a text.
	Err error
}

// Error returns the source of the URL, the URL, and the reason.
func (e *URLError) Error() string { return fmt.Sprintf("%s %q: %v", e.What, e.URL, e.Err) }

// Unwrap returns Err.
func (e *URLError) Unwrap() error { return e.Err }

// Record is a part of a document that can be read alone, such as a message of an mbox, a record of a WARC file, or a
// file in a tar archive. A document of another type is one record. MaxRecord limits the bytes of each record, and
// goroutines can work on several records in parallel.
type Record struct {
	Entity string    // the name of a file in an archive; "" for the whole document, and for records without a name
	Type   string    // the media type; "" for bytes that are copied and not read
	Offset int64     // the offset of Bytes in the decompressed document
	Bytes  []byte    // the content; valid until the next record is read, or longer: see RecordsIn and Extractor.Records
	Rest   io.Reader // the content, in place of Bytes, of a document longer than MaxRecord that is one record; it is only copied

	More bool // the next Record is the next piece of this record: a long record that is only copied comes in pieces

	of     *Stream
	format *mark.Format // nil without a Type
	fault  *mark.Fault  // found when the record was cut out; nil for most records
	packed pack.Packed  // how it was compressed, if each record is compressed on its own
}

// Document returns the record as a document for Links, Bases and Rewrite. It is valid as long as the Bytes of the
// Record. The output of Rewrite is the argument of Stream.Put: if each record of the document is compressed on its own,
// the output is compressed already.
func (rec Record) Document() Document { return Document{Name: rec.of.d.Name, record: &rec} }

// Stream is a document that is decompressed and read record by record: see Extractor.Open. Put writes rewritten records
// in the order of the records.
//
// The Extractor that opened the Stream reports damaged compression, and records longer than the limit. The Extractor
// that reads or rewrites a record reports the problems inside the record.
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
	unpacked *unpacking       // the innermost compression; nil if the document is not compressed
	in       *pack.Memberwise // not nil if each record is compressed on its own
	root     *base.Scope
	lacks    Setting
	wanted   bool   // Extractor.Only wants the document as a whole
	damaged  bool   // the compressed document was not read to its end
	probing  bool   // the document is read only to find out whether rewriting changes anything
	tooDeep  bool   // the document has more compressions than the depth limit, and is not read
	release  func() // returns the opener to its pool when the records are read; may be nil

	original io.Reader // the compressed document, if it is tooDeep and is rewritten

	rooms func(n int) []byte // the argument of RecordsIn
	room  []byte             // the last memory for copies, up to the end of the last copy; nil if the stream is read into it

	// Buffers of the opener, until all records are read. A document that is read meanwhile uses other buffers.
	reader *bufio.Reader
	buffer []byte
}

// packedDocument is the input and the output of the outermost compression. Until begin is called, it keeps the bytes that
// were read and written, so that a document that turns out to be too deep can still be copied.
type packedDocument struct {
	r             io.Reader
	w             io.Writer
	read, written []byte
	begun         bool
}

func (p *packedDocument) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if !p.begun {
		p.read = append(p.read, b[:n]...)
	}
	return n, err
}

func (p *packedDocument) Write(b []byte) (int, error) {
	if !p.begun {
		p.written = append(p.written, b...)
		return len(b), nil
	}
	return p.w.Write(b)
}

// begin ends the keeping, when all compressions are open. p may be nil.
func (p *packedDocument) begin() error {
	if p == nil {
		return nil
	}
	written := p.written
	p.begun, p.read, p.written = true, nil, nil
	if len(written) == 0 {
		return nil
	}
	_, err := p.w.Write(written)
	return err
}

// original returns a reader of the compressed document, from its first byte on.
func (p *packedDocument) original() io.Reader { return io.MultiReader(bytes.NewReader(p.read), p.r) }

// unpacking is the reader of one compression. The text may be damaged, or longer than the ratio limit allows. If the
// document is only read, this is a problem, and the text ends there. If the document is compressed again, this is an
// error, since the rest would be lost.
type unpacking struct {
	*Stream
	layer  *pack.Layer
	packed *countingReader // of the compressed bytes
	n      int64           // the length of the text so far
	entity string
	done   bool // the rest is not read, because it is damaged or longer than the ratio limit allows
}

// opener opens documents. It reuses its buffers for the next document.
type opener struct {
	Extractor
	buffer []byte // the bytes of a document that is read as a whole
	reader *bufio.Reader
}

// root returns the outermost scope, with the URLs that the caller has set.
func (x *Extractor) root(d Document) (*base.Scope, error) {
	known := make([]base.Declaration, 0, 2)
	if x.Override != "" {
		known = append(known, base.Declaration{Rung: base.RungOverride, By: cmp.Or(x.OverrideBy, "override URL"), Value: x.original(x.Override), Offset: -1})
	}
	if d.URL != "" {
		known = append(known, base.Declaration{Rung: base.RungRetrieval, By: cmp.Or(d.URLBy, "retrieval URL"), Value: x.original(d.URL), Offset: -1})
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

// refusal returns the reason why a URL from the caller cannot be a base, or nil if it can be a base.
func (x *Extractor) refusal(url string) error {
	b, err := x.Standard.Base(url)
	if err != nil {
		if none, e := x.Standard.Base(""); e == nil && !none.IsAbsolute([]byte(url)) {
			return errors.New("not absolute; write it with its scheme, as in http://host/path")
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

// skip makes the stream copy the compressed document. If packed is nil, the document is only read, and the stream has no
// text.
func (s *Stream) skip(packed *packedDocument, depth int) {
	s.layers, s.unpacked, s.tooDeep = nil, nil, true
	what := "is not read"
	if packed != nil {
		s.dst, s.original = packed.w, packed.original()
	}
	if packed != nil || s.probing {
		what = "is copied unchanged"
	}
	s.opener.problem(Problem{Document: s.d.Name, Code: CodeDepthLimit, Setting: SettingMaxDepth,
		Detail: fmt.Sprintf("more than %d nested compressions; the document %s", depth, what)})
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

// untilDone returns a reader of r that returns the error of the context as soon as the context is done.
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
