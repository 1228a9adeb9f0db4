package extract

// This file tells the caller about links.

import (
	"bytes"
	"errors"
	"strconv"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/resolve"
)

// announce reports the problems of a link, sets its Status, and then passes it to the caller.
func (w *walker) announce(r *reference, l *Link, d *decision) {
	if l.URL == nil && d.err == nil {
		return // nobody asks for the URL
	}
	if len(w.totals.unsuitable) > 0 {
		w.reportUnsuitable(r, d.stays)
	}
	switch {
	case d.err != nil:
		l.Status = StatusUnresolved
		w.reportUnresolved(r, l, d)
	case r.relative:
		l.Status = StatusResolved
	default:
		l.Status = StatusAbsolute
	}
	if w.call.visitLink != nil || w.x.OnLink != nil || w.x.Map != nil || w.x.OnChange != nil {
		w.locate(r, l)
		w.show(l)
	}
	if !d.same {
		w.compare(r, l)
	}
}

// reportUnresolved sets the problem of a reference without a URL, and reports it unless the reference would stay
// unchanged anyway.
func (w *walker) reportUnresolved(r *reference, l *Link, d *decision) {
	if d.err == errPlaceholder {
		w.call.result.Unresolved++
		w.staysRelative(r)
		l.Problem = CodePlaceholder
		return
	}
	l.Problem = CodeLinkMalformed
	if d.err == errGrown {
		if l.Problem = CodeLinkLimit; !d.stays {
			w.call.tried++
			w.countUnmade(r.e, r.text, r.at.Start)
		}
		return
	}
	if !d.stays {
		w.call.result.Unresolved++
		r.e.needBase()
	}
	detail := d.err.Error()
	switch {
	case d.err == errLong:
		l.Problem = CodeLinkLimit
	case errors.Is(d.err, resolve.ErrNoBase) && l.Part != "":
		l.Problem, detail = CodeLocalCopy, "it names "+l.Part+" of its message, whose Content-Location has no base"
	case errors.Is(d.err, resolve.ErrNoBase):
		l.Problem = CodeNoBase
	case errors.As(d.err, new(saved.LocalCopy)):
		l.Problem = CodeLocalCopy
	}
	nameless := l.Problem == CodeNoBase && r.e.parts != nil && l.place == header.ContentLocation // see reportBase
	if !d.stays && !nameless && (l.Part == "" || l.Problem == CodeLocalCopy) {
		p := &Problem{Offset: r.at.Start, Code: l.Problem, Detail: mark.Quote(l.Ref) + ": " + detail}
		if d.err == saved.Unrecorded && !r.e.saved.Told { // once, because the name may be the site's own
			p.Severity, p.Setting, r.e.saved.Told = SeverityWarning, settingNoEvidence, true
		}
		w.reportStaying(r.e, r.text, p)
	}
}

func (w *walker) locate(r *reference, l *Link) {
	e, t := r.e, r.text
	if l.Entity != e || l.Scope != r.scope { // rarely true: storing a pointer is slow
		l.Entity, l.Scope = e, r.scope
	}
	if e.index != nil {
		if l.at = r.at.Start; t != &e.text {
			l.at = t.Start
		}
		l.after, l.tells = t.Bytes[r.at.End:], r.at.Place.Describe
	}
	if t == &e.text && t.Codec == nil {
		l.Offset, l.Raw = r.at.Start+t.Start, t.Bytes[r.at.Start:r.at.End]
	} else {
		span := t.Span(r.at.Span())
		l.Offset, l.Raw = span.Start, e.Bytes[span.Start:span.End]
	}
}

// compare reports a link that browsers resolve to another URL, until the URLs compared in the record are together too
// long.
func (w *walker) compare(r *reference, l *Link) {
	b := r.scope.Base()
	if w.x.OnProblem == nil || b.String() == "" || l.URL == nil ||
		!r.relative && !inBaseScheme(l.Ref, b) {
		return
	}
	if w.totals.compareLeft < 0 {
		return
	}
	if !w.totals.spendCompared(len(b.String()) + len(l.URL)) {
		w.reportDiffers(r, settingMaxRecord, "links from here on are not compared with browsers, because the URLs "+
			"would be together longer than "+strconv.FormatInt(w.totals.longest, 10)+" bytes")
		return
	}
	if other, differs := b.InBrowser(l.Ref, l.URL); differs {
		browser := "does not resolve it"
		if other != "" {
			browser = "resolves it to " + mark.Quote([]byte(other))
		}
		w.reportDiffers(r, settingStandard, mark.Quote(l.Ref)+" resolves to "+mark.Quote(l.URL)+"; a browser "+browser)
	}
}

func (w *walker) reportDiffers(r *reference, setting, detail string) {
	w.reportAt(r.e, r.text, &Problem{Offset: r.at.Start, Code: CodeStandardDiffers, Severity: SeverityNote,
		Setting: setting, Detail: detail})
}

// inBaseScheme reports whether browsers may take an absolute reference as relative, like http:x with the base
// http://h/.
func inBaseScheme(ref []byte, b *resolve.Base) bool {
	n := bytes.IndexByte(ref, ':') + 1
	return !bytes.HasPrefix(ref[n:], []byte("//")) && n <= len(b.String()) &&
		ascii.FoldEqualBytes(ref[:n], []byte(b.String()[:n]))
}

// reportUnsuitable reports the unsuitable bases that were tried before the base of a link was found. They matter only
// to a relative link that is rewritten, and each is reported once.
func (w *walker) reportUnsuitable(r *reference, stays bool) {
	if !r.e.wanted || !r.relative || stays {
		return
	}
	for _, p := range w.totals.awaited(r.scope) {
		w.x.report(p)
	}
}

// listBase passes a base in force to the caller as a link. Only a Content-Location is both, because it also names its
// part.
func (v *visit) listBase(at *mark.Mark, c *base.Candidate) {
	w := v.w
	if w.call.visitEntity == nil && (w.call.visitLink != nil || w.x.OnLink != nil) && w.x.isPlace(at.Place, 0) {
		w.show(v.baseLink(at, c))
	}
}

func (v *visit) linkOf(at *mark.Mark, ref, url string) *Link {
	return &Link{Entity: v.e, Offset: v.e.text.Span(at.Span()).Start, Ref: []byte(ref), URL: []byte(url),
		place: at.Place}
}

// baseLink returns a declared base as a link, whose Scope is the one that the base was resolved in.
func (v *visit) baseLink(at *mark.Mark, c *base.Candidate) *Link {
	e, l := v.e, &v.w.buf.link
	s := e.text.Span(at.Span())
	*l = Link{Entity: e, Offset: s.Start, Raw: e.Bytes[s.Start:s.End], Ref: []byte(c.Value), URL: []byte(c.URL),
		Status: StatusAbsolute, Scope: e.Scope, place: at.Place, absolute: true}
	if c.Relative {
		l.Scope, l.Status = v.after(c), StatusResolved
	}
	return l
}

// showEntity passes an entity to the caller of Bases.
func (w *walker) showEntity(e *Entity) {
	if w.call.visitEntity != nil && !e.fragment && e.wanted {
		w.fail(w.call.visitEntity(e))
	}
}

func (w *walker) show(l *Link) {
	if w.call.visitLink != nil {
		w.fail(w.call.visitLink(l))
	} else if w.x.OnLink != nil {
		w.x.OnLink(l)
	}
}

// unshown reports whether the links of an entity are neither passed to the caller nor rewritten.
func (w *walker) unshown(e *Entity) bool { return w.call.visitEntity != nil || !e.wanted }

// staysRelative notes that a link is not rewritten, so that a relative one keeps the base it needs.
func (w *walker) staysRelative(r *reference) {
	if r.relative {
		r.e.needBase()
	}
}
