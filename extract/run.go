package extract

// This file has the entry points, like Links and Rewrite, which run a walker over the records of a document.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"runtime"

	"absolink/extract/internal/window"
)

// Links yields every link of the document, in the order of the bytes. A BASE element is not a link: see Bases. A
// damaged document is read up to the damage. Settings for rewriting, such as Map and BaseURLs, are ignored.
//
// An error ends the loop, with a nil Link: that of the Reader, of Check or of the Document (*TypeError, *URLError), or
// one that wraps ctx.Err() and context.Cause(ctx). Bases, Records and Open have the same errors. Links ends soon after
// ctx is done, but cannot interrupt a Read that blocks.
func (x *Extractor) Links(ctx context.Context, doc Document) iter.Seq2[*Link, error] {
	return each(x, ctx, doc, func(c *call, visit func(*Link) error) { c.visitLink = visit })
}

// Bases yields every entity of the document that can have a base of its own, outer entities first.
func (x *Extractor) Bases(ctx context.Context, doc Document) iter.Seq2[*Entity, error] {
	return each(x, ctx, doc, func(c *call, visit func(*Entity) error) { c.visitEntity = visit })
}

// each yields what a walk of a document passes to visit.
func each[T any](x *Extractor, ctx context.Context, doc Document,
	set func(c *call, visit func(T) error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		w := x.walker(ctx)
		set(&w.call, func(v T) error {
			if !yield(v, nil) {
				return errStopped
			}
			return nil
		})
		err := w.run(doc, nil)
		w.release()
		if err != nil && err != errStopped {
			yield(*new(T), err)
		}
	}
}

// Rewrite copies the document to dst with absolute links. It keeps every other byte, except lengths, digests and
// compressed data that depend on the links.
//
// Errors are those of Links and write errors, after which the output is incomplete. Compressed data that is damaged
// or too long is copied and reported where possible: all of a page, or the rest of a WARC or ARC file. Elsewhere, and
// with Decompress, it is an error.
func (x *Extractor) Rewrite(ctx context.Context, dst io.Writer, doc Document) (Result, error) {
	if dst == nil {
		return Result{}, errNoWriter
	}
	w := x.walker(ctx)
	w.call.rewriting, w.out.whole = true, window.FullWriter{Writer: dst}
	err := w.run(doc, &w.out.whole)
	result := w.call.result
	result.Refused = w.call.tried - result.Changed
	w.release()
	return result, err
}

// Records yields the records of the document, such as the messages of an mbox. Goroutines can pass their Documents to
// Links or Bases in parallel.
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

// Open opens a document to rewrite its records in parallel: pass Record.Document to Rewrite, the output to
// Stream.Put, and at the end call Stream.Close. With a nil dst the records are only read.
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

// Absolute returns an HTML page with every link absolute, by RFC 1808. url is the Document.URL; if it is "",
// relative links stay, unless there is an absolute BASE. The charset is UTF-8, unless the page declares another. The
// error is a *URLError.
func Absolute(html []byte, url string) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, len(html)+len(html)/4))
	_, err := new(Extractor).Rewrite(context.Background(), out, Document{Type: "text/html", URL: url, Bytes: html})
	return out.Bytes(), err
}

// errStopped ends a walk when the caller leaves the loop.
var errStopped = errors.New("the loop was left")

// run walks every record of a document, and writes it to dst. dst is nil if the document is only read.
func (w *walker) run(d Document, dst io.Writer) error {
	if d.record != nil {
		rec, err := w.opener.recordOf(w.call.ctx, d)
		if err != nil {
			return err
		}
		if rec.of.head != nil {
			rec.of.reportUnknown()
		}
		return w.walk(rec, dst)
	}
	in, err := w.opener.open(w.call.ctx, d, dst)
	if err != nil {
		return err
	}
	n := 0
	for rec, err := range in.records(false) {
		if n++; n%8 == 0 {
			// else the garbage collector waits for the end of the time slice, and each allocation until then is slow
			runtime.Gosched()
		}
		if err == nil {
			err = w.walk(rec, in.writerOf(rec))
		}
		if err == nil && dst != nil {
			err = in.endRecord(rec)
		}
		if err != nil {
			return err
		}
	}
	return in.Close()
}

// walk walks one record, and writes it to dst. dst is nil if the record is only read.
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
