package extract

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"absolink/base"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/window"
)

// Stream is a document that is decompressed and read record by record. Walkers with the settings of the Walker that
// opened it may walk its records at the same time. The Walker that opened it walks records only in the goroutine that
// reads them. Rewritten records are written back in the order of the records.
//
// The Walker that walks a record reports its problems. The Walker that opened the Stream reports damaged compression and
// records longer than the limit, while it reads.
type Stream struct {
	w        *Walker
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
	wanted   bool // Options.Only wants the document as a whole
	damaged  bool // the compressed document was not read to its end
	asking   bool // it is read only to see whether rewriting changes anything

	rooms func(n int) []byte // the argument of RecordsIn
	room  []byte             // the last memory for copies, up to the end of the last copy; nil if the stream is read into it

	// Buffers of the Walker, until the records are read. Other documents that are read meanwhile use other buffers.
	reader *bufio.Reader
	buffer []byte
}

// giveBack returns the buffers to the Walker.
func (s *Stream) giveBack() {
	if s.reader != nil && s.in == nil { // else Close copies the rest from the reader
		s.w.reader = s.reader
	}
	if s.buffer != nil {
		s.w.buffer = s.buffer[:0]
	}
}

// Open opens a document. If dst is nil, its records are only read. Else they are rewritten, and dst gets the rewritten
// document. The errors are those of Links.
func (w *Walker) Open(d Document, dst io.Writer) (*Stream, error) {
	s, err := w.begin(d)
	if err == nil {
		err = s.unpack(dst)
	}
	return s, err
}

// begin reads the first bytes of a document.
func (w *Walker) begin(d Document) (*Stream, error) {
	root, err := w.root(d)
	if err != nil {
		return nil, err
	}
	s := &Stream{w: w, d: d, root: root, name: d.Name, head: d.Bytes}
	if d.Bytes == nil && d.Reader != nil {
		err = s.peek(d.Reader)
	}
	return s, err
}

// unpack adds a layer for each compression around the document. If dst is not nil, records are compressed to dst again.
func (s *Stream) unpack(dst io.Writer) error {
	w := s.w
	s.dst = dst
	for depth := 0; ; depth++ {
		c := pack.PackedBy(s.head)
		switch {
		case c == nil:
			return nil
		case depth == w.maxDepth():
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
		if dst != nil && !w.Unpacked {
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
		if s.w.reader == nil {
			// Small, since its content is copied when the document is read.
			s.w.reader = bufio.NewReaderSize(nil, 4*mark.SniffLen)
		}
		s.r, s.reader, s.w.reader = s.w.reader, s.w.reader, nil
		s.r.Reset(r)
	} else {
		s.r = bufio.NewReaderSize(r, window.Read)
	}
	if s.head, err = s.r.Peek(mark.SniffLen); err == io.EOF {
		err = nil
	}
	return err
}

// Lend is window.Lender, for the bytes of the innermost compression.
func (s *Stream) Lend() (next []byte, edge bool, err error) {
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

// Put writes the output of RewriteRecord for a record, in one or more pieces. The caller must put all records in their
// order. Put without a piece leaves the record out.
func (s *Stream) Put(rec Record, rewritten ...[]byte) error {
	for _, piece := range rewritten {
		if _, err := s.to(rec).Write(piece); err != nil {
			return err
		}
	}
	return s.done(rec)
}

// to returns the writer for the output of RewriteRecord. That output is compressed already if the record is compressed
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
	format := detect(s.d.Type, s.name, s.head)
	if format == mail.Mbox && s.w.Mbox != 0 {
		return flavours[s.w.Mbox]
	}
	return format
}

// flavours are the formats of mboxes by their flavours.
var flavours = map[Mbox]*mark.Format{MboxO: mail.MboxO, MboxRD: mail.MboxRD, MboxCL: mail.MboxCL, MboxCL2: mail.MboxCL2}
