package extract

// This file makes the entities of a record, and of the documents inside it.

import (
	"errors"
	"strconv"
	"strings"

	"absolink/base"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/sniff"
	"absolink/extract/internal/source"
	"absolink/extract/internal/window"
)

// record walks one record. Its edits go to w.out.
func (w *walker) record(rec Record) {
	d, root := &rec.of.d, rec.of.root
	if p := rec.fault; p != nil {
		at := p.Offset
		if rec.Entity == strings.TrimSuffix(rec.of.entity, "/") {
			at += int(rec.Offset) // a record without a name is reported at an offset of the document
		}
		severity := Severity(0)
		switch {
		case p.Normal:
			severity = SeverityNote
		case p.Read:
			severity = SeverityWarning
		}
		w.x.report(Problem{Document: d.Name, Entity: rec.Entity, Offset: at, Severity: severity, Code: Code(p.Code),
			Setting: p.By, Detail: p.Detail})
	}
	if rec.Rest != nil && !rec.passes || rec.format == nil {
		return
	}
	e := &Entity{Document: d.Name, Path: rec.Entity, Type: rec.format.Name, Bytes: rec.Bytes,
		fragment: rec.format.Fragment, format: rec.format, outerScope: root,
		sniffed: d.Type == "",
		start:   rec.Offset, compressed: rec.of.entity != "",
		file: d.Name, isFile: true, evidence: d.Evidence, members: d.MemberURL, disk: diskOf(d, "", rec.format),
		local: w.localRecord(d, rec.format),
		kept:  w.x.Keep != nil && w.x.Keep(rec.Entity)}
	if d.Beside != nil && !w.x.NoEvidence {
		e.saved = saved.New(d.Name)
		e.saved.FolderBeside = d.Beside
	}
	if e.wanted = w.x.wants(rec.of.wanted, rec.format); w.skips(e, rec.format) {
		return
	}
	transport := mark.Part{Charset: charsetOf(d.Type), Given: d.Type != ""}
	w.begins(rec)
	edits, _ := w.walkBytes(e, transport)
	w.reportUnmade()
	w.reportUnread()
	if e.kept {
		edits = nil // not even the WARC-Target-URI changes
	}
	if !w.totals.full {
		w.out.put(edits)
	}
	w.leaveMade()
}

// inside walks the records of an entity that is cut into records, such as an attached mbox, and returns the edits of
// its bytes.
func (w *walker) inside(e *Entity) (all []codec.Edit, tied bool) {
	e.text = source.Text{Bytes: e.Bytes, Src: e.Bytes}
	e.Scope = w.enclose(e, e.outerScope, w.x.Standard, e.placeName, nil, nil)
	w.showEntity(e)
	var files func(string) string
	if w.out.rec.of.d.Local != nil && e.format.Holds.HasPaths() {
		files = filesIn(e)
	}
	for rec := range e.format.Split(window.On(e.Bytes), len(e.Bytes)) {
		if w.ended() {
			break
		}
		start := int(rec.Offset)
		if p := rec.Fault; p != nil {
			w.reportFault(e, &e.text, start, p)
		}
		if rec.Format != nil {
			text := e.Bytes[start : start+len(rec.Bytes)]
			child := &Entity{Document: e.Document, Path: e.Path, Type: e.format.Name, Bytes: text, fragment: true,
				format: rec.Format, outerScope: e.Scope,
				parent: e, regionText: &source.Text{Parent: &e.text, Bytes: text, Start: start, Src: text},
				start: int64(start),
				depth: e.depth, encoded: e.encoded, packed: e.packed, decoded: e.decoded,
				file: e.file, isFile: e.isFile, members: e.members, files: files}
			child.kept, child.wanted = e.kept, w.x.wants(e.wanted, rec.Format)
			edits, bound := w.walkBytes(child, mark.Part{})
			all, tied = append(all, codec.Shift(edits, start)...), tied || bound
		}
	}
	return all, tied
}

func (w *walker) ended() bool { return w.call.failed != nil || w.totals.full }

// regionOf returns the decoded text and the format of a region, or nil if the region is not read.
func (w *walker) regionOf(e *Entity, at *mark.Mark, depth int) (*source.Text, *mark.Format) {
	if limit := w.x.maxDepth(); e.depth >= limit {
		w.reportStaying(e, &e.text, &Problem{Offset: at.Start, Code: CodeDepthLimit, Setting: settingMaxDepth,
			Detail: "more than " + strconv.Itoa(limit) + " nested documents; deeper documents are not read"})
		return nil, nil
	}
	format := at.Format
	if format == mail.Unread {
		if w.x.Old != nil {
			t := &w.level(depth).region
			_ = t.Decode(&e.text, at.Start, e.text.Bytes[at.Start:at.End], at.Codec, &w.level(depth).room)
			w.leaveUnread(e, e.joinPath(at.Name()), t)
		}
		return nil, nil
	}
	if format != nil && w.skips(e, format) && !(mayBeFeed(at) && w.x.wantsFeed()) {
		return nil, nil
	}
	t := w.decodeRegion(e, at, format, e.text.Bytes[at.Start:at.End], depth)
	if t == nil {
		return nil, nil
	}
	if format = contentFormat(at, t.Bytes); format == nil {
		if kind := sniff.Container(at.Part.Name, headOf(t.Bytes)); kind != nil {
			w.countUnread(e, &e.text, &mark.UnreadCount{Unread: kind, N: 1, Place: at.Name()})
		}
		if t.Codec != nil && !at.Part.Encoded {
			w.leaveUnread(e, e.joinPath(at.Name()), t)
		}
		return nil, nil
	}
	if w.skips(e, format) {
		return nil, nil
	}
	return t, format
}

// decodeRegion returns the decoded text of a nested region. It returns nil if the text is not of the format, which is
// nil if unknown, or exceeds a limit. Text that could not be decoded to its end is reported, and returned up to there.
func (w *walker) decodeRegion(e *Entity, at *mark.Mark, format *mark.Format, src []byte, depth int) *source.Text {
	level := w.level(depth)
	unpacks, room := compress.Unpacks(at.Codec), &level.room
	limit := func(code Code, setting, detail string) *source.Text {
		w.reportStaying(e, &e.text, &Problem{Offset: at.Start, Code: code, Setting: setting, Detail: detail})
		return nil
	}
	if much := e.tooDeep(at); much != "" {
		return limit(CodeDepthLimit, "", "more than "+much+" inside each other; deeper documents are not read")
	}
	var t *source.Text
	var err error
	if unpacks {
		at.Codec = compress.UpTo(at.Codec, w.x.maxRecord())
		room = new([]byte) // the text may be much longer than others, so its memory is not kept
	}
	if !unpacks || w.totals.unpackLeft >= 0 {
		t = &level.region
		err = t.Decode(&e.text, at.Start, src, at.Codec, room)
	}
	if unpacks && t != nil {
		w.totals.unpack(len(t.Bytes))
	}
	switch tooLong := errors.Is(err, compress.ErrTooLong); {
	case t != nil && format != nil && format.Is != nil && !format.Is(t.Bytes):
		if looksLike(t.Bytes) != "" {
			w.countUnread(e, &e.text, &mark.UnreadCount{Unread: mark.Mistyped, N: 1, Place: at.Name()})
		}
		return nil
	case t != nil && t.Codec != nil && e.decoded+int64(len(t.Bytes)) > w.totals.decodable:
		level.room = nil
		return limit(CodeDepthLimit, "", "nested documents that must be decoded are together more than "+
			strconv.Itoa(decodedPerByte)+" times as long as the record; deeper documents are not read")
	case unpacks && w.totals.unpackLeft < 0:
		return limit(CodeRatioLimit, settingMaxRatio, "decompressed, the parts of the record are together more than "+
			strconv.Itoa(w.x.maxRatio())+" times as long; the rest is not read")
	case tooLong && w.call.rewriting: // the end is unknown, so the text cannot be compressed again
		return limit(CodeRatioLimit, limitOf(err), err.Error()+"; it stays unchanged")
	case tooLong:
		limit(CodeRatioLimit, limitOf(err), err.Error())
	case err != nil:
		w.reportUndecodable(e, &e.text, at.Start, err, err.Error())
	}
	return t
}

// child returns the entity of a nested region with the text t. ordinal is its number among those at the same place.
func (v *visit) child(at *mark.Mark, format *mark.Format, t *source.Text, scope *base.Scope, ordinal int) *Entity {
	w, e := v.w, v.e
	child := &Entity{Document: e.Document, Type: format.Name, Bytes: t.Bytes, feed: e.feed, fragment: format.Fragment,
		srcdoc: at.Place.Srcdoc,
		text:   source.Text{Bytes: t.Bytes}, spelling: e.spelling, parent: e, regionText: t, depth: e.depth + 1,
		saved: e.saved, disk: e.disk, local: e.local, siblings: e.siblings, group: e.group, kept: e.kept}
	child.encoded, child.packed = e.wraps(at)
	if child.decoded = e.decoded; t.Codec != nil {
		child.decoded += int64(len(t.Bytes))
	}
	child.wanted, child.sniffed = w.x.wants(e.wanted, format), at.Format == nil
	child.format, child.std, child.outerScope, child.placeName = format, e.std, scope, at.Place.Name
	p := at.Part
	if p == nil {
		if child.Path = e.joinPath(mark.Numbered(at.Place.Name, ordinal)); !child.fragment {
			child.std = w.x.Standard // the text is decoded already: queries are in UTF-8
		}
		return child
	}
	child.placeName = "part"
	child.Path, child.headerScope = e.joinPath(at.Name()), scope
	if w.x.Keep != nil && w.x.Keep(child.Path) {
		child.kept = true
		e.kept = e.kept || e.parent == nil && w.out.rec.of.format().Split != nil // e only wraps it, as in a WARC
	}
	child.file, child.policy = p.Name, p.Policy
	child.local, child.disk = nil, nil
	if child.isFile = e.isFile && e.fragment && p.Name != ""; child.isFile {
		child.members, child.local = e.membersOf(p.Name), v.localMember(p.Name, format)
		if e.parent == nil {
			child.disk = diskOf(&w.out.rec.of.d, p.Name, format)
		}
	}
	switch {
	case p.Files != nil && !format.Holds.HasPaths():
		child.saved = saved.New(child.file)
		child.saved.HasFile = p.Files.Has
	case !child.isFile: // no link in it leads to a copy beside the saved page
		child.saved = nil
	}
	if format == pack.EPUB && !child.isFile { // no base around a book applies in it (EPUB 3.3, 6.1.5)
		child.isFile = true
		child.outerScope, _ = w.opener.root("", "")
	}
	child.siblings, child.group = e.parts, int(p.Group)
	return child
}

// skips reports whether a document is not read because Extractor.Only wants neither it nor what may be inside it. e is
// the document, or the one around it. In a page that Chromium saved nothing is skipped: see related.Parts.ScopeOf.
func (w *walker) skips(e *Entity, format *mark.Format) bool {
	return !w.x.wants(e.wanted, format) && !embeds(format.Embeds, w.x.Only) && !e.parts.IsSaved()
}
