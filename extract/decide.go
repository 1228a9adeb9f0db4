package extract

// This file decides which URL a link has, which part of its message it names, and whether a rewriting leaves it
// unchanged. Reporting is left to announce.go.

import (
	"errors"
	"fmt"

	"absolink/base"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// reference is one reference in the text of an entity, and the scope in which it is resolved.
type reference struct {
	e      *Entity
	text   *source.Text // the text of the entity, or of a region in it
	at     *mark.Mark   // the region of the reference in text
	place  *mark.Place
	number int // in a list, from 1; else 0
	scope  *base.Scope

	relative bool // its URL depends on the scope, or it leads into an archive: see archived
}

// decision says why a link has no URL, and what a rewriting does with it.
type decision struct {
	// why there is no URL: errPlaceholder, errGrown, errLong, errOwnURL, errNamesPart, a saved.LocalCopy, or an error
	// of package resolve
	err     error
	same    bool   // browsers resolve the reference to the same URL
	stays   bool   // a rewriting leaves the link unchanged
	signed  bool   // it stays only because of Extractor.KeepDKIM
	file    string // the path of the file that has the URL: see fileURL
	local   []byte // the new reference, to a file: see localize
	asksMap bool   // Map is called although the link stays, so that it sees every link that it would change
}

// linkAt returns the link of a reference that is spelled raw, with its Ref, and sets r.relative. The link is valid
// until the next call.
func (w *walker) linkAt(r *reference, raw []byte) *Link {
	l := &w.buf.link
	l.Ref, _ = codec.DecodeInto(&w.buf.text, r.at.Codec, raw)
	l.URL, l.Problem, l.Part, l.place, l.number = nil, "", "", r.place, r.number
	// what checks a reference reads few relative ones
	l.absolute = r.place.Absolute || r.e.feed || r.at.Place.Reads != nil
	r.relative = !w.isAbsolute(r.scope.Base(), l.Ref)
	return l
}

// isAbsolute reports whether the URL of a reference does not depend on a base. Where the base is unknown because the
// bases of the record are together too long, a reference like http:x may depend on it.
func (w *walker) isAbsolute(b *resolve.Base, ref []byte) bool {
	return b.IsAbsolute(ref) && !(w.totals.baseless && w.x.needsBase(ref))
}

// decide sets the URL of a link, or the reason why it has none, and the body part that it names. The first row that
// fits applies:
//
//	reference              circumstance                           URL
//	{{ x }}, //{{ x }}/    a template, by the RFCs                none: errPlaceholder
//	relative               the URLs of the record are too long    none: errGrown
//	longer than 1 MiB      not a data: or javascript: URL         none: errLong
//	http:x                 WHATWG, if some base is not known      none: ErrNoBase
//	#f                     a name, in usemap, CSS or SVG          its own page, with #f (RFC 1980 2, SVG 2 16.1.3)
//	no bytes               the action of a form, WHATWG           its own page (HTML 4.10.22)
//	/web/2020/http://h/x   Unarchive                              http://h/x; the base may have the archive
//	/web/..., /_static/... in a page of the Wayback Machine       the path on https://web.archive.org
//	relative               to a file, if a program made it so    that of the file: see fileURL
//	relative               to a local copy, in a saved page       none: a saved.LocalCopy
//	relative               the name of a part without a URL       none: errNamesPart (RFC 2557 8.2)
//	any other                                                     by the base in force (RFC 1808 4, RFC 3986 5.2)
//
//	its own page           in a srcdoc                            about:srcdoc (HTML 4.8.5)
//	                       in a body part                         its Content-Location (RFC 2557 4.2)
//	                       elsewhere, or if there is none         the retrieval URL (RFC 1808 3.3)
//	                       if no URL is known                     none: errOwnURL
//
// A rewriting replaces the reference by the URL, by the result of Map, or by a reference to a file (see localize), but
// leaves these unchanged:
//
//	#f                     a name, or with KeepFragments
//	any                    whose URL is about:srcdoc
//	absolute               without Map, or in a permanent place   (RFC 4287 4.2.6)
//	{{ x }}, //{{ x }}/    by the RFCs
//	any                    in an entity that is never rewritten
//
// d must be zero; decide fills in all of it but local.
func (w *walker) decide(r *reference, l *Link, d *decision) {
	e, b, ref, relative := r.e, r.scope.Base(), l.Ref, r.relative
	if d.same = true; grammar.HasPlaceholder(ref, !relative) && !w.resolvesTemplate(r) {
		d.err, d.stays = errPlaceholder, true
		return
	}
	page, own := w.ownPage(r, ref)
	copies, restored := w.x.Unarchive || e.saved != nil, false
	if copies {
		if url := w.archived(e, r.scope, ref); url != nil {
			ref, r.relative, restored = url, true, true
		}
	}
	if w.call.rewriting && !w.setStays(r, l, d, page, own) {
		return
	}
	url, ofFile := w.buf.url[:0], ""
	if relative && w.mayLeadToFile(r) {
		ofFile, d.file = w.fileURL(r, ref)
	}
	switch {
	case r.relative && !w.totals.spendLink(0, d.stays):
		d.err = errGrown
		return
	case len(ref) > longestReference && !hasContent(ref):
		d.err = errLong
	case w.totals.baseless && b.IsAbsolute(ref) && w.x.needsBase(ref):
		d.err = resolve.ErrNoBase
	case own && page == "":
		d.err = errOwnURL
	case own && len(ref) == 0:
		url = append(url, page...)
	case own && page != b.String():
		if b, d.err = w.x.Standard.Base(page); d.err == nil {
			url, d.err = b.AppendResolve(url, ref)
		}
	case ofFile != "":
		url, d.err = b.AppendResolve(url, []byte(ofFile))
	case copies:
		url = w.resolveCopy(e, b, ref, url, d)
		d.same = d.same || restored
	default:
		url, d.same, d.err = b.AppendCompared(url, ref)
	}
	w.buf.url = url
	if r.relative && !w.totals.spendLink(len(url)+removed(b, ref, len(url)), d.stays) {
		d.err = errGrown
		return
	}
	if d.err == nil {
		l.URL = url
	}
	if e.siblings != nil {
		w.partOf(r, l, d, relative)
	}
}

// resolvesTemplate reports whether a reference with a placeholder is resolved, which only browsers do. It counts the
// reference.
func (w *walker) resolvesTemplate(r *reference) bool {
	kind := mark.Template
	if w.x.Standard == resolve.WHATWG {
		kind = mark.ResolvedTemplate
	}
	w.countUnread(r.e, r.text, &mark.UnreadCount{Unread: kind, N: 1, Offset: r.at.Start})
	return kind == mark.ResolvedTemplate
}

// resolveCopy appends to url what a reference resolves to in a saved page, or with Unarchive. It sets d.err and d.same.
func (w *walker) resolveCopy(e *Entity, b *resolve.Base, ref, url []byte, d *decision) []byte {
	if !b.IsAbsolute(ref) {
		if d.err = e.saved.Local(ref); d.err != nil {
			return url
		}
	}
	url, d.same, d.err = b.AppendCompared(url, ref)
	if original := w.archived(e, nil, url); original != nil { // the base is a URL in the archive
		d.same = true
		url, d.err = b.AppendResolve(nil, original) // not into url, which original may be a part of
	}
	return url
}

// ownPage reports whether a reference means its own document, whatever the base is. page is the URL of that document,
// or "".
func (w *walker) ownPage(r *reference, ref []byte) (page string, own bool) {
	name := len(ref) > 0 && ref[0] == '#' && (r.place.Names || r.at.Place.Names)
	if !name && !(r.at.Start == r.at.End && r.place.Own && w.x.Standard == resolve.WHATWG) {
		return "", false
	}
	e := r.e
	for !e.raw && !e.srcdoc { // the HTML in an entry of a feed, for one, is a part of the feed
		e = e.parent
	}
	if e.srcdoc {
		return srcdocURL, true
	}
	if e.headerScope != nil {
		page = e.location()
	}
	if page == "" {
		page = r.scope.RetrievalURL()
	}
	return page, true
}

// srcdocURL is the URL of the document in the srcdoc of an iframe.
const srcdocURL = "about:srcdoc"

// archived returns the URL that a reference into the archive means, or nil for any other reference. With Unarchive it
// is the original URL, else the URL in the archive. scope is that of the reference, or nil if no base matters.
func (w *walker) archived(e *Entity, scope *base.Scope, ref []byte) []byte {
	if w.x.Unarchive {
		if url := saved.Unarchived(e.saved.AtWayback(ref)); url != nil {
			return url
		}
	}
	return e.saved.InArchive(ref, scope != nil && scope.Archived())
}

// setStays sets whether a rewriting leaves a link unchanged: the link is fixed in whatever entity, or the entity is
// unwritten (d.signed, if only KeepDKIM keeps it). It reports whether the URL is needed: to write it, to show it to the
// caller, or to compare it with that of browsers.
func (w *walker) setStays(r *reference, l *Link, d *decision, page string, own bool) (needed bool) {
	absolute, fragment := !r.relative, len(l.Ref) > 0 && l.Ref[0] == '#'
	permanent := absolute && r.at.Place.Permanent
	fixed := permanent || absolute && w.x.Map == nil && r.e.local == nil ||
		fragment && (own || w.x.KeepFragments || r.e.local != nil && r.e.local.book) || page == srcdocURL
	d.stays = fixed || w.unwritten(r.e)
	d.signed = r.e.kept && !fixed && (absolute || r.scope.Base().String() != "")
	d.asksMap = w.x.Map != nil && (d.signed || permanent)
	return !d.stays || d.asksMap || w.x.OnLink != nil ||
		absolute && w.x.OnProblem != nil && inBaseScheme(l.Ref, r.scope.Base())
}

// partOf sets the body part that a reference names.
func (w *walker) partOf(r *reference, l *Link, d *decision, relative bool) {
	parts, group, made := r.e.siblings, r.e.group, 0
	if l.Part, made = parts.Find(group, r.scope, l.Ref, l.URL); made > longURL {
		w.totals.spend(made)
	}
	if l.Part != "" || d.err != nil || !relative || r.at.Base != nil || r.place == header.ContentLocation {
		return
	}
	if l.Part = parts.Named(group, l.Ref); l.Part != "" {
		l.URL, d.err, d.signed = nil, errNamesPart, false
	}
}

// errPlaceholder is the error for a reference of a template that is not filled in.
var errPlaceholder = errors.New("it has a placeholder of a template")

// errOwnURL is the error for an empty action, or a name, in a document whose URL is not known. Both mean the document
// itself, whatever the base is.
var errOwnURL = fmt.Errorf("it means the URL of the document, which is not known (%w)", resolve.ErrNoBase)

// errNamesPart is the error for a reference that names a body part by the text of its Content-Location, while the part
// has no URL. It stays relative, because a mail reader finds the part by that text.
var errNamesPart = fmt.Errorf("it names a part without a URL (%w)", resolve.ErrNoBase)
