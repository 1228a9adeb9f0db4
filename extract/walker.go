package extract

// This file has the state of a walk, and reports problems.

import (
	"context"
	"sync"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
	"absolink/extract/internal/window"
)

// walker reads one document at a time, and keeps its buffers for the next. An Extractor takes walkers from a pool.
type walker struct {
	x      *Extractor // the settings, which are those of opener
	opener opener
	call   call
	totals totals
	out    recordWriter
	buf    buffers
	cause  Cause // why the last link is left, unless it was changed
	signed bool  // a link of the message would change without Extractor.KeepDKIM
}

// call is one call of an Extractor, and its results so far.
type call struct {
	ctx         context.Context
	visitLink   func(*Link) error   // of Links; else nil
	visitEntity func(*Entity) error // of Bases, which resolves no links; else nil
	rewriting   bool
	failed      error // from a visit, the output or the context; it ends the walk
	result      Result
	tried       int // links that Rewrite tried to change
}

// buffers is memory that a walker reuses for every record.
type buffers struct {
	levels   []*level       // by the depth of the entity
	url      []byte         // of the current link
	replacer codec.Replacer // has the memory of the edits until they are written
	text     []byte         // the reference of the current link, if it is not in the bytes of the document
	link     Link

	response []byte // the header and the body of a response
}

// level is the memory for an entity at some depth, which the next entity at that depth reuses. So the edits of an
// entity are valid until then.
type level struct {
	marks  mark.Marks
	visit  visit
	edits  []codec.Edit
	region source.Text // the text of the entity, as a region of the text around it
	room   []byte      // memory for that text
}

// forget drops the edits of the last entity, which the entity around it has converted to its own. The new bytes of an
// archive are as long as the archive, so nested archives would need that memory once for each level.
func (l *level) forget() {
	if cap(l.edits) > keptEdits {
		l.edits = nil
	}
	clear(l.edits)
	l.edits, l.visit = l.edits[:0], visit{}
}

// keptEdits is the greatest number of edits whose memory a level keeps.
const keptEdits = 1 << 14

var idle = sync.Pool{New: func() any { return &walker{} }}

// walker returns a walker with the settings of x. The caller must release it.
func (x *Extractor) walker(ctx context.Context) *walker {
	w := idle.Get().(*walker)
	w.opener.Extractor = *x
	w.x, w.out.w, w.call.ctx = &w.opener.Extractor, w, ctx
	return w
}

// release returns the walker to the pool, without anything that belongs to the caller.
func (w *walker) release() {
	w.opener.Extractor, w.opener.own, w.call, w.totals, w.buf.link = Extractor{}, Stream{}, call{}, totals{}, Link{}
	w.out.rec, w.out.dst, w.out.whole = Record{}, nil, window.FullWriter{}
	for _, l := range w.buf.levels {
		l.forget()
		l.region, l.marks.Settings = source.Text{}, mark.Settings{}
	}
	idle.Put(w)
}

func (w *walker) level(depth int) *level {
	for len(w.buf.levels) <= depth {
		w.buf.levels = append(w.buf.levels, &level{})
	}
	return w.buf.levels[depth]
}

// fail ends the walk with an error of a visit or of the output. It ignores a nil error.
func (w *walker) fail(err error) {
	if err != nil {
		w.call.failed = err
	}
}

// report reports a problem at an offset of the text t, or of the bytes of the entity if t is nil. If the code means
// that a link stays relative, the entity needs its base. Whatever is called report... may call OnProblem.
func (w *walker) report(e *Entity, t *source.Text, offset int, code Code, detail string) {
	w.reportStaying(e, t, &Problem{Offset: offset, Code: code, Detail: detail})
}

// reportStaying is like report, but p may have a setting. It sets the names of document and entity, and makes the
// offset one of the entity.
func (w *walker) reportStaying(e *Entity, t *source.Text, p *Problem) {
	switch p.Code {
	case CodeNoBase:
		p.Setting = w.totals.urlSetting
		e.needBase()
	case CodeLinkMalformed, CodeRewriteRefused, CodeDepthLimit, CodeRatioLimit, CodeSizeLimit, CodeLinkLimit:
		e.needBase()
	}
	w.reportAt(e, t, p)
}

// reportAt is like reportStaying, but for a problem that leaves no link relative, whatever its code is.
func (w *walker) reportAt(e *Entity, t *source.Text, p *Problem) {
	if w.x.OnProblem != nil {
		p.Document, p.Entity, p.Offset = e.Document, e.Path, int(e.start)+t.Offset(p.Offset)
		w.x.report(*p)
	}
}
