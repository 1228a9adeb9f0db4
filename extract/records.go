package extract

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"iter"
)

// Record is one self-contained document of a stream: the unit of memory, of failure and
// of work. A file of a type with no Split of its own is one record.
type Record struct {
	Entity string    // "" for the whole document
	Format *Format   // what it is
	Offset int64     // in the document
	Bytes  []byte    // valid until the next record is asked for
	Rest   io.Reader // what follows Bytes of a record beyond the limit; it is not looked into
}

const (
	defaultDepth  = 64
	defaultRecord = 256 << 20
)

// records cuts a document into its records. The error is one of reading, or
// *UnknownTypeError, and comes last.
func (w *Walker) records(d Document) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		limit := w.MaxRecord
		if limit == 0 {
			limit = defaultRecord
		}
		raw, rest := d.Bytes, io.Reader(nil)
		if raw == nil && d.Reader != nil {
			r := bufio.NewReaderSize(d.Reader, sniffLen)
			head, err := r.Peek(sniffLen)
			if err != nil && err != io.EOF {
				yield(Record{}, err)
				return
			}
			if Detect(d.Type, d.Name, head) == nil {
				yield(Record{}, &UnknownTypeError{d.Type})
				return
			}
			if raw, rest, err = w.read(r, sizeOf(d.Reader), limit); err != nil {
				yield(Record{}, err)
				return
			}
		} else if len(raw) > limit {
			raw, rest = raw[:0], bytes.NewReader(raw)
		}
		format := Detect(d.Type, d.Name, raw)
		if format == nil {
			yield(Record{}, &UnknownTypeError{d.Type})
			return
		}
		if rest != nil {
			w.problem(Problem{Document: d.Name, Code: SizeLimit,
				Detail: fmt.Sprintf("longer than %d bytes, passed through unread", limit)})
		}
		yield(Record{Format: format, Bytes: raw, Rest: rest}, nil)
	}
}

// read reads all of r, which may tell its size, into the Walker's buffer. A reader with more than limit bytes is
// given back as a whole: nothing of it is kept in memory but what was read so far.
func (w *Walker) read(r io.Reader, size, limit int) ([]byte, io.Reader, error) {
	buf := w.buffer[:0]
	if size := min(size, limit) + 1; size > cap(buf) {
		buf = make([]byte, 0, size)
	}
	defer func() { w.buffer = buf[:0] }()
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case err == io.EOF && len(buf) <= limit:
			return buf, nil, nil
		case err != nil && err != io.EOF:
			return nil, nil, err
		case len(buf) > limit:
			return nil, io.MultiReader(bytes.NewReader(buf), r), nil
		}
	}
}

// sizeOf is how many bytes a file has, 0 if it is no file.
func sizeOf(r io.Reader) int {
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return int(info.Size())
		}
	}
	return 0
}
