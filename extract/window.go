package extract

import "io"

// window is what was read of a stream and is not done with.
type window struct {
	r      io.Reader
	lender lender // of what r reads; may be nil
	buf    []byte // what is read
	offset int64  // of buf in the stream
	edge   bool   // buf ends where something does that was lent as a whole
	room   []byte // what buf is a part of, unless it was lent, or given
	giver  *giver // may be nil
	eof    bool
	err    error // of reading

	blank struct{ start, end int64 } // newlines in the stream that were passed over
}

// windowOn is one that all is in already.
func windowOn(src []byte) window { return window{buf: src[:len(src):len(src)], eof: true} }

// lender is a reader that may have what comes next in memory.
type lender interface {
	// lend gives it, to be read until the next call or read; nothing if it has to be read. edge
	// says that it is all of something, such as a member of gzip, or its end.
	lend() (next []byte, edge bool, err error)
}

// giver gives a window rooms to read into, of which it leaves those that are full as they are. What is
// longer is read into the window's own, which is used again.
type giver struct {
	give  func(n int) []byte
	given bool // buf is a part of what it gave last
}

// longestGiven is how long a room may be that is given.
const longestGiven = 1 << 20

// windowRead is how much is read at once: what is in the processor's cache while it is looked at.
const windowRead = 64 << 10

// fill reads until there are n bytes; false if there are not so many.
func (w *window) fill(n int) bool {
	for len(w.buf) < n && !w.eof {
		w.more()
	}
	return len(w.buf) >= n
}

// more reads once.
func (w *window) more() {
	w.edge = false
	if len(w.buf) > 0 {
		w.makeRoom(windowRead) // out of what was lent, which the next call may write to
	}
	if w.lender != nil {
		next, edge, err := w.lender.lend()
		if len(w.buf) == 0 {
			w.buf = next[:len(next):len(next)]
		} else {
			w.makeRoom(len(next))
			w.buf = append(w.buf, next...)
		}
		if w.edge = edge; len(next) > 0 || err != nil {
			w.end(err)
			return
		}
	}
	w.makeRoom(windowRead)
	n, err := w.r.Read(w.buf[len(w.buf) : len(w.buf)+windowRead])
	w.buf = w.buf[:len(w.buf)+n]
	w.end(err)
}

// makeRoom makes room for n bytes behind buf.
func (w *window) makeRoom(n int) {
	if cap(w.buf)-len(w.buf) >= n {
		return
	}
	size := len(w.buf) + len(w.buf)/2 + n + windowRead
	if w.giver != nil {
		if w.giver.given = size <= longestGiven; w.giver.given {
			w.buf = append(w.giver.give(size)[:0], w.buf...)
			return
		}
	}
	// Moved to the front if that makes room enough to be worth it, else to a larger place.
	if len(w.buf) > cap(w.room)/2 || cap(w.room)-len(w.buf) < n {
		w.room = make([]byte, 0, size)
	}
	w.buf = append(w.room[:0], w.buf...)
}

// end notes what reading ended with, if it did.
func (w *window) end(err error) {
	if err != nil {
		w.eof = true
		if err != io.EOF {
			w.err = err
		}
	}
}

// behindNewlines is the end of the newlines that stand at buf[at]. The lengths of very many records
// may lead to the same ones: what was passed over is not read again.
func (w *window) behindNewlines(at int) int {
	if from := w.offset + int64(at); from < w.blank.start || w.blank.end <= from {
		w.blank.start = from
	} else {
		at = int(w.blank.end - w.offset)
	}
	for n := newlineLen(w.buf[at:]); n > 0; n = newlineLen(w.buf[at:]) {
		at += n
	}
	w.blank.end = w.offset + int64(at)
	return at
}

// drop takes n bytes off the front.
func (w *window) drop(n int) {
	w.buf = w.buf[n:]
	w.offset += int64(n)
}
