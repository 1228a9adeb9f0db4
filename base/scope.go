package base

import (
	"slices"
	"sync/atomic"

	"absolink/resolve"
)

// A Scope is the base URL that applies to one entity, or to one element of it,
// with all declarations that were considered. It is immutable, so goroutines
// may share it. Each Scope but a root refers to the Scope around it, as a
// context.Context does.
type Scope struct {
	outer    *Scope
	std      resolve.Standard
	place    string // the name of the entity in its outer one; "" for an element
	declared []Declaration

	judged []Candidate // the ladder with its verdicts, or nil
	base   *resolve.Base
	rung   Rung
	by     string
	header bool // a header declares the base

	insisted bool // the chain has an Override

	again atomic.Pointer[prepared] // base in another standard, for the last one that was requested
}

// prepared is a base URL prepared for a standard.
type prepared struct {
	std  resolve.Standard
	base *resolve.Base
}

// Root returns the outermost Scope. Its declarations are those known before
// a document is read: of rung Override or Retrieval. In each rung the first
// one wins. Root keeps the slice; the caller must not change it.
func Root(std resolve.Standard, declared ...Declaration) *Scope {
	return closed(&Scope{std: std, declared: declared})
}

// Enclose returns the Scope of an entity inside the entity of s. place names
// the position of the inner entity, such as "iframe@srcdoc" or "part". It is
// "" for the entity of s itself, such as the document of a Root.
//
// declared are the declarations of the inner entity: Embedded in its content,
// Encapsulating in the header around it, Retrieval in its container. In each
// rung the first one wins. Enclose keeps the slice; the caller must not change
// it. std may have another query encoding than the standard of s.
func (s *Scope) Enclose(std resolve.Standard, place string, declared ...Declaration) *Scope {
	return closed(&Scope{outer: s, std: std, place: place, declared: declared})
}

// Within returns the Scope of one element in the entity of s, such as an
// object with a codebase or an element with xml:base. declared are the
// declarations of the element, usually Embedded. Within keeps the slice; the
// caller must not change it.
//
// The cost does not depend on how deep the elements are nested, if all
// declarations are Embedded and no Override applies.
func (s *Scope) Within(declared ...Declaration) *Scope {
	e := &Scope{outer: s, std: s.std, declared: declared}
	if !e.nearest() {
		closed(e)
		e.judged = nil // a document may have very many elements, and few callers ask for their ladders
		return e
	}
	e.base, e.rung, e.by, e.header = s.base, s.rung, s.by, s.header
	for _, c := range e.Own() {
		if c.Verdict == Used {
			e.base, e.rung, e.by, e.header = c.base, c.Rung, c.By, c.Header
		}
	}
	return e
}

// nearest reports whether all declarations of the scope come before the whole ladder of the outer scope.
// The verdicts of that ladder do not matter then.
func (s *Scope) nearest() bool {
	return s.outer != nil && s.place == "" && s.std == s.outer.std && !s.outer.insisted &&
		!slices.ContainsFunc(s.declared, func(d Declaration) bool { return d.Rung != Embedded })
}

// Own returns the Candidates that the scope declares itself, in their order in
// Candidates. The slice is the caller's.
func (s *Scope) Own() []Candidate {
	if !s.nearest() {
		return slices.DeleteFunc(s.Candidates(), func(c Candidate) bool { return !c.Own })
	}
	own := make([]Candidate, len(s.declared))
	for i, d := range s.declared {
		own[i] = Candidate{Declaration: d, Own: true, std: s.std}
	}
	judge(own, s.outer.base)
	return own
}

// Base returns the base that applies, never nil. On rung Default its URL is "".
func (s *Scope) Base() *resolve.Base { return s.base }

// Rung returns the layer of the base that applies, as seen from the entity of
// the scope.
func (s *Scope) Rung() Rung { return s.rung }

// By returns the name of the declaration whose base applies: its By, or the
// place of its entity if it is Embedded in an outer one. It is "" on rung
// Default.
func (s *Scope) By() string { return s.by }

// RetrievalURL returns the entity's own URL (RFC 1808, 3.3), or "" if it is
// unknown. Another base may apply to the entity.
func (s *Scope) RetrievalURL() string {
	for s.outer != nil && !slices.ContainsFunc(s.declared, func(d Declaration) bool { return d.Rung == Retrieval }) {
		s = s.outer
	}
	judged := s.judged
	if judged == nil {
		judged = s.Candidates()
	}
	for i := range judged {
		if c := &judged[i]; c.Rung == Retrieval && c.Verdict != Rejected {
			return c.URL
		}
	}
	return ""
}

// Candidates returns the whole ladder with its verdicts. The nearest candidate
// is first, and the Default is last. Exactly one has the verdict Used. The
// slice is the caller's.
func (s *Scope) Candidates() []Candidate {
	if s.judged != nil {
		return slices.Clone(s.judged)
	}
	l := s.ladder()
	judge(l, nil)
	return l
}

// closed finds the base that applies. A scope without declarations has the base of its outer scope. A base
// that is Embedded there is Encapsulating for an entity inside (3.2).
func closed(s *Scope) *Scope {
	if o := s.outer; o != nil && len(s.declared) == 0 {
		s.base, s.rung, s.by, s.header, s.insisted = o.in(s.std), o.rung, o.by, o.header, o.insisted
		if s.place != "" && o.rung == Embedded {
			s.rung = Encapsulating
			if !o.header {
				s.by = s.place
			}
		}
		return s
	}
	s.judged = s.Candidates()
	s.insisted = s.judged[0].Rung == Override
	for _, c := range s.judged {
		if c.Verdict == Used {
			s.base, s.rung, s.by, s.header = c.base, c.Rung, c.By, c.Header
			if c.std != s.std {
				s.base, _ = s.std.Base(c.URL) // references use the query encoding of this scope
			}
		}
	}
	return s
}

// in returns the base that applies, prepared for another standard. It keeps the result, because many parts
// of a document may need it, and a base may be long.
func (s *Scope) in(std resolve.Standard) *resolve.Base {
	if std == s.std {
		return s.base
	}
	if p := s.again.Load(); p != nil && p.std == std {
		return p.base
	}
	b, _ := std.Base(s.base.String())
	s.again.Store(&prepared{std, b})
	return b
}

// ladder returns the declarations of the whole chain, the first to be used first: the overrides, the
// declarations in content and headers from the inside out, the redirects from the last to the first, the
// other retrieval URLs, the Default.
func (s *Scope) ladder() []Candidate {
	var room [8]*Scope
	chain, n := room[:0], 1 // s first, the root last
	for at := s; at != nil; at = at.outer {
		chain, n = append(chain, at), n+len(at.declared)
	}
	l := make([]Candidate, 0, n)
	for _, at := range chain {
		l = at.appendRung(l, s, Override, "")
	}
	place := "" // of the entity that at's entity contains, on the way to s
	for _, at := range chain {
		l = at.appendRung(l, s, Embedded, place)
		l = at.appendRung(l, s, Encapsulating, "")
		if at.place != "" {
			place = at.place
		}
	}
	for _, at := range chain {
		for _, d := range at.declared {
			if d.Redirect {
				l = append(l, Candidate{Declaration: d, Own: at == s, std: at.std})
			}
		}
	}
	l = appendRetrieval(l, chain, false)
	l = appendRetrieval(l, chain, true)
	return append(l, Candidate{Declaration: Declaration{Rung: Default, Offset: -1}, std: s.std})
}

// appendRung appends the scope's declarations of a rung, as s sees them. If the scope's entity contains the
// entity of s at a place, a declaration in its content is Encapsulating for s (3.2).
func (at *Scope) appendRung(l []Candidate, s *Scope, rung Rung, place string) []Candidate {
	for _, d := range at.declared {
		if d.Rung != rung {
			continue
		}
		if place != "" {
			d.Rung = Encapsulating
			if !d.Header {
				d.By = place
			}
		}
		l = append(l, Candidate{Declaration: d, Own: at == s, std: at.std})
	}
	return l
}

// appendRetrieval appends the retrieval URLs of the chain whose field Last is last, from the outside in: the
// user's --url is better evidence than a container's record, and a record is better than a comment in the
// document.
func appendRetrieval(l []Candidate, chain []*Scope, last bool) []Candidate {
	for _, at := range slices.Backward(chain) {
		for _, d := range at.declared {
			if d.Rung == Retrieval && !d.Redirect && d.Last == last {
				l = append(l, Candidate{Declaration: d, Own: at == chain[0], std: at.std})
			}
		}
	}
	return l
}
