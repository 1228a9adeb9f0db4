package window

import (
	"io"

	"absolink/extract/internal/ascii"
)

// Window is what was read of a stream and is not done with.
type Window struct {
	R      io.Reader
	Lender Lender // of what r reads; may be nil
	Buf    []byte // what is read
	Offset int64  // of buf in the stream
	Edge   bool   // buf ends where something does that was lent as a whole
	room   []byte // what buf is a part of, unless it was lent, or given
	Giver  *Giver // may be nil
	EOF    bool
	Err    error // of reading

	blank struct{ start, end int64 } // newlines in the stream that were passed over
}

// windowOn is one that all is in already.
func On(src []byte) Window { return Window{Buf: src[:len(src):len(src)], EOF: true} }

// Lender is a reader that may have what comes next in memory.
type Lender interface {
	// Lend gives it, to be read until the next call or read; nothing if it has to be read. edge
	// says that it is all of something, such as a member of gzip, or its end.
	Lend() (next []byte, edge bool, err error)
}

// Giver gives a window rooms to read into, of which it leaves those that are full as they are. What is
// longer is read into the window's own, which is used again.
type Giver struct {
	Give  func(n int) []byte
	Given bool // buf is a part of what it gave last
}

// longestGiven is how long a room may be that is given.
const longestGiven = 1 << 20

// windowRead is how much is read at once: what is in the processor's cache while it is looked at.
const Read = 64 << 10

// Fill reads until there are n bytes; false if there are not so many.
func (w *Window) Fill(n int) bool {
	for len(w.Buf) < n && !w.EOF {
		w.More()
	}
	return len(w.Buf) >= n
}

// More reads once.
func (w *Window) More() {
	w.Edge = false
	if len(w.Buf) > 0 {
		w.makeRoom(Read) // out of what was lent, which the next call may write to
	}
	if w.Lender != nil {
		next, edge, err := w.Lender.Lend()
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
	n, err := w.R.Read(w.Buf[len(w.Buf) : len(w.Buf)+Read])
	w.Buf = w.Buf[:len(w.Buf)+n]
	w.end(err)
}

// makeRoom makes room for n bytes behind buf.
func (w *Window) makeRoom(n int) {
	if cap(w.Buf)-len(w.Buf) >= n {
		return
	}
	size := len(w.Buf) + len(w.Buf)/2 + n + Read
	if w.Giver != nil {
		if w.Giver.Given = size <= longestGiven; w.Giver.Given {
			w.Buf = append(w.Giver.Give(size)[:0], w.Buf...)
			return
		}
	}
	// Moved to the front if that makes room enough to be worth it, else to a larger place.
	if len(w.Buf) > cap(w.room)/2 || cap(w.room)-len(w.Buf) < n {
		w.room = make([]byte, 0, size)
	}
	w.Buf = append(w.room[:0], w.Buf...)
}

// end notes what reading ended with, if it did.
func (w *Window) end(err error) {
	if err != nil {
		w.EOF = true
		if err != io.EOF {
			w.Err = err
		}
	}
}

// BehindNewlines is the end of the newlines that stand at buf[at]. The lengths of very many records
// may lead to the same ones: what was passed over is not read again.
func (w *Window) BehindNewlines(at int) int {
	if from := w.Offset + int64(at); from < w.blank.start || w.blank.end <= from {
		w.blank.start = from
	} else {
		at = int(w.blank.end - w.Offset)
	}
	for n := ascii.NewlineLen(w.Buf[at:]); n > 0; n = ascii.NewlineLen(w.Buf[at:]) {
		at += n
	}
	w.blank.end = w.Offset + int64(at)
	return at
}

// Drop takes n bytes off the front.
func (w *Window) Drop(n int) {
	w.Buf = w.Buf[n:]
	w.Offset += int64(n)
}
