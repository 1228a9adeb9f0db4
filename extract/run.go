package extract

// This file has the entry points, such as Links and Rewrite. They run a walker over the records of a document.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"runtime"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/window"
)

// Links yields every link of the document, in the order of the bytes. The links of an embedded document come at the
// position of that document. A BASE element is no link: see Bases, and Map. A Link is valid until the body of the loop
// ends; Clone returns a copy that stays valid.
//
// An error comes last, with a nil Link. It is the error of the Reader itself, *TypeError, *URLError, *PlaceError, the error for
// an unknown constant in the settings, the error of a compressed document that cannot be opened, or an error that wraps
// ctx.Err() and context.Cause(ctx). OnProblem receives all other malformed input as a Problem. For example, a compressed
// document is read up to the damage. When ctx is done, Links stops soon, also in the middle of a record. But it does not
// interrupt a Read of doc.Reader that blocks.
//
// A document without a type that can have links, such as an image, has none. Links does not read it, and Rewrite copies it
// as it comes. This holds for the result of httpx.FromResponse, and for every other Document. If nothing determines its type,
// this is a Problem: CodeTypeUnknown.
func (x *Extractor) Links(ctx context.Context, doc Document) iter.Seq2[*Link, error] {
	return func(yield func(*Link, error) bool) {
		w := x.walker(ctx)
		err := w.links(doc, func(l *Link) error { return proceed(yield(l, nil)) })
		w.release()
		if err != nil && err != errStopped {
			yield(nil, err)
		}
	}
}

// Bases yields every entity of the document that can have a base of its own. An outer entity comes before the entities inside
// it. Entity.Scope has the base in force, and all candidates for the base with their verdicts. The Entity is valid until the
// body of the loop ends. The caller may keep its Scope. The errors are the errors of Links, with a nil Entity.
func (x *Extractor) Bases(ctx context.Context, doc Document) iter.Seq2[*Entity, error] {
	return func(yield func(*Entity, error) bool) {
		w := x.walker(ctx)
		err := w.bases(doc, func(e *Entity) error { return proceed(yield(e, nil)) })
		w.release()
		if err != nil && err != errStopped {
			yield(nil, err)
		}
	}
}

// Rewrite copies the document to dst. It makes every link absolute, and keeps every other byte unchanged. Only bytes
// that depend on the links change with them, such as lengths, digests and compressed data.
//
// If Map is not nil, Rewrite calls it once for each link that has an absolute URL. This includes declared bases, and links
// that were absolute already. Map has a list of exceptions. If Map returns false, or the unchanged reference, the bytes
// stay unchanged. Otherwise Rewrite writes the returned URL at the place of the link, in all encodings around the link. A
// URL that cannot be written there is reported as CodeRewriteRefused, and the link stays unchanged.
//
// If Map changes a base, and leaves a link relative, then the link leads to another URL than before. Link.Place
// distinguishes bases from links: the place of a BASE element is "base@href".
//
// Rewrite needs at most 8 times the decoded bytes of a record in memory, and the bytes that it writes at a time, except for a
// few kinds of unusual documents that docs/performance.md lists.
//
// A compressed document may be damaged, or longer than MaxRatio allows. The rest of the document cannot be compressed
// again. So there are three cases:
//
//   - A WARC or ARC file in gzip: Rewrite copies the bytes after the damage unchanged, and reports a Problem.
//   - A document that Rewrite can read twice, because it has Bytes or its Reader is an io.Seeker: Rewrite copies the whole
//     document unchanged, and reports a Problem. But if it has several records, and a link before the damage changes, the
//     damage is an error. An example is a mailbox in gzip.
//   - Every other document, and with Unpacked every document: the damage is an error.
//
// Rewrite also returns the errors of Links, and write errors. If dst writes less than it was given without an error, the
// error is io.ErrShortWrite. If dst is nil, Rewrite returns an error and reads nothing. After an error, the output in dst
// is incomplete.
func (x *Extractor) Rewrite(ctx context.Context, dst io.Writer, doc Document) (Result, error) {
	w := x.walker(ctx)
	err := w.rewrite(dst, doc)
	result := w.result
	result.Refused = result.tried - result.Changed
	w.release()
	return result, err
}

// Records yields the records of the document, such as the messages of an mbox. Each Record stays valid, so that
// goroutines can work on several records in parallel: pass Record.Document to Links or Bases. A record longer than
// MaxRecord is not read, but reported as CodeSizeLimit. The errors are the errors of Links, with an empty Record.
func (x *Extractor) Records(ctx context.Context, doc Document) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		in, err := x.Open(ctx, doc, nil)
		if err != nil {
			yield(Record{}, err)
			return
		}
		for rec, err := range in.RecordsIn(func(n int) []byte { return make([]byte, max(n, 1<<16)) }) {
			if (err != nil || rec.Type != "") && !yield(rec, err) {
				return
			}
		}
	}
}

// Open opens a document, so that goroutines of the caller can work on its records in parallel. If dst is nil, the
// records are only read. To rewrite the document to dst, the caller passes the Document of each Record to Rewrite, and
// the output of Rewrite to Stream.Put. At the end the caller calls Stream.Close. The errors are the errors of Links.
//
// Stream.Records yields a Record whose Bytes are valid only until the next Record. If several goroutines work on records,
// read them with Stream.RecordsIn, or copy the Bytes of each Record.
//
// Rewrite copies a compressed document if no link changes. A Stream compresses the document again, except the unchanged
// records of a WARC or ARC file in gzip. So damage in a document of another format is an error: see Splits.
func (x *Extractor) Open(ctx context.Context, doc Document, dst io.Writer) (*Stream, error) {
	w := x.walker(ctx)
	if dst != nil {
		dst = &window.FullWriter{Writer: dst}
	}
	s, err := w.open(ctx, doc, dst)
	if err != nil {
		w.release()
		return nil, err
	}
	s.release = w.release
	return s, nil
}

// Absolute returns an HTML page with every link absolute, by RFC 1808. url is the absolute URL that the page was
// retrieved from, or "" if it is unknown. If url is "", and the page has no absolute BASE, its relative links stay
// unchanged, without an error. If url cannot be a base, the error is *URLError. The charset of the page is UTF-8, unless
// the page declares another charset. Absolute does not change html, and the result may share its memory.
func Absolute(html []byte, url string) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, len(html)+len(html)/4))
	_, err := new(Extractor).Rewrite(context.Background(), out, Document{Type: "text/html", URL: url, Bytes: html})
	return out.Bytes(), err
}

// errStopped ends a walk after the caller has left the loop.
var errStopped = errors.New("the loop was left")

// proceed returns nil if the caller wants more, and otherwise the error that ends the walk.
func proceed(more bool) error {
	if more {
		return nil
	}
	return errStopped
}

// links calls visit for every link of the document, in the order of the bytes. An error of visit ends the walk, and
// links returns it.
func (w *walker) links(d Document, visit func(*Link) error) error {
	w.visitLink, w.visitEntity, w.rewriting = visit, nil, false
	return w.run(d)
}

// bases calls visit for every entity of the document, except fragments.
func (w *walker) bases(d Document, visit func(*Entity) error) error {
	w.visitLink, w.visitEntity, w.rewriting = nil, visit, false
	return w.run(d)
}

// rewrite is Extractor.Rewrite.
func (w *walker) rewrite(dst io.Writer, d Document) error {
	w.visitLink, w.visitEntity, w.rewriting, w.result = nil, nil, true, Result{}
	if dst == nil {
		return errNoWriter
	}
	w.whole = window.FullWriter{Writer: dst}
	dst = &w.whole
	if d.record != nil {
		return w.walkDocument(d, dst)
	}
	in, err := w.begin(w.ctx, d)
	if err != nil {
		return err
	}
	if again := w.twice(in); again != nil {
		rewind := w.askOnce()
		raw, err := w.unchanged(d, again, rewind)
		if _, e := again.Seek(0, io.SeekStart); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
		if raw != nil {
			_, err = io.Copy(dst, raw)
			return err
		}
		rewind()
		in.giveBack()
		if in, err = w.begin(w.ctx, d); err != nil {
			return err
		}
	}
	if err := in.unpack(dst); err != nil {
		return err
	}
	return w.through(in, dst)
}

// run walks every record of a document that is only read.
func (w *walker) run(d Document) error {
	if d.record != nil {
		return w.walkDocument(d, nil)
	}
	in, err := w.open(w.ctx, d, nil)
	if err != nil {
		return err
	}
	return w.through(in, nil)
}

// through walks every record of a document that has been opened.
func (w *walker) through(in *Stream, dst io.Writer) error {
	n := 0
	for rec, err := range in.Records() {
		if n++; n%8 == 0 {
			runtime.Gosched() // else the garbage collector waits for the end of a time slice, and until then each allocation is slow
		}
		if err == nil {
			err = w.walk(rec, in.to(rec))
		}
		if err == nil && dst != nil {
			err = in.done(rec)
		}
		if err != nil {
			return err
		}
	}
	return in.Close()
}

// walkDocument walks the Document of a record.
func (w *walker) walkDocument(d Document, dst io.Writer) error {
	rec, err := w.recordOf(w.ctx, d)
	if err != nil {
		return err
	}
	if rec.of.head != nil {
		rec.of.unknown()
	}
	return w.walk(rec, dst)
}

// walk walks one record. dst is nil if the record is not rewritten.
func (w *walker) walk(rec Record, dst io.Writer) error {
	w.failed = interrupted(w.ctx)
	if head := rec.of.header; head != nil && (rec.Rest == nil || rec.passes) {
		w.response = append(append(w.response[:0], head...), rec.Bytes...)
		rec.Bytes, rec.Offset = w.response, rec.Offset-int64(len(head))
	}
	w.writes(rec, dst)
	w.record(rec)
	w.out.end()
	return w.failed
}

// Splits reports whether a document may have several records on which goroutines can work in parallel: see Open. peek
// returns the first bytes of the document, as many as Detect needs; Splits returns false if peek fails.
// Set rewriting if the records will be rewritten. Then Splits returns false for a compressed document that Rewrite first
// reads to its end: if no link changes, Rewrite copies the document unchanged. For this, Splits may read the Reader of a
// compressed document. Then it seeks back.
func (x *Extractor) Splits(d Document, peek func() ([]byte, error), rewriting bool) bool {
	head, mediaType := d.response()
	if d.Type = mediaType; head != nil {
		return false
	}
	if f := byExt(ascii.Lower(path.Ext(d.Name))); d.Type == "" && f != nil && f.Split == nil {
		return false // even if it is compressed, or an HTTP response
	}
	head, err := peek()
	if err != nil {
		return false
	}
	f, packed := detectUnpacked(d.Type, d.Name, head)
	return f != nil && f.Split != nil && (!rewriting || !packed || f.Members && x.copies(d))
}

// copies reports whether Rewrite rewrites a compressed document in one pass, without a first pass that looks for an
// edit. One pass is enough if unchanged records are copied, or if the document can be read only once.
func (x *Extractor) copies(d Document) bool {
	again := window.Again(d.Bytes, d.Reader, 0)
	if again == nil {
		return true
	}
	defer again.Seek(0, io.SeekStart)
	if _, err := again.Seek(0, io.SeekStart); err != nil {
		return true
	}
	probe := opener{Extractor: Extractor{MaxDepth: x.MaxDepth, MaxRecord: x.MaxRecord, MaxRatio: x.MaxRatio}}
	d.Bytes, d.Reader = nil, again
	in, err := probe.open(context.Background(), d, nil)
	if err != nil {
		return true // Rewrite fails with the same error
	}
	copied := in.copied()
	for first, err := range in.Records() {
		return err == nil && copied(first)
	}
	return false
}

// askOnce keeps the answers of Map, whose calls are the same in each walk of the document. rewind begins the next walk.
func (w *walker) askOnce() (rewind func()) {
	type answer struct {
		url string
		ok  bool
	}
	var known []answer
	next, ask := 0, w.Map
	if ask != nil {
		w.Map = func(l *Link) (string, bool) {
			if next == len(known) {
				url, ok := ask(l)
				known = append(known, answer{url, ok})
			}
			next++
			return known[next-1].url, known[next-1].ok
		}
	}
	return func() { next = 0 }
}

// twice returns a reader from which a compressed document can be read twice. It returns nil if the document is not
// compressed, or is a pipe, or is not compressed again.
func (w *walker) twice(in *Stream) io.ReadSeeker {
	switch {
	case w.Unpacked || pack.PackedBy(in.head) == nil:
		return nil
	case in.r == nil:
		return window.Again(in.d.Bytes, in.d.Reader, 0)
	}
	return window.Again(in.d.Bytes, in.d.Reader, in.r.Buffered()) // only the first bytes were read
}

// unchanged returns again, which reads the compressed bytes, if the document is to be copied. Otherwise it returns nil. A
// document is copied if rewriting changes nothing, because compressing it again would change the bytes. It is also copied if
// there is damage before the first change, because the rest would be lost. This pass takes nearly half as long as rewriting.
func (w *walker) unchanged(d Document, again io.ReadSeeker, rewind func()) (raw io.Reader, err error) {
	problems := 0
	first := walker{opener: opener{Extractor: w.Extractor, places: w.places}, pass: w.pass, sink: sink{writer: w.writer}}
	defer func() { w.reached = first.reached }()
	first.OnLink, first.OnChange, first.OnEdit = nil, nil, func(Edit) { first.fail(errChanged) }
	first.OnProblem = func(Problem) { problems++ }
	d.Bytes, d.Reader = nil, again
	if stays, err := first.stays(d, again); !stays || err != nil {
		return nil, err
	}
	if problems > 0 && w.OnProblem != nil { // report them in another pass: a list may need more memory than the document
		rewind()
		first.OnProblem = w.OnProblem
		if _, err := first.stays(d, again); err != nil {
			return nil, err
		}
	}
	if w.OnLink == nil {
		return again, nil
	}
	first.OnProblem = nil
	if _, err := again.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return again, first.links(d, func(l *Link) error { w.OnLink(l); return nil })
}

// stays walks a compressed document up to the first edit, which ends the walk with errChanged. It reports whether the
// document has no edit, or has damage before the first edit.
func (w *walker) stays(d Document, again io.ReadSeeker) (bool, error) {
	if _, err := again.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	in, err := w.begin(w.ctx, d)
	if err == nil {
		in.probing = true
		err = in.unpack(nil)
	}
	if err != nil || in.unread {
		return true, err
	}
	if in.linkless(in.format()) {
		in.unknown()
		return true, nil
	}
	copied := in.copied()
	for rec, err := range in.Records() {
		if err == nil && copied(rec) {
			return false, nil
		}
		if err == nil {
			err = w.walk(rec, io.Discard)
		}
		if err == errChanged {
			return in.damaged, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// copied returns a function of the first record. The function reports whether the compressed bytes of unchanged records
// are copied: this is so if the only compression is gzip, and the first record is one gzip member. copied must be
// called before the records are read.
func (s *Stream) copied() func(first Record) bool {
	member := int64(-1)
	if f := s.format(); f != nil && f.Members && len(s.layers) == 1 {
		member = s.layers[0].FirstMember()
	}
	return func(first Record) bool { return first.Offset == 0 && !first.More && int64(len(first.Bytes)) == member }
}

// errChanged ends a walk that only looks for an edit.
var errChanged = errors.New("there is an edit")
