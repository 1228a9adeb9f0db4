package extract

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"path"
	"strings"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/window"
)

// Record is one self-contained document of a stream: the unit of memory, of failure and
// of work. A file of a type with no Split of its own is one record.
type Record struct {
	Entity string       // "" for the whole document
	Format *mark.Format // what it is; nil for bytes that are passed through
	Offset int64        // in the document
	Bytes  []byte       // valid until the next record is asked for; see RecordsIn
	Rest   io.Reader    // what follows Bytes of one beyond the limit; not looked into, and copied when it is rewritten

	More bool // the next Record is more of this one

	of     *Stream
	fault  *mark.Fault // with cutting it out; nil for most
	packed pack.Packed // how it was compressed, if each record is compressed on its own
}

const (
	defaultDepth  = 64
	defaultRecord = 256 << 20
)

func (w *Walker) maxDepth() int {
	if w.MaxDepth <= 0 {
		return defaultDepth
	}
	return w.MaxDepth
}

func (w *Walker) maxRecord() int {
	if w.MaxRecord <= 0 {
		return defaultRecord
	}
	return min(w.MaxRecord, math.MaxInt/2) // lengths in memory can be added to it
}

// Stream is a document that is read record by record, with the compressions around it taken
// off. Its records may be walked by any Walkers with the settings of the one that opened
// it, at the same time, too (that one itself only by the goroutine that asks for Records); what
// is rewritten is written back in the order of the records.
// Problems are told by the Walker that walks the record; damage of what is packed and records
// beyond the limit by the one that opened it, while it reads.
type Stream struct {
	w        *Walker
	d        Document
	name     string           // of the unpacked file
	r        *bufio.Reader    // nil if there are Bytes
	entity   string           // "gzip/" for what is packed
	head     []byte           // the first bytes
	dst      io.Writer        // packs again
	layers   []*pack.Layer    // the outermost first
	unpacked *unpacking       // the innermost of them
	in       *pack.Memberwise // if each record is packed on its own
	root     *base.Scope
	damaged  bool // what is packed is not all read
	asking   bool // it is only read to see whether rewriting it is to change anything

	rooms func(n int) []byte // of RecordsIn; nil if there are none
	room  []byte             // the last of them, with the records that were copied there; nil if the stream is read into it

	// What the Walker has lent it until its records are read. Other documents that are read meanwhile have others.
	reader *bufio.Reader
	buffer []byte
}

// giveBack gives the Walker back what it has lent.
func (s *Stream) giveBack() {
	if s.reader != nil && s.in == nil { // else Close copies the rest of it
		s.w.reader = s.reader
	}
	if s.buffer != nil {
		s.w.buffer = s.buffer[:0]
	}
}

// Open begins a document that is only read if dst is nil; else its records are to be
// rewritten, and dst gets the document. The errors are those of Links.
func (w *Walker) Open(d Document, dst io.Writer) (*Stream, error) {
	s, err := w.begin(d)
	if err == nil {
		err = s.unpack(dst)
	}
	return s, err
}

// begin reads the first bytes of a document.
func (w *Walker) begin(d Document) (*Stream, error) {
	root, err := w.root(d)
	if err != nil {
		return nil, err
	}
	s := &Stream{w: w, d: d, root: root, name: d.Name, head: d.Bytes}
	if d.Bytes == nil && d.Reader != nil {
		err = s.peek(d.Reader)
	}
	return s, err
}

// unpack takes the compressions off a document, and puts them around dst.
func (s *Stream) unpack(dst io.Writer) error {
	w := s.w
	s.dst = dst
	for depth := 0; ; depth++ {
		c := pack.PackedBy(s.head)
		switch {
		case c == nil:
			return nil
		case depth == w.maxDepth():
			return fmt.Errorf("more than %d compressions around one another; unpack it first", depth)
		case s.r == nil:
			s.r, s.d.Bytes = bufio.NewReaderSize(bytes.NewReader(s.d.Bytes), window.Read), nil
		}
		packed := &countingReader{r: s.r}
		l, err := c.Open(packed)
		if packed.failed != nil {
			err = packed.failed
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if dst != nil && !w.Unpacked {
			if s.dst, err = l.Compress(s.dst); err != nil {
				return err
			}
		}
		s.layers = append(s.layers, l)
		s.name, s.entity = c.UnpackedName(s.name), s.entity+c.Name+"/"
		s.d.Type = unpackedType(c, s.d.Type)
		s.unpacked = &unpacking{Stream: s, layer: l, packed: packed, entity: strings.TrimSuffix(s.entity, "/")}
		if err := s.peek(s.unpacked); err != nil {
			return err
		}
	}
}

// peek reads on from r, the first bytes in advance.
func (s *Stream) peek(r io.Reader) (err error) {
	if s.r == nil {
		if s.w.reader == nil {
			// Small: what is read of a document for its first bytes is copied.
			s.w.reader = bufio.NewReaderSize(nil, 4*mark.SniffLen)
		}
		s.r, s.reader, s.w.reader = s.w.reader, s.w.reader, nil
		s.r.Reset(r)
	} else {
		s.r = bufio.NewReaderSize(r, window.Read)
	}
	if s.head, err = s.r.Peek(mark.SniffLen); err == io.EOF {
		err = nil
	}
	return err
}

// Lend is part of lender.
func (s *Stream) Lend() (next []byte, edge bool, err error) {
	if n := s.r.Buffered(); n > 0 {
		next, err = s.r.Peek(n)
		s.r.Discard(n)
		return next, false, err
	}
	return s.unpacked.Lend()
}

// Close ends what Records are written to, once all of them are put. A Stream that is only read need not be
// closed; the Reader of the Document is the caller's to close.
func (s *Stream) Close() error {
	if s.in != nil {
		if err := s.in.End(); err != nil {
			return err
		}
	}
	for i := len(s.layers) - 1; i >= 0; i-- {
		if err := s.layers[i].Close(); err != nil {
			return err
		}
	}
	return nil
}

// Records cuts the document into its records, once. The error is one of reading, or
// *UnknownTypeError, and comes last.
func (s *Stream) Records() iter.Seq2[Record, error] { return s.RecordsIn(nil) }

// RecordsIn is Records for who keeps more than one of them. rooms is asked for memory, n bytes or more, and
// the stream reads into that; a record lies in what rooms gave last, and is valid until somebody else
// writes there. What was begun of it in the memory before is moved once rooms has returned: so that is
// not to be written to before the record has come.
func (s *Stream) RecordsIn(rooms func(n int) []byte) iter.Seq2[Record, error] {
	s.rooms = rooms
	return func(yield func(Record, error) bool) {
		defer s.giveBack()
		w, limit := s.w, s.w.maxRecord()
		format := s.format()
		if format == nil {
			yield(Record{}, &UnknownTypeError{s.d.Type})
			return
		}
		if err := s.memberwise(format); err != nil {
			yield(Record{}, err)
			return
		}
		if format.Split != nil {
			s.split(format, limit, yield)
			return
		}
		raw, rest := s.d.Bytes, io.Reader(nil)
		switch {
		case s.r != nil:
			var err error
			if raw, rest, err = w.read(s.r, s.d.Reader, limit); err != nil {
				yield(Record{}, err)
				return
			}
			s.buffer = raw
		case len(raw) > limit:
			raw, rest = raw[:0], bytes.NewReader(raw)
		}
		rec := Record{of: s, Entity: strings.TrimSuffix(s.entity, "/"), Format: format, Bytes: raw, Rest: rest}
		if rest != nil {
			s.tooLong(rec.Entity, limit)
		}
		s.keep(&rec)
		yield(rec, nil)
	}
}

// keep puts a record into a room, if there are any. Its packed bytes are its own already.
func (s *Stream) keep(rec *Record) {
	if s.rooms == nil {
		return
	}
	if cap(s.room)-len(s.room) < len(rec.Bytes) {
		s.room = s.rooms(len(rec.Bytes))[:0]
	}
	at := len(s.room)
	s.room = append(s.room, rec.Bytes...)
	rec.Bytes = s.room[at:len(s.room):len(s.room)]
}

// Splits says whether a document, of which peek gives the beginning (as much as Detect needs), may have
// more than one record, each of which can be walked, and written back, apart from the others. The Reader
// of one that is packed may be read for that, and then stands where it stood.
func (w *Walker) Splits(d Document, peek func() ([]byte, error), rewriting bool) bool {
	if f := byExt[ascii.Lower(path.Ext(d.Name))]; d.Type == "" && f != nil && f.Split == nil {
		return false // whatever it begins with: it may be packed, or a response
	}
	head, err := peek()
	if err != nil {
		return false
	}
	f, packed := DetectUnpacked(d.Type, d.Name, head)
	return f != nil && f.Split != nil && (!rewriting || !packed || f.Members && w.copies(d))
}

// copies says whether Rewrite would not look first whether a packed document, which has records,
// has anything to change: they are copied if they do not, or it can be read only once.
func (w *Walker) copies(d Document) bool {
	again := rereadable(d, 0)
	if again == nil {
		return true
	}
	defer again.Seek(0, io.SeekStart)
	if _, err := again.Seek(0, io.SeekStart); err != nil {
		return true
	}
	probe := Walker{MaxDepth: w.MaxDepth, MaxRecord: w.MaxRecord, MaxRatio: w.MaxRatio}
	d.Bytes, d.Reader = nil, again
	in, err := probe.Open(d, nil)
	if err != nil {
		return true // Rewrite fails, too
	}
	copied := in.copied()
	for first, err := range in.Records() {
		return err == nil && copied(first)
	}
	return false
}

// Put writes what RewriteRecord gave for a record, in pieces or as one. Each record is put, in
// their order; one that is put without any piece is left out.
func (s *Stream) Put(rec Record, rewritten ...[]byte) error {
	for _, piece := range rewritten {
		if _, err := s.to(rec).Write(piece); err != nil {
			return err
		}
	}
	return s.done(rec)
}

// to is what RewriteRecord's output is written to: packed already, if it is a member of its own.
func (s *Stream) to(rec Record) io.Writer {
	switch {
	case s.in == nil || rec.Format == nil:
		return s.dst
	}
	return s.in.Writer(rec.packed)
}

// done ends a record that came in pieces.
func (s *Stream) done(rec Record) error {
	switch {
	case s.in == nil || rec.More:
		return nil
	case rec.Format == nil:
		return s.in.Close()
	}
	return s.in.EndRecord(rec.packed, rec.Bytes)
}

// format is what the document is; nil if no format claims it.
func (s *Stream) format() *mark.Format {
	format := Detect(s.d.Type, s.name, s.head)
	if format == mail.Mbox && s.w.Mbox != nil {
		return s.w.Mbox
	}
	return format
}

// split gives the records of a stream that has many.
func (s *Stream) split(format *mark.Format, limit int, yield func(Record, error) bool) {
	told := ""
	if s.r == nil {
		s.r = bufio.NewReader(bytes.NewReader(s.d.Bytes))
	}
	in, giver := window.New(s.r), (*window.Giver)(nil)
	if s.unpacked != nil {
		in = window.NewLent(s.r, s)
	} else if s.rooms != nil {
		giver = window.NewGiver(func(n int) []byte { s.room = nil; return s.rooms(n) })
		in = window.NewGiven(s.r, giver)
	}
	for c, err := range format.Split(in, limit) {
		if err == nil && c.Format == nil && c.Entity != told {
			told = c.Entity
			s.tooLong(s.entity+c.Entity, limit)
		}
		rec := Record{of: s, Entity: strings.TrimSuffix(s.entity+c.Entity, "/"), Format: c.Format, Offset: c.Offset, Bytes: c.Bytes,
			More: c.More, fault: c.Fault}
		if s.in != nil {
			rec.packed = s.in.Packed(c.Offset, len(c.Bytes), c.Format == nil)
		}
		if !giver.Holds() {
			s.keep(&rec)
		}
		if !yield(rec, err) || err != nil {
			return
		}
	}
}

// tooLong reports a record beyond the limit.
func (s *Stream) tooLong(entity string, limit int) {
	s.w.problem(Problem{Document: s.d.Name, Entity: entity, Code: SizeLimit,
		Detail: fmt.Sprintf("longer than %d bytes, passed through unread; raise --max-record if it is to be read", limit)})
}

// read reads all of r, whose size file may tell, into the Walker's buffer. A reader with more
// than limit bytes is given back as a whole: nothing of it is kept in memory but what was read
// so far. The Walker gets its buffer back with giveBack.
func (w *Walker) read(r, file io.Reader, limit int) ([]byte, io.Reader, error) {
	buf, asked := w.buffer[:0], false
	w.buffer = nil
	for {
		if len(buf) == cap(buf) {
			size := cap(buf) + cap(buf)/2 + 512
			if !asked { // only now: most documents are shorter than one before them
				size, asked = max(size, min(sizeOf(file), limit)+1), true
			}
			buf = append(make([]byte, 0, size), buf...)
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
