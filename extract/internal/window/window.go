package window

import (
	"io"

	"absolink/extract/internal/ascii"
)

// Window is the part of a stream that was read and not dropped. Fields are for reading only; methods change them.
type Window struct {
	Buf    []byte // the bytes that were read
	Offset int64  // of Buf in the stream
	Edge   bool   // Buf ends where a lent unit ends, such as a member of gzip
	EOF    bool   // nothing follows Buf
	Err    error  // the error that ended reading, but not io.EOF

	r      io.Reader
	lender Lender // may be nil
	giver  *Giver // may be nil
	own    []byte // the memory that Buf is a part of, unless it was lent or given

	newlines struct{ start, end int64 } // the last newlines that AfterNewlines skipped, as offsets in the stream
}

// Read is the number of bytes that are read at once. They stay in the processor's cache while a format scans them.
const Read = 64 << 10

// New returns a window on a stream.
func New(r io.Reader) Window { return Window{r: r} }

// NewLent returns a window on a stream that is read from r when the lender has nothing.
func NewLent(r io.Reader, lender Lender) Window { return Window{r: r, lender: lender} }

// NewGiven returns a window that reads a stream into memory from a giver.
func NewGiven(r io.Reader, giver *Giver) Window { return Window{r: r, giver: giver} }

// On returns a window on a stream that is in memory.
func On(src []byte) Window { return Window{Buf: src[:len(src):len(src)], EOF: true} }

// Fill reads until Buf has n bytes. It reports whether there are so many.
func (w *Window) Fill(n int) bool {
	for len(w.Buf) < n && !w.EOF {
		w.More()
	}
	return len(w.Buf) >= n
}

// More reads once. Afterwards Buf is longer, or EOF is set, or neither if the reader returned nothing.
func (w *Window) More() {
	if len(w.Buf) > 0 {
		w.makeRoom(Read) // out of lent memory, which the next call may overwrite
	}
	if w.lender != nil {
		next, edge, err := w.lender.Lend()
		if len(w.Buf) == 0 {
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

// Drop removes n bytes from the beginning.
func (w *Window) Drop(n int) {
	w.Buf = w.Buf[n:]
	w.Offset += int64(n)
}

// Rest returns the reader of the stream after Buf. A caller that reads from it calls Replace next, or uses the window
// no more.
func (w *Window) Rest() io.Reader { return w.r }

// Replace makes buf what was read of the stream, for a caller that has read all of Buf and some of Rest. The window
// keeps buf. Offset does not change.
func (w *Window) Replace(buf []byte) { w.Buf = buf }

// AfterNewlines returns the index after the newlines at Buf[at]. Many records may claim a length that ends before the
// same newlines: AfterNewlines skips newlines that it has skipped before without reading them again.
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

// makeRoom makes room for n bytes after Buf.
func (w *Window) makeRoom(n int) {
	if cap(w.Buf)-len(w.Buf) >= n {
		return
	}
	size := len(w.Buf) + len(w.Buf)/2 + n + Read
	if w.giver != nil {
		if w.giver.given = size <= longestGiven; w.giver.given {
			w.Buf = append(w.giver.give(size)[:0], w.Buf...)
			return
		}
	}
	// Move Buf to the front of the own memory only if that frees at least half of it: else each byte would be moved often.
	if len(w.Buf) > cap(w.own)/2 || cap(w.own)-len(w.Buf) < n {
		w.own = make([]byte, 0, size)
	}
	w.Buf = append(w.own[:0], w.Buf...)
}

// end notes the error that a read ended with. err may be nil.
func (w *Window) end(err error) {
	if err != nil {
		w.EOF = true
		if err != io.EOF {
			w.Err = err
		}
	}
}
