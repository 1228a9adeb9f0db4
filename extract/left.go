package extract

// This file finds what a move leaves behind: URLs that Extractor.Old knows, in texts, and in links that a rewriting did
// not change. Each byte is searched once, in the innermost text.

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
)

// Left is an old URL that a rewriting leaves.
type Left struct {
	Entity string // Entity.Path
	Offset int    // in the entity
	Text   []byte // the text from the URL on
	Cause  Cause
}

// Cause says why a URL is left.
type Cause uint8

const (
	LeftInText   Cause = iota // in a script, a comment, a text or an unknown attribute
	LeftNoRule                // a link for which Map returns its own URL
	LeftNoBase                // a relative link, without a base
	LeftExtended              // a place that is read with Extended
	LeftFiltered              // a link that Map, Places or Only leaves out
	LeftVisible               // the visible text of a link that was changed
	LeftInside                // inside another URL
	LeftKept                  // a link that is signed, permanent, refused, or beyond a limit
	LeftSource                // where an archive has a document from
	LeftUnread                // a document that is not read
)

// search is the search of one text. The zero search is none.
type search struct {
	next       func(from int) (start, end int) // the result of Old
	start, end int                             // the next old URL
	changed    int                             // the end of the last changed link of an element A, or 0
	skipped    []codec.Span                    // the places of Extended that are not read, from here on
}

// searches begins the search of a text of e, unless the text around it has nothing in its region.
func (w *walker) searches(e *Entity, t *source.Text) (s search) {
	if w.x.Old != nil && w.call.rewriting && !(e.clean && e.charset == nil && t == &e.text) {
		s.next = w.x.Old(t.Bytes)
		s.pass(0)
	}
	return s
}

// pass goes on to the first old URL from an offset on.
func (s *search) pass(from int) { s.start, s.end = s.next(from) }

// before reports whether the next old URL is before an offset.
func (s *search) before(offset int) bool { return s.next != nil && s.start < offset }

// leave tells the caller what is left in the text t of e, up to an offset.
func (w *walker) leave(s *search, e *Entity, t *source.Text, to int, cause Cause) {
	for s.before(to) {
		start := s.start
		s.pass(s.end)
		for len(s.skipped) > 0 && s.skipped[0].End <= start {
			s.skipped = s.skipped[1:]
		}
		why := cause
		switch {
		case cause != LeftInText:
		case e.format.Holds.HasURLs():
			why = LeftSource
		case s.changed > 0 && isVisible(t.Bytes[s.changed:start]):
			why = LeftVisible
		case len(s.skipped) > 0 && s.skipped[0].Start <= start:
			why = LeftExtended
		}
		w.left(e, t, start, why)
	}
}

// isVisible reports whether a text between the URL of an element A and some other place shows that the place is in the
// content of the element.
func isVisible(text []byte) bool {
	return len(text) < longURL && !bytes.Contains(ascii.Fold(nil, text), []byte("</a")) &&
		bytes.LastIndexByte(text, '>') > bytes.LastIndexByte(text, '<')
}

// leaveLink tells the caller what is left in a reference, and why it was not changed, unless it was. A changed one may
// have another URL in its query.
func (w *walker) leaveLink(s *search, e *Entity, t *source.Text, at *mark.Mark, changed bool, cause Cause) {
	for s.before(at.End) {
		start := s.start
		s.pass(s.end)
		switch {
		case len(ascii.Trimmed(t.Bytes[at.Start:start])) > 0:
			w.left(e, t, start, LeftInside)
		case !changed:
			w.left(e, t, start, cause)
		}
	}
	if changed && s.next != nil && at.Place != nil && at.Place.Name == "a@href" {
		s.changed = at.End
	}
}

// leaveMark is leaveLink and the like for any mark, of which the visit is done.
func (v *visit) leaveMark(at *mark.Mark, changed bool) {
	w, e, s := v.w, v.e, &v.search
	cause := w.cause
	switch {
	case at.Kind == mark.IsNested && !v.walked && at.Format != mail.Unread:
		w.leave(s, e, &e.text, at.End, LeftUnread)
	case at.Kind == mark.IsNested || at.Kind == mark.IsInline:
		if s.before(at.End) {
			s.pass(at.End)
		}
	case at.Kind == mark.IsBase && at.Base.Retrieval:
		cause = LeftSource
		fallthrough
	default:
		w.leaveLink(s, e, &e.text, at, changed, cause)
	}
}

// leaveMade tells the caller which old URLs are left in links of a record for which edits were made: because the edit
// was dropped, or because the link has become its absolute URL, which is an old one that Map does not change.
func (w *walker) leaveMade() {
	const room = 1 << 16 // searched at once, because a search of each reference would take longer
	var text []byte      // the references, one on each line
	var lines []Left
	for i, c := range w.totals.made {
		ref, cause := c.Ref, LeftKept
		if c.written {
			ref, cause = c.NewRef, LeftNoRule
		}
		if !c.written || ref == c.URL {
			start := len(text)
			text = append(append(text, ref...), '\n')
			lines = append(lines, Left{c.Entity, c.Offset, text[start : len(text)-1], cause})
		}
		if len(text) < room && i < len(w.totals.made)-1 || len(text) == 0 {
			continue
		}
		next := w.x.Old(text)
		at, line := 0, 0
		for start, _ := next(0); line < len(lines); line++ {
			if start < at {
				start, _ = next(at)
			}
			if start == at {
				w.x.OnLeft(lines[line])
			}
			at += len(lines[line].Text) + 1
		}
		text, lines = text[:0], lines[:0]
	}
}

// leaveUnread tells the caller what is left in a whole text that is not read, unless it is data.
func (w *walker) leaveUnread(e *Entity, path string, t *source.Text) {
	if w.x.Old == nil || !w.call.rewriting || bytes.IndexByte(t.Bytes[:min(len(t.Bytes), mark.SniffLen)], 0) >= 0 {
		return
	}
	next := w.x.Old(t.Bytes)
	for start, end := next(0); start < len(t.Bytes); start, end = next(end) {
		w.x.OnLeft(Left{path, int(e.start) + t.Offset(start), t.Bytes[start:], LeftUnread})
	}
}

func (w *walker) left(e *Entity, t *source.Text, start int, cause Cause) {
	if !e.wanted {
		cause = LeftFiltered
	}
	w.x.OnLeft(Left{e.Path, int(e.start) + t.Offset(start), t.Bytes[start:], cause})
}
