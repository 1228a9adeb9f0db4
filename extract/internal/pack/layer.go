package pack

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// Layer is one compression of a stream. It is a reader of the decompressed bytes, and a window.Lender of them.
type Layer struct {
	c     *Compression
	plain io.Reader // the decompressed bytes
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

// Lend is window.Lender. Only gzip and zstd lend.
func (l *Layer) Lend() (next []byte, edge bool, err error) {
	if m, ok := l.plain.(*members); ok {
		return m.Lend()
	}
	return nil, false, nil
}

// Keep sets that the stream is rewritten: members are kept, and a damaged member is to be copied, with the bytes after it. It must
// be called before the first Read.
func (l *Layer) Keep() {
	if m, ok := l.plain.(*members); ok {
		m.keep, m.salvage = keepBytes, true
	}
}

// DamagedHead returns the first bytes of the text, if Read has returned ErrSalvaged at the first member.
func (l *Layer) DamagedHead() []byte {
	m, ok := l.plain.(*members)
	if !ok || !m.damaged {
		return nil
	}
	head := make([]byte, mark.SniffLen)
	r, err := m.reader(bufio.NewReader(bytes.NewReader(m.in.Buf)))
	if err != nil {
		return nil
	}
	n, _ := io.ReadFull(r, head)
	return head[:n]
}

// only sets what is kept of the members. A damaged member is an error of a read, and can be read up to the damage.
func (l *Layer) only(keep keeping) {
	if m, ok := l.plain.(*members); ok {
		m.only(keep)
		m.salvage, m.damaged = false, false
	}
}

// Compress returns a writer that compresses in the same way as the stream, as a whole, and writes to dst.
func (l *Layer) Compress(dst io.Writer) (io.WriteCloser, error) {
	l.only(keepNothing)
	return l.compress(dst)
}

// compress returns a writer of the stream.
func (l *Layer) compress(dst io.Writer) (io.WriteCloser, error) {
	w, err := l.c.compress(dst, l.plain)
	if m, ok := l.plain.(*members); ok && err == nil && m.first() != nil {
		_, err = dst.Write(m.first())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.c.Name, err)
	}
	return w, nil
}

// Original is the compressed bytes of a document, while they are read from R. It keeps them, so that a document without an edit,
// or with damage, can be copied.
type Original struct {
	R     io.Reader
	Limit int // of the bytes that are kept; 0 for no limit
	kept  []byte
	lost  bool
}

func (o *Original) Read(b []byte) (int, error) {
	n, err := o.R.Read(b)
	if !o.lost {
		o.kept = append(o.kept, b[:n]...)
	}
	if o.Limit > 0 && len(o.kept) > o.Limit {
		o.Forget()
	}
	return n, err
}

// Forget ends the keeping.
func (o *Original) Forget() { o.kept, o.lost = nil, true }

// Lost reports whether the bytes are not kept.
func (o *Original) Lost() bool { return o.lost }

// Reader returns a reader of the compressed document, from its first byte on. The bytes must not be lost.
func (o *Original) Reader() io.Reader { return io.MultiReader(bytes.NewReader(o.kept), o.R) }

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
