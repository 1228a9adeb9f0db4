package extract

import (
	"context"
	"io"
	"sync"

	"absolink/extract/internal/mark"
)

// AtOnce sets the number of marks in a chunk. The returned function restores the old number.
func AtOnce(n int) (restore func()) {
	was := mark.AtOnce
	mark.AtOnce = n
	return func() { mark.AtOnce = was }
}

// Calls is an Extractor for tests, with functions instead of loops, and without a context.
type Calls struct{ Extractor }

func (w *Calls) Links(d Document, visit func(*Link) error) error {
	for l, err := range w.Extractor.Links(context.Background(), d) {
		if err == nil {
			err = visit(l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Calls) Bases(d Document, visit func(*Entity) error) error {
	for e, err := range w.Extractor.Bases(context.Background(), d) {
		if err == nil {
			err = visit(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Calls) Rewrite(dst io.Writer, d Document) error {
	_, err := w.Extractor.Rewrite(context.Background(), dst, d)
	return err
}

func (w *Calls) Open(d Document, dst io.Writer) (*Stream, error) {
	return w.Extractor.Open(context.Background(), d, dst)
}

// Poison runs read with new walkers, and then overwrites the memory that the walkers reuse.
func Poison(read func()) {
	var used []*walker
	add := idle.New
	idle = sync.Pool{New: func() any {
		w := add().(*walker)
		used = append(used, w)
		return w
	}}
	defer func() { idle = sync.Pool{New: add} }()
	read()
	for _, w := range used {
		for _, b := range [][]byte{w.url, w.text, w.buffer} {
			b = b[:cap(b)]
			for i := range b {
				b[i] = 'P'
			}
		}
	}
}
