package extract

// This file makes the edits of links and of declared bases, and converts those of an embedded text to edits of the text
// around it.

import (
	"bytes"
	"unicode/utf8"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// newRef returns the new reference of a link: d.local, the result of Map, or the absolute URL. It is nil for a link
// that stays unchanged. Map sees a link that leads to a file, and can keep it as it is, but the new reference is that
// of the file and not the result of Map.
func (w *walker) newRef(r *reference, l *Link, d *decision) (to []byte) {
	if d.err != nil {
		if l.Problem == CodeNoBase {
			w.cause = LeftNoBase
		}
		return d.local
	}
	to = l.URL
	if w.x.Map != nil {
		url, ok := w.x.Map(l)
		if !ok || d.local == nil && (url == string(l.Ref) || !r.relative && url == string(l.URL)) {
			w.staysRelative(r)
			if w.cause = LeftNoRule; !ok {
				w.cause = LeftFiltered
			}
			return nil
		}
		to = []byte(url)
	}
	if d.local != nil {
		return d.local
	}
	if bytes.Equal(to, l.Ref) {
		return nil
	}
	return to
}

// isLocalCopy reports whether readers of a saved page would take a reference from Map for one to a local copy, as a
// relative one may be. It also reports the problem.
func (w *walker) isLocalCopy(r *reference, to []byte) bool {
	if r.e.saved == nil || w.x.Map == nil || w.isAbsolute(r.scope.Base(), to) {
		return false
	}
	err := r.e.saved.Local(to)
	if err != nil {
		w.call.tried++
		w.report(r.e, r.text, r.at.Start, CodeRewriteRefused,
			"not rewritten: "+mark.Quote(to)+" would be read as "+err.Error())
	}
	return err != nil
}

// replace appends the edits that replace the reference of a link.
func (w *walker) replace(edits []codec.Edit, r *reference, l *Link, to []byte) []codec.Edit {
	e, t, at := r.e, r.text, r.at
	w.call.tried++
	if why := unwritable(l.Ref, to); why != "" {
		w.report(e, t, at.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote(to)+why)
		return edits
	}
	spelled := t.Bytes[at.Start:at.End]
	if w.x.Standard == resolve.WHATWG &&
		(!utf8.Valid(l.Ref) || e.spelling.Decodes() && bytes.Contains(spelled, []byte("\uFFFD"))) {
		w.report(e, t, at.Start, CodeRewriteRefused,
			"not rewritten: "+mark.Quote(l.Ref)+" has undecodable bytes, and the URL Standard would replace them by "+
				"U+FFFD")
		return edits
	}
	if more := len(to) - len(l.URL); more > 0 && !w.totals.spend(more) { // from Map
		w.countUnmade(e, t, at.Start)
		return edits
	}
	from := len(edits)
	edits, err := w.buf.replacer.Replace(edits, at.Codec, spelled, l.Ref, to)
	if err != nil {
		w.report(e, t, at.Start, CodeRewriteRefused, err.Error())
	}
	if reads := at.Place.Reads; reads != nil && len(edits) > from && !reads(codec.Apply(nil, spelled, edits[from:])) {
		w.report(e, t, at.Start, CodeRewriteRefused,
			"not rewritten: "+mark.Quote(to)+" would not be read as a link at this place")
		edits = edits[:from]
	}
	e.spelling.Escape(at.Codec, edits[from:])
	codec.Shift(edits[from:], at.Start)
	if len(edits) > from {
		edits[from].Changes = w.changes(l, to)
	}
	return edits
}

// changes returns the Changes of the edit of one link. It needs the position of the link only if there is an OnChange.
func (w *walker) changes(l *Link, newRef []byte) *codec.Changes {
	switch {
	case w.x.OnChange != nil || w.x.Old != nil:
	case isRelative(newRef):
		return oneRelative
	default:
		return oneLink
	}
	change := &Change{l.Entity.Path, l.Offset, l.Place(), string(l.Ref), string(newRef), string(l.URL), false}
	if w.x.Old != nil {
		w.totals.change(change)
	}
	return &codec.Changes{N: 1, Of: change}
}

// oneLink and oneRelative save an allocation for each edit if there is no OnChange. oneRelative is for a new reference
// that is relative.
var oneLink, oneRelative = &codec.Changes{N: 1}, &codec.Changes{N: 1, Of: nowRelative{}}

type nowRelative struct{}

// isRelative reports whether a new reference is relative. It is not if it is empty, which only that of a BASE element
// is.
func isRelative[T string | []byte](ref T) bool {
	for i := range len(ref) {
		switch ref[i] {
		case ':':
			return i == 0
		case '/', '?', '#':
			return true
		}
	}
	return len(ref) > 0
}

// liftChild appends the edits of the entity for those of a document in its region at, unless a signature covers the
// region. It adds an edit for the Content-MD5 of a body part. It returns whether they are made together or not at all.
func (v *visit) liftChild(at *mark.Mark, child *Entity, edits []codec.Edit, tied bool) bool {
	w, e, p, t := v.w, v.e, at.Part, child.regionText
	if len(edits) == 0 {
		return false
	}
	if p != nil && p.Signed && !w.x.BreakSignatures {
		why := "its links are inside a signed part"
		if p.Hashed {
			why = "the archive has a list with the hash of each file, datapackage.json"
		}
		w.reportStaying(e, &e.text, &Problem{Offset: at.Start, Code: CodeSignatureWouldBreak,
			Setting: settingBreakSignatures, Detail: "not rewritten: " + why})
		return false
	}
	if compress.Unpacks(at.Codec) && !compress.HasParts(at.Codec, t.Src) { // it is compressed again as a whole
		edits = []codec.Edit{codec.AsOne(t.Bytes, edits)}
	}
	var digest []codec.Edit
	if p != nil && p.MD5.Len() > 0 {
		digest, tied = mail.ContentMD5(e.text.Bytes, p, child.Bytes, edits), true
	}
	lifted := w.liftRegion(e, at, t, edits, tied)
	if len(lifted) == 0 {
		return false
	}
	v.edits = append(append(v.edits, digest...), lifted...)
	return tied
}

// liftRegion converts edits of t, the text of the region at, to edits of the text of the entity. It drops and reports
// edits that the codec cannot spell.
func (w *walker) liftRegion(e *Entity, at *mark.Mark, t *source.Text, edits []codec.Edit, tied bool) []codec.Edit {
	if len(edits) == 0 {
		return nil
	}
	lifted, err := w.liftEdits(e, at.Codec, e.text.Bytes[at.Start:at.End], t, edits, tied)
	if err != nil {
		w.reportStaying(e, &e.text, &Problem{Offset: at.Start, Code: CodeRewriteRefused, Setting: limitOf(err),
			Detail: err.Error()})
		return nil
	}
	e.spelling.Escape(at.Codec, lifted)
	return codec.Shift(lifted, at.Start)
}

// liftEdits converts edits of the text t to edits of src, which spells t. It reports an edit that the codec cannot
// spell, and converts the others, unless they are tied: then it is all or an error.
func (w *walker) liftEdits(e *Entity, c codec.Codec, src []byte, t *source.Text, edits []codec.Edit,
	tied bool) ([]codec.Edit, error) {
	if tied {
		return w.buf.replacer.Lift(c, src, t.Bytes, edits)
	}
	return w.buf.replacer.LiftEach(c, src, t.Bytes, edits, func(i int, err error) {
		w.report(e, t, edits[i].Start, CodeRewriteRefused, err.Error())
	})
}

// dropUnwritable drops and reports the edits of one mark, from the index from on, that are not written: all if a
// signature covers the mark, or those that writable drops. If the edits are tied, one that is dropped drops all.
func (v *visit) dropUnwritable(at *mark.Mark, from int, tied bool) {
	if v.m.Notes.Covers(at.Start) && !v.w.x.BreakSignatures {
		v.w.reportStaying(v.e, &v.e.text, &Problem{Offset: at.Start, Code: CodeSignatureWouldBreak,
			Setting: settingBreakSignatures,
			Detail:  "not rewritten: it is inside a signed part"})
		v.edits = v.edits[:from]
	}
	if !v.e.raw {
		return
	}
	made := len(v.edits)
	if v.edits = v.w.writable(v.e, v.edits, from); tied && len(v.edits) < made {
		v.edits = v.edits[:from]
	}
}

// writable encodes the edits from the index from on, without those that the charset of the entity cannot encode or
// that a guard refuses, which it reports.
func (w *walker) writable(e *Entity, edits []codec.Edit, from int) []codec.Edit {
	kept := from
	for i := from; i < len(edits); i++ {
		edit := &edits[i]
		if why := e.guards.Refuses(edit); why != "" {
			w.report(e, &e.text, edit.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote(edit.New)+why)
			continue
		}
		if e.spelling.Lacks(edit.New) {
			detail := "not rewritten: the charset of the document cannot spell " + mark.Quote(edit.New)
			if e.spelling.Avoids(edit.New) {
				detail = "not rewritten: " + mark.Quote(edit.New) + " would change how the text around it is read"
			}
			w.report(e, &e.text, edit.Start, CodeRewriteRefused, detail)
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

// baseEdits returns the edits that make a declared base absolute, or give it the URL from Map. If drop is set, they
// empty or remove the BASE element instead. A declaration that does not apply stays unchanged, unless drop is set.
func (v *visit) baseEdits(at *mark.Mark, drop bool) []codec.Edit {
	w, e, c := v.w, v.e, v.candidate(at)
	w.cause = LeftKept
	if !w.call.rewriting || w.unwritten(e) || at.Base.Refuse != "" && !drop {
		return nil
	}
	text, value, url := declaredURL(e.text.Bytes[at.Start:at.End], at)
	used := c != nil && c.Verdict != base.VerdictRejected
	from := ""
	if used {
		from = c.URL
	}
	t := &source.Text{Bytes: text}
	var edits []codec.Edit
	to := ""
	switch {
	case drop && w.baseURLs(e) == BaseRemove && !at.Base.Filled && !hidesDelimiter(e.text.Bytes, at.Element()):
		edits = []codec.Edit{{Span: at.Element()}}
	case drop:
		edits = w.liftRegion(e, at, t, []codec.Edit{{Span: codec.Span{End: len(text)}}}, true)
	case !used || !w.x.isPlace(at.Place, 0) || c.Relative && e.local != nil && e.local.book:
		return nil
	default:
		var changes bool
		if to, changes = v.newBase(at, c, string(value)); !changes {
			w.cause = LeftNoRule
			return nil
		}
		w.call.tried++
		if more := len(to) - len(from); more > 0 && !w.totals.spend(more) {
			w.countUnmade(e, &e.text, at.Start)
			return nil
		}
		edits = []codec.Edit{{Span: url, New: []byte(to)}}
		if at.Base.Wrapped {
			// A reader of the new field must find the same URL, and "<URL:...>" cannot contain a space.
			if _, reads := urlOfField(codec.Apply(nil, text, edits)); string(reads) != to {
				w.report(e, &e.text, at.Start, CodeRewriteRefused,
					"not rewritten: "+mark.Quote([]byte(to))+" would be read as "+mark.Quote(reads))
				return nil
			}
		}
		edits = w.liftRegion(e, at, t, edits, true)
	}
	if len(edits) > 0 {
		edits[0].Changes = w.changes(v.linkOf(at, string(value), from), []byte(to))
	}
	return edits
}

// newBase returns the new value of a declared base, and whether it differs from the old one. Map is not asked for a URL
// that an archive records for a document.
func (v *visit) newBase(at *mark.Mark, c *base.Candidate, value string) (url string, changes bool) {
	stays := !c.Relative && c.Value == value
	if v.w.x.Map == nil || at.Base.Retrieval {
		return c.URL, !stays
	}
	url, changes = v.w.x.Map(v.baseLink(at, c))
	return url, changes && url != value && !(stays && url == c.URL)
}

// keptBy returns the DKIM or ARC signature that keeps a message unchanged under KeepDKIM, or nil, and sets kept.
func (w *walker) keptBy(e *Entity, m *mark.Marks) *mark.Fault {
	if !w.x.KeepDKIM || !w.call.rewriting || e.kept {
		return nil
	}
	for i := range m.Notes.Breaks {
		if b := &m.Notes.Breaks[i]; b.Code == mark.DKIMBroken {
			e.kept, w.signed = true, false
			return b
		}
	}
	return nil
}

// unwritten reports whether an entity is never rewritten: it is kept, or its header was made from Document.Header.
func (w *walker) unwritten(e *Entity) bool {
	return e.kept || e.parent == nil && len(w.out.rec.of.header) > 0
}

// hidesDelimiter reports whether the text after an element may begin a line without it, and without another one before
// it, and mail could read this line as a delimiter of parts or of messages.
func hidesDelimiter(text []byte, element codec.Span) bool {
	after := text[element.End:]
	return (element.Start == 0 || text[element.Start-1] == '\n' || text[element.Start-1] == '>') &&
		(bytes.HasPrefix(after, []byte("--")) || bytes.HasPrefix(after, []byte("From ")))
}

// unwritable returns the reason why a new reference cannot be written at any place, or "". The reason continues a
// sentence that starts with the reference. White space at an end is refused because readers strip it.
func unwritable(ref, to []byte) string {
	switch n := len(to); {
	case n == 0:
		return " is empty, which is not a link at every place"
	// "?" with the base "http://h/a?q #f"
	case ascii.IsSpace(to[n-1]) && !(len(ref) > 0 && ascii.IsSpace(ref[len(ref)-1])):
		return " would lose the white space at its end"
	case ascii.IsSpace(to[0]) && !(len(ref) > 0 && ascii.IsSpace(ref[0])):
		return " would lose the white space at its start"
	}
	return ""
}
