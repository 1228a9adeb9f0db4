package related

import (
	"absolink/base"
	"absolink/extract/internal/mark"
)

// The style elements and srcdoc documents of a page have no URL. Chromium saves them as parts without a URL, or with a
// cid: URL, after the page that they were in. Their base is that of the first reference to them.

// Saved prepares p for a message that Chromium wrote. The bases of its parts may have left bytes together.
func (p *Parts) Saved(left int) { p.within, p.left = map[string]*base.Declaration{}, left }

// IsSaved reports whether Chromium wrote the message. p may be nil.
func (p *Parts) IsSaved() bool { return p != nil && p.within != nil }

// Inside adds a part that was inside another part.
func (p *Parts) Inside(path string) { p.within[path] = &base.Declaration{} }

// Encloses records the base at the first absolute reference to a part that was inside another. The part does not
// inherit the retrieval URL of the page. p may be nil.
func (p *Parts) Encloses(group int, scope *base.Scope, place *mark.Place, ref []byte) {
	if p == nil || len(p.within) == 0 || !IsContentID(ref) {
		return
	}
	path, _ := p.Find(group, scope, ref, ref)
	if in := p.within[path]; in != nil && in.By == "" {
		*in = base.Declaration{Layer: base.LayerEmbedded, By: place.Name, Offset: -1, Header: true}
		if scope.Layer() == base.LayerEmbedded || scope.Layer() == base.LayerEncapsulating {
			in.Value = scope.Base().String()
		}
	}
}

// ScopeOf returns the scope of a part, which for a part inside another part has the base in force there. ok is false if
// the bases of such parts are together too long.
func (p *Parts) ScopeOf(path string, scope *base.Scope) (_ *base.Scope, ok bool) {
	in := p.within[path]
	if in == nil || in.Value == "" {
		return scope, true
	}
	if p.left -= len(in.Value); p.left < 0 {
		return nil, false
	}
	return scope.Within(*in), true
}
