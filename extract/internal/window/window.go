// Package window reads a stream through a buffer, for formats that cut the stream into records.
//
//	stream   | dropped records     | bytes that were read  | the rest of the stream
//	                               ^ Offset                ^ Offset + len(Buf)
//	                               [ Buf                   ]
//
//	Fill(n)  reads until Buf has n bytes:  [ Buf                 -->         ]
//	More()   reads once:                   [ Buf                 --> ]
//	Drop(n)  removes n bytes, a record:            [ Buf             ]
//
// The format calls More or Fill until it finds the end of the record at the start of Buf. Then it yields Buf[:end], and
// calls Drop(end). Memory use depends on the longest record, not on the length of the stream.
//
// Fill and More may move Buf to other memory, so the format must not keep slices of it. Indexes into Buf stay valid
// until Drop.
//
// The window reads into memory of its own, and reuses it. NewLent saves the copy for a stream that was decompressed in
// memory: where it can, Buf is the memory of the Lender.
//
// The file read.go has the readers and writers of whole documents.
package window

import (
	"io"

	"absolink/extract/internal/ascii"
)

// A Window is the part of a stream that was read and not dropped. Only the methods change the fields.
type Window struct {
	Buf    []byte  // the bytes that were read
	Offset int64   // of Buf in the stream
	Edge   bool    // a lent unit, like a gzip member, ends at the end of Buf
	EOF    bool    // the stream ends at the end of Buf
	Blocks *Blocks // keeps records until they are released; nil, or set before the first read
	Err    error   // the error of the last read, or nil for io.EOF

	r      io.Reader
	lender Lender // may be nil
	own    []byte // the window's own memory
	block  *Block // that has own, with Blocks

	newlines struct{ start, end int64 } // the newlines that AfterNewlines skipped last, as offsets in the stream
}

// A Lender is a reader that may have the next bytes of the stream in memory.
type Lender interface {
	// Lend returns the next bytes of the stream. They are valid until the next call of Lend or Read. next is empty if
	// the caller must call Read. edge reports whether a unit, like a gzip member, ends at the end of next.
	Lend() (next []byte, edge bool, err error)
}

// Read is the number of bytes that More reads. It is small, so that these bytes are still in the cache of the processor
// when a format scans them.
const Read = 64 << 10

// New returns a window on a stream, which it reads from r.
func New(r io.Reader) Window { return Window{r: r} }

// NewLent is like New, but reads from r only what the lender does not have.
func NewLent(r io.Reader, lender Lender) Window { return Window{r: r, lender: lender} }

// On returns a window on a stream that is in memory as a whole. Buf shares memory with src.
func On(src []byte) Window { return Window{Buf: src[:len(src):len(src)], EOF: true} }

// Fill reads until Buf has at least n bytes, or the stream ends. It reports whether Buf has at least n bytes.
func (w *Window) Fill(n int) bool {
	for len(w.Buf) < n && !w.EOF {
		w.More()
	}
	return len(w.Buf) >= n
}

// More reads once. Afterwards Buf is longer or EOF is set, unless the reader returned neither bytes nor an error.
func (w *Window) More() {
	if len(w.Buf) > 0 || w.Blocks != nil {
		w.makeRoom(Read) // move Buf out of lent memory, because the next call of Lend may overwrite it
	}
	if w.lender != nil {
		next, edge, err := w.lender.Lend()
		if len(w.Buf) == 0 && w.Blocks == nil {
			w.Buf = next[:len(next):len(next)]
		} else {
			w.makeRoom(len(next))
			w.Buf = append(w.Buf, next...)
		}
		if w.Edge = edge; len(next) > 0 || err != nil {
			w.end(err)
			return
		}
	}
	w.makeRoom(Read)
	n, err := w.r.Read(w.Buf[len(w.Buf) : len(w.Buf)+Read])
	w.Buf = w.Buf[:len(w.Buf)+n]
	w.end(err)
}

// Drop removes n bytes from the start of Buf.
func (w *Window) Drop(n int) {
	w.Buf = w.Buf[n:]
	w.Offset += int64(n)
}

// Rest returns the reader of the stream after Buf. After reading from it, the caller must call Replace, or stop using
// the window.
func (w *Window) Rest() io.Reader { return w.r }

// Replace sets Buf. Call it after reading all of Buf and a part of Rest. The window keeps buf. Offset does not change.
func (w *Window) Replace(buf []byte) { w.Buf = buf }

// AfterNewlines returns the index after the newlines at Buf[at]. It does not read those again that it skipped in the
// last call, so the time is linear even if many records declare a length that ends before the same newlines.
func (w *Window) AfterNewlines(at int) int {
	if from := w.Offset + int64(at); from < w.newlines.start || w.newlines.end <= from {
		w.newlines.start = from
	} else {
		at = int(w.newlines.end - w.Offset)
	}
	for n := ascii.NewlineLen(w.Buf[at:]); n > 0; n = ascii.NewlineLen(w.Buf[at:]) {
		at += n
	}
	w.newlines.end = w.Offset + int64(at)
	return at
}

// makeRoom makes room for n bytes after Buf, which may move.
func (w *Window) makeRoom(n int) {
	if cap(w.Buf)-len(w.Buf) >= n {
		return
	}
	size := len(w.Buf) + len(w.Buf)/2 + n + Read
	// Moving Buf to the start of the window's memory must free at least half of it. Otherwise each byte would be moved
	// many times.
	switch {
	case w.Blocks != nil:
		before := w.block
		w.block = w.Blocks.take(max(size, min(2*cap(w.own), blockSize)))
		w.own = w.block.buf
		defer before.Release() // when Buf has left it
	case len(w.Buf) > cap(w.own)/2 || cap(w.own)-len(w.Buf) < n:
		w.own = make([]byte, 0, size)
	}
	w.Buf = append(w.own[:0], w.Buf...)
}

func (w *Window) end(err error) {
	if err != nil {
		w.EOF = true
		if err != io.EOF {
			w.Err = err
		}
	}
}
