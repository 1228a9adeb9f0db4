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

// lift turns edits of a region's text, which src spells, into edits of the text that the region stands in.
// What cannot be spelled there is reported and left as it is.
func (w *Walker) lift(e *Entity, fr *source.Text, region codec.Span, src, text []byte, c codec.Codec, edits []codec.Edit) []codec.Edit {
	if len(edits) == 0 {
		return nil
	}
	var lifted []codec.Edit
	var err error
	if fr != nil {
		lifted, err = w.edits.Lift(c, src, text, edits)
	} else { // c is the charset: an edit that it cannot spell does not take the other links along
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

// contentMD5 gives the edit that keeps a Content-MD5 true (RFC 1864): the digest of the
// body as it was before its transfer encoding, text with CRLF line ends; but what base64 holds
// may have had others then. One that was not true before stays.
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
		if !whole { // without the empty line that ends a message in an mbox
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

// spellable readies the edits from an index on for the charset of the record. One with
// letters that it still lacks is reported and dropped.
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

// recordWriter copies a record to the output with its edits, which come in the order of
// the bytes. Without an output it takes nothing.
type recordWriter struct {
	w    *Walker
	dst  io.Writer
	rec  Record
	at   int    // how far the record has been copied
	room []byte // what is gathered before it is written

	in *pack.Memberwise // what packs the record, if it is a member of its own; else nil
}

// writes has a record written to dst, which may be nil.
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

// put writes the record up to the last of the edits.
func (o *recordWriter) put(edits []codec.Edit) {
	o.w.grown = 0
	if o.dst == nil {
		return
	}
	for _, e := range edits {
		if e.Start < o.at {
			continue // written already: the attribute of an element that now goes
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

// end writes the rest of the record. A member without edits is copied as it was packed.
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

// gathered is how many bytes are written at once, as a rule: those between two edits are few.
const gathered = 64 << 10

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

func (o *recordWriter) flush() {
	o.pass(o.room)
	o.room = o.room[:0]
}

func (o *recordWriter) pass(b []byte) {
	if len(b) > 0 && o.w.failed == nil {
		_, err := o.dst.Write(b)
		o.w.fail(err)
	}
}
