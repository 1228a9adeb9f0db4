package extract

import "io"

// window is what was read of a stream and is not done with.
type window struct {
	r      io.Reader
	buf    []byte // what is read
	offset int64  // of buf in the stream
	room   []byte // what buf is a part of
	eof    bool
	err    error // of reading
}

// windowRead is how much is read at once.
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
	if cap(w.buf)-len(w.buf) < windowRead {
		// Moved to the front if that makes room enough to be worth it, else to a larger place.
		if len(w.buf) > cap(w.room)/2 || cap(w.room)-len(w.buf) < windowRead {
			w.room = make([]byte, 0, len(w.buf)+len(w.buf)/2+2*windowRead)
		}
		w.buf = append(w.room[:0], w.buf...)
	}
	n, err := w.r.Read(w.buf[len(w.buf):cap(w.buf)])
	w.buf = w.buf[:len(w.buf)+n]
	if err != nil {
		w.eof = true
		if err != io.EOF {
			w.err = err
		}
	}
}

// drop takes n bytes off the front.
func (w *window) drop(n int) {
	w.buf = w.buf[n:]
	w.offset += int64(n)
}
