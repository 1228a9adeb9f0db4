package main

import (
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// headLen is how much of a document tells its type.
const headLen = 1024

// reader reads a document and counts its bytes. It is an fs.File, so that it can be asked
// for its size.
type reader struct {
	file  *os.File
	bytes *atomic.Int64
	head  []byte // read before it was asked for
}

// peek gives the first bytes, which are read again.
func (r *reader) peek() ([]byte, error) {
	r.head = make([]byte, headLen)
	n, err := io.ReadFull(r.file, r.head)
	r.head = r.head[:n]
	r.bytes.Add(int64(n))
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return r.head, err
}

// Read is part of fs.File.
func (r *reader) Read(p []byte) (int, error) {
	if len(r.head) > 0 {
		n := copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	n, err := r.file.Read(p)
	r.bytes.Add(int64(n))
	return n, err
}

// Stat is part of fs.File.
func (r *reader) Stat() (fs.FileInfo, error) { return r.file.Stat() }

// Close is part of fs.File.
func (r *reader) Close() error { return r.file.Close() }
