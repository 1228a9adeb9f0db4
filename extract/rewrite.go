package extract

// This file makes the edits of links, and lifts them through codecs. In a long text it does so a stretch at a time, so that
// the edits of the whole text are never in memory together.

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
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
		got := w.mappedLink(l)
		if !got.ok {
			w.leave(l)
			return nil
		}
		to = []byte(got.url)
	}
	if bytes.Equal(to, l.Ref) {
		return nil
	}
	return to
}

// mappedLink returns the answer of Map for a link. It is not ok for a link that stays unchanged.
func (w *walker) mappedLink(l *Link) answer {
	return w.mapped(l, func(url string) bool {
		return url == string(l.Ref) || l.Status == StatusAbsolute && url == string(l.URL)
	})
}

// isLocalCopy reports whether readers of a saved page take a new reference for a reference to a local copy. A relative
// reference from Map may be one. isLocalCopy also reports it as a problem.
func (w *walker) isLocalCopy(s *spot, to []byte) bool {
	if s.e.saved == nil || w.Map == nil || w.isAbsolute(s.scope.Base(), to) {
		return false
	}
	err := s.e.saved.Local(to)
	if err != nil {
		w.report(s.e, s.text, s.at.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote(to)+" would be read as "+err.Error())
	}
	return err != nil
}

// replace appends the edits that replace the reference of a link.
func (w *walker) replace(edits []codec.Edit, s *spot, l *Link, to []byte) []codec.Edit {
	e, t, at := s.e, s.text, s.at
	w.result.tried++
	if why := unwritable(l.Ref, to); why != "" {
		w.report(e, t, at.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote(to)+why)
		return edits
	}
	spelled := t.Bytes[at.Start:at.End]
	if w.Standard == resolve.WHATWG && (!utf8.Valid(l.Ref) || e.spelling.Decodes() && bytes.Contains(spelled, []byte("\uFFFD"))) {
		w.report(e, t, at.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote(l.Ref)+" has undecodable bytes, and the URL Standard would replace them by U+FFFD")
		return edits
	}
	if more := len(to) - len(l.URL); more > 0 && !w.spend(more) { // Map has returned a longer URL
		w.outgrown(e, t, at.Start)
		return edits
	}
	from := len(edits)
	edits, err := w.replacer.Replace(edits, at.Codec, spelled, l.Ref, to)
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
	if w.OnChange == nil {
		return oneLink
	}
	return &codec.Changes{N: 1, Of: &Change{l.Entity.Path, l.Offset, l.Place(), string(l.Ref), string(newRef), string(l.URL)}}
}

// oneLink has the Changes of an edit without OnChange.
var oneLink = &codec.Changes{N: 1}

// unlessSigned removes and reports the edits of one mark, if a signature covers the mark. from is the index of the
// first edit of the mark.
func (v *visit) unlessSigned(at *mark.Mark, from int) {
	if len(v.edits) > from && v.m.Notes.Covers(at.Start) && !v.w.BreakSignatures {
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

// lift converts edits of the text of the region at to edits of the text of the entity. It reports edits that the codec
// cannot spell. The links of these edits stay unchanged.
func (w *walker) lift(e *Entity, at *mark.Mark, text []byte, edits []codec.Edit) []codec.Edit {
	if len(edits) == 0 {
		return nil
	}
	w.forget()
	lifted, err := w.replacer.Lift(at.Codec, e.text.Bytes[at.Start:at.End], text, edits)
	if err != nil {
		w.reportFor(e, e.text, &Problem{Offset: at.Start, Code: CodeRewriteRefused, Setting: limitOf(err), Detail: err.Error()})
		return nil
	}
	e.spelling.Escape(at.Codec, lifted)
	return codec.Shift(lifted, at.Start)
}

// liftCharset converts edits of the text of an entity to edits of its bytes, which spell the text in a charset. It
// reports an edit that the charset cannot spell, and makes the other edits.
func (w *walker) liftCharset(e *Entity, edits []codec.Edit) []codec.Edit {
	w.forget()
	lifted, err := w.replacer.LiftEach(e.charset, e.Bytes, e.text.Bytes, edits, func(i int, err error) {
		w.report(e, e.text, edits[i].Start, CodeRewriteRefused, err.Error())
	})
	if err != nil {
		w.report(e, nil, 0, CodeRewriteRefused, err.Error())
	}
	return lifted
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

// spell is spellable for the edits of one mark. If some edits of a document are refused, and fields of the document depend
// on all of its edits, spell removes all of them.
func (v *visit) spell(at *mark.Mark, from int) {
	if at.Start < v.removed { // an edit has removed the element, and the edits in the element before this mark
		from = max(len(v.edits)-1, 0)
	}
	made, p := len(v.edits), at.Part
	v.edits = v.w.spellable(v.e, v.edits, from)
	if len(v.edits) == made || p == nil || p.MD5.Len() == 0 && (at.Format == nil || at.Format.Embeds != mark.AnyDocuments) {
		return
	}
	v.edits = slices.DeleteFunc(v.edits, func(e codec.Edit) bool {
		return e.Start >= at.Start && e.Start <= at.End || p.MD5.Len() > 0 && e.Start >= p.MD5.Start && e.Start < p.MD5.End
	})
}

// regionOutlet returns the outlet of the region at, whose text is t. It returns nil if the text is short, or if the edits
// of the region are perhaps dropped when all are known. fixed reports whether they are.
func (v *visit) regionOutlet(at *mark.Mark, t *source.Text, fixed bool) *lifter {
	w, next := v.w, v.outlet
	if fixed || next == nil && !v.m.Notes.Late {
		return nil
	}
	s := codec.NewStretches(at.Codec, t.Src, t.Bytes)
	if s == nil {
		return nil
	}
	if next == nil {
		next = &joiner{text: v.e.text}
	}
	return &lifter{w: w, stretches: s, in: v.e, text: t, codec: at.Codec, next: next}
}

// startOf returns the offset before which no mark of a chunk changes the text. A BASE element that is perhaps removed may begin
// before the marks of its attributes.
func (v *visit) startOf(chunk []mark.Mark) int {
	start := chunk[0].Start
	if v.w.BaseURLs == BaseKeep {
		return start
	}
	for i := range chunk {
		if el := chunk[i].Element(); el.Len() > 0 {
			start = min(start, el.Start)
		}
	}
	return start
}

// handOn passes edits to the outlet. No other edit starts before the offset upTo. Without an outlet, it returns the edits.
func (f *frame) handOn(edits []codec.Edit, upTo int) []codec.Edit {
	if f.outlet == nil {
		return edits
	}
	f.outlet.take(edits, upTo)
	clear(edits)
	return edits[:0]
}

// before hands the edits on if the region at may have an outlet.
func (v *visit) before(at *mark.Mark) {
	if (at.Kind == mark.IsInline || at.Kind == mark.IsNested) && codec.Long(at.Span()) {
		v.edits = v.handOn(v.edits, at.Start)
	}
}

// textOutlet returns the outlet of the text of an entity. bytes is the outlet of its bytes, or nil. textOutlet returns nil
// without an outlet of the bytes, and for a short text in a charset.
func (w *walker) textOutlet(e *Entity, bytes outlet) outlet {
	switch {
	case bytes == nil || e.charset == nil && e.text.Start == 0:
		return bytes
	case e.charset == nil:
		return &shifter{by: e.text.Start, next: bytes}
	}
	if s := codec.NewStretches(e.charset, e.Bytes, e.text.Bytes); s != nil {
		return &lifter{w: w, stretches: s, in: e, text: e.text, next: bytes}
	}
	return nil
}

// take writes the record up to the end of the last edit.
func (o *recordWriter) take(edits []codec.Edit, _ int) { o.put(edits) }

// shifter is the outlet of a text that begins at an offset in other bytes: after a byte order mark, or in a stream of records.
type shifter struct {
	by   int
	next outlet // of the bytes
}

func (o *shifter) take(edits []codec.Edit, upTo int) {
	o.next.take(codec.Shift(edits, o.by), o.by+upTo)
}

// joiner is the outlet of a text with fields that depend on all edits, such as a length. It joins the edits of each stretch of a
// long region to one edit, and keeps them.
type joiner struct {
	text  *source.Text
	edits []codec.Edit
}

func (o *joiner) take(edits []codec.Edit, _ int) {
	if len(edits) > 1 {
		span := codec.Span{Start: edits[0].Start, End: edits[len(edits)-1].End}
		one := codec.AsOne(o.text.Bytes[span.Start:span.End], codec.Shift(edits, -span.Start))
		edits = codec.Shift([]codec.Edit{one}, span.Start)
	}
	o.edits = append(o.edits, edits...)
}

// lifter is the outlet of a long text that a codec spells. It lifts the edits of a stretch when all of them are known.
type lifter struct {
	w         *walker
	stretches *codec.Stretches
	edits     []codec.Edit // that are not lifted yet

	in    *Entity // the entity of the text; for a region, the entity around it
	text  *source.Text
	codec codec.Codec // of a region; nil for the charset of an entity
	next  outlet      // of the text around it
}

func (o *lifter) take(edits []codec.Edit, upTo int) {
	if o.codec == codec.Identity { // each edit is lifted alone
		o.next.take(o.lift(o.stretches.Whole(), edits), o.text.Start+min(upTo, len(o.text.Src)))
		return
	}
	o.edits = append(o.edits, edits...)
	o.w.held += len(edits)
	for at, ok := o.stretches.Next(o.edits, upTo); ok; at, ok = o.stretches.Next(o.edits, upTo) {
		known, rest := at.Take(o.edits)
		o.w.held -= len(o.edits) - len(rest)
		o.edits = rest
		o.next.take(o.lift(at, known), o.text.Start+o.stretches.Start())
	}
}

// finish takes the last edits of a region. It returns the edits of the text around the region, if they were joined.
func (o *lifter) finish(edits []codec.Edit) []codec.Edit {
	o.take(edits, math.MaxInt)
	if joined, ok := o.next.(*joiner); ok {
		return joined.edits
	}
	return nil
}

// lift lifts the edits of one stretch. It reports an edit that has no spelling, and lifts the others.
func (o *lifter) lift(at codec.Stretch, edits []codec.Edit) []codec.Edit {
	w := o.w
	w.forget()
	lifted, err := o.stretches.Lift(&w.replacer, at, edits, func(i int, err error) {
		w.report(o.in, o.text, at.Text.Start+edits[i].Start, CodeRewriteRefused, err.Error())
	})
	if err != nil {
		w.report(o.in, o.text, at.Text.Start, CodeRewriteRefused, err.Error())
	}
	if o.codec == nil {
		return lifted
	}
	o.in.spelling.Escape(o.codec, lifted)
	codec.Shift(lifted, o.text.Start)
	if _, joins := o.next.(*joiner); o.in.raw && !joins { // joined edits are spelled with those of the text around them
		lifted = w.spellable(o.in, lifted, 0)
	}
	return lifted
}
