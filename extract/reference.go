package extract

// This file leads a reference through its phases: decide, tell, and replace. A reference may be in a list or another small
// grammar, such as a srcset.

import (
	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// reference resolves one link, and tells the caller. When rewriting, it appends the edits that replace the link.
func (w *walker) reference(edits []codec.Edit, s *spot) []codec.Edit {
	raw := s.text.Bytes[s.at.Start:s.at.End]
	if len(raw) == 0 && s.place.Inert && w.Standard == resolve.WHATWG || w.unshown(s.e) && s.e.among == nil && len(w.unsuitable) == 0 {
		return edits
	}
	l := w.read(s, raw)
	if w.unshown(s.e) {
		w.needed(s, l, false)
		return edits
	}
	w.result.Links++
	if len(w.Places) > 0 && !w.isPlace(s.place, s.number) {
		w.leave(l)
		return edits
	}
	d := w.decide(s, l, len(raw) == 0)
	if w.naming != nil {
		return edits
	}
	if w.announce(s, l, d); !w.rewriting || d.stays {
		return edits
	}
	if to := w.newRef(l); to != nil && !w.isLocalCopy(s, to) {
		return w.replace(edits, s, l, to)
	}
	return edits
}

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
	m := w.marks(depth)
	var edits []codec.Edit
	s := spot{e: e, text: fr, place: at.Place, scope: scope}
	take := func(marks []mark.Mark) {
		for i := range marks {
			if s.at = &marks[i]; s.at.Kind == mark.IsDropped {
				w.dropped(e, fr, s.at)
				continue
			}
			if !at.Format.Single {
				s.number++
			}
			if w.failed == nil {
				edits = w.reference(edits, &s)
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
	return w.lift(e, at, fr.Bytes, edits)
}

// dropped reports a srcset candidate that is not a link. It does not count the candidate as a link that stays relative.
func (w *walker) dropped(e *Entity, fr *source.Text, at *mark.Mark) {
	if w.visitEntity == nil && w.OnProblem != nil && e.wanted {
		start, end := ascii.TrimSpace(fr.Bytes, at.Start, at.End)
		w.problemAt(e, fr, Problem{Offset: start, Code: LinkMalformed, Severity: Warning,
			Detail: mark.Quote(fr.Bytes[start:end]) + ": not a link, because this srcset candidate has invalid descriptors; browsers ignore it"})
	}
}
