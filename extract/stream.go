package extract

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"absolink/base"
	"absolink/extract/internal/http"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/window"
)

// opener opens documents. It reuses its buffers for the next document.
type opener struct {
	Extractor
	buffer []byte // the bytes of a document that is read as a whole
	reader *bufio.Reader
}

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

// Open opens a document whose records a program passes to goroutines of its own. If dst is nil, the records are only read.
// Else they are rewritten: Rewrite with the Document of a Record gives its output, which Put writes. The errors are those
// of Links.
func (x *Extractor) Open(ctx context.Context, doc Document, dst io.Writer) (*Stream, error) {
	w := x.walker(ctx)
	s, err := w.open(ctx, doc, dst)
	if err != nil {
		w.release()
		return nil, err
	}
	s.release = w.release
	return s, nil
}

// open opens a document.
func (o *opener) open(ctx context.Context, d Document, dst io.Writer) (*Stream, error) {
	s, err := o.begin(ctx, d)
	if err == nil {
		err = s.unpack(dst)
	}
	return s, err
}

// begin reads the first bytes of a document.
func (o *opener) begin(ctx context.Context, d Document) (*Stream, error) {
	root, err := o.root(d)
	if err != nil {
		return nil, err
	}
	s := &Stream{opener: o, ctx: ctx, d: d, root: root, name: d.Name, head: d.Bytes}
	if d.Bytes == nil && d.Reader != nil {
		err = s.peek(d.Reader)
	}
	return s, err
}

// unpack adds a layer for each compression around the document. If dst is not nil, records are compressed to dst again.
func (s *Stream) unpack(dst io.Writer) error {
	o := s.opener
	s.dst = dst
	for depth := 0; ; depth++ {
		c := pack.PackedBy(s.head)
		switch {
		case c == nil:
			return nil
		case depth == o.maxDepth():
			return fmt.Errorf("more than %d compressions around one another; unpack it first", depth)
		case s.r == nil:
			s.r, s.d.Bytes = bufio.NewReaderSize(bytes.NewReader(s.d.Bytes), window.Read), nil
		}
		packed := &countingReader{r: s.r}
		l, err := c.Open(packed)
		if packed.failed != nil {
			err = packed.failed
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if dst != nil && !o.Unpacked {
			if s.dst, err = l.Compress(s.dst); err != nil {
				return err
			}
		}
		s.layers = append(s.layers, l)
		s.name, s.entity = c.UnpackedName(s.name), s.entity+c.Name+"/"
		s.d.Type = unpackedType(c, s.d.Type)
		s.unpacked = &unpacking{Stream: s, layer: l, packed: packed, entity: strings.TrimSuffix(s.entity, "/")}
		if err := s.peek(s.unpacked); err != nil {
			return err
		}
	}
}

// peek makes r the reader of the document, and sets head.
func (s *Stream) peek(r io.Reader) (err error) {
	if s.r == nil {
		if s.opener.reader == nil {
			// Small, since its content is copied when the document is read.
			s.opener.reader = bufio.NewReaderSize(nil, 4*mark.SniffLen)
		}
		s.r, s.reader, s.opener.reader = s.opener.reader, s.opener.reader, nil
		s.r.Reset(untilDone(s.ctx, r))
	} else {
		s.r = bufio.NewReaderSize(r, window.Read)
	}
	if s.head, err = s.r.Peek(mark.SniffLen); err == io.EOF {
		err = nil
	}
	return err
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

// unpackedBytes is window.Lender for the bytes of the innermost compression.
type unpackedBytes struct{ *Stream }

func (s unpackedBytes) Lend() (next []byte, edge bool, err error) {
	if n := s.r.Buffered(); n > 0 {
		next, err = s.r.Peek(n)
		s.r.Discard(n)
		return next, false, err
	}
	return s.unpacked.Lend()
}

// Close writes the end of a rewritten document, after the last Put. It does not close dst or the Reader of the Document.
// A Stream that is only read need not be closed.
func (s *Stream) Close() error {
	if s.in != nil {
		if err := s.in.End(); err != nil {
			return err
		}
	}
	for i := len(s.layers) - 1; i >= 0; i-- {
		if err := s.layers[i].Close(); err != nil {
			return err
		}
	}
	return nil
}

// Put writes the output of Rewrite for a record, in one or more pieces. The caller must put all records in their
// order. Put without a piece leaves the record out.
func (s *Stream) Put(rec Record, rewritten ...[]byte) error {
	for _, piece := range rewritten {
		if _, err := s.to(rec).Write(piece); err != nil {
			return err
		}
	}
	return s.done(rec)
}

// to returns the writer for the output of Rewrite. That output is compressed already if the record is compressed
// on its own.
func (s *Stream) to(rec Record) io.Writer {
	switch {
	case s.in == nil || rec.format == nil:
		return s.dst
	}
	return s.in.Writer(rec.packed)
}

// done ends a record after its last piece.
func (s *Stream) done(rec Record) error {
	switch {
	case s.in == nil || rec.More:
		return nil
	case rec.format == nil:
		return s.in.Close()
	}
	return s.in.EndRecord(rec.packed, rec.Bytes)
}

// format returns the format of the document, or nil if it is unknown.
func (s *Stream) format() *mark.Format {
	if s.d.header > 0 {
		return http.Single
	}
	format := detect(s.d.Type, s.name, s.head)
	if format == mail.Mbox && s.opener.Mbox != 0 {
		return flavours[s.opener.Mbox]
	}
	return format
}

// flavours are the formats of mboxes by their flavours.
var flavours = map[Mbox]*mark.Format{MboxO: mail.MboxO, MboxRD: mail.MboxRD, MboxCL: mail.MboxCL, MboxCL2: mail.MboxCL2}

// links calls visit for every link of the document, in the order of the bytes. An error of visit ends the walk, and is
// returned.
func (w *walker) links(d Document, visit func(*Link) error) error {
	w.visitLink, w.visitEntity, w.rewriting = visit, nil, false
	return w.run(d)
}

// bases calls visit for every entity of the document that is a document itself.
func (w *walker) bases(d Document, visit func(*Entity) error) error {
	w.visitLink, w.visitEntity, w.rewriting = nil, visit, false
	return w.run(d)
}

// rewrite is Extractor.Rewrite.
func (w *walker) rewrite(dst io.Writer, d Document) error {
	w.visitLink, w.visitEntity, w.rewriting, w.result = nil, nil, true, Result{}
	if d.record != nil {
		return w.walk(*d.record, dst)
	}
	in, err := w.begin(w.ctx, d)
	if err != nil {
		return err
	}
	if again := w.twice(in); again != nil {
		raw, err := w.unchanged(d, again)
		if _, e := again.Seek(0, io.SeekStart); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
		if raw != nil {
			_, err = io.Copy(dst, raw)
			return err
		}
		in.giveBack()
		if in, err = w.begin(w.ctx, d); err != nil {
			return err
		}
	}
	if err := in.unpack(dst); err != nil {
		return err
	}
	return w.through(in, dst)
}

// run walks every record of a document that is only read.
func (w *walker) run(d Document) error {
	if d.record != nil {
		return w.walk(*d.record, nil)
	}
	in, err := w.open(w.ctx, d, nil)
	if err != nil {
		return err
	}
	return w.through(in, nil)
}

// through walks every record of a document that has been opened.
func (w *walker) through(in *Stream, dst io.Writer) error {
	for rec, err := range in.Records() {
		if err == nil {
			err = w.walk(rec, in.to(rec))
		}
		if err == nil && dst != nil {
			err = in.done(rec)
		}
		if err != nil {
			return err
		}
	}
	return in.Close()
}

// walk walks one record. dst is nil if the record is not rewritten.
func (w *walker) walk(rec Record, dst io.Writer) error {
	w.failed = w.ctx.Err()
	w.writes(rec, dst)
	w.record(rec)
	w.out.end()
	return w.failed
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
