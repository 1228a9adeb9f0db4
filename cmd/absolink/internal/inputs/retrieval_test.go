package inputs

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSiteURL(t *testing.T) {
	for rel, want := range map[string]string{
		"a.html":           "a.html",
		"index.html":       "",
		"index.htm":        "",
		"d/index.html":     "d/",
		"d/index.HTML":     "d/index.HTML",
		"d/myindex.html":   "d/myindex.html",
		"index.html/x":     "index.html/x",
		"a b/c?d#e.html":   "a%20b/c%3Fd%23e.html",
		"100%.html":        "100%25.html",
		"a%20b.html":       "a%2520b.html",
		"a;b/c;d":          "a%3Bb/c%3Bd", // a ";" would begin the params (RFC 1808, 2.4.5)
		"x:y@z&=~":         "x:y@z&=~",
		"é\xFF.html":       "%C3%A9%FF.html",
		"[1]{2}|\\^`\"<>":  "%5B1%5D%7B2%7D%7C%5C%5E%60%22%3C%3E",
		"\x01\n\x7F":       "%01%0A%7F",
		"$-_.+!*'(),/.a/b": "$-_.+!*'(),/.a/b",
	} {
		assert.Equal(t, want, siteURL("", rel), rel)
	}
}

func TestMirrorURL(t *testing.T) {
	for rel, want := range map[string]string{
		"h/a.html":                 "http://h/a.html",
		"h/index.html":             "http://h/",
		"h:8080/d/index.html":      "http://h:8080/d/",
		"h/index.html?C=N;O=D":     "http://h/?C=N;O=D", // a query may hold what is reserved (RFC 1808, 2.2)
		"h/d?x/p?y=1?z":            "http://h/d%3Fx/p?y=1?z",
		"h/a;b?c#d%":               "http://h/a%3Bb?c%23d%25",
		"h/p?u=http:%2F%2Fx%2F":    "http://h/p?u=http:%2F%2Fx%2F",
		"h/a%2Fb/100%":             "http://h/a%2Fb/100%25",
		"www.example.com/a b":      "http://www.example.com/a%20b",
		"robots.txt":               "",
		"not a host/x":             "",
		"../x":                     "",
		"xn--bcher-kva.example/ü":  "http://xn--bcher-kva.example/%C3%BC",
		"h/index.html/index.htm?a": "http://h/index.html/?a",
	} {
		assert.Equal(t, want, mirrorURL("tree/", rel), rel)
	}
	for _, row := range []struct{ tree, rel, want string }{ // wget -r http://h.example/; absolink links --mirror h.example
		{"h.example/", "docs/a.html", "http://h.example/docs/a.html"},
		{"./saved/h.example/", "index.html", "http://h.example/"},
		{"localhost:8000/", "v1.2/a.html", "http://localhost:8000/v1.2/a.html"},
		{"127.0.0.1/", "a/b", "http://127.0.0.1/a/b"},
		{"saved.example/", "h.example/a", "http://h.example/a"},
		{"saved-1.0/", "h/a", "http://h/a"},
		{"./", "a.html", ""},
		{"../", "a.html", ""},
	} {
		assert.Equal(t, row.want, mirrorURL(row.tree, row.rel), row.tree+row.rel)
	}
}

func TestMemberURL(t *testing.T) {
	site, mirror := &Retrieval{site: "http://h/"}, &Retrieval{mirror: true}
	given, found := Source{Name: "../t.tar"}, Source{Name: "f/t.tar", Rel: "h/t.tar", Found: true}
	for _, row := range []struct {
		of         *Retrieval
		in         Source
		name, want string
	}{
		{site, given, "a/b.html", "http://h/a/b.html"},
		{site, given, "./a/./b.html", "http://h/a/b.html"}, // tar -c .
		{site, given, "./index.html", "http://h/"},
		{site, given, "/a/b.html", "http://h/a/b.html"},
		{site, given, "../b.html", ""},
		{site, given, "a/../../b.html", ""},
		{site, found, "./b.html", "http://h/h/t.tar/b.html"},
		{mirror, given, "./h/b.html", "http://h/b.html"},
		{mirror, given, "./b.html", ""},
		{mirror, found, "./b.html", "http://h/t.tar/b.html"},
	} {
		url, _ := row.of.member(row.in)(row.name)
		assert.Equal(t, row.want, url, row.name)
	}
}
