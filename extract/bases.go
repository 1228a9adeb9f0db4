package extract

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/resolve"
)

// Reasons why a declaration is listed and is no base. Only the engine finds these. Package mark has the others.
const (
	savedFolder = "the folder of the saved copy, put there by the browser for its local copies"
	windowsPath = "a path of Windows behind file:, as Internet Explorer and Word write it, is no URL"
)

// judged returns the candidates of an entity that declares a base, and reports their problems. It returns nil for an
// entity without declarations.
func (w *walker) judged(e *Entity, declared []base.Declaration) []base.Candidate {
	if len(declared) == 0 {
		return nil
	}
	candidates := e.Scope.Candidates()
	for i := range candidates {
		w.reportBase(e, &candidates[i])
	}
	w.reportRedirects(e, candidates)
	return candidates
}

// reportRedirects reports the redirect of the entity after which the URL is not known, if it is not known in the end.
func (w *walker) reportRedirects(e *Entity, candidates []base.Candidate) {
	var lost *base.Candidate
	for i := range candidates {
		c := &candidates[i]
		if !c.Redirect || !c.Own || c.Reason == base.Redirected {
			continue
		}
		if c.Verdict != base.Rejected {
			break
		}
		lost = c
	}
	if lost == nil {
		return
	}
	code, detail := BaseUnsuitable, "redirect to "+mark.Quote([]byte(lost.Value))+": "+lost.Why+"; so the URL of the response after it is not known"
	switch {
	case lost.By == mark.NextRequest:
		code, detail = NoBase, lost.Why+"; save each URL in a file of its own"
	case lost.Reason == base.NoBase:
		code = NoBase
	case lost.Reason == base.Malformed:
		code = BaseMalformed
	}
	w.problem(Problem{Document: e.Document, Entity: e.Path, Offset: int(e.start) + lost.Offset, Code: code, Detail: detail})
}

// isCID reports whether a URL has the scheme cid (RFC 2392).
func isCID(url string) bool {
	scheme, _, ok := strings.Cut(url, ":")
	return ok && ascii.FoldEqual([]byte(scheme), "cid")
}

// reportBase reports the problem of a base that the entity itself declares, if there is a problem.
func (w *walker) reportBase(e *Entity, c *base.Candidate) {
	if !c.Own || c.Offset < 0 || c.Redirect {
		return
	}
	var code Code
	switch {
	case c.Refuse == mark.RepeatedBase || c.Refuse == mark.RepeatedHeader:
		code = BaseRepeated
	case c.Reason == base.NoBase && c.By == header.ContentLocation.Name:
		// RFC 2557 9.4: it names a part among the parts of a message. It is also a link.
	case c.Reason == base.Unsuitable && c.By == header.ContentLocation.Name && isCID(c.Value):
		// Chromium writes such a name for each part of a page in MHTML. It is no base.
	case c.Reason == base.NoBase, c.Relative && w.Standard != resolve.WHATWG:
		code = BaseNotAbsolute
	case c.Reason == base.Unsuitable, c.Refuse == windowsPath:
		code = BaseUnsuitable
	case c.Reason == base.Malformed:
		code = BaseMalformed
	}
	if code != "" {
		w.problem(Problem{Document: e.Document, Entity: e.Path, Offset: int(e.start) + c.Offset, Code: code, Detail: c.By + " " + mark.Quote([]byte(c.Value)) + ": " + c.Trouble()})
	}
}

// declarations returns the bases that the content of the entity declares for it. The first that the ladder tries comes
// first.
func (w *walker) declarations(e *Entity, m *mark.Marks) []base.Declaration {
	var asked []*mark.Mark
	refused := 0
	for at := range m.Bases {
		if at.Scope > 0 {
			continue
		}
		if at.Base.Refuse != "" {
			refused++
		}
		if at.Base.Refuse == "" || refused <= mark.ListedRefused {
			asked = append(asked, at)
		}
	}
	sort.SliceStable(asked, func(i, j int) bool { return asked[i].Base.After < asked[j].Base.After })
	declared := make([]base.Declaration, 0, len(asked))
	var before *mark.Mark // the first href that Chromium has replaced by its own
	for _, at := range asked {
		d := w.declaration(e, at)
		if at.Base.Element.Len() > 0 && d.Value == "." && e.saved != nil && e.saved.Folder {
			if d.Refuse == "" {
				d.Refuse = savedFolder
			}
			if before == nil {
				before = at.Base.Before
			}
		}
		declared = append(declared, d)
	}
	if before != nil {
		declared = append(declared, w.declaration(e, before))
	}
	return declared
}

// byXMLBase reports whether the root of an XML document declares the base.
func byXMLBase(d base.Declaration) bool { return d.By == mark.XMLBase }

// declaredAt returns a function that reports whether a base is declared at the offset.
func declaredAt(offset int) func(base.Declaration) bool {
	return func(d base.Declaration) bool { return d.Offset == offset }
}

// byElement reports whether a BASE element declares the base.
func byElement(d base.Declaration) bool { return d.By == mark.BaseElement }

// declaration returns the base.Declaration of a mark that declares a base.
func (w *walker) declaration(e *Entity, at *mark.Mark) base.Declaration {
	_, value, _ := declaredURL(e.text.Bytes[at.Start:at.End], at)
	if url := w.archived(e, value); url != nil {
		value = url
	}
	refuse := at.Base.Refuse
	if w.Standard == resolve.WHATWG && at.Base.By != mark.BaseElement && !at.Base.Header && !at.Base.Always {
		refuse = "browsers do not know it"
	}
	rung := base.Embedded
	if at.Base.Retrieval {
		rung = base.Retrieval
	}
	if at.Base.Header && w.Standard != resolve.WHATWG && len(value) > 5 && ascii.FoldEqual(value[:5], "file:") && bytes.IndexByte(value, '\\') >= 0 {
		refuse = windowsPath
	}
	offset := e.text.Offset(at.Start)
	return base.Declaration{Rung: rung, By: at.Base.By, Value: string(value), Offset: offset, Header: at.Base.Header, Refuse: refuse}
}

// declaredURL returns the text of a region that declares a base, the URL in the text, and the span of the URL in the
// text.
func declaredURL(src []byte, at *mark.Mark) (text, url []byte, span codec.Span) {
	text, _ = at.Codec.Decode(src)
	if !at.Base.Wrapped {
		return text, text, codec.Span{End: len(text)}
	}
	span, url = urlOfField(text)
	return text, url, span
}

// urlOfField returns the URL in the value of a field, and the span of the URL in the value.
func urlOfField(value []byte) (span codec.Span, url []byte) {
	span, spelled := header.FieldURL(value, codec.Span{End: len(value)})
	url, _ = spelled.Decode(value[span.Start:span.End])
	return span, url
}

// elementScopes returns the scopes of single elements, the outer before the inner.
//
// Each scope may make the base longer. Without limits, the bases of a document with deep elements would grow with the
// square of its size. So would the bases of many elements inside an element with a long base. So there are two limits.
// An element below the depth limit has the scope of the element around it. When all bases together are longer than the
// memory limit, the elements after that have no base.
//
// requests returns the scope of a request.
func (w *walker) elementScopes(e *Entity, m *mark.Marks, requests func(redirects int) *base.Scope) []*base.Scope {
	scopes := make([]*base.Scope, 0, len(m.Scopes()))
	depths := make([]int, 0, len(m.Scopes()))
	room := w.maxRecord() + 2*len(e.text.Bytes) // the declared URLs are in the text, and are kept again as bases
	var none *base.Scope
	for i := range m.Scopes() {
		at, outer, depth := &m.Scopes()[i], e.Scope, 1
		if at.Scope > 0 {
			outer, depth = scopes[at.Scope-1], depths[at.Scope-1]+1
		} else if n, ok := mark.IsRequest(at.Scope); ok {
			outer = requests(n)
		}
		if depth > w.maxDepth() {
			if depth == w.maxDepth()+1 {
				w.report(e, e.text, at.Start, DepthLimit, "more than "+strconv.Itoa(w.maxDepth())+" bases within one another; what is deeper has the last one")
			}
			scopes, depths = append(scopes, outer), append(depths, depth)
			continue
		}
		if room < 0 {
			if none == nil {
				none = base.Root(w.Standard)
				w.report(e, e.text, at.Start, SizeLimit, "the bases of elements are too long all together; those of what follows are not known")
			}
			scopes, depths = append(scopes, none), append(depths, depth)
			continue
		}
		d := w.declaration(e, at)
		scope := outer.Within(d)
		if room -= len(d.Value); scope.Base() != outer.Base() {
			room -= len(scope.Base().String())
		}
		for _, c := range scope.Own() {
			w.reportBase(e, &c)
		}
		scopes, depths = append(scopes, scope), append(depths, depth)
	}
	return scopes
}

// baseEdit returns the edits of a declared base, and what they change. They make the base absolute, or what Map returns, or
// they empty it, or remove its element. A declaration that is no base stays unchanged, unless BASE elements are emptied or
// removed.
func (v *visit) baseEdit(at *mark.Mark, c *base.Candidate) (edits []codec.Edit, change Change) {
	w, e := v.w, v.e
	if !w.rewriting || w.unwritten(e) || at.Base.Refuse != "" && w.keepBases() {
		return nil, change
	}
	region := at.Span()
	src := e.text.Bytes[at.Start:at.End]
	text, value, url := declaredURL(src, at)
	change.Ref = string(value)
	if c != nil && c.Verdict != base.Rejected {
		change.URL = c.URL
	}
	if at.Base.Element.Len() > 0 && w.BaseURLs != BaseKeep && w.left > 0 {
		w.report(e, e.text, at.Start, BaseNeeded, "kept, because links or URL patterns that stay relative depend on it")
	}
	if at.Base.Element.Len() > 0 && !w.keepBases() {
		w.result.tried++
		if w.BaseURLs == BaseRemove && !at.Base.Filled {
			return []codec.Edit{{Span: at.Base.Element}}, change
		}
		return w.lift(e, e.text, region, src, text, at.Codec, []codec.Edit{{Span: codec.Span{End: len(text)}}}), change
	}
	if c == nil || c.Verdict == base.Rejected || !w.isPlace(at.Place, 0) {
		return nil, change
	}
	var changes bool
	if change.NewRef, changes = v.newBase(at, c, string(value)); !changes {
		return nil, change
	}
	w.result.tried++
	edits = []codec.Edit{{Span: url, New: []byte(change.NewRef)}}
	if at.Base.Wrapped {
		// A reader of the new field must find the same URL: "<URL:...>" cannot contain a blank.
		if _, reads := urlOfField(codec.Apply(nil, text, edits)); string(reads) != change.NewRef {
			w.report(e, e.text, at.Start, RewriteRefused, mark.Quote([]byte(change.NewRef))+" would be read as "+mark.Quote(reads))
			return nil, change
		}
	}
	return w.lift(e, e.text, region, src, text, at.Codec, edits), change
}

// newBase returns the new value of a declared base, and whether it differs from the old value. Map does not change where
// an archive says that a document came from.
func (v *visit) newBase(at *mark.Mark, c *base.Candidate, value string) (url string, changes bool) {
	stays := !c.Relative && c.Value == value
	if v.w.Map == nil || at.Base.Retrieval {
		return c.URL, !stays
	}
	url, ok := v.w.Map(v.baseLink(at, c))
	return url, ok && url != value && !(stays && url == c.URL)
}

// keepBases reports whether BASE elements stay. They stay if the options say so, or if some links of the record cannot
// be made absolute and need them.
func (w *walker) keepBases() bool { return w.BaseURLs == BaseKeep || w.left > 0 }

// listBase shows a base in force that is also a link: a Content-Location, which names its part.
func (v *visit) listBase(at *mark.Mark, c *base.Candidate) {
	w := v.w
	if w.visitEntity == nil && (w.visitLink != nil || w.OnLink != nil) && w.isPlace(at.Place, 0) {
		w.show(v.baseLink(at, c))
	}
}

// baseLink returns a declared base as a link. It was resolved against the next rung.
func (v *visit) baseLink(at *mark.Mark, c *base.Candidate) *Link {
	e, l := v.e, &v.w.link
	s := e.text.Span(at.Span())
	*l = Link{Entity: e, Offset: s.Start, Raw: e.Bytes[s.Start:s.End], Ref: []byte(c.Value), URL: []byte(c.URL), Status: StatusAbsolute, Scope: e.Scope, place: at.Place}
	if c.Relative {
		l.Scope, l.Status = v.without(declaredAt(c.Offset)), StatusResolved
	}
	return l
}
