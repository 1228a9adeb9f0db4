package extract

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"absolink/base"
	"absolink/extract/internal/anchor"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// Status is the result of resolving a reference.
type Status uint8

const (
	StatusAbsolute   Status = 1 + iota // the reference is absolute already
	StatusResolved                     // the reference was resolved to an absolute URL
	StatusUnresolved                   // the reference has no base, or the standard cannot parse it
)

// String returns the name that the command prints.
func (s Status) String() string { return [...]string{"", "absolute", "resolved", "unresolved"}[s] }

// Link is one reference and its position. The Link and its slices are valid until the body of the
// loop ends, or the function that received it returns. The caller must not write to the slices. The Scope may be kept.
type Link struct {
	Entity  *Entity
	Offset  int    // of Raw in Entity.Bytes
	Raw     []byte // as spelled in the entity
	Ref     []byte // the reference: Raw, decoded
	URL     []byte // absolute; empty if Status is StatusUnresolved
	Status  Status
	Problem Code // why there is no URL; else ""
	Scope   *base.Scope
	Part    string // the entity in the same message that the reference names; "" if none

	place  *mark.Place
	number int   // its number in a list, from 1; 0 outside lists
	kept   *kept // of a clone
	at     int   // its offset in Entity.text, or that of the list; set if Entity.index is
}

// Place returns the name of the place of the link: "a@href", "img@srcset[2]".
func (l *Link) Place() string {
	if l.number == 0 {
		return l.place.Name
	}
	return mark.Numbered(l.place.Name, l.number)
}

// Rel returns the value of the attribute rel of the element that has the link, decoded. It returns nothing if there is no
// such element or attribute. Rel, Title and Text need Extractor.Described. They are for pages: HTML, XHTML and other XML.
func (l *Link) Rel() []byte { return l.element().Rel }

// Title returns the value of the attribute title, as Rel does.
func (l *Link) Title() []byte { return l.element().Title }

// Text returns the text of the anchor that has the link, or the alternative text of an img, area or input. White space is
// collapsed, and the text ends after 256 characters. The text of an anchor ends at its end tag, at the next anchor, or at
// the end of the entity. An anchor without text has the alternative texts of the pictures in it. The title, desc and text
// elements of an SVG are text.
func (l *Link) Text() []byte { return l.element().Text }

func (l *Link) element() *anchor.Element {
	if l.kept != nil {
		return &l.kept.element
	}
	if l.Entity.index == nil {
		return &anchor.Element{}
	}
	return l.Entity.index.At(l.Entity.text.Bytes, l.at)
}

// Parse returns the absolute URL for package net/url. It returns an error for a link without a URL, and the error of
// url.Parse: some URLs of links are none for that package.
func (l *Link) Parse() (*url.URL, error) {
	if l.Status == StatusUnresolved {
		return nil, fmt.Errorf("%q has no absolute URL: %s", l.Ref, l.Problem)
	}
	return url.Parse(string(l.URL))
}

// Clone returns a copy of the link that stays valid. Its Entity has no Bytes.
func (l *Link) Clone() *Link {
	if l.kept != nil {
		return l
	}
	c, e := *l, l.Entity
	c.Raw, c.Ref, c.URL = bytes.Clone(l.Raw), bytes.Clone(l.Ref), bytes.Clone(l.URL)
	at := l.element()
	c.kept = &kept{inPlace: l.InPlace(), element: anchor.Element{Rel: bytes.Clone(at.Rel), Title: bytes.Clone(at.Title), Text: bytes.Clone(at.Text)}}
	c.kept.line, c.kept.column = l.Position()
	c.kept.start, c.kept.end = l.DocumentSpan()
	c.Entity = &Entity{Document: e.Document, Path: e.Path, Type: e.Type, Scope: e.Scope, page: e.PageURL(), pageDone: true}
	c.Entity.redirected = e.redirected
	return &c
}

// kept is what a clone of a link returns from its methods.
type kept struct {
	element      anchor.Element
	line, column int
	start, end   int64
	inPlace      bool
}

// PageURL returns the URL of the page that the link is in, or "". See Entity.PageURL.
func (l *Link) PageURL() string {
	if l.Entity.redirected {
		return l.Scope.RetrievalURL()
	}
	return l.Entity.PageURL()
}

// reference resolves one link and shows it, or appends the edits that make it absolute.
// at is a region of the text t. number is its number in a list, or 0.
func (w *walker) reference(edits []codec.Edit, e *Entity, t *source.Text, at *mark.Mark, place *mark.Place, number int, scope *base.Scope) []codec.Edit {
	raw := t.Bytes[at.Start:at.End]
	if len(raw) == 0 && place.Inert && w.Standard == resolve.WHATWG || w.unshown(e) && e.among == nil {
		return edits
	}
	l := &w.link
	ref, _ := codec.DecodeInto(&w.text, at.Codec, raw)
	l.Ref, l.Status, l.Problem, l.Part, l.place, l.number = ref, StatusResolved, "", "", place, number
	if scope.Base().IsAbsolute(ref) {
		l.Status = StatusAbsolute
		e.among.encloses(e.group, scope, place, ref)
	}
	if w.unshown(e) {
		return edits
	}
	w.result.Links++
	if len(w.Places) > 0 && !w.isPlace(place, number) {
		w.leave(l)
		return edits
	}
	to := target{ref: ref}
	if w.Unarchive || e.saved != nil || len(raw) == 0 {
		to = w.targetOf(e, l, scope, len(raw) == 0)
	}
	stays := w.rewriting && (l.Status == StatusAbsolute && w.Map == nil || w.unwritten(e) || to.url == srcdocURL || w.keepsFragment(ref, place, at.Place))
	if stays && w.OnLink == nil {
		w.compareAbsolute(e, t, at, l, scope.Base())
		return edits
	}
	same, err := w.resolve(e, scope.Base(), to)
	if e.among != nil {
		l.Part, err = w.partOf(e, t, at, place, scope, ref, stays, err)
	}
	if w.naming != nil {
		return edits
	}
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
	if to := w.newRef(l); to != nil {
		return w.replace(edits, e, t, at, l, to)
	}
	return edits
}

// unwritten reports whether an entity is the header that FromResponse made.
func (w *walker) unwritten(e *Entity) bool { return e.outer == nil && w.writer.rec.of.d.header > 0 }

// unshown reports whether the links of an entity are neither shown nor rewritten.
func (w *walker) unshown(e *Entity) bool { return w.visitEntity != nil || !e.wanted }

// keepsFragment reports whether a reference is only a fragment, and stays unchanged.
func (w *walker) keepsFragment(ref []byte, place, inner *mark.Place) bool {
	return len(ref) > 0 && ref[0] == '#' && (place.Names || inner.Names || w.Fragments == FragmentsKeep)
}

// target is the reference or the URL that resolve resolves for a link.
type target struct {
	ref      []byte // the reference; for a link into the Wayback Machine, the URL that the link means
	document bool   // the reference means the URL of its document, whatever the base is
	url      string // that URL; "" if it is not known
}

// targetOf returns the target of a reference in a page that was saved, of an empty reference, or with Unarchive.
func (w *walker) targetOf(e *Entity, l *Link, scope *base.Scope, empty bool) target {
	to := target{ref: l.Ref}
	if url := w.archived(e, l.Ref); url != nil {
		to.ref, l.Status = url, StatusResolved
	}
	if empty && l.place.Own && w.Standard == resolve.WHATWG {
		to.document, to.url = true, e.ownURL(scope)
	}
	return to
}

// resolve resolves a target to w.url. same is false if browsers may have another URL for the reference.
func (w *walker) resolve(e *Entity, b *resolve.Base, to target) (same bool, err error) {
	same = true
	switch {
	case to.document && to.url == "":
		w.url, err = w.url[:0], errOwnURL
	case to.document:
		w.url = append(w.url[:0], to.url...)
	case w.Unarchive || e.saved != nil:
		err = w.resolveSaved(e, b, to.ref)
	default:
		w.url, same, err = b.AppendCompared(w.url[:0], to.ref)
	}
	return same, err
}

// isPlace reports whether links at a place are chosen.
func (x *Extractor) isPlace(place *mark.Place, number int) bool {
	return len(x.Places) == 0 || slices.ContainsFunc(x.Places, func(p string) bool { return mark.Fits(p, place.Name, number) })
}

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

// partOf returns the body part that a reference names, or "" for none. w.url and err are the result of resolving the
// reference. A reference without a base gets the URL of the part, if another reference has claimed the part. A reference
// that stays unchanged, or declares a base, does not claim a part. The returned error replaces err.
func (w *walker) partOf(e *Entity, t *source.Text, at *mark.Mark, place *mark.Place, scope *base.Scope, ref []byte, stays bool, err error) (string, error) {
	url := w.url
	if err != nil {
		url = nil
	}
	declares := at.Base != nil || place == header.ContentLocation
	part, given, ok := e.among.find(e.group, scope, ref, url, w.rewriting && !stays && !e.sealed && !declares)
	if !ok {
		w.report(e, t, at.Start, RewriteRefused, "the Content-Location of "+part+", which "+mark.Quote(ref)+" names, has the URL of another reference already")
	}
	if given != "" && errors.Is(err, resolve.ErrNoBase) {
		w.url, err = append(append(w.url[:0], given...), ref[len(withoutFragment(ref)):]...), nil
	}
	return part, err
}

// unresolved sets and reports the problem of a reference that resolve has not resolved. err is the error of resolve. A
// reference that names a part, or that stays unchanged, has no problem.
func (w *walker) unresolved(e *Entity, t *source.Text, at *mark.Mark, l *Link, stays bool, err error) {
	l.Status, l.Problem = StatusUnresolved, LinkMalformed
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

// show calls visitLink, or else OnLink, with a link.
func (w *walker) show(l *Link) {
	if w.visitLink != nil {
		w.fail(w.visitLink(l))
	} else if w.OnLink != nil {
		w.OnLink(l)
	}
}

// errOwnURL is the error of an empty action whose document has no known URL. The action means that URL, whatever the
// base is.
var errOwnURL = fmt.Errorf("it means the document's own URL, which is not known (%w)", resolve.ErrNoBase)

// resolveSaved resolves a reference to w.url, in a page that was saved or with Unarchive. A reference to a local copy is
// an error.
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

// archived returns the URL that a reference into the Wayback Machine means, or nil for other references. With Unarchive,
// this is the original URL. Otherwise it is the URL of the archive's copy. A path such as /web/2020/http://h/ leads
// into the archive only in a page that came from the archive.
func (w *walker) archived(e *Entity, ref []byte) []byte {
	if w.Unarchive {
		if url := saved.Unarchived(ref); url != nil {
			return url
		}
	}
	if e.saved != nil && e.saved.Archived {
		if _, path, ok := saved.InWayback(ref); ok && path || bytes.HasPrefix(ref, []byte(saved.WaybackStatic)) {
			return append([]byte(saved.WaybackOrigin), ref...)
		}
	}
	return nil
}

// Position returns the line and the column of the link in its entity. Both start at 1. The column counts bytes.
func (l *Link) Position() (line, column int) {
	if l.kept != nil {
		return l.kept.line, l.kept.column
	}
	return l.Entity.lines.At(l.Entity.Bytes, l.Offset)
}

// DocumentSpan returns the span of the bytes that spell the link in the whole document, through all codecs around the
// link. If the document is compressed as a whole, the span counts decompressed bytes.
//
// An edit of the link begins inside the span. In base64, the edit may continue to the end of the data. In
// quoted-printable, one edit may change several links.
func (l *Link) DocumentSpan() (start, end int64) {
	if l.kept != nil {
		return l.kept.start, l.kept.end
	}
	e, at := l.Entity, codec.Span{Start: l.Offset, End: l.Offset + len(l.Raw)}
	for ; e.outer != nil; e = e.outer {
		at = e.region.Span(at)
	}
	return e.start + int64(at.Start), e.start + int64(at.End)
}

// InPlace reports whether the document has the bytes of the link at DocumentSpan as its entity has them. InPlace is
// false if anything around the link is compressed or in base64.
func (l *Link) InPlace() bool {
	if l.kept != nil {
		return l.kept.inPlace
	}
	e := l.Entity
	for ; e.outer != nil; e = e.outer {
		for fr := e.region; fr != nil; fr = fr.Parent {
			if fr.Codec != nil && !codec.InPlace(fr.Codec) {
				return false
			}
		}
	}
	return !e.compressed
}
