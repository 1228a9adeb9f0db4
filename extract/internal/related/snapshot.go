package related

import (
	"absolink/base"
	"absolink/extract/internal/mark"
)

// Snapshot has the parts of a page that Chromium saved, and that were inside other parts. Style elements and srcdoc documents
// have no URL. Chromium saves them as parts without a URL, or with a cid: URL. Their base was the base of the page around them.
// Chromium writes a page before the parts that were in the page. The zero Snapshot is for all other messages.
type Snapshot struct {
	within map[string]*position // by path
	room   int                  // the number of bytes that are left for the bases of these parts
}

// position is the position of the first reference to a part.
type position struct {
	by   string // the place of the reference
	base string // the base in force there; "" if it is not known, or is the retrieval URL of the page
}

// Saved makes a Snapshot for a message that Chromium wrote. room is the number of bytes for the bases of the parts.
func (s *Snapshot) Saved(room int) { s.within, s.room = map[string]*position{}, room }

// IsSaved reports whether Chromium wrote the message.
func (s *Snapshot) IsSaved() bool { return s.within != nil }

// Inside adds a part that was inside another part.
func (s *Snapshot) Inside(path string) { s.within[path] = &position{} }

// Encloses records the position of an absolute reference that names a part.
func (p *Parts) Encloses(group int, scope *base.Scope, place *mark.Place, ref []byte) {
	if p == nil || len(p.within) == 0 || !IsContentID(ref) {
		return
	}
	path, _ := p.Find(group, scope, ref, ref)
	if in := p.within[path]; in != nil && in.by == "" {
		in.by = place.Name
		if scope.Rung() == base.RungEmbedded || scope.Rung() == base.RungEncapsulating {
			in.base = scope.Base().String()
		}
	}
}

// ScopeOf returns the scope of a part. If the part was inside another part, its base is the base in force there. ok is
// false if there is no room for that base.
func (s *Snapshot) ScopeOf(path string, scope *base.Scope) (_ *base.Scope, ok bool) {
	in := s.within[path]
	if in == nil || in.base == "" {
		return scope, true
	}
	if s.room -= len(in.base); s.room < 0 {
		return nil, false
	}
	return scope.Within(base.Declaration{Rung: base.RungEmbedded, By: in.by, Value: in.base, Offset: -1, Header: true}), true
}
