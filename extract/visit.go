package extract

// This file visits the marks of an entity in the order of the bytes, after the scope of the entity is closed. It leads each
// reference through its phases.

import (
	"slices"
	"sort"

	"absolink/base"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// all resolves the links and walks the nested documents, in the order of the bytes.
func (v *visit) all() {
	v.edits, v.ordinals = v.edits[:0], nil
	left := v.m.Len()
	for marks := range v.m.Drain {
		if cap(v.edits)-len(v.edits) < len(marks) && left > len(marks) {
			v.edits = slices.Grow(v.edits, left) // once, and not step by step
		}
		left -= len(marks)
		v.findings(marks)
	}
}

// marksBetween is the number of marks between two checks of the context.
const marksBetween = 256

// findings visits the marks of one block.
func (v *visit) findings(found []mark.Mark) {
	w, e := v.w, v.e
	for i := range found {
		if i%marksBetween == 0 && w.call.failed == nil {
			w.call.failed = interrupted(w.call.ctx)
		}
		if w.call.failed != nil || w.rec.full && !v.m.Notes.Full {
			return
		}
		at := &found[i]
		scope, from, tied := e.Scope, len(v.edits), false
		if !e.wanted && at.Kind != mark.IsNested && (e.among == nil || at.Kind == mark.IsBase) {
			continue // the document is not wanted
		}
		if at.Scope != 0 {
			scope = v.scopeOf(at)
		}
		switch at.Kind {
		case mark.IsLink:
			v.edits = w.reference(v.edits, &reference{e: e, text: e.text, at: at, place: at.Place, scope: scope})
			v.unlessSigned(at, from)
		case mark.IsBase:
			v.declaration(at, scope)
		case mark.IsInline:
			if at.Format.UTF8 && v.std != w.x.Standard {
				scope = v.inUTF8(scope)
			}
			edits := v.inline(at, scope)
			v.edits = append(v.edits, edits...)
			v.unlessSigned(at, from)
		case mark.IsNested:
			tied = v.nested(at, scope)
		}
		if e.raw && len(v.edits) > from {
			v.spell(at, from, tied)
		}
	}
}

// declaration visits a declared base. Some declarations are also links. Such a declaration is only a link if its base
// is not used.
func (v *visit) declaration(at *mark.Mark, scope *base.Scope) {
	from, c := len(v.edits), v.candidate(at)
	if at.Base.Listed {
		if c == nil || c.Verdict != base.VerdictUsed {
			v.edits = v.w.reference(v.edits, &reference{e: v.e, text: v.e.text, at: at, place: at.Place, scope: scope})
			return
		}
		v.listBase(at, c)
	}
	if c != nil && !at.Base.Retrieval {
		v.w.call.result.Links++
	}
	if at.Base.Element.Len() > 0 && v.w.x.BaseURLs != BaseKeep {
		v.elements = append(v.elements, *at)
		return
	}
	v.edits = append(v.edits, v.baseEdits(at, false)...)
	v.unlessSigned(at, from)
}

// nested walks a document that is embedded in the entity. It reports whether the edits that it appends depend on each other.
func (v *visit) nested(at *mark.Mark, scope *base.Scope) (tied bool) {
	w := v.w
	ordinal := 0
	if at.Part == nil { // the place of a body part is a unique name
		ordinal = v.ordinal(at.Place)
	}
	if at.Part != nil && v.e.parts != nil && v.e.parts.IsSaved() {
		scope = v.partScope(v.e.within(at.Name()), scope)
	}
	if w.rec.full {
		return false
	}
	edits, tied := w.walkRegion(v, at, scope, ordinal)
	if len(edits) == 0 {
		return false
	}
	v.tied = v.tied || tied
	// The edit of a Content-MD5 may be before the edit of a link in the same header. Then the edits must be sorted.
	from := len(v.edits)
	first := sort.Search(from, func(i int) bool { return v.edits[i].Start > edits[0].Start })
	if v.edits = append(v.edits, edits...); first < from {
		codec.SortEdits(v.edits[first:])
	}
	return tied
}

// partScope returns the scope of a part of a page that Chromium saved.
func (v *visit) partScope(path string, scope *base.Scope) *base.Scope {
	inner, ok := v.e.parts.ScopeOf(path, scope)
	if !ok {
		v.w.reportFor(v.e, v.e.text, &Problem{Code: CodeSizeLimit, Setting: settingMaxRecord,
			Detail: "all bases of body parts together are too long; " + path + " has no base"})
		v.w.rec.baseless = true
		return base.Root(v.w.x.Standard)
	}
	return inner
}

// ordinal returns the number, from 1, of the next nested document at a place.
func (v *visit) ordinal(place *mark.Place) int {
	if v.ordinals == nil {
		v.ordinals = map[*mark.Place]int{}
	}
	v.ordinals[place]++
	return v.ordinals[place]
}

// inUTF8 returns the same scope, but for queries in UTF-8.
func (v *visit) inUTF8(scope *base.Scope) *base.Scope {
	if v.page != scope {
		v.page, v.utf8 = scope, v.w.enclose(v.e, scope, v.w.x.Standard, "", nil, nil)
	}
	return v.utf8
}

// baseElements empties or removes the BASE elements of the entity, when all its links are known. A BASE element stays, and becomes
// absolute like a link, if a reference that stays relative needs it, or if the entity would be read in another way without it.
func (v *visit) baseElements() {
	if len(v.elements) == 0 {
		return
	}
	links := v.edits
	if !v.e.baseNeeded {
		if v.edits = v.withBases(links, true); !v.guessed || v.readAs(v.edits) == "" {
			v.tied = true
			v.w.call.result.tried += changed(v.edits) - changed(links)
			return
		}
	}
	v.edits = v.withBases(links, false)
}

// changed returns the number of links that edits change.
func changed(edits []codec.Edit) (n int) {
	for i := range edits {
		for c := edits[i].Changes; c != nil; c = c.Next {
			n += c.N
		}
	}
	return n
}

// withBases returns edits of links together with those of the BASE elements. drop reports whether these are emptied or removed. The
// other edits in an element that is removed are left out.
func (v *visit) withBases(links []codec.Edit, drop bool) []codec.Edit {
	w, e := v.w, v.e
	all := make([]codec.Edit, 0, len(links)+len(v.elements))
	for i := range v.elements {
		at := &v.elements[i]
		if !drop && w.call.rewriting && !w.unwritten(e) && at.Base.Refuse == "" {
			w.problemAt(e, e.text, &Problem{Offset: at.Start, Code: CodeBaseNeeded, Setting: settingBaseURLs,
				Detail: "the BASE element is not changed: links or URL patterns that stay relative need it, or the document would be read in another way without it"})
		}
		edits := v.baseEdits(at, drop)
		if e.raw {
			edits = w.spellable(e, edits, 0)
		}
		for _, edit := range edits {
			n := sort.Search(len(links), func(i int) bool { return links[i].Start >= edit.Start })
			all, links = append(all, links[:n]...), links[n:]
			for len(links) > 0 && links[0].End <= edit.End {
				links = links[1:]
			}
			all = append(all, edit)
		}
	}
	return append(all, links...)
}

// baseEdits returns the edits of a declared base. The new base is the absolute URL or the result of Map. Or if drop is true, the
// edits empty the BASE element, or remove it. A declaration that is not used as a base stays unchanged, unless BASE elements are
// emptied or removed.
func (v *visit) baseEdits(at *mark.Mark, drop bool) []codec.Edit {
	w, e, c := v.w, v.e, v.candidate(at)
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
	case drop && w.x.BaseURLs == BaseRemove && !at.Base.Filled:
		edits = []codec.Edit{{Span: at.Element()}}
	case drop:
		edits = w.lift(e, at, t, []codec.Edit{{Span: codec.Span{End: len(text)}}}, true)
	case !used || !w.x.isPlace(at.Place, 0):
		return nil
	default:
		var changes bool
		if to, changes = v.newBase(at, c, string(value)); !changes {
			return nil
		}
		w.call.result.tried++
		if more := len(to) - len(from); more > 0 && !w.rec.budget.spend(more) {
			w.outgrown(e, e.text, at.Start)
			return nil
		}
		edits = []codec.Edit{{Span: url, New: []byte(to)}}
		if at.Base.Wrapped {
			// A reader of the new field must find the same URL: "<URL:...>" cannot contain a space.
			if _, reads := urlOfField(codec.Apply(nil, text, edits)); string(reads) != to {
				w.report(e, e.text, at.Start, CodeRewriteRefused, "not rewritten: "+mark.Quote([]byte(to))+" would be read as "+mark.Quote(reads))
				return nil
			}
		}
		edits = w.lift(e, at, t, edits, true)
	}
	if len(edits) > 0 {
		edits[0].Changes = w.changes(v.linkOf(at, string(value), from), []byte(to))
	}
	return edits
}

// newBase returns the new value of a declared base, and whether it differs from the old value. Map does not change a
// URL that an archive records for a document.
func (v *visit) newBase(at *mark.Mark, c *base.Candidate, value string) (url string, changes bool) {
	stays := !c.Relative && c.Value == value
	if v.w.x.Map == nil || at.Base.Retrieval {
		return c.URL, !stays
	}
	url, changes = v.w.x.Map(v.baseLink(at, c))
	return url, changes && url != value && !(stays && url == c.URL)
}

// listBase passes a base in force to the caller as a link. Only a Content-Location is both: it also names its part.
func (v *visit) listBase(at *mark.Mark, c *base.Candidate) {
	w := v.w
	if w.call.visitEntity == nil && (w.call.visitLink != nil || w.x.OnLink != nil) && w.x.isPlace(at.Place, 0) {
		w.show(v.baseLink(at, c))
	}
}

// linkOf returns a link at a mark.
func (v *visit) linkOf(at *mark.Mark, ref, url string) *Link {
	return &Link{Entity: v.e, Offset: v.e.text.Span(at.Span()).Start, Ref: []byte(ref), URL: []byte(url), place: at.Place}
}

// baseLink returns a declared base as a link. The base was resolved against the base of the next rung.
func (v *visit) baseLink(at *mark.Mark, c *base.Candidate) *Link {
	e, l := v.e, &v.w.buf.link
	s := e.text.Span(at.Span())
	*l = Link{Entity: e, Offset: s.Start, Raw: e.Bytes[s.Start:s.End], Ref: []byte(c.Value), URL: []byte(c.URL), Status: StatusAbsolute, Scope: e.Scope, place: at.Place}
	if c.Relative {
		l.Scope, l.Status = v.after(c), StatusResolved
	}
	return l
}

// complete changes the edits of the entity where they depend on all of them.
func (v *visit) complete() {
	w, e, m := v.w, v.e, v.m
	if v.guessed {
		v.edits = v.asGuessed(v.edits)
	}
	v.edits = mark.Mended(e.text.Bytes, m.Notes.Menders, v.edits)
	v.tied = v.tied || len(m.Notes.Menders) > 0
	for _, b := range m.Notes.Breaks {
		if len(mark.Within(v.edits, b.Of)) > 0 {
			w.fault(e, e.text, 0, &b.Fault)
		}
	}
}

// reference resolves one link, and tells the caller. When rewriting, it appends the edits that replace the link.
func (w *walker) reference(edits []codec.Edit, r *reference) []codec.Edit {
	raw := r.text.Bytes[r.at.Start:r.at.End]
	if len(raw) == 0 && r.place.Inert && w.x.Standard == resolve.WHATWG || w.unshown(r.e) && r.e.among == nil && len(w.rec.unsuitable) == 0 {
		return edits
	}
	l := w.linkAt(r, raw)
	if l.Status == StatusAbsolute {
		r.e.among.Encloses(r.e.group, r.scope, r.place, l.Ref)
	}
	if w.unshown(r.e) {
		w.needed(r, l, false)
		return edits
	}
	w.call.result.Links++
	if len(w.x.Places) > 0 && !w.x.isPlace(r.place, r.number) {
		w.leave(r.e, l)
		return edits
	}
	var d decision
	w.rec.budget = w.decide(r, l, &d, w.rec.budget)
	w.announce(r, l, &d)
	if changes := !d.asksMap || w.newRef(r.e, l) != nil; d.signed && changes {
		w.rec.signedLinks++
	}
	if d.stays || !w.call.rewriting {
		return edits
	}
	if to := w.newRef(r.e, l); to != nil && !w.isLocalCopy(r, to) {
		edits = w.replace(edits, r, l, to)
	}
	return edits
}

// inline walks a region in a small grammar, and returns the edits of the text of the entity. The links belong to the
// entity.
func (v *visit) inline(at *mark.Mark, scope *base.Scope) []codec.Edit {
	w, e, depth := v.w, v.e, v.depth+1
	src := e.text.Bytes[at.Start:at.End]
	level := w.level(depth)
	t := &level.region
	if err := t.Decode(e.text, at.Start, src, at.Codec, &level.room); err != nil {
		w.undecodable(e, e.text, at.Start, err, err.Error())
	}
	m := w.marks(depth)
	at.Format.Extract(t.Bytes, m)
	if w.counted(e, m); w.rec.full && w.call.rewriting {
		return nil
	}
	if m.Notes.NeedsBase {
		e.needBase()
	}
	var edits []codec.Edit
	if n := m.Len(); w.call.rewriting && n > 1 {
		edits = make([]codec.Edit, 0, n)
	}
	r := reference{e: e, text: t, place: at.Place, scope: scope}
	for marks := range m.Drain {
		for i := range marks {
			if r.at = &marks[i]; r.at.Kind == mark.IsDropped {
				w.dropped(e, t, r.at)
				continue
			}
			if !at.Format.Single {
				r.number++
			}
			if w.call.failed == nil {
				edits = w.reference(edits, &r)
			}
		}
	}
	for i := range m.Notes.Faults {
		w.fault(e, t, 0, &m.Notes.Faults[i])
	}
	return w.lift(e, at, t, edits, false)
}
