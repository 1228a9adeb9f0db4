package extract

// This file finds the bases that an entity declares, and makes its scope and those of its elements.

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
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/related"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/scopes"
	"absolink/resolve"
)

// Reasons why a declared base does not apply. Package mark has those that a format finds.
const (
	savedFolder = "the browser wrote it for the local copies of the saved page"
	placeholder = "it has a placeholder of a template"
	windowsPath = "a Windows path after file: is not a URL; Internet Explorer and Word write such paths"
)

// declarations returns the bases that an entity declares, in the order in which they are tried. It sets e.saved, on
// which some of them depend.
func (w *walker) declarations(e *Entity, m *mark.Marks) []base.Declaration {
	var evidence []base.Declaration
	evidence, e.saved = w.evidence(e, m)
	return append(append(w.embedded(e, m), w.redirects(e, m)...), evidence...)
}

// embedded returns the bases that an entity declares for itself.
func (w *walker) embedded(e *Entity, m *mark.Marks) []base.Declaration {
	var asked []*mark.Mark
	refused := 0
	for at := range m.Bases {
		if at.ScopeNumber > 0 {
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
	var before *mark.Mark // the first href that Chromium has replaced by "."
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

func byXMLBase(d base.Declaration) bool { return d.By == mark.XMLBase }

func byElement(d base.Declaration) bool { return d.By == mark.BaseElement }

// declaration returns what a mark declares as a base.
func (w *walker) declaration(e *Entity, at *mark.Mark) base.Declaration {
	_, value, _ := declaredURL(e.text.Bytes[at.Start:at.End], at)
	archived := w.x.Unarchive && saved.IsCopy(value)
	if url := w.archived(e, nil, value); url != nil {
		value = url
	}
	refuse := at.Base.Refuse
	if w.x.Standard == resolve.WHATWG && at.Base.By != mark.BaseElement && !at.Base.Header && !at.Base.Always {
		refuse = "browsers do not support it"
	}
	layer := base.LayerEmbedded
	if at.Base.Retrieval {
		layer = base.LayerRetrieval
	}
	if at.Base.Header && w.x.Standard != resolve.WHATWG && len(value) > 5 && ascii.FoldEqual(value[:5], "file:") &&
		bytes.IndexByte(value, '\\') >= 0 {
		refuse = windowsPath
	}
	if w.x.Standard != resolve.WHATWG && grammar.HasPlaceholder(value, !w.x.needsBase(value)) {
		refuse = cmp.Or(refuse, placeholder)
	}
	offset := e.text.Offset(at.Start)
	return base.Declaration{Layer: layer, By: at.Base.By, Value: string(value), Offset: offset, Header: at.Base.Header,
		Refuse: refuse, Archived: archived,
		Last: at.Place == mark.MemberPlace && isEvidence(at.Base.By, w.out.rec.of.d.Evidence)}
}

// isEvidence reports whether a URL that MemberURL returns from a source is only evidence. It is if the source is in the
// list, even without a URL.
func isEvidence(by string, all []Evidence) bool {
	return slices.ContainsFunc(all, func(known Evidence) bool { return known.By == by })
}

// declaredURL returns the text of a region that declares a base, the URL in it, and the span of that URL in the text.
func declaredURL(src []byte, at *mark.Mark) (text, url []byte, span codec.Span) {
	text, _ = at.Codec.Decode(src)
	if !at.Base.Wrapped {
		return text, text, codec.Span{End: len(text)}
	}
	span, url = urlOfField(text)
	return text, url, span
}

// urlOfField returns the URL in the value of a header field, and its span.
func urlOfField(value []byte) (span codec.Span, url []byte) {
	span, spelled := header.FieldURL(value, codec.Span{End: len(value)})
	url, _ = spelled.Decode(value[span.Start:span.End])
	return span, url
}

// evidence returns the URLs that a file may have been retrieved from, as declarations, the best first:
//
//  1. those in the content, in the order of the bytes, because the program that saved the file last put its URL first
//  2. those of Document.Evidence
//  3. with Canonical, the LINK rel=canonical of the page
//
// It also returns how the page was saved.
func (w *walker) evidence(e *Entity, m *mark.Marks) ([]base.Declaration, *saved.Saved) {
	by := e.saved
	if !m.File {
		return nil, by
	}
	// A format marks the comments before the content first, even those after the html tag.
	slices.SortStableFunc(m.Notes.Evidence, func(a, b mark.Evidence) int { return cmp.Compare(a.Start, b.Start) })
	var declared, last []base.Declaration
	for i := range m.Notes.Evidence {
		at := &m.Notes.Evidence[i]
		if at.Saver == saved.Canonical && w.x.OnCanonical != nil {
			url, _ := at.Codec.Decode(e.text.Bytes[at.Start:at.End])
			w.x.OnCanonical(e, string(url))
		}
		if at.Saver == saved.Canonical && !w.x.Canonical {
			continue
		}
		text, _ := at.Codec.Decode(e.text.Bytes[at.Start:at.End])
		if at.Saver.Read != nil {
			text = at.Saver.Read(text)
		}
		d := w.evident(at.Saver.By, string(text))
		if bare, ok := strings.CutPrefix(d.Value, "http:"); ok && at.Saver == saved.HTTrack && e.isSecure() {
			d.Value = "https:" + bare // HTTrack does not record the scheme
		}
		d.Offset = e.text.Offset(at.Start)
		switch {
		case has(declared, d):
			// HTTrack writes its comment twice: before the content and after it.
		case at.Saver == saved.ReplayPrefix:
			by = by.By(at.Saver, d, e.file)
		case at.Saver == saved.Canonical:
			if _, own := saved.InArchiveToday([]byte(d.Value)); own && d.Refuse == "" {
				d.Refuse = "a URL of the web archive"
			}
			d.Last = true
			last = append(last, d)
		default:
			declared = append(declared, d)
			by = by.By(at.Saver, d, e.file)
		}
	}
	for _, known := range e.evidence {
		if known.URL == "" && e.members != nil {
			continue // it only names a source for Document.MemberURL: see isEvidence
		}
		d := w.evident(known.By, known.URL)
		switch {
		case d.Refuse != "":
		case isArchive(e.Type, ""):
			d.Refuse = "the URL of the archive, not of the files in it"
		case saved.OfArchive(d.Value, e.Document):
			d.Refuse = "the URL of an archive that contained the file"
		}
		d.Last = true // a URL that a container records for a document in the file takes precedence
		declared = append(declared, d)
	}
	return append(declared, last...), by
}

// isSecure reports whether another URL known for e tells that its scheme is https.
func (e *Entity) isSecure() bool {
	known := append([]Evidence{{URL: e.outerScope.RetrievalURL()}}, e.evidence...)
	return slices.ContainsFunc(known, func(other Evidence) bool { return strings.HasPrefix(other.URL, "https:") })
}

// redirects returns the redirects before a response as declarations, the last one first.
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
			d.Refuse = "" // a redirect may be relative
		}
		d.Refuse = cmp.Or(at.Refuse, d.Refuse)
		d.Redirect, d.Offset = true, e.text.Offset(at.Start)
		declared = append(declared, d)
	}
	return declared
}

// evident returns a URL that a file may have been retrieved from, as a declaration.
func (w *walker) evident(by, url string) base.Declaration {
	url, archived := w.x.original(url)
	return base.Declaration{Layer: base.LayerRetrieval, By: by, Value: url, Offset: -1, Refuse: saved.Unfit(url),
		Archived: archived}
}

func has(declared []base.Declaration, d base.Declaration) bool {
	return slices.ContainsFunc(declared, func(other base.Declaration) bool {
		return other.By == d.By && other.Value == d.Value
	})
}

// reportCandidates returns the candidates of an entity that declares a base, or else nil, and reports their problems.
func (w *walker) reportCandidates(e *Entity, declared []base.Declaration) []base.Candidate {
	if len(declared) == 0 {
		return nil
	}
	candidates := e.Scope.Candidates()
	for i := range candidates {
		if candidates[i].Verdict != base.VerdictUsed { // else enclose has charged it
			w.totals.spend(len(candidates[i].Value)) // each entity inside parses it again
		}
		w.reportBase(e, &candidates[i])
	}
	w.reportRedirects(e, candidates)
	return candidates
}

// reportRedirects reports the redirect after which the URL of the response is not known, unless a later one tells it.
func (w *walker) reportRedirects(e *Entity, candidates []base.Candidate) {
	var lost *base.Candidate
	for i := range candidates {
		c := &candidates[i]
		if !c.Redirect || !c.Own || c.Reason == base.ReasonRedirected {
			continue
		}
		if c.Verdict != base.VerdictRejected {
			break
		}
		lost = c
	}
	if lost == nil {
		return
	}
	code, detail := CodeBaseUnsuitable, "redirect to "+mark.Quote([]byte(lost.Value))+": "+lost.Why+
		"; the URL of the next response is unknown"
	switch {
	case lost.By == mark.NextRequest:
		code, detail = CodeNoBase, lost.Why+"; save each URL in a separate file"
	case lost.Reason == base.ReasonNoBase:
		code = CodeNoBase
	case lost.Reason == base.ReasonMalformed:
		code = CodeBaseMalformed
	}
	w.reportDeclared(e, lost, code, detail)
}

// reportBase reports the problem of a base that the entity itself declares, if there is a problem.
func (w *walker) reportBase(e *Entity, c *base.Candidate) {
	if !c.Own || c.Offset < 0 || c.Redirect {
		return
	}
	var code Code
	switch {
	case c.Refuse == mark.RepeatedBase || c.Refuse == mark.RepeatedHeader:
		code = CodeBaseRepeated
	case c.Reason == base.ReasonNoBase && c.By == header.ContentLocation.Name:
		// RFC 2557 9.4: the Content-Location names a part of the message. It is reported as the link that it also is.
	case c.Reason == base.ReasonUnsuitable && c.By == header.ContentLocation.Name &&
		related.IsContentID([]byte(c.Value)):
		// The cid: URL that Chromium writes for each part of a page in MHTML is a name, not a base.
	case c.Reason == base.ReasonNoBase, c.Relative && w.x.Standard != resolve.WHATWG:
		code = CodeBaseNotAbsolute
	case c.Reason == base.ReasonUnsuitable, c.Refuse == windowsPath, c.Refuse == placeholder:
		code = CodeBaseUnsuitable
	case c.Reason == base.ReasonMalformed:
		code = CodeBaseMalformed
	}
	if code != "" {
		w.reportDeclared(e, c, code, c.By+" "+mark.Quote([]byte(c.Value))+": "+c.Trouble())
	}
}

// elementScopes makes the scopes of elements that declare a base, outer elements before inner ones, and reports their
// problems. outside is visit.scopeAt.
//
// Each scope may make the base longer, so the bases of nested elements, or of many elements inside one with a long
// base, would together grow with the square of the size of the document. Hence two limits: an element below the depth
// limit has the scope of the element around it, and once all bases together exceed the memory limit, later elements
// have no base.
func (w *walker) elementScopes(e *Entity, m *mark.Marks, outside func(n int32) *base.Scope) *scopes.Elements {
	if m.ScopeCount() == 0 {
		return nil
	}
	made := scopes.New(m, outside, func(at *mark.Mark) base.Declaration { return w.declaration(e, at) })
	depths := make([]int32, 0, m.ScopeCount())
	room := w.x.maxRecord() + 2*len(e.text.Bytes) // the text already contains each URL, and each base has a copy
	var none *base.Scope
	told := false
	for i := range m.ScopeCount() {
		at, depth := m.ScopeMark(i+1), int32(1)
		if at.ScopeNumber > 0 {
			depth = depths[at.ScopeNumber-1] + 1
		}
		depths = append(depths, depth)
		if int(depth) > w.x.maxDepth() {
			if int(depth) == w.x.maxDepth()+1 {
				w.reportStaying(e, &e.text, &Problem{Offset: at.Start, Code: CodeDepthLimit, Setting: settingMaxDepth,
					Detail: "more than " + strconv.Itoa(w.x.maxDepth()) +
						" nested bases; deeper elements have the last base"})
			}
			made.AsOuter()
			continue
		}
		if room < 0 || w.totals.urls < 0 {
			if none == nil {
				none = w.noBase()
			}
			switch {
			case w.totals.urls < 0:
				w.countUnmadeBase(e, at)
			case !told:
				told = true
				w.reportStaying(e, &e.text, &Problem{Offset: at.Start, Code: CodeLinkLimit, Setting: settingMaxRecord,
					Detail: "all bases of elements together are too long; later elements have no base"})
			}
			made.Without(none)
			continue
		}
		outer, scope, declared := made.At(at.ScopeNumber).Base(), made.Own(), w.declaration(e, at)
		w.totals.spend(removed(outer, []byte(declared.Value), len(scope.Base().String())))
		if room -= len(declared.Value); scope.Base() != outer {
			room -= len(scope.Base().String())
			w.totals.spend(len(scope.Base().String()))
		}
		for _, c := range scope.Own() {
			w.reportBase(e, &c)
		}
	}
	return made
}

// countUnmadeBase is countUnmade for a declared base. One that is also a link without a URL is counted as the link
// only.
func (w *walker) countUnmadeBase(e *Entity, at *mark.Mark) {
	if !at.Base.Listed || w.unshown(e) || !w.x.isPlace(at.Place, 0) ||
		!w.x.needsBase([]byte(w.declaration(e, at).Value)) {
		w.countUnmade(e, &e.text, at.Start)
	}
}

// enclose returns the scope of an entity that declares bases in m, and charges its base to totals.urls. If this is
// spent, the scope of an entity with declarations has no base, which is counted.
func (w *walker) enclose(e *Entity, outer *base.Scope, std resolve.Standard, place string, m *mark.Marks,
	declared []base.Declaration) *base.Scope {
	if w.totals.urls < 0 {
		std = w.x.Standard // without the query encoding, which has no effect because only absolute links are resolved
	}
	if w.totals.urls >= 0 || len(declared) == 0 {
		scope := outer.Enclose(std, place, declared...)
		if w.totals.spendBase(scope.Base(), outer.Base()) || len(declared) == 0 {
			return scope
		}
	}
	for at := range m.Bases {
		if e.text.Offset(at.Start) == declared[0].Offset {
			w.countUnmadeBase(e, at)
			return w.noBase()
		}
	}
	w.countUnmade(e, nil, max(declared[0].Offset, 0))
	return w.noBase()
}

// reportDeclared reports the problem of a base that an entity declares. An unsuitable base is a problem only if a link
// needs it, so reportDeclared leaves it to reportUnsuitable.
func (w *walker) reportDeclared(e *Entity, c *base.Candidate, code Code, detail string) {
	p := Problem{Document: e.Document, Entity: e.Path, Offset: int(e.start) + c.Offset, Code: code, Detail: detail}
	if code != CodeBaseUnsuitable || !w.totals.await(c, p) {
		w.x.report(p)
	}
}

// scopeOf returns the scope of a mark. A header field of a body part may be a base declaration and a link. If it
// declares the base in force, or would if there were a base around the part, its scope is the one around the part:
// inside the base http://h/, Content-Location: a/b.html is the base and the link http://h/a/b.html, not
// http://h/a/a/b.html.
func (v *visit) scopeOf(at *mark.Mark) *base.Scope {
	scope := v.scopeAt(at.ScopeNumber)
	if at.Base == nil || scope.By() != at.Base.By && scope.Layer() != base.LayerDefault {
		return scope
	}
	for n := at.ScopeNumber; n > 0; n = v.m.ScopeMark(n).ScopeNumber {
		if v.m.ScopeMark(n).Base == at.Base {
			return v.scopeAt(v.m.ScopeMark(n).ScopeNumber)
		}
	}
	return scope
}

// scopeWithout returns the scope that the entity has without the dropped ones of its declarations.
func (v *visit) scopeWithout(dropped func(base.Declaration) bool) *base.Scope {
	rest := slices.DeleteFunc(slices.Clone(v.declared), dropped)
	return v.e.outerScope.Enclose(v.e.std, v.e.placeName, rest...)
}

// after returns the scope in which a declared base is resolved: the one that the entity has without this declaration,
// and without those that are tried before it.
func (v *visit) after(c *base.Candidate) *base.Scope {
	i := slices.IndexFunc(v.candidates, func(own base.Candidate) bool { return own.Offset == c.Offset })
	tried := v.candidates[:i+1]
	return v.scopeWithout(func(d base.Declaration) bool {
		return slices.ContainsFunc(tried, func(own base.Candidate) bool { return own.Offset == d.Offset })
	})
}

// scopeAt returns the scope with the number n: see mark.Mark.ScopeNumber.
func (v *visit) scopeAt(n int32) *base.Scope {
	switch n {
	case mark.Outside:
		if v.outside == nil {
			v.outside = v.scopeWithout(func(d base.Declaration) bool { return byXMLBase(d) || byElement(d) })
		}
		return v.outside
	case mark.Early:
		if v.early == nil {
			v.early = v.scopeWithout(byElement)
		}
		return v.early
	case 0:
		return v.e.Scope
	}
	if redirects, ok := mark.IsRequest(n); ok {
		return v.request(redirects)
	}
	return v.scopes.At(n)
}

// request returns the scope of the request after a number of redirects, in which no base that the entity declares
// applies. A URL that is recorded elsewhere is that of the last request.
func (v *visit) request(redirects int) *base.Scope {
	if v.requested == nil || v.redirects != redirects {
		left := len(v.m.Notes.Redirects)
		last := left == redirects
		v.redirects, v.requested = redirects, v.scopeWithout(func(d base.Declaration) bool {
			if d.Redirect {
				left--
				return left >= redirects
			}
			return d.Layer != base.LayerRetrieval || !last
		})
	}
	return v.requested
}

// candidate returns the candidate of a declaration, with its verdict, or nil if it is none: see mark.ListedRefused.
func (v *visit) candidate(at *mark.Mark) *base.Candidate {
	offset := v.e.text.Offset(at.Start)
	candidates := v.candidates
	if at.ScopeNumber > 0 {
		candidates = v.scopes.At(at.ScopeNumber).Own()
	}
	for i := range candidates {
		if c := &candidates[i]; c.Own && c.Offset == offset {
			return c
		}
	}
	return nil
}

// partsOf returns the parts of a message that references can name, or nil.
func (v *visit) partsOf() *related.Parts {
	found := &v.m.Parts
	if len(found.Siblings) == 0 {
		return nil
	}
	parts := related.New(v.e.std, found.Groups)
	if found.Snapshot {
		parts.Saved(v.w.x.maxRecord() + 2*len(v.e.text.Bytes))
	}
	for _, part := range found.Siblings {
		path := v.e.joinPath("part[" + part.Path + "]")
		parts.Identify(header.ContentID(v.e.text.Bytes, part.ID), path)
		at := part.Location
		if at == nil {
			if found.Snapshot && !part.Based {
				parts.Inside(path)
			}
			continue
		}
		ref, _ := at.Codec.Decode(v.e.text.Bytes[at.Start:at.End])
		if found.Snapshot && related.IsContentID(ref) {
			parts.Inside(path)
		}
		scope := v.scopeOf(at)
		if v.w.totals.urls < 0 && !scope.Base().IsAbsolute(ref) {
			continue // its link is reported
		}
		v.w.totals.spend(parts.Locate(part.Group, path, ref, scope))
	}
	return parts
}
