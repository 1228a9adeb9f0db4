package extract

// This file has the limits of a record, and counts what it uses up.

import (
	"bytes"
	"errors"
	"strconv"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// totals is what the walk of one record may still use, and what it has found.
type totals struct {
	made        []*Change // for leaveDropped
	budget      budget
	longest     int64         // what budget starts with
	compareLeft int64         // bytes of URLs that may still be compared with those in browsers
	unpackLeft  int64         // bytes that may still come out of compressed data
	decodable   int64         // the greatest length of nested decoded texts together
	parsed      *resolve.Base // the base of the last scope, which the budget need not count again
	marksLeft   int           // how many links and embedded documents may still follow
	full        bool          // more of them follow, so the walk of the record ends

	unmade   int                // links and bases that are not resolved because the budget is spent
	first    Problem            // the place of the first of them
	baseless bool               // the base of some scope is not known, because the bases are together too long
	unread   []mark.UnreadCount // what is not read in the record, by kind; Place has the path of an entity

	// the problems of unsuitable bases, by declaredAs, until a link needs such a base; nil if there are none
	unsuitable map[string]Problem
	needing    *base.Scope // the scope for which they were reported last
	urlSetting string      // the setting for the URL of a record without a base

	signedLinks int // the links of the message that would change without Extractor.KeepDKIM
}

// declaredAs returns the key of a base in totals.unsuitable.
func declaredAs(c *base.Candidate) string { return strconv.Itoa(c.Offset) + " " + c.Value }

// budget is the number of bytes that the absolute URLs of a record may still have together. It is negative past the
// limit.
type budget struct {
	urls  int64 // of links and bases
	shown int64 // of links that a rewriting leaves unchanged, whose URL is only for the caller
}

// urlsPerByte limits the bytes of all absolute URLs of a record, per byte of the record. Without a limit, a long base
// and many short links make the output grow with the square of the size of the record. Documents with bases of a usual
// length stay far below.
const urlsPerByte = 64

// bytesPerMark limits the number of links and embedded documents of a record to one for so many bytes of MaxRecord,
// because each needs memory until the record is written.
const bytesPerMark = 64

// decodedPerByte limits the decoded texts that are in memory together, as those of a srcdoc in a srcdoc, per byte of
// the record.
const decodedPerByte = 3

func (w *walker) begins(rec Record) {
	n := int64(len(rec.Bytes))
	urls := max(int64(w.x.maxRecord()), n*urlsPerByte)
	w.totals = totals{budget: budget{urls, urls}, longest: urls, compareLeft: urls,
		unpackLeft: max(mark.RatioFree, n*int64(w.x.maxRatio())),
		decodable:  max(mark.RatioFree, n*decodedPerByte), urlSetting: rec.of.urlSetting,
		marksLeft: max(w.x.maxRecord()/bytesPerMark, 1)}
}

// longURL is a length that no URL of a real document reaches. Work in proportion to a longer one is charged to the
// budget.
const longURL = 4096

// spend charges n bytes of an absolute URL, and reports whether the URLs are still within the limit.
func (b *budget) spend(n int) bool {
	b.urls -= int64(n)
	return b.urls >= 0
}

// removed returns how many bytes of a long base the dot segments of a reference remove, because they take time although
// they are not in the URL. n is the length of the URL.
func removed(b *resolve.Base, ref []byte, n int) int {
	if more := len(b.String()) - n; more > longURL && climbs(ref) {
		return more
	}
	return 0
}

// climbs reports whether a reference may have dot segments, in any spelling that some standard reads as one.
func climbs(ref []byte) bool {
	return bytes.HasPrefix(ref, []byte(".")) || bytes.Contains(ref, []byte("/.")) || bytes.IndexByte(ref, '\\') >= 0 ||
		bytes.IndexByte(ref, '%') >= 0
}

// errGrown is the error for a link or a base after the budget is spent.
var errGrown = errors.New("the absolute URLs of the record are together too long")

// outgrown counts a link or a base, at an offset of the text t, that stays unchanged because the budget is spent.
func (w *walker) outgrown(e *Entity, t *source.Text, offset int) {
	if w.totals.unmade == 0 {
		w.totals.first = Problem{Document: e.Document, Entity: e.Path, Offset: int(e.start) + t.Offset(offset)}
	}
	w.totals.unmade++
	e.needBase()
}

// reportUnmade reports what outgrown has counted in a record, as one problem.
func (w *walker) reportUnmade() {
	if w.totals.unmade == 0 || w.call.failed != nil {
		return
	}
	p := w.totals.first
	p.Code, p.Setting, p.Detail = CodeLinkLimit, settingMaxRecord, "the absolute URLs of the record would be longer "+
		"than "+strconv.FormatInt(w.totals.longest, 10)+
		" bytes together; "+strconv.Itoa(w.totals.unmade)+" links and bases from here on are not resolved"
	w.x.problem(p)
}

// countMarks counts the marks of an entity. If the record has too many, a walk that only reads ends with those that
// were kept, and a rewriting leaves the record unchanged.
func (w *walker) countMarks(e *Entity, m *mark.Marks) {
	if w.totals.marksLeft -= m.Len(); !m.Notes.Full && w.totals.marksLeft >= 0 || w.totals.full {
		return
	}
	w.totals.full = true
	what := "the rest is not read"
	if w.call.rewriting {
		what = "it stays unchanged"
	}
	w.reportFor(e, e.text, &Problem{Offset: m.Notes.FullAt, Code: CodeLinkLimit, Setting: settingMaxRecord,
		Detail: "the record has more than " + strconv.Itoa(w.x.maxRecord()/bytesPerMark) +
			" links and embedded documents; " + what})
}

func (b *budget) of(stays bool) *int64 {
	if stays {
		return &b.shown
	}
	return &b.urls
}

// longestReference is the length of the longest reference that is resolved. No browser opens a longer URL.
const longestReference = 1 << 20

// errLong is the error for a longer reference.
var errLong = errors.New("the reference is longer than 1 MiB")

// hasContent reports whether a reference is its own content, which may be long.
func hasContent(ref []byte) bool {
	scheme, _ := ascii.CutScheme(string(ref[:min(len(ref), 20)]))
	return ascii.FoldEqual([]byte(scheme), "data") || ascii.FoldEqual([]byte(scheme), "javascript")
}

// mostEncoded limits nested documents in a transfer encoding. Each level wraps its changed lines, which makes the level
// around it longer. Real mail has few, because RFC 2045 6.4 forbids a message in quoted-printable.
const mostEncoded = 8

// mostPacked limits nested compressed documents, as gzip in a zip archive, because the texts of all levels are in
// memory together.
const mostPacked = 8

// wraps returns the fields encoded and packed for an entity in the region at of e.
func (e *Entity) wraps(at *mark.Mark) (encoded, packed int) {
	encoded, packed = e.encoded, e.packed
	if at.Part != nil && at.Part.Encoded {
		encoded++
	}
	if compress.Unpacks(at.Codec) {
		packed++
	}
	return encoded, packed
}

// tooDeep returns the limit that an entity in the region at of e exceeds, in words, or "".
func (e *Entity) tooDeep(at *mark.Mark) string {
	encoded, packed := e.wraps(at)
	switch {
	case encoded > mostEncoded:
		return strconv.Itoa(mostEncoded) + " documents in a transfer encoding"
	case packed > mostPacked:
		return strconv.Itoa(mostPacked) + " compressed documents"
	case e.depth >= mostPacked && e.depth*(at.End-at.Start) > mark.RatioFree: // each edit is lifted through all levels
		if f := byType(e.Type); f != nil && f.Holds.HasPaths() {
			return strconv.Itoa(mostPacked) + " documents, together longer than 16 MiB,"
		}
	}
	return ""
}
