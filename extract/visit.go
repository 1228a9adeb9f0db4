package extract

import (
	"absolink/base"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
	"absolink/resolve"
	"slices"
	"sort"
)

// visit is the second half of the walk of an entity, after its scope is closed.
type visit struct {
	w          *walker
	e          *Entity
	m          *mark.Marks
	std        resolve.Standard
	depth      int
	scopes     []*base.Scope
	outer      *base.Scope
	place      string             // the place of the entity in the entity around it
	declared   []base.Declaration // the declarations of the entity
	outside    *base.Scope
	early      *base.Scope // nil until a mark has this scope
	candidates []base.Candidate
	ordinals   map[*mark.Place]int // the number of nested documents so far, by place
	edits      []codec.Edit
	changes    int // the index of the first change of the entity
	removed    int // the end of the last BASE element that was removed

	page, utf8 *base.Scope // a scope, and the same scope for queries in UTF-8

	requested *base.Scope // of the last request, or nil
	redirects int         // the number of redirects before that request
}

// all resolves the links and walks the nested documents, in the order of the bytes. If the bytes of a record are its
// text, all writes the edits chunk by chunk, unless they are needed until the end.
func (v *visit) all() {
	v.edits, v.changes, v.ordinals, v.removed = v.edits[:0], len(v.w.changes), nil, 0
	writes := v.e.outer == nil && v.e.charset == nil && !v.m.Notes.Late
	for chunk := range v.m.All {
		if writes && len(v.edits) > 0 {
			v.w.outward(v.changes, v.e.text)
			v.w.out.put(codec.Shift(v.edits, v.e.text.Start))
			v.edits = v.edits[:0]
		}
		v.findings(chunk)
	}
}

// marksBetween is the number of marks after which the context is checked again.
const marksBetween = 256

// findings is all for the marks of one chunk.
func (v *visit) findings(found []mark.Mark) {
	w, e := v.w, v.e
	for i := range found {
		if i%marksBetween == 0 && w.failed == nil {
			w.failed = w.ctx.Err()
		}
		if w.failed != nil {
			return
		}
		at, scope, from, changes := &found[i], e.Scope, len(v.edits), len(w.changes)
		if at.Start < v.removed || !e.wanted && at.Kind != mark.IsNested && (e.among == nil || at.Kind == mark.IsBase) {
			continue // the region is inside the element that is removed, or the document is not wanted
		}
		if at.Scope != 0 {
			scope = v.scopeOf(at)
		}
		switch at.Kind {
		case mark.IsLink:
			v.edits = w.reference(v.edits, e, e.text, at, at.Place, 0, scope)
			v.unlessSigned(at, from, changes)
		case mark.IsBase:
			v.declaration(at, scope)
		case mark.IsInline:
			if at.Format.UTF8 && v.std != w.Standard {
				scope = v.inUTF8(scope)
			}
			v.edits = append(v.edits, w.inline(e, at, scope, v.depth+1)...)
			v.unlessSigned(at, from, changes)
		case mark.IsNested:
			v.nested(at, scope)
		}
		if e.raw && len(v.edits) > from {
			v.edits = w.spellable(e, v.edits, from, changes)
		}
	}
}

// declaration visits a declared base. Some are links as well, and are only links if the base is not used.
func (v *visit) declaration(at *mark.Mark, scope *base.Scope) {
	from, changes := len(v.edits), len(v.w.changes)
	c := v.candidate(at)
	if at.Base.Listed {
		if c == nil || c.Verdict != base.Used {
			v.edits = v.w.reference(v.edits, v.e, v.e.text, at, at.Place, 0, scope)
			return
		}
		v.listBase(at, c)
	}
	v.base(at)
	v.unlessSigned(at, from, changes)
}

// nested walks a document that is embedded in the entity.
func (v *visit) nested(at *mark.Mark, scope *base.Scope) {
	w := v.w
	ordinal := 0
	if at.Part == nil { // the place of a body part is a unique name
		ordinal = v.ordinal(at.Place)
	}
	if w.naming != nil && at.Part != nil {
		if v.e.parts != w.naming {
			return // its references name no part of the message w.naming
		}
		w.naming.at = at.Start
	}
	if at.Part != nil && v.e.parts != nil && v.e.parts.within != nil {
		scope = v.partScope(v.e.within(at.Place.Name), scope)
	}
	edits := w.nested(v.e, at, v.std, scope, ordinal, v.depth+1)
	if len(edits) == 0 {
		return
	}
	// The edit of a Content-MD5 may come before the edit of a link in the same header. Then the edits are sorted.
	from := len(v.edits)
	first := sort.Search(from, func(i int) bool { return v.edits[i].Start > edits[0].Start })
	if v.edits = append(v.edits, edits...); first < from {
		codec.SortEdits(v.edits[first:])
	}
}

// partScope returns the scope of a part of a page that Chromium saved.
func (v *visit) partScope(path string, scope *base.Scope) *base.Scope {
	inner, ok := v.e.parts.scopeOf(path, scope)
	if !ok {
		v.w.report(v.e, v.e.text, 0, SizeLimit, "the bases of parts are too long all together; that of "+path+" is not known")
		return base.Root(v.w.Standard)
	}
	return inner
}

// ordinal returns the number of the next nested document at a place.
func (v *visit) ordinal(place *mark.Place) int {
	if v.ordinals == nil {
		v.ordinals = map[*mark.Place]int{}
	}
	v.ordinals[place]++
	return v.ordinals[place]
}

// scopeOf returns the scope of a mark. A header field of a body part may declare the base in force. Or it would, if
// there were a base around the part. Such a field is also a link, and its scope is the scope around the part: so the
// link is resolved as the base is.
func (v *visit) scopeOf(at *mark.Mark) *base.Scope {
	scope := v.scopeAt(at.Scope)
	if at.Base == nil || scope.By() != at.Base.By && scope.Rung() != base.Default {
		return scope
	}
	for n := at.Scope; n > 0; n = v.m.Scopes()[n-1].Scope {
		if v.m.Scopes()[n-1].Base == at.Base {
			return v.scopeAt(v.m.Scopes()[n-1].Scope)
		}
	}
	return scope
}

// without returns the scope that the entity has without some of its declarations.
func (v *visit) without(some func(base.Declaration) bool) *base.Scope {
	rest := slices.DeleteFunc(slices.Clone(v.declared), some)
	return v.outer.Enclose(v.std, v.place, rest...)
}

// scopeAt returns the scope with the number n: see mark.Mark.Scope.
func (v *visit) scopeAt(n int32) *base.Scope {
	switch n {
	case mark.Outside:
		return v.outside
	case mark.Early:
		if v.early == nil {
			v.early = v.without(byElement)
		}
		return v.early
	case 0:
		return v.e.Scope
	}
	if redirects, ok := mark.IsRequest(n); ok {
		return v.request(redirects)
	}
	return v.scopes[n-1]
}

// request returns the scope of the request after a number of redirects. No base that the entity declares governs it. The
// URLs that were recorded elsewhere are those of the last request.
func (v *visit) request(redirects int) *base.Scope {
	if v.requested == nil || v.redirects != redirects {
		left := len(v.m.Notes.Redirects)
		last := left == redirects
		v.redirects, v.requested = redirects, v.without(func(d base.Declaration) bool {
			if d.Redirect {
				left--
				return left >= redirects
			}
			return d.Rung != base.Retrieval || !last
		})
	}
	return v.requested
}

// inUTF8 returns the same scope, but for queries in UTF-8.
func (v *visit) inUTF8(scope *base.Scope) *base.Scope {
	if v.page != scope {
		v.page, v.utf8 = scope, scope.Enclose(v.w.Standard, "")
	}
	return v.utf8
}

// unlessSigned removes the edits of one mark if a signature covers the mark, and reports that. from is the index of the
// first edit of the mark, changes of its first change.
func (v *visit) unlessSigned(at *mark.Mark, from, changes int) {
	if len(v.edits) > from && v.m.Notes.Covers(at.Start) && !v.w.BreakSignatures {
		v.w.report(v.e, v.e.text, at.Start, SignatureWouldBreak, "a signature covers it; it is left as it is")
		v.edits, v.w.changes = v.edits[:from], v.w.changes[:changes]
	}
}

// base appends the edits of a declared base. If they remove an element, base drops the edits of its other attributes.
func (v *visit) base(at *mark.Mark) {
	w, region, c := v.w, at.Span(), v.candidate(at)
	if c != nil && !at.Base.Retrieval {
		w.result.Links++
	}
	edits, change := v.baseEdit(at, c)
	if len(edits) == 0 {
		return
	}
	if el := at.Base.Element; edits[0].Span == el {
		for n := len(v.edits); n > 0 && v.edits[n-1].Start >= el.Start; n-- {
			v.edits = v.edits[:n-1]
		}
		for n := len(w.changes); n > v.changes && w.changes[n-1].Start >= el.Start; n-- {
			w.changes = w.changes[:n-1]
		}
		v.removed, region = el.End, el
	}
	v.edits = append(v.edits, edits...)
	w.changed(region, &change)
}

// candidate returns the candidate of a declaration, with its verdict, or nil if the declaration is not listed.
func (v *visit) candidate(at *mark.Mark) *base.Candidate {
	offset := v.e.text.Offset(at.Start)
	candidates := v.candidates
	if at.Scope > 0 {
		candidates = v.scopes[at.Scope-1].Own()
	}
	for i := range candidates {
		if c := &candidates[i]; c.Own && c.Offset == offset {
			return c
		}
	}
	return nil
}

// level is the memory of one level of recursion. The next entity on the level reuses it.
type level struct {
	marks  mark.Marks
	visit  visit
	edits  []codec.Edit
	region source.Text // the text of the entity, in the text around it
	room   []byte      // memory for the text of region
}

// level returns the memory of the level at a depth.
func (w *walker) level(depth int) *level {
	for len(w.levels) <= depth {
		w.levels = append(w.levels, &level{})
	}
	return w.levels[depth]
}

// marks returns the empty Marks of one nesting level.
func (w *walker) marks(depth int) *mark.Marks {
	m := &w.level(depth).marks
	m.Clear()
	m.Formats, m.Extended, m.Described = formatOf, w.Extended, w.Described
	m.Limits = mark.Limits{Depth: w.maxDepth(), Record: w.maxRecord(), Ratio: w.maxRatio()}
	return m
}
