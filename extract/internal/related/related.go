// Package related finds the body part of a message that a reference names, by its Content-ID or its Content-Location
// (RFC 2557).
//
// In a message without a base, a part whose Content-Location is relative has no URL. A reference without a base names
// it by a URL inside the message (RFC 2557 5). A reference with a base, as in a page with a BASE element, names it by
// its text.
package related

import (
	"bytes"
	"errors"
	"slices"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/resolve"
)

// thisMessage is the base of references in a message that has no base (RFC 2557 5).
const thisMessage = "thismessage:/"

// Parts has the body parts of one message that references can name, by their Content-IDs and URLs.
type Parts struct {
	std  resolve.Standard
	byID map[string]string
	// the parts of each multipart/related, by URL; a part without a URL also by its Content-Location
	groups  []map[string]string
	outer   []int         // for each group, the group around it; -1 for none
	message *resolve.Base // thisMessage, if the URL of a part begins with it

	made  int           // the length of all URLs that were read and made
	scope *base.Scope   // the last argument of messageBase
	base  *resolve.Base // the last result of messageBase

	// in a page that Chromium saved: by path, the base of each part that was inside another part
	within map[string]*base.Declaration
	left   int // the bytes that these bases may still use
}

// New returns empty Parts. outer has the group around each multipart/related, or -1.
func New(std resolve.Standard, outer []int) *Parts {
	return &Parts{std: std, byID: map[string]string{}, groups: make([]map[string]string, len(outer)), outer: outer}
}

// Identify adds a part with a Content-ID. The first part with an ID has it.
func (p *Parts) Identify(id []byte, path string) {
	if len(id) > 0 && p.byID[string(id)] == "" {
		p.byID[string(id)] = path
	}
}

// Locate adds a part whose Content-Location is ref to its group, under the URL by which references find it. made is the
// length of the URLs that it has made.
func (p *Parts) Locate(group int, path string, ref []byte, scope *base.Scope) (made int) {
	url, err := scope.Base().AppendResolve(nil, ref)
	made = len(url)
	if p.message == nil && (err != nil || bytes.HasPrefix(url, []byte(thisMessage))) {
		p.message, _ = p.std.Base(thisMessage)
	}
	if err != nil {
		if errors.Is(err, resolve.ErrNoBase) {
			p.add(group, withoutFragment(ref), path)
		}
		if url, err = p.messageBase(scope).AppendResolve(nil, ref); err != nil {
			return made
		}
		made += len(url)
	}
	p.add(group, withoutFragment(url), path)
	return made
}

// add adds a part to a group. The first part with a name has it.
func (p *Parts) add(group int, name []byte, path string) {
	if p.groups[group] == nil {
		p.groups[group] = map[string]string{}
	}
	if len(name) > 0 && p.groups[group][string(name)] == "" {
		p.groups[group][string(name)] = path
	}
}

// in returns the path of the part with a name in a group or in a group around it, or "". A group does not see the parts
// of the groups inside it.
func (p *Parts) in(group int, name []byte) (path string) {
	for ; group >= 0 && path == ""; group = p.outer[group] {
		path = p.groups[group][string(name)]
	}
	return path
}

// messageBase returns the base inside the message for a scope that has no base: the relative bases of the scope,
// resolved against thisMessage, the outermost first (RFC 2557 5).
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

// Find returns the path of the part that a reference in a group names, or "". url is the resolved reference, or nil if
// the scope has no base. made is the length of the URLs that Find has made.
func (p *Parts) Find(group int, scope *base.Scope, ref, url []byte) (path string, made int) {
	if IsContentID(ref) {
		if path = p.byID[string(ascii.PercentDecoded(ref[4:]))]; path != "" { // RFC 2392 2
			return path, 0
		}
		// Chromium writes style sheets with a Content-Location that is a cid: URL.
	}
	if url != nil {
		return p.in(group, withoutFragment(url)), 0
	}
	if p.message == nil {
		return "", 0
	}
	before := p.made
	name, err := p.messageBase(scope).AppendResolve(nil, ref)
	if p.made += len(name); err == nil && bytes.HasPrefix(name, []byte(thisMessage)) {
		path = p.in(group, withoutFragment(name))
	}
	return path, p.made - before
}

// Named returns the path of the part without a URL whose Content-Location has the text of a relative reference, or "".
func (p *Parts) Named(group int, ref []byte) (path string) { return p.in(group, withoutFragment(ref)) }

func withoutFragment(url []byte) []byte {
	url, _, _ = bytes.Cut(url, []byte("#"))
	return url
}

// IsContentID reports whether a reference is a cid: URL.
func IsContentID(ref []byte) bool {
	return len(ref) > len("cid:") && ascii.FoldEqual(ref[:len("cid:")], "cid:")
}
