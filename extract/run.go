package extract

// This file has the entry points, such as Links and Rewrite. They run a walker over the records of a document.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"runtime"

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
// Rewrite takes at most 8 times the bytes of a record in memory, and 400 bytes for each link: see docs/performance.md. A record with
// more than one link or embedded document for each 64 bytes of MaxRecord is copied unchanged, with CodeLinkLimit. OnLink and Map may
// have seen some of its links by then; OnChange and OnEdit have not.
//
// A part that does not change is copied: a document, the members of a WARC or ARC file in gzip, or its frames in zstd. But a
// compressed document of another format that has many records, such as a mailbox in gzip, is compressed again as a whole, also
// if Result.Changed is 0. Then the output has the same text in other bytes, so keep the original instead.
//
// A compressed document may be damaged, or longer than MaxRatio allows. The rest of it cannot be compressed again:
//
//   - A WARC or ARC file in gzip or zstd: Rewrite copies the bytes after a damaged member unchanged, and reports a Problem.
//   - A document that is one record, such as a page: Rewrite copies all of it unchanged, and reports a Problem.
//   - Every other document, and with Unpacked every document: the damage is an error.
//
// Rewrite also returns the errors of Links, and write errors. If dst writes less than it was given without an error, the
// error is io.ErrShortWrite. If dst is nil, Rewrite returns an error and reads nothing. After an error, the output in dst
// is incomplete.
func (x *Extractor) Rewrite(ctx context.Context, dst io.Writer, doc Document) (Result, error) {
	w := x.walker(ctx)
	err := w.rewrite(dst, doc)
	result := w.call.result
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
		for rec, err := range in.Records() {
			if (err != nil || rec.Type != "") && !yield(rec, err) {
				return
			}
		}
	}
}

// Open opens a document, so that goroutines of the caller can work on its records in parallel. If dst is nil, the
// records are only read. To rewrite the document to dst, the caller passes the Document of each Record to Rewrite, and
// the output of Rewrite to Stream.Put. At the end the caller calls Stream.Close. The errors are the errors of Links.
func (x *Extractor) Open(ctx context.Context, doc Document, dst io.Writer) (*Stream, error) {
	w := x.walker(ctx)
	if dst != nil {
		dst = &window.FullWriter{Writer: dst}
	}
	s, err := w.opener.open(ctx, doc, dst)
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
	w.call.visitLink, w.call.visitEntity, w.call.rewriting = visit, nil, false
	return w.run(d)
}

// bases calls visit for every entity of the document, except fragments.
func (w *walker) bases(d Document, visit func(*Entity) error) error {
	w.call.visitLink, w.call.visitEntity, w.call.rewriting = nil, visit, false
	return w.run(d)
}

// rewrite is Extractor.Rewrite.
func (w *walker) rewrite(dst io.Writer, d Document) error {
	w.call.visitLink, w.call.visitEntity, w.call.rewriting, w.call.result = nil, nil, true, Result{}
	if dst == nil {
		return errNoWriter
	}
	w.out.whole = window.FullWriter{Writer: dst}
	dst = &w.out.whole
	if d.record != nil {
		return w.walkDocument(d, dst)
	}
	in, err := w.opener.open(w.call.ctx, d, dst)
	if err != nil {
		return err
	}
	return w.through(in, dst)
}

// run walks every record of a document that is only read.
func (w *walker) run(d Document) error {
	if d.record != nil {
		return w.walkDocument(d, nil)
	}
	in, err := w.opener.open(w.call.ctx, d, nil)
	if err != nil {
		return err
	}
	return w.through(in, nil)
}

// through walks every record of a document that has been opened.
func (w *walker) through(in *Stream, dst io.Writer) error {
	n := 0
	for rec, err := range in.records(false) {
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
	rec, err := w.opener.recordOf(w.call.ctx, d)
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
	w.call.failed = interrupted(w.call.ctx)
	if head := rec.of.header; head != nil && (rec.Rest == nil || rec.passes) {
		w.buf.response = append(append(w.buf.response[:0], head...), rec.Bytes...)
		rec.Bytes, rec.Offset = w.buf.response, rec.Offset-int64(len(head))
	}
	if rec.original != nil {
		w.call.rewriting = false
		w.out.begin(rec, nil)
	} else {
		w.out.begin(rec, dst)
	}
	w.record(rec)
	w.out.end()
	if rec.original != nil && dst != nil && w.call.failed == nil {
		_, err := io.Copy(dst, rec.original)
		w.fail(err)
	}
	return w.call.failed
}
