package extract

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"
)

// Record is one self-contained document of a stream: the unit of memory, of failure and
// of work. A file of a type with no Split of its own is one record.
type Record struct {
	Entity string    // "" for the whole document
	Format *Format   // what it is; nil for bytes that are passed through
	Offset int64     // in the document
	Bytes  []byte    // valid until the next record is asked for
	Rest   io.Reader // what follows Bytes of a record beyond the limit; it is not looked into

	More bool // the next Record is more of this one

	Problem *Problem // with cutting it out; its Offset is in Bytes
	// Grown is told how many bytes longer the rewritten record is, before the next record is
	// asked for. It may be nil.
	Grown func(n int)
}

const (
	defaultDepth  = 64
	defaultRecord = 256 << 20
)

// records cuts a document into its records. The error is one of reading, or
// *UnknownTypeError, and comes last.
func (s *stream) records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		w, limit := s.w, s.w.MaxRecord
		if limit == 0 {
			limit = defaultRecord
		}
		format := s.format()
		if format == nil {
			yield(Record{}, &UnknownTypeError{s.d.Type})
			return
		}
		s.memberwise(format)
		if format.Split != nil {
			if s.r == nil {
				s.r = bufio.NewReader(bytes.NewReader(s.d.Bytes))
			}
			s.split(format, limit, yield)
			return
		}
		raw, rest := s.d.Bytes, io.Reader(nil)
		switch {
		case s.r != nil:
			var err error
			if raw, rest, err = w.read(s.r, sizeOf(s.d.Reader), limit); err != nil {
				yield(Record{}, err)
				return
			}
		case len(raw) > limit:
			raw, rest = raw[:0], bytes.NewReader(raw)
		}
		rec := Record{Entity: strings.TrimSuffix(s.entity, "/"), Format: format, Bytes: raw, Rest: rest}
		if rest != nil {
			w.tooLong(s.d, rec.Entity, limit)
		}
		yield(rec, nil)
	}
}

// format is what the document is; nil if no format claims it.
func (s *stream) format() *Format {
	format := Detect(s.d.Type, s.name, s.head)
	if format == Mbox && s.w.Mbox != nil {
		return s.w.Mbox
	}
	return format
}

// split gives the records of a stream that has many.
func (s *stream) split(format *Format, limit int, yield func(Record, error) bool) {
	told := ""
	for rec, err := range format.Split(s.r, limit) {
		if err == nil && rec.Format == nil && rec.Entity != told {
			told = rec.Entity
			s.w.tooLong(s.d, s.entity+rec.Entity, limit)
		}
		rec.Entity = strings.TrimSuffix(s.entity+rec.Entity, "/")
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
