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

// thisMessage is the base of references in a message that has none (RFC 2557 5).
const thisMessage = "thismessage:/"

// siblings are the parts of one message, by what names them.
type siblings struct {
	byID    map[string]string
	groups  []map[string]*located // by URL
	outer   []int                 // of each group the one around it, -1 for none
	message *resolve.Base         // thisMessage, if a part has a name in it
	claimed []*located
	claims  map[string]*located // by the URL that each has got
	visit   *visit              // of the message
	at      int                 // where the part begins whose references claim
	behind  bool                // one of them has claimed a part that it stands in or behind

	within map[string]*enclosing // by path: the parts that were within others; nil unless Chromium has made the message
	room   int                   // for the bases of these

	std   resolve.Standard
	scope *base.Scope   // that messageBase was last asked for
	base  *resolve.Base // what it gave
}

// located is a part with a Content-Location.
type located struct {
	path  string
	name  string // the URL that it is found by
	at    *mark.Mark
	whole bool   // it has a scheme or a base
	url   string // that a reference with a base has given it; "" for none
}

// enclosing is what a part was within in the page that was saved: where the first reference to it stands.
type enclosing struct {
	by   string
	base string // in force there; "" if it is not known, or the one that the page was retrieved from
}

// siblingsOf returns the parts of a message; nil if it has none that others may name.
func (v *visit) siblingsOf() *siblings {
	parts := &v.m.Parts
	if len(parts.Siblings) == 0 {
		return nil
	}
	s := &siblings{visit: v, std: v.std, byID: map[string]string{}, groups: make([]map[string]*located, len(parts.Groups)), outer: parts.Groups}
	if parts.Snapshot {
		s.within, s.room = map[string]*enclosing{}, v.w.maxRecord()+2*len(v.e.text.Bytes)
	}
	for _, part := range parts.Siblings {
		path := v.e.within("part[" + part.Path + "]")
		if id := header.ContentID(v.e.text.Bytes, part.ID); len(id) > 0 && s.byID[string(id)] == "" {
			s.byID[string(id)] = path
		}
		if part.Location != nil {
			s.locate(part, path)
		} else if parts.Snapshot && !part.Based {
			s.within[path] = &enclosing{}
		}
	}
	return s
}

// locate notes a part with a Content-Location under the URL that it is found by.
func (s *siblings) locate(part mark.Sibling, path string) {
	v := s.visit
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
		group[key] = &located{path: path, name: key, at: part.Location, whole: whole}
	}
}

// messageBase is the base in the message of references in a scope that has none: the relative
// bases around it, from the outside in, resolved against thisMessage (RFC 2557 5).
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

// find gives the path of the part that a reference names from within a group; "" if it names
// none. url is what the reference resolves to in its scope, nil if that has no base. A name is
// looked for in the group, and then in those around it, but never in those inside.
//
// A part whose Content-Location has no base has no URL either. With claim, it gets that of the
// first reference to it which has one. ok is false if it has got another: then this reference
// does not name it any more when both are absolute. given is the URL that the part has got, for
// a reference without a base, which takes it over to go on naming the part.
func (s *siblings) find(group int, scope *base.Scope, ref, url []byte, claim bool) (path, given string, ok bool) {
	if isContentID(ref) {
		if path = s.byID[string(ascii.PercentDecoded(ref[4:]))]; path != "" { // RFC 2392 2
			return path, "", true
		}
		// Chromium gives style sheets a Content-Location that is such a URL.
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

func isContentID(ref []byte) bool {
	return len(ref) > len("cid:") && ascii.FoldEqual(ref[:len("cid:")], "cid:")
}

// encloses takes a reference in a page that Chromium saved. What had no URL of its own there is a part
// without one, or with a cid: in its place, as a style element or the document of a srcdoc, and its
// base was that of the page around it. Chromium writes a page before what was in it.
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

// scopeOf is the scope of a part, which may have been within another.
func (s *siblings) scopeOf(path string, scope *base.Scope) *base.Scope {
	in := s.within[path]
	if in == nil || in.base == "" {
		return scope
	}
	if s.room -= len(in.base); s.room < 0 {
		v := s.visit
		v.w.report(v.e, v.e.text, 0, SizeLimit, "the bases of parts are too long all together; that of "+path+" is not known")
		return base.Root(v.w.Standard)
	}
	return scope.Within(base.Declaration{Rung: base.Embedded, By: in.by, Value: in.base, Offset: -1, Header: true})
}

// claim gives a part the URL of a reference. That is the base of what is in the part then, as it will
// be when the message is read again.
func (s *siblings) claim(part *located, url string) {
	part.url = url
	s.claimed = append(s.claimed, part)
	s.behind = s.behind || part.at.Start < s.at
	v := s.visit
	if v.m.Notes.Covers(part.at.Start) && !v.w.BreakSignatures {
		return
	}
	if s.claims == nil {
		s.claims = map[string]*located{}
	}
	s.claims[url] = part
	v.rebase(part.at, url)
}

// mostRounds is how often the references of a message are asked which parts they claim.
const mostRounds = 8

// claims has the references of a message claim its parts before any of them is changed: one that has a
// base may stand behind the part that it names, whose own references then have one, too. Where such a
// chain is longer than the rounds its last parts stay as they are.
func (v *visit) claims(s *siblings) {
	if s == nil || s.message == nil {
		return
	}
	w := v.w
	tell, show, left, unpackable := w.OnProblem, w.OnLink, w.left, w.unpackable
	w.OnProblem, w.OnLink, w.naming = nil, nil, s
	for round := 0; round == 0 || s.behind && round < mostRounds; round++ {
		s.behind = false
		v.all()
	}
	w.OnProblem, w.OnLink, w.left, w.unpackable, w.naming = tell, show, left, unpackable, nil
}

// rebase gives what a field declares another value: its scope and those inside, which follow it,
// are closed anew.
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
		case outer >= n && was[i] == was[outer-n]: // beyond the limit of depth
			v.scopes[n-1+i] = v.scopes[outer-1]
			continue
		case i == 0:
			d.Value = value
		}
		v.scopes[n-1+i] = v.scopeAt(field.Scope).Within(d)
	}
}

// name makes the Content-Locations absolute that references with a base have named, so
// that they still match; but not those that are signed (RFC 1847 2.1).
func (v *visit) name(s *siblings) {
	if s == nil || len(s.claimed) == 0 {
		return
	}
	// A Content-Base beside it may have a base now, and the name one from there: that is not its own.
	fields := slices.SortedFunc(slices.Values(s.claimed), func(a, b *located) int { return a.at.Start - b.at.Start })
	v.edits = slices.DeleteFunc(v.edits, func(edit codec.Edit) bool {
		i := sort.Search(len(fields), func(i int) bool { return fields[i].at.End >= edit.Start })
		return i < len(fields) && fields[i].at.Start <= edit.Start
	})
	for _, part := range s.claimed {
		from := len(v.edits)
		src := v.e.text.Bytes[part.at.Start:part.at.End]
		text, _ := part.at.Codec.Decode(src)
		v.edits = append(v.edits, v.w.lift(v.e, v.e.text, part.at.Span(), src, text, part.at.Codec,
			[]codec.Edit{{Span: codec.Span{End: len(text)}, New: []byte(part.url)}})...)
		v.unlessSigned(part.at, from)
	}
	codec.SortEdits(v.edits)
}

func withoutFragment(url []byte) []byte {
	url, _, _ = bytes.Cut(url, []byte("#"))
	return url
}
