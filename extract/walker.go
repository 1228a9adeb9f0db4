package extract

// This file has the state of a walk, and reports problems. The phases of the walk are in bases.go, decide.go, write.go and
// rewrite.go. visit.go and walk.go lead documents and references through them.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"

	"absolink/base"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
	"absolink/extract/internal/scopes"
	"absolink/extract/internal/source"
	"absolink/extract/internal/window"
	"absolink/resolve"
)

// walker reads one document at a time. It reuses its buffers for the next document. Extractor takes walkers from a
// pool.
type walker struct {
	x      *Extractor // the settings: those of opener
	opener opener
	call   call
	rec    totals
	out    output
	buf    buffers
}

// call is one call of an Extractor, and its results so far.
type call struct {
	ctx         context.Context
	visitLink   func(*Link) error
	visitEntity func(*Entity) error
	rewriting   bool
	failed      error // the error of a visit, of the output or of the context; it ends the walk
	result      Result
}

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

// output is the output of a rewriting.
type output struct {
	whole    window.FullWriter // the writer of the caller
	record   recordWriter
	member   pack.Memberwise // the writer of records that are compressed one by one
	replacer codec.Replacer  // makes the edits, and keeps them until they are written
}

// recordWriter copies a record to the output with its edits. Without an output, it ignores them.
type recordWriter struct {
	w    *walker
	dst  io.Writer
	rec  Record
	at   int    // the record is copied up to this offset
	room []byte // collects bytes for one write

	begun int // the start of the current member, if the record is compressed on its own

	in *pack.Memberwise // compresses the record; nil unless the record is compressed on its own
}

// buffers is memory that a walker reuses for every record.
type buffers struct {
	levels []*level // by the depth of the recursion
	url    []byte   // the URL of the current link
	text   []byte   // the reference of the current link, if it is not in the bytes of the document
	link   Link

	response []byte // the header and the body of a response
}

// level is the memory of one level of the recursion. The next entity on the level reuses it.
type level struct {
	marks  mark.Marks
	visit  visit
	edits  []codec.Edit
	region source.Text // the text of the entity, in the text around it
	room   []byte      // memory for the text of region
}

// forget drops the edits of the last entity, which the level around it has lifted. The new bytes of an archive are as long as
// the archive, so archives inside each other would need their memory once for each level.
func (l *level) forget() {
	clear(l.edits)
	l.edits, l.visit = l.edits[:0], visit{}
}

// frame is an entity, and what is known about it before it is read.
type frame struct {
	e      *Entity
	format *mark.Format
	std    resolve.Standard
	outer  *base.Scope // the scope around the entity
	place  string      // the place of the entity in the entity around it
	depth  int         // of the recursion
}

// visit is the second half of the walk of an entity: it visits the marks after the scope of the entity is closed.
type visit struct {
	w *walker
	frame
	m          *mark.Marks
	scopes     *scopes.Scopes     // nil if no element declares a base
	declared   []base.Declaration // the declarations of the entity
	outside    *base.Scope
	early      *base.Scope // the scope without BASE elements; nil until a mark has this scope
	candidates []base.Candidate
	ordinals   map[*mark.Place]int // the number of nested documents so far, by place
	edits      []codec.Edit
	tied       bool        // the edits depend on each other, so all or none of them are made
	elements   []mark.Mark // the BASE elements, if they are emptied or removed
	guessed    bool        // the format or the charset was guessed from the bytes, and edits may change the guess
	detected   bool        // this is so for the format
	page, utf8 *base.Scope // a scope, and the same scope for queries in UTF-8
	requested  *base.Scope // the last result of request, or nil
	redirects  int         // the argument of request for requested
}

// idle has the walkers that are not in use.
var idle = sync.Pool{New: func() any { return &walker{} }}

// walker returns a walker with the settings of x. The caller must release it.
func (x *Extractor) walker(ctx context.Context) *walker {
	w := idle.Get().(*walker)
	w.opener.Extractor = *x
	w.x, w.call.ctx = &w.opener.Extractor, ctx
	return w
}

// release returns the walker to the pool. It removes everything that belongs to the caller.
func (w *walker) release() {
	w.opener.Extractor, w.opener.own, w.call, w.rec, w.buf.link, w.out.whole = Extractor{}, Stream{}, call{}, totals{}, Link{}, window.FullWriter{}
	idle.Put(w)
}

// level returns the memory of the level at a depth.
func (w *walker) level(depth int) *level {
	for len(w.buf.levels) <= depth {
		w.buf.levels = append(w.buf.levels, &level{})
	}
	return w.buf.levels[depth]
}

// marks returns the empty Marks of one nesting level.
func (w *walker) marks(depth int) *mark.Marks {
	m := &w.level(depth).marks
	m.Formats, m.Named, m.Extended, m.Described = formatOf, isNamed, w.x.Extended, w.x.Described
	m.Limits = mark.Limits{Depth: w.x.maxDepth(), Record: w.x.maxRecord(), Ratio: w.x.maxRatio(), Marks: max(w.rec.unmarked, 1)}
	m.Clear()
	return m
}

// fail ends the walk with an error of a visit or of the output. It ignores a nil error.
func (w *walker) fail(err error) {
	if err != nil {
		w.call.failed = err
	}
}

// show calls visitLink, or else OnLink, with a link.
func (w *walker) show(l *Link) {
	if w.call.visitLink != nil {
		w.fail(w.call.visitLink(l))
	} else if w.x.OnLink != nil {
		w.x.OnLink(l)
	}
}

// unshown reports whether the links of an entity are neither shown nor rewritten.
func (w *walker) unshown(e *Entity) bool { return w.call.visitEntity != nil || !e.wanted }

// leave notes that a link of e is not rewritten. If it is relative, it needs its base.
func (w *walker) leave(e *Entity, l *Link) {
	if l.Status == StatusResolved {
		e.needBase()
	}
}

// report reports a problem at an offset of the text t. If t is nil, the offset is in the bytes of the entity.
// Problems with some codes mean that a link stays relative, so its base is needed.
func (w *walker) report(e *Entity, t *source.Text, offset int, code Code, detail string) {
	w.reportFor(e, t, &Problem{Offset: offset, Code: code, Detail: detail})
}

// reportFor is like report, but p may have a setting. p has its offset in the text t, and no names of document and entity.
func (w *walker) reportFor(e *Entity, t *source.Text, p *Problem) {
	switch p.Code {
	case CodeNoBase:
		p.Setting = w.rec.lacks
		e.needBase()
	case CodeLinkMalformed, CodeRewriteRefused, CodeDepthLimit, CodeRatioLimit, CodeSizeLimit:
		e.needBase()
	}
	w.problemAt(e, t, p)
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

// undecodable reports an error of a codec for the region of t at an offset. If the error has an offset in the region,
// undecodable adds it.
func (w *walker) undecodable(e *Entity, t *source.Text, offset int, err error, detail string) {
	severity := SeverityWarning
	if d := (*codec.Damage)(nil); errors.As(err, &d) {
		offset += d.Offset
	}
	if errors.Is(err, codec.ErrUnread) {
		severity = SeverityError
	}
	w.problemAt(e, t, &Problem{Offset: offset, Code: CodeUndecodable, Severity: severity, Detail: detail})
}

// problemAt is like reportFor, but for a problem that leaves no link relative.
func (w *walker) problemAt(e *Entity, t *source.Text, p *Problem) {
	if w.x.OnProblem != nil {
		p.Document, p.Entity, p.Offset = e.Document, e.Path, int(e.start)+t.Offset(p.Offset)
		w.x.problem(*p)
	}
}
