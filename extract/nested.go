package extract

import (
	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/source"
	"absolink/resolve"
	"errors"
	"strconv"
)

// inline walks a region in a small grammar. Its links are the entity's own.
func (w *Walker) inline(e *Entity, at *mark.Mark, scope *base.Scope, depth int) []codec.Edit {
	src := e.text.Bytes[at.Start:at.End]
	level := w.level(depth)
	fr := &level.region
	if err := fr.Decode(e.text, at.Start, src, at.Codec, &level.room); err != nil {
		w.report(e, e.text, at.Start, Undecodable, err.Error())
	}
	f, number := w.marks(depth), 0
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
	}
	f.Stream(take)
	at.Format.Extract(fr.Bytes, f)
	take(f.Rest())
	for _, p := range f.Notes.Faults {
		w.report(e, fr, p.Offset, Code(p.Code), p.Detail)
	}
	return w.lift(e, e.text, at.Span(), src, fr.Bytes, at.Codec, edits)
}

// dropped tells of a candidate that is no link. It does not count as a link that was left as it is.
func (w *Walker) dropped(e *Entity, fr *source.Text, at *mark.Mark) {
	if w.visitEntity == nil && w.OnProblem != nil {
		start, end := ascii.TrimSpace(fr.Bytes, at.Start, at.End)
		w.tell(e, fr, start, LinkMalformed, mark.Quote(fr.Bytes[start:end])+": this srcset candidate is no link, because its descriptors are not valid; browsers drop it")
	}
}

// nested walks a region that is a document of its own.
func (w *Walker) nested(e *Entity, at *mark.Mark, std resolve.Standard, scope *base.Scope, ordinal, depth int) []codec.Edit {
	if limit := w.maxDepth(); e.depth >= limit {
		w.report(e, e.text, at.Start, DepthLimit, "more than "+strconv.Itoa(limit)+" documents within documents; what is deeper is left as it is")
		return nil
	}
	src := e.text.Bytes[at.Start:at.End]
	fr := w.unpacked(e, at, src, depth)
	if fr == nil {
		return nil
	}
	format := at.Format
	if format == nil {
		if format = memberFormat(at.Part.Name, fr.Bytes); format == nil {
			return nil
		}
	} else if format.Split != nil { // its type may be that of what is packed
		if c := pack.PackedBy(fr.Bytes); c != nil {
			format = c.PackedFile("")
		}
	}
	child := w.child(e, at, format, fr, scope, ordinal)
	p := at.Part
	if p == nil {
		if !child.fragment {
			std = w.Standard // its text has been decoded: queries are in UTF-8
		}
		return w.lift(e, e.text, at.Span(), src, fr.Bytes, at.Codec, w.entity(child, format, std, scope, at.Place.Name, depth))
	}
	edits := w.encoded(child, format, *p, scope, "part", depth)
	if len(edits) > 0 && p.Signed && !w.BreakSignatures {
		w.report(e, e.text, at.Start, SignatureWouldBreak, "its links would change what was signed; it is left as it is")
		return nil
	}
	lifted := w.lift(e, e.text, at.Span(), src, fr.Bytes, at.Codec, edits)
	if p.MD5.Len() > 0 && len(lifted) > 0 {
		return append(contentMD5(e.text.Bytes, p, child.Bytes, edits), lifted...)
	}
	return lifted
}

// child is the entity that a nested region of e is. fr has its text.
func (w *Walker) child(e *Entity, at *mark.Mark, format *mark.Format, fr *source.Text, scope *base.Scope, ordinal int) *Entity {
	child := &Entity{Document: e.Document, Type: format.Name, Bytes: fr.Bytes, fragment: format.Fragment, srcdoc: at.Place.Srcdoc,
		spelled:  spelled{whole: source.Text{Bytes: fr.Bytes}, spelling: e.spelling},
		position: position{outer: e, region: fr, depth: e.depth + 1},
		origin:   origin{saved: e.saved},
		member:   member{among: e.among, group: e.group, sealed: e.sealed}}
	child.text = &child.whole
	p := at.Part
	if p == nil {
		child.Path = e.within(mark.Numbered(at.Place.Name, ordinal))
		return child
	}
	child.Path, child.header = e.within(at.Place.Name), scope
	if child.own = e.own && e.fragment && p.Name != ""; child.own {
		child.file, child.members = p.Name, e.membersOf(p.Name)
	}
	if p.Beside != nil {
		child.saved = &saved.Saved{File: child.file, Depth: -1, Beside: p.Beside}
	}
	child.among, child.group = e.parts, p.Group
	child.sealed = child.sealed || p.Signed && !w.BreakSignatures
	return child
}

// unpacked gives the text of a nested region; nil if what is packed in the record has become
// too long by now.
func (w *Walker) unpacked(e *Entity, at *mark.Mark, src []byte, depth int) *source.Text {
	unpacks := codec.Unpacks(at.Codec)
	level := w.level(depth)
	var fr *source.Text
	var err error
	if unpacks {
		at.Codec = codec.UpTo(at.Codec, w.maxRecord())
	}
	if !unpacks || w.unpackable >= 0 {
		fr = &level.region
		err = fr.Decode(e.text, at.Start, src, at.Codec, &level.room)
	}
	if unpacks && fr != nil {
		w.unpackable -= int64(len(fr.Bytes))
	}
	switch {
	case unpacks && w.unpackable < 0:
		w.report(e, e.text, at.Start, RatioLimit, "what is packed in the record is more than "+strconv.Itoa(w.maxRatio())+" times as long all together; the rest of it is left as it is")
		return nil
	case errors.Is(err, codec.ErrTooLong):
		w.report(e, e.text, at.Start, RatioLimit, err.Error())
	case err != nil:
		w.report(e, e.text, at.Start, Undecodable, err.Error())
	}
	return fr
}
