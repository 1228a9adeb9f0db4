package extract

// This file has records and the entities inside them: their bytes, their types, where they came from, and their limits.

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"absolink/base"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/sniff"
	"absolink/extract/internal/source"
	"absolink/extract/internal/window"
	"absolink/resolve"
)

// totals is what the walk of one record has used up and found.
type totals struct {
	budget     budget
	longest    int64         // the budget for URLs at the start of the record
	compared   int64         // the number of bytes that are left for URLs that are compared with the URLs in browsers
	unpackable int64         // the number of bytes that may still be decompressed
	decodable  int64         // the largest number of bytes of decoded texts that contain each other
	parsed     *resolve.Base // the last base that was counted in the budget, because it was parsed for an entity
	unmarked   int           // the number of links and embedded documents that may still follow
	full       bool          // there are more of them, so the walk of the record ends

	unmade   int      // the number of links and bases that are not resolved, because the budget is spent
	first    Problem  // the place of the first of them
	baseless bool     // the base of some scope is not known, because the bases are together too long
	unread   []unread // the documents of the record that are not read, by their kinds

	unsuitable map[base.Declaration]Problem // the problems of unsuitable bases, by their offsets and values, until a link needs such a base; nil if there are none
	needing    *base.Scope                  // the scope for which they were reported last
	lacks      string                       // the URL that the caller can set, if the record has no base

	signedLinks int // the links of the message that would change without Extractor.KeepDKIM
}

// budget is the number of bytes that the absolute URLs of a record may still have together; negative after the limit.
type budget struct {
	urls  int64 // of links and bases
	shown int64 // of links that are only shown, because a rewriting leaves them unchanged
}

// urlsPerByte limits the bytes of all absolute URLs of a record, per byte of the record. Documents whose bases have a
// usual length stay far below. Without a limit, a long base and many short links make the output grow with the square of
// the size of the record.
const urlsPerByte = 64

// bytesPerMark limits the number of links and embedded documents of a record: MaxRecord has so many bytes for each of them. Each
// link needs memory until the record is written.
const bytesPerMark = 64

// decodedPerByte limits the decoded texts that are in memory together, such as a srcdoc in a srcdoc, per byte of the record.
const decodedPerByte = 3

// begins sets the totals for a record.
func (w *walker) begins(rec Record) {
	n := int64(len(rec.Bytes))
	urls := max(int64(w.x.maxRecord()), n*urlsPerByte)
	w.rec = totals{budget: budget{urls, urls}, longest: urls, compared: urls, unpackable: max(mark.RatioFree, n*int64(w.x.maxRatio())),
		decodable: max(mark.RatioFree, n*decodedPerByte), lacks: rec.of.lacks, unmarked: max(w.x.maxRecord()/bytesPerMark, 1)}
}

// longURL is a length of URLs that real documents do not reach. Work that takes the time of a longer URL counts as a URL.
const longURL = 4096

// spend counts n bytes of an absolute URL. It reports whether the URLs are within the limit.
func (b *budget) spend(n int) bool {
	b.urls -= int64(n)
	return b.urls >= 0
}

// removed returns the number of bytes of a long base that the dot segments of a reference remove, because they take time,
// too. n is the length of the URL of the reference.
func removed(b *resolve.Base, ref []byte, n int) int {
	if more := len(b.String()) - n; more > longURL && climbs(ref) {
		return more
	}
	return 0
}

// climbs reports whether a reference may have dot segments.
func climbs(ref []byte) bool {
	return bytes.HasPrefix(ref, []byte(".")) || bytes.Contains(ref, []byte("/.")) || bytes.IndexByte(ref, '\\') >= 0 || bytes.IndexByte(ref, '%') >= 0
}

// errGrown is the error for a link or a base after the limit totals.longest.
var errGrown = errors.New("the absolute URLs of the record are together too long")

// record walks one record. Its edits go to w.out.
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
		w.out.put(edits)
	}
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

// ended reports whether nothing more of the record is walked.
func (w *walker) ended() bool { return w.call.failed != nil || w.rec.full }

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

// outgrown counts a link or a base that stays unchanged, because the absolute URLs of the record are together too long.
// It is at an offset of the text t. reportUnmade reports it.
func (w *walker) outgrown(e *Entity, t *source.Text, offset int) {
	if w.rec.unmade == 0 {
		w.rec.first = Problem{Document: e.Document, Entity: e.Path, Offset: int(e.start) + t.Offset(offset)}
	}
	w.rec.unmade++
	e.needBase()
}

// reportUnmade reports the links and bases that outgrown has counted in a record, as one problem.
func (w *walker) reportUnmade() {
	if w.rec.unmade == 0 || w.call.failed != nil {
		return
	}
	p := w.rec.first
	p.Code, p.Setting, p.Detail = CodeSizeLimit, settingMaxRecord, "the absolute URLs of the record would be longer than "+strconv.FormatInt(w.rec.longest, 10)+
		" bytes together; "+strconv.Itoa(w.rec.unmade)+" links and bases from here on are not resolved"
	w.x.problem(p)
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
