package extract

// This file checks that an entity whose format or charset was guessed from its bytes is read in the same way after the rewriting.

import (
	"sort"
	"strconv"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// guesses finds out whether the format or the charset of the entity was guessed.
func (v *visit) guesses() {
	w, e := v.w, v.e
	if !w.call.rewriting || !e.raw {
		return
	}
	v.detected = e.sniffed && detect("", e.file, headOf(e.text.Bytes)) == v.format
	v.guessed = v.detected || e.spelling.Guessed() != ""
}

// asGuessed returns the edits with which the format and the charset of the entity are guessed as before. If they are not, it takes
// back the edits in the first bytes, which decide most guesses, and else all of them.
func (v *visit) asGuessed(edits []codec.Edit) []codec.Edit {
	reads := v.readAs(edits)
	if reads == "" {
		return edits
	}
	n, where := sort.Search(len(edits), func(i int) bool { return v.e.text.Outer(edits[i].Span).Start >= mark.SniffLen }), ""
	if v.tied || v.readAs(edits[n:]) != "" { // edits that depend on each other go together
		n = len(edits)
	} else if n < len(edits) {
		where = " in its first " + strconv.Itoa(mark.SniffLen) + " bytes"
	}
	v.w.reportFor(v.e, v.e.text, &Problem{Offset: edits[0].Start, Code: CodeRewriteRefused, Setting: typeOf(v.e),
		Detail: "not rewritten: with the new URLs" + where + ", the document would be read as " + reads})
	return edits[n:]
}

// readAs returns the format or the charset that is guessed for the entity with some edits, or "" if it is the same as before.
func (v *visit) readAs(edits []codec.Edit) string {
	e := v.e
	if v.detected {
		if f := detect("", e.file, headWith(e.text.Bytes, edits, mark.SniffLen)); f == nil {
			return "another format"
		} else if f != v.format {
			return f.Name
		}
	}
	guessed := e.spelling.Guessed()
	if guessed == "" {
		return ""
	}
	edited, at := make([]byte, 0, len(e.Bytes)), 0
	for i := range edits {
		put := edits[i].New
		if e.charset != nil {
			put = e.spelling.Encode(put)
		}
		span := e.text.Outer(edits[i].Span)
		edited = append(append(edited, e.Bytes[at:span.Start]...), put...)
		at = span.End
	}
	if name := e.spelling.GuessAgain(append(edited, e.Bytes[at:]...)); name != guessed {
		return name
	}
	return ""
}

// headWith returns the first n bytes of a text with edits.
func headWith(src []byte, edits []codec.Edit, n int) (head []byte) {
	at := 0
	add := func(text []byte) { head = append(head, text[:min(len(text), n-len(head))]...) }
	for i := 0; i < len(edits) && len(head) < n; i++ {
		add(src[at:edits[i].Start])
		add(edits[i].New)
		at = edits[i].End
	}
	add(src[at:])
	return head
}
