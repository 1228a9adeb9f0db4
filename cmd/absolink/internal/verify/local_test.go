package verify_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/cmd/absolink/internal/verify"
	"absolink/extract"
)

func TestLocalUnarchived(t *testing.T) {
	d := extract.Document{Name: "p.html", URL: "https://web.archive.org/web/2020/http://h/p.html", Bytes: []byte("<a href='/web/2020/http://h/b.html'>")}
	local := extract.LocalFiles(slices.Values([]string{"b.html", "p.html"}))
	c := verify.Config{Standard: "rfc1808", Base: "keep", AllLocal: true, KeepFragments: true, Unarchive: true}
	r := c.Check(verify.Document{Type: "text/html", URL: d.URL, TypeOf: typeOf, Path: d.Name, Local: local, Links: linksOf(extract.Extractor{Unarchive: true}, d), Old: d.Bytes, New: []byte("<a href='b.html'>")})
	assert.Nil(t, r.Failed)
	assert.Empty(t, r.Unable)
}

// Each row is a link of the page http://h/d/p.html, and a relative reference that may be right for it.
func TestLocal(t *testing.T) {
	local := extract.LocalFiles(slices.Values([]string{"d/p.html", "b.html", "q", "q?x=1", "n.php.html", "two", "two.html", "w?q=1.html", "i/index.html", "i/index.html?a", "a@2x.png", "c.html", "k/index.html", "k.html", "h.html", "m/index.htm"}))
	for _, row := range []struct {
		ref, local string
		right      bool
	}{
		{"/b.html", "../b.html", true}, {"/b.html#f", "../b.html#f", true}, {"/b.html", "../q", false}, {"/b.html#f", "../b.html", false}, {"/gone", "../gone", false},
		{"/b.html?x", "../b.html?x", true}, {"/b.html?x", "../b.html", false}, {"/b.html?x", "../b.html?y", false}, {"/b.html", "../b.html?x", false},
		{"/q", "../q", true}, {"/q?x=1", "../q%3Fx=1", true}, {"/q?x=1", "../q", false}, {"/q?x=2", "../q", false}, {"/q?x=2", "../q?x=2", false}, {"/q", "../q%3Fx=1", false},
		{"/n.php", "../n.php.html", true}, {"/n.php?x", "../n.php.html?x", true}, {"/two", "../two", true}, {"/two", "../two.html", false},
		{"/w?q=1", "../w%3Fq=1.html", true}, {"/w?q=2", "../w%3Fq=1.html", false}, {"/w", "../w%3Fq=1.html", false}, {"/a@2x.png?v", "../a@2x.png?v", true},
		{"/i/", "../i/index.html", true}, {"/i/?b", "../i/index.html?b", false}, {"/i/?a", "../i/index.html%3Fa", true}, {"/i", "../i/index.html", true}, {"/i?b", "../i/index.html?b", false},
		{"/c/", "../c.html", true}, {"/c/?x", "../c.html?x", true}, {"/c", "../c.html", true}, {"/c/index.html", "../c.html", false},
		{"/k", "../k.html", true}, {"/k", "../k/index.html", false}, {"/k/", "../k/index.html", true}, {"/k/", "../k.html", false},
		{"/two/", "../two", false}, {"/", "../h.html", false}, {"/m", "../m/index.htm", true},
	} {
		page := func(ref string) []byte { return []byte("<a href='" + ref + "'>") }
		d := extract.Document{Name: "d/p.html", URL: "http://h/d/p.html", Bytes: page(row.ref)}
		c := verify.Config{Standard: "rfc1808", Base: "keep", AllLocal: true, KeepFragments: true}
		r := c.Check(verify.Document{Type: "text/html", URL: d.URL, TypeOf: typeOf, Path: d.Name, Local: local, Links: linksOf(extract.Extractor{}, d), Old: d.Bytes, New: page(row.local)})
		assert.Equal(t, row.right, r.Failed == nil, "%s became %s: %v", row.ref, row.local, r.Failed)
	}
}
