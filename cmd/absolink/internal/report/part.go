package report

import (
	"bytes"
	"strings"

	"absolink/base"
	"absolink/extract"
)

// Part has the facts about one task of a run: a document, or one record of it. One goroutine fills it.
type Part struct {
	links    int64 // links, or entities of the verb base
	changed  int64
	layers   [base.LayerDefault + 1]int64
	statuses [extract.StatusUnresolved + 1]int64
	types    tally
	schemes  tally
	hosts    tally
	changes  []Change // the first changes
}

// Change is a reference before and after a rewriting, for a page.
type Change struct{ Before, After string }

func (p *Part) Link(l *extract.Link) {
	p.links++
	if l.Status != extract.StatusAbsolute { // that link needs no base
		p.layers[l.Scope.Layer()]++
	}
	p.statuses[l.Status]++
	p.types.add(l.Entity.Type, 1)
	p.schemes.add(schemeOf(l), 1)
	p.hosts.add(hostOf(l), 1)
}

func (p *Part) Base(e *extract.Entity) {
	p.links++
	p.layers[e.Scope.Layer()]++
	p.types.add(e.Type, 1)
}

func (p *Part) Change(c extract.Change) {
	if p.changed++; len(p.changes) < changesPerDocument {
		p.changes = append(p.changes, Change{shown(c.Ref, longName), shown(c.NewRef, longName)})
	}
}

func (p *Part) add(other *Part) {
	p.links, p.changed = p.links+other.links, p.changed+other.changed
	for i, n := range other.layers {
		p.layers[i] += n
	}
	for i, n := range other.statuses {
		p.statuses[i] += n
	}
	p.types.merge(&other.types)
	p.schemes.merge(&other.schemes)
	p.hosts.merge(&other.hosts)
}

// The names for links without a URL or without a host.
const (
	noURL  = "(no URL)"
	noHost = "(no host)" // of a mailto: URL, for example
)

func schemeOf(l *extract.Link) string {
	scheme, _, ok := bytes.Cut(l.URL, []byte(":"))
	if !ok {
		return noURL
	}
	return strings.ToLower(string(scheme[:min(len(scheme), longName)]))
}

// hostOf returns the host of the absolute URL of a link, without its user and its port.
func hostOf(l *extract.Link) string {
	if l.Status == extract.StatusUnresolved {
		return noURL
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
		return noHost
	}
	return strings.ToLower(string(host[:min(len(host), longName)]))
}
