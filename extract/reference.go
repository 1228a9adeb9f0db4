package extract

// This file resolves references: single references, and references in a list or another small grammar, such as a
// srcset.

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// inline walks a region in a small grammar, and returns the edits of the text of the entity. The links belong to the
// entity.
func (v *visit) inline(at *mark.Mark, scope *base.Scope) []codec.Edit {
	w, e, depth := v.w, v.e, v.depth+1
	src := e.text.Bytes[at.Start:at.End]
	level := w.level(depth)
	fr := &level.region
	if err := fr.Decode(e.text, at.Start, src, at.Codec, &level.room); err != nil {
		w.undecodable(e, e.text, at.Start, err, err.Error())
	}
	out := v.regionOutlet(at, fr, v.m.Notes.Covers(at.Start) && !w.BreakSignatures)
	m, number := w.marks(depth), 0
	var edits []codec.Edit
	take := func(marks []mark.Mark) {
		for i := range marks {
			link := &marks[i]
			if link.Kind == mark.IsDropped {
				w.dropped(e, fr, link)
				continue
			}
			if !at.Format.Single {
				number++
			}
			if w.failed == nil {
				edits = w.reference(edits, e, fr, link, at.Place, number, scope)
			}
		}
		if out != nil && len(marks) > 0 {
			out.take(edits, marks[len(marks)-1].End)
			edits = edits[:0]
		}
	}
	m.Stream(take)
	at.Format.Extract(fr.Bytes, m)
	take(m.Rest())
	if m.Notes.NeedsBase {
		w.left++
	}
	for i := range m.Notes.Faults {
		w.fault(e, fr, 0, &m.Notes.Faults[i])
	}
	if out != nil {
		return out.finish(edits)
	}
	return w.liftRegion(e, at, fr, edits)
}

// dropped reports a srcset candidate that is not a link. It does not count the candidate as a link that stays relative.
func (w *walker) dropped(e *Entity, fr *source.Text, at *mark.Mark) {
	if w.visitEntity == nil && w.OnProblem != nil && e.wanted {
		start, end := ascii.TrimSpace(fr.Bytes, at.Start, at.End)
		w.tell(e, fr, start, LinkMalformed, Warning, mark.Quote(fr.Bytes[start:end])+": not a link, because this srcset candidate has invalid descriptors; browsers ignore it")
	}
}

// reference resolves one link, and passes it to the caller. When rewriting, it appends the edits that replace the link.
// The link is the region at of the text t. number is its number in a list, or 0.
func (w *walker) reference(edits []codec.Edit, e *Entity, t *source.Text, at *mark.Mark, place *mark.Place, number int, scope *base.Scope) []codec.Edit {
	raw := t.Bytes[at.Start:at.End]
	if len(raw) == 0 && place.Inert && w.Standard == resolve.WHATWG || w.unshown(e) && e.among == nil && len(w.unsuitable) == 0 {
		return edits
	}
	l := &w.link
	ref, _ := codec.DecodeInto(&w.text, at.Codec, raw)
	l.Ref, l.Status, l.Problem, l.Part, l.place, l.number = ref, StatusResolved, "", "", place, number
	if w.isAbsolute(scope.Base(), ref) {
		l.Status = StatusAbsolute
		e.among.encloses(e.group, scope, place, ref)
	}
	if w.unshown(e) {
		w.needed(e, l, scope, false)
		return edits
	}
	w.result.Links++
	if len(w.Places) > 0 && !w.isPlace(place, number) {
		w.leave(l)
		return edits
	}
	names := isName(ref, place, at.Place)
	to := w.targetOf(e, l, scope, names, len(raw) == 0)
	stays := w.rewriting && (l.Status == StatusAbsolute && (w.Map == nil || at.Place.Permanent) || w.unwritten(e) || names || to.url == srcdocURL || w.keepsFragment(ref))
	if stays && w.OnLink == nil {
		w.compareAbsolute(e, t, at, l, scope.Base())
		return edits
	}
	same, err := w.resolve(e, scope.Base(), l, to, stays)
	if e.among != nil {
		l.Part, err = w.partOf(e, t, at, place, scope, ref, stays, err)
	}
	if w.naming != nil {
		return edits
	}
	w.needed(e, l, scope, stays)
	if err != nil {
		w.unresolved(e, t, at, l, stays, err)
	}
	l.URL = w.url
	if w.visitLink != nil || w.OnLink != nil || w.Map != nil {
		w.locate(l, e, t, at, scope)
		w.show(l)
	}
	if !same {
		w.compare(e, t, at, l, scope.Base())
	}
	if !w.rewriting || stays {
		return edits
	}
	if to := w.newRef(l); to != nil && !w.isLocalCopy(e, t, at, to, scope) {
		return w.replace(edits, e, t, at, l, to)
	}
	return edits
}

// unwritten reports whether an entity is the header that FromResponse made.
func (w *walker) unwritten(e *Entity) bool { return e.outer == nil && w.writer.rec.of.d.header > 0 }

// unshown reports whether the links of an entity are neither shown nor rewritten.
func (w *walker) unshown(e *Entity) bool { return w.visitEntity != nil || !e.wanted }

// isName reports whether a reference names something in its document, independent of the base. It stays unchanged.
func isName(ref []byte, place, inner *mark.Place) bool {
	return len(ref) > 0 && ref[0] == '#' && (place.Names || inner.Names)
}

// keepsFragment reports whether a reference is only a fragment, and FragmentsKeep keeps it unchanged.
func (w *walker) keepsFragment(ref []byte) bool {
	return w.Fragments == FragmentsKeep && len(ref) > 0 && ref[0] == '#'
}

// target is the reference or the URL that resolve resolves for a link.
type target struct {
	ref      []byte // the reference; for a link into the Wayback Machine, the URL that the link means
	document bool   // the reference is empty or a fragment, and means its document, independent of the base
	url      string // the URL of the document; "" if it is not known
}

// targetOf returns the target of a reference. names reports whether the reference names something in its document.
func (w *walker) targetOf(e *Entity, l *Link, scope *base.Scope, names, empty bool) target {
	to := target{ref: l.Ref}
	switch {
	case names:
		to.document, to.url = true, e.ownURL(scope)
		return to
	case !w.Unarchive && e.saved == nil && !empty:
		return to
	}
	if url := w.archived(e, l.Ref); url != nil {
		to.ref, l.Status = url, StatusResolved
	}
	if empty && l.place.Own && w.Standard == resolve.WHATWG {
		to.document, to.url = true, e.ownURL(scope)
	}
	return to
}

// isAbsolute reports whether the URL of a reference does not depend on a base. If the base is not known, because all
// bases are together too long, it may depend on the base.
func (w *walker) isAbsolute(b *resolve.Base, ref []byte) bool {
	return b.IsAbsolute(ref) && !(w.baseless && w.needsBase(ref))
}

// needsBase reports whether the URL of a reference may depend on a base that is not known. Under WHATWG, http:x is such
// a reference.
func (w *walker) needsBase(ref []byte) bool {
	some, _ := w.Standard.Base("http://h/")
	return !some.IsAbsolute(ref)
}

// resolve resolves the target of a link to w.url. same is false if browsers may resolve the reference to another URL.
// The error is errGrown if the URLs of all relative links are together too long. stays is set for a link that rewriting
// leaves unchanged: the URLs of these links are counted apart, because they are resolved only for OnLink.
func (w *walker) resolve(e *Entity, b *resolve.Base, l *Link, to target, stays bool) (same bool, err error) {
	left := &w.urls
	if stays {
		left = &w.shown
	}
	if l.Status == StatusResolved && *left < 0 {
		w.url = w.url[:0]
		return true, errGrown
	}
	same = true
	switch {
	case w.baseless && b.IsAbsolute(to.ref) && w.needsBase(to.ref):
		w.url, err = w.url[:0], resolve.ErrNoBase
	case to.document && to.url == "":
		w.url, err = w.url[:0], errOwnURL
	case to.document && len(to.ref) == 0:
		w.url = append(w.url[:0], to.url...)
	case to.document && to.url != b.String():
		if b, err = w.Standard.Base(to.url); err == nil {
			w.url, err = b.AppendResolve(w.url[:0], to.ref)
		}
	case w.Unarchive || e.saved != nil:
		err = w.resolveSaved(e, b, to.ref)
	default:
		w.url, same, err = b.AppendCompared(w.url[:0], to.ref)
	}
	if l.Status == StatusResolved {
		if *left -= int64(len(w.url) + removed(b, to.ref, len(w.url))); *left < 0 {
			w.url, err = w.url[:0], errGrown
		}
	}
	return same, err
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

// isLocalCopy reports whether readers of a saved page take a new reference for a reference to a local copy. A relative
// reference from Map may be one. isLocalCopy also reports it as a problem.
func (w *walker) isLocalCopy(e *Entity, t *source.Text, at *mark.Mark, to []byte, scope *base.Scope) bool {
	if e.saved == nil || w.Map == nil || w.isAbsolute(scope.Base(), to) {
		return false
	}
	err := e.saved.Local(to)
	if err != nil {
		w.report(e, t, at.Start, RewriteRefused, "not rewritten: "+mark.Quote(to)+" would be read as "+err.Error())
	}
	return err != nil
}

// errOwnURL is the error for an empty action, or a name, in a document whose URL is not known. They mean the URL of the
// document, independent of the base.
var errOwnURL = fmt.Errorf("it means the URL of the document, which is not known (%w)", resolve.ErrNoBase)

// locate sets the position of a link: the region at of the text t.
func (w *walker) locate(l *Link, e *Entity, t *source.Text, at *mark.Mark, scope *base.Scope) {
	if l.Entity != e || l.Scope != scope { // rarely true: storing a pointer is slow
		l.Entity, l.Scope = e, scope
	}
	if e.index != nil {
		if l.at = at.Start; t != e.text {
			l.at = t.Start
		}
	}
	if t == e.text && t.Codec == nil {
		l.Offset, l.Raw = at.Start+t.Start, t.Bytes[at.Start:at.End]
	} else {
		s := t.Span(at.Span())
		l.Offset, l.Raw = s.Start, e.Bytes[s.Start:s.End]
	}
}

// partOf returns the path of the body part that a reference names, or "" if there is none. w.url and err are the result
// of resolving the reference. A reference without a base gets the URL of the part, if another reference has claimed the
// part. A reference that stays unchanged, or declares a base, does not claim a part. The returned error replaces err.
func (w *walker) partOf(e *Entity, t *source.Text, at *mark.Mark, place *mark.Place, scope *base.Scope, ref []byte, stays bool, err error) (string, error) {
	url := w.url
	if err != nil {
		url = nil
	}
	declares := at.Base != nil || place == header.ContentLocation
	if err == errGrown {
		return "", err
	}
	made := e.among.made
	part, given, ok := e.among.find(e.group, scope, ref, url, w.rewriting && !stays && !e.sealed && !declares)
	if n := e.among.made - made; n > longURL {
		w.spend(n)
	}
	if !ok {
		w.report(e, t, at.Start, RewriteRefused, "not rewritten: "+mark.Quote(ref)+" names "+part+", whose Content-Location already has the URL of another reference")
	}
	if given != "" && errors.Is(err, resolve.ErrNoBase) {
		w.url, err = append(append(w.url[:0], given...), ref[len(withoutFragment(ref)):]...), nil
		if !w.spend(len(w.url)) {
			w.url, err = w.url[:0], errGrown
		}
	}
	return part, err
}

// unresolved sets and reports the problem of a reference that resolve has not resolved. err is the error of resolve. A
// reference that names a part, or that stays unchanged, has no problem.
func (w *walker) unresolved(e *Entity, t *source.Text, at *mark.Mark, l *Link, stays bool, err error) {
	l.Status, l.Problem = StatusUnresolved, LinkMalformed
	if err == errGrown {
		if l.Problem = SizeLimit; !stays {
			w.result.tried++
			w.outgrown(e, t, at.Start)
		}
		return
	}
	if !stays {
		w.result.Unresolved++
	}
	switch {
	case errors.Is(err, resolve.ErrNoBase):
		l.Problem = NoBase
	case errors.As(err, new(saved.LocalCopy)):
		l.Problem = LocalCopy
	}
	nameless := l.Problem == NoBase && e.parts != nil && l.place == header.ContentLocation // see reportBase
	if l.Part == "" && !stays && !nameless {
		w.report(e, t, at.Start, l.Problem, mark.Quote(l.Ref)+": "+err.Error())
	}
}

// compare reports a link that browsers resolve to another URL than w.url.
func (w *walker) compare(e *Entity, t *source.Text, at *mark.Mark, l *Link, b *resolve.Base) {
	if w.OnProblem == nil || b.String() == "" || l.Status == StatusUnresolved || l.Status == StatusAbsolute && !inBaseScheme(l.Ref, b) {
		return
	}
	if w.compared < 0 {
		return
	}
	if w.compared -= int64(len(b.String()) + len(w.url)); w.compared < 0 {
		w.tell(e, t, at.Start, StandardDiffers, Note, "links from here on are not compared with browsers, because the URLs would be together longer than "+strconv.FormatInt(w.longest, 10)+" bytes (use --max-record to compare them)")
		return
	}
	if other, differs := b.InBrowser(l.Ref, w.url); differs {
		browser := "does not resolve it"
		if other != "" {
			browser = "resolves it to " + mark.Quote([]byte(other))
		}
		w.tell(e, t, at.Start, StandardDiffers, Note, mark.Quote(l.Ref)+" resolves to "+mark.Quote(w.url)+"; a browser "+browser+" (--standard whatwg resolves as browsers do)")
	}
}

// compareAbsolute is like compare, but for an absolute link that was not resolved because it stays unchanged.
func (w *walker) compareAbsolute(e *Entity, t *source.Text, at *mark.Mark, l *Link, b *resolve.Base) {
	if l.Status == StatusAbsolute && w.naming == nil && inBaseScheme(l.Ref, b) {
		w.url, _ = b.AppendResolve(w.url[:0], l.Ref)
		w.compare(e, t, at, l, b)
	}
}

// inBaseScheme reports whether an absolute reference may be relative in browsers, such as http:x with the base
// http://h/.
func inBaseScheme(ref []byte, b *resolve.Base) bool {
	n := bytes.IndexByte(ref, ':') + 1
	return !bytes.HasPrefix(ref[n:], []byte("//")) && n <= len(b.String()) && ascii.FoldEqualBytes(ref[:n], []byte(b.String()[:n]))
}
