package html_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// TestBases has a row for each kind of markup that makes other programs choose the wrong base.
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
		{"in a table, after another one, which browsers move behind it", `<table><td>` + b + `</td></tr><base href=http://c/>`, used},
		{"in a select", `<select>` + b + `</select>`, used},
		{"in a comment", `<!-- ` + b + ` -->`, not},
		{"in a comment that ends with \"--!>\"", `<!-- --!>` + b, used},
		{"after \"<!-->\"", `<!-->` + b, used},
		{"after \"<!--->\"", `<!--->` + b, used},
		{"in a bogus comment", `<? <base href=http://b/>`, not},
		{"in a CDATA section of HTML: up to the first >", `<![CDATA[ > ` + b + `]]>`, used},
		{"in a doctype's identifier", `<!doctype html public "` + b, not},
		{"in a script", `<script>` + b + `</script>`, not},
		{"in an unterminated script", `<script>` + b, not},
		{"in a script, after a doubly escaped end tag", `<script><!-- <script> </script> ` + b + ` --></script>`, not},
		{"after the end tag of an escaped script", `<script><!-- </script>` + b, used},
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
		{"after a template", `<template></template>` + b, used},
		{"after an end tag of template without a start tag", `</template>` + b, used},
		{"after plaintext", `<plaintext>` + b, not},
		{"in an attribute value", `<p title='` + b + `'>`, not},
		{"in an unterminated attribute value", `<p title='` + b, not},
		{"in a tag that is truncated", `<base href="http://b/"`, not},
		{"in svg", `<svg>` + b + `</svg>`, not},
		{"after svg", `<svg></svg>` + b, used},
		{"after a self-closing svg element", `<svg/>` + b, used},
		{"in foreignObject of SVG", `<svg><foreignObject>` + b + `</foreignObject></svg>`, used},
		{"in desc of SVG", `<svg><desc>` + b, used},
		{"in title of SVG", `<svg><title>` + b, used},
		{"in style of SVG", `<svg><style>` + b, not},
		{"after a p, which ends svg", `<svg><p>` + b, used},
		{"after a font with a color, which ends svg", `<svg><font color=red>` + b, used},
		{"after a font without attributes, which does not end svg", `<svg><font>` + b, not},
		{"in svg, after an end tag of an element around it, which browsers follow", `<div><svg><g></div>` + b, not},
		{"in svg, after an end tag of an element of an earlier svg", `<svg><g></svg><svg></g>` + b, not},
		{"after the end tag of an integration point with HTML inside", `<svg><desc><i>x</i></desc></svg>` + b, used},
		{"after an end tag of the svg around an integration point", `<svg><g><title></svg>` + b, used},
		{"in an integration point, after the end tag of an HTML element with the name of one around it", `<svg><a><desc><a></a>` + b, used},
		{"in svg, after an end tag of an element around an integration point", `<svg><g><title></g>` + b, not},
		{"after a template in an integration point", `<svg><desc><template></template>` + b, used},
		{"after a template of SVG", `<svg><template></template></svg>` + b, used},
		{"after a name with a NUL, which is U+FFFD", "<svg><g\x00><title></g\uFFFD><title>" + b, used},
		{"in a CDATA section of SVG", `<svg><![CDATA[</svg>` + b + `]]>`, not},
		{"in math", `<math>` + b + `</math>`, not},
		{"in mi of MathML", `<math><mi>` + b, used},
		{"in annotation-xml", `<math><annotation-xml>` + b, not},
		{"in annotation-xml with an HTML encoding", `<math><annotation-xml encoding="TEXT/html">` + b, used},
		{"relative", `<base href="/">`, "http://h/"},
		{"empty", `<base href=""><base href="http://c/">`, not},
		{"with no value", `<base href><base href="http://c/">`, not},
		{"white space around it", `<base href=" http://h/ ">`, "http://h/"},
		{"a line end inside it", "<base href='http://b\r\n/'>", used},
		{"data:", `<base href=data:,x>`, not},
		{"javascript:", `<base href=javascript:x>`, not},
		{"in capitals, without a scheme", `<BASE HREF=//h/q>`, "http://h/q"},
		{"with a character reference", `<base href="http://b/?a&amp;b">`, "http://b/?a&b"},
		{"with a character reference in the scheme", `<base href="ht&#116;p://b/">`, used},
		{"duplicate href attribute: first wins", `<base href=http://b/ href=http://c/>`, used},
		{"a closing slash is part of an unquoted value", `<base href=http://b/>`, used},
		{"http-equiv=content-base", `<meta http-equiv="Content-Base" content="http://b/">`, used},
		{"http-equiv=base", `<meta http-equiv=BASE content=http://b/>`, used},
		{"http-equiv=base in a template", `<template><meta http-equiv=base content=http://b/></template>`, not},
		{"the element takes precedence over its http-equiv", `<meta http-equiv=base content=http://c/>` + b, used},
		{"a name with a NUL is another name", "<ba\x00se href=http://b/>", not},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			got := ""
			require.NoError(t, w.Bases(Page(row.src), func(e *extract.Entity) error {
				if e.Path == "" {
					got = e.Scope.Base().String()
				}
				return nil
			}))
			assert.Equal(t, row.base, got)
			// The base applies to links before it as well. A link before the doctype would change how the page is read.
			doctype := ""
			if strings.HasPrefix(strings.ToLower(row.src), "<!doctype ") {
				doctype = row.src[:strings.IndexByte(row.src, '>')+1]
			}
			require.NoError(t, w.Links(Page(doctype+`<a href=x>`+row.src[len(doctype):]), func(l *extract.Link) error {
				assert.Equal(t, row.base, l.Scope.Base().String())
				return nil
			}))
		})
	}
}

// The name of an element in the same document, as in usemap, has the URL of the document whatever its base is (RFC 1980 2, SVG 2
// 16.1.3, css-values-4 4.5.1), so removing the BASE element does not change it.
func TestNames(t *testing.T) {
	const names = `<img usemap="#m"><p style="clip-path:url(#c)"><svg><use href="#u"/><use xlink:href="#v w"/></svg>`
	for _, standard := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
		own := func(url string) []string {
			space := " "
			if standard == resolve.WHATWG {
				space = "%20"
			}
			return []string{"img@usemap " + url + "#m", "p@style[1] " + url + "#c", "use@href " + url + "#u", "use@xlink:href " + url + "#v" + space + "w"}
		}
		unknown := []string{"img@usemap no-base", "p@style[1] no-base", "use@href no-base", "use@xlink:href no-base"}
		for _, row := range []struct {
			base, url string
			want      []string
		}{
			{"", "http://h/p/?q#f", own("http://h/p/?q")},
			{"<base href=/b/?x#y>", "http://h/p/?q#f", own("http://h/p/?q")},
			{"<base href=http://b/>", "", unknown},
			{"", "", unknown},
		} {
			w := Walker{Extractor: extract.Extractor{Standard: standard}}
			d := Page(row.base + names)
			d.URL = row.url
			assert.Equal(t, row.want, Links(t, &w, d), "%v %s", standard, row.base)
			for _, bases := range []extract.BaseURLs{extract.BaseKeep, extract.BaseEmpty, extract.BaseRemove} {
				w.BaseURLs = bases
				d.Bytes = []byte(Rewrite(t, &w, d))
				assert.Contains(t, string(d.Bytes), names)
				assert.Equal(t, row.want, Links(t, &w, d), "%v %s", standard, d.Bytes)
			}
		}
	}
	w := Walker{}
	assert.Equal(t, []string{"img@usemap about:srcdoc#m", "a@href http://h/p/#m"},
		Links(t, &w, Page(`<iframe srcdoc="<img usemap=#m><a href=#m>">`)))
}

// A base in "<URL:...>" stays unchanged if the absolute URL would read as another one there, because white space inside the
// brackets is ignored (RFC 1808 3.1).
func TestWrappedBase(t *testing.T) {
	for _, row := range []struct{ url, content, want string }{
		{"http://h/a b/", `<URL:q/>`, `<URL:q/>`},
		{"http://h/a b/", `&quot;q/`, `&quot;q/`},
		{"http://h/a>b/", `<q/>`, `<q/>`},
		{"http://h/a b/", `q/`, `http://h/a b/q/`},
		{"http://h/a>b/", `&quot;q/&quot; (c)`, `&quot;http://h/a>b/q/&quot; (c)`},
	} {
		var problems []extract.Code
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		d := Page(`<meta http-equiv=content-base content="` + row.content + `"><a href="x">`)
		d.URL = row.url
		want := `<meta http-equiv=content-base content="` + row.want + `"><a href="` + row.url + `q/x">`
		assert.Equal(t, want, Rewrite(t, &w, d))
		assert.Equal(t, row.content == row.want, slices.Contains(problems, extract.CodeRewriteRefused), row.content)
		d.Bytes = []byte(want)
		assert.Equal(t, want, Rewrite(t, &w, d), "a second rewriting changes nothing")
	}
}

// A base stays if links that need it stay relative.
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
		w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove, OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		assert.Equal(t, row.want, Rewrite(t, &w, extract.Document{Type: "text/html", URL: row.url, Bytes: []byte(row.src)}))
		assert.Equal(t, strings.Contains(row.want, "<base"), slices.Contains(problems, extract.CodeBaseNeeded), row.src)
	}
}

// Removing a BASE element does not change how the text around it is read.
func TestBaseKeepsTextApart(t *testing.T) {
	w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove}}
	assert.Equal(t, `<<base href="">a href=x><a href=http://h/z/y>`, Rewrite(t, &w, Page(`<<base href=/z/>a href=x><base href=q><a href=y>`)))
}
