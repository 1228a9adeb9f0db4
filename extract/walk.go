package extract

// This file walks an entity: it has the text marked, makes the scope, and then visits the marks in the order of the
// bytes.

import (
	"slices"
	"sort"

	"absolink/base"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/scopes"
	"absolink/resolve"
)

// visit is the second half of the walk of an entity, in which its scope is known and its marks are visited.
type visit struct {
	w          *walker
	e          *Entity
	m          *mark.Marks
	scopes     *scopes.Elements   // nil if no element declares a base
	declared   []base.Declaration // by the entity itself
	outside    *base.Scope        // see mark.Outside; nil until a mark has this scope
	early      *base.Scope        // see mark.Early; nil until a mark has this scope
	candidates []base.Candidate
	ordinals   map[*mark.Place]int // how many nested documents there were so far at a place
	edits      []codec.Edit
	tied       bool        // the edits depend on each other, so they are made together or not at all
	elements   []mark.Mark // the BASE elements, if they are to be emptied or removed
	keepsBase  bool        // they stay
	guessed    bool        // the format or the charset was guessed from the bytes, so edits may change the guess
	detected   bool        // the format was
	inUTF8of   *base.Scope // the last argument of inUTF8
	utf8       *base.Scope // and its result
	requested  *base.Scope // the last result of request, or nil
	redirects  int         // and its argument
	search     search      // see leave
	walked     bool        // the last nested document was
}

// walkText walks the text of an entity and the documents in it, and returns the edits of the text. If tied is set, they
// are made together or not at all.
func (w *walker) walkText(e *Entity) (edits []codec.Edit, tied bool) {
	call, totals := w.call, w.totals
	m := w.marked(e)
	e.feed = e.feed || m.Notes.Feed
	declared := w.declarations(e, m)
	e.redirected = len(m.Notes.Redirects) > 0
	e.Scope = w.enclose(e, e.outerScope, e.std, e.placeName, m, declared)
	candidates := w.reportCandidates(e, declared)
	signature := w.keptBy(e, m)
	w.showEntity(e)
	w.reportNotes(e, &e.text, m)
	w.countMarks(e, m)
	if m.Notes.Opaque || w.totals.full && w.call.rewriting {
		w.leaveUnread(e, e.Path, &e.text)
		return nil, false
	}
	level := w.level(e.depth)
	level.forget()
	v := &level.visit
	*v = visit{w: w, e: e, m: m, declared: declared, candidates: candidates, edits: level.edits[:0]}
	v.scopes, v.search = w.elementScopes(e, m, v.scopeAt), w.searches(e, &e.text)
	v.search.skipped = m.Notes.Skipped
	e.parts = v.partsOf()
	v.all()
	w.leave(&v.search, e, &e.text, len(e.text.Bytes), LeftInText)
	if signature != nil && w.signed {
		w.reportAt(e, &e.text, &Problem{Offset: signature.Offset, Code: CodeSignatureWouldBreak, Severity: SeverityNote,
			Setting: settingKeepDKIM,
			Detail:  "kept unchanged: the message has a DKIM signature or an ARC seal"})
	}
	switch v.finish(); {
	case v.keepsBase && e.local != nil && e.local.book: // absolute, it would lead all links of the page out of the book
		w.call.tried = call.tried
		return nil, false
	case v.keepsBase && e.local != nil:
		w.call.result, w.call.tried, w.totals = call.result, call.tried, totals
		return w.withoutLocal(e)
	}
	level.edits = v.edits
	return v.edits, v.tied
}

// all resolves the links and walks the nested documents, in the order of the bytes.
func (v *visit) all() {
	left := v.m.Len()
	for marks := range v.m.Drain {
		if v.w.call.rewriting && cap(v.edits)-len(v.edits) < len(marks) && left > len(marks) {
			v.edits = slices.Grow(v.edits, left) // once, for most marks get an edit
		}
		left -= len(marks)
		v.findings(marks)
	}
}

// marksBetween is the number of marks between two checks of the context.
const marksBetween = 256

func (v *visit) findings(found []mark.Mark) {
	w, e := v.w, v.e
	for i := range found {
		if i%marksBetween == 0 && w.call.failed == nil {
			w.call.failed = interrupted(w.call.ctx)
		}
		if w.call.failed != nil || w.totals.full && !v.m.Notes.Full {
			return
		}
		at := &found[i]
		scope, from, tied := e.Scope, len(v.edits), false
		if v.unwanted(at) {
			continue
		}
		if at.ScopeNumber != 0 {
			scope = v.scopeOf(at)
		}
		made := len(w.totals.made) + len(v.elements)
		if v.search.before(at.Start) {
			w.leave(&v.search, e, &e.text, at.Start, LeftInText)
		}
		switch at.Kind {
		case mark.IsLink:
			v.edits = w.walkLink(v.edits, &reference{e: e, text: &e.text, at: at, place: at.Place, scope: scope})
		case mark.IsBase:
			v.visitBase(at, scope)
		case mark.IsInline:
			if at.Format.UTF8 && e.std != w.x.Standard {
				scope = v.inUTF8(scope)
			}
			v.edits = append(v.edits, v.inline(at, scope)...)
		case mark.IsNested:
			tied = v.nested(at, scope)
		}
		if len(v.edits) > from {
			v.dropUnwritable(at, from, tied)
			v.sort(from)
		}
		if v.search.next != nil {
			v.leaveMark(at, len(w.totals.made)+len(v.elements) > made)
		}
	}
}

// unwanted reports whether a mark of an entity that is not wanted is passed over: it cannot name a body part.
func (v *visit) unwanted(at *mark.Mark) bool {
	return !v.e.wanted && at.Kind != mark.IsNested && (v.e.siblings == nil || at.Kind == mark.IsBase)
}

// sort sorts the edits of a mark, from an index on, into those before, because a Content-MD5 may be before a link in
// the same header.
func (v *visit) sort(from int) {
	if from == 0 || from == len(v.edits) || v.edits[from].Start >= v.edits[from-1].Start {
		return
	}
	first := sort.Search(from, func(i int) bool { return v.edits[i].Start > v.edits[from].Start })
	codec.SortEdits(v.edits[first:])
}

// visitBase visits a declared base. A declaration that is also a link is only a link if its base does not apply.
func (v *visit) visitBase(at *mark.Mark, scope *base.Scope) {
	c := v.candidate(at)
	if at.Base.Listed {
		if c == nil || c.Verdict != base.VerdictUsed {
			v.edits = v.w.walkLink(v.edits, &reference{e: v.e, text: &v.e.text, at: at, place: at.Place, scope: scope})
			return
		}
		v.listBase(at, c)
	}
	if c != nil && !at.Base.Retrieval {
		v.w.call.result.Links++
	}
	if at.Base.Element.Len() > 0 && v.w.baseURLs(v.e) != BaseKeep {
		v.elements = append(v.elements, *at)
		return
	}
	v.edits = append(v.edits, v.baseEdits(at, false)...)
}

// nested walks a document that is embedded in the entity, and reports whether the edits that it appends depend on each
// other.
func (v *visit) nested(at *mark.Mark, scope *base.Scope) (tied bool) {
	w := v.w
	ordinal := 0
	v.walked = false
	if at.Part == nil { // the name of a body part is unique already
		ordinal = v.ordinal(at.Place)
	}
	if at.Part != nil && v.e.parts != nil && v.e.parts.IsSaved() {
		scope = v.partScope(v.e.joinPath(at.Name()), scope)
	}
	if w.totals.full {
		return false
	}
	tied = v.walkRegion(at, scope, ordinal)
	v.tied = v.tied || tied
	return tied
}

// partScope returns the scope of a part of a page that Chromium saved.
func (v *visit) partScope(path string, scope *base.Scope) *base.Scope {
	inner, ok := v.e.parts.ScopeOf(path, scope)
	if !ok {
		v.w.reportStaying(v.e, &v.e.text, &Problem{Code: CodeLinkLimit, Setting: settingMaxRecord,
			Detail: "all bases of body parts together are too long; " + path + " has no base"})
		return v.w.noBase()
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

// inUTF8 returns a scope in which queries are encoded in UTF-8, and all else is the same.
func (v *visit) inUTF8(scope *base.Scope) *base.Scope {
	if v.inUTF8of != scope {
		v.inUTF8of, v.utf8 = scope, v.w.enclose(v.e, scope, v.w.x.Standard, "", nil, nil)
	}
	return v.utf8
}

// walkRegion walks a region that is an embedded document, and appends the edits of the text of the entity, which depend
// on each other if tied is set.
func (v *visit) walkRegion(at *mark.Mark, scope *base.Scope, ordinal int) (tied bool) {
	w, e, depth := v.w, v.e, v.e.depth+1
	defer w.level(depth).forget()
	t, format := w.regionOf(e, at, depth)
	if t == nil {
		return false
	}
	child := v.child(at, format, t, scope, ordinal)
	v.walked, child.clean = true, t.Codec == nil && !v.search.before(at.End)
	var edits []codec.Edit
	if p := at.Part; p != nil {
		edits, tied = w.walkBytes(child, *p)
	} else {
		edits, tied = w.walkText(child)
	}
	return v.liftChild(at, child, edits, tied)
}

// inline walks a region in a small grammar, like a srcset, whose links belong to the entity. It returns the edits of
// the text of the entity.
func (v *visit) inline(at *mark.Mark, scope *base.Scope) []codec.Edit {
	w, e, depth := v.w, v.e, v.e.depth+1
	src := e.text.Bytes[at.Start:at.End]
	level := w.level(depth)
	t := &level.region
	if err := t.Decode(&e.text, at.Start, src, at.Codec, &level.room); err != nil {
		w.reportUndecodable(e, &e.text, at.Start, err, err.Error())
	}
	m := w.marks(depth)
	at.Format.Mark(t.Bytes, m)
	if w.countMarks(e, m); w.totals.full && w.call.rewriting {
		return nil
	}
	if m.Notes.NeedsBase {
		e.needBase()
	}
	v.m.Notes.Integrity = append(v.m.Notes.Integrity, m.Notes.Integrity...)
	var edits []codec.Edit
	if n := m.Len(); w.call.rewriting && n > 1 {
		edits = make([]codec.Edit, 0, n)
	}
	r := reference{e: e, text: t, place: at.Place, scope: scope}
	var s search
	if v.search.before(at.End) {
		s = w.searches(e, t)
	}
	for marks := range m.Drain {
		for i := range marks {
			w.leave(&s, e, t, marks[i].Start, LeftInText)
			if r.at = &marks[i]; r.at.Kind == mark.IsDropped {
				w.reportDropped(e, t, r.at)
				continue
			}
			if !at.Format.Single {
				r.number++
			}
			if w.call.failed == nil {
				n := len(w.totals.made)
				edits = w.walkLink(edits, &r)
				w.leaveLink(&s, e, t, r.at, len(w.totals.made) > n, w.cause)
			}
		}
	}
	w.leave(&s, e, t, len(t.Bytes), LeftInText)
	w.reportNotes(e, t, m)
	return w.liftRegion(e, at, t, edits, false)
}

// walkLink resolves one link and passes it to the caller. In a rewriting, it appends the edits that replace the link.
func (w *walker) walkLink(edits []codec.Edit, r *reference) []codec.Edit {
	raw := r.text.Bytes[r.at.Start:r.at.End]
	if len(raw) == 0 && r.place.Inert && w.x.Standard == resolve.WHATWG ||
		w.unshown(r.e) && r.e.siblings == nil && len(w.totals.unsuitable) == 0 {
		return edits
	}
	l := w.linkAt(r, raw)
	if !r.relative {
		r.e.siblings.Encloses(r.e.group, r.scope, r.place, l.Ref)
	}
	if w.unshown(r.e) {
		w.reportUnsuitable(r, false)
		return edits
	}
	w.call.result.Links++
	w.cause = LeftFiltered
	if len(w.x.Places) > 0 && !w.x.isPlace(r.place, r.number) {
		w.staysRelative(r)
		return edits
	}
	var d decision
	w.decide(r, l, &d)
	if w.call.rewriting && r.e.local != nil {
		w.localize(r, l, &d)
	}
	w.announce(r, l, &d)
	w.cause = LeftKept
	if d.stays {
		changes := !d.asksMap || w.newRef(r, l, &d) != nil // also if not signed: see asksMap
		if d.signed && changes {                           // the link would change but for KeepDKIM
			w.signed = true
		}
		if d.local == nil {
			return edits
		}
	}
	if !w.call.rewriting {
		return edits
	}
	if to := w.newRef(r, l, &d); to != nil && (d.local != nil || !w.isLocalCopy(r, to)) {
		edits = w.replace(edits, r, l, to)
	}
	return edits
}
