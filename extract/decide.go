package extract

// This file decides, for each mark, its scope and what happens to the link: its URL, and whether a rewriting leaves it
// unchanged. It tells nobody, and counts nothing.

import (
	"fmt"
	"slices"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/related"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// spot is the place of one reference.
type spot struct {
	e      *Entity
	text   *source.Text // the text of the entity, or of a region in it
	at     *mark.Mark   // the region of the reference in text
	place  *mark.Place
	number int // the number of the reference in a list, or 0
	scope  *base.Scope
}

// decision is what happens to a link.
type decision struct {
	target
	status  Status
	url     []byte // the absolute URL; valid until the next decision
	err     error  // the reason why there is no URL; errGrown after the limit of all URLs together
	same    bool   // browsers resolve the reference to the same URL
	stays   bool   // a rewriting leaves the link unchanged
	spared  bool   // a rewriting would change the link without Extractor.KeepDKIM
	mapped  bool   // Map is called, although the link stays, so that its caller sees all links that it would change
	unasked bool   // nobody asks for the URL
	part    string // the part that the reference names, or ""
}

// linkAt returns the link at a spot: its reference, and whether that is absolute. raw has the bytes of the reference. The Link is
// valid until the next call.
func (w *walker) linkAt(s *spot, raw []byte) *Link {
	l := &w.link
	l.Ref, _ = codec.DecodeInto(&w.text, s.at.Codec, raw)
	l.Status, l.Problem, l.Part, l.place, l.number = StatusResolved, "", "", s.place, s.number
	if w.isAbsolute(s.scope.Base(), l.Ref) {
		l.Status = StatusAbsolute
	}
	return l
}

// decide resolves a link, and decides whether a rewriting leaves it unchanged. It fills d. left is the budget of the record before
// the link, and decide returns the budget after it. empty reports whether the reference has no bytes.
func (w *walker) decide(s *spot, l *Link, d *decision, empty bool, left budget) budget {
	d.status = l.Status
	names := isName(l.Ref, s.place, s.at.Place)
	w.aim(s, l, d, names, empty)
	permanent := d.status == StatusAbsolute && s.at.Place.Permanent
	fixed := d.status == StatusAbsolute && w.Map == nil || permanent || names || d.page == srcdocURL || w.keepsFragment(l.Ref)
	d.stays = w.rewriting && (fixed || w.unwritten(s.e))
	d.spared = w.rewriting && s.e.kept && !fixed && (d.status == StatusAbsolute || s.scope.Base().String() != "")
	d.mapped = w.rewriting && w.Map != nil && (d.spared || permanent)
	if d.unasked = d.stays && !d.mapped && w.OnLink == nil; d.unasked {
		return left
	}
	left = w.resolve(s, d, left)
	if s.e.among != nil && d.err != errGrown {
		if n := s.partOf(l, d); n > longURL {
			left.spend(n)
		}
	}
	return left
}

// unwritten reports whether an entity is never rewritten: it is kept, or is the header that was made from Document.Header.
func (w *walker) unwritten(e *Entity) bool {
	return e.kept || e.outer == nil && len(w.writer.rec.of.header) > 0
}

// skips reports whether a document is not read, because neither the document nor a document inside it is wanted. e is
// the document, or the document around it. In a page that Chromium saved, no document is skipped: see
// related.Snapshot.
func (w *walker) skips(e *Entity, format *mark.Format) bool {
	return !w.wants(e.wanted, format) && !embeds(format.Embeds, w.Only) && (e.parts == nil || !e.parts.IsSaved())
}

// isName reports whether a reference names something in its document, independent of the base. It stays unchanged.
func isName(ref []byte, place, inner *mark.Place) bool {
	return len(ref) > 0 && ref[0] == '#' && (place.Names || inner.Names)
}

// keepsFragment reports whether a reference is only a fragment, and KeepFragments keeps it unchanged.
func (w *walker) keepsFragment(ref []byte) bool {
	return w.KeepFragments && len(ref) > 0 && ref[0] == '#'
}

// target is the reference or the URL that resolve resolves for a link.
type target struct {
	ref    []byte // the reference; for a link into the Wayback Machine, the URL that the link means
	onPage bool   // the reference is empty or a fragment, and means its document, independent of the base
	page   string // the URL of the document; "" if it is not known
}

// aim sets the target of a link, which is not absolute for a rewriting if it leads into the Wayback Machine. names reports
// whether the reference names something in its document.
func (w *walker) aim(s *spot, l *Link, d *decision, names, empty bool) {
	d.ref = l.Ref
	switch {
	case names:
		d.onPage, d.page = true, s.e.ownURL(s.scope)
		return
	case !w.Unarchive && s.e.saved == nil && !empty:
		return
	}
	if url := w.archived(s.e, l.Ref); url != nil {
		d.ref, d.status = url, StatusResolved
	}
	if empty && l.place.Own && w.Standard == resolve.WHATWG {
		d.onPage, d.page = true, s.e.ownURL(s.scope)
	}
}

// isAbsolute reports whether the URL of a reference does not depend on a base. If the base is not known, because all
// bases are together too long, it may depend on the base.
func (w *walker) isAbsolute(b *resolve.Base, ref []byte) bool {
	return b.IsAbsolute(ref) && !(w.baseless && w.needsBase(ref))
}

// resolve resolves the target of a link: it sets d.url, d.err and d.same. The error is errGrown if the URLs of all relative links
// are together too long. The URLs of links that stay unchanged are counted apart, because they are resolved only for OnLink.
func (w *walker) resolve(s *spot, d *decision, left budget) budget {
	b, room := s.scope.Base(), &left.urls
	if d.stays {
		room = &left.shown
	}
	d.same = true
	if d.status == StatusResolved && *room < 0 {
		d.err = errGrown
		return left
	}
	var err error
	switch {
	case w.baseless && b.IsAbsolute(d.ref) && w.needsBase(d.ref):
		w.url, err = w.url[:0], resolve.ErrNoBase
	case d.onPage && d.page == "":
		w.url, err = w.url[:0], errOwnURL
	case d.onPage && len(d.ref) == 0:
		w.url = append(w.url[:0], d.page...)
	case d.onPage && d.page != b.String():
		if b, err = w.Standard.Base(d.page); err == nil {
			w.url, err = b.AppendResolve(w.url[:0], d.ref)
		}
	case w.Unarchive || s.e.saved != nil:
		err = w.resolveSaved(s.e, b, d.ref)
	default:
		w.url, d.same, err = b.AppendCompared(w.url[:0], d.ref)
	}
	if d.status == StatusResolved {
		if *room -= int64(len(w.url) + removed(b, d.ref, len(w.url))); *room < 0 {
			w.url, err = w.url[:0], errGrown
		}
	}
	d.url, d.err = w.url, err
	return left
}

// resolveSaved resolves a reference to w.url, in a saved page or with Unarchive. It returns an error for a reference to
// a local copy.
func (w *walker) resolveSaved(e *Entity, b *resolve.Base, ref []byte) (err error) {
	w.url = w.url[:0]
	if e.saved != nil && !b.IsAbsolute(ref) {
		if err := e.saved.Local(ref); err != nil {
			return err
		}
	}
	if w.url, err = b.AppendResolve(w.url, ref); err != nil {
		return err
	}
	if url := w.archived(e, w.url); url != nil { // the base is a URL in the archive
		w.url, err = b.AppendResolve(w.url[:0], url)
	}
	return err
}

// errOwnURL is the error for an empty action, or a name, in a document whose URL is not known. They mean the URL of the
// document, independent of the base.
var errOwnURL = fmt.Errorf("it means the URL of the document, which is not known (%w)", resolve.ErrNoBase)

// errNamesPart is the error for a reference that stays relative, because it names a body part by the text of its Content-Location,
// and the part has no URL. The part is found in the message.
var errNamesPart = fmt.Errorf("it names a part without a URL (%w)", resolve.ErrNoBase)

// partOf finds the body part that a reference names. It returns the number of bytes of the URLs that it has made.
func (s *spot) partOf(l *Link, d *decision) (made int) {
	if d.err != nil {
		d.part, made = s.e.among.Find(s.e.group, s.scope, l.Ref, nil)
		return made
	}
	d.part, made = s.e.among.Find(s.e.group, s.scope, l.Ref, d.url)
	if d.part != "" || l.Status != StatusResolved || s.at.Base != nil || s.place == header.ContentLocation {
		return made
	}
	if d.part = s.e.among.Named(s.e.group, l.Ref); d.part != "" {
		d.url, d.err, d.same, d.spared = nil, errNamesPart, true, false
	}
	return made
}

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

// partsOf returns the parts of a message that references can name, or nil if there are none.
func (v *visit) partsOf() *related.Parts {
	found := &v.m.Parts
	if len(found.Siblings) == 0 {
		return nil
	}
	parts := related.New(v.std, found.Groups)
	if found.Snapshot {
		parts.Saved(v.w.maxRecord() + 2*len(v.e.text.Bytes))
	}
	for _, part := range found.Siblings {
		path := v.e.within("part[" + part.Path + "]")
		parts.Identify(header.ContentID(v.e.text.Bytes, part.ID), path)
		at := part.Location
		if at == nil {
			if found.Snapshot && !part.Based {
				parts.Inside(path)
			}
			continue
		}
		ref, _ := at.Codec.Decode(v.e.text.Bytes[at.Start:at.End])
		if found.Snapshot && related.IsContentID(ref) {
			parts.Inside(path)
		}
		scope := v.scopeOf(at)
		if v.w.urls < 0 && !scope.Base().IsAbsolute(ref) {
			continue // its link is reported
		}
		v.w.spend(parts.Locate(part.Group, path, ref, scope))
	}
	return parts
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

// keptBy returns the signature of DKIM or ARC that keeps an entity unchanged, or nil. It marks the entity.
func (w *walker) keptBy(e *Entity, m *mark.Marks) *mark.Fault {
	if !w.KeepDKIM || !w.rewriting || e.kept {
		return nil
	}
	for i := range m.Notes.Breaks {
		if b := &m.Notes.Breaks[i]; b.Code == mark.DKIMBroken {
			e.sealed, e.kept, w.spared = true, true, 0
			return &b.Fault
		}
	}
	return nil
}

// unwritable returns the reason why the new reference to cannot be written at any place, or "". The reason is a phrase
// that continues after the reference. Readers remove white space around a reference.
func unwritable(ref, to []byte) string {
	switch n := len(to); {
	case n == 0:
		return " is empty, which is not a link at every place"
	case ascii.IsSpace(to[n-1]) && !(len(ref) > 0 && ascii.IsSpace(ref[len(ref)-1])): // "?" with the base "http://h/a?q #f"
		return " would lose the white space at its end"
	case ascii.IsSpace(to[0]) && !(len(ref) > 0 && ascii.IsSpace(ref[0])):
		return " would lose the white space at its start"
	}
	return ""
}
