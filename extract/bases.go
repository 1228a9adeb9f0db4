package extract

// This file finds the bases that an entity declares, and the scope of each mark.

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/resolve"
)

// Reasons why a declaration is listed and is no base. Only the engine finds these. Package mark has the others.
const (
	savedFolder = "the folder of the saved copy, put there by the browser for its local copies"
	windowsPath = "a path of Windows behind file:, as Internet Explorer and Word write it, is no URL"
)

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

// evidence returns the declarations of where a file came from, the best first:
//
//  1. the URLs in the content, in the order of the bytes: the program that saved the file last wrote its URL first
//  2. the attributes of the file
//  3. with Canonical, the LINK rel=canonical of the page
func (w *walker) evidence(e *Entity, m *mark.Marks) []base.Declaration {
	if !m.File {
		return nil
	}
	// Comments before the content are marked first, even if they stand after the html tag.
	slices.SortStableFunc(m.Notes.Evidence, func(a, b mark.Evidence) int { return cmp.Compare(a.Start, b.Start) })
	var declared, last []base.Declaration
	for i := range m.Notes.Evidence {
		at := &m.Notes.Evidence[i]
		if at.Saver == saved.Canonical && !w.Canonical {
			continue
		}
		text, _ := at.Codec.Decode(e.text.Bytes[at.Start:at.End])
		if at.Saver.Read != nil {
			text = at.Saver.Read(text)
		}
		d := w.evident(at.Saver.By, string(text))
		d.Offset = e.text.Offset(at.Start)
		switch {
		case has(declared, d):
			// HTTrack writes its comment twice: before the content and after it.
		case at.Saver == saved.Canonical:
			if _, own := saved.InArchiveToday([]byte(d.Value)); own && d.Refuse == "" {
				d.Refuse = "the archive's own"
			}
			d.Last = true
			last = append(last, d)
		default:
			declared = append(declared, d)
			e.saved = e.saved.By(at.Saver, d, e.file)
		}
	}
	for _, known := range e.attributes {
		d := w.evident(known.By, known.URL)
		switch {
		case d.Refuse != "":
		case isArchive(e.Type, ""):
			d.Refuse = "says where the archive is from, not the files in it"
		case saved.OfArchive(d.Value, e.Document):
			d.Refuse = "names an archive that the file was in"
		}
		d.Last = true // the URL that a container records for a document in the file is better
		declared = append(declared, d)
	}
	return append(declared, last...)
}

// redirects returns the declarations of the redirects before a response, the last one first.
func (w *walker) redirects(e *Entity, m *mark.Marks) []base.Declaration {
	declared := make([]base.Declaration, 0, len(m.Notes.Redirects))
	for _, at := range slices.Backward(m.Notes.Redirects) {
		url, _ := at.Codec.Decode(e.text.Bytes[at.Start:at.End])
		by := mark.Location
		if at.IsNextRequest() {
			by = mark.NextRequest
		}
		d := w.evident(by, string(url))
		switch scheme, _ := ascii.CutScheme(d.Value); ascii.Lower(scheme) {
		case "", "http", "https":
			d.Refuse = "" // it may be relative
		}
		d.Refuse = cmp.Or(at.Refuse, d.Refuse)
		d.Redirect, d.Offset = true, e.text.Offset(at.Start)
		declared = append(declared, d)
	}
	return declared
}

// evident returns the declaration of one piece of evidence.
func (w *walker) evident(by, url string) base.Declaration {
	url = w.original(url)
	return base.Declaration{Rung: base.Retrieval, By: by, Value: url, Offset: -1, Refuse: saved.Unfit(url)}
}

// has reports whether the list has a declaration of the same URL by the same source.
func has(declared []base.Declaration, d base.Declaration) bool {
	return slices.ContainsFunc(declared, func(other base.Declaration) bool { return other.By == d.By && other.Value == d.Value })
}

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

// scopeOf returns the scope of a mark. A header field of a body part may declare the base in force. Or it would, if
// there were a base around the part. Such a field is also a link, and its scope is the scope around the part: so the
// link is resolved as the base is.
func (v *visit) scopeOf(at *mark.Mark) *base.Scope {
	scope := v.scopeAt(at.Scope)
	if at.Base == nil || scope.By() != at.Base.By && scope.Rung() != base.Default {
		return scope
	}
	for n := at.Scope; n > 0; n = v.m.Scopes()[n-1].Scope {
		if v.m.Scopes()[n-1].Base == at.Base {
			return v.scopeAt(v.m.Scopes()[n-1].Scope)
		}
	}
	return scope
}

// without returns the scope that the entity has without some of its declarations.
func (v *visit) without(some func(base.Declaration) bool) *base.Scope {
	rest := slices.DeleteFunc(slices.Clone(v.declared), some)
	return v.outer.Enclose(v.std, v.place, rest...)
}

// scopeAt returns the scope with the number n: see mark.Mark.Scope.
func (v *visit) scopeAt(n int32) *base.Scope {
	switch n {
	case mark.Outside:
		return v.outside
	case mark.Early:
		if v.early == nil {
			v.early = v.without(byElement)
		}
		return v.early
	case 0:
		return v.e.Scope
	}
	if redirects, ok := mark.IsRequest(n); ok {
		return v.request(redirects)
	}
	return v.scopes[n-1]
}

// request returns the scope of the request after a number of redirects. No base that the entity declares governs it. The
// URLs that were recorded elsewhere are those of the last request.
func (v *visit) request(redirects int) *base.Scope {
	if v.requested == nil || v.redirects != redirects {
		left := len(v.m.Notes.Redirects)
		last := left == redirects
		v.redirects, v.requested = redirects, v.without(func(d base.Declaration) bool {
			if d.Redirect {
				left--
				return left >= redirects
			}
			return d.Rung != base.Retrieval || !last
		})
	}
	return v.requested
}
