package base

import (
	"slices"
	"sync/atomic"

	"absolink/resolve"
)

// A Scope has the base URL of an entity or an element, and the candidates for it. It never changes, so goroutines can
// share it. It keeps the scopes around it in memory.
type Scope struct {
	outer    *Scope
	std      resolve.Standard
	place    string // of the entity in the entity around it; "" for an element
	declared []Declaration

	judged []Candidate // the layers with their verdicts, or nil if Candidates makes it
	base   *resolve.Base
	layer  Layer
	by     string
	header bool // a header declares the base

	archived bool // the base is declared as Archived

	insisted bool // this scope or an outer one has an Override

	again atomic.Pointer[prepared] // base in the standard that was requested last
}

// prepared is a base URL parsed by a standard.
type prepared struct {
	std  resolve.Standard
	base *resolve.Base
}

// Root returns the outermost Scope. declared is what is known before a document is read, usually of LayerOverride or
// LayerRetrieval. In each layer, the first usable declaration wins. std parses the values and resolves references in
// the scope. Do not change the slice afterwards.
func Root(std resolve.Standard, declared ...Declaration) *Scope {
	return closed(&Scope{std: std, declared: declared})
}

// Enclose returns the Scope of an entity inside the entity of s, at a place such as "iframe@srcdoc" or "part". With
// the place "" it is the same entity with more declarations, for example the document, if s is the Root.
//
// declared is usually of LayerEmbedded from the content of the entity, LayerEncapsulating from a header around it, or
// LayerRetrieval from its container. Read the whole entity first, because a BASE element also applies to the links
// before it. std is usually that of s, perhaps with the query encoding of the entity. Do not change the slice
// afterwards.
func (s *Scope) Enclose(std resolve.Standard, place string, declared ...Declaration) *Scope {
	return closed(&Scope{outer: s, std: std, place: place, declared: declared})
}

// Within returns the Scope of one element in the entity of s, such as an OBJECT with a codebase. declared has the
// declarations of the element, usually of LayerEmbedded. Do not change the slice afterwards.
func (s *Scope) Within(declared ...Declaration) *Scope {
	e := &Scope{outer: s, std: s.std, declared: declared}
	if !e.nearest() {
		closed(e)
		e.judged = nil // to save memory: a document may have many elements, and few callers call Candidates for them
		return e
	}
	e.base, e.layer, e.by, e.header = s.base, s.layer, s.by, s.header
	own := e.Own()
	e.archived = archived(own, s.archived)
	for _, c := range own {
		if c.Verdict == VerdictUsed {
			e.base, e.layer, e.by, e.header = c.base, c.Layer, c.By, c.Header
		}
	}
	return e
}

// nearest reports whether all declarations of the scope come before all layers of the outer scope. Then only they are
// judged, so that the time does not grow with the depth of an element.
func (s *Scope) nearest() bool {
	return s.outer != nil && s.place == "" && s.std == s.outer.std && !s.outer.insisted &&
		!slices.ContainsFunc(s.declared, func(d Declaration) bool { return d.Layer != LayerEmbedded })
}

// Own returns the candidates that the entity or element of the scope declares itself, as Candidates orders them. You
// may change the slice.
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

// Base returns the base of the scope, never nil. For LayerDefault its URL is "".
func (s *Scope) Base() *resolve.Base { return s.base }

// Layer returns the layer of the base, as the entity of the scope sees it.
func (s *Scope) Layer() Layer { return s.layer }

// By returns the source of the base, such as "BASE element", or "" for LayerDefault. If the content of an outer entity
// declares it, By is the place of the inner entity there, such as "iframe@srcdoc".
func (s *Scope) By() string { return s.by }

// Archived reports whether the base, or the base that it is relative to, is declared as Archived.
func (s *Scope) Archived() bool { return s.archived }

// RetrievalURL returns the URL that the entity was retrieved from (RFC 1808 3.3), or "": the first retrieval URL of
// Candidates that is not rejected, whether this scope or one around it declares it.
func (s *Scope) RetrievalURL() string {
	for s.outer != nil &&
		!slices.ContainsFunc(s.declared, func(d Declaration) bool { return d.Layer == LayerRetrieval }) {
		s = s.outer
	}
	judged := s.judged
	if judged == nil {
		judged = s.Candidates()
	}
	for i := range judged {
		if c := &judged[i]; c.Layer == LayerRetrieval && c.Verdict != VerdictRejected {
			return c.URL
		}
	}
	return ""
}

// Candidates returns the declarations of the scope and of all scopes around it with their verdicts. You may change the
// slice. They are tried in this order:
//
//  1. LayerOverride, the innermost scope first
//  2. LayerEmbedded, then LayerEncapsulating, of the innermost scope, then of the next one
//  3. redirects, the innermost scope first
//  4. other retrieval URLs, the outermost scope first, because what the user says is better evidence than a record
//  5. retrieval URLs that are Last, the outermost scope first
//  6. LayerDefault
func (s *Scope) Candidates() []Candidate {
	if s.judged != nil {
		return slices.Clone(s.judged)
	}
	l := s.layers()
	judge(l, nil)
	return l
}

// closed sets the base of a new scope, and returns the scope. Without declarations it is that of the outer scope. A
// base that is Embedded in the outer entity is Encapsulating for an inner entity (3.2).
func closed(s *Scope) *Scope {
	if o := s.outer; o != nil && len(s.declared) == 0 {
		s.base, s.layer, s.by, s.header = o.in(s.std), o.layer, o.by, o.header
		s.insisted, s.archived = o.insisted, o.archived
		if s.place != "" && o.layer == LayerEmbedded {
			s.layer = LayerEncapsulating
			if !o.header {
				s.by = s.place
			}
		}
		return s
	}
	s.judged = s.Candidates()
	s.insisted, s.archived = s.judged[0].Layer == LayerOverride, archived(s.judged, false)
	for _, c := range s.judged {
		if c.Verdict == VerdictUsed {
			s.base, s.layer, s.by, s.header = c.base, c.Layer, c.By, c.Header
			if c.std != s.std {
				s.base, _ = s.std.Base(c.URL) // references have the query encoding of this scope
			}
		}
	}
	return s
}

// archived reports whether the first absolute candidate that is not rejected is Archived. If there is none, it returns
// outer.
func archived(judged []Candidate, outer bool) bool {
	for i := range judged {
		if c := &judged[i]; c.Verdict != VerdictRejected && !c.Relative {
			return c.Archived
		}
	}
	return outer
}

// in returns the base of the scope, parsed by std. It keeps the result, because many parts of a document may need it,
// and a base may be long.
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

// layers returns the declarations of the scope and of all outer scopes, in the order of Candidates.
func (s *Scope) layers() []Candidate {
	var room [8]*Scope
	chain, n := room[:0], 1 // s first, the root last
	for at := s; at != nil; at = at.outer {
		chain, n = append(chain, at), n+len(at.declared)
	}
	l := make([]Candidate, 0, n)
	for _, at := range chain {
		l = at.appendLayer(l, s, LayerOverride, "")
	}
	place := "" // in the entity of at, of the entity that contains s
	for _, at := range chain {
		l = at.appendLayer(l, s, LayerEmbedded, place)
		l = at.appendLayer(l, s, LayerEncapsulating, "")
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
	return append(l, Candidate{Declaration: Declaration{Layer: LayerDefault, Offset: -1}, std: s.std})
}

// appendLayer appends the declarations of at that have the layer, as the scope s sees them. If s is in an entity inside
// that of at, place is where that entity is, and the declarations are Encapsulating for s (3.2).
func (at *Scope) appendLayer(l []Candidate, s *Scope, layer Layer, place string) []Candidate {
	for _, d := range at.declared {
		if d.Layer != layer {
			continue
		}
		if place != "" {
			d.Layer = LayerEncapsulating
			if !d.Header {
				d.By = place
			}
		}
		l = append(l, Candidate{Declaration: d, Own: at == s, std: at.std})
	}
	return l
}

// appendRetrieval appends the retrieval URLs of the chain whose field Last is last, from the outside to the inside: the
// user's --url is better evidence than the record of a container, and that is better than a comment in the document.
func appendRetrieval(l []Candidate, chain []*Scope, last bool) []Candidate {
	for _, at := range slices.Backward(chain) {
		for _, d := range at.declared {
			if d.Layer == LayerRetrieval && !d.Redirect && d.Last == last {
				l = append(l, Candidate{Declaration: d, Own: at == chain[0], std: at.std})
			}
		}
	}
	return l
}
