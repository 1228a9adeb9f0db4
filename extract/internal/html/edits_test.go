package html_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// TestEdits has a row for each kind of markup that other programs damage.
func TestEdits(t *testing.T) {
	for _, row := range []struct{ name, src, want string }{
		{"a bare ampersand stays", `<a href="x?a=1&b=2">`, `<a href="http://h/p/x?a=1&b=2">`},
		{"an escaped ampersand stays", `<a href="x?a=1&amp;b=2">`, `<a href="http://h/p/x?a=1&amp;b=2">`},
		{"an ampersand that begins no character reference", `<a href="x?a=1&copy=1">`, `<a href="http://h/p/x?a=1&copy=1">`},
		{"single quotes", `<a href='x"y'>`, `<a href='http://h/p/x"y'>`},
		{"no quotes", `<a href=x>`, `<a href=http://h/p/x>`},
		{"no value", `<a href>`, `<a href="http://h/p/">`},
		{"no value, and a slash", `<a href/>`, `<a href="http://h/p/"/>`},
		{"an equals sign and no value", `<a href= >`, `<a href= "http://h/p/">`},
		{"a line end in the value", "<a href=\"x\r\ny\">", "<a href=\"http://h/p/x\r\ny\">"},
		{"white space around the value", `<a href=" x ">`, `<a href=" http://h/p/x ">`},
		{"a reference that would end with white space", `<base href="http://h/p?q #f"><a href="?"><style>a{b:url("?")}</style><p style="b:url('?')">`, `<base href="http://h/p?q #f"><a href="?"><style>a{b:url("?")}</style><p style="b:url('?')">`},
		{"empty components", `<a href="#"><a href="?"><a href="x?#f"><style>a{b:url(i.eot?#iefix)}</style>`, `<a href="http://h/p/#"><a href="http://h/p/?"><a href="http://h/p/x?#f"><style>a{b:url(http://h/p/i.eot?#iefix)}</style>`},
		{"absolute, with white space around it", `<a href=" HTTP://h/p/x ">`, `<a href=" HTTP://h/p/x ">`},
		{"dots", `<a href=./x><a href=../x><a href=a/../b>`, `<a href=http://h/p/x><a href=http://h/x><a href=http://h/p/b>`},
		{"a character reference", `<a href="&#120;y">`, `<a href="http://h/p/&#120;y">`},
		{"srcset with commas in URLs", `<img srcset="a,b.png 1x,c.png 2x">`, `<img srcset="http://h/p/a,b.png 1x,http://h/p/c.png 2x">`},
		{"srcset in lines", "<img srcset='\n a 1x,\n b 2x\n'>", "<img srcset='\n http://h/p/a 1x,\n http://h/p/b 2x\n'>"},
		{"srcset with references", `<img srcset="a?x&amp;y&#32;2x">`, `<img srcset="http://h/p/a?x&amp;y&#32;2x">`},
		{"a CSS escape", `<p style="background:url(a\29.png)">`, `<p style="background:url(http://h/p/a\29.png)">`},
		{"CSS strings of either quote", `<p style='background:url("a&apos;b"),url(&#39;c&#39;)'>`, `<p style='background:url("http://h/p/a&apos;b"),url(&#39;http://h/p/c&#39;)'>`},
		{"a style element", "<style>@import 'x.css'; /* url(y) */ p{background:url( z )}</style>", "<style>@import 'http://h/p/x.css'; /* url(y) */ p{background:url( http://h/p/z )}</style>"},
		{"the style element of SVG", `<svg><style>a{fill:url(x.svg&#35;y)}</style></svg>`, `<svg><style>a{fill:url(http://h/p/x.svg&#35;y)}</style></svg>`},
		{"srcdoc", `<iframe srcdoc="<a href='x?a&amp;amp;b'>">`, `<iframe srcdoc="<a href='http://h/p/x?a&amp;amp;b'>">`},
		{"srcdoc with references that need a semicolon after the edit", "<iframe srcdoc=\"<p>\r\n<a href=&quot&amp;x&quot>\r\n\">", "<iframe srcdoc=\"<p>\r\n<a href=&quot;http://h/p/&amp;x&quot>\r\n\">"},
		{"srcdoc in srcdoc", `<iframe srcdoc='<iframe srcdoc="<a href=&amp;quot;x&amp;quot;>">'>`, `<iframe srcdoc='<iframe srcdoc="<a href=&amp;quot;http://h/p/x&amp;quot;>">'>`},
		{"a base in a srcdoc", `<iframe srcdoc="<base href=/q/><a href=x>">`, `<iframe srcdoc="<base href=http://h/q/><a href=http://h/q/x>">`},
		{"noscript", `<noscript><img src=x></noscript>`, `<noscript><img src=http://h/p/x></noscript>`},
		{"refresh", `<meta http-equiv=refresh content="0;url='x'">`, `<meta http-equiv=refresh content="0;url='http://h/p/x'">`},
		{"ping", `<a ping="x  y">`, `<a ping="http://h/p/x  http://h/p/y">`},
		{"usemap names an element of the page", `<img usemap=#m><img usemap=n#m>`, `<img usemap=#m><img usemap=http://h/p/n#m>`},
		{"url(#x) names an element of the page", `<p style="clip-path:url(#c)">`, `<p style="clip-path:url(#c)">`},
		{"use of SVG names an element of the page, a does not", `<svg><use href="#u"/><a href="#a"/></svg>`, `<svg><use href="#u"/><a href="http://h/p/#a"/></svg>`},
		{"a fragment is a reference", `<a href="#x">`, `<a href="http://h/p/#x">`},
		{"base is made absolute", `<base href=/q/><a href=x>`, `<base href=http://h/q/><a href=http://h/q/x>`},
		{"the manifest of html is not resolved against a base (HTML 5.0, 4.2.3)", `<html manifest=a itemid=b><head profile=c><base href=/q/><iframe srcdoc="<html manifest=d><base href=/r/>">`,
			`<html manifest=http://h/p/a itemid=http://h/q/b><head profile=http://h/q/c><base href=http://h/q/><iframe srcdoc="<html manifest=http://h/q/d><base href=http://h/r/>">`},
		{"only the first base", `<base href=/q/><base href=/r/>`, `<base href=http://h/q/><base href=/r/>`},
		{"codebase", `<object codebase=c/ data=x usemap=m>`, `<object codebase=http://h/p/c/ data=http://h/p/c/x usemap=http://h/p/m>`},
		{"the archive list of applet", `<applet archive="a.jar , b.jar" codebase=c>`, `<applet archive="http://h/p/a.jar , http://h/p/b.jar" codebase=http://h/p/c>`},
		{"duplicate attribute: first wins", `<a href=x href=y>`, `<a href=http://h/p/x href=y>`},
		{"mixed line ends and a NUL", "<a\r\nhref=x\n>\x00\r<a href='a\x00b'>", "<a\r\nhref=http://h/p/x\n>\x00\r<a href='http://h/p/a\x00b'>"},
		{"a byte that is not UTF-8", "<a href=\"x\xffy\">\xfe\u00e9", "<a href=\"http://h/p/x\xffy\">\xfe\u00e9"},
		{"a byte order mark", "\uFEFF<a href=x>", "\uFEFF<a href=http://h/p/x>"},
		{"text that looks like tags", `a < b <1 </> <//a> <!x> <?y> <a href=x`, `a < b <1 </> <//a> <!x> <?y> <a href=x`},
		{"an end tag with attributes", `</a href=x title=">"><a href=x>`, `</a href=x title=">"><a href=http://h/p/x>`},
		{"base, meta and param with other links", `<base itemid=a href=q/ style="x:url(b)"><meta content="0;url=x" http-equiv=refresh style="background:url(y)"><param value=x valuetype=ref itemid=y>`,
			`<base itemid=http://h/p/q/a href=http://h/p/q/ style="x:url(http://h/p/q/b)"><meta content="0;url=http://h/p/q/x" http-equiv=refresh style="background:url(http://h/p/q/y)"><param value=http://h/p/q/x valuetype=ref itemid=http://h/p/q/y>`},
		{"a base in \"<URL:...>\"", `<meta http-equiv=Content-Base content=" (c) <URL: q/ >"><a href=x>`, `<meta http-equiv=Content-Base content=" (c) <URL: http://h/p/q/ >"><a href=http://h/p/q/x>`},
		{"the style element of SVG in pieces", `<svg><style>a{b:url(c)}<!-- x -->d{e:url(f)}<![CDATA[g{h:url(i)}]]>j{k:url(l)}</style>`,
			`<svg><style>a{b:url(http://h/p/c)}<!-- x -->d{e:url(http://h/p/f)}<![CDATA[g{h:url(http://h/p/i)}]]>j{k:url(http://h/p/l)}</style>`},
		{"svg's style and a < that opens nothing (13.2.5.6)", `<svg><style>@media (width < 9em){a{b:url(c)}}@media (1em <= width){d{e:url(f)}}</style>`,
			`<svg><style>@media (width < 9em){a{b:url(http://h/p/c)}}@media (1em <= width){d{e:url(http://h/p/f)}}</style>`},
		{"svg after an end tag whose element an earlier svg has closed (13.2.6.5)", `<svg><path/></svg><svg><path/></path><use href=u /></svg>`,
			`<svg><path/></svg><svg><path/></path><use href=http://h/p/u /></svg>`},
		{"svg's style around elements: its child text content (4.2.6)", `<svg><style><g>a{b:url(n)}</g>c{d:url(e)}<g/>f{g:url(h)}<?x>i{j:url(k)}</>l{m:url(o)}</ x>p{q:url(r)}</style>s{t:url(n)}`,
			`<svg><style><g>a{b:url(n)}</g>c{d:url(http://h/p/e)}<g/>f{g:url(http://h/p/h)}<?x>i{j:url(http://h/p/k)}</>l{m:url(http://h/p/o)}</ x>p{q:url(http://h/p/r)}</style>s{t:url(n)}`},
		{"the style element of SVG with another type (HTML 4.2.6)", `<svg><style type="text/less">a{b:url(c)}</style><style type=TEXT/CSS>a{b:url(c)}</style><style type>a{b:url(c)}</style>`,
			`<svg><style type="text/less">a{b:url(c)}</style><style type=TEXT/CSS>a{b:url(http://h/p/c)}</style><style type>a{b:url(http://h/p/c)}</style>`},
		{"the xml:base of SVG governs HTML in the svg only (XML Base 4.2)", `<svg xml:base=/b/><foreignObject><img src=x style="y:url(s)"><object codebase=c/ data=o></object><noscript><a href=n></noscript><style>a{b:url(t)}</style><div><svg><image href=y /></svg></div></foreignObject></svg><img src=z><style>a{b:url(u)}</style>`,
			`<svg xml:base=/b/><foreignObject><img src=http://h/b/x style="y:url(http://h/b/s)"><object codebase=http://h/b/c/ data=http://h/b/c/o></object><noscript><a href=http://h/b/n></noscript><style>a{b:url(http://h/b/t)}</style><div><svg><image href=http://h/b/y /></svg></div></foreignObject></svg><img src=http://h/p/z><style>a{b:url(http://h/p/u)}</style>`},
		{"the xml:base of SVG ends when HTML ends the svg", `<svg xml:base=/b/><g><p><img src=x><svg/><math xml:base=/c/><mi><p><a href=y></a></p></mi></math><a href=z>`,
			`<svg xml:base=/b/><g><p><img src=http://h/p/x><svg/><math xml:base=/c/><mi><p><a href=http://h/c/y></a></p></mi></math><a href=http://h/p/z>`},
		{"the standard is not the URL Standard", `<a href="a b|c">`, `<a href="http://h/p/a b|c">`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			got := Rewrite(t, &w, Page(row.src))
			assert.Equal(t, row.want, got)
			assert.Equal(t, row.want, Rewrite(t, &w, Page(got)), "a second rewriting changes nothing")
			d := Page(row.src)
			d.URL = ""
			if !strings.Contains(row.src, "srcdoc's own") {
				assert.Equal(t, row.src, Rewrite(t, &w, d), "nothing changes without a base")
			}
			for n := range row.src {
				require.NoError(t, w.Rewrite(io.Discard, Page(row.src[:n])), "the first %d bytes", n)
			}
		})
	}
}

// Characters of the base URL are escaped as the place of the link requires.
func TestEscaping(t *testing.T) {
	const url = `http://h/a b"c'd&e>(f),g\h/`
	for _, row := range []struct{ name, src, want string }{
		{"double quotes", `<a href="x">`, `<a href="http://h/a b&quot;c'd&amp;e>(f),g\h/x">`},
		{"single quotes", `<a href='x'>`, `<a href='http://h/a b"c&#39;d&amp;e>(f),g\h/x'>`},
		{"no quotes", `<a href=x>`, `<a href=http://h/a&#32;b&quot;c&#39;d&amp;e&gt;(f),g\h/x>`},
		{"CSS string in an attribute", `<p style="background:url('x')">`, `<p style="background:url('http://h/a b&quot;c\'d&amp;e>(f),g\\h/x')">`},
		{"CSS url token in a style element", `<style>p{background:url(x)}</style>`, `<style>p{background:url(http://h/a\20 b\"c\'d&e>\(f\),g\\h/x)}</style>`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			d := Page(row.src)
			d.URL = url
			assert.Equal(t, row.want, Rewrite(t, &w, d))
		})
	}
	t.Run("a list cannot contain a space", func(t *testing.T) {
		var problems []extract.Problem
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
		d := Page(`<a ping=x href=y>`)
		d.URL = "http://h/a b/"
		assert.Equal(t, `<a ping=x href=http://h/a&#32;b/y>`, Rewrite(t, &w, d))
		require.Len(t, problems, 1)
		assert.Equal(t, extract.CodeRewriteRefused, problems[0].Code)
	})
}

// A refresh has no escapes, so a URL cannot contain the quote that encloses it (HTML 4.2.5.3).
func TestRefreshQuotes(t *testing.T) {
	d := Page(`<meta http-equiv=refresh content="0;url='x'"><meta http-equiv=refresh content='0;url="x"'>`)
	d.URL = "http://h/'/"
	assert.Equal(t, `<meta http-equiv=refresh content="0;url='x'"><meta http-equiv=refresh content='0;url="http://h/&#39;/x"'>`, Rewrite(t, new(Walker), d))
	d.URL = `http://h/"/`
	assert.Equal(t, `<meta http-equiv=refresh content="0;url='http://h/&quot;/x'"><meta http-equiv=refresh content='0;url="x"'>`, Rewrite(t, new(Walker), d))
}

// An inserted URL cannot end the construct that contains it.
func TestInjection(t *testing.T) {
	var w Walker
	d := Page(`<noscript><a href="x"></noscript><style>a{b:url(c)}</style>`)
	d.URL = "http://h/</noscript></style><script>/"
	assert.Equal(t, `<noscript><a href="http://h/&lt;/noscript>&lt;/style>&lt;script>/x"></noscript><style>a{b:url(http://h/\3c /noscript>\3c /style>\3c script>/c)}</style>`, Rewrite(t, &w, d))
}

// A reference that contains "]]>" cannot be written in a CDATA section.
func TestHTMLSection(t *testing.T) {
	var problems []extract.Code
	w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
	d := Page(`<svg><style><![CDATA[a{b:url(c)}]]>d{e:url(f)}</style>`)
	d.URL = "http://h/a]]>/"
	assert.Equal(t, `<svg><style><![CDATA[a{b:url(c)}]]>d{e:url(http://h/a]]>/f)}</style>`, Rewrite(t, &w, d))
	assert.Equal(t, []extract.Code{extract.CodeRewriteRefused}, problems)
}

func TestWHATWG(t *testing.T) {
	w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG}}
	assert.Equal(t, []string{
		"form@action http://h/p/", "form@action http://h/q/x", "button@formaction http://h/p/", "a@href http://h/q/",
		"object@codebase http://h/q/c/", "object@data http://h/q/x", "a@href http://x/A"},
		Links(t, &w, Page(`<base href=/q/><form action=""><form action=x><button formaction><a href=""><object codebase=c/ data=x><a href=HTTP:\\X/A>`)))
	unknown := Page(`<base href=http://b/><form action=""><a href="">`)
	unknown.URL = ""
	assert.Equal(t, []string{"form@action no-base", "a@href http://b/"}, Links(t, &w, unknown), "the base is not the URL of the document, and neither is the link before it")
	assert.Equal(t, `<base href=http://b/><form action=""><a href="http://b/">`, Rewrite(t, &w, unknown))
	assert.Equal(t, []string{"a@href no-base", "a@href mailto:x#f"},
		Links(t, &w, Page(`<base href=mailto:x><a href=y><a href=#f>`)))
	assert.Equal(t, `<base href=https://b/><a href=http://x/y><a href='https://b/z'><a href='HTTP:\\X'>`,
		Rewrite(t, &w, Page(`<base href=https://b/><a href=http:/x/y><a href='https:z'><a href='HTTP:\\X'>`)), "a page elsewhere may go on from its base with http:/x/y")
	d := Page("<a href='?\xe9'>")
	d.Type = "text/html; charset=windows-1252"
	assert.Equal(t, []string{"a@href http://h/p/?%E9"}, Links(t, &w, d), "queries are in the page's encoding")
	assert.Equal(t, []string{"a@href http://h/p/?%D6"}, Links(t, &w, Page("<meta charset=koi8-r><a href=?&#1078;>")), "all of it ASCII, too")
	d.Bytes = []byte("<base href='/b?\xe9'><style>@import '?\xe9';a{b:url(?\xe9)}</style><p style='b:url(?\xe9)'><svg fill='url(?\xe9)'><style>c{d:url(?\xe9)}</style></svg><td background='?\xe9'><img srcset='?\xe9'>")
	assert.Equal(t, []string{"style[1] http://h/b?%C3%A9", "style[2] http://h/b?%C3%A9", "p@style[1] http://h/b?%C3%A9", "svg@fill[1] http://h/b?%C3%A9",
		"style[1] http://h/b?%C3%A9", "td@background http://h/b?%E9", "img@srcset[1] http://h/b?%E9"}, Links(t, &w, d), "but those of CSS in UTF-8 (css-values-4 4.5)")
	assert.Equal(t, []string{"url() http://h/?%C3%A9"}, Links(t, &w, extract.Document{Name: "x.css", URL: "http://h/", Bytes: []byte("@charset \"windows-1252\";a{b:url(?\xe9)}")}))
	d.Bytes = []byte("<iframe srcdoc='<a href=?\xe9>'>")
	assert.Equal(t, []string{"a@href http://h/p/?%C3%A9"}, Links(t, &w, d), "and those of a srcdoc (HTML 4.8.5)")
	d.Bytes = []byte("<base href='/?\xe9'><a href='#x'><iframe srcdoc='<a href=#y>'>")
	assert.Equal(t, []string{"a@href http://h/?%E9#x", "a@href http://h/?%E9#y"}, Links(t, &w, d), "and a base's in that of the page that declares it")
	assert.Equal(t, []string{"iframe@srcdoc[1]/form@action about:srcdoc"}, func() (out []string) {
		require.NoError(t, w.Links(Page(`<img src=""><link href=""><body background=""><td background><iframe src srcdoc="<form action=''>"></iframe>`), func(l *extract.Link) error {
			out = append(out, l.Entity.Path+"/"+l.Place()+" "+string(l.URL))
			return nil
		}))
		return out
	}(), "an empty src is none, an empty action the document's own")
	problems := []extract.Code(nil)
	bad := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG, OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
	assert.Equal(t, []string{"a@href http://h/p/x"}, Links(t, &bad, Page(`<base href="http://a b/"><a href=x>`)))
	assert.Equal(t, []extract.Code{extract.CodeBaseMalformed}, problems)
	assert.Equal(t, []string{"feed@xml:base http://b/", "form@action http://h/p/", "form@action about:srcdoc"},
		Links(t, &w, extract.Document{Type: "application/xml", URL: "http://h/p/", Bytes: []byte(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b/"><content type="html">&lt;form action="">&lt;iframe srcdoc="&lt;form action=''>"></content></feed>`)}),
		"the HTML in a feed is part of the feed")
}

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

// A candidate that HTML drops needs no base, so the BASE element can go.
func TestSrcsetDropped(t *testing.T) {
	const page = `<base href="http://h/p/"><img srcset="a 1q, b 2x">`
	var problems []extract.Problem
	w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove, OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
	var out strings.Builder
	require.NoError(t, w.Rewrite(&out, extract.Document{Name: "p.html", Bytes: []byte(page)}))
	assert.Equal(t, `<img srcset="a 1q, http://h/p/b 2x">`, out.String())
	require.Len(t, problems, 1)
	assert.Equal(t, extract.CodeLinkMalformed, problems[0].Code)
	assert.Equal(t, strings.Index(page, "a 1q"), problems[0].Offset)
	assert.Contains(t, problems[0].Detail, `"a 1q"`)

	problems = nil
	require.NoError(t, w.Bases(extract.Document{Name: "p.html", Bytes: []byte(page)}, func(*extract.Entity) error { return nil }))
	assert.Empty(t, problems, "bases alone are listed without the problems of links")
}
