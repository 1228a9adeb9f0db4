package extract

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"absolink/extract/codec"
)

// Record is one self-contained document of a stream: the unit of memory, of failure and
// of work. A file of a type with no Split of its own is one record.
type Record struct {
	Entity string    // "" for the whole document
	Format *Format   // what it is; nil for bytes that are passed through
	Offset int64     // in the document
	Bytes  []byte    // valid until the next record is asked for
	Rest   io.Reader // what follows Bytes of a record beyond the limit; it is not looked into

	// Mend gives, for the edits of the record, those that keep its own fields true, such
	// as a length. It may be nil.
	Mend func(rec Record, edits []codec.Edit) []codec.Edit
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
		var r *bufio.Reader
		head := d.Bytes
		if d.Bytes == nil && d.Reader != nil {
			r = bufio.NewReaderSize(d.Reader, sniffLen)
			var err error
			if head, err = r.Peek(sniffLen); err != nil && err != io.EOF {
				yield(Record{}, err)
				return
			}
		}
		format := Detect(d.Type, d.Name, head)
		if format == nil {
			yield(Record{}, &UnknownTypeError{d.Type})
			return
		}
		if format.Split != nil {
			if r == nil {
				r = bufio.NewReader(bytes.NewReader(d.Bytes))
			}
			w.split(d, format, r, limit, yield)
			return
		}
		raw, rest := d.Bytes, io.Reader(nil)
		switch {
		case r != nil:
			var err error
			if raw, rest, err = w.read(r, sizeOf(d.Reader), limit); err != nil {
				yield(Record{}, err)
				return
			}
		case len(raw) > limit:
			raw, rest = raw[:0], bytes.NewReader(raw)
		}
		if rest != nil {
			w.tooLong(d, "", limit)
		}
		yield(Record{Format: format, Bytes: raw, Rest: rest}, nil)
	}
}

// split gives the records of a stream that has many.
func (w *Walker) split(d Document, format *Format, r *bufio.Reader, limit int, yield func(Record, error) bool) {
	told := ""
	for rec, err := range format.Split(r, limit) {
		if err == nil && rec.Format == nil && rec.Entity != told {
			told = rec.Entity
			w.tooLong(d, rec.Entity, limit)
		}
		if !yield(rec, err) || err != nil {
			return
		}
	}
}

func (w *Walker) tooLong(d Document, entity string, limit int) {
	w.problem(Problem{Document: d.Name, Entity: entity, Code: SizeLimit,
		Detail: fmt.Sprintf("longer than %d bytes, passed through unread", limit)})
}

// read reads all of r, which may tell its size, into the Walker's buffer. A reader with
// more than limit bytes is given back as a whole: nothing of it is kept in memory but what
// was read so far.
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
