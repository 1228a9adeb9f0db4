package report

import (
	"bytes"

	"absolink/base"
	"absolink/extract"
)

// Part has the facts about one task of a run: a document, or one record of it. One goroutine fills it. The zero Part is empty,
// and a nil *Part collects nothing.
type Part struct {
	links    int64 // links, or entities of the verb base
	changed  int64
	rungs    [base.RungDefault + 1]int64
	statuses [extract.StatusUnresolved + 1]int64
	types    tally
	schemes  tally
	hosts    tally
	changes  []Change // the first changes

	kind  string // the last type, and its count that is not in types yet
	kinds int64
}

// Change is a reference before and after a rewriting, for a page.
type Change struct{ Before, After string }

// Link adds a link.
func (p *Part) Link(l *extract.Link) {
	if p == nil {
		return
	}
	p.links++
	p.rungs[l.Scope.Rung()]++
	p.statuses[l.Status]++
	p.ofType(l.Entity.Type)
	p.schemes.add(schemeOf(l), 1, namesOfTask)
	p.hosts.add(hostOf(l), 1, namesOfTask)
}

// Base adds an entity.
func (p *Part) Base(e *extract.Entity) {
	if p == nil {
		return
	}
	p.links++
	p.rungs[e.Scope.Rung()]++
	p.ofType(e.Type)
}

// Change adds a changed reference.
func (p *Part) Change(c extract.Change) {
	if p.changed++; len(p.changes) < changesPerDocument {
		p.changes = append(p.changes, Change{shown(c.Ref, longName), shown(c.NewRef, longName)})
	}
}

// ofType counts a media type. The links of an entity come together, so a lookup for each link is not needed.
func (p *Part) ofType(kind string) {
	if kind != p.kind {
		p.flush()
		p.kind = kind
	}
	p.kinds++
}

// flush moves the count of the last type to types.
func (p *Part) flush() {
	if p.kinds > 0 {
		p.types.add([]byte(p.kind), p.kinds, namesOfTask)
	}
	p.kinds = 0
}

// The names for links without a URL or without a host.
const (
	noURL  = "(no URL)"
	noHost = "(no host)" // for example, a mailto: URL has no host
)

// schemeOf returns the scheme of the absolute URL of a link.
func schemeOf(l *extract.Link) []byte {
	end := bytes.IndexByte(l.URL, ':')
	if l.Status == extract.StatusUnresolved || end < 0 {
		return []byte(noURL)
	}
	return bytes.ToLower(l.URL[:min(end, longName)])
}

// hostOf returns the host of the absolute URL of a link, without its user and its port.
func hostOf(l *extract.Link) []byte {
	if l.Status == extract.StatusUnresolved {
		return []byte(noURL)
	}
	_, host, ok := bytes.Cut(l.URL, []byte("://"))
	if end := bytes.IndexAny(host, `/?#\`); end >= 0 {
		host = host[:end]
	}
	host = host[bytes.LastIndexByte(host, '@')+1:]
	if port := bytes.LastIndexByte(host, ':'); port > bytes.LastIndexByte(host, ']') {
		host = host[:port]
	}
	if !ok || len(host) == 0 {
		return []byte(noHost)
	}
	return bytes.ToLower(host[:min(len(host), longName)])
}
