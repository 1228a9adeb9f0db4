package extract

import (
	"bytes"
	"slices"
	"sort"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/resolve"
)

// thisMessage is the base of references in a message that has no base (RFC 2557 5).
const thisMessage = "thismessage:/"

// siblings are the parts of one message, by the Content-ID or the URL that names them.
type siblings struct {
	byID    map[string]string
	groups  []map[string]*located // the parts of each multipart/related, by URL
	outer   []int                 // for each group, the group around it; -1 for none
	message *resolve.Base         // thisMessage, if the URL of a part begins with it
	claimed []*located            // the parts that have a URL from a reference
	claims  map[string]*located   // the same parts, by that URL
	at      int                   // the start of the part whose references are matched now
	behind  bool                  // a reference has claimed the part that it is in, or an earlier part

	within map[string]*enclosing // by path, the parts that were inside other parts; nil unless Chromium has written the message
	room   int                   // the bytes that the bases of these parts may still have

	std    resolve.Standard
	rebase func(field *mark.Mark, url string) // closes the scope of a Content-Location again, with a new URL

	scope *base.Scope   // the last argument of messageBase
	base  *resolve.Base // the last result of messageBase
}

// located is a part with a Content-Location.
type located struct {
	path   string
	name   string // the URL by which references find it
	at     *mark.Mark
	whole  bool   // the Content-Location is absolute, or has a base
	signed bool   // a signature covers the Content-Location, and it stays unchanged
	url    string // the URL of the reference with a base that has claimed the part; "" for none
}

// enclosing is the position of a part in the page that was saved. It is the position of the first reference to the part.
type enclosing struct {
	by   string // the name of the place of that reference
	base string // the base in force there; "" if it is not known, or is the retrieval URL of the page
}

// siblingsOf returns the parts of a message that references may name, or nil if there are none.
func (v *visit) siblingsOf() *siblings {
	parts := &v.m.Parts
	if len(parts.Siblings) == 0 {
		return nil
	}
	s := &siblings{rebase: v.rebase, std: v.std, byID: map[string]string{}, groups: make([]map[string]*located, len(parts.Groups)), outer: parts.Groups}
	if parts.Snapshot {
		s.within, s.room = map[string]*enclosing{}, v.w.maxRecord()+2*len(v.e.text.Bytes)
	}
	for _, part := range parts.Siblings {
		path := v.e.within("part[" + part.Path + "]")
		if id := header.ContentID(v.e.text.Bytes, part.ID); len(id) > 0 && s.byID[string(id)] == "" {
			s.byID[string(id)] = path
		}
		if part.Location != nil {
			v.locate(s, part, path)
		} else if parts.Snapshot && !part.Based {
			s.within[path] = &enclosing{}
		}
	}
	return s
}

// locate adds a part with a Content-Location to its group, under the URL by which references find it.
func (v *visit) locate(s *siblings, part mark.Sibling, path string) {
	ref, _ := part.Location.Codec.Decode(v.e.text.Bytes[part.Location.Start:part.Location.End])
	if s.within != nil && isContentID(ref) {
		s.within[path] = &enclosing{}
	}
	scope := v.scopeOf(part.Location)
	url, err := scope.Base().AppendResolve(nil, ref)
	whole := err == nil
	if s.message == nil && (!whole || bytes.HasPrefix(url, []byte(thisMessage))) {
		s.message, _ = v.std.Base(thisMessage)
	}
	if !whole {
		if url, err = s.messageBase(scope).AppendResolve(nil, ref); err != nil {
			return
		}
	}
	group := s.groups[part.Group]
	if group == nil {
		group = map[string]*located{}
		s.groups[part.Group] = group
	}
	if key := string(withoutFragment(url)); group[key] == nil {
		signed := v.m.Notes.Covers(part.Location.Start) && !v.w.BreakSignatures
		group[key] = &located{path: path, name: key, at: part.Location, whole: whole, signed: signed}
	}
}

// messageBase returns the base inside the message for a scope that has no base. It resolves the relative bases of the
// scope, from the outermost to the innermost, against thisMessage (RFC 2557 5).
func (s *siblings) messageBase(scope *base.Scope) *resolve.Base {
	if scope == s.scope {
		return s.base
	}
	s.scope, s.base = scope, s.message
	for _, c := range slices.Backward(scope.Candidates()) {
		if c.Reason != base.NoBase {
			continue
		}
		if url, err := s.base.AppendResolve(nil, []byte(c.Value)); err == nil {
			if b, err := s.std.Base(string(url)); err == nil {
				s.base = b
			}
		}
	}
	return s.base
}

// find returns the path of the part that a reference names from within a group, or "" if the reference names no part.
// url is the resolved reference, or nil if the scope has no base. find searches the group and then the groups around
// it. It never searches the groups inside it.
//
// A part whose Content-Location has no base has no URL either. With claim, the first reference that names the part and
// has a URL claims the part: its URL becomes the URL of the part. ok is false if a reference with another URL has
// claimed the part: then this reference would not name the part any more when both are absolute. given is the URL of a
// claimed part, for a reference without a base. That reference becomes given, so that it still names the part.
func (s *siblings) find(group int, scope *base.Scope, ref, url []byte, claim bool) (path, given string, ok bool) {
	if isContentID(ref) {
		if path = s.byID[string(ascii.PercentDecoded(ref[4:]))]; path != "" { // RFC 2392 2
			return path, "", true
		}
		// Chromium writes style sheets with a Content-Location that is a cid: URL.
	}
	for g := group; url != nil && g >= 0; g = s.outer[g] {
		if at := s.groups[g][string(withoutFragment(url))]; at != nil {
			return at.path, "", true
		}
	}
	if s.message == nil {
		return "", "", true
	}
	inMessage := s.message
	if url == nil {
		inMessage = s.messageBase(scope)
	} else if part := s.claims[scope.Base().String()]; part != nil {
		inMessage, _ = s.std.Base(part.name)
	}
	name, err := inMessage.AppendResolve(nil, ref)
	if err != nil || !bytes.HasPrefix(name, []byte(thisMessage)) {
		return "", "", true
	}
	for g := group; g >= 0; g = s.outer[g] {
		at := s.groups[g][string(withoutFragment(name))]
		switch {
		case at == nil, at.whole && url != nil:
			continue
		case !claim:
		case url == nil:
			if s.claims[at.url] == at {
				given = at.url
			}
		case at.url == "":
			s.claim(at, string(withoutFragment(url)))
		case at.url != string(withoutFragment(url)):
			return at.path, "", false
		}
		return at.path, given, true
	}
	return "", "", true
}

// isContentID reports whether a reference is a cid: URL.
func isContentID(ref []byte) bool {
	return len(ref) > len("cid:") && ascii.FoldEqual(ref[:len("cid:")], "cid:")
}

// encloses notes the position of a reference that names a part, in a page that Chromium saved. Style elements and srcdoc
// documents have no URL. Chromium saves them as parts without a URL, or with a cid: URL. Their base was the base of the
// page around them. Chromium writes a page before the parts that were in the page.
func (s *siblings) encloses(group int, scope *base.Scope, place *mark.Place, ref []byte) {
	if s == nil || len(s.within) == 0 || !isContentID(ref) {
		return
	}
	path, _, _ := s.find(group, scope, ref, ref, false)
	if in := s.within[path]; in != nil && in.by == "" {
		in.by = place.Name
		if scope.Rung() == base.Embedded || scope.Rung() == base.Encapsulating {
			in.base = scope.Base().String()
		}
	}
}

// scopeOf returns the scope of a part. If the part was inside another part, its base is the base in force there. ok is
// false if there is no room for that base.
func (s *siblings) scopeOf(path string, scope *base.Scope) (_ *base.Scope, ok bool) {
	in := s.within[path]
	if in == nil || in.base == "" {
		return scope, true
	}
	if s.room -= len(in.base); s.room < 0 {
		return nil, false
	}
	return scope.Within(base.Declaration{Rung: base.Embedded, By: in.by, Value: in.base, Offset: -1, Header: true}), true
}

// claim sets the URL of a part to the URL of a reference. The URL is then the base of the content of the part, as it
// will be when the rewritten message is read.
func (s *siblings) claim(part *located, url string) {
	part.url = url
	s.claimed = append(s.claimed, part)
	s.behind = s.behind || part.at.Start < s.at
	if part.signed {
		return
	}
	if s.claims == nil {
		s.claims = map[string]*located{}
	}
	s.claims[url] = part
	s.rebase(part.at, url)
}

// mostRounds is how often, at most, the references of a message are matched to the parts that they claim.
const mostRounds = 8

// claims lets the references of a message claim its parts, before any reference is changed. A reference with a base may
// stand after the part that it names. Then the references in that part have a base, too, and may claim other parts. If
// such a chain needs more than mostRounds, its last parts stay unchanged.
func (v *visit) claims(s *siblings) {
	if s == nil || s.message == nil {
		return
	}
	w := v.w
	functions, left, result, changes, unpackable := w.Extractor, w.left, w.result, len(w.changes), w.unpackable
	w.OnProblem, w.OnLink, w.naming = nil, nil, s
	for round := 0; round == 0 || s.behind && round < mostRounds; round++ {
		s.behind = false
		v.all()
	}
	w.Extractor, w.left, w.result, w.changes, w.unpackable, w.naming = functions, left, result, w.changes[:changes], unpackable, nil
}

// rebase changes the value that a header field declares. It closes the scope of the field again, and the scopes inside
// it, which come directly after it.
func (v *visit) rebase(at *mark.Mark, value string) {
	fields, n := v.m.Scopes(), int(at.Scope)
	for n > 0 && fields[n-1].Base != at.Base {
		n = int(fields[n-1].Scope)
	}
	if n <= 0 {
		return
	}
	end := n
	for end < len(fields) && int(fields[end].Scope) >= n {
		end++
	}
	was := slices.Clone(v.scopes[n-1 : end])
	for i, field := range fields[n-1 : end] {
		outer, d := int(field.Scope), v.w.declaration(v.e, &field)
		switch {
		case outer >= n && was[i] == was[outer-n]: // deeper than the depth limit
			v.scopes[n-1+i] = v.scopes[outer-1]
			continue
		case i == 0:
			d.Value = value
		}
		v.scopes[n-1+i] = v.scopeAt(field.Scope).Within(d)
	}
}

// name makes the claimed Content-Locations absolute, so that the references still match them. A signed Content-Location
// stays unchanged (RFC 1847 2.1).
func (v *visit) name(s *siblings) {
	if s == nil || len(s.claimed) == 0 {
		return
	}
	// A Content-Base in the same header may have a base by now. Then an edit has resolved the Content-Location against
	// it. The URL of the reference replaces that edit.
	fields := slices.SortedFunc(slices.Values(s.claimed), func(a, b *located) int { return a.at.Start - b.at.Start })
	inField := func(start int) bool {
		i := sort.Search(len(fields), func(i int) bool { return fields[i].at.End >= start })
		return i < len(fields) && fields[i].at.Start <= start
	}
	w := v.w
	v.edits = slices.DeleteFunc(v.edits, func(edit codec.Edit) bool { return inField(edit.Start) })
	w.changes = append(w.changes[:v.changes], slices.DeleteFunc(w.changes[v.changes:], func(c change) bool { return inField(c.Start) })...)
	for _, part := range s.claimed {
		from, changes := len(v.edits), len(w.changes)
		src := v.e.text.Bytes[part.at.Start:part.at.End]
		text, _ := part.at.Codec.Decode(src)
		v.edits = append(v.edits, w.lift(v.e, v.e.text, part.at.Span(), src, text, part.at.Codec,
			[]codec.Edit{{Span: codec.Span{End: len(text)}, New: []byte(part.url)}})...)
		if len(v.edits) > from {
			w.changed(part.at.Span(), &Change{Ref: string(text), NewRef: part.url, URL: part.url})
		}
		v.unlessSigned(part.at, from, changes)
	}
	codec.SortEdits(v.edits)
	slices.SortStableFunc(w.changes[v.changes:], func(a, b change) int { return a.Start - b.Start })
}

// withoutFragment returns a URL without its fragment.
func withoutFragment(url []byte) []byte {
	url, _, _ = bytes.Cut(url, []byte("#"))
	return url
}
