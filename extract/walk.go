package extract

import (
	"bytes"
	"slices"
	"strings"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
	"absolink/extract/internal/window"
	"absolink/resolve"
)

// level is what one level of recursion keeps for the next entity on it.
type level struct {
	marks  mark.Marks
	visit  visit
	edits  []codec.Edit
	region source.Text // of the entity, in the one around it
	room   []byte      // of the region's text
}

func (w *Walker) level(depth int) *level {
	for len(w.levels) <= depth {
		w.levels = append(w.levels, &level{})
	}
	return w.levels[depth]
}

// marks returns the empty Marks of one nesting level.
func (w *Walker) marks(depth int) *mark.Marks {
	m := &w.level(depth).marks
	m.Clear()
	m.Formats, m.Extended = FormatOf, w.Extended
	m.Limits = mark.Limits{Depth: w.maxDepth(), Record: w.maxRecord(), Ratio: w.maxRatio()}
	return m
}

// record walks one record. Its edits go to w.out.
func (w *Walker) record(rec Record) {
	d, root := &rec.of.d, rec.of.root
	if p := rec.fault; p != nil {
		at := p.Offset
		if rec.Entity == strings.TrimSuffix(rec.of.entity, "/") {
			at += int(rec.Offset) // it is a part of the document, and has no name of its own
		}
		w.problem(Problem{Document: d.Name, Entity: rec.Entity, Offset: at, Code: Code(p.Code), Detail: p.Detail})
	}
	if rec.Rest != nil || rec.Format == nil {
		return
	}
	e := &Entity{Document: d.Name, Path: rec.Entity, Type: rec.Format.Name, Bytes: rec.Bytes, fragment: rec.Format.Fragment,
		position: position{start: rec.Offset, compressed: rec.of.entity != ""},
		origin:   origin{file: d.Name, own: true, attributes: d.Evidence, members: d.MemberURL}}
	transport := mark.Part{Charset: charsetOf(d.Type)}
	w.left, w.budget = 0, w.budgetOf(rec)
	if w.rewriting && w.BaseURLs != BaseKeep {
		w.countLeft(func() { w.encoded(e, rec.Format, transport, root, "", 0) })
		w.budget = w.budgetOf(rec)
	}
	edits := w.encoded(e, rec.Format, transport, root, "", 0)
	w.out.put(edits)
}

// budgetOf returns the budget of a record.
func (w *Walker) budgetOf(rec Record) budget {
	return budget{unpackable: max(mark.RatioFree, int64(len(rec.Bytes))*int64(w.maxRatio()))}
}

// countLeft has a record walked once without writing or reporting anything, to count the links that cannot be made
// absolute: a BASE element may be removed only if no link is left that needs it.
func (w *Walker) countLeft(walk func()) {
	out, tell, show := w.out, w.OnProblem, w.OnLink
	w.out, w.OnProblem, w.OnLink = &recordWriter{w: w}, func(Problem) {}, nil
	walk()
	w.out, w.OnProblem, w.OnLink = out, tell, show
	w.edits.Clear()
}

// encoded walks an entity whose bytes are in a charset, which the transport may tell. It
// gives the edits of the bytes.
func (w *Walker) encoded(e *Entity, format *mark.Format, transport mark.Part, outer *base.Scope, place string, depth int) []codec.Edit {
	if format.Split != nil {
		return w.inside(e, format, outer, place, depth)
	}
	enc := w.encodingOf(e, format, transport.Charset)
	if e.charset = enc.Codec; e.charset != nil {
		if err := e.whole.Decode(nil, 0, e.Bytes, e.charset, new([]byte)); err != nil {
			w.report(e, &e.whole, max(bytes.Index(e.whole.Bytes, []byte("\uFFFD")), 0), Undecodable, enc.Name+": "+err.Error()+"; they stay as they are")
		}
	} else {
		mark := codec.MarkLen(e.Bytes)
		e.whole = source.Text{Bytes: e.Bytes[mark:], Src: e.Bytes[mark:], Start: mark}
	}
	e.text = &e.whole
	std := w.Standard
	if w.Standard == resolve.WHATWG && !format.UTF8 {
		std = std.WithQueryEncoding(codec.QueryEncoding(enc.Name))
	}
	e.spells = source.NewCharset(enc, e.Bytes, transport.SevenBit)
	e.spelling, e.raw = &e.spells, true
	edits := w.entity(e, format, std, outer, place, depth)
	if e.charset != nil {
		return w.lift(e, nil, codec.Span{End: len(e.Bytes)}, e.Bytes, e.text.Bytes, e.charset, edits)
	}
	return codec.Shift(edits, e.text.Start)
}

// inside walks the records of an entity that is a stream of them, though not the outermost.
func (w *Walker) inside(e *Entity, format *mark.Format, outer *base.Scope, place string, depth int) []codec.Edit {
	e.whole = source.Text{Bytes: e.Bytes, Src: e.Bytes}
	e.text = &e.whole
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
			w.report(e, e.text, start+p.Offset, Code(p.Code), p.Detail)
		}
		if rec.Format != nil {
			text := e.Bytes[start : start+len(rec.Bytes)]
			child := &Entity{Document: e.Document, Path: e.Path, Type: format.Name, Bytes: text, fragment: true, position: e.inside(text, start), origin: e.origin}
			child.attributes, child.saved = nil, nil
			all = append(all, codec.Shift(w.encoded(child, rec.Format, mark.Part{}, e.Scope, "", depth), start)...)
		}
	}
	return all
}

// entity walks the text of an entity: extract, close the scope, resolve, recurse. It
// gives the edits of that text, which are valid until the next entity on the level.
func (w *Walker) entity(e *Entity, format *mark.Format, std resolve.Standard, outer *base.Scope, place string, depth int) []codec.Edit {
	f := w.marks(depth)
	f.File = e.own && !w.NoEvidence
	f.Members = ofFiles(e.members)
	format.Extract(e.text.Bytes, f)
	evidence := w.evidence(e, f) // first: it tells how bases are to be read
	declared := append(w.declarations(e, f), evidence...)
	e.Scope = outer.Enclose(std, place, declared...)
	candidates := w.judged(e, declared)
	if w.visitEntity != nil && !e.fragment {
		w.fail(w.visitEntity(e))
	}
	for _, p := range f.Notes.Faults {
		w.report(e, e.text, p.Offset, Code(p.Code), p.Detail)
	}
	if f.Notes.Opaque {
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
	v.edits = mark.Mended(e.text.Bytes, f.Notes.Menders, v.edits)
	for _, b := range f.Notes.Breaks {
		if len(mark.Within(v.edits, b.Of)) > 0 {
			w.report(e, e.text, b.Offset, Code(b.Code), b.Detail)
		}
	}
	return v.edits
}

// encodingOf asks the format which encoding an entity is in.
func (w *Walker) encodingOf(e *Entity, format *mark.Format, transport string) source.Encoding {
	if format.Charset == nil {
		return source.Encoding{}
	}
	if transport != "" {
		if _, _, ok := codec.Charset(transport); !ok {
			w.report(e, nil, 0, CharsetUnknown, mark.Quote([]byte(transport))+" is no encoding that the Encoding Standard knows")
			transport = ""
		}
	}
	if transport == "" && w.Standard != resolve.WHATWG && ascii.PlainASCII(e.Bytes) {
		// The same text in every encoding that could be declared here. What is put into
		// it may be other letters.
		return source.Encoding{Late: format}
	}
	return source.EncodingOf(format, e.Bytes, transport)
}

// fail notes the error of a visit, which ends the walk.
func (w *Walker) fail(err error) {
	if err != nil {
		w.failed = err
	}
}
