package extract

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"io"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/source"
)

// lift turns edits of the text of a region into edits of the outer text, in which src spells the region. It reports
// edits that the codec cannot spell. Their links stay unchanged.
func (w *Walker) lift(e *Entity, fr *source.Text, region codec.Span, src, text []byte, c codec.Codec, edits []codec.Edit) []codec.Edit {
	if len(edits) == 0 {
		return nil
	}
	var lifted []codec.Edit
	var err error
	if fr != nil {
		lifted, err = w.edits.Lift(c, src, text, edits)
	} else { // c is the charset: an edit that it cannot spell does not prevent the others
		lifted, err = w.edits.LiftEach(c, src, text, edits, func(i int, err error) {
			w.report(e, e.text, edits[i].Start, RewriteRefused, err.Error())
		})
	}
	if err != nil {
		w.report(e, fr, region.Start, RewriteRefused, err.Error())
		return nil
	}
	if fr != nil {
		e.spelling.Escape(c, lifted)
	}
	return codec.Shift(lifted, region.Start)
}

// contentMD5 returns the edit that updates a Content-MD5 (RFC 1864). The digest is that of the body before its transfer
// encoding, and text has CRLF line ends. But text in base64 may have had other line ends. So contentMD5 tries both. A
// digest that was wrong before stays unchanged.
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

// spellable prepares the edits for the charset of the record, from the index from on. It reports and drops an edit with
// letters that the charset still lacks.
func (w *Walker) spellable(e *Entity, edits []codec.Edit, from int) []codec.Edit {
	kept := from
	for i := from; i < len(edits); i++ {
		edit := &edits[i]
		if e.spelling.Lacks(edit.New) {
			w.report(e, e.text, edit.Start, RewriteRefused, mark.Quote(edit.New)+" has letters that the document's charset lacks")
			continue
		}
		if e.charset == nil {
			edit.New = e.spelling.Encode(edit.New)
		}
		if kept < i {
			edits[kept] = *edit
		}
		kept++
	}
	return edits[:kept]
}

// recordWriter copies a record to the output with its edits. The edits come in the order of the bytes. Without an
// output, recordWriter ignores them.
type recordWriter struct {
	w    *Walker
	dst  io.Writer
	rec  Record
	at   int    // the record is copied up to this offset
	room []byte // collects bytes for one write

	in *pack.Memberwise // compresses the record, if it is compressed on its own; else nil
}

// writes prepares w.out to write a record to dst. dst may be nil.
func (w *Walker) writes(rec Record, dst io.Writer) {
	if w.writer.room == nil && dst != nil {
		w.writer.room = make([]byte, 0, gathered)
	}
	w.out, w.writer = &w.writer, recordWriter{w: w, dst: dst, rec: rec, room: w.writer.room[:0]}
	if in := rec.of.in; in != nil && rec.format != nil && !rec.packed.Shared() && dst != nil {
		w.member.Begin(in, rec.packed, dst)
		w.out.in, w.out.dst = &w.member, &w.member
	}
}

// put writes the record up to the end of the last edit.
func (o *recordWriter) put(edits []codec.Edit) {
	o.w.grown = 0
	if o.dst == nil {
		return
	}
	for _, e := range edits {
		if e.Start < o.at {
			continue // it removes an element, but an edit of an attribute of the element is written already
		}
		if o.w.OnEdit != nil {
			o.w.OnEdit(o.rec.Offset+int64(e.Start), o.rec.Bytes[e.Start:e.End], e.New)
		}
		o.write(o.rec.Bytes[o.at:e.Start])
		o.write(e.New)
		o.at = e.End
	}
	o.w.edits.Clear()
}

// end writes the rest of the record. A record that is compressed on its own and has no edits is copied in its compressed
// form.
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

// gathered is the number of bytes that are collected for one write. There are only few bytes between two edits.
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
