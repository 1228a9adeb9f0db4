package extract

// This file finishes the edits of an entity with what depends on all of them: whether its BASE elements can go, whether
// its format and charset would still be guessed as before, and its lengths and digests.

import (
	"slices"
	"sort"
	"strconv"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/css"
	"absolink/extract/internal/mark"
)

// finish makes, drops and mends the edits that depend on all other edits of the entity. Call it when all links are
// known.
func (v *visit) finish() {
	w, e, m := v.w, v.e, v.m
	if w.call.rewriting && e.raw {
		v.detected = e.sniffed && detect("", e.file, headOf(e.text.Bytes)) == e.format
		v.guessed = v.detected || e.spelling.Guessed() != ""
	}
	v.baseElements()
	if why := m.Notes.Sealed; why != "" && len(v.edits) > 0 {
		w.report(e, &e.text, 0, CodeRewriteRefused, why)
		v.edits = v.edits[:0]
	}
	if v.guessed {
		v.edits = v.asGuessed(v.edits)
	}
	n := len(v.edits)
	for _, inner := range slices.Backward(m.Notes.Inner) {
		v.edits = mark.Mended(e.text.Bytes, inner, v.edits)
	}
	v.edits = mark.Mended(e.text.Bytes, m.Notes.Menders, v.edits)
	v.tied = v.tied || len(v.edits) > n // a length depends on the edits that it counts
	for _, b := range m.Notes.Breaks {
		if len(mark.Within(v.edits, b.Of)) > 0 {
			w.reportFault(e, &e.text, 0, &b)
		}
	}
	if tell := w.x.OnIntegrity; tell != nil && w.call.rewriting {
		if len(m.Notes.Integrity) > 0 {
			page := e
			for page.fragment && page.parent != nil { // a noscript
				page = page.parent
			}
			tell(page, m.Notes.Integrity, false)
		}
		if e.raw && e.format == css.Format && len(v.edits) > 0 {
			tell(e, mark.Sums(e.Bytes), true)
		}
	}
	for _, check := range m.Notes.Checks {
		check(e.text.Bytes, v.edits, func(f mark.Fault) { w.reportFault(e, &e.text, 0, &f) })
	}
}

// baseElements empties or removes the BASE elements of the entity. They stay, and become absolute like links, if a
// reference that stays relative needs them, or if the entity would be guessed to be something else without them.
func (v *visit) baseElements() {
	if len(v.elements) == 0 {
		return
	}
	links := v.edits
	if !v.e.baseNeeded {
		if v.edits = v.withBases(links, true); !v.guessed || v.readAs(v.edits) == "" {
			v.tied = true
			v.w.call.tried += changed(v.edits) - changed(links)
			return
		}
	}
	v.keepsBase, v.edits = true, v.withBases(links, false)
}

// baseURLs returns what to do with the BASE elements of e. Local links are relative to their file only without them.
func (w *walker) baseURLs(e *Entity) BaseURLs {
	if e.local != nil && w.x.BaseURLs == BaseKeep {
		return BaseRemove
	}
	return w.x.BaseURLs
}

func changed(edits []codec.Edit) (n int) {
	for i := range edits {
		for c := edits[i].Changes; c != nil; c = c.Next {
			n += c.N
		}
	}
	return n
}

// withBases returns edits of links together with those of the BASE elements, which are emptied or removed if drop is
// set. It leaves out the edits of links inside an element that is removed.
func (v *visit) withBases(links []codec.Edit, drop bool) []codec.Edit {
	w, e := v.w, v.e
	all := make([]codec.Edit, 0, len(links)+len(v.elements))
	for i := range v.elements {
		at := &v.elements[i]
		if !drop && w.call.rewriting && !w.unwritten(e) && at.Base.Refuse == "" {
			p := Problem{Offset: at.Start, Code: CodeBaseNeeded, Setting: settingBaseURLs,
				Detail: "the BASE element stays: links or URL patterns that stay relative need it, or the document " +
					"would be read in another way without it"}
			if e.local != nil {
				p.Setting, p.Detail = "", p.Detail+"; so no link becomes local"
			}
			w.reportAt(e, &e.text, &p)
		}
		edits := v.baseEdits(at, drop)
		if e.raw {
			edits = w.writable(e, edits, 0)
		}
		for _, edit := range edits {
			n := sort.Search(len(links), func(i int) bool { return links[i].Start >= edit.Start })
			all, links = append(all, links[:n]...), links[n:]
			for len(links) > 0 && links[0].Start < edit.End {
				links = links[1:]
			}
			all = append(all, edit)
		}
	}
	return append(all, links...)
}

// asGuessed returns the edits that leave the guess of the format and charset as it was. If they would change it,
// asGuessed drops and reports those in the first bytes, which decide most guesses, and failing that all of them.
func (v *visit) asGuessed(edits []codec.Edit) []codec.Edit {
	reads := v.readAs(edits)
	if reads == "" {
		return edits
	}
	n, where := sort.Search(len(edits), func(i int) bool {
		return v.e.text.Outer(edits[i].Span).Start >= mark.SniffLen
	}), ""
	if v.tied || v.readAs(edits[n:]) != "" {
		n = len(edits)
	} else if n < len(edits) {
		where = " in its first " + strconv.Itoa(mark.SniffLen) + " bytes"
	}
	v.w.reportStaying(v.e, &v.e.text, &Problem{Offset: edits[0].Start, Code: CodeRewriteRefused, Setting: typeOf(v.e),
		Detail: "not rewritten: with the new URLs" + where + ", the document would be read as " + reads})
	return edits[n:]
}

// readAs returns the format or the charset that would be guessed for the entity with some edits, or "" if it is the
// same as before.
func (v *visit) readAs(edits []codec.Edit) string {
	e := v.e
	if v.detected {
		if f := detect("", e.file, headWith(e.text.Bytes, edits, mark.SniffLen)); f == nil {
			return "another format"
		} else if f != e.format {
			return f.Name
		}
	}
	guessed := e.spelling.Guessed()
	if guessed == "" {
		return ""
	}
	edited, at := make([]byte, 0, len(e.Bytes)), 0
	for i := range edits {
		span := e.text.Outer(edits[i].Span)
		// in ASCII, if the guess is not UTF-8
		edited = append(append(edited, e.Bytes[at:span.Start]...), edits[i].New...)
		at = span.End
	}
	if name := e.spelling.GuessAgain(append(edited, e.Bytes[at:]...)); name != guessed {
		return name
	}
	return ""
}

// headWith returns the first n bytes that a text has with its edits.
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
