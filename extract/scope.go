package extract

// This file finds the scope of each mark of an entity.

import (
	"slices"

	"absolink/base"
	"absolink/extract/internal/mark"
)

// scopeOf returns the scope of a mark. A header field of a body part may be a base declaration and a link. If it
// declares the base in force, or would declare it if there were a base around the part, then its scope is the scope
// around the part. So the link is resolved in the same way as the base.
func (v *visit) scopeOf(at *mark.Mark) *base.Scope {
	scope := v.scopeAt(at.Scope)
	if at.Base == nil || scope.By() != at.Base.By && scope.Rung() != base.RungDefault {
		return scope
	}
	for n := at.Scope; n > 0; n = v.m.ScopeMark(n).Scope {
		if v.m.ScopeMark(n).Base == at.Base {
			return v.scopeAt(v.m.ScopeMark(n).Scope)
		}
	}
	return scope
}

// without returns the scope that the entity has without some of its declarations.
func (v *visit) without(some func(base.Declaration) bool) *base.Scope {
	rest := slices.DeleteFunc(slices.Clone(v.declared), some)
	return v.outer.Enclose(v.std, v.place, rest...)
}

// after returns the scope that the entity has without a declaration, and without the declarations that the ladder tries
// before it. The declared base is resolved against the base of this scope.
func (v *visit) after(c *base.Candidate) *base.Scope {
	i := slices.IndexFunc(v.candidates, func(own base.Candidate) bool { return own.Offset == c.Offset })
	tried := v.candidates[:i+1]
	return v.without(func(d base.Declaration) bool {
		return slices.ContainsFunc(tried, func(own base.Candidate) bool { return own.Offset == d.Offset })
	})
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
	return v.scopes.At(n)
}

// request returns the scope of the request after a number of redirects. It has no base that the entity declares. The
// URLs that are recorded elsewhere belong to the last request.
func (v *visit) request(redirects int) *base.Scope {
	if v.requested == nil || v.redirects != redirects {
		left := len(v.m.Notes.Redirects)
		last := left == redirects
		v.redirects, v.requested = redirects, v.without(func(d base.Declaration) bool {
			if d.Redirect {
				left--
				return left >= redirects
			}
			return d.Rung != base.RungRetrieval || !last
		})
	}
	return v.requested
}

// candidate returns the candidate of a declaration, with its verdict, or nil if the declaration is not listed.
func (v *visit) candidate(at *mark.Mark) *base.Candidate {
	offset := v.e.text.Offset(at.Start)
	candidates := v.candidates
	if at.Scope > 0 {
		candidates = v.scopes.At(at.Scope).Own()
	}
	for i := range candidates {
		if c := &candidates[i]; c.Own && c.Offset == offset {
			return c
		}
	}
	return nil
}
