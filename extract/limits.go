package extract

// This file has the limits of a record, and what it has used up.

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
	budget      budget
	longest     int64         // the budget for URLs at the start of the record
	compareLeft int64         // the number of bytes that are left for URLs that are compared with the URLs in browsers
	unpackLeft  int64         // the number of bytes that may still be decompressed
	decodable   int64         // the largest number of bytes of decoded texts that contain each other
	parsed      *resolve.Base // the last base that was counted in the budget, because it was parsed for an entity
	marksLeft   int           // the number of links and embedded documents that may still follow
	full        bool          // there are more of them, so the walk of the record ends

	unmade   int                // the number of links and bases that are not resolved, because the budget is spent
	first    Problem            // the place of the first of them
	baseless bool               // the base of some scope is not known, because the bases are together too long
	unread   []mark.UnreadCount // the documents of the record that are not read, by their kinds; Place has the path of an entity

	unsuitable map[string]Problem // the problems of unsuitable bases, by declaredAs, until a link needs such a base; nil if there are none
	needing    *base.Scope        // the scope for which they were reported last
	urlSetting string             // the URL that the caller can set, if the record has no base

	signedLinks int // the links of the message that would change without Extractor.KeepDKIM
}

// declaredAs returns the key of the declaration of a base.
func declaredAs(c *base.Candidate) string { return strconv.Itoa(c.Offset) + " " + c.Value }

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

func (w *walker) begins(rec Record) {
	n := int64(len(rec.Bytes))
	urls := max(int64(w.x.maxRecord()), n*urlsPerByte)
	w.totals = totals{budget: budget{urls, urls}, longest: urls, compareLeft: urls, unpackLeft: max(mark.RatioFree, n*int64(w.x.maxRatio())),
		decodable: max(mark.RatioFree, n*decodedPerByte), urlSetting: rec.of.urlSetting, marksLeft: max(w.x.maxRecord()/bytesPerMark, 1)}
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

// outgrown counts a link or a base that stays unchanged, because the absolute URLs of the record are together too long.
// It is at an offset of the text t. reportUnmade reports it.
func (w *walker) outgrown(e *Entity, t *source.Text, offset int) {
	if w.totals.unmade == 0 {
		w.totals.first = Problem{Document: e.Document, Entity: e.Path, Offset: int(e.start) + t.Offset(offset)}
	}
	w.totals.unmade++
	e.needBase()
}

// reportUnmade reports the links and bases that outgrown has counted in a record, as one problem.
func (w *walker) reportUnmade() {
	if w.totals.unmade == 0 || w.call.failed != nil {
		return
	}
	p := w.totals.first
	p.Code, p.Setting, p.Detail = CodeLinkLimit, settingMaxRecord, "the absolute URLs of the record would be longer than "+strconv.FormatInt(w.totals.longest, 10)+
		" bytes together; "+strconv.Itoa(w.totals.unmade)+" links and bases from here on are not resolved"
	w.x.problem(p)
}

// countMarks counts the marks of an entity. If the record has too many of them, the walk of the record ends with those that were kept.
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
		Detail: "the record has more than " + strconv.Itoa(w.x.maxRecord()/bytesPerMark) + " links and embedded documents; " + what})
}

// of returns the part of the budget for the URL of a link. The URL of a link that stays unchanged is only for the caller.
func (b *budget) of(stays bool) *int64 {
	if stays {
		return &b.shown
	}
	return &b.urls
}

// longestReference is the greatest length of a reference that is resolved. No browser opens a longer URL.
const longestReference = 1 << 20

// errLong is the error for a longer reference.
var errLong = errors.New("the reference is longer than 1 MiB")

// hasContent reports whether a reference is a URL that is itself the content, which may be long.
func hasContent(ref []byte) bool {
	scheme, _ := ascii.CutScheme(string(ref[:min(len(ref), 20)]))
	return ascii.FoldEqual([]byte(scheme), "data") || ascii.FoldEqual([]byte(scheme), "javascript")
}

// mostEncoded limits the documents in a transfer encoding that contain each other. RFC 2045 6.4 forbids a message in
// quoted-printable. Each level wraps its changed lines, which makes the level around it longer.
const mostEncoded = 8

// mostPacked limits the compressed documents that contain each other, such as gzip in a zip archive. The texts of all levels are
// in memory together.
const mostPacked = 8

// wraps returns the numbers encoded and packed of an entity in the region at of e.
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

// tooDeep returns the documents of which there would be too many inside each other with the region at of e, or "".
func (e *Entity) tooDeep(at *mark.Mark) string {
	encoded, packed := e.wraps(at)
	switch {
	case encoded > mostEncoded:
		return strconv.Itoa(mostEncoded) + " documents in a transfer encoding"
	case packed > mostPacked:
		return strconv.Itoa(mostPacked) + " compressed documents"
	}
	return ""
}
