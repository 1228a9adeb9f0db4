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
// The format searches for the end of the record at the start of Buf. It calls More or Fill until it finds the end. Then it
// yields Buf[:end], and calls Drop(end). Memory use depends on the longest record, and not on the length of the stream.
//
// Fill and More may move Buf to other memory. So the format must not keep slices of Buf. Indexes into Buf stay valid until
// Drop.
//
// The window reads into its own memory, and reuses it. NewLent is for a stream that was decompressed in memory: Buf is the
// memory of the Lender if possible.
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
	Edge   bool    // a lent unit, such as a member of gzip, ends at the end of Buf
	EOF    bool    // the stream ends at the end of Buf
	Blocks *Blocks // bytes that were in Buf are kept in blocks until they are released; it is set before the first read, or nil
	Err    error   // the error of the last read, or nil for io.EOF

	r      io.Reader
	lender Lender // may be nil
	own    []byte // the window's own memory
	block  *Block // which has it, with Blocks

	newlines struct{ start, end int64 } // the newlines that AfterNewlines skipped last, as offsets in the stream
}

// A Lender is a reader that may have the next bytes of the stream in memory.
type Lender interface {
	// Lend returns the next bytes of the stream. They are valid until the next call of Lend or Read. next is empty if
	// the caller must call Read. edge reports whether a unit, such as a member of gzip, ends at the end of next.
	Lend() (next []byte, edge bool, err error)
}

// Read is the number of bytes that More reads. It is small, so that these bytes are still in the cache of the processor
// when a format scans them.
const Read = 64 << 10

// New returns a window on a stream.
func New(r io.Reader) Window { return Window{r: r} }

// NewLent returns a window on a stream. If the lender has no bytes, the window reads from r.
func NewLent(r io.Reader, lender Lender) Window { return Window{r: r, lender: lender} }

// On returns a window on a stream that is completely in memory. Buf shares memory with src.
func On(src []byte) Window { return Window{Buf: src[:len(src):len(src)], EOF: true} }

// Fill reads until Buf has at least n bytes, or the stream ends. It reports whether Buf has at least n bytes.
func (w *Window) Fill(n int) bool {
	for len(w.Buf) < n && !w.EOF {
		w.More()
	}
	return len(w.Buf) >= n
}

// More reads once. After that, Buf is longer or EOF is set. Neither is true if the reader returned no bytes and no error.
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

// Rest returns the reader of the stream after Buf. After reading from it, the caller must call Replace, or stop using the
// window.
func (w *Window) Rest() io.Reader { return w.r }

// Replace sets Buf. Call it after reading all of Buf and a part of Rest. The window keeps buf. Offset does not change.
func (w *Window) Replace(buf []byte) { w.Buf = buf }

// AfterNewlines returns the index after the newlines at Buf[at]. It does not read newlines again that it skipped in the
// last call. So the time is linear even if many records declare a length that ends before the same newlines.
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

// Through returns a window on the rest of the stream, in which change has changed the bytes in place. w must not be used after
// that.
func (w Window) Through(change func([]byte)) Window {
	blocks := w.Blocks
	w.Blocks, w.own = nil, nil // the records before are in them
	return Window{r: &through{w, change}, Blocks: blocks}
}

// through is the reader of the window that Through returns.
type through struct {
	Window
	change func([]byte)
}

func (t *through) Read(p []byte) (int, error) {
	if len(t.Buf) == 0 && !t.EOF {
		t.More()
	}
	n := copy(p, t.Buf)
	t.change(p[:n])
	t.Drop(n)
	switch {
	case n > 0 || !t.EOF:
		return n, nil
	case t.Err != nil:
		return 0, t.Err
	}
	return 0, io.EOF
}

// makeRoom makes room for n bytes after the end of Buf. It may move Buf.
func (w *Window) makeRoom(n int) {
	if cap(w.Buf)-len(w.Buf) >= n {
		return
	}
	size := len(w.Buf) + len(w.Buf)/2 + n + Read
	// Move Buf to the start of the own memory only if this frees at least half of the memory. Otherwise each byte
	// would be moved many times.
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

// end sets EOF and Err for the error of a read. err may be nil.
func (w *Window) end(err error) {
	if err != nil {
		w.EOF = true
		if err != io.EOF {
			w.Err = err
		}
	}
}
