package extract

// This file walks a record: its entity, the scope of the entity, and the documents inside it.

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"absolink/base"
	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/sniff"
	"absolink/extract/internal/source"
	"absolink/extract/internal/window"
	"absolink/resolve"
)

// record walks one record. Its edits go to w.out.record.
func (w *walker) record(rec Record) {
	d, root := &rec.of.d, rec.of.root
	if p := rec.fault; p != nil {
		at := p.Offset
		if rec.Entity == strings.TrimSuffix(rec.of.entity, "/") {
			at += int(rec.Offset) // the record has no name, so the offset counts from the start of the document
		}
		severity := Severity(0)
		switch {
		case p.Normal:
			severity = SeverityNote
		case p.Read:
			severity = SeverityWarning
		}
		w.x.problem(Problem{Document: d.Name, Entity: rec.Entity, Offset: at, Severity: severity, Code: Code(p.Code), Setting: p.By, Detail: p.Detail})
	}
	if rec.Rest != nil && !rec.passes || rec.format == nil {
		return
	}
	e := &Entity{Document: d.Name, Path: rec.Entity, Type: rec.format.Name, Bytes: rec.Bytes, fragment: rec.format.Fragment,
		sniffed: d.Type == "",
		start:   rec.Offset, compressed: rec.of.entity != "",
		file: d.Name, own: true, attributes: d.Evidence, members: d.MemberURL}
	if e.wanted = w.x.wants(rec.of.wanted, rec.format); w.skips(e, rec.format) {
		return
	}
	transport := mark.Part{Charset: charsetOf(d.Type), Given: d.Type != ""}
	w.begins(rec)
	edits, _ := w.walkBytes(frame{e: e, format: rec.format, outer: root}, transport)
	w.reportUnmade()
	w.reportUnread()
	if !w.rec.full {
		w.out.record.put(edits)
	}
}

// walkBytes decodes the charset of an entity, and walks its text. transport may have the charset. It returns the edits of the
// bytes. If tied is true, they depend on each other. They are valid until the next entity on the same level.
func (w *walker) walkBytes(f frame, transport mark.Part) (edits []codec.Edit, tied bool) {
	e, format := f.e, f.format
	if format.Split != nil {
		return w.inside(f)
	}
	if format == html.Format && pack.IsSelfExtracting(e.Bytes) {
		f.format, f.outer = pack.SelfExtracting, e.asArchive(w.x.Standard, f.outer, w.rec.budget.urls >= 0)
		w.rec.budget.spend(len(f.outer.RetrievalURL()))
		format = f.format
	}
	enc := w.encodingOf(e, format, transport.Charset)
	if e.charset = enc.Codec; e.charset != nil {
		if err := e.whole.Decode(nil, 0, e.Bytes, e.charset, new([]byte)); err != nil {
			w.undecodable(e, &e.whole, max(bytes.Index(e.whole.Bytes, []byte("\uFFFD")), 0), err, enc.Name+": "+err.Error()+"; these bytes stay unchanged")
		}
	} else {
		mark := charsets.BOMLen(e.Bytes)
		if format == pack.SelfExtracting {
			mark = 0 // offsets count from the first byte
		}
		e.whole = source.Text{Bytes: e.Bytes[mark:], Src: e.Bytes[mark:], Start: mark}
	}
	e.text = &e.whole
	if !transport.Given && w.mistyped(e, format, transport.Identified) {
		return nil, false
	}
	f.std = w.x.Standard
	if w.x.Standard == resolve.WHATWG && !format.UTF8 {
		f.std = f.std.WithQueryEncoding(charsets.QueryEncoding(enc.Name))
	}
	e.spells = source.NewCharset(enc, e.Bytes, transport.SevenBit)
	e.spelling, e.raw = &e.spells, true
	edits, tied = w.walkText(f)
	if e.charset == nil {
		return codec.Shift(edits, e.text.Start), tied
	}
	edits, err := w.lifted(e, e.charset, e.Bytes, e.text, edits, tied)
	if err != nil {
		w.report(e, nil, 0, CodeRewriteRefused, err.Error())
	}
	return edits, tied
}

// encodingOf returns the encoding of an entity, by the rules of its format. transport is a charset, or "".
func (w *walker) encodingOf(e *Entity, format *mark.Format, transport string) source.Encoding {
	if format.Charset == nil {
		return w.linesOf(e, format)
	}
	if transport != "" {
		if _, _, ok := charsets.Of(transport); !ok {
			w.reportFor(e, nil, &Problem{Code: CodeCharsetUnknown, Setting: typeOf(e),
				Detail: mark.Quote([]byte(transport)) + " is not a charset of the Encoding Standard, so the charset is detected from the content"})
			transport = ""
		}
	}
	if transport == "" && w.x.Standard != resolve.WHATWG && ascii.PlainASCII(e.Bytes) {
		// ASCII is the same text in every encoding that could be declared here. If an edit inserts other characters,
		// the format detects the encoding at that time.
		return source.Encoding{Format: format, Late: true}
	}
	enc := source.EncodingOf(format, e.Bytes, transport)
	enc.Queries = w.x.Standard == resolve.WHATWG
	return enc
}

// linesOf returns the encoding of an entity without a charset: the bytes are the text, or their lines end in CR.
func (w *walker) linesOf(e *Entity, format *mark.Format) (enc source.Encoding) {
	if format.Lines != nil {
		enc.Codec = format.Lines(e.Bytes)
	}
	if enc.Codec != nil {
		w.problemAt(e, nil, &Problem{Code: CodeHeaderMalformed, Severity: SeverityWarning, Detail: "the lines end in CR, and not in CRLF or LF; they are read as lines, and their ends stay"})
	}
	return enc
}

// inside walks the records of an entity that is a stream of records inside another entity, such as an attached mbox. It returns the
// edits of the bytes of the entity.
func (w *walker) inside(f frame) (all []codec.Edit, tied bool) {
	e := f.e
	e.whole, e.text = source.Text{Bytes: e.Bytes, Src: e.Bytes}, &e.whole
	e.Scope = w.enclose(e, f.outer, w.x.Standard, f.place, nil, nil)
	if w.call.visitEntity != nil && e.wanted {
		w.fail(w.call.visitEntity(e))
	}
	for rec := range f.format.Split(window.On(e.Bytes), len(e.Bytes)) {
		if w.ended() {
			break
		}
		start := int(rec.Offset)
		if p := rec.Fault; p != nil {
			w.fault(e, e.text, start, p)
		}
		if rec.Format != nil {
			text := e.Bytes[start : start+len(rec.Bytes)]
			child := &Entity{Document: e.Document, Path: e.Path, Type: f.format.Name, Bytes: text, fragment: true,
				outer: e, region: &source.Text{Parent: e.text, Bytes: text, Start: start, Src: text}, start: int64(start),
				depth: e.depth, encoded: e.encoded, packed: e.packed, decoded: e.decoded, file: e.file, own: e.own, members: e.members}
			child.signed, child.wanted = e.signed, w.x.wants(e.wanted, rec.Format)
			inner := frame{e: child, format: rec.Format, outer: e.Scope, depth: f.depth}
			edits, bound := w.walkBytes(inner, mark.Part{})
			all, tied = append(all, codec.Shift(edits, start)...), tied || bound
		}
	}
	return all, tied
}

// walkText walks the text of an entity. It extracts the marks, closes the scope, resolves the links, and walks the
// embedded documents. It returns the edits of the text. If tied is true, they depend on each other. They are valid until the
// next entity on the same level.
func (w *walker) walkText(f frame) (edits []codec.Edit, tied bool) {
	e, m := f.e, w.marked(f)
	declared := w.declarations(e, m)
	e.redirected = len(m.Notes.Redirects) > 0
	e.Scope = w.enclose(e, f.outer, f.std, f.place, m, declared)
	candidates := w.judged(e, declared)
	signature := w.keptBy(e, m)
	w.tell(e, m)
	w.counted(e, m)
	if m.Notes.Opaque || w.rec.full && w.call.rewriting {
		return nil, false
	}
	level := w.level(f.depth)
	level.forget()
	v := &level.visit
	*v = visit{w: w, frame: f, m: m, declared: declared, outside: e.Scope, candidates: candidates, edits: level.edits}
	v.scopes = w.elementScopes(e, m, v.scopeAt)
	if i := slices.IndexFunc(declared, byXMLBase); i >= 0 {
		v.outside = v.without(declaredAt(declared[i].Offset))
	}
	e.parts = v.partsOf()
	v.guesses()
	v.all()
	v.baseElements()
	v.unlessSealed()
	if signature != nil && w.rec.signedLinks > 0 {
		w.problemAt(e, e.text, &Problem{Offset: signature.Offset, Code: CodeSignatureWouldBreak, Severity: SeverityNote, Setting: settingKeepDKIM,
			Detail: "not rewritten: the message is signed (DKIM or ARC)"})
	}
	v.complete()
	level.edits = v.edits
	return v.edits, v.tied
}

// counted counts the marks of an entity. If the record has too many of them, the walk of the record ends with those that were kept.
func (w *walker) counted(e *Entity, m *mark.Marks) {
	if w.rec.unmarked -= m.Len(); !m.Notes.Full && w.rec.unmarked >= 0 || w.rec.full {
		return
	}
	w.rec.full = true
	what := "the rest is not read"
	if w.call.rewriting {
		what = "it stays unchanged"
	}
	w.reportFor(e, e.text, &Problem{Offset: m.Notes.FullAt, Code: CodeSizeLimit, Setting: settingMaxRecord,
		Detail: "the record has more than " + strconv.Itoa(w.x.maxRecord()/bytesPerMark) + " links and embedded documents; " + what})
}

// ended reports whether nothing more of the record is walked.
func (w *walker) ended() bool { return w.call.failed != nil || w.rec.full }

// marked returns what the format finds in the text of an entity.
func (w *walker) marked(f frame) *mark.Marks {
	e, m := f.e, w.marks(f.depth)
	m.File = e.own && !w.x.NoEvidence
	m.Srcdoc = e.srcdoc
	m.Members = ofFiles(e.members)
	m.BOM = e.raw && e.whole.Start > 0
	if w.x.Described {
		e.index = mark.ScratchOf[anchor.Index](m)
		e.index.Clear()
	}
	f.format.Extract(e.text.Bytes, m)
	e.guards = &m.Notes.Guards
	return m
}

// regionOf returns the decoded text and the format of a region. It returns nil if the region is not read.
func (w *walker) regionOf(e *Entity, at *mark.Mark, depth int) (*source.Text, *mark.Format) {
	if limit := w.x.maxDepth(); e.depth >= limit {
		w.reportFor(e, e.text, &Problem{Offset: at.Start, Code: CodeDepthLimit, Setting: settingMaxDepth,
			Detail: "more than " + strconv.Itoa(limit) + " nested documents; deeper documents are not read"})
		return nil, nil
	}
	format := at.Format
	if format != nil && w.skips(e, format) && !(mayBeFeed(at) && w.x.wantsFeed()) {
		return nil, nil
	}
	t := w.decodeRegion(e, at, format, e.text.Bytes[at.Start:at.End], depth)
	if t == nil {
		return nil, nil
	}
	if format = contentFormat(at, t.Bytes); format == nil {
		if kind := sniff.Container(at.Part.Name, headOf(t.Bytes)); kind != nil {
			w.countUnread(e, &mark.UnreadCount{Unread: kind, N: 1, Place: at.Name()})
		}
		return nil, nil
	}
	if w.skips(e, format) {
		return nil, nil
	}
	return t, format
}

// walkRegion walks a region that is an embedded document, and returns the edits of the text of the entity of v. If tied is true,
// they depend on each other.
func (w *walker) walkRegion(v *visit, at *mark.Mark, scope *base.Scope, ordinal int) (edits []codec.Edit, tied bool) {
	e, depth := v.e, v.depth+1
	defer w.level(depth).forget()
	t, format := w.regionOf(e, at, depth)
	if t == nil {
		return nil, false
	}
	child := v.child(at, format, t, scope, ordinal)
	child.sniffed = at.Format == nil
	p := at.Part
	f := frame{e: child, format: format, std: v.std, outer: scope, place: at.Place.Name, depth: depth}
	if p == nil {
		if !child.fragment {
			f.std = w.x.Standard // the text is decoded already: queries are in UTF-8
		}
		edits, tied = w.walkText(f)
	} else {
		f.place = "part"
		edits, tied = w.walkBytes(f, *p)
	}
	if len(edits) == 0 {
		return nil, false
	}
	if p != nil && p.Signed && !w.x.BreakSignatures {
		w.reportFor(e, e.text, &Problem{Offset: at.Start, Code: CodeSignatureWouldBreak, Setting: settingBreakSignatures,
			Detail: "not rewritten: its links are inside a signed part"})
		return nil, false
	}
	if compress.Unpacks(at.Codec) && !compress.HasParts(at.Codec, t.Src) { // it spells only the whole text, so the edits need not be apart
		edits = []codec.Edit{codec.AsOne(t.Bytes, edits)}
	}
	var digest []codec.Edit
	if p != nil && p.MD5.Len() > 0 {
		digest, tied = mail.ContentMD5(e.text.Bytes, p, child.Bytes, edits), true
	}
	lifted := w.lift(e, at, t, edits, tied)
	if len(lifted) == 0 {
		return nil, false
	}
	return append(digest, lifted...), tied
}

// decodeRegion returns the decoded text of a nested region. It returns nil if the text is not of the format, if all
// compressed regions of the record together are too long, or if the text is too long to be compressed again. format is nil if
// it is not known.
func (w *walker) decodeRegion(e *Entity, at *mark.Mark, format *mark.Format, src []byte, depth int) *source.Text {
	level := w.level(depth)
	unpacks, room := compress.Unpacks(at.Codec), &level.room
	if much := e.tooDeep(at); much != "" {
		w.reportFor(e, e.text, &Problem{Offset: at.Start, Code: CodeDepthLimit, Detail: "more than " + much + " inside each other; deeper documents are not read"})
		return nil
	}
	var t *source.Text
	var err error
	if unpacks {
		at.Codec = compress.UpTo(at.Codec, w.x.maxRecord())
		room = new([]byte) // the text may be much longer than others, so its memory is not kept
	}
	if !unpacks || w.rec.unpackable >= 0 {
		t = &level.region
		err = t.Decode(e.text, at.Start, src, at.Codec, room)
	}
	if unpacks && t != nil {
		w.rec.unpackable -= int64(len(t.Bytes))
		w.rec.decodable += decodedPerByte * int64(len(t.Bytes))
	}
	switch {
	case t != nil && format != nil && format.Is != nil && !format.Is(t.Bytes):
		if looksLike(t.Bytes) != "" {
			w.countUnread(e, &mark.UnreadCount{Unread: mark.Mistyped, N: 1, Place: at.Name()})
		}
		return nil
	case t != nil && t.Codec != nil && e.decoded+int64(len(t.Bytes)) > w.rec.decodable:
		level.room = nil
		w.reportFor(e, e.text, &Problem{Offset: at.Start, Code: CodeDepthLimit,
			Detail: "nested documents that must be decoded are together more than " + strconv.Itoa(decodedPerByte) + " times as long as the record; deeper documents are not read"})
		return nil
	case unpacks && w.rec.unpackable < 0:
		w.reportFor(e, e.text, &Problem{Offset: at.Start, Code: CodeRatioLimit, Setting: settingMaxRatio,
			Detail: "decompressed, the parts of the record are together more than " + strconv.Itoa(w.x.maxRatio()) + " times as long; the rest is not read"})
		return nil
	case w.call.rewriting && errors.Is(err, compress.ErrTooLong): // its end is not known, so it cannot be compressed again
		w.reportFor(e, e.text, &Problem{Offset: at.Start, Code: CodeRatioLimit, Setting: limitOf(err), Detail: err.Error() + "; it stays unchanged"})
		return nil
	case errors.Is(err, compress.ErrTooLong):
		w.reportFor(e, e.text, &Problem{Offset: at.Start, Code: CodeRatioLimit, Setting: limitOf(err), Detail: err.Error()})
	case err != nil:
		w.undecodable(e, e.text, at.Start, err, err.Error())
	}
	return t
}

// child returns the entity of a nested region. t has the text of the region.
func (v *visit) child(at *mark.Mark, format *mark.Format, t *source.Text, scope *base.Scope, ordinal int) *Entity {
	w, e := v.w, v.e
	child := &Entity{Document: e.Document, Type: format.Name, Bytes: t.Bytes, fragment: format.Fragment, srcdoc: at.Place.Srcdoc,
		whole: source.Text{Bytes: t.Bytes}, spelling: e.spelling, outer: e, region: t, depth: e.depth + 1,
		saved: e.saved, among: e.among, group: e.group, signed: e.signed}
	child.encoded, child.packed = e.wraps(at)
	if child.decoded = e.decoded; t.Codec != nil {
		child.decoded += int64(len(t.Bytes))
	}
	child.text, child.wanted = &child.whole, w.x.wants(e.wanted, format)
	p := at.Part
	if p == nil {
		child.Path = e.within(mark.Numbered(at.Place.Name, ordinal))
		return child
	}
	child.Path, child.header = e.within(at.Name()), scope
	child.file = p.Name
	if child.own = e.own && e.fragment && p.Name != ""; child.own {
		child.members = e.membersOf(p.Name)
	}
	switch {
	case p.Beside != nil && !format.Holds.HasPaths():
		child.saved = saved.New(child.file)
		child.saved.Beside = p.Beside
	case !child.own: // its links are not relative to a file
		child.saved = nil
	}
	child.among, child.group = e.parts, int(p.Group)
	return child
}
