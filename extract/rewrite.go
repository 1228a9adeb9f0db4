package extract

// This file makes the edits of links, lifts them through codecs, and writes them.

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"io"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/resolve"
)

// newRef returns the new reference for a link: the absolute URL, or the result of Map. It returns nil for a link that
// stays unchanged.
func (w *walker) newRef(l *Link) (to []byte) {
	if l.Status == StatusUnresolved {
		return nil
	}
	to = l.URL
	if w.Map != nil {
		url, ok := w.Map(l)
		if !ok || l.Status == StatusAbsolute && url == string(l.URL) {
			w.leave(l)
			return nil
		}
		to = append([]byte{}, url...)
	}
	if bytes.Equal(to, l.Ref) {
		return nil
	}
	return to
}

// isLocalCopy reports whether readers of a saved page take a new reference for a reference to a local copy. A relative
// reference from Map may be one. isLocalCopy also reports it as a problem.
func (w *walker) isLocalCopy(s *spot, to []byte) bool {
	if s.e.saved == nil || w.Map == nil || w.isAbsolute(s.scope.Base(), to) {
		return false
	}
	err := s.e.saved.Local(to)
	if err != nil {
		w.report(s.e, s.text, s.at.Start, RewriteRefused, "not rewritten: "+mark.Quote(to)+" would be read as "+err.Error())
	}
	return err != nil
}

// replace appends the edits that replace the reference of a link.
func (w *walker) replace(edits []codec.Edit, s *spot, l *Link, to []byte) []codec.Edit {
	e, fr, at := s.e, s.text, s.at
	w.result.tried++
	if why := unwritable(l.Ref, to); why != "" {
		w.report(e, fr, at.Start, RewriteRefused, "not rewritten: "+mark.Quote(to)+why)
		return edits
	}
	spelled := fr.Bytes[at.Start:at.End]
	if w.Standard == resolve.WHATWG && (!utf8.Valid(l.Ref) || e.spelling.Decodes() && bytes.Contains(spelled, []byte("\uFFFD"))) {
		w.report(e, fr, at.Start, RewriteRefused, "not rewritten: "+mark.Quote(l.Ref)+" has undecodable bytes, and the URL Standard would replace them by U+FFFD")
		return edits
	}
	if more := len(to) - len(l.URL); more > 0 && !w.spend(more) { // Map has returned a longer URL
		w.outgrown(e, fr, at.Start)
		return edits
	}
	from := len(edits)
	edits, err := w.edits.Replace(edits, at.Codec, spelled, l.Ref, to)
	if err != nil {
		w.report(e, fr, at.Start, RewriteRefused, err.Error())
	}
	if reads := at.Place.Reads; reads != nil && len(edits) > from && !reads(codec.Apply(nil, spelled, edits[from:])) {
		w.report(e, fr, at.Start, RewriteRefused, "not rewritten: "+mark.Quote(to)+" would not be read as a link at this place")
		edits = edits[:from]
	}
	e.spelling.Escape(at.Codec, edits[from:])
	codec.Shift(edits[from:], at.Start)
	if len(edits) > from {
		edits[from].Changes = w.changes(l.Ref, to, l.URL)
	}
	return edits
}

// unwritable returns the reason why the new reference to cannot be written at any place, or "". The reason is a phrase
// that continues after the reference. Readers remove white space around a reference.
func unwritable(ref, to []byte) string {
	switch n := len(to); {
	case n == 0:
		return " is empty, which is not a link at every place"
	case ascii.IsSpace(to[n-1]) && !(len(ref) > 0 && ascii.IsSpace(ref[len(ref)-1])): // "?" with the base "http://h/a?q #f"
		return " would lose the white space at its end"
	case ascii.IsSpace(to[0]) && !(len(ref) > 0 && ascii.IsSpace(ref[0])):
		return " would lose the white space at its start"
	}
	return ""
}

// changes returns the Changes of the edit of one link.
func (w *walker) changes(ref, newRef, url []byte) *codec.Changes {
	if w.OnChange == nil {
		return oneLink
	}
	return &codec.Changes{N: 1, Of: &Change{Ref: string(ref), NewRef: string(newRef), URL: string(url)}}
}

// oneLink has the Changes of an edit without OnChange.
var oneLink = &codec.Changes{N: 1}

// contentMD5 returns the edit that updates a Content-MD5 (RFC 1864). The digest is that of the body before the transfer
// encoding, with CRLF line ends in text. But text in base64 may have other line ends, so contentMD5 tries both. A
// digest that was wrong before the rewriting stays unchanged.
func contentMD5(src []byte, p *mark.Part, body []byte, edits []codec.Edit) []codec.Edit {
	digest := func(body []byte, lines bool) string {
		if lines {
			body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
			body = bytes.ReplaceAll(body, []byte("\n"), []byte("\r\n"))
		}
		sum := md5.Sum(body)
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	start, end := ascii.TrimSpace(src, p.MD5.Start, p.MD5.End)
	after := codec.Apply(nil, body, edits)
	for _, whole := range []bool{true, false} {
		if !whole { // without the empty line that an mbox adds to a message
			body, after = body[:len(body)-ascii.LastNewline(body)], after[:len(after)-ascii.LastNewline(after)]
		}
		for _, lines := range []bool{p.Text, false} {
			if string(src[start:end]) == digest(body, lines) {
				return []codec.Edit{{Span: codec.Span{Start: start, End: end}, New: []byte(digest(after, lines))}}
			}
		}
	}
	return nil
}

// unlessSigned removes and reports the edits of one mark, if a signature covers the mark. from is the index of the
// first edit of the mark.
func (v *visit) unlessSigned(at *mark.Mark, from int) {
	if len(v.edits) > from && v.m.Notes.Covers(at.Start) && !v.w.BreakSignatures {
		v.w.report(v.e, v.e.text, at.Start, SignatureWouldBreak, "not rewritten: it is inside a signed part (--break-signatures rewrites it)")
		v.edits = v.edits[:from]
	}
}

// unlessSealed removes and reports the edits of an entity that is not rewritten.
func (v *visit) unlessSealed() {
	if why := v.m.Notes.Sealed; why != "" && len(v.edits) > 0 {
		v.w.report(v.e, v.e.text, 0, RewriteRefused, why)
		v.edits = v.edits[:0]
	}
}

// countLeft walks a record once, and counts the links that stay relative in w.left. It writes and reports nothing. A
// BASE element may be removed only if no link needs it.
func (w *walker) countLeft(walk func()) {
	out, functions, result := w.out, w.Extractor, w.result
	w.out, w.OnProblem, w.OnLink = &recordWriter{w: w}, func(Problem) {}, nil
	walk()
	w.out, w.Extractor, w.result = out, functions, result
	w.edits.Clear()
}

// writes prepares w.out to write a record to dst. dst may be nil.
func (w *walker) writes(rec Record, dst io.Writer) {
	if w.writer.room == nil && dst != nil {
		w.writer.room = make([]byte, 0, gathered)
	}
	w.out, w.writer = &w.writer, recordWriter{w: w, dst: dst, rec: rec, at: min(rec.of.d.header, len(rec.Bytes)), room: w.writer.room[:0]}
	if in := rec.of.in; in != nil && rec.format != nil && !rec.packed.Shared() && dst != nil {
		w.member.Begin(in, rec.packed, dst)
		w.out.in, w.out.dst = &w.member, &w.member
	}
}

// put writes the record up to the end of the last edit.
func (o *recordWriter) put(edits []codec.Edit) {
	if o.dst == nil {
		return
	}
	for _, e := range edits {
		if e.Start < o.at {
			continue // the edit removes an element, but an edit of an attribute of the element is written already
		}
		for c := e.Changes; c != nil; c = c.Next {
			o.w.result.Changed += c.N
			if change, ok := c.Of.(*Change); ok {
				o.w.OnChange(*change)
			}
		}
		if o.w.OnEdit != nil {
			o.w.OnEdit(Edit{o.rec.Offset + int64(e.Start), o.rec.Bytes[e.Start:e.End], e.New})
		}
		o.write(o.rec.Bytes[o.at:e.Start])
		o.write(e.New)
		o.at = e.End
	}
	if o.w.held == 0 {
		o.w.edits.Clear()
	}
}

// end writes the rest of the record. If a record is compressed on its own, and has no edits, end copies its compressed
// bytes.
func (o *recordWriter) end() {
	if o.dst == nil {
		return
	}
	if o.in != nil && o.at == 0 && o.in.Copies() {
		if o.w.failed == nil {
			o.w.fail(o.in.Copy())
		}
		return
	}
	o.write(o.rec.Bytes[o.at:])
	o.flush()
	if o.rec.Rest != nil && o.w.failed == nil {
		_, err := io.Copy(o.dst, o.rec.Rest)
		o.w.fail(err)
	}
	if o.in != nil && o.w.failed == nil {
		o.w.fail(o.in.Close())
	}
}

// gathered is the number of bytes that are collected for one write, because there are only few bytes between two edits.
const gathered = 64 << 10

// write adds b to the collected bytes. It writes them first if there is no room for b.
func (o *recordWriter) write(b []byte) {
	if len(b) > cap(o.room)-len(o.room) {
		o.flush()
		if len(b) > cap(o.room) {
			o.pass(b)
			return
		}
	}
	o.room = append(o.room, b...)
}

// flush writes the collected bytes.
func (o *recordWriter) flush() {
	o.pass(o.room)
	o.room = o.room[:0]
}

// pass writes b to the output, unless the walk has failed.
func (o *recordWriter) pass(b []byte) {
	if len(b) > 0 && o.w.failed == nil {
		_, err := o.dst.Write(b)
		o.w.fail(err)
	}
}
