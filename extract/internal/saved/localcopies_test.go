package saved_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// Links to files that were saved with a page stay relative.
func TestLocalCopies(t *testing.T) {
	const (
		mark   = "<!-- saved from url=(0012)http://h/p/q -->"
		mirror = "<!-- Mirrored from h/p/q.html by HTTrack Website Copier/3.x -->"
		book   = "<html data-scrapbook-source='http://h/p/q'>"
	)
	for _, row := range []struct{ name, document, comment, ref, want string }{
		{"Chromium", "page.html", mark, "./page_files/a.png", "(local-copy)"},
		{"without ./", "page.html", mark, "page_files/a.png?x#y", "(local-copy)"},
		{"with spaces", "a b.html", mark, "./a b_files/a.png", "(local-copy)"},
		{"percent-encoded", "dir/a b.htm", mark, "./a%20b_files/a.png", "(local-copy)"},
		{"a page with another name", "-", mark, "./page_files/a.png", "(local-copy)"},
		{"in another language", "page.html", mark, "page-Dateien/a.png", "(local-copy)"},
		{"of a page without an extension", "page", mark, "page-Dateien/a.png", "(local-copy)"},
		{"in another language, percent-encoded", "a b.html", mark, "a%20b-Dateien/a.png", "(local-copy)"},
		{"of another page", "page.html", mark, "_files/a.png", "http://h/p/_files/a.png"},
		{"of a page with another name", "other.html", mark, "page-Dateien/a.png", "http://h/p/page-Dateien/a.png"},
		{"a frame in the folder", "page_files/saved_resource.html", mark, "./a.png", "(local-copy)"},
		{"not in a folder", "page.html", mark, "a.png", "http://h/p/a.png"},
		{"the folder is not the first", "page.html", mark, "x/page_files/a.png", "http://h/p/x/page_files/a.png"},
		{"on the host", "page.html", mark, "/page_files/a.png", "http://h/page_files/a.png"},
		{"absolute", "page.html", mark, "http://h/page_files/a.png", "http://h/page_files/a.png"},
		{"a query", "page.html", mark, "?x=page_files/a.png", "http://h/p/q?x=page_files/a.png"},
		{"not saved", "page.html", "", "./page_files/a.png", "(no-base)"},
		{"not saved by a browser", "page.html", "<!-- saved from url=(0014)about:internet -->", "./page_files/a.png", "(no-base)"},
		{"saved from a file", "page.html", "<!-- saved from url=(0014)file:///x -->", "./page_files/a.png", "(local-copy)"},

		{"HTTrack, the same host", "h/p/q.html", mirror, "../r.html", "http://h/r.html"},
		{"another host", "h/p/q.html", mirror, "../../other/r.html", "(local-copy)"},
		{"named by the MD5 of its query", "h/p/q.html", mirror, "x/pageed04.html?a=1&amp;b=2#f", "(local-copy)"},
		{"of another query", "h/p/q.html", mirror, "pageed04.html?a=1", "http://h/p/pageed04.html?a=1"},
		{"of no query", "h/p/q.html", mirror, "paged41d.html?", "http://h/p/paged41d.html?"},
		{"saved by another program than HTTrack", "h/p/q.html", mark, "pageed04.html?a=1&amp;b=2", "http://h/p/pageed04.html?a=1&b=2"},
		{"through other folders", "h/p/q.html", mirror, "x/../../../other/r.html", "(local-copy)"},
		{"out of a folder and back", "h/p/q.html", mirror, "x/y/../../../r.html", "http://h/r.html"},
		{"the root of a host", "h/index.html", "<!-- Mirrored from h/ by HTTrack Website Copier/3.x -->", "../other/r.html", "(local-copy)"},
		{"a slash in the query", "h/index.html", "<!-- Mirrored from h/p?a/b/c by HTTrack Website Copier/3.x -->", "../other/r.html", "(local-copy)"},
		{"not by HTTrack", "h/p/q.html", mark, "../../other/r.html", "http://h/../other/r.html"},

		{"WebScrapBook", "index.html", book, "a%20b.png", "(local-copy)"},
		{"a page that HTTrack has also saved", "p/index.html", book, "../q.html#x", "(local-copy)"},
		{"a place in the page", "index.html", book, "#x", "http://h/p/q#x"},
		{"a name that HTTrack does not write", "index.html", book, "/a.png", "http://h/a.png"},
	} {
		t.Run(row.name, func(t *testing.T) {
			html := row.comment + `<img src="` + row.ref + `">`
			d := extract.Document{Name: row.document, Type: "text/html", Bytes: []byte(html)}
			var w Walker
			assert.Equal(t, []string{row.want}, URLs(t, &w, d))

			var problems []extract.Code
			w.OnProblem = func(p extract.Problem) { problems = append(problems, p.Code) }
			out := Rewrite(t, &w, d)
			if row.want == "(local-copy)" {
				assert.Equal(t, html, out)
				assert.Equal(t, []extract.Code{extract.CodeLocalCopy}, problems)
				w = Walker{Extractor: extract.Extractor{NoEvidence: true}}
				assert.Equal(t, []string{"(no-base)"}, URLs(t, &w, d))
			}
		})
	}

	// Copies are found everywhere in the page: in lists, CSS and embedded documents.
	const inside = mark + `<p style="background: url(page_files/a)"><img srcset="page_files/b 1x, c 2x">` +
		`<iframe srcdoc="<img src=page_files/d>"></iframe><noscript><img src=page_files/e></noscript>`
	d := extract.Document{Name: "page.html", Bytes: []byte(inside)}
	assert.Equal(t, []string{"(local-copy)", "(local-copy)", "http://h/p/c", "(local-copy)", "(local-copy)"}, URLs(t, &Walker{}, d))

	// Chromium writes a BASE element for the copies. It is not the base of the page's links, and stays unchanged.
	const based = mark + `<base href="."><img src=page_files/a><a href=b>`
	d.Bytes = []byte(based)
	assert.Equal(t, mark+`<base href="."><img src=page_files/a><a href=http://h/p/b>`, Rewrite(t, &Walker{}, d))
	assert.Equal(t, `<base href="http://h/p/">`, Rewrite(t, &Walker{}, extract.Document{Name: "page.html", URL: "http://h/p/q", Bytes: []byte(`<base href=".">`)}))

	// The original BASE elements of the page are in comments before it. What Chromium keeps relative is relative to the
	// first of these with an href.
	for _, row := range []struct{ name, html, want string }{
		{"as Chromium 156 writes it", mark + `<!--<base href="v2/">--><base href="."><img srcset="b 1x">`, "http://h/p/v2/b"},
		{"a frame from srcdoc", `<!-- saved from url=(0012)about:srcdoc --><!--<base href="http://i/">--><base href="."><img srcset="b 1x">`, "http://i/b"},
		{"the first has no href", mark + `<!--<base target="x">--><base href="." target="x"><!--<base href="/c/">--><base href="."><img srcset="b 1x">`, "http://h/c/b"},
		{"the first counts", mark + `<!--<base href="/c/">--><base href="."><!--<base href="/d/">--><base href="."><img srcset="b 1x">`, "http://h/c/b"},
		{"an earlier base without the base of Chromium", mark + `<!--<base href="/c/">--> <base href="."><img srcset="b 1x">`, "http://h/p/b"},
		{"another element", mark + `<!--<basefont href="/c/">--><base href="."><img srcset="b 1x">`, "http://h/p/b"},
		{"another base", mark + `<!--<base href="/c/">--><base href="d/"><img srcset="b 1x">`, "http://h/p/d/b"},
		{"not saved", `<!--<base href="http://h/c/">--><base href="."><img srcset="b 1x">`, "(no-base)"},
	} {
		for _, std := range []resolve.Standard{resolve.RFC1808, resolve.WHATWG} {
			d.Bytes = []byte(row.html)
			w := Walker{Extractor: extract.Extractor{Standard: std}}
			assert.Equal(t, []string{row.want}, URLs(t, &w, d), row.name)
			out := Rewrite(t, &w, d)
			before, _, _ := strings.Cut(row.html, "<img")
			if row.name != "another base" {
				assert.True(t, strings.HasPrefix(out, before), "%s: %s", row.name, out)
			}
		}
	}
}

func TestWayback(t *testing.T) {
	const wombat = `<script>__wm.wombat("http://h:80/p/q","20200101000000","https://web.archive.org/","web")</script>`
	for _, row := range []struct{ name, ref, plain, unarchived string }{
		{"absolute path", "/web/20200101000000/http://h/x", "https://web.archive.org/web/20200101000000/http://h/x", "http://h/x"},
		{"an image", "/web/20200101000000im_/http://h/x.png?a#b", "https://web.archive.org/web/20200101000000im_/http://h/x.png?a#b", "http://h/x.png?a#b"},
		{"a worker", "/web/20200101000000wkrf_/http://h/w.js", "https://web.archive.org/web/20200101000000wkrf_/http://h/w.js", "http://h/w.js"},
		{"absolute", "https://web.archive.org/web/20200101000000/http://h/x", "https://web.archive.org/web/20200101000000/http://h/x", "http://h/x"},
		{"ignoring case", "HTTP://Web.Archive.org/web/2020/https://h/x", "HTTP://Web.Archive.org/web/2020/https://h/x", "https://h/x"},
		{"with the port", "http://web.archive.org:80/web/20200101000000/http://h/x", "http://web.archive.org:80/web/20200101000000/http://h/x", "http://h/x"},
		{"without a scheme", "//web.archive.org/web/20200101000000js_/http://h/x", "http://web.archive.org/web/20200101000000js_/http://h/x", "http://h/x"},
		{"two slashes made one", "/web/20200101000000/http:/h/x", "https://web.archive.org/web/20200101000000/http:/h/x", "http://h/x"},
		{"no scheme after the time", "/web/20200101000000/h.example:81/x", "https://web.archive.org/web/20200101000000/h.example:81/x", "http://h.example:81/x"},
		{"no scheme and no port", "/web/20200101000000/h.example/x", "https://web.archive.org/web/20200101000000/h.example/x", "http://h.example/x"},
		{"two slashes after the time", "/web/20200101000000///h/x", "https://web.archive.org/web/20200101000000///h/x", "http://h/x"},
		{"another scheme", "/web/20200101000000/mailto:a@b", "https://web.archive.org/web/20200101000000/mailto:a@b", "mailto:a@b"},
		{"a short time", "/web/2020/http://h/x", "https://web.archive.org/web/2020/http://h/x", "http://h/x"},
		{"kept twice", "/web/20210101000000/https://web.archive.org/web/20200101000000/http://h/x", "https://web.archive.org/web/20210101000000/https://web.archive.org/web/20200101000000/http://h/x", "http://h/x"},
		{"not a URL", "/web/20200101000000//x", "https://web.archive.org/web/20200101000000//x", "https://web.archive.org/web/20200101000000//x"},
		{"relative", "x", "http://h/p/x", "http://h/p/x"},
		{"another page of the archive", "/web/x/http://h/", "https://web.archive.org/web/x/http://h/", "https://web.archive.org/web/x/http://h/"},
		{"more than a time", "/web/202001010000001/http://h/", "https://web.archive.org/web/202001010000001/http://h/", "https://web.archive.org/web/202001010000001/http://h/"},
		{"more than a time and a flag", "/web/20200101000000im/http://h/", "https://web.archive.org/web/20200101000000im/http://h/", "https://web.archive.org/web/20200101000000im/http://h/"},
		{"a flag at the end", "/web/2020im", "https://web.archive.org/web/2020im", "https://web.archive.org/web/2020im"},
		{"nothing after the time", "/web/2020/", "https://web.archive.org/web/2020/", "https://web.archive.org/web/2020/"},
		{"all times", "https://web.archive.org/web/*/http://h/", "https://web.archive.org/web/*/http://h/", "https://web.archive.org/web/*/http://h/"},
		{"not a URL after a short time", "/web/2020/about.html", "https://web.archive.org/web/2020/about.html", "https://web.archive.org/web/2020/about.html"},
		{"of another host", "http://h/web/20200101000000/http://h/x", "http://h/web/20200101000000/http://h/x", "http://h/web/20200101000000/http://h/x"},
		{"a style sheet of the archive", "/_static/css/banner-styles.css?v=1", "https://web.archive.org/_static/css/banner-styles.css?v=1", "https://web.archive.org/_static/css/banner-styles.css?v=1"},
		{"the calendar", "/web/20200903005938*/http://h/p/q", "https://web.archive.org/web/20200903005938*/http://h/p/q", "https://web.archive.org/web/20200903005938*/http://h/p/q"},
		{"all times as a path", "/web/*/http://h/p/q", "https://web.archive.org/web/*/http://h/p/q", "https://web.archive.org/web/*/http://h/p/q"},
		{"the form", "/web/submit", "https://web.archive.org/web/submit", "https://web.archive.org/web/submit"},
		{"the changes", "/web/changes/http://h/p/q", "https://web.archive.org/web/changes/http://h/p/q", "https://web.archive.org/web/changes/http://h/p/q"},
		{"save it now", "/save/http://h/p/q", "https://web.archive.org/save/http://h/p/q", "https://web.archive.org/save/http://h/p/q"},
		{"no host after the time", "/web/20200101000000/http://", "https://web.archive.org/web/20200101000000/http://", "https://web.archive.org/web/20200101000000/http://"},
		{"an encoded URL", "/web/20200101000000/http%3A//h/x", "https://web.archive.org/web/20200101000000/http%3A//h/x", "https://web.archive.org/web/20200101000000/http%3A//h/x"},
		{"the start page", "/web?x", "https://web.archive.org/web?x", "https://web.archive.org/web?x"},
		{"an item", "/details/x", "https://web.archive.org/details/x", "https://web.archive.org/details/x"},
		{"a path of the saved site", "/website/x", "http://h/website/x", "http://h/website/x"},
		{"another path of the archive", "https://web.archive.org/save/http://h/", "https://web.archive.org/save/http://h/", "https://web.archive.org/save/http://h/"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := extract.Document{Name: "a.html", Bytes: []byte(wombat + `<img src="` + row.ref + `">`)}
			assert.Equal(t, []string{row.plain}, URLs(t, &Walker{}, d))
			w := Walker{Extractor: extract.Extractor{Unarchive: true}}
			assert.Equal(t, []string{row.unarchived}, URLs(t, &w, d))
			out := Rewrite(t, &w, d)
			assert.Equal(t, wombat+`<img src="`+row.unarchived+`">`, out)
			d.Bytes = []byte(out)
			assert.Equal(t, out, Rewrite(t, &w, d), "twice")
		})
	}

	// If a container records a URL in the archive, paths of the archive itself stay there even with Unarchive.
	refs := []string{"/_static/x", "/web/2020*/y", "/web/20200101000000/http://k/", "/save/http://k/", "z", "/z"}
	page := "<a href=" + strings.Join(refs, "><a href=") + ">"
	for _, row := range []struct{ url, want string }{
		{"https://web.archive.org/web/20200101000000/http://h/p", "https://web.archive.org/_static/x https://web.archive.org/web/2020*/y http://k/ https://web.archive.org/save/http://k/ http://h/z http://h/z"},
		{"https://web.archive.org/web/20200101000000id_/http://h/p", "http://h/_static/x http://h/web/2020*/y http://k/ http://h/save/http://k/ http://h/z http://h/z"},
		{"https://h/p", "https://h/_static/x https://h/web/2020*/y http://k/ https://h/save/http://k/ https://h/z https://h/z"},
	} {
		for name, text := range map[string]string{
			"page.har":  `{"log":{"entries":[{"request":{"url":"` + row.url + `"},"response":{"status":200,"content":{"mimeType":"text/html","text":"` + page + `"}}}]}}`,
			"page.mht":  "Snapshot-Content-Location: " + row.url + "\nContent-Type: text/html\n\n" + page,
			"page.warc": fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", row.url, len(page), page),
			"page.html": "<!-- saved from url=(0000)" + row.url + " -->" + page,
			"base.html": "<base href=" + row.url + ">" + page,
		} {
			w, d := Walker{Extractor: extract.Extractor{Unarchive: true}}, extract.Document{Name: name, Bytes: []byte(text)}
			assert.Equal(t, row.want, strings.Join(URLs(t, &w, d), " "), "%s %s", name, row.url)
			d.Bytes = []byte(Rewrite(t, &w, d))
			assert.Equal(t, row.want, strings.Join(URLs(t, &w, d), " "), "rewritten: %s", d.Bytes)
			assert.Equal(t, string(d.Bytes), Rewrite(t, &w, d), "twice")
		}
	}

	// The bases of a page can be in the archive as well.
	based := func(head string) extract.Document {
		return extract.Document{Name: "a.html", Bytes: []byte(head + `<a href=x>`)}
	}
	const archived = "https://web.archive.org/web/20200101000000/http://h/q/"
	for _, d := range []extract.Document{
		based(wombat + `<base href="/web/20200101000000/http://h/q/">`),
		based(`<base href="` + archived + `">`),
		based("<!-- saved from url=(0000)" + archived + " -->"),
		based("<!-- saved from url=(0000)" + strings.Replace(archived, "/h/", "/h:80/", 1) + " -->"),
		{Name: "a.html", URL: archived, Bytes: []byte("<a href=x>")},
	} {
		assert.Equal(t, archived+"x", strings.Replace(URLs(t, &Walker{}, d)[0], ":80", "", 1), "%s", d.Bytes)
		assert.Equal(t, []string{"http://h/q/x"}, URLs(t, &Walker{Extractor: extract.Extractor{Unarchive: true}}, d), "%s", d.Bytes)
		d.Bytes = bytes.Replace(d.Bytes, []byte("href=x"), []byte("href=/x"), 1) // as the archive returns a page with id_
		assert.Equal(t, []string{"http://h/x"}, URLs(t, &Walker{Extractor: extract.Extractor{Unarchive: true}}, d), "%s", d.Bytes)
	}
	below := extract.Document{Name: "a.html", Bytes: []byte(`<base href="https://web.archive.org/web/"><a href="20200101000000/http://h/x">`)}
	assert.Equal(t, []string{"http://h/x"}, URLs(t, &Walker{Extractor: extract.Extractor{Unarchive: true}}, below), "the base is in the archive, but has no original")
	below.Bytes = bytes.Replace(below.Bytes, []byte("/x"), []byte(`/x\y`), 1)
	silent := Walker{Extractor: extract.Extractor{Unarchive: true, OnProblem: func(p extract.Problem) { assert.Fail(t, p.Error()) }}}
	assert.Equal(t, []string{`http://h/x\y`}, URLs(t, &silent, below), "nobody opens the URL in the archive, so it is not compared with browsers")
	insisted := Walker{Extractor: extract.Extractor{Unarchive: true, Override: archived}}
	assert.Equal(t, []string{"http://h/x"}, URLs(t, &insisted, extract.Document{Name: "a.html", Bytes: []byte("<a href=/x>")}))
	out := Rewrite(t, &Walker{Extractor: extract.Extractor{Unarchive: true}}, based(`<base href="`+archived+`">`))
	assert.Equal(t, `<base href="http://h/q/"><a href=http://h/q/x>`, out)
}

// Each row is a link of a page that another archive has served, and its URL without and with Unarchive.
func TestReplay(t *testing.T) {
	const pywb = `<script> wbinfo = {}; wbinfo.url = "https://h/d/p"; wbinfo.prefix = decodeURI("http://r:8080/c/");</script>`
	const today = `<link rel=bookmark href="https://archive.ph/20171216074022/http://h/d/p">`
	for _, row := range []struct{ page, ref, plain, unarchived string }{
		{pywb, "/c/20200101000000mp_/http://k/x#f", "http://r:8080/c/20200101000000mp_/http://k/x#f", "http://k/x#f"},
		{pywb, "//r:8080/c/20200101000000mp_///k/x", "http://r:8080/c/20200101000000mp_///k/x", "http://k/x"},
		{pywb, "http://r:8080/c/20200101000000/http://k/", "http://r:8080/c/20200101000000/http://k/", "http://k/"},
		{pywb, "https://r:8080/c/mp_/http://k/", "https://r:8080/c/mp_/http://k/", "http://k/"},
		{pywb, "/c/*/http://k/", "http://r:8080/c/*/http://k/", "http://r:8080/c/*/http://k/"},
		{pywb, "/cx", "https://h/cx", "https://h/cx"},
		{pywb, "/web/20200101000000/http://k/", "https://h/web/20200101000000/http://k/", "http://k/"},
		{pywb, "x", "https://h/d/x", "https://h/d/x"},
		{pywb + `<base href="/c/20200101000000mp_/http://k/e/">`, "x", "http://r:8080/c/20200101000000mp_/http://k/e/x", "http://k/e/x"},
		{strings.Replace(pywb, "http://r:8080/c/", "", 1), "/c/20200101000000/http://k/", "https://h/c/20200101000000/http://k/", "https://h/c/20200101000000/http://k/"},
		{strings.Replace(pywb, "//r:8080/c/", "//", 1), "/x", "https://h/x", "https://h/x"},
		{strings.Replace(pywb, "//r:8080/c/", "///", 1), "/x", "https://h/x", "https://h/x"},
		{strings.Replace(pywb, "/c/", "", 1), "/20200101000000/http://k/", "http://r:8080/20200101000000/http://k/", "http://k/"},
		{today, "/XvEff/x.png", "https://archive.ph/XvEff/x.png", "https://archive.ph/XvEff/x.png"},
		{today, "//k/x", "http://k/x", "http://k/x"},
		{today, "x", "http://h/d/x", "http://h/d/x"},
		{today, "https://archive.ph/20171216074022/http://k/", "https://archive.ph/20171216074022/http://k/", "https://archive.ph/20171216074022/http://k/"},
	} {
		for unarchive, want := range map[bool]string{false: row.plain, true: row.unarchived} {
			d := extract.Document{Name: "a.html", Bytes: []byte(row.page + `<img src="` + row.ref + `">`)}
			urls := URLs(t, &Walker{Extractor: extract.Extractor{Unarchive: unarchive}}, d)
			assert.Equal(t, want, urls[len(urls)-1], "%s %v", row.ref, unarchive)
		}
	}
}

// TestSaved finds the retrieval URL of every page in testdata/saved. Each page has the form that its program writes, and
// is named after the expected evidence.
func TestSaved(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/saved/*.html")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		got := retrievals(t, &Walker{}, extract.Document{Name: file, Bytes: src})
		require.Len(t, got, 1, file)
		by, url, _ := strings.Cut(got[0], ": ")
		assert.Equal(t, strings.TrimSuffix(filepath.Base(file), ".html"), strings.ToLower(strings.ReplaceAll(by, " ", "-")))
		assert.Equal(t, "http://saved.example/docs/page.html?a=1&b=2", url, file)
	}
}
