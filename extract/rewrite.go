package extract

// This file makes the edits of links, and lifts them through codecs.

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// newRef returns the new reference for a link of e: the absolute URL, or the result of Map. It returns nil for a link that
// stays unchanged.
func (w *walker) newRef(e *Entity, l *Link) (to []byte) {
	if l.Status == StatusUnresolved {
		return nil
	}
	to = l.URL
	if w.x.Map != nil {
		url, ok := w.x.Map(l)
		if !ok || url == string(l.Ref) || l.Status == StatusAbsolute && url == string(l.URL) {
			w.leave(e, l)
			return nil
		}
		to = []byte(url)
	}
	if bytes.Equal(to, l.Ref) {
		return nil
	}
	return to
}

// isLocalCopy reports whether readers of a saved page take a new reference for a reference to a local copy. A relative
// reference from Map may be one. isLocalCopy also reports it as a problem.
func (w *walker) isLocalCopy(r *reference, to []byte) bool {
	if r.e.saved == nil || w.x.Map == nil || w.isAbsolute(r.scope.Base(), to) {
		return false
	}
	err := r.e.saved.Local(to)
	if err != nil {
		w.report(r.e, r.text, r.at.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote(to)+" would be read as "+err.Error())
	}
	return err != nil
}

// replace appends the edits that replace the reference of a link.
func (w *walker) replace(edits []codec.Edit, r *reference, l *Link, to []byte) []codec.Edit {
	e, t, at := r.e, r.text, r.at
	w.call.result.tried++
	if why := unwritable(l.Ref, to); why != "" {
		w.report(e, t, at.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote(to)+why)
		return edits
	}
	spelled := t.Bytes[at.Start:at.End]
	if w.x.Standard == resolve.WHATWG && (!utf8.Valid(l.Ref) || e.spelling.Decodes() && bytes.Contains(spelled, []byte("\uFFFD"))) {
		w.report(e, t, at.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote(l.Ref)+" has undecodable bytes, and the URL Standard would replace them by U+FFFD")
		return edits
	}
	if more := len(to) - len(l.URL); more > 0 && !w.rec.budget.spend(more) { // Map has returned a longer URL
		w.outgrown(e, t, at.Start)
		return edits
	}
	from := len(edits)
	edits, err := w.out.replacer.Replace(edits, at.Codec, spelled, l.Ref, to)
	if err != nil {
		w.report(e, t, at.Start, CodeRewriteRefused, err.Error())
	}
	if reads := at.Place.Reads; reads != nil && len(edits) > from && !reads(codec.Apply(nil, spelled, edits[from:])) {
		w.report(e, t, at.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote(to)+" would not be read as a link at this place")
		edits = edits[:from]
	}
	e.spelling.Escape(at.Codec, edits[from:])
	codec.Shift(edits[from:], at.Start)
	if len(edits) > from {
		edits[from].Changes = w.changes(l, to)
	}
	return edits
}

// changes returns the Changes of the edit of one link. The link has its position if there is an OnChange.
func (w *walker) changes(l *Link, newRef []byte) *codec.Changes {
	if w.x.OnChange == nil {
		return oneLink
	}
	return &codec.Changes{N: 1, Of: &Change{l.Entity.Path, l.Offset, l.Place(), string(l.Ref), string(newRef), string(l.URL)}}
}

// oneLink has the Changes of an edit without OnChange.
var oneLink = &codec.Changes{N: 1}

// unlessSigned removes and reports the edits of one mark, if a signature covers the mark. from is the index of the
// first edit of the mark.
func (v *visit) unlessSigned(at *mark.Mark, from int) {
	if len(v.edits) > from && v.m.Notes.Covers(at.Start) && !v.w.x.BreakSignatures {
		v.w.reportFor(v.e, v.e.text, &Problem{Offset: at.Start, Code: CodeSignatureWouldBreak, Setting: settingBreakSignatures,
			Detail: "not rewritten: it is inside a signed part"})
		v.edits = v.edits[:from]
	}
}

// unlessSealed removes and reports the edits of an entity that is not rewritten.
func (v *visit) unlessSealed() {
	if why := v.m.Notes.Sealed; why != "" && len(v.edits) > 0 {
		v.w.report(v.e, v.e.text, 0, CodeRewriteRefused, why)
		v.edits = v.edits[:0]
	}
}

// lift converts edits of the text t of the region at to edits of the text of the entity. It reports edits that the codec cannot
// spell. The links of these edits stay unchanged.
func (w *walker) lift(e *Entity, at *mark.Mark, t *source.Text, edits []codec.Edit, tied bool) []codec.Edit {
	if len(edits) == 0 {
		return nil
	}
	lifted, err := w.lifted(e, at.Codec, e.text.Bytes[at.Start:at.End], t, edits, tied)
	if err != nil {
		w.reportFor(e, e.text, &Problem{Offset: at.Start, Code: CodeRewriteRefused, Setting: limitOf(err), Detail: err.Error()})
		return nil
	}
	e.spelling.Escape(at.Codec, lifted)
	return codec.Shift(lifted, at.Start)
}

// lifted converts edits of the text t to edits of src, which spells t. It reports an edit that the codec cannot spell, and makes
// the others. Edits that are tied are made together or not at all.
func (w *walker) lifted(e *Entity, c codec.Codec, src []byte, t *source.Text, edits []codec.Edit, tied bool) ([]codec.Edit, error) {
	w.forget()
	if tied {
		return w.out.replacer.Lift(c, src, t.Bytes, edits)
	}
	return w.out.replacer.LiftEach(c, src, t.Bytes, edits, func(i int, err error) {
		w.report(e, t, edits[i].Start, CodeRewriteRefused, err.Error())
	})
}

// spellable encodes the edits in the charset of the record, from the index from on. It reports and removes an edit with
// characters that the charset does not have, and an edit that a guard refuses.
func (w *walker) spellable(e *Entity, edits []codec.Edit, from int) []codec.Edit {
	kept := from
	for i := from; i < len(edits); i++ {
		edit := &edits[i]
		if why := e.guards.Refuses(edit); why != "" {
			w.report(e, e.text, edit.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote(edit.New)+why)
			continue
		}
		if e.spelling.Lacks(edit.New) {
			detail := "not rewritten: the charset of the document cannot spell " + mark.Quote(edit.New)
			if e.spelling.Avoids(edit.New) {
				detail = "not rewritten: " + mark.Quote(edit.New) + " would change how the text around it is read"
			}
			w.report(e, e.text, edit.Start, CodeRewriteRefused, detail)
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

// spell is spellable for the edits of one mark. If some of them are refused, and they are tied, spell removes all of them.
func (v *visit) spell(at *mark.Mark, from int, tied bool) {
	made := len(v.edits)
	if v.edits = v.w.spellable(v.e, v.edits, from); len(v.edits) == made || !tied {
		return
	}
	digest := codec.Span{}
	if at.Part != nil {
		digest = at.Part.MD5
	}
	v.edits = slices.DeleteFunc(v.edits, func(e codec.Edit) bool {
		return e.Start >= at.Start && e.Start <= at.End || e.Start >= digest.Start && e.Start < digest.End
	})
}
