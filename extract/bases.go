package extract

import (
	"strconv"

	"absolink/base"
	"absolink/extract/codec"
	"absolink/resolve"
)

// Why a declaration is listed and yet no base.
const (
	repeatedBase   = "only the first BASE element with an href counts"
	repeatedHeader = "only the first of its name counts"
)

// judged closes what the entity declares: it gives the candidates, and reports what is
// wrong with them.
func (w *Walker) judged(e *Entity, f *Finder, declared []base.Declaration) []base.Candidate {
	if len(declared) == 0 {
		return nil
	}
	candidates := e.Scope.Candidates()
	for i := range candidates {
		w.reportBase(e, &candidates[i])
	}
	return candidates
}

// reportBase reports what is wrong with a base that the entity itself declares.
func (w *Walker) reportBase(e *Entity, c *base.Candidate) {
	if !c.Own || c.Offset < 0 {
		return
	}
	var code Code
	switch {
	case c.Refuse == repeatedBase || c.Refuse == repeatedHeader:
		code = BaseRepeated
	case c.Reason == base.NoBase, c.Reason == base.NotRejected && c.Relative && w.Standard != resolve.WHATWG:
		code = BaseNotAbsolute
	case c.Reason == base.Unsuitable:
		code = BaseUnsuitable
	case c.Reason == base.Malformed:
		code = BaseMalformed
	}
	if code != "" {
		w.problem(Problem{Document: e.Document, Entity: e.Path, Offset: c.Offset, Code: code, Detail: c.By + " " + quote([]byte(c.Value)) + ": " + c.Trouble()})
	}
}

// declarations decodes what the entity's content declares for it, the first to be asked
// first.
func (w *Walker) declarations(e *Entity, f *Finder) []base.Declaration {
	var first, later []base.Declaration
	for i := range f.found {
		if at := &f.found[i]; at.kind != isBase {
			continue
		} else if at.base.after {
			later = append(later, w.declaration(e, at))
		} else {
			first = append(first, w.declaration(e, at))
		}
	}
	return append(first, later...)
}

func (w *Walker) declaration(e *Entity, at *finding) base.Declaration {
	value, _ := at.codec.Decode(e.frame.text[at.start:at.end])
	refuse := at.base.refuse
	if w.Standard == resolve.WHATWG && at.base.by != "BASE element" {
		refuse = "browsers do not know it"
	}
	offset := e.frame.span(codec.Span{Start: at.start, End: at.start}).Start
	return base.Declaration{Rung: base.Embedded, By: at.base.by, Value: string(value), Offset: offset, Refuse: refuse}
}

// elementScopes closes the scopes of single elements, the outer before the inner. Beyond
// the limit of depth an element has the scope of the one around it: each scope lengthens
// the base by its own, so without a limit the URLs of a deep document would grow with
// the square of its size.
func (w *Walker) elementScopes(e *Entity, f *Finder) []*base.Scope {
	scopes := make([]*base.Scope, 0, len(f.scopes))
	depths := make([]int, 0, len(f.scopes))
	for i := range f.scopes {
		at, outer, depth := &f.scopes[i], e.Scope, 1
		if at.scope > 0 {
			outer, depth = scopes[at.scope-1], depths[at.scope-1]+1
		}
		if depth > w.maxDepth() {
			if depth == w.maxDepth()+1 {
				w.report(e, e.frame, at.start, DepthLimit, "more than "+strconv.Itoa(w.maxDepth())+" bases within one another; what is deeper has the last one")
			}
			scopes, depths = append(scopes, outer), append(depths, depth)
			continue
		}
		scope := outer.Within(w.declaration(e, at))
		for _, c := range scope.Candidates() {
			if c.Own && c.Reason != base.Refused {
				w.reportBase(e, &c)
			}
		}
		scopes, depths = append(scopes, scope), append(depths, depth)
	}
	return scopes
}

// baseEdit gives the edits of a declared base: it is made absolute, or emptied or taken
// out. One that was never asked stays.
func (w *Walker) baseEdit(e *Entity, at *finding, candidates []base.Candidate) []codec.Edit {
	if !w.rewriting || at.base.refuse != "" && w.BaseURLs == BaseKeep {
		return nil
	}
	region := codec.Span{Start: at.start, End: at.end}
	src := e.frame.text[at.start:at.end]
	if at.base.element.Len() > 0 && w.BaseURLs != BaseKeep {
		if w.BaseURLs == BaseRemove {
			return []codec.Edit{{Span: at.base.element}}
		}
		text, _ := at.codec.Decode(src)
		return w.lift(e, e.frame, region, src, at.codec, []codec.Edit{{Span: codec.Span{End: len(text)}}})
	}
	offset := e.frame.span(codec.Span{Start: at.start, End: at.start}).Start
	for _, c := range candidates {
		if c.Own && c.Offset == offset && c.Verdict != base.Rejected && c.Relative {
			return w.lift(e, e.frame, region, src, at.codec, []codec.Edit{{Span: codec.Span{End: len(c.Value)}, New: []byte(c.URL)}})
		}
	}
	return nil
}
