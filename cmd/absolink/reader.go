package main

import (
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// headLen is how much of a document tells its type.
const headLen = 1024

// meter counts the bytes of all documents. It may be read while documents are.
type meter struct {
	read    atomic.Int64
	skipped atomic.Int64 // bytes that need not be read
}

// reader reads a document and counts its bytes. It is an fs.File, so that it can be asked
// for its size, and an io.Seeker, for those who have to read it twice.
type reader struct {
	file  *os.File
	info  fs.FileInfo // of the file, once it was asked for
	meter *meter
	n     int64  // how many bytes of the file were read
	ended bool   // to its end
	head  []byte // what peek has read and Read has not given yet
}

// peek gives the first bytes; Read gives them again. It is to be called before any Read.
func (r *reader) peek() ([]byte, error) {
	if r.head != nil {
		return r.head, nil
	}
	r.head = make([]byte, headLen)
	n, err := io.ReadFull(r.file, r.head)
	r.head = r.head[:n]
	r.count(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		r.ended, err = true, nil
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
	if r.ended {
		return 0, io.EOF // a terminal would wait for it to be typed again
	}
	n, err := r.file.Read(p)
	r.count(n)
	r.ended = r.ended || err == io.EOF || n > 0 && r.n == int64(r.size()) // which saves asking for the end
	return n, err
}

func (r *reader) count(n int) {
	r.n += int64(n)
	r.meter.read.Add(int64(n))
}

// Seek is io.Seeker. What is read again counts once.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	if len(r.head) > 0 && whence == io.SeekCurrent {
		offset -= int64(len(r.head))
	}
	at, err := r.file.Seek(offset, whence)
	if err == nil {
		r.head, r.ended = nil, false
		r.count(int(at - r.n))
	}
	return at, err
}

// size is the length of a plain file, 0 of a pipe or a device.
func (r *reader) size() int {
	if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
		return int(info.Size())
	}
	return 0
}

// skip counts what is left of a file that will not be read to its end.
func (r *reader) skip() {
	if !r.ended {
		r.meter.skipped.Add(max(int64(r.size())-r.n, 0))
	}
}

// Stat is part of fs.File.
func (r *reader) Stat() (fs.FileInfo, error) {
	if r.info == nil {
		info, err := r.file.Stat()
		if err != nil {
			return nil, err
		}
		r.info = info
	}
	return r.info, nil
}

// Close is part of fs.File.
func (r *reader) Close() error { return r.file.Close() }
