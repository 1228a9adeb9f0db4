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

// Packing is one compression of a stream. It reads the decompressed bytes, and is a window.Lender of them.
type Packing struct {
	c     *Compression
	plain io.Reader // the decompressed bytes
}

// ErrSalvaged is the error of Read at a damaged member if the rest of the stream can be copied.
var ErrSalvaged = errors.New("a member is damaged or truncated")

// Open returns the Packing that decompresses r. It returns an error if the first bytes are damaged, or if r fails.
func (c *Compression) Open(r io.Reader) (*Packing, error) {
	plain, err := c.decompress(bufio.NewReaderSize(r, window.Read))
	if err != nil {
		return nil, err
	}
	return &Packing{c: c, plain: plain}, nil
}

// Name returns the name of the compression.
func (l *Packing) Name() string { return l.c.Name }

// Read is io.Reader. After Keep, it returns ErrSalvaged at a damaged member.
func (l *Packing) Read(p []byte) (int, error) { return l.plain.Read(p) }

// Lend is window.Lender. Only gzip and zstd lend.
func (l *Packing) Lend() (next []byte, edge bool, err error) {
	if m, ok := l.plain.(*members); ok {
		return m.Lend()
	}
	return nil, false, nil
}

// Keep prepares for a rewriting of the stream: members are kept, and a damaged member and all bytes after it are to be
// copied. It must be called before the first Read.
func (l *Packing) Keep() {
	if m, ok := l.plain.(*members); ok {
		m.keep, m.salvage = keepBytes, true
	}
}

// DamagedHead returns the first bytes of the text if the first member is the damaged one.
func (l *Packing) DamagedHead() []byte {
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

// only sets what is kept of the members. Damage no longer ends reading with ErrSalvaged: a damaged member is read up to
// the damage, where Read fails.
func (l *Packing) only(keep keeping) {
	if m, ok := l.plain.(*members); ok {
		m.only(keep)
		m.salvage, m.damaged = false, false
	}
}

// Compress returns a writer that compresses to dst as the stream was compressed, but as a whole.
func (l *Packing) Compress(dst io.Writer) (io.WriteCloser, error) {
	l.only(keepNothing)
	return l.compress(dst)
}

func (l *Packing) compress(dst io.Writer) (io.WriteCloser, error) {
	w, err := l.c.compress(dst, l.plain)
	if m, ok := l.plain.(*members); ok && err == nil && m.first() != nil {
		_, err = dst.Write(m.first())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.c.Name, err)
	}
	return w, nil
}

// Original keeps the compressed bytes of a document while they are read from R, so that a document that is damaged or
// has no edit can be copied.
type Original struct {
	R     io.Reader
	Limit int // of the kept bytes; 0 for none
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

// Forget drops the kept bytes and keeps no more.
func (o *Original) Forget() { o.kept, o.lost = nil, true }

// Lost reports whether the bytes were dropped.
func (o *Original) Lost() bool { return o.lost }

// Reader returns a reader of the whole compressed document, which must not be lost.
func (o *Original) Reader() io.Reader { return io.MultiReader(bytes.NewReader(o.kept), o.R) }

// Counter counts the bytes read from R, and remembers its error.
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
