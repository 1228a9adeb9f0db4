package extract

// This file opens a document, decompresses it, cuts it into records, and writes rewritten records.

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strings"

	"absolink/base"
	"absolink/extract/internal/html"
	"absolink/extract/internal/http"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/window"
)

// Stream is a document that Extractor.Open has opened.
type Stream struct {
	// reports damaged compression and too long records; the Extractor that reads a record reports the rest
	opener     *opener
	ctx        context.Context
	d          Document
	name       string           // of the decompressed file
	r          *bufio.Reader    // nil if there are Bytes
	entity     string           // "gzip/" inside a gzip file
	head       []byte           // the first bytes
	header     []byte           // made from Document.Header; it is read before the body
	mediaType  string           // of the body of a response, or Document.Type
	dst        io.Writer        // of the text of records; it compresses, unless memberwise does
	packings   []*pack.Packing  // the outermost first
	unpacked   *unpacking       // the innermost compression; nil if the document is not compressed
	memberwise *pack.Memberwise // not nil if each record is compressed on its own
	whole      []io.Closer      // the compressors of the whole document, the outermost first
	original   *pack.Original   // the bytes of a compressed document that is rewritten; else nil
	root       *base.Scope
	urlSetting string
	wanted     bool // Extractor.Only wants the document as a whole
	mode       mode
	release    func() // returns the opener to its pool when the records are read; may be nil

	read, put int  // how many records were read, and were put
	ended     bool // the last record was read

	// Buffers of the opener, until all records are read. A document that is read meanwhile uses other buffers.
	reader *bufio.Reader
	buffer []byte
}

// mode tells how the bytes of a document pass from the reader to dst.
type mode uint8

const (
	opening  mode = iota // its compressions are not all open yet
	streamed             // as they are read, through the same compressions
	copied               // as they are, because it has too many compressions, or an unknown type
	alone                // as one record, which is compressed again if it has an edit
	damaged              // like alone, but it was not read to its end, so they are copied
)

// opener opens documents. It reuses its buffers for the next document.
type opener struct {
	Extractor
	buffer []byte // the bytes of a document that is read as a whole
	reader *bufio.Reader
	own    Stream   // of a record whose Document the caller may have changed
	places []string // the Places that were checked last
	added  []string // and the AddPlaces
}

// open opens a document. If dst is not nil, the records are compressed to dst in the same way as the document.
func (o *opener) open(ctx context.Context, d Document, dst io.Writer) (*Stream, error) {
	s, err := o.begin(ctx, d)
	if err == nil {
		err = s.unpack(dst)
	}
	return s, err
}

// begin returns the Stream of a document. It reads only the first bytes.
func (o *opener) begin(ctx context.Context, d Document) (*Stream, error) {
	if err := cmp.Or(o.check(), d.checkType()); err != nil {
		return nil, err
	}
	root, err := o.root(d.URL, d.URLBy)
	if err != nil {
		return nil, err
	}
	s := &Stream{opener: o, ctx: ctx, d: d, root: root, name: d.Name, head: d.Bytes}
	s.header, s.mediaType = d.response()
	if s.header != nil {
		s.head = nil // package http decodes the body
	} else {
		s.d.Type = s.mediaType
	}
	if d.Bytes != nil || d.Reader == nil {
		return s, nil
	}
	s.from(d.Reader)
	if s.header != nil || s.d.Type != "" && formatOf(s.d.Type) == nil {
		return s, nil // perhaps a stream of events, whose first bytes must not wait for others
	}
	return s, s.peek()
}

// unpack adds a Packing for each compression around the document, for reading and, if dst is not nil, for writing to
// dst. A document with more compressions than the depth limit is a problem. It is not read, but copied.
func (s *Stream) unpack(dst io.Writer) error {
	o := s.opener
	s.dst = dst
	for depth := 0; ; depth++ {
		c := pack.PackedBy(s.head)
		switch {
		case c == nil:
			s.mode = streamed
			if s.original == nil {
				return nil
			}
			if s.linkless(s.format()) {
				s.reportUnknown()
				s.skip()
				return nil
			}
			return s.compress()
		case depth == min(o.maxDepth(), mostPacked):
			s.skip()
			s.reportTooDeep(depth)
			return nil
		case s.r == nil:
			s.r, s.d.Bytes = bufio.NewReaderSize(bytes.NewReader(s.d.Bytes), window.Read), nil
		}
		counted := &pack.Counter{R: s.r}
		if depth == 0 && dst != nil {
			s.original = &pack.Original{R: s.r}
			counted.R = s.original
		}
		l, err := c.Open(counted)
		if counted.Failed != nil {
			return counted.Failed
		}
		if err != nil {
			s.skip()
			s.opener.report(Problem{Document: s.d.Name, Entity: s.entity + c.Name, Code: CodeUndecodable,
				Detail: c.Name + ": " + err.Error() + "; the document " + s.skipped()})
			return nil
		}
		if dst != nil && !o.Decompress {
			l.Keep()
		}
		s.packings = append(s.packings, l)
		s.name, s.entity = c.UnpackedName(s.name), s.entity+c.Name+"/"
		s.d.Type = unpackedType(c, s.d.Type)
		s.unpacked = &unpacking{Stream: s, packing: l, packed: counted, entity: strings.TrimSuffix(s.entity, "/")}
		s.from(s.unpacked)
		if err := s.peek(); err != nil {
			return err
		}
		if len(s.head) == 0 {
			s.head = l.DamagedHead()
		}
	}
}

// compress makes the writers of a compressed document, whose format is known now:
//
//   - A document that is one record is compressed when its first edit is known. Without an edit, its bytes are copied.
//   - The records of some formats are members. A member without an edit is copied.
//   - Every other document is compressed as a whole.
func (s *Stream) compress() error {
	format := s.format()
	switch {
	case s.opener.Decompress:
		s.original.Forget()
		return nil
	case format.Split == nil:
		s.mode, s.memberwise = alone, pack.Alone(s.packings, s.dst)
		s.original.Limit = s.opener.maxRecord() + readAhead
		return nil
	}
	s.original.Forget()
	for i, l := range s.packings {
		if i == len(s.packings)-1 && format.Members {
			in, err := l.Memberwise(s.dst)
			s.memberwise, s.dst = in, in
			return err
		}
		w, err := l.Compress(s.dst)
		if err != nil {
			return err
		}
		s.whole, s.dst = append(s.whole, w), w
	}
	return nil
}

// readAhead is more than the number of compressed bytes that are read before they are needed.
const readAhead = 16 << 20

func (s *Stream) from(r io.Reader) {
	if s.r == nil {
		if s.opener.reader == nil {
			// The buffer is small, because its content is copied when the document is read.
			s.opener.reader = bufio.NewReaderSize(nil, 4*mark.SniffLen)
		}
		s.r, s.reader, s.opener.reader = s.opener.reader, s.opener.reader, nil
		s.r.Reset(untilDone(s.ctx, r))
	} else {
		s.r = bufio.NewReaderSize(r, window.Read)
	}
}

func (s *Stream) peek() (err error) {
	if s.head, err = s.r.Peek(mark.SniffLen); err == io.EOF {
		err = nil
	}
	return err
}

// format returns the format of the document, or nil if it is unknown.
func (s *Stream) format() *mark.Format {
	if s.header != nil {
		return http.Single
	}
	format := detect(s.d.Type, s.name, s.head)
	if format == mail.Mbox {
		return s.opener.Mbox.format()
	}
	return format
}

// Records yields the records of the document, once.
func (s *Stream) Records() iter.Seq2[Record, error] { return s.records(true) }

// records is Records. If own is not set, the Bytes of a Record are valid until the next Record is read.
func (s *Stream) records(own bool) iter.Seq2[Record, error] {
	return func(take func(Record, error) bool) {
		defer s.giveBack()
		s.ended = true
		yield := func(rec Record, err error) bool {
			rec.number = s.read
			s.read++
			s.ended = take(rec, err)
			return s.ended
		}
		if s.mode == copied {
			rec := Record{of: s}
			if s.original != nil {
				rec.Rest = s.original.Reader()
			}
			yield(rec, nil)
			return
		}
		limit := s.opener.maxRecord()
		format := s.format()
		if s.header == nil && format != nil && format.Split == nil && s.linkless(format) || format == nil {
			s.reportUnknown()
			yield(s.passing(), nil)
			return
		}
		s.wanted, s.urlSetting = s.opener.wants(false, format), urlOf(format)
		if err := interrupted(s.ctx); err != nil {
			yield(Record{}, err)
			return
		}
		if format.Split != nil {
			s.split(format, limit, own, yield)
			return
		}
		yield(s.one(format, limit, own))
	}
}

// linkless reports whether nothing in a document of a format is read: the format is unknown, or Extractor.Only wants
// neither the document nor a document that it may contain.
func (s *Stream) linkless(format *mark.Format) bool {
	x := s.opener
	return format == nil || !x.wants(false, format) &&
		!(embeds(format.Embeds, x.Only) && slices.ContainsFunc(Formats(),
			func(f *Format) bool { return x.Only(f.Name) }))
}

func (s *Stream) reportUnknown() {
	if s.format() != nil {
		return
	}
	p := Problem{Document: s.d.Name, Entity: strings.TrimSuffix(s.entity, "/"), Code: CodeTypeUnknown,
		Setting: settingType,
		Detail:  unknownKind(s.d.Name, s.head)}
	if s.d.Type != "" {
		p.Code, p.Detail = CodeNotRead, "no links are read in the type "+mark.Quote([]byte(s.d.Type))
	} else if pack.UnpackedName(s.d.Name) != s.d.Name && len(s.packings) == 0 && len(s.head) > 0 {
		p.Detail = "unknown type: it is not compressed, although its name ends in " + path.Ext(s.d.Name)
	}
	s.opener.report(p)
}

// passing returns the record of a document that is copied as it comes.
func (s *Stream) passing() Record {
	rec := Record{of: s, Entity: strings.TrimSuffix(s.entity, "/"), Rest: s.r}
	if s.r == nil {
		rec.Rest = bytes.NewReader(s.d.Bytes)
	}
	return rec
}

// passingBody returns the record of a response, with the first bytes of its body, if these are enough to read it: its
// type has no links. Otherwise ok is false.
func (s *Stream) passingBody() (rec Record, ok bool, err error) {
	coded := strings.Join(s.d.Header["Content-Encoding"], "") != ""
	format, wanted := http.FormatOf(formatOf, s.mediaType)
	unknown, known := wanted && format == nil, wanted && format != nil && format != mail.Octets
	switch {
	case s.r == nil, strings.HasPrefix(s.mediaType, "multipart/"), unknown && coded:
		return rec, false, nil
	case known && (!s.linkless(format) || format == html.Format && s.opener.wantsFeed()):
		return rec, false, nil
	}
	head, err := http.FirstBytes(s.r, wanted || coded)
	if err != nil || unknown && memberFormat("", head) != nil {
		return rec, false, err
	}
	rec = Record{of: s, Type: http.Single.Name, format: http.Single, Bytes: bytes.Clone(head), Rest: s.r, passes: true}
	s.r.Discard(len(head))
	return rec, true, nil
}

// one returns the only record of a document whose format has no Split.
func (s *Stream) one(format *mark.Format, limit int, own bool) (Record, error) {
	raw, rest := s.d.Bytes, io.Reader(nil)
	if s.header != nil {
		if rec, ok, err := s.passingBody(); ok || err != nil {
			return rec, err
		}
	}
	switch {
	case s.r != nil:
		var err error
		if raw, rest, err = s.opener.read(s.r, s.d.Reader); err != nil {
			return Record{}, err
		}
		if !own {
			s.buffer = raw
		}
	case len(raw) > limit:
		raw, rest = raw[:0], bytes.NewReader(raw)
	}
	rec := Record{of: s, Entity: strings.TrimSuffix(s.entity, "/"), Type: format.Name, format: format, Bytes: raw,
		Rest: rest}
	if rest != nil {
		s.opener.reportTooLong(s.d.Name, rec.Entity)
	}
	switch {
	case s.mode < alone:
	case (rest != nil || s.mode == damaged) && !s.original.Lost():
		rec.original = s.original.Reader()
	case s.mode == damaged:
		return Record{}, errLost
	case rest == nil:
		rec.packed = s.memberwise.PackedAs(s.original, len(raw))
	}
	return rec, nil
}

// errLost is the error for a damaged document that cannot be copied.
var errLost = errors.New("the compressed document is damaged, and longer than a record may be")

// split yields the records of a document whose format has a Split.
func (s *Stream) split(format *mark.Format, limit int, own bool, yield func(Record, error) bool) {
	reported := "" // the name of the last record that is too long; such a record comes in pieces
	var in window.Window
	switch {
	case s.r == nil:
		in = window.On(s.d.Bytes)
	case s.unpacked != nil:
		in = window.NewLent(s.r, s.unpacked)
	default:
		in = window.New(s.r)
	}
	if own {
		in.Blocks = &window.Blocks{}
	}
	for c, err := range format.Split(in, limit) {
		if err == nil && c.Format == nil && c.Entity != reported {
			reported = c.Entity
			s.opener.reportTooLong(s.d.Name, s.entity+c.Entity)
		}
		if err == nil {
			err = interrupted(s.ctx)
		}
		rec := Record{of: s, Entity: strings.TrimSuffix(s.entity+c.Entity, "/"), format: c.Format, Offset: c.Offset,
			Bytes: slices.Clip(c.Bytes),
			more:  c.More, fault: c.Fault}
		if c.Format != nil {
			rec.Type = c.Format.Name
			if onRecord := s.opener.OnRecord; onRecord != nil {
				onRecord()
			}
		}
		if own {
			rec.block = in.Blocks.Use()
		}
		if s.memberwise != nil {
			rec.packed = s.memberwise.Packed(c.Offset, len(c.Bytes), c.Format == nil)
		}
		if !yield(rec, err) || err != nil {
			return
		}
	}
}

// Put writes the output of Rewrite for a record, in one or more pieces; without a piece, the record is left out. Put
// every record once, in the order of Records, else it is an error. Rewrite a record with Rest before the next turn of
// the loop.
//
// One goroutine may call Put while another reads records. Do not call it after an error.
func (s *Stream) Put(rec Record, rewritten ...[]byte) error {
	switch {
	case s.dst == nil:
		return errNoWriter
	case rec.of != s || rec.number != s.put:
		return fmt.Errorf("record %d cannot be put: the next one is %d", rec.number+1, s.put+1)
	}
	for _, piece := range rewritten {
		if _, err := s.writerOf(rec).Write(piece); err != nil {
			return err
		}
	}
	return s.endRecord(rec)
}

// writerOf returns the writer for the output of Rewrite. The output of a record that is compressed on its own is
// compressed already.
func (s *Stream) writerOf(rec Record) io.Writer {
	if s.memberwise == nil || rec.format == nil {
		return s.dst
	}
	return s.memberwise.Writer(rec.packed)
}

// endRecord ends a record after its last piece.
func (s *Stream) endRecord(rec Record) error {
	s.put++
	switch {
	case s.memberwise == nil || rec.more:
		return nil
	case rec.format == nil:
		return s.memberwise.Close()
	}
	return s.memberwise.EndRecord(rec.packed, rec.Bytes)
}

// Close ends the output after the last Put, and returns an error if the output lacks a record that was not put. It
// closes neither dst nor the Reader. It need not be called after an error, or with a nil dst.
func (s *Stream) Close() error {
	if s.dst != nil && (!s.ended || s.put < s.read) {
		return errors.New("the output is incomplete: not every record was put")
	}
	if s.memberwise != nil {
		if err := s.memberwise.End(); err != nil {
			return err
		}
	}
	for _, w := range slices.Backward(s.whole) {
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}

// unpacking is the reader of one compression. The text may be damaged, or longer than the ratio limit allows. If the
// document is only read, or is one record, this is a problem, and the text ends there. If another document is
// compressed again, this is an error, since the rest would be lost.
type unpacking struct {
	*Stream
	packing *pack.Packing
	packed  *pack.Counter // of the compressed bytes
	n       int64         // the length of the text so far
	entity  string
	stopped bool // the rest is not read, because it is damaged or longer than the ratio limit allows
}

func (u *unpacking) Read(p []byte) (int, error) {
	if u.stopped {
		return 0, io.EOF
	}
	n, err := u.packing.Read(p)
	return n, u.took(n, err)
}

// Lend implements window.Lender.
func (u *unpacking) Lend() (next []byte, edge bool, err error) {
	if n := u.r.Buffered(); n > 0 {
		next, err = u.r.Peek(n)
		u.r.Discard(n)
		return next, false, err
	}
	if u.stopped {
		return nil, false, nil
	}
	next, edge, err = u.packing.Lend()
	return next, edge, u.took(len(next), err)
}

// took counts n bytes of text that a read returned together with err. It returns the error of the reader.
func (u *unpacking) took(n int, err error) error {
	u.n += int64(n)
	if err == io.EOF || err == nil && !u.grows() {
		return err
	}
	p := Problem{Document: u.d.Name, Entity: u.entity, Offset: int(u.n), Code: CodeUndecodable}
	if err == nil {
		p.Code, p.Setting = CodeRatioLimit, settingMaxRatio
		err = &LimitError{settingMaxRatio, fmt.Sprintf("decompressed, it is more than %d times as long",
			u.opener.maxRatio())}
	}
	if u.packed.Failed != nil {
		return u.packed.Failed
	}
	if u.dst != nil && u.mode == opening {
		return io.EOF // the next read has the error again, when the format is known
	}
	salvaged := err == pack.ErrSalvaged
	err = u.named(err)
	if u.dst != nil && u.mode < alone && !salvaged {
		return err
	}
	u.stopped = true
	what := "the rest is not read"
	switch {
	case u.mode >= alone:
		u.mode, what = damaged, "the file is copied unchanged"
	case salvaged:
		what = "the rest is copied unchanged"
	}
	p.Detail = err.Error() + "; " + what
	u.opener.report(p)
	return io.EOF
}

// named adds the name of the compression to an error, if the error does not start with it.
func (u *unpacking) named(err error) error {
	name := u.packing.Name() + ": "
	if strings.HasPrefix(err.Error(), name) {
		return err
	}
	return fmt.Errorf("%s%w", name, err)
}

// grows reports whether the text is longer than the ratio limit allows.
func (u *unpacking) grows() bool {
	return u.n > mark.RatioFree && u.n/int64(u.opener.maxRatio()) > u.packed.N
}

// check is Extractor.Check without the Override, which begin looks at. It remembers the places that it has checked.
func (o *opener) check() error {
	if err := o.checkNumbers(); err != nil || slices.Equal(o.places, o.Places) && slices.Equal(o.added, o.AddPlaces) {
		return err
	}
	if err := o.checkPlaces(); err != nil {
		return err
	}
	o.places, o.added = slices.Clone(o.Places), slices.Clone(o.AddPlaces)
	return nil
}

// giveBack returns the buffers to the opener, and the opener to its pool if the stream owns it.
func (s *Stream) giveBack() {
	// else the rest is copied from the reader, perhaps later
	if s.reader != nil && s.memberwise == nil && s.mode != copied {
		s.opener.reader = s.reader
		s.opener.reader.Reset(nil)
	}
	if s.buffer != nil {
		s.opener.buffer = s.buffer[:0]
	}
	if release := s.release; release != nil {
		s.release = nil
		release()
	}
}

// skip makes the stream copy the compressed document. If it is only read, it has no text.
func (s *Stream) skip() { s.packings, s.unpacked, s.mode = nil, nil, copied }

// reportTooDeep reports that the document has more compressions than depth, and is skipped.
func (s *Stream) reportTooDeep(depth int) {
	setting := ""
	if depth < mostPacked {
		setting = settingMaxDepth
	}
	s.opener.report(Problem{Document: s.d.Name, Code: CodeDepthLimit, Setting: setting,
		Detail: fmt.Sprintf("more than %d nested compressions; the document %s", depth, s.skipped())})
}

// skipped tells what happens to a document that is skipped.
func (s *Stream) skipped() string {
	if s.original != nil {
		return "is copied unchanged"
	}
	return "is not read"
}

func (o *opener) reportTooLong(document, entity string) {
	o.report(Problem{Document: document, Entity: entity, Code: CodeSizeLimit, Setting: settingMaxRecord,
		Detail: fmt.Sprintf("skipped: the record is longer than %d bytes", o.maxRecord())})
}

// untilDone returns a reader of r that returns an error as soon as the context is done.
func untilDone(ctx context.Context, r io.Reader) io.Reader {
	if ctx.Done() == nil {
		return r
	}
	return window.Until(func() error { return interrupted(ctx) }, r)
}

// read reads all of r into the opener's buffer, which giveBack returns to the opener: see window.ReadAll.
func (o *opener) read(r, file io.Reader) ([]byte, io.Reader, error) {
	buf := o.buffer[:0]
	o.buffer = nil
	return window.ReadAll(buf, r, file, o.maxRecord())
}
