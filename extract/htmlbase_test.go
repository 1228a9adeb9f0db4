package extract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// Which base an HTML page declares, and what becomes of its BASE element.

// TestBases holds what makes other programs choose the wrong base, a row each.
func TestBases(t *testing.T) {
	const used, not = "http://b/", "http://h/p/"
	b := `<base href="http://b/">`
	head := strings.Repeat("<meta name=x content=y>\n", 300_000/24)
	for _, row := range []struct{ name, src, base string }{
		{"plain", b, used},
		{"the first with an href, not the first", `<base target=x><base href=http://b/>`, used},
		{"two of them: the first", b + `<base href=http://c/>`, used},
		{"after 300 kB of head", head + b, used},
		{"after the links", `<a href=x></a>` + b, used},
		{"after </html>", `<html><body></body></html>` + b, used},
		{"in a table", `<table><tr>` + b, used},
		{"in a select", `<select>` + b + `</select>`, used},
		{"in a comment", `<!-- ` + b + ` -->`, not},
		{"in a comment that --!> ends", `<!-- --!>` + b, used},
		{"behind <!-->", `<!-->` + b, used},
		{"behind <!--->", `<!--->` + b, used},
		{"in a bogus comment", `<? <base href=http://b/>`, not},
		{"in a CDATA section of HTML: up to the first >", `<![CDATA[ > ` + b + `]]>`, used},
		{"in a doctype's identifier", `<!doctype html public "` + b, not},
		{"in a script", `<script>` + b + `</script>`, not},
		{"in an unterminated script", `<script>` + b, not},
		{"in a script, behind a doubly escaped end tag", `<script><!-- <script> </script> ` + b + ` --></script>`, not},
		{"behind an escaped script's end tag", `<script><!-- </script>` + b, used},
		{"in a style", `<style>` + b + `</style>`, not},
		{"in a title", `<title>` + b + `</title>`, not},
		{"in a textarea", `<textarea>` + b + `</textarea>`, not},
		{"in an xmp", `<xmp>` + b + `</xmp>`, not},
		{"in an iframe", `<iframe>` + b + `</iframe>`, not},
		{"in noembed", `<noembed>` + b + `</noembed>`, not},
		{"in noframes", `<noframes>` + b + `</noframes>`, not},
		{"in noscript", `<noscript>` + b + `</noscript>`, not},
		{"in a template", `<template>` + b + `</template>`, not},
		{"in a declarative shadow root", `<template shadowrootmode=open>` + b + `</template>`, not},
		{"behind a template", `<template></template>` + b, used},
		{"behind a template's end tag without a start", `</template>` + b, used},
		{"behind plaintext", `<plaintext>` + b, not},
		{"behind a frameset", `<frameset></frameset>` + b, not},
		{"in the body that a frameset replaces", `<i>` + b + `<frameset>`, not},
		{"behind the end of one that it replaces", `</body>` + b + `<frameset>`, not},
		{"behind a frameset that blanks stand before, one as a reference", " &#32;\x00<frameset></frameset>" + b, not},
		{"behind a frameset that came too late", `<p>text<frameset>` + b, used},
		{"in an attribute value", `<p title='` + b + `'>`, not},
		{"in an unterminated attribute value", `<p title='` + b, not},
		{"in a tag that the file ends in", `<base href="http://b/"`, not},
		{"in svg", `<svg>` + b + `</svg>`, not},
		{"behind svg", `<svg></svg>` + b, used},
		{"behind a closed svg element", `<svg/>` + b, used},
		{"in svg's foreignObject", `<svg><foreignObject>` + b + `</foreignObject></svg>`, used},
		{"in svg's desc", `<svg><desc>` + b, used},
		{"in svg's title", `<svg><title>` + b, used},
		{"in svg's style", `<svg><style>` + b, not},
		{"broken out of svg", `<svg><p>` + b, used},
		{"broken out of svg by font color", `<svg><font color=red>` + b, used},
		{"not broken out of svg by font", `<svg><font>` + b, not},
		{"out of svg by an end tag of what it stands in", `<div><svg><g></div>` + b, used},
		{"out of svg by an end tag of another heading", `<h1><svg><g></h2>` + b, used},
		{"out of svg by such an end tag, behind an svg with an empty title", `<svg><g></div><title/></g></svg><div><svg><g></div>` + b, used},
		{"in svg, behind an end tag of what an svg before had open", `<span><svg><g></svg><svg></g>` + b, not},
		{"in svg, behind an end tag of what was open before HTML broke out", `<svg><g><span><svg></g>` + b, not},
		{"out of svg by an end tag of what is open between", `<svg><g></svg><b><svg></svg><svg></b>` + b, used},
		{"not out of svg by an end tag of nothing", `<svg><g></div>` + b, not},
		{"not out of svg by that of what a row of a table has closed", `<table><td><div><tr><svg></div>` + b, not},
		{"nor by that of what another of its name has closed", `<a><a></a><svg></a>` + b, not},
		{"nor by that of a select that has closed the one around it", `<select><select><svg></select>` + b, not},
		{"nor by that of what an object in a foreignObject stands in", `<svg><foreignObject><div><object><svg></div>` + b, not},
		{"but by that of the row", `<table><tr><td><svg></tr>` + b, used},
		{"not out of svg by </body> and </html>", `<body><svg><g></body></html>` + b, not},
		{"in svg's CDATA section", `<svg><![CDATA[</svg>` + b + `]]>`, not},
		{"in math", `<math>` + b + `</math>`, not},
		{"in math's mi", `<math><mi>` + b, used},
		{"in annotation-xml", `<math><annotation-xml>` + b, not},
		{"in annotation-xml with an HTML encoding", `<math><annotation-xml encoding="TEXT/html">` + b, used},
		{"relative", `<base href="/">`, "http://h/"},
		{"empty", `<base href=""><base href="http://c/">`, not},
		{"with no value", `<base href><base href="http://c/">`, not},
		{"blanks around it", `<base href=" http://h/ ">`, "http://h/"},
		{"a line end inside it", "<base href='http://b\r\n/'>", used},
		{"data:", `<base href=data:,x>`, not},
		{"javascript:", `<base href=javascript:x>`, not},
		{"in capitals, with no scheme", `<BASE HREF=//h/q>`, "http://h/q"},
		{"with a character reference", `<base href="http://b/?a&amp;b">`, "http://b/?a&b"},
		{"with a reference in the scheme", `<base href="ht&#116;p://b/">`, used},
		{"the first of two href attributes", `<base href=http://b/ href=http://c/>`, used},
		{"a closing slash is part of an unquoted value", `<base href=http://b/>`, used},
		{"http-equiv=content-base", `<meta http-equiv="Content-Base" content="http://b/">`, used},
		{"http-equiv=base", `<meta http-equiv=BASE content=http://b/>`, used},
		{"http-equiv=base in a template", `<template><meta http-equiv=base content=http://b/></template>`, not},
		{"http-equiv=base behind a frameset", `<frameset></frameset><meta http-equiv=base content=http://b/>`, not},
		{"the element over its equivalent", `<meta http-equiv=base content=http://c/>` + b, used},
		{"a NUL in the name is another name", "<ba\x00se href=http://b/>", not},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w walker
			got := ""
			require.NoError(t, w.Bases(page(row.src), func(e *extract.Entity) error {
				if e.Path == "" {
					got = e.Scope.Base().String()
				}
				return nil
			}))
			assert.Equal(t, row.base, got)
			// The same base holds for links before and after it.
			require.NoError(t, w.Links(page(`<a href=x>`+row.src), func(l *extract.Link) error {
				assert.Equal(t, row.base, l.Scope.Base().String())
				return nil
			}))
		})
	}
}

// A base in the wrapper of a header stays as it is where the absolute one would be read as
// another (RFC 1808 3.1: white space inside the brackets is ignored).
func TestWrappedBase(t *testing.T) {
	for _, row := range []struct{ url, content, want string }{
		{"http://h/a b/", `<URL:q/>`, `<URL:q/>`},
		{"http://h/a b/", `&quot;q/`, `&quot;q/`},
		{"http://h/a>b/", `<q/>`, `<q/>`},
		{"http://h/a b/", `q/`, `http://h/a b/q/`},
		{"http://h/a>b/", `&quot;q/&quot; (c)`, `&quot;http://h/a>b/q/&quot; (c)`},
	} {
		var problems []extract.Code
		w := walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		d := page(`<meta http-equiv=content-base content="` + row.content + `"><a href="x">`)
		d.URL = row.url
		want := `<meta http-equiv=content-base content="` + row.want + `"><a href="` + row.url + `q/x">`
		assert.Equal(t, want, rewrite(t, &w, d))
		assert.Equal(t, row.content == row.want, slices.Contains(problems, extract.RewriteRefused), row.content)
		d.Bytes = []byte(want)
		assert.Equal(t, want, rewrite(t, &w, d), "twice is once")
	}
}

// Links that stay relative keep the base that they need.
func TestBaseNeeded(t *testing.T) {
	speculation := func(pattern string) string {
		return `<base href=http://h/p/><script type=speculationrules>{"prefetch": [{"where": {"and": [{"href_matches": "` + pattern + `"}]}}]}</script>`
	}
	for _, row := range []struct{ url, src, want string }{
		{"", `<base href="/x/"><a href=y>`, `<base href="/x/"><a href=y>`},
		{"http://h/a b/", `<base href="x/"><a ping=y href=z>`, `<base href="http://h/a b/x/"><a ping=y href=http://h/a&#32;b/x/z>`},
		{"http://h/", "<meta charset=windows-1252>\xe9<a href=1><base itemid=2 style='a:url(3)' href='x/'><a href=y>", "<meta charset=windows-1252>\xe9<a href=http://h/x/1><a href=http://h/x/y>"},
		{"http://h/", `<a href=1><base itemid=2 href="x/" style="a:url(3)"><a href=y>`, `<a href=http://h/x/1><a href=http://h/x/y>`},
		{"http://h/", speculation("a/*"), speculation("a/*")},
		{"http://h/", speculation("/a"), speculation("/a")},
		{"http://h/", speculation("?q=http://i/"), speculation("?q=http://i/")},
		{"http://h/", speculation("http://h/p/*"), strings.TrimPrefix(speculation("http://h/p/*"), "<base href=http://h/p/>")},
		{"http://h/", speculation("http{s}?://h/p/*"), strings.TrimPrefix(speculation("http{s}?://h/p/*"), "<base href=http://h/p/>")},
		{"http://h/", speculation("*://h/p/*"), strings.TrimPrefix(speculation("*://h/p/*"), "<base href=http://h/p/>")},
	} {
		var problems []extract.Code
		w := walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove, OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		assert.Equal(t, row.want, rewrite(t, &w, extract.Document{Type: "text/html", URL: row.url, Bytes: []byte(row.src)}))
		assert.Equal(t, strings.Contains(row.want, "<base"), slices.Contains(problems, extract.BaseNeeded), row.src)
	}
}

// Without a BASE element, what stands around it is read as it was.
func TestBaseKeepsTextApart(t *testing.T) {
	w := walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove}}
	assert.Equal(t, `<<base href="">a href=x><a href=http://h/z/y>`, rewrite(t, &w, page(`<<base href=/z/>a href=x><base href=q><a href=y>`)))
}
