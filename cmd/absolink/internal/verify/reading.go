// Absolink's reading of the old version, for entities that fail.

package verify

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Link is a link of the old version, a declared base, or a BASE element that --base removes, as absolink reads it.
type Link struct {
	Start, End int    // the bytes that spell the reference
	Ref        string // the reference, decoded
	Base       string // the base in force; "" for none
	Gone       bool   // the bytes are a BASE element, or its href, that --base removes
}

// disagree returns nil if the new version of an entity is right by absolink's reading of the old version. Then absolink and
// the other parser read the old version differently, and the entity counts as unable. Otherwise disagree returns d, the
// difference that the other parser has found.
//
// Absolink's reading says only where the links are, and which reference and base each one has. This package computes the
// URLs, decodes the values, and compares the bytes between the links. The reading never proves an entity.
func (k *checker) disagree(e entity, d *Difference) *Difference {
	if d == nil || k.doc.Links == nil {
		return d
	}
	p := &page{checker: k, entity: e}
	kind := e.kind
	if e.kind == "text/html" && p.decode() == "" && !bytes.Equal(p.entity.old, e.old) {
		p.charset = "utf-8"
	}
	if p.charset != "" {
		kind += "; charset=" + p.charset
	}
	result := k.result
	result.Unable = slices.Clone(result.Unable)
	right := p.follows(k.doc.Links(kind, p.declared.old.url, p.entity.old))
	k.result = result
	if !right {
		return d
	}
	return k.unable(e.path, "absolink and the other parser read the old version differently", d.What)
}

// disagreeField is disagree for a header field. The field is read alone.
func (k *checker) disagreeField(v value, d *Difference) *Difference {
	in, start := *v.entity, v.what+":"
	if in.kind = "message/rfc822"; strings.HasSuffix(v.kind, "/http") {
		in.kind, start = "message/http", "HTTP/1.1 200 OK\r\n"+start
	}
	in.old, in.new, in.bases, in.declared = []byte(start+v.old+"\r\n"), []byte(start+v.new+"\r\n"), v.bases, v.bases
	return k.disagree(in, d)
}

// follows reports whether the new version is the old version with other values of the links only, and the values are right.
func (p *page) follows(links []Link) bool {
	old, new := string(p.entity.old), string(p.entity.new)
	slices.SortStableFunc(links, func(a, b Link) int { return a.Start - b.Start })
	links = slices.CompactFunc(links, func(a, b Link) bool { return a.Start == b.Start && a.End == b.End }) // absolink may pass a link twice
	at := 0                                                                                                 // in the old version
	for i, l := range links {
		if l.Start < at || l.End > len(old) || !strings.HasPrefix(new, old[at:l.Start]) {
			return false
		}
		new, at = new[l.Start-at:], l.End
		next := len(old)
		if i+1 < len(links) {
			next = max(links[i+1].Start, at)
		}
		n := p.valueAt(l, old[l.Start:l.End], new, old[at:next])
		if n < 0 {
			return false
		}
		new = new[n:]
	}
	return old[at:] == new
}

// valueAt returns the length of the value of a link in the new version, or -1 if there is no right one. new is the new
// version from the value on, gap is the text between this link and the next one.
func (p *page) valueAt(l Link, spelled, new, gap string) int {
	if l.Gone {
		for _, empty := range []string{"", `""`} { // an unquoted value gets quotes
			if strings.HasPrefix(new, empty+gap) {
				return len(empty)
			}
		}
	}
	fits := func(n int) bool { return strings.HasPrefix(new[n:], gap) && p.isRight(l, spelled, new[:n]) }
	switch {
	case strings.HasPrefix(new, spelled) && fits(len(spelled)):
		return len(spelled)
	case gap == "":
		if fits(len(new)) {
			return len(new)
		}
		return -1
	}
	const most = 8 // the byte after a value may be in the value, too: after a backslash in CSS
	n := 0
	for range most {
		i := strings.IndexByte(new[n:], gap[0])
		if i < 0 {
			return -1
		}
		if n += i; fits(n) {
			return n
		}
		n++
	}
	return -1
}

// quoted matches a line end in a text, and the quote marks after it.
var quoted = pattern(`\n[> ]+`)

// isRight reports whether the new value of a link means the URL of the old one.
func (p *page) isRight(l Link, old, new string) bool {
	if old == "" {
		new = strings.Trim(new, `="'`) // an unquoted value gets quotes
	}
	in := bases{base{url: l.Base}, base{url: l.Base}}
	if p.Relative {
		in.new.url = p.mapped(l.Base)
	}
	if p.Base != "keep" || l.Base == p.entity.bases.old.url {
		in.new = p.entity.bases.new
	}
	v := value{entity: &p.entity, bases: in, header: strings.Contains(old, "\n") && (strings.HasPrefix(p.kind, "message/") || p.kind == "text/plain")}
	ref := func(s string) string {
		if s = squeeze(s); v.header {
			if p.kind == "text/plain" {
				s = quoted().ReplaceAllString(s, "\n")
			}
			s = strings.Join(strings.Fields(s), "")
		}
		return likeness(s)
	}
	was, now := decoded(old), decoded(new)
	for i := range was {
		if ref(was[i]) != ref(l.Ref) || spaceOf(was[i]) != spaceOf(now[i]) {
			continue
		}
		v.old, v.new = was[i], now[i]
		for _, v.whole = range []bool{false, l.Ref == ""} {
			if p.link(v) == nil {
				return true
			}
		}
	}
	return false
}

// decoded returns a spelled text, decoded in each way in which a link can be spelled: with character references, also of
// an embedded document, with escapes of CSS, and with escapes of JSON.
func decoded(s string) (all []string) {
	const levels = 4
	for range levels {
		var text string
		if json.Unmarshal([]byte(`"`+s+`"`), &text) != nil {
			text = s
		}
		all = append(all, s, unescapeCSS(s), text)
		if strings.Contains(s, "&") {
			z := html.NewTokenizer(strings.NewReader(`<a b="` + strings.ReplaceAll(s, `"`, "&quot;") + `">`))
			z.Next()
			z.TagName()
			_, value, _ := z.TagAttr()
			s = string(value)
		}
	}
	return all
}
