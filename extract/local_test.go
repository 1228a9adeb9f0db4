package extract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
	"absolink/resolve"
)

// Each row is a link of d/p.html, which was retrieved from http://h/s/d/p.html, so the files are below http://h/s/.
func TestLocal(t *testing.T) {
	files := []string{"b.html", "d/p.html", "d/index.html", "d/e/index.htm", "a?b", "w?q=1.html", "w@q=2.html", "s.css?v=1.css", "n.php.html",
		"q", "q?x=1", "e\u0301.html", "a b", "x:y", "p%2Fq", "../out.html", "d/\xff.html", "%41", "i@2x.png", "@u@x=1",
		"two", "two.html", "two/index.html", "n/index.html", "c.html", "x/index.html?q=1", "x/index.html", "s.html", "m.php%3fop%3dx&id=1", "\xd0%9F.html", "\xd0%9F.html?q=\xd0%9F", "Talk%3AFoo", "v@u=http%3A%2F%2Fx",
		"k?m.html", "k?m.html?z=1"}
	local := extract.LocalFiles(slices.Values(files))
	for _, row := range []struct{ ref, want string }{
		{"../b.html?x=1#y", "../b.html?x=1#y"}, {"http://h/s/b.html", "../b.html"}, {"/s/b.html?x=1#y", "../b.html?x=1#y"}, {"gone.html", "http://h/s/d/gone.html"},
		{"p.html", "p.html"}, {"#top", "#top"}, {"", ""}, {"?x", "?x"}, {"http://h/s/d/p.html#top", "p.html#top"},
		{"/s/d/", "index.html"}, {".", "index.html"}, {"./", "index.html"}, {"e/", "e/index.htm"}, {"e", "e/index.htm"}, {"..", "http://h/s/"},
		{"/s/two", "../two"}, {"/s/two/", "../two/index.html"}, {"../n#f", "../n/index.html#f"}, {"../n/", "../n/index.html"}, {"../n?a", "../n/index.html?a"},
		{"../c", "../c.html"}, {"../c/", "../c.html"}, {"../c/?a#f", "../c.html?a#f"}, {"../c/index.html", "http://h/s/c/index.html"},
		{"../m.php?op=x&id=1#f", "../m.php%253fop%253dx&id=1#f"}, {"/s/m.php?op=y", "http://h/s/m.php?op=y"},
		{"../x?q=1", "../x/index.html%3Fq=1"}, {"../x?q=2", "http://h/s/x?q=2"}, {"../x", "../x/index.html"}, {"../gone/", "http://h/s/gone/"},
		{"../a?b", "../a%3Fb"}, {"../a%3Fb", "../a%3Fb"}, {"../k%3Fm.html", "../k%3Fm.html"}, {"../k%3Fm.html?z=1", "../k%3Fm.html%3Fz=1"}, {"/s/a%3Fb?x=1#f", "../a%3Fb?x=1#f"}, {"../w?q=1", "../w%3Fq=1.html"}, {"../w?q=2#f", "../w@q=2.html#f"}, {"../w?q=3", "http://h/s/w?q=3"},
		{"../s.css?v=1", "../s.css%3Fv=1.css"}, {"../n.php", "../n.php.html"}, {"../n.php?x", "../n.php.html?x"}, {"../q", "../q"}, {"../q?x=1", "../q%3Fx=1"}, {"../q?x=2", "http://h/s/q?x=2"}, {"/s/i@2x.png?v=1", "../i@2x.png?v=1"}, {"../@u?x=1", "../@u@x=1"},
		{"../%C3%A9.html", "../e%CC%81.html"}, {"../e%CC%81.html", "../e%CC%81.html"}, {"../a%20b", "../a%20b"}, {"/s/a%20b", "../a%20b"}, {"/s/x:y", "../x:y"}, {"%ff.html", "%ff.html"}, {"/s/d/%ff.html", "%FF.html"},
		{"../%D0%9F.html", "../%D0%259F.html"}, {"../%D0%9F.html?q=%D0%9F#f", "../%D0%259F.html%3Fq=%D0%259F#f"}, {"../%D0%9F.html?q", "http://h/s/%D0%9F.html?q"}, {"../Talk:Foo", "../Talk%253AFoo"}, {"../v?u=http://x", "../v@u=http%253A%252F%252Fx"},
		{"../d%2Fp.html", "http://h/s/d%2Fp.html"}, {"../p%2Fq", "../p%252Fq"}, {"../p%252Fq", "../p%252Fq"}, {"../p/q", "http://h/s/p/q"}, {"../B.html", "http://h/s/B.html"}, {"../%2541", "../%2541"}, {"../A", "http://h/s/A"},
		{"../b.html/", "http://h/s/b.html/"}, {"..//b.html", "http://h/s//b.html"}, {"../../s/b.html", "../b.html"}, {"../../../b.html", "http://h/../b.html"}, {"../../out.html", "http://h/out.html"},
		{"//h/s/b.html", "../b.html"}, {"HTTP://H/s/b.html", "../b.html"}, {"https://h/s/b.html", "https://h/s/b.html"}, {"http://h:80/s/b.html", "../b.html"}, {"http://h:443/s/b.html", "http://h:443/s/b.html"}, {"http://o/s/b.html", "http://o/s/b.html"},
		{"mailto:b.html", "mailto:b.html"}, {"javascript:b.html", "javascript:b.html"}, {"data:,b.html", "data:,b.html"}, {"../b.html%00", "http://h/s/b.html%00"},
	} {
		d := extract.Document{Name: "d/p.html", URL: "http://h/s/d/p.html", Local: local, Bytes: []byte("<a href='" + row.ref + "'>")}
		assert.Equal(t, "<a href='"+row.want+"'>", Rewrite(t, &Walker{Extractor: extract.Extractor{KeepFragments: true}}, d), row.ref)
	}
}

// Each row is the page d/p.html before and after, beside the files b.html and d/c.html.
func TestLocalPages(t *testing.T) {
	for _, row := range []struct {
		name, page, want string
		set              func(x *extract.Extractor, d *extract.Document)
	}{
		{"without a URL", "<a href=../b.html><a href=/b.html><a href=c.html#x><a href=http://h/b.html>", "<a href=../b.html><a href=/b.html><a href=c.html#x><a href=http://h/b.html>",
			func(_ *extract.Extractor, d *extract.Document) { d.URL = "" }},
		{"a base without a URL", "<base href=http://h/d/><a href=c.html>", "<a href=http://h/d/c.html>", func(_ *extract.Extractor, d *extract.Document) { d.URL = "" }},
		{"a recorded URL with another name", "<!-- saved from url=(0012)http://r/y/z --><a href=z><a href=c.html><a href=/y/c.html><a href=/b.html>",
			"<!-- saved from url=(0012)http://r/y/z --><a href=p.html><a href=c.html><a href=c.html><a href=http://r/b.html>", func(x *extract.Extractor, d *extract.Document) { d.URL, x.KeepFragments = "", true }},
		{"a page is absolute to itself", "<a href=#t><a href=p.html><a href=>", "<a href=http://h/d/p.html#t><a href=http://h/d/p.html><a href=\"http://h/d/p.html\">", nil},
		{"a base", "<base href=/x/><a href=../b.html><a href=c.html>", "<a href=../b.html><a href=http://h/x/c.html>", nil},
		{"the target of all links", "<base href=/x/ target=t><a href=../b.html>", "<base href=\"\" target=t><a href=../b.html>", nil},
		{"an empty base", "<base href=/x/><a href=../b.html>", "<base href=\"\"><a href=../b.html>", func(x *extract.Extractor, _ *extract.Document) { x.BaseURLs = extract.BaseEmpty }},
		{"a base that a malformed link needs", "<base href=/d/><a href=/b.html><a href=//[>", "<base href=http://h/d/><a href=http://h/b.html><a href=//[>",
			func(x *extract.Extractor, _ *extract.Document) { x.Standard = resolve.WHATWG }},
		{"a base around a srcdoc", "<base href=/d/><iframe srcdoc='<a href=/b.html>'></iframe>", "<iframe srcdoc='<a href=../b.html>'></iframe>", nil},
		{"Map is for the others, and chooses", "<a href=/b.html><a href=z><img src=/b.html>", "<a href=../b.html><a href=http://n/><img src=/b.html>",
			func(x *extract.Extractor, _ *extract.Document) {
				x.Map = func(l *extract.Link) (string, bool) { return "http://n/", l.Place() == "a@href" }
			}},
		{"Places", "<a href=/b.html><img src=/b.html>", "<a href=../b.html><img src=/b.html>", func(x *extract.Extractor, _ *extract.Document) { x.Places = []string{"a"} }},
		{"a feed, whose readers complete no link", "<feed xmlns='http://www.w3.org/2005/Atom'><id>http://h/b.html</id><link href='http://h/b.html'/></feed>",
			"<feed xmlns='http://www.w3.org/2005/Atom'><id>http://h/b.html</id><link href='http://h/b.html'/></feed>", func(_ *extract.Extractor, d *extract.Document) { d.Type = "application/atom+xml" }},
		{"plain text", "see http://h/b.html now", "see http://h/b.html now", func(_ *extract.Extractor, d *extract.Document) { d.Type = "text/plain" }},
		{"mail", "Content-Type: text/html\n\n<a href=/b.html>", "Content-Type: text/html\n\n<a href=http://h/b.html>", func(_ *extract.Extractor, d *extract.Document) { d.Type = "message/rfc822" }},
	} {
		w := &Walker{}
		d := extract.Document{Name: "d/p.html", URL: "http://h/d/p.html", Local: extract.LocalFiles(slices.Values([]string{"b.html", "d/c.html", "d/p.html"})), Bytes: []byte(row.page)}
		if row.set != nil {
			row.set(&w.Extractor, &d)
		}
		assert.Equal(t, row.want, Rewrite(t, w, d), row.name)
	}
}

// OnLocal tells which file browsers load only from a server.
func TestOnLocal(t *testing.T) {
	for page, want := range map[string]string{
		"<a href=b.html>": "b.html false", "<a href=/b.html#x>": "b.html false", "<a href=p.html>": "", "<a href=gone>": "",
		"<script type=module src=b.js></script>": "b.js true", "<script src=b.js></script>": "b.js false", "<script src=b.js CROSSORIGIN=''></script>": "b.js true", "<script type=text/javascript src=b.js></script>": "b.js false",
		"<link rel='preload STYLESHEET' crossorigin href=b.css>": "b.css true", "<link rel=stylesheet href=b.css>": "b.css false", "<link rel=icon crossorigin href=b.css>": "b.css false",
		"<link rel=canonical crossorigin href=b.html>":                                                                                "",
		"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><script type='module' src='b.js'/></html>":                   "b.js true",
		"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><link rel='stylesheet' crossorigin='' href='b.css'/></html>": "b.css true",
	} {
		got := ""
		w := &Walker{Extractor: extract.Extractor{OnLocal: func(_ *extract.Entity, file string, served bool) { got = fmt.Sprint(file, " ", served) }}}
		Rewrite(t, w, extract.Document{Name: "p.html", URL: "http://h/p.html", Local: extract.LocalFiles(slices.Values([]string{"b.html", "p.html", "b.js", "b.css"})), Bytes: []byte(page)})
		assert.Equal(t, want, got, page)
	}
}

func TestLocalTime(t *testing.T) {
	local := extract.LocalFiles(slices.Values([]string{"b.html", "d/p.html"}))
	for name, link := range map[string]string{"up": "<a href=../b.html>", "many names": "<a href=" + strings.Repeat("x/", 200) + ">", "a query": "<a href='?" + strings.Repeat("%2F", 100) + "'>"} {
		longtest.Linear(t, name, 1<<18, func(n int) func() {
			d := extract.Document{Name: "d/p.html", URL: "http://h/d/p.html", Local: local, Bytes: []byte(strings.Repeat(link, n/len(link)))}
			return func() { Rewrite(t, &Walker{}, d) }
		})
	}
}
