package extract

import (
	"errors"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"absolink/base"
	"absolink/extract/codec"
	"absolink/resolve"
)

// frame is a text and where it came from: the way back from its offsets to those of the
// entity it stands in.
type frame struct {
	parent *frame // nil for an entity's own
	text   []byte
	start  int         // where src begins in the parent's text, or in the entity's bytes
	src    []byte      // what spells the text
	codec  codec.Codec // how; nil if src is the text
	atoms  codec.Atoms
	mapped bool // atoms is made
}

// newFrame decodes src, which stands at start in the parent's text.
func newFrame(parent *frame, start int, src []byte, c codec.Codec) (*frame, error) {
	text, err := c.Decode(src)
	fr := &frame{parent: parent, text: text, start: start, src: src}
	if len(text) != len(src) || len(text) > 0 && &text[0] != &src[0] {
		fr.codec = c
	}
	return fr, err
}

// span gives what in the entity's bytes spells a range of the text.
func (fr *frame) span(s codec.Span) codec.Span {
	for ; fr != nil; fr = fr.parent {
		if fr.codec != nil {
			if !fr.mapped {
				_, fr.atoms, _ = fr.codec.Map(fr.src)
				fr.mapped = true
			}
			s = fr.atoms.Span(s)
		}
		s.Start += fr.start
		s.End += fr.start
	}
	return s
}

// level is the state of one level of recursion, kept for the next document.
type level struct{ finder Finder }

func (w *Walker) finder(depth int) *Finder {
	for len(w.levels) <= depth {
		w.levels = append(w.levels, &level{})
	}
	f := &w.levels[depth].finder
	f.clear()
	f.Extended = w.Extended
	return f
}

// record walks one record and gives the edits of its bytes.
func (w *Walker) record(rec Record, d Document, root *base.Scope) []codec.Edit {
	if rec.Rest != nil {
		return nil
	}
	e := &Entity{Document: d.Name, Path: rec.Entity, Type: rec.Format.Name, Bytes: rec.Bytes, start: rec.Offset}
	std := w.Standard
	charset := w.charset(e, rec.Format, charsetOf(d.Type))
	fr := &frame{text: rec.Bytes, src: rec.Bytes}
	switch {
	case charset.codec != nil:
		fr, _ = newFrame(nil, 0, rec.Bytes, charset.codec)
	default:
		fr.start = markLen(rec.Bytes)
		fr.text, fr.src = rec.Bytes[fr.start:], rec.Bytes[fr.start:]
	}
	if enc, err := htmlindex.Get(charset.name); err == nil && w.Standard == resolve.WHATWG {
		std = std.WithQueryEncoding(enc)
	}
	e.frame = fr
	edits := w.entity(e, rec.Format, std, root, "", 0)
	if charset.codec == nil {
		return shift(edits, fr.start)
	}
	return w.lift(e, nil, codec.Span{End: len(rec.Bytes)}, rec.Bytes, charset.codec, w.spellable(e, charset.codec, edits))
}

// entity walks the text of an entity: extract, close the scope, resolve, recurse. It
// gives the edits of that text.
func (w *Walker) entity(e *Entity, format *Format, std resolve.Standard, outer *base.Scope, place string, depth int) []codec.Edit {
	f := w.finder(depth)
	format.Extract(e.frame.text, f)
	declared := w.declarations(e, f)
	e.Scope = outer.Enclose(std, place, declared...)
	candidates := w.judged(e, f, declared)
	if w.visitEntity != nil && !e.fragment {
		if w.fail(w.visitEntity(e)); w.failed != nil {
			return nil
		}
	}
	scopes := w.elementScopes(e, f)
	for _, p := range f.problems {
		w.report(e, e.frame, p.Offset, p.Code, p.Detail)
	}

	var edits []codec.Edit
	ordinals := map[*Place]int(nil)
	for i := range f.found {
		at := &f.found[i]
		scope := e.Scope
		if at.scope > 0 {
			scope = scopes[at.scope-1]
		}
		switch at.kind {
		case isLink:
			edits = w.reference(edits, e, e.frame, at, at.place, 0, scope)
		case isBase:
			edits = append(edits, w.baseEdit(e, at, candidates)...)
		case isInline:
			edits = append(edits, w.inline(e, at, scope, depth+1)...)
		case isNested:
			if ordinals == nil {
				ordinals = map[*Place]int{}
			}
			ordinals[at.place]++
			edits = append(edits, w.nested(e, at, std, scope, ordinals[at.place], depth+1)...)
		}
		if w.failed != nil {
			return nil
		}
	}
	return edits
}

// inline walks a region in a small grammar. Its links are the entity's own.
func (w *Walker) inline(e *Entity, at *finding, scope *base.Scope, depth int) []codec.Edit {
	src := e.frame.text[at.start:at.end]
	fr, err := newFrame(e.frame, at.start, src, at.codec)
	if err != nil {
		w.report(e, e.frame, at.start, Undecodable, err.Error())
	}
	f := w.finder(depth)
	at.format.Extract(fr.text, f)
	for _, p := range f.problems {
		w.report(e, fr, p.Offset, p.Code, p.Detail)
	}
	var edits []codec.Edit
	for i := range f.found {
		link, number := &f.found[i], 0
		if !at.format.single {
			number = i + 1
		}
		edits = w.reference(edits, e, fr, link, at.place, number, scope)
		if w.failed != nil {
			return nil
		}
	}
	return w.lift(e, e.frame, codec.Span{Start: at.start, End: at.end}, src, at.codec, edits)
}

// nested walks a region that is a document of its own.
func (w *Walker) nested(e *Entity, at *finding, std resolve.Standard, scope *base.Scope, ordinal, depth int) []codec.Edit {
	if limit := w.maxDepth(); e.depth >= limit {
		w.report(e, e.frame, at.start, DepthLimit, "more than "+strconv.Itoa(limit)+" documents within documents; what is deeper is left as it is")
		return nil
	}
	src := e.frame.text[at.start:at.end]
	fr, err := newFrame(e.frame, at.start, src, at.codec)
	if err != nil {
		w.report(e, e.frame, at.start, Undecodable, err.Error())
	}
	child := &Entity{Document: e.Document, Path: numbered(at.place.Name, ordinal), Type: at.format.Name, Bytes: fr.text,
		depth: e.depth + 1, fragment: at.format.fragment, frame: &frame{text: fr.text}, outer: e, region: fr}
	if e.Path != "" {
		child.Path = e.Path + "/" + child.Path
	}
	if !child.fragment {
		std = w.Standard // its text has been decoded: queries are in UTF-8
	}
	edits := w.entity(child, at.format, std, scope, at.place.Name, depth)
	return w.lift(e, e.frame, codec.Span{Start: at.start, End: at.end}, src, at.codec, edits)
}

// reference resolves one link and shows it, or appends the edits that make it absolute.
// at is a region of the text of fr.
func (w *Walker) reference(edits []codec.Edit, e *Entity, fr *frame, at *finding, place *Place, number int, scope *base.Scope) []codec.Edit {
	if w.visitEntity != nil {
		return edits
	}
	raw := fr.text[at.start:at.end]
	ref, _ := codec.DecodeInto(&w.text, at.codec, raw)
	b := scope.Base()
	names := len(ref) > 0 && ref[0] == '#' && (place.names || at.place.names)

	status, problem := Resolved, Code("")
	if b.IsAbsolute(ref) {
		status = Absolute
	}
	if w.rewriting && (status == Absolute || names || w.Fragments == FragmentsKeep && len(ref) > 0 && ref[0] == '#') {
		return edits
	}
	var err error
	if place.own && len(raw) == 0 && w.Standard == resolve.WHATWG {
		w.url = append(w.url[:0], scope.RetrievalURL()...)
		if len(w.url) == 0 {
			err = resolve.ErrNoBase
		}
	} else {
		w.url, err = b.AppendResolve(w.url[:0], ref)
	}
	if err != nil {
		status, problem = Unresolved, LinkMalformed
		if errors.Is(err, resolve.ErrNoBase) {
			problem = NoBase
		}
		w.report(e, fr, at.start, problem, quote(ref)+": "+strings.TrimPrefix(err.Error(), "resolve: "))
	}

	if w.visitLink != nil {
		l := &w.link
		*l = Link{Entity: e, Ref: ref, URL: w.url, Status: status, Problem: problem, Scope: scope, place: place, number: number, frame: fr, start: at.start}
		if fr == e.frame && fr.codec == nil {
			l.Offset, l.Raw = at.start+fr.start, raw
		} else {
			s := fr.span(codec.Span{Start: at.start, End: at.end})
			l.Offset, l.Raw = s.Start, e.Bytes[s.Start:s.End]
		}
		w.fail(w.visitLink(l))
		return edits
	}
	if !w.rewriting || status != Resolved || string(w.url) == string(ref) {
		return edits
	}
	from := len(edits)
	edits, err = codec.Replace(edits, at.codec, raw, ref, w.url)
	if err != nil {
		w.report(e, fr, at.start, RewriteRefused, err.Error())
	}
	shift(edits[from:], at.start)
	return edits
}

// encoded is how a record's bytes spell its text: the codec, nil when they are the text,
// and the encoding's name where one was needed.
type encoded struct {
	codec codec.Codec
	name  string
}

// charset asks the format which encoding an entity is in.
func (w *Walker) charset(e *Entity, format *Format, transport string) encoded {
	if format.Charset == nil {
		return encoded{}
	}
	if transport != "" {
		if _, _, ok := codec.Charset(transport); !ok {
			w.report(e, nil, 0, CharsetUnknown, quote([]byte(transport))+" is no encoding that the Encoding Standard knows")
			transport = ""
		}
	}
	if transport == "" && w.Standard != resolve.WHATWG && plainASCII(e.Bytes) {
		return encoded{} // the same text in every encoding that could be declared here
	}
	c, name, ok := codec.Charset(format.Charset(e.Bytes, transport))
	if !ok || name == "UTF-8" {
		return encoded{name: name}
	}
	return encoded{c, name}
}

// judged closes what the entity declares: it gives the candidates, and reports what is
// wrong with them.
func (w *Walker) judged(e *Entity, f *Finder, declared []base.Declaration) []base.Candidate {
	if len(declared) == 0 {
		return nil
	}
	candidates := e.Scope.Candidates()
	for i := range candidates {
		w.reportBase(e, &candidates[i])
	}
	return candidates
}

// reportBase reports what is wrong with a base that the entity itself declares.
func (w *Walker) reportBase(e *Entity, c *base.Candidate) {
	if !c.Own || c.Offset < 0 {
		return
	}
	code := map[base.Reason]Code{base.Refused: BaseRepeated, base.NoBase: BaseNotAbsolute,
		base.Unsuitable: BaseUnsuitable, base.Malformed: BaseMalformed}[c.Reason]
	if c.Reason == base.NotRejected && c.Relative && w.Standard != resolve.WHATWG {
		code = BaseNotAbsolute
	}
	if code != "" {
		w.problem(Problem{Document: e.Document, Entity: e.Path, Offset: c.Offset, Code: code, Detail: c.By + " " + quote([]byte(c.Value)) + ": " + c.Trouble()})
	}
}

// declarations decodes what the entity's content declares for it, the first to be asked
// first.
func (w *Walker) declarations(e *Entity, f *Finder) []base.Declaration {
	var first, later []base.Declaration
	for i := range f.found {
		if at := &f.found[i]; at.kind != isBase {
			continue
		} else if at.base.after {
			later = append(later, w.declaration(e, at))
		} else {
			first = append(first, w.declaration(e, at))
		}
	}
	return append(first, later...)
}

func (w *Walker) declaration(e *Entity, at *finding) base.Declaration {
	value, _ := at.codec.Decode(e.frame.text[at.start:at.end])
	refuse := at.base.refuse
	if w.Standard == resolve.WHATWG && at.base.by != "BASE element" {
		refuse = "browsers do not know it"
	}
	offset := e.frame.span(codec.Span{Start: at.start, End: at.start}).Start
	return base.Declaration{Rung: base.Embedded, By: at.base.by, Value: string(value), Offset: offset, Refuse: refuse}
}

// elementScopes closes the scopes of single elements, the outer before the inner. Beyond
// the limit of depth an element has the scope of the one around it: each scope lengthens
// the base by its own, so without a limit the URLs of a deep document would grow with
// the square of its size.
func (w *Walker) elementScopes(e *Entity, f *Finder) []*base.Scope {
	scopes := make([]*base.Scope, 0, len(f.scopes))
	depths := make([]int, 0, len(f.scopes))
	for i := range f.scopes {
		at, outer, depth := &f.scopes[i], e.Scope, 1
		if at.scope > 0 {
			outer, depth = scopes[at.scope-1], depths[at.scope-1]+1
		}
		if depth > w.maxDepth() {
			if depth == w.maxDepth()+1 {
				w.report(e, e.frame, at.start, DepthLimit, "more than "+strconv.Itoa(w.maxDepth())+" bases within one another; what is deeper has the last one")
			}
			scopes, depths = append(scopes, outer), append(depths, depth)
			continue
		}
		scope := outer.Within(w.declaration(e, at))
		for _, c := range scope.Candidates() {
			if c.Own && c.Reason != base.Refused {
				w.reportBase(e, &c)
			}
		}
		scopes, depths = append(scopes, scope), append(depths, depth)
	}
	return scopes
}

func (w *Walker) maxDepth() int {
	if w.MaxDepth == 0 {
		return defaultDepth
	}
	return w.MaxDepth
}

// fail notes the error of a visit, which ends the walk.
func (w *Walker) fail(err error) {
	if err != nil {
		w.failed = err
	}
}

// report notes a problem at an offset of a frame's text; a nil frame means the entity's bytes.
func (w *Walker) report(e *Entity, fr *frame, offset int, code Code, detail string) {
	if w.OnProblem != nil {
		at := fr.span(codec.Span{Start: offset, End: offset}).Start
		w.problem(Problem{Document: e.Document, Entity: e.Path, Offset: at, Code: code, Detail: detail})
	}
}

func (w *Walker) problem(p Problem) {
	if w.OnProblem != nil {
		w.OnProblem(p)
	}
}

// quote gives bytes of a document for a message: in quotes, and not without end.
func quote(b []byte) string {
	const limit = 200
	if len(b) > limit {
		return strconv.Quote(string(b[:limit])) + "..."
	}
	return strconv.Quote(string(b))
}

func numbered(name string, n int) string { return name + "[" + strconv.Itoa(n) + "]" }
