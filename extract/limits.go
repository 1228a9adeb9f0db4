package extract

// This file has the limits of a record, and counts what it uses up.

import (
	"bytes"
	"cmp"
	"errors"
	"strconv"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// totals is what the walk of one record may still use, and what it has found. Only this file writes to it.
type totals struct {
	urls        int64         // bytes that the URLs of links and bases may still have together; negative past the limit
	shown       int64         // bytes of URLs of links that a rewriting leaves unchanged: they are only for the caller
	longest     int64         // what both start with
	compareLeft int64         // bytes of URLs that may still be compared with those in browsers
	unpackLeft  int64         // bytes that may still come out of compressed data
	decodable   int64         // the greatest length of nested decoded texts together
	parsed      *resolve.Base // the base of the last scope, which need not be charged again
	marksLeft   int           // how many links and embedded documents may still follow
	full        bool          // more of them follow, so the walk of the record ends

	made     []*Change          // for leaveMade
	unmade   int                // links and bases that are not resolved because urls is spent
	first    Problem            // the place of the first of them
	baseless bool               // the base of some scope is not known, because the bases are together too long
	unread   []mark.UnreadCount // what is not read in the record, by kind; Place has the path of an entity

	// the problems of unsuitable bases, by declaredAs, until a link needs such a base; nil if there are none
	unsuitable map[string]Problem
	needing    *base.Scope // the scope for which they were reported last
	urlSetting string      // the setting for the URL of a record without a base
}

// declaredAs returns the key of a base in totals.unsuitable.
func declaredAs(c *base.Candidate) string { return strconv.Itoa(c.Offset) + " " + c.Value }

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
	w.totals = totals{urls: urls, shown: urls, longest: urls, compareLeft: urls,
		unpackLeft: max(mark.RatioFree, n*int64(w.x.maxRatio())),
		decodable:  max(mark.RatioFree, n*decodedPerByte), urlSetting: rec.of.urlSetting,
		marksLeft: max(w.x.maxRecord()/bytesPerMark, 1)}
}

// longURL is a length that no URL of a real document reaches. Work in proportion to a longer one is charged.
const longURL = 4096

// spend charges n bytes of an absolute URL, and reports whether the URLs are still within the limit.
func (t *totals) spend(n int) bool {
	t.urls -= int64(n)
	return t.urls >= 0
}

// spendLink is spend for a link, which stays unchanged or not.
func (t *totals) spendLink(n int, stays bool) bool {
	if !stays {
		return t.spend(n)
	}
	t.shown -= int64(n)
	return t.shown >= 0
}

// spendBase is spend for the base of a scope, unless it is that of the scope around it or of the last one.
func (t *totals) spendBase(b, outer *resolve.Base) bool {
	if b != outer && b != t.parsed && !t.spend(len(b.String())) {
		return false
	}
	t.parsed = b
	return true
}

// spendCompared is spend for URLs that are compared with those in browsers.
func (t *totals) spendCompared(n int) bool {
	t.compareLeft -= int64(n)
	return t.compareLeft >= 0
}

// change keeps a change for leaveMade.
func (t *totals) change(c *Change) { t.made = append(t.made, c) }

// unpack counts n bytes that have come out of compressed data.
func (t *totals) unpack(n int) {
	t.unpackLeft -= int64(n)
	t.decodable += decodedPerByte * int64(n)
}

// noBase returns a scope without a base, and notes that the record has one because its bases are together too long.
func (w *walker) noBase() *base.Scope {
	w.totals.baseless = true
	return base.Root(w.x.Standard)
}

// await keeps the problem of an unsuitable base until a link needs the base. It returns false if there are too many.
func (t *totals) await(c *base.Candidate, p Problem) bool {
	switch len(t.unsuitable) {
	case mostUnsuitable:
		return false
	case 0:
		t.unsuitable = map[string]Problem{}
	}
	t.unsuitable[declaredAs(c)] = p
	return true
}

// mostUnsuitable is how many unsuitable bases wait for a link. Only a hostile record has more.
const mostUnsuitable = 1 << 13

// awaited returns what await has kept of the bases that were tried before that of a scope, each problem once.
func (t *totals) awaited(scope *base.Scope) (all []Problem) {
	if scope == t.needing {
		return nil
	}
	t.needing = scope
	for _, c := range scope.Candidates() {
		if c.Verdict == base.VerdictUsed {
			break
		}
		if p, ok := t.unsuitable[declaredAs(&c)]; ok {
			delete(t.unsuitable, declaredAs(&c))
			all = append(all, p)
		}
	}
	return all
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

// errGrown is the error for a link or a base after totals.urls is spent.
var errGrown = errors.New("the absolute URLs of the record are together too long")

// countUnmade counts a link or a base, at an offset of the text t, that stays unchanged because totals.urls is spent.
func (w *walker) countUnmade(e *Entity, t *source.Text, offset int) {
	if w.totals.unmade == 0 {
		w.totals.first = Problem{Document: e.Document, Entity: e.Path, Offset: int(e.start) + t.Offset(offset)}
	}
	w.totals.unmade++
	e.needBase()
}

// reportUnmade reports what countUnmade has counted in a record, as one problem.
func (w *walker) reportUnmade() {
	if w.totals.unmade == 0 || w.call.failed != nil {
		return
	}
	p := w.totals.first
	p.Code, p.Setting, p.Detail = CodeLinkLimit, settingMaxRecord, "the absolute URLs of the record would be longer "+
		"than "+strconv.FormatInt(w.totals.longest, 10)+
		" bytes together; "+strconv.Itoa(w.totals.unmade)+" links and bases from here on are not resolved"
	w.x.report(p)
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
	w.reportStaying(e, &e.text, &Problem{Offset: m.Notes.FullAt, Code: CodeLinkLimit, Setting: settingMaxRecord,
		Detail: "the record has more than " + strconv.Itoa(w.x.maxRecord()/bytesPerMark) +
			" links and embedded documents; " + what})
}

// countUnread counts documents inside e, or references in the text t of e, that are not read.
func (w *walker) countUnread(e *Entity, t *source.Text, count *mark.UnreadCount) {
	if w.x.OnProblem == nil {
		return
	}
	for i := range w.totals.unread {
		if known := &w.totals.unread[i]; known.Unread == count.Unread {
			known.N += count.N
			return
		}
	}
	first := *count
	if first.Place == "" {
		first.Place, first.Offset = e.Path, int(e.start)+t.Offset(count.Offset)
	} else {
		first.Place, first.Offset = e.joinPath(count.Place), 0
	}
	w.totals.unread = append(w.totals.unread, first)
}

// reportUnread reports what is not read in the record, with one note for each kind.
func (w *walker) reportUnread() {
	for _, kind := range w.totals.unread {
		if w.call.failed != nil {
			return
		}
		p := Problem{Document: w.out.rec.of.d.Name, Entity: kind.Place, Offset: kind.Offset, Severity: SeverityNote,
			Code:   Code(cmp.Or(kind.Code, mark.NotRead)),
			Detail: kind.What + ": " + strconv.Itoa(kind.N) + "; " + kind.Why}
		if kind.Summed {
			p.Unread, p.N = kind.What, kind.N
		}
		w.x.report(p)
	}
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
