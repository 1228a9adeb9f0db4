package extract

import (
	"bytes"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/window"
	"absolink/resolve"
)

// level is what one level of recursion keeps for the next entity on it.
type level struct {
	finder mark.Finder
	visit  visit
	edits  []codec.Edit
	region frame  // of the entity, in the one around it
	room   []byte // of the region's text
}

func (w *Walker) level(depth int) *level {
	for len(w.levels) <= depth {
		w.levels = append(w.levels, &level{})
	}
	return w.levels[depth]
}

// finder gives the Finder of one level, cleared.
func (w *Walker) finder(depth int) *mark.Finder {
	f := &w.level(depth).finder
	f.Clear()
	f.Formats = FormatOf
	f.Extended, f.MaxDepth, f.MaxRatio, f.MaxRecord = w.Extended, w.maxDepth(), w.maxRatio(), w.maxRecord()
	return f
}

// record walks one record. Its edits go to w.out.
func (w *Walker) record(rec Record) {
	d, root := &rec.of.d, rec.of.root
	if p := rec.fault; p != nil {
		at := p.Offset
		if rec.Entity == strings.TrimSuffix(rec.of.entity, "/") {
			at += int(rec.Offset) // it is a part of the document, and has no name of its own
		}
		w.problem(mark.Problem{Document: d.Name, Entity: rec.Entity, Offset: at, Code: p.Code, Detail: p.Detail})
	}
	if rec.Rest != nil || rec.Format == nil {
		return
	}
	e := &Entity{Document: d.Name, Path: rec.Entity, Type: rec.Format.Name, Bytes: rec.Bytes, fragment: rec.Format.Fragment, start: rec.Offset,
		own: true, packed: rec.of.entity != "", file: d.Name, evidence: d.Evidence, members: d.MemberURL}
	transport := mark.Part{Charset: charsetOf(d.Type)}
	w.left, w.grown, w.unpackable = 0, 0, max(mark.RatioFree, int64(len(rec.Bytes))*int64(w.maxRatio()))
	if w.rewriting && w.BaseURLs != BaseKeep {
		// A BASE element goes only if no link is left that needs it, which only another
		// walk can tell.
		out, tell, show := w.out, w.OnProblem, w.OnLink
		w.out, w.OnProblem, w.OnLink = &recordWriter{w: w}, func(mark.Problem) {}, nil
		w.encoded(e, rec.Format, transport, root, "", 0)
		w.out, w.OnProblem, w.OnLink = out, tell, show
		w.edits.Clear()
		w.grown, w.unpackable = 0, max(mark.RatioFree, int64(len(rec.Bytes))*int64(w.maxRatio()))
	}
	edits := w.encoded(e, rec.Format, transport, root, "", 0)
	w.out.put(edits)
}

// encoded walks an entity whose bytes are in a charset, which the transport may tell. It
// gives the edits of the bytes.
func (w *Walker) encoded(e *Entity, format *mark.Format, transport mark.Part, outer *base.Scope, place string, depth int) []codec.Edit {
	if format.Split != nil {
		return w.inside(e, format, outer, place, depth)
	}
	enc := w.encodingOf(e, format, transport.Charset)
	if e.charset = enc.codec; e.charset != nil {
		if err := e.whole.decode(nil, 0, e.Bytes, e.charset, new([]byte)); err != nil {
			w.report(e, &e.whole, max(bytes.Index(e.whole.text, []byte("\uFFFD")), 0), mark.Undecodable, enc.name+": "+err.Error()+"; they stay as they are")
		}
	} else {
		mark := codec.BOMLen(e.Bytes)
		e.whole = frame{text: e.Bytes[mark:], src: e.Bytes[mark:], start: mark}
	}
	e.frame = &e.whole
	std := w.Standard
	if w.Standard == resolve.WHATWG && !format.UTF8 {
		std = std.WithQueryEncoding(codec.QueryEncoding(enc.name))
	}
	e.spells = spelling{codec: enc.codec, late: enc.late, src: e.Bytes, sevenBit: transport.SevenBit || enc.ascii}
	e.spelling, e.raw = &e.spells, true
	edits := w.entity(e, format, std, outer, place, depth)
	if e.charset != nil {
		return w.lift(e, nil, codec.Span{End: len(e.Bytes)}, e.Bytes, e.frame.text, e.charset, edits)
	}
	return codec.Shift(edits, e.frame.start)
}

// inside walks the records of an entity that is a stream of them, though not the outermost.
func (w *Walker) inside(e *Entity, format *mark.Format, outer *base.Scope, place string, depth int) []codec.Edit {
	e.whole = frame{text: e.Bytes, src: e.Bytes}
	e.frame = &e.whole
	e.Scope = outer.Enclose(w.Standard, place)
	if w.visitEntity != nil {
		w.fail(w.visitEntity(e))
	}
	var all []codec.Edit
	for rec := range format.Split(window.On(e.Bytes), len(e.Bytes)) {
		if w.failed != nil {
			break
		}
		start := int(rec.Offset)
		if p := rec.Fault; p != nil {
			w.report(e, e.frame, start+p.Offset, p.Code, p.Detail)
		}
		if rec.Format != nil {
			text := e.Bytes[start : start+len(rec.Bytes)]
			child := &Entity{Document: e.Document, Path: e.Path, Type: format.Name, Bytes: text, depth: e.depth, fragment: true, start: rec.Offset,
				own: e.own, file: e.file, members: e.members, outer: e, region: &frame{parent: e.frame, text: text, start: start, src: text}}
			all = append(all, codec.Shift(w.encoded(child, rec.Format, mark.Part{}, e.Scope, "", depth), start)...)
		}
	}
	return all
}

// entity walks the text of an entity: extract, close the scope, resolve, recurse. It
// gives the edits of that text, which are valid until the next entity on the level.
func (w *Walker) entity(e *Entity, format *mark.Format, std resolve.Standard, outer *base.Scope, place string, depth int) []codec.Edit {
	f := w.finder(depth)
	f.File = e.own && !w.NoEvidence
	f.Members = ofFiles(e.members)
	format.Extract(e.frame.text, f)
	evidence := w.evidence(e, f) // first: it tells how bases are to be read
	declared := append(w.declarations(e, f), evidence...)
	e.Scope = outer.Enclose(std, place, declared...)
	candidates := w.judged(e, declared)
	if w.visitEntity != nil && !e.fragment {
		w.fail(w.visitEntity(e))
	}
	for _, p := range f.Problems {
		w.report(e, e.frame, p.Offset, p.Code, p.Detail)
	}
	if f.Opaque {
		return nil
	}
	level := w.level(depth)
	v := &level.visit
	*v = visit{w: w, e: e, f: f, std: std, depth: depth,
		scopes: w.elementScopes(e, f), outer: outer, place: place, declared: declared,
		outside: e.Scope, candidates: candidates, edits: level.edits}
	if i := slices.IndexFunc(declared, byXMLBase); i >= 0 {
		v.outside = v.without(declaredAt(declared[i].Offset))
	}
	e.parts = v.siblingsOf()
	if w.rewriting && w.naming == nil {
		v.claims(e.parts)
	}
	v.all()
	v.name(e.parts)
	level.edits = v.edits
	v.edits = mark.Mended(e.frame.text, f.Menders, v.edits)
	for _, b := range f.Broken {
		if len(mark.Within(v.edits, b.Of)) > 0 {
			w.report(e, e.frame, b.Offset, b.Code, b.Detail)
		}
	}
	return v.edits
}

// visit is the second half of an entity's walk, when its scope is closed.
type visit struct {
	w          *Walker
	e          *Entity
	f          *mark.Finder
	std        resolve.Standard
	depth      int
	scopes     []*base.Scope
	outer      *base.Scope
	place      string             // of the entity in its outer one
	declared   []base.Declaration // by the entity
	outside    *base.Scope
	early      *base.Scope // nil until something is in it
	candidates []base.Candidate
	ordinals   map[*mark.Place]int // of nested documents
	edits      []codec.Edit
	removed    int // the end of the last BASE element that was taken out

	page, utf8 *base.Scope // a scope, and the same for queries in UTF-8
}

// all resolves and recurses, in the order of the bytes. The edits of a document that is its own text
// are written a chunk after the other, unless they have to be known to the end.
func (v *visit) all() {
	v.edits, v.ordinals, v.removed = v.edits[:0], nil, 0
	writes := v.e.outer == nil && v.e.charset == nil && !v.f.Late
	for chunk := range v.f.All {
		if writes && len(v.edits) > 0 {
			v.w.out.put(codec.Shift(v.edits, v.e.frame.start))
			v.edits = v.edits[:0]
		}
		v.findings(chunk)
	}
}

// findings is all for one chunk.
func (v *visit) findings(found []mark.Mark) {
	w, e := v.w, v.e
	for i := range found {
		if w.failed != nil {
			return
		}
		at, scope, from := &found[i], e.Scope, len(v.edits)
		if at.Start < v.removed {
			continue // it goes with its element
		}
		if at.Scope != 0 {
			scope = v.scopeOf(at)
		}
		switch at.Kind {
		case mark.IsLink:
			v.edits = w.reference(v.edits, e, e.frame, at, at.Place, 0, scope)
			v.unlessSigned(at, from)
		case mark.IsBase:
			switch c := v.candidate(at); {
			case at.Base.Listed && (c == nil || c.Verdict != base.Used):
				v.edits = w.reference(v.edits, e, e.frame, at, at.Place, 0, scope)
			case at.Base.Listed:
				v.listBase(at, c)
				fallthrough
			default:
				v.base(at)
				v.unlessSigned(at, from)
			}
		case mark.IsInline:
			if at.Format.UTF8 && v.std != w.Standard {
				scope = v.inUTF8(scope)
			}
			v.edits = append(v.edits, w.inline(e, at, scope, v.depth+1)...)
			v.unlessSigned(at, from)
		case mark.IsNested:
			v.nested(at, scope)
		}
		if e.raw && len(v.edits) > from {
			v.edits = w.spellable(e, v.edits, from)
		}
	}
}

// nested recurses into a document that stands in the entity.
func (v *visit) nested(at *mark.Mark, scope *base.Scope) {
	w := v.w
	ordinal := 0
	if at.Part == nil { // else the place is a name of its own
		ordinal = v.ordinal(at.Place)
	}
	if w.naming != nil && at.Part != nil {
		if v.e.parts != w.naming {
			return // nothing in it names a part of the message at hand
		}
		w.naming.at = at.Start
	}
	if at.Part != nil && v.e.parts != nil && v.e.parts.within != nil {
		scope = v.e.parts.scopeOf(v.e.within(at.Place.Name), scope)
	}
	edits := w.nested(v.e, at, v.std, scope, ordinal, v.depth+1)
	if len(edits) == 0 {
		return
	}
	// They are not in order where a Content-MD5 stands before a link of its header.
	from := len(v.edits)
	first := sort.Search(from, func(i int) bool { return v.edits[i].Start > edits[0].Start })
	if v.edits = append(v.edits, edits...); first < from {
		codec.SortEdits(v.edits[first:])
	}
}

// ordinal is the number of the next nested document at a place.
func (v *visit) ordinal(place *mark.Place) int {
	if v.ordinals == nil {
		v.ordinals = map[*mark.Place]int{}
	}
	v.ordinals[place]++
	return v.ordinals[place]
}

// scopeOf is the scope that a finding is in. A field of a body part that declares the base in force,
// or would if there were one around it, is a link in what is around: so it is resolved as a base.
func (v *visit) scopeOf(at *mark.Mark) *base.Scope {
	scope := v.scopeAt(at.Scope)
	if at.Base == nil || scope.By() != at.Base.By && scope.Rung() != base.Default {
		return scope
	}
	for n := at.Scope; n > 0; n = v.f.Scopes[n-1].Scope {
		if v.f.Scopes[n-1].Base == at.Base {
			return v.scopeAt(v.f.Scopes[n-1].Scope)
		}
	}
	return scope
}

// without is the scope of the entity but for some of what it declares.
func (v *visit) without(some func(base.Declaration) bool) *base.Scope {
	rest := slices.DeleteFunc(slices.Clone(v.declared), some)
	return v.outer.Enclose(v.std, v.place, rest...)
}

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
	return v.scopes[n-1]
}

// inUTF8 is a scope for what has its queries in UTF-8.
func (v *visit) inUTF8(scope *base.Scope) *base.Scope {
	if v.page != scope {
		v.page, v.utf8 = scope, scope.Enclose(v.w.Standard, "")
	}
	return v.utf8
}

// unlessSigned takes the edits from an index on back, those of one finding, if a signature
// covers what they change.
func (v *visit) unlessSigned(at *mark.Mark, from int) {
	if len(v.edits) > from && v.f.Covers(at.Start) && !v.w.BreakSignatures {
		v.w.report(v.e, v.e.frame, at.Start, mark.SignatureWouldBreak, "a signature covers it; it is left as it is")
		v.edits = v.edits[:from]
	}
}

// base takes the edits of a declared base. With an element that is taken out go the edits
// of its other attributes.
func (v *visit) base(at *mark.Mark) {
	edits := v.w.baseEdit(v.e, at, v.candidate(at))
	if el := at.Base.Element; len(edits) > 0 && edits[0].Span == el {
		for n := len(v.edits); n > 0 && v.edits[n-1].Start >= el.Start; n-- {
			v.edits = v.edits[:n-1]
		}
		v.removed = el.End
	}
	v.edits = append(v.edits, edits...)
}

// candidate is what became of a declaration; nil if it is not listed.
func (v *visit) candidate(at *mark.Mark) *base.Candidate {
	offset := v.e.frame.offset(at.Start)
	candidates := v.candidates
	if at.Scope > 0 {
		candidates = v.scopes[at.Scope-1].Own()
	}
	for i := range candidates {
		if c := &candidates[i]; c.Own && c.Offset == offset {
			return c
		}
	}
	return nil
}

// inline walks a region in a small grammar. Its links are the entity's own.
func (w *Walker) inline(e *Entity, at *mark.Mark, scope *base.Scope, depth int) []codec.Edit {
	src := e.frame.text[at.Start:at.End]
	level := w.level(depth)
	fr := &level.region
	if err := fr.decode(e.frame, at.Start, src, at.Codec, &level.room); err != nil {
		w.report(e, e.frame, at.Start, mark.Undecodable, err.Error())
	}
	f, number := w.finder(depth), 0
	var edits []codec.Edit
	f.Full = func() {
		for i := range f.Found {
			link := &f.Found[i]
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
	at.Format.Extract(fr.text, f)
	f.Full()
	for _, p := range f.Problems {
		w.report(e, fr, p.Offset, p.Code, p.Detail)
	}
	return w.lift(e, e.frame, at.Span(), src, fr.text, at.Codec, edits)
}

// dropped tells of a candidate that is no link. It does not count as a link that was left as it is.
func (w *Walker) dropped(e *Entity, fr *frame, at *mark.Mark) {
	if w.visitEntity == nil && w.OnProblem != nil {
		start, end := ascii.TrimSpace(fr.text, at.Start, at.End)
		w.tell(e, fr, start, mark.LinkMalformed, mark.Quote(fr.text[start:end])+": this srcset candidate is no link, because its descriptors are not valid; browsers drop it")
	}
}

// nested walks a region that is a document of its own.
func (w *Walker) nested(e *Entity, at *mark.Mark, std resolve.Standard, scope *base.Scope, ordinal, depth int) []codec.Edit {
	if limit := w.maxDepth(); e.depth >= limit {
		w.report(e, e.frame, at.Start, mark.DepthLimit, "more than "+strconv.Itoa(limit)+" documents within documents; what is deeper is left as it is")
		return nil
	}
	src := e.frame.text[at.Start:at.End]
	fr := w.unpacked(e, at, src, depth)
	if fr == nil {
		return nil
	}
	format := at.Format
	if format == nil {
		if format = memberFormat(at.Part.Name, fr.text); format == nil {
			return nil
		}
	} else if format.Split != nil { // its type may be that of what is packed
		if c := pack.PackedBy(fr.text); c != nil {
			format = c.PackedFile("")
		}
	}
	child := w.child(e, at, format, fr, scope, ordinal)
	p := at.Part
	if p == nil {
		if !child.fragment {
			std = w.Standard // its text has been decoded: queries are in UTF-8
		}
		return w.lift(e, e.frame, at.Span(), src, fr.text, at.Codec, w.entity(child, format, std, scope, at.Place.Name, depth))
	}
	edits := w.encoded(child, format, *p, scope, "part", depth)
	if len(edits) > 0 && p.Signed && !w.BreakSignatures {
		w.report(e, e.frame, at.Start, mark.SignatureWouldBreak, "its links would change what was signed; it is left as it is")
		return nil
	}
	lifted := w.lift(e, e.frame, at.Span(), src, fr.text, at.Codec, edits)
	if p.MD5.Len() > 0 && len(lifted) > 0 {
		return append(contentMD5(e.frame.text, p, child.Bytes, edits), lifted...)
	}
	return lifted
}

// child is the entity that a nested region of e is. fr has its text.
func (w *Walker) child(e *Entity, at *mark.Mark, format *mark.Format, fr *frame, scope *base.Scope, ordinal int) *Entity {
	child := &Entity{Document: e.Document, Type: format.Name, Bytes: fr.text, depth: e.depth + 1, fragment: format.Fragment, srcdoc: at.Place.Srcdoc,
		whole: frame{text: fr.text}, outer: e, region: fr, spelling: e.spelling, among: e.among, group: e.group, saved: e.saved, sealed: e.sealed}
	child.frame = &child.whole
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
func (w *Walker) unpacked(e *Entity, at *mark.Mark, src []byte, depth int) *frame {
	unpacks := codec.Unpacks(at.Codec)
	level := w.level(depth)
	var fr *frame
	var err error
	if unpacks {
		at.Codec = codec.UpTo(at.Codec, w.maxRecord())
	}
	if !unpacks || w.unpackable >= 0 {
		fr = &level.region
		err = fr.decode(e.frame, at.Start, src, at.Codec, &level.room)
	}
	if unpacks && fr != nil {
		w.unpackable -= int64(len(fr.text))
	}
	switch {
	case unpacks && w.unpackable < 0:
		w.report(e, e.frame, at.Start, mark.RatioLimit, "what is packed in the record is more than "+strconv.Itoa(w.maxRatio())+" times as long all together; the rest of it is left as it is")
		return nil
	case errors.Is(err, codec.ErrTooLong):
		w.report(e, e.frame, at.Start, mark.RatioLimit, err.Error())
	case err != nil:
		w.report(e, e.frame, at.Start, mark.Undecodable, err.Error())
	}
	return fr
}

// fail notes the error of a visit, which ends the walk.
func (w *Walker) fail(err error) {
	if err != nil {
		w.failed = err
	}
}
