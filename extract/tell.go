package extract

// This file tells the caller about a link that was decided: the link itself, and its problems.

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

// announce tells the caller about a link: its problems, and the link itself.
func (w *walker) announce(s *spot, l *Link, d decision) {
	if d.known {
		w.compareAbsolute(s, l)
		return
	}
	if d.taken != "" {
		w.report(s.e, s.text, s.at.Start, RewriteRefused, "not rewritten: "+mark.Quote(l.Ref)+" names "+d.taken+", whose Content-Location already has the URL of another reference")
	}
	w.needed(s, l, d.stays)
	if d.err != nil {
		w.unresolved(s, l, d)
	}
	l.URL = w.url
	if w.visitLink != nil || w.OnLink != nil || w.Map != nil {
		w.locate(s, l)
		w.show(l)
	}
	if !d.same {
		w.compare(s, l)
	}
}

// unresolved sets and reports the problem of a reference that resolve has not resolved. A reference that names a part, or
// that stays unchanged, has no problem.
func (w *walker) unresolved(s *spot, l *Link, d decision) {
	l.Status, l.Problem = StatusUnresolved, LinkMalformed
	if d.err == errGrown {
		if l.Problem = SizeLimit; !d.stays {
			w.result.tried++
			w.outgrown(s.e, s.text, s.at.Start)
		}
		return
	}
	if !d.stays {
		w.result.Unresolved++
	}
	switch {
	case errors.Is(d.err, resolve.ErrNoBase):
		l.Problem = NoBase
	case errors.As(d.err, new(saved.LocalCopy)):
		l.Problem = LocalCopy
	}
	nameless := l.Problem == NoBase && s.e.parts != nil && l.place == header.ContentLocation // see reportBase
	if l.Part == "" && !d.stays && !nameless {
		w.report(s.e, s.text, s.at.Start, l.Problem, mark.Quote(l.Ref)+": "+d.err.Error())
	}
}

// locate sets the position of a link.
func (w *walker) locate(s *spot, l *Link) {
	e, t := s.e, s.text
	if l.Entity != e || l.Scope != s.scope { // rarely true: storing a pointer is slow
		l.Entity, l.Scope = e, s.scope
	}
	if e.index != nil {
		if l.at = s.at.Start; t != e.text {
			l.at = t.Start
		}
	}
	if t == e.text && t.Codec == nil {
		l.Offset, l.Raw = s.at.Start+t.Start, t.Bytes[s.at.Start:s.at.End]
	} else {
		span := t.Span(s.at.Span())
		l.Offset, l.Raw = span.Start, e.Bytes[span.Start:span.End]
	}
}

// compare reports a link that browsers resolve to another URL than w.url.
func (w *walker) compare(s *spot, l *Link) {
	b := s.scope.Base()
	if w.OnProblem == nil || b.String() == "" || l.Status == StatusUnresolved || l.Status == StatusAbsolute && !inBaseScheme(l.Ref, b) {
		return
	}
	if w.compared < 0 {
		return
	}
	if w.compared -= int64(len(b.String()) + len(w.url)); w.compared < 0 {
		w.differs(s, "links from here on are not compared with browsers, because the URLs would be together longer than "+strconv.FormatInt(w.longest, 10)+" bytes (use --max-record to compare them)")
		return
	}
	if other, differs := b.InBrowser(l.Ref, w.url); differs {
		browser := "does not resolve it"
		if other != "" {
			browser = "resolves it to " + mark.Quote([]byte(other))
		}
		w.differs(s, mark.Quote(l.Ref)+" resolves to "+mark.Quote(w.url)+"; a browser "+browser+" (--standard whatwg resolves as browsers do)")
	}
}

// differs reports a link that has another URL in browsers.
func (w *walker) differs(s *spot, detail string) {
	w.problemAt(s.e, s.text, Problem{Offset: s.at.Start, Code: StandardDiffers, Severity: Note, Detail: detail})
}

// compareAbsolute is like compare, but for an absolute link that was not resolved because it stays unchanged.
func (w *walker) compareAbsolute(s *spot, l *Link) {
	if b := s.scope.Base(); l.Status == StatusAbsolute && inBaseScheme(l.Ref, b) {
		w.url, _ = b.AppendResolve(w.url[:0], l.Ref)
		w.compare(s, l)
	}
}

// inBaseScheme reports whether an absolute reference may be relative in browsers, such as http:x with the base
// http://h/.
func inBaseScheme(ref []byte, b *resolve.Base) bool {
	n := bytes.IndexByte(ref, ':') + 1
	return !bytes.HasPrefix(ref[n:], []byte("//")) && n <= len(b.String()) && ascii.FoldEqualBytes(ref[:n], []byte(b.String()[:n]))
}

// needed reports the unsuitable bases that come before the base of a link. If the link is not relative or stays unchanged,
// it needs no base.
func (w *walker) needed(s *spot, l *Link, stays bool) {
	scope := s.scope
	if len(w.unsuitable) == 0 || !s.e.wanted || l.Status != StatusResolved || stays || scope == w.needing {
		return
	}
	w.needing = scope
	for _, c := range scope.Candidates() {
		if c.Verdict == base.Used {
			return
		}
		if p, ok := w.unsuitable[baseKey{c.Offset, c.Value}]; ok {
			delete(w.unsuitable, baseKey{c.Offset, c.Value})
			w.problem(p)
		}
	}
}
