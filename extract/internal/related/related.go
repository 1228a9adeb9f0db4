// Package related finds the body part of a message that a reference names, by its Content-ID or its Content-Location
// (RFC 2557).
//
// A part whose Content-Location is relative, in a message without a base, has no URL. Its references have none, too. So a part
// and a reference match by URLs inside the message. If a reference has a URL, because it is below another base, a rewriting makes
// only the reference absolute. Then the part must get the URL of the reference: the reference claims the part. So the parts that
// are claimed get a base, and the references in them may claim other parts.
package related

import (
	"bytes"
	"slices"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
	"absolink/resolve"
)

// thisMessage is the base of references in a message that has no base (RFC 2557 5).
const thisMessage = "thismessage:/"

// Parts has the body parts of one message that references can name, by their Content-IDs and URLs.
type Parts struct {
	Snapshot
	std    resolve.Standard
	rebase func(field *mark.Mark, url string)

	byID    map[string]string
	groups  []map[string]*Part // the parts of each multipart/related, by URL
	outer   []int              // for each group, the group around it; -1 for none
	message *resolve.Base      // thisMessage, if the URL of a part begins with it

	claimed []*Part
	claims  map[int]*Part         // the same parts, by the number of their URL
	numbers map[string]int        // of the URLs of claimed parts and of bases
	bases   map[*resolve.Base]int // the numbers of the URLs of bases
	at      int                   // the start of the part whose references are matched now
	again   bool                  // see Again

	made  int           // the number of bytes of all URLs that were read and made
	scope *base.Scope   // the last argument of messageBase
	base  *resolve.Base // the last result of messageBase
}

// Part is a body part with a Content-Location.
type Part struct {
	Path   string
	At     *mark.Mark // the Content-Location
	Signed bool       // a signature covers the Content-Location, and it stays unchanged

	whole bool    // the Content-Location is absolute, or has a base
	name  string  // the URL by which references find it
	claim *claim  // nil if no reference has claimed the part
	new   *[]byte // see New
}

// claim is the claim of a part by a reference.
type claim struct {
	url    string
	number int           // of url
	base   *resolve.Base // the name of the part as a base; nil until it is needed
}

// URL returns the URL of the reference that has claimed the part, or "".
func (p *Part) URL() string {
	if p.claim == nil {
		return ""
	}
	return p.claim.url
}

// New returns the new text of the first reference that names the part and has changed. The Content-Location gets it. New returns
// nil if there is no such reference.
func (p *Part) New() []byte {
	if p.new == nil {
		return nil
	}
	return *p.new
}

// New returns the Parts of a message without parts. outer has the group around each multipart/related, or -1. rebase closes the
// scope of a Content-Location again, with a new URL.
func New(std resolve.Standard, outer []int, rebase func(field *mark.Mark, url string)) *Parts {
	return &Parts{std: std, rebase: rebase, byID: map[string]string{}, groups: make([]map[string]*Part, len(outer)), outer: outer}
}

// Identify adds a part with a Content-ID. The first part with an ID counts.
func (p *Parts) Identify(id []byte, path string) {
	if len(id) > 0 && p.byID[string(id)] == "" {
		p.byID[string(id)] = path
	}
}

// Locate adds a part with a Content-Location to its group, under the URL by which references find it. ref is the
// Content-Location. Locate returns the number of bytes of the URLs that it has made.
func (p *Parts) Locate(group int, part Part, ref []byte, scope *base.Scope) (made int) {
	url, err := scope.Base().AppendResolve(nil, ref)
	made = len(url)
	part.whole = err == nil
	if p.message == nil && (!part.whole || bytes.HasPrefix(url, []byte(thisMessage))) {
		p.message, _ = p.std.Base(thisMessage)
	}
	if !part.whole {
		if url, err = p.messageBase(scope).AppendResolve(nil, ref); err != nil {
			return made
		}
		made += len(url)
	}
	if p.groups[group] == nil {
		p.groups[group] = map[string]*Part{}
	}
	if part.name = string(WithoutFragment(url)); p.groups[group][part.name] == nil {
		p.groups[group][part.name] = &part
	}
	return made
}

// Claimable reports whether a reference may claim a part. p may be nil.
func (p *Parts) Claimable() bool { return p != nil && p.message != nil }

// Needed returns the parts that references have claimed, and whose references have changed. p may be nil.
func (p *Parts) Needed() (needed []*Part) {
	if p == nil {
		return nil
	}
	for _, part := range p.claimed {
		if part.new != nil {
			needed = append(needed, part)
		}
	}
	return needed
}

// messageBase returns the base inside the message for a scope that has no base. It resolves the relative bases of the
// scope against thisMessage, from the outermost base to the innermost (RFC 2557 5).
func (p *Parts) messageBase(scope *base.Scope) *resolve.Base {
	if scope == p.scope {
		return p.base
	}
	p.scope, p.base = scope, p.message
	for _, c := range slices.Backward(scope.Candidates()) {
		if p.made += len(c.Value); c.Reason != base.ReasonNoBase {
			continue
		}
		url, err := p.base.AppendResolve(nil, []byte(c.Value))
		if p.made += len(url); err == nil {
			if b, err := p.std.Base(string(url)); err == nil {
				p.base = b
			}
		}
	}
	return p.base
}

// Find returns the path of the part that a reference in a group names, or "" if the reference names no part. url is the
// resolved reference, or nil if the scope has no base. Find searches the group, and then the groups around the group.
// It never searches the groups inside the group.
//
// named is the part if the reference names it by a URL in the message, because the Content-Location or the reference has no base.
// If only the reference has a base, it may claim the part. A reference with another URL would not name the part any more when
// both are absolute. A reference without a base gets the URL of a claimed part, so that it still names the part.
//
// made is the number of bytes of the URLs that Find has made.
func (p *Parts) Find(group int, scope *base.Scope, ref, url []byte) (path string, named *Part, made int) {
	before := p.made
	if path, named = p.find(group, scope, ref, url); named != nil {
		path = named.Path
	}
	return path, named, p.made - before
}

// find returns the path of a part that has a URL or a Content-ID, or else a part that has a URL in the message.
func (p *Parts) find(group int, scope *base.Scope, ref, url []byte) (path string, named *Part) {
	if IsContentID(ref) {
		if path = p.byID[string(ascii.PercentDecoded(ref[4:]))]; path != "" { // RFC 2392 2
			return path, nil
		}
		// Chromium writes style sheets with a Content-Location that is a cid: URL.
	}
	for g := group; url != nil && g >= 0; g = p.outer[g] {
		if part := p.groups[g][string(WithoutFragment(url))]; part != nil {
			return part.Path, nil
		}
	}
	if p.message == nil {
		return "", nil
	}
	inMessage := p.message
	if url == nil {
		inMessage = p.messageBase(scope)
	} else if part := p.claimOf(scope.Base()); part != nil {
		if part.claim.base == nil {
			part.claim.base, _ = p.std.Base(part.name)
		}
		inMessage = part.claim.base
	}
	name, err := inMessage.AppendResolve(nil, ref)
	p.made += len(name)
	if err != nil || !bytes.HasPrefix(name, []byte(thisMessage)) {
		return "", nil
	}
	for g := group; g >= 0; g = p.outer[g] {
		if part := p.groups[g][string(WithoutFragment(name))]; part != nil && !(part.whole && url != nil) {
			return "", part
		}
	}
	return "", nil
}

// Given returns the URL of a claimed part, or "".
func (p *Parts) Given(part *Part) string {
	if part.claim != nil && p.claims[part.claim.number] == part {
		return part.claim.url
	}
	return ""
}

// Claim sets the URL of a part to the URL of a reference. The URL is then the base of the content of the part, as it
// will be when the rewritten message is read.
func (p *Parts) Claim(part *Part, url string) {
	part.claim = &claim{url: url}
	p.claimed = append(p.claimed, part)
	p.again = p.again || part.At.Start < p.at
	if part.Signed {
		return
	}
	if p.claims == nil {
		p.claims, p.numbers, p.bases = map[int]*Part{}, map[string]int{}, map[*resolve.Base]int{}
	}
	part.claim.number = p.numberOf(url)
	p.claims[part.claim.number] = part
	p.rebase(part.At, url)
}

// Rename sets the new Content-Location of the part, if no reference has set it before. to is the new text of a reference that names
// the part.
func (p *Part) Rename(to []byte) {
	if p.new == nil {
		text := bytes.Clone(WithoutFragment(to))
		p.new = &text
	}
}

// Enter begins the references of another part. start is the offset of the part.
func (p *Parts) Enter(start int) {
	if start < p.at {
		clear(p.bases) // another round, which makes the bases again
	}
	p.at = start
}

// Again reports whether another round is needed, since the last call: a reference has claimed its own part or an earlier part.
func (p *Parts) Again() bool {
	again := p.again
	p.again = false
	return again
}

// longURL is a length of URLs that real documents do not reach.
const longURL = 4096

// claimOf returns the part that was claimed by the URL of a base, or nil. It looks up a long URL only once for each base,
// because many references may have the base.
func (p *Parts) claimOf(b *resolve.Base) *Part {
	if len(p.claims) == 0 {
		return nil
	}
	if len(b.String()) <= longURL {
		if n, ok := p.numbers[b.String()]; ok {
			return p.claims[n]
		}
		return nil
	}
	n, ok := p.bases[b]
	if !ok {
		n = p.numberOf(b.String())
		p.bases[b] = n
	}
	return p.claims[n]
}

// numberOf returns the number of a URL.
func (p *Parts) numberOf(url string) int {
	n, ok := p.numbers[url]
	if !ok {
		n = len(p.numbers)
		p.numbers[url] = n
	}
	return n
}

// WithoutFragment returns a URL without its fragment.
func WithoutFragment(url []byte) []byte {
	url, _, _ = bytes.Cut(url, []byte("#"))
	return url
}

// IsContentID reports whether a reference is a cid: URL.
func IsContentID(ref []byte) bool {
	return len(ref) > len("cid:") && ascii.FoldEqual(ref[:len("cid:")], "cid:")
}
