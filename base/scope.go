package base

import (
	"slices"
	"sync/atomic"

	"absolink/resolve"
)

// Scope is the base in force in one entity, or in one element of it, with all that
// was considered. It is immutable, and may be kept and shared by goroutines: a closed link in a
// chain, like context.Context.
type Scope struct {
	outer    *Scope
	std      resolve.Standard
	place    string // how the entity is named in its outer one; "" in an element's scope
	declared []Declaration

	judged []Candidate // the ladder with its verdicts, if it is kept
	base   *resolve.Base
	rung   Rung
	by     string
	header bool // what declared the base is a header

	insisted bool // the chain has an Override

	again atomic.Pointer[prepared] // base in another standard, the last that was asked for
}

type prepared struct {
	std  resolve.Standard
	base *resolve.Base
}

// Root closes the outermost scope: what is known before a byte is read. Its
// declarations are of the rungs Override and Retrieval, the ones that win first.
func Root(std resolve.Standard, declared ...Declaration) *Scope {
	return closed(&Scope{std: std, declared: declared})
}

// Enclose closes the scope of an entity that stands in s at a place ("iframe@srcdoc",
// "part"; "" for one that is the entity of s itself, such as the document of a Root), with
// what it declares itself: Embedded in its content, Encapsulating in the header around it,
// Retrieval in its container; in each rung the one that wins first. std may differ from
// the outer one's by the entity's encoding for queries.
func (s *Scope) Enclose(std resolve.Standard, place string, declared ...Declaration) *Scope {
	return closed(&Scope{outer: s, std: std, place: place, declared: declared})
}

// Within closes the scope of one element of the entity of s, such as an object with a
// codebase or an element with xml:base, with what that declares, as a rule Embedded.
//
// Elements may be nested deep, and the ladder grows with each. So it is not gone through here:
// the base of s is known, and only what the element itself declares has to be judged.
func (s *Scope) Within(declared ...Declaration) *Scope {
	e := &Scope{outer: s, std: s.std, declared: declared}
	if !e.nearest() {
		closed(e)
		e.judged = nil // there may be very many of them, and they are hardly asked
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

// nearest says whether all that the scope declares is asked before anything in the ladder of the
// outer one, so that the verdicts there need not be known.
func (s *Scope) nearest() bool {
	return s.outer != nil && s.place == "" && s.std == s.outer.std && !s.outer.insisted &&
		!slices.ContainsFunc(s.declared, func(d Declaration) bool { return d.Rung != Embedded })
}

// Own gives those of the Candidates that the scope declares itself.
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

// Base is the base in force, ready to resolve; the one that is no base on rung Default.
func (s *Scope) Base() *resolve.Base { return s.base }

// Rung is the layer that the base in force comes from, as the scope's entity sees it.
func (s *Scope) Rung() Rung { return s.rung }

// By is what declared the base in force, "" on rung Default.
func (s *Scope) By() string { return s.by }

// RetrievalURL is the entity's own URL (3.3), whatever base is in force; "" if unknown.
func (s *Scope) RetrievalURL() string {
	for _, c := range s.Candidates() {
		if c.Rung == Retrieval && c.Verdict != Rejected {
			return c.URL
		}
	}
	return ""
}

// Candidates gives the whole ladder with its verdicts, the nearest first and the
// default last. The slice is the caller's.
func (s *Scope) Candidates() []Candidate {
	if s.judged != nil {
		return slices.Clone(s.judged)
	}
	ladder := s.ladder()
	judge(ladder, nil)
	return ladder
}

// closed finds the base in force. A scope that declares nothing has that of its outer one, though
// what is Embedded there is Encapsulating for an entity inside (3.2).
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
				s.base, _ = s.std.Base(c.URL) // what it resolves is in this scope's encoding
			}
		}
	}
	return s
}

// in is the base in force, ready to resolve in another standard. It keeps what it prepared: the
// many parts of a document may all ask, and a base may be long.
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

// ladder gathers the declarations of the whole chain in the order in which they are
// asked: the user's, then the content and headers from the inside out, then the
// retrieval URLs from the outside in, since the user's --url is better evidence than a
// container's record, and that better than a comment in the document. What is Last, such
// as an attribute of the file, comes behind them.
func (s *Scope) ladder() []Candidate {
	var room [8]*Scope
	chain, n := room[:0], 1
	for at := s; at != nil; at = at.outer {
		chain, n = append(chain, at), n+len(at.declared)
	}
	ladder := make([]Candidate, 0, n)
	add := func(at *Scope, d Declaration) {
		ladder = append(ladder, Candidate{Declaration: d, Own: at == s, std: at.std})
	}
	for _, at := range chain {
		for _, d := range at.declared {
			if d.Rung == Override {
				add(at, d)
			}
		}
	}
	place := ""
	for _, at := range chain {
		for _, rung := range [...]Rung{Embedded, Encapsulating} {
			for _, d := range at.declared {
				if d.Rung != rung {
					continue
				}
				if d.Rung == Embedded && place != "" {
					// What a document embeds is, for one inside it, what encapsulates it (3.2).
					d.Rung = Encapsulating
					if !d.Header {
						d.By = place
					}
				}
				add(at, d)
			}
		}
		if at.place != "" {
			place = at.place
		}
	}
	for _, last := range [...]bool{false, true} {
		for _, at := range slices.Backward(chain) {
			for _, d := range at.declared {
				if d.Rung == Retrieval && d.Last == last {
					add(at, d)
				}
			}
		}
	}
	return append(ladder, Candidate{Declaration: Declaration{Rung: Default, Offset: -1}, std: s.std})
}
