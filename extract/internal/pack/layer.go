package pack

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"absolink/extract/internal/window"
)

// Layer is one compression of a stream. It is a reader of the decompressed bytes, and a window.Lender of them.
type Layer struct {
	c          *Compression
	plain      io.Reader      // the decompressed bytes
	dst        io.Writer      // of the compressed bytes; nil if the stream is only read
	compressor io.WriteCloser // nil if the stream is only read, or compressed record by record
}

// ErrSalvaged is the error of Read at a damaged member, if the rest of the stream can be copied.
var ErrSalvaged = errors.New("a member is damaged or truncated")

// Open returns the Layer that decompresses r. It returns an error if the first bytes are damaged, or if r fails.
func (c *Compression) Open(r io.Reader) (*Layer, error) {
	plain, err := c.decompress(bufio.NewReaderSize(r, window.Read))
	if err != nil {
		return nil, err
	}
	return &Layer{c: c, plain: plain}, nil
}

// Name returns the name of the compression.
func (l *Layer) Name() string { return l.c.Name }

// Read is io.Reader. At a damaged member it returns ErrSalvaged, if the rest is to be copied.
func (l *Layer) Read(p []byte) (int, error) { return l.plain.Read(p) }

// Lend is window.Lender. Only gzip lends.
func (l *Layer) Lend() (next []byte, edge bool, err error) {
	if m, ok := l.plain.(*members); ok {
		return m.Lend()
	}
	return nil, false, nil
}

// Compress returns a writer that compresses in the same way as the stream, and writes to dst.
func (l *Layer) Compress(dst io.Writer) (io.Writer, error) {
	var err error
	if l.compressor, err = l.c.compress(dst, l.plain); err != nil {
		return nil, fmt.Errorf("%s: %w", l.c.Name, err)
	}
	l.dst = dst
	switch plain := l.plain.(type) {
	case *members:
		plain.salvage = true
	case *frames:
		if _, err := dst.Write(plain.first); err != nil {
			return nil, err
		}
	}
	return l.compressor, nil
}

// Compresses reports whether the stream is compressed again as a whole, and not record by record.
func (l *Layer) Compresses() bool { return l.compressor != nil }

// Memberwise returns a writer that compresses each record separately. It replaces the writer that Compress returned. It
// must be called before the first record is written.
func (l *Layer) Memberwise() *Memberwise {
	l.compressor = nil
	return &Memberwise{c: l.c, plain: l.plain, dst: l.dst}
}

// Whole sets that the stream is compressed as a whole. Then compressed bytes are no longer kept, and a damaged member is an
// error, also one that was read before.
func (l *Layer) Whole() error {
	m, ok := l.plain.(*members)
	if !ok {
		return nil
	}
	m.forget()
	if m.salvage = false; m.damaged {
		return fmt.Errorf("%s: %w", l.c.Name, ErrSalvaged)
	}
	return nil
}

// FirstMember returns the length of the text of the first member of gzip, or -1 if it is not known before the first read,
// or because the member is too long.
func (l *Layer) FirstMember() int64 {
	if m, ok := l.plain.(*members); ok && len(m.done) > 0 {
		return m.done[0].end
	}
	return -1
}

// Close ends the compressed data that Compress has begun.
func (l *Layer) Close() error {
	if l.compressor == nil {
		return nil
	}
	return l.compressor.Close()
}

// Original is the input R and the output W of the outermost compression of a document. Until Begin is called, it keeps the
// bytes that were read and written, so that a document that turns out to be too deep can still be copied.
type Original struct {
	R             io.Reader
	W             io.Writer
	read, written []byte
	begun         bool
}

func (o *Original) Read(b []byte) (int, error) {
	n, err := o.R.Read(b)
	if !o.begun {
		o.read = append(o.read, b[:n]...)
	}
	return n, err
}

func (o *Original) Write(b []byte) (int, error) {
	if !o.begun {
		o.written = append(o.written, b...)
		return len(b), nil
	}
	return o.W.Write(b)
}

// Begin ends the keeping, when all compressions are open. o may be nil.
func (o *Original) Begin() error {
	if o == nil {
		return nil
	}
	written := o.written
	o.begun, o.read, o.written = true, nil, nil
	if len(written) == 0 {
		return nil
	}
	_, err := o.W.Write(written)
	return err
}

// Reader returns a reader of the compressed document, from its first byte on.
func (o *Original) Reader() io.Reader { return io.MultiReader(bytes.NewReader(o.read), o.R) }

// Counter counts the bytes that are read from R, and keeps the error.
type Counter struct {
	R      io.Reader
	N      int64
	Failed error
}

func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.R.Read(p)
	c.N += int64(n)
	if err != nil && err != io.EOF {
		c.Failed = err
	}
	return n, err
}
