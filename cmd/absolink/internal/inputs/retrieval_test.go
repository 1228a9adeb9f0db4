package inputs

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
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
		"\xD0%9F/\xD0%9F":  "%D0%9F/%D0%9F", // wget escapes bytes that look like controls
		"[1]{2}|\\^`\"<>":  "%5B1%5D%7B2%7D%7C%5C%5E%60%22%3C%3E",
		"\x01\n\x7F":       "%01%0A%7F",
		"$-_.+!*'(),/.a/b": "$-_.+!*'(),/.a/b",
	} {
		assert.Equal(t, want, siteURL("", rel), rel)
	}
}

func TestMirrorURL(t *testing.T) {
	for rel, want := range map[string]string{
		"h.x/a.html":                  "http://h.x/a.html",
		"h.x/index.html":              "http://h.x/",
		"h:8080/d/index.html":         "http://h:8080/d/",
		"h.x+8080/d/x.html":           "http://h.x:8080/d/x.html", // on Windows
		"c+11/x.html":                 "",
		"h/index.php/x":               "",
		"h.x/index.html?C=N;O=D":      "http://h.x/?C=N;O=D", // a query may hold what is reserved (RFC 1808, 2.2)
		"h.x/d?x/p?y=1?z":             "http://h.x/d%3Fx/p?y=1?z",
		"h.x/a;b?c#d%":                "http://h.x/a%3Bb?c%23d%25",
		"h.x/p?u=http:%2F%2Fx%2F":     "http://h.x/p?u=http:%2F%2Fx%2F",
		"h.x/a%2Fb/100%":              "http://h.x/a%2Fb/100%25",
		"www.example.com/a b":         "http://www.example.com/a%20b",
		"robots.txt":                  "",
		"not a host/x":                "",
		"../x":                        "",
		"xn--bcher-kva.example/ü":     "http://xn--bcher-kva.example/%C3%BC",
		"h.x/index.html/index.htm?a":  "http://h.x/index.html/index.htm?a",
		"h.x/index.html/index.html?a": "http://h.x/index.html/?a",
		"h.x/d/index.htm":             "http://h.x/d/index.htm",
		"h/a.html":                    "",
		"hts-cache/new.html":          "",
		"d/e/h.x/a":                   "http://h.x/a",
		"h.x/g.x/a":                   "http://h.x/g.x/a",
		"d/top.zip":                   "",
		"h.x/page?id=1.html":          "http://h.x/page?id=1", // wget -E
		"h.x/index.html?id=1.html":    "http://h.x/?id=1",
		"h.x/style.css?v=2.css":       "http://h.x/style.css?v=2",
		"h.x/page@id=1.html":          "http://h.x/page?id=1", // on Windows
		"h.x/style.css@v=2.css":       "http://h.x/style.css?v=2",
		"h.x/p%3fid%3d1%26u%3ax.css":  "http://h.x/p?id=1&u:x",
		"h.x/what%3Fx=1%3a":           "http://h.x/what%3Fx=1%3a",
		"h.x/icon@2x.png":             "http://h.x/icon@2x.png",
		"h.x/@user=a/b.html":          "http://h.x/@user=a/b.html",
		"h.x/@a=b.html":               "http://h.x/@a=b.html",
		"h.x/@user@page=2.html":       "http://h.x/@user?page=2",
		"h.x/news.php.html":           "http://h.x/news.php.html", // may be its name
	} {
		assert.Equal(t, want, mirrorURL("tree/", rel), rel)
	}
	for _, row := range []struct{ tree, rel, want string }{ // wget -r http://h.example/; absolink links --mirror h.example
		{"h.example/", "docs/a.html", "http://h.example/docs/a.html"},
		{"./saved/h.example/", "index.html", "http://h.example/"},
		{"localhost:8000/", "v1.2/a.html", "http://localhost:8000/v1.2/a.html"},
		{"127.0.0.1/", "a/b", "http://127.0.0.1/a/b"},
		{"saved.example/", "h.example/a", "http://h.example/a"},
		{"saved-1.0/", "h/a", ""},
		{"h.example/", "index.php/Main_Page", "http://h.example/index.php/Main_Page"},
		{"h.example+81/", "a", "http://h.example:81/a"},
		{"h.example/", "v1.2/g.example/a", "http://h.example/v1.2/g.example/a"},
		{"./", "a.html", ""},
		{"../", "a.html", ""},
	} {
		assert.Equal(t, row.want, mirrorURL(row.tree, row.rel), row.tree+row.rel)
	}
}

func TestMemberURL(t *testing.T) {
	site, mirror := &Retrieval{site: "http://h/"}, &Retrieval{mirror: "http", unknown: map[string][]extract.Problem{}}
	given, found := Source{Name: "../t.tar"}, Source{Name: "f/t.tar", Rel: "h/t.tar", Found: true}
	in, below := Source{Name: "f/h.x/t.tar", Rel: "h.x/t.tar", Found: true}, Source{Name: "f/h.x/t.tar", Rel: "t.tar", Found: true}
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
		{mirror, given, "./h/b.html", ""},
		{mirror, given, "./h.x/b.html", "http://h.x/b.html"},
		{mirror, given, "./b.html", ""},
		{mirror, given, "in.zip/b.html", ""},
		{mirror, given, "h.x/in.zip/d/b.html", "http://h.x/in.zip/d/b.html"},
		{mirror, given, "h.x/in.zip/g.x/b.html", "http://g.x/b.html"},
		{mirror, found, "./b.html", ""},
		{mirror, in, "./b.html", "http://h.x/t.tar/b.html"},
		{mirror, in, "in.zip/b.html", "http://h.x/t.tar/in.zip/b.html"},
		{mirror, in, "g.x/b.html", "http://g.x/b.html"},
		{mirror, below, "b.html", "http://h.x/t.tar/b.html"},
	} {
		url, _ := row.of.member(row.in)(row.name)
		assert.Equal(t, row.want, url, row.name)
	}
}
