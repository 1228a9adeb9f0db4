package extract

import (
	"io"
	"strconv"
	"unicode/utf8"

	"absolink/extract/codec"
)

// lift turns edits of a region's text into edits of the text that the region stands in.
// What cannot be spelled there is reported and left as it is.
func (w *Walker) lift(e *Entity, fr *frame, region codec.Span, src []byte, c codec.Codec, edits []codec.Edit) []codec.Edit {
	if len(edits) == 0 {
		return nil
	}
	lifted, err := codec.Lift(c, src, edits)
	if err != nil {
		w.report(e, fr, region.Start, RewriteRefused, err.Error())
		return nil
	}
	return shift(lifted, region.Start)
}

// shift moves edits by n bytes, in place.
func shift(edits []codec.Edit, n int) []codec.Edit {
	for i := range edits {
		edits[i].Start += n
		edits[i].End += n
	}
	return edits
}

// spellable readies the edits from an index on, which come of one region, for a charset
// that does not have every letter. A letter that it lacks becomes a character reference
// where those are read; else the edit is reported and dropped.
func (w *Walker) spellable(e *Entity, at *finding, edits []codec.Edit, from int) []codec.Edit {
	kept := edits[:from]
	for _, edit := range edits[from:] {
		if _, err := e.charset.Encode(nil, nil, codec.Span{}, edit.New); err != nil {
			if at.codec == codec.Identity {
				w.report(e, e.frame, edit.Start, RewriteRefused, quote(edit.New)+" has letters that the document's charset lacks")
				continue
			}
			edit.New = withReferences(e.charset, edit.New)
		}
		kept = append(kept, edit)
	}
	return kept
}

// withReferences gives text with a character reference for every letter that the charset
// lacks.
func withReferences(charset codec.Codec, text []byte) []byte {
	var out []byte
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if _, err := charset.Encode(nil, nil, codec.Span{}, text[:n]); err != nil {
			out = append(strconv.AppendInt(append(out, "&#"...), int64(r), 10), ';')
		} else {
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// recordWriter copies a record to the output with its edits, which come in the order of
// the bytes. Without an output it takes nothing.
type recordWriter struct {
	w   *Walker
	dst io.Writer
	rec Record
	at  int // how far the record has been copied
}

// put writes the record up to the last of the edits.
func (o *recordWriter) put(edits []codec.Edit) {
	if o.dst == nil {
		return
	}
	for _, e := range edits {
		if o.w.OnEdit != nil {
			o.w.OnEdit(o.rec.Offset+int64(e.Start), o.rec.Bytes[e.Start:e.End], e.New)
		}
		o.write(o.rec.Bytes[o.at:e.Start])
		o.write(e.New)
		o.at = e.End
	}
}

// end writes the rest of the record.
func (o *recordWriter) end() {
	if o.dst == nil {
		return
	}
	o.write(o.rec.Bytes[o.at:])
	if o.rec.Rest != nil && o.w.failed == nil {
		_, err := io.Copy(o.dst, o.rec.Rest)
		o.w.fail(err)
	}
}

func (o *recordWriter) write(b []byte) {
	if o.w.failed == nil {
		_, err := o.dst.Write(b)
		o.w.fail(err)
	}
}
