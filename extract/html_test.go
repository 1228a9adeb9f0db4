package extract_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"absolink/extract"
	"absolink/resolve"
)

// links gives what a Walker finds in a page: "place url", a line each.
func links(t *testing.T, w *extract.Walker, d extract.Document) []string {
	t.Helper()
	var out []string
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		url := string(l.URL)
		if l.Status == extract.Unresolved {
			assert.Empty(t, l.URL)
			url = string(l.Problem)
		}
		out = append(out, l.Place()+" "+url)
		return nil
	}))
	return out
}

func rewrite(t *testing.T, w *extract.Walker, d extract.Document) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, w.Rewrite(&out, d))
	return out.String()
}

// inChunks is rewrite by a Walker that has not been used and packs what it finds but for a few.
func inChunks(t *testing.T, unused extract.Walker, d extract.Document) string {
	t.Helper()
	defer extract.AtOnce(3)()
	return rewrite(t, &unused, d)
}

// page is a document that came from http://h/p/.
func page(src string) extract.Document {
	return extract.Document{Name: "page.html", URL: "http://h/p/", Bytes: []byte(src)}
}

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
			var w extract.Walker
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

// TestEdits holds what other programs corrupt, a row each.
func TestEdits(t *testing.T) {
	for _, row := range []struct{ name, src, want string }{
		{"a bare ampersand stays", `<a href="x?a=1&b=2">`, `<a href="http://h/p/x?a=1&b=2">`},
		{"an escaped one stays", `<a href="x?a=1&amp;b=2">`, `<a href="http://h/p/x?a=1&amp;b=2">`},
		{"what is no reference in an attribute", `<a href="x?a=1&copy=1">`, `<a href="http://h/p/x?a=1&copy=1">`},
		{"single quotes", `<a href='x"y'>`, `<a href='http://h/p/x"y'>`},
		{"no quotes", `<a href=x>`, `<a href=http://h/p/x>`},
		{"no value", `<a href>`, `<a href="http://h/p/">`},
		{"no value, and a slash", `<a href/>`, `<a href="http://h/p/"/>`},
		{"an equals sign and no value", `<a href= >`, `<a href= "http://h/p/">`},
		{"a line end in the value", "<a href=\"x\r\ny\">", "<a href=\"http://h/p/x\r\ny\">"},
		{"blanks around the value", `<a href=" x ">`, `<a href=" http://h/p/x ">`},
		{"a blank that would come to stand at the end", `<a href="x ;"><style>a{b:url("x ?")}</style><p style="b:url('x #')">`, `<a href="x ;"><style>a{b:url("x ?")}</style><p style="b:url('x #')">`},
		{"already absolute, blanks and all", `<a href=" HTTP://h/p/x ">`, `<a href=" HTTP://h/p/x ">`},
		{"dots", `<a href=./x><a href=../x><a href=a/../b>`, `<a href=http://h/p/x><a href=http://h/x><a href=http://h/p/b>`},
		{"a letter as a reference", `<a href="&#120;y">`, `<a href="http://h/p/&#120;y">`},
		{"srcset with commas in URLs", `<img srcset="a,b.png 1x,c.png 2x">`, `<img srcset="http://h/p/a,b.png 1x,http://h/p/c.png 2x">`},
		{"srcset in lines", "<img srcset='\n a 1x,\n b 2x\n'>", "<img srcset='\n http://h/p/a 1x,\n http://h/p/b 2x\n'>"},
		{"srcset with references", `<img srcset="a?x&amp;y&#32;2x">`, `<img srcset="http://h/p/a?x&amp;y&#32;2x">`},
		{"a CSS escape", `<p style="background:url(a\29.png)">`, `<p style="background:url(http://h/p/a\29.png)">`},
		{"CSS strings of either quote", `<p style='background:url("a&apos;b"),url(&#39;c&#39;)'>`, `<p style='background:url("http://h/p/a&apos;b"),url(&#39;http://h/p/c&#39;)'>`},
		{"a style element", "<style>@import 'x.css'; /* url(y) */ p{background:url( z )}</style>", "<style>@import 'http://h/p/x.css'; /* url(y) */ p{background:url( http://h/p/z )}</style>"},
		{"svg's style element", `<svg><style>a{fill:url(x.svg&#35;y)}</style></svg>`, `<svg><style>a{fill:url(http://h/p/x.svg&#35;y)}</style></svg>`},
		{"srcdoc", `<iframe srcdoc="<a href='x?a&amp;amp;b'>">`, `<iframe srcdoc="<a href='http://h/p/x?a&amp;amp;b'>">`},
		{"srcdoc with quotes that have no semicolon, which they need now", "<iframe srcdoc=\"<p>\r\n<a href=&quot&amp;x&quot>\r\n\">", "<iframe srcdoc=\"<p>\r\n<a href=&quot;http://h/p/&amp;x&quot>\r\n\">"},
		{"srcdoc in srcdoc", `<iframe srcdoc='<iframe srcdoc="<a href=&amp;quot;x&amp;quot;>">'>`, `<iframe srcdoc='<iframe srcdoc="<a href=&amp;quot;http://h/p/x&amp;quot;>">'>`},
		{"srcdoc's own base", `<iframe srcdoc="<base href=/q/><a href=x>">`, `<iframe srcdoc="<base href=http://h/q/><a href=http://h/q/x>">`},
		{"noscript", `<noscript><img src=x></noscript>`, `<noscript><img src=http://h/p/x></noscript>`},
		{"refresh", `<meta http-equiv=refresh content="0;url='x'">`, `<meta http-equiv=refresh content="0;url='http://h/p/x'">`},
		{"ping", `<a ping="x  y">`, `<a ping="http://h/p/x  http://h/p/y">`},
		{"usemap names something here", `<img usemap=#m><img usemap=n#m>`, `<img usemap=#m><img usemap=http://h/p/n#m>`},
		{"url(#x) does too", `<p style="clip-path:url(#c)">`, `<p style="clip-path:url(#c)">`},
		{"and SVG's use, but not its a", `<svg><use href="#u"/><a href="#a"/></svg>`, `<svg><use href="#u"/><a href="http://h/p/#a"/></svg>`},
		{"a frameset ignores svg", `<frameset><svg><frame src=x>`, `<frameset><svg><frame src=http://h/p/x>`},
		{"and takes the place of one", `<svg><desc><frameset></desc><frame src=x>`, `<svg><desc><frameset></desc><frame src=http://h/p/x>`},
		{"a fragment alone is a reference", `<a href="#x">`, `<a href="http://h/p/#x">`},
		{"base is made absolute", `<base href=/q/><a href=x>`, `<base href=http://h/q/><a href=http://h/q/x>`},
		{"the manifest of html is asked for before a base is seen (HTML 5.0, 4.2.3)", `<html manifest=a itemid=b><head profile=c><base href=/q/><iframe srcdoc="<html manifest=d><base href=/r/>">`,
			`<html manifest=http://h/p/a itemid=http://h/q/b><head profile=http://h/q/c><base href=http://h/q/><iframe srcdoc="<html manifest=http://h/q/d><base href=http://h/r/>">`},
		{"only the first base", `<base href=/q/><base href=/r/>`, `<base href=http://h/q/><base href=/r/>`},
		{"codebase", `<object codebase=c/ data=x usemap=m>`, `<object codebase=http://h/p/c/ data=http://h/p/c/x usemap=http://h/p/m>`},
		{"applet's list", `<applet archive="a.jar , b.jar" codebase=c>`, `<applet archive="http://h/p/a.jar , http://h/p/b.jar" codebase=http://h/p/c>`},
		{"the second of duplicates is none", `<a href=x href=y>`, `<a href=http://h/p/x href=y>`},
		{"mixed line ends and a NUL", "<a\r\nhref=x\n>\x00\r<a href='a\x00b'>", "<a\r\nhref=http://h/p/x\n>\x00\r<a href='http://h/p/a\x00b'>"},
		{"a byte that is no UTF-8", "<a href=\"x\xffy\">\xfe\u00e9", "<a href=\"http://h/p/x\xffy\">\xfe\u00e9"},
		{"a byte order mark", "\uFEFF<a href=x>", "\uFEFF<a href=http://h/p/x>"},
		{"text that looks like tags", `a < b <1 </> <//a> <!x> <?y> <a href=x`, `a < b <1 </> <//a> <!x> <?y> <a href=x`},
		{"an end tag with attributes", `</a href=x title=">"><a href=x>`, `</a href=x title=">"><a href=http://h/p/x>`},
		{"base, meta and param with links of their own", `<base itemid=a href=q/ style="x:url(b)"><meta content="0;url=x" http-equiv=refresh style="background:url(y)"><param value=x valuetype=ref itemid=y>`,
			`<base itemid=http://h/p/q/a href=http://h/p/q/ style="x:url(http://h/p/q/b)"><meta content="0;url=http://h/p/q/x" http-equiv=refresh style="background:url(http://h/p/q/y)"><param value=http://h/p/q/x valuetype=ref itemid=http://h/p/q/y>`},
		{"a base in the wrapper of a header", `<meta http-equiv=Content-Base content=" (c) <URL: q/ >"><a href=x>`, `<meta http-equiv=Content-Base content=" (c) <URL: http://h/p/q/ >"><a href=http://h/p/q/x>`},
		{"svg's style in pieces", `<svg><style>a{b:url(c)}<!-- x -->d{e:url(f)}<![CDATA[g{h:url(i)}]]>j{k:url(l)}</style>`,
			`<svg><style>a{b:url(http://h/p/c)}<!-- x -->d{e:url(http://h/p/f)}<![CDATA[g{h:url(http://h/p/i)}]]>j{k:url(http://h/p/l)}</style>`},
		{"svg's style and a < that opens nothing (13.2.5.6)", `<svg><style>@media (width < 9em){a{b:url(c)}}@media (1em <= width){d{e:url(f)}}</style>`,
			`<svg><style>@media (width < 9em){a{b:url(http://h/p/c)}}@media (1em <= width){d{e:url(http://h/p/f)}}</style>`},
		{"svg behind an end tag that closes nothing, for an svg before had closed what it names (13.2.6.5)", `<svg><path/></svg><svg><path/></path><use href=u /></svg>`,
			`<svg><path/></svg><svg><path/></path><use href=http://h/p/u /></svg>`},
		{"svg's style around elements: its child text content (4.2.6)", `<svg><style><g>a{b:url(n)}</g>c{d:url(e)}<g/>f{g:url(h)}<?x>i{j:url(k)}</>l{m:url(o)}</ x>p{q:url(r)}</style>s{t:url(n)}`,
			`<svg><style><g>a{b:url(n)}</g>c{d:url(http://h/p/e)}<g/>f{g:url(http://h/p/h)}<?x>i{j:url(http://h/p/k)}</>l{m:url(http://h/p/o)}</ x>p{q:url(http://h/p/r)}</style>s{t:url(n)}`},
		{"svg's style of another type (HTML 4.2.6)", `<svg><style type="text/less">a{b:url(c)}</style><style type=TEXT/CSS>a{b:url(c)}</style><style type>a{b:url(c)}</style>`,
			`<svg><style type="text/less">a{b:url(c)}</style><style type=TEXT/CSS>a{b:url(http://h/p/c)}</style><style type>a{b:url(http://h/p/c)}</style>`},
		{"svg's xml:base holds for HTML in it, and no farther (XML Base 4.2)", `<svg xml:base=/b/><foreignObject><img src=x style="y:url(s)"><object codebase=c/ data=o></object><noscript><a href=n></noscript><style>a{b:url(t)}</style><div><svg><image href=y /></svg></div></foreignObject></svg><img src=z><style>a{b:url(u)}</style>`,
			`<svg xml:base=/b/><foreignObject><img src=http://h/b/x style="y:url(http://h/b/s)"><object codebase=http://h/b/c/ data=http://h/b/c/o></object><noscript><a href=http://h/b/n></noscript><style>a{b:url(http://h/b/t)}</style><div><svg><image href=http://h/b/y /></svg></div></foreignObject></svg><img src=http://h/p/z><style>a{b:url(http://h/p/u)}</style>`},
		{"what breaks out of svg leaves its xml:base", `<svg xml:base=/b/><g><p><img src=x><svg/><math xml:base=/c/><mi><p><a href=y></a></p></mi></math><a href=z>`,
			`<svg xml:base=/b/><g><p><img src=http://h/p/x><svg/><math xml:base=/c/><mi><p><a href=http://h/c/y></a></p></mi></math><a href=http://h/p/z>`},
		{"whatwg is not asked", `<a href="a b|c">`, `<a href="http://h/p/a b|c">`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w extract.Walker
			got := rewrite(t, &w, page(row.src))
			assert.Equal(t, row.want, got)
			assert.Equal(t, row.want, rewrite(t, &w, page(got)), "twice is once")
			d := page(row.src)
			d.URL = ""
			if !strings.Contains(row.src, "srcdoc's own") {
				assert.Equal(t, row.src, rewrite(t, &w, d), "nothing changes without a base")
			}
			for n := range row.src {
				require.NoError(t, w.Rewrite(io.Discard, page(row.src[:n])), "the first %d bytes", n)
			}
		})
	}
}

// What the URL from outside holds has to be spelled where it comes to stand.
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
			var w extract.Walker
			d := page(row.src)
			d.URL = url
			assert.Equal(t, row.want, rewrite(t, &w, d))
		})
	}
	t.Run("a list cannot hold a blank", func(t *testing.T) {
		var problems []extract.Problem
		w := extract.Walker{Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
		d := page(`<a ping=x href=y>`)
		d.URL = "http://h/a b/"
		assert.Equal(t, `<a ping=x href=http://h/a&#32;b/y>`, rewrite(t, &w, d))
		require.Len(t, problems, 1)
		assert.Equal(t, extract.RewriteRefused, problems[0].Code)
	})
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
		w := extract.Walker{Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		d := page(`<meta http-equiv=content-base content="` + row.content + `"><a href="x">`)
		d.URL = row.url
		want := `<meta http-equiv=content-base content="` + row.want + `"><a href="` + row.url + `q/x">`
		assert.Equal(t, want, rewrite(t, &w, d))
		assert.Equal(t, row.content == row.want, slices.Contains(problems, extract.RewriteRefused), row.content)
		d.Bytes = []byte(want)
		assert.Equal(t, want, rewrite(t, &w, d), "twice is once")
	}
}

// A refresh has no escapes: a quote of the URL ends one that is in the same (HTML 4.2.5.3).
func TestRefreshQuotes(t *testing.T) {
	d := page(`<meta http-equiv=refresh content="0;url='x'"><meta http-equiv=refresh content='0;url="x"'>`)
	d.URL = "http://h/'/"
	assert.Equal(t, `<meta http-equiv=refresh content="0;url='x'"><meta http-equiv=refresh content='0;url="http://h/&#39;/x"'>`, rewrite(t, new(extract.Walker), d))
	d.URL = `http://h/"/`
	assert.Equal(t, `<meta http-equiv=refresh content="0;url='http://h/&quot;/x'"><meta http-equiv=refresh content='0;url="x"'>`, rewrite(t, new(extract.Walker), d))
}

func TestOptions(t *testing.T) {
	const src = `<BASE target=t href=/q/ ><a href=#x><base href=/r/><img data-src=i><meta property=og:image content=o>`
	for _, row := range []struct {
		name string
		w    extract.Walker
		want string
	}{
		{"none", extract.Walker{}, `<BASE target=t href=http://h/q/ ><a href=http://h/q/#x><base href=/r/><img data-src=i><meta property=og:image content=o>`},
		{"fragments kept", extract.Walker{Options: extract.Options{Fragments: extract.FragmentsKeep}}, `<BASE target=t href=http://h/q/ ><a href=#x><base href=/r/><img data-src=i><meta property=og:image content=o>`},
		{"base emptied", extract.Walker{Options: extract.Options{BaseURLs: extract.BaseEmpty}}, `<BASE target=t href="" ><a href=http://h/q/#x><base href=""><img data-src=i><meta property=og:image content=o>`},
		{"base removed", extract.Walker{Options: extract.Options{BaseURLs: extract.BaseRemove}}, `<a href=http://h/q/#x><img data-src=i><meta property=og:image content=o>`},
		{"extended", extract.Walker{Options: extract.Options{Extended: true}}, `<BASE target=t href=http://h/q/ ><a href=http://h/q/#x><base href=/r/><img data-src=http://h/q/i><meta property=og:image content=http://h/q/o>`},
		{"override", extract.Walker{Options: extract.Options{Override: "http://o/"}}, `<BASE target=t href=http://h/q/ ><a href=http://o/#x><base href=/r/><img data-src=i><meta property=og:image content=o>`},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, rewrite(t, &row.w, page(src)))
		})
	}
}

// Links that stay relative keep the base that they need.
func TestBaseNeeded(t *testing.T) {
	for _, row := range []struct{ url, src, want string }{
		{"", `<base href="/x/"><a href=y>`, `<base href="/x/"><a href=y>`},
		{"http://h/a b/", `<base href="x/"><a ping=y href=z>`, `<base href="http://h/a b/x/"><a ping=y href=http://h/a&#32;b/x/z>`},
		{"http://h/", "<meta charset=windows-1252>\xe9<a href=1><base itemid=2 style='a:url(3)' href='x/'><a href=y>", "<meta charset=windows-1252>\xe9<a href=http://h/x/1><a href=http://h/x/y>"},
		{"http://h/", `<a href=1><base itemid=2 href="x/" style="a:url(3)"><a href=y>`, `<a href=http://h/x/1><a href=http://h/x/y>`},
	} {
		var problems []extract.Code
		w := extract.Walker{Options: extract.Options{BaseURLs: extract.BaseRemove}, Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		assert.Equal(t, row.want, rewrite(t, &w, extract.Document{Type: "text/html", URL: row.url, Bytes: []byte(row.src)}))
		assert.Equal(t, strings.Contains(row.want, "<base"), slices.Contains(problems, extract.BaseNeeded), row.src)
	}
}

// Without a BASE element, what stands around it is read as it was.
func TestBaseKeepsTextApart(t *testing.T) {
	w := extract.Walker{Options: extract.Options{BaseURLs: extract.BaseRemove}}
	assert.Equal(t, `<<base href="">a href=x><a href=http://h/z/y>`, rewrite(t, &w, page(`<<base href=/z/>a href=x><base href=q><a href=y>`)))
}

// What is inserted cannot end what it is inserted into.
func TestInjection(t *testing.T) {
	var w extract.Walker
	d := page(`<noscript><a href="x"></noscript><style>a{b:url(c)}</style>`)
	d.URL = "http://h/</noscript></style><script>/"
	assert.Equal(t, `<noscript><a href="http://h/&lt;/noscript>&lt;/style>&lt;script>/x"></noscript><style>a{b:url(http://h/\3c /noscript>\3c /style>\3c script>/c)}</style>`, rewrite(t, &w, d))
}

// The end of a CDATA section cannot be written in it.
func TestHTMLSection(t *testing.T) {
	var problems []extract.Code
	w := extract.Walker{Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
	d := page(`<svg><style><![CDATA[a{b:url(c)}]]>d{e:url(f)}</style>`)
	d.URL = "http://h/a]]>/"
	assert.Equal(t, `<svg><style><![CDATA[a{b:url(c)}]]>d{e:url(http://h/a]]>/f)}</style>`, rewrite(t, &w, d))
	assert.Equal(t, []extract.Code{extract.RewriteRefused}, problems)
}

// Bytes that stand for nothing are told where they stand, and are not lost in a URL.
func TestHTMLUndecodable(t *testing.T) {
	for _, row := range []struct{ charset, src, want, problems string }{
		{"shift_jis", "<p>\x83\x5c</p><a href='\x81 x'><a href=y>", "<p>\x83\x5c</p><a href='\x81 x'><a href=http://h/p/y>", "18 undecodable, 18 rewrite-refused"},
		{"utf-8", "<a href='caf\xe9'><a href=y>", "<a href='caf\xe9'><a href=http://h/p/y>", "9 rewrite-refused"},
		{"utf-8", "<a href='\uFFFD'>", "<a href='http://h/p/%EF%BF%BD'>", ""},
		{"koi8-r", "<a href='&#0;'><a href='&#xFFFD;\x00'>", "<a href='http://h/p/%EF%BF%BD'><a href='http://h/p/%EF%BF%BD%EF%BF%BD'>", ""},
	} {
		var problems []string
		w := extract.Walker{Options: extract.Options{Standard: resolve.WHATWG}, Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, fmt.Sprint(p.Offset, " ", p.Code)) }}}
		d := page(row.src)
		d.Type = "text/html; charset=" + row.charset
		assert.Equal(t, row.want, rewrite(t, &w, d))
		assert.Equal(t, row.problems, strings.Join(problems, ", "))
	}
}

func TestWHATWG(t *testing.T) {
	w := extract.Walker{Options: extract.Options{Standard: resolve.WHATWG}}
	assert.Equal(t, []string{
		"form@action http://h/p/", "form@action http://h/q/x", "button@formaction http://h/p/", "a@href http://h/q/",
		"object@codebase http://h/q/c/", "object@data http://h/q/x", "a@href http://x/A"},
		links(t, &w, page(`<base href=/q/><form action=""><form action=x><button formaction><a href=""><object codebase=c/ data=x><a href=HTTP:\\X/A>`)))
	unknown := page(`<base href=http://b/><form action=""><a href="">`)
	unknown.URL = ""
	assert.Equal(t, []string{"form@action no-base", "a@href http://b/"}, links(t, &w, unknown), "the base is not the document's URL, nor is the link before")
	assert.Equal(t, `<base href=http://b/><form action=""><a href="http://b/">`, rewrite(t, &w, unknown))
	assert.Equal(t, []string{"a@href no-base", "a@href mailto:x#f"},
		links(t, &w, page(`<base href=mailto:x><a href=y><a href=#f>`)))
	assert.Equal(t, `<base href=https://b/><a href=http://x/y><a href='https://b/z'><a href='HTTP:\\X'>`,
		rewrite(t, &w, page(`<base href=https://b/><a href=http:/x/y><a href='https:z'><a href='HTTP:\\X'>`)), "a page elsewhere may go on from its base with http:/x/y")
	d := page("<a href='?\xe9'>")
	d.Type = "text/html; charset=windows-1252"
	assert.Equal(t, []string{"a@href http://h/p/?%E9"}, links(t, &w, d), "queries are in the page's encoding")
	assert.Equal(t, []string{"a@href http://h/p/?%D6"}, links(t, &w, page("<meta charset=koi8-r><a href=?&#1078;>")), "all of it ASCII, too")
	d.Bytes = []byte("<base href='/b?\xe9'><style>@import '?\xe9';a{b:url(?\xe9)}</style><p style='b:url(?\xe9)'><svg fill='url(?\xe9)'><style>c{d:url(?\xe9)}</style></svg><td background='?\xe9'>")
	assert.Equal(t, []string{"style[1] http://h/b?%C3%A9", "style[2] http://h/b?%C3%A9", "p@style[1] http://h/b?%C3%A9", "svg@fill[1] http://h/b?%C3%A9",
		"style[1] http://h/b?%C3%A9", "td@background http://h/b?%E9"}, links(t, &w, d), "but those of CSS in UTF-8 (css-values-4 4.5)")
	assert.Equal(t, []string{"url() http://h/?%C3%A9"}, links(t, &w, extract.Document{Name: "x.css", URL: "http://h/", Bytes: []byte("@charset \"windows-1252\";a{b:url(?\xe9)}")}))
	d.Bytes = []byte("<iframe srcdoc='<a href=?\xe9>'>")
	assert.Equal(t, []string{"a@href http://h/p/?%C3%A9"}, links(t, &w, d), "and those of a srcdoc (HTML 4.8.5)")
	d.Bytes = []byte("<base href='/?\xe9'><a href='#x'><iframe srcdoc='<a href=#y>'>")
	assert.Equal(t, []string{"a@href http://h/?%E9#x", "a@href http://h/?%E9#y"}, links(t, &w, d), "and a base's in that of the page that declares it")
	assert.Equal(t, []string{"iframe@srcdoc[1]/form@action about:srcdoc"}, func() (out []string) {
		require.NoError(t, w.Links(page(`<img src=""><link href=""><body background=""><td background><iframe src srcdoc="<form action=''>"></iframe>`), func(l *extract.Link) error {
			out = append(out, l.Entity.Path+"/"+l.Place()+" "+string(l.URL))
			return nil
		}))
		return out
	}(), "an empty src is none, an empty action the document's own")
	problems := []extract.Code(nil)
	bad := extract.Walker{Options: extract.Options{Standard: resolve.WHATWG}, Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
	assert.Equal(t, []string{"a@href http://h/p/x"}, links(t, &bad, page(`<base href="http://a b/"><a href=x>`)))
	assert.Equal(t, []extract.Code{extract.BaseMalformed}, problems)
	assert.Equal(t, []string{"feed@xml:base http://b/", "form@action http://h/p/", "form@action about:srcdoc"},
		links(t, &w, feed(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b/"><content type="html">&lt;form action="">&lt;iframe srcdoc="&lt;form action=''>"></content></feed>`)),
		"the HTML in a feed is part of the feed")
}

// Charsets: the page keeps its own.
func TestCharsets(t *testing.T) {
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("<a href=\"x\">\u00e9\r\n<a href=y>")
	require.NoError(t, err)
	utf16want, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("<a href=\"http://h/p/x\">\u00e9\r\n<a href=http://h/p/y>")
	require.NoError(t, err)
	kanji, err := japanese.ISO2022JP.NewEncoder().String("\u793a\u6b21\u3042") // bytes that look like tags
	require.NoError(t, err)
	require.Contains(t, kanji, "<")

	for _, row := range []struct{ name, charset, src, want string }{
		{"UTF-16 with a mark", "", utf16, utf16want},
		{"ISO-2022-JP with < in kanji", "iso-2022-jp", kanji + "<a href=x>" + kanji + "</a>", kanji + "<a href=http://h/p/x>" + kanji + "</a>"},
		{"ISO-2022-JP from the page itself", "", "<meta charset=iso-2022-jp>" + kanji + "<a href='" + kanji + "'>", "<meta charset=iso-2022-jp>" + kanji + "<a href='http://h/p/" + kanji + "'>"},
		{"windows-1252, undeclared", "", "\xe9<a href='\xe9\x81'>\xff", "\xe9<a href='http://h/p/\xe9\x81'>\xff"},
		{"Shift_JIS: a backslash byte in a letter", "shift_jis", "<p style=\"background:url('\x83\x5c.png')\">", "<p style=\"background:url('http://h/p/\x83\x5c.png')\">"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w extract.Walker
			d := page(row.src)
			if row.charset != "" {
				d.Type = "text/html; charset=" + row.charset
			}
			assert.Equal(t, row.want, rewrite(t, &w, d))
			require.NoError(t, w.Links(d, func(l *extract.Link) error {
				assert.Equal(t, string(l.Raw), row.src[l.Offset:l.Offset+len(l.Raw)])
				return nil
			}))
		})
	}
	t.Run("letters that the charset lacks", func(t *testing.T) {
		for _, row := range []struct{ typ, src, want string }{
			{"text/html", "\xe9<a href=x><style>p{background:url(y)}</style>", "\xe9<a href=http://h/&#1076;\xe9/x><style>p{background:url(http://h/\\434 \xe9/y)}</style>"},
			{"text/html", "<meta charset=windows-1252><a href=x>", "<meta charset=windows-1252><a href=http://h/&#1076;&#233;/x>"},
			{"text/html", "<meta charset=koi8-r><a href=x>", "<meta charset=koi8-r><a href=http://h/&#1076;&#233;/x>"},
			{"text/html", "<meta charset=utf-8><a href=x>", "<meta charset=utf-8><a href=http://h/\u0434\u00e9/x>"},
			{"text/html", "\xe9<noscript><a href='x'></noscript>", "\xe9<noscript><a href='http://h/&#1076;\xe9/x'></noscript>"},
			{"text/html", "\xe9<iframe srcdoc='<a href=x>'>", "\xe9<iframe srcdoc='<a href=http://h/&amp;#1076;\xe9/x>'>"},
			{"text/html", "\xe9<img srcset='x 1x'>", "\xe9<img srcset='http://h/&#1076;\xe9/x 1x'>"},
			{"text/css", "@charset \"windows-1252\";a{b:url(\xe9)}", "@charset \"windows-1252\";a{b:url(http://h/\\434 \xe9/\xe9)}"},
		} {
			var w extract.Walker
			got := rewrite(t, &w, extract.Document{Type: row.typ, URL: "http://h/\u0434\u00e9/", Bytes: []byte(row.src)})
			if row.src[0] == '<' { // all of it was ASCII; the letter may stand for itself or as a reference
				row.want = strings.ReplaceAll(row.want, "&#233;", "\xe9")
				row.want = strings.ReplaceAll(row.want, "koi8-r><a href=http://h/&#1076;\xe9", "koi8-r><a href=http://h/\xc4&#233;")
			}
			assert.Equal(t, row.want, got)
		}
	})
	t.Run("ISO-2022-JP: what cannot be spelled keeps no other link", func(t *testing.T) {
		const esc = "\x1b"
		for _, row := range []struct {
			name, url, src, want string
			problems             []string // what stands where each link is refused
		}{
			{"yen in a page that is left in Roman", "http://h/", "日\x1b(J<a href=x\\>\\<a href=y>", "日\x1b(J<a href=http://h/x\\>\\<a href=http://h/y>", nil},
			{"yen and overline in the base", "http://h/¥‾/", "日<a href=x><a href='日'>", "日<a href=http://h/\x1b(J\\~/\x1b(Bx><a href='http://h/\x1b(J\\~/日'>", nil},
			{"an escape character in one link", "http://h/", "日<a href='x\x1by'>日<a href=z>", "日<a href='http://h/x\x1by'>日<a href=http://h/z>", nil},
			{"an escape character in Roman", "http://h/", "日\x1b(J<a href='x\x1b'>\\<a href=y>", "日\x1b(J<a href='http://h/x\x1b'>\\<a href=http://h/y>", nil},
			{"an escape character in the base", "http://h/\x1b(Jx/", "日<img srcset='u 1x'><a href=/v>日<a href=w>", "日<img srcset='http://h/&#27;(Jx/u 1x'><a href=http://h/v>日<a href=http://h/&#27;(Jx/w>", nil},
			{"an escape character in the base, a page of ASCII", "http://h/\x1b(Jx/", "<meta charset=iso-2022-jp><img srcset='u 1x'><a href=/v><a href=w>", "<meta charset=iso-2022-jp><img srcset='http://h/&#27;(Jx/u 1x'><a href=http://h/v><a href=http://h/&#27;(Jx/w>", nil},
			{"an escape character in the base, and links that have no escape", "http://h/\x1b(Jx/", "日<URL:x>日<URL:/y>\x1b(J\\", "日<URL:x>日<URL:http://h/y>\x1b(J\\", []string{"x>\x1b$"}},
			{"U+2212 in the base, and links that have no escape", "http://h/−/", "日<URL:x>日<URL:/y>\x1b", "日<URL:x>日<URL:http://h/y>\x1b", []string{"x>\x1b$"}},
			{"U+2212 in the base", "http://h/−/", "日<img srcset='u 1x'><a href=w>", "日<img srcset='http://h/&#8722;/u 1x'><a href=http://h/&#8722;/w>", nil},
			{"an escape character in the base element", "http://h/", "日<base href='\x1bb/'><a href=x><a href=/y>", "日<base href='http://h/\x1bb/'><a href=http://h/&#65533;b/x><a href=http://h/y>", nil},
		} {
			t.Run(row.name, func(t *testing.T) {
				const kanji = "\x1b$BF|\x1b(B" // the letter of the row
				src, want := strings.ReplaceAll(row.src, "日", kanji), strings.ReplaceAll(row.want, "日", kanji)
				var refused []string
				w := extract.Walker{Hooks: extract.Hooks{OnProblem: func(p extract.Problem) {
					if p.Code == extract.RewriteRefused {
						refused = append(refused, src[p.Offset:p.Offset+4])
					}
				}}}
				d := extract.Document{Type: "text/html; charset=iso-2022-jp", URL: row.url, Bytes: []byte(src)}
				if strings.Contains(src, "<URL") {
					d.Type = "text/plain; charset=iso-2022-jp"
				} else if strings.Contains(src, "<meta") {
					d.Type = "text/html"
				}
				assert.Equal(t, want, rewrite(t, &w, d))
				assert.Equal(t, row.problems, refused)
			})
		}
		d := extract.Document{Type: "text/html", URL: "http://h/" + esc + "(Jx/", Bytes: []byte("<meta charset=utf-8><img srcset=u>")}
		var w extract.Walker
		assert.Equal(t, "<meta charset=utf-8><img srcset=http://h/\x1b(Jx/u>", rewrite(t, &w, d), "UTF-8 can spell all of these")
	})
	t.Run("letters that have no escape", func(t *testing.T) {
		for _, row := range []struct{ url, src, want string }{
			{"http://h/\u0085/", "\xe9<a href=x><style>p{background:url(y)}</style>", "\xe9<a href=x><style>p{background:url(http://h/\\85 /y)}</style>"},
			{"http://h/\xe9/", "\xe9<a href=x><style>p{background:url(y)}</style>", "\xe9<a href=x><style>p{background:url(y)}</style>"},
			// Those of one style sheet that have an escape are rewritten.
			{"http://h/\xe9/", "\xe9<style>p{background:url(y),url(//c/1),url(z),url(//c/2)}</style>", "\xe9<style>p{background:url(y),url(http://c/1),url(z),url(http://c/2)}</style>"},
		} {
			var problems []extract.Code
			w := extract.Walker{Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
			d := extract.Document{Type: "text/html; charset=koi8-r", URL: row.url, Bytes: []byte(row.src)}
			assert.Equal(t, row.want, rewrite(t, &w, d))
			assert.Contains(t, problems, extract.RewriteRefused)
		}
	})
	t.Run("bytes that are none of the charset", func(t *testing.T) {
		for _, mediaType := range []string{"text/html; charset=shift_jis",
			`text/html; charset="shift_jis`, "text/html;q;charset=shift_jis;charset=utf-8", // as some servers have it
		} {
			var problems []extract.Code
			w := extract.Walker{Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
			d := page("\x81<a href='x\x81y'>")
			d.Type = mediaType
			assert.Equal(t, "\x81<a href='http://h/p/x\x81y'>", rewrite(t, &w, d), "stay")
			assert.Equal(t, []extract.Code{extract.Undecodable}, problems, mediaType)
		}
	})
	t.Run("a charset that is none", func(t *testing.T) {
		var problems []extract.Code
		w := extract.Walker{Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		d := page("<a href=x>")
		d.Type = "text/html; charset=klingon"
		assert.Equal(t, "<a href=http://h/p/x>", rewrite(t, &w, d))
		assert.Equal(t, []extract.Code{extract.CharsetUnknown}, problems)
	})
}

// 64 documents within documents are read, and the 65th is said not to be.
func TestDepth(t *testing.T) {
	for _, depth := range []int{64, 65} {
		src := "<a href=x>"
		for range depth {
			src = `<iframe srcdoc="` + strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(src) + `">`
		}
		var problems []extract.Problem
		w := extract.Walker{Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
		got := links(t, &w, page(src))
		out := rewrite(t, &w, page(src))
		if depth == 64 {
			assert.Equal(t, []string{"a@href http://h/p/x"}, got)
			assert.Contains(t, out, "http://h/p/x")
			assert.Empty(t, problems)
		} else {
			assert.Empty(t, got)
			assert.Equal(t, src, out)
			require.Len(t, problems, 2)
			assert.Equal(t, extract.DepthLimit, problems[0].Code)
			assert.Equal(t, 64, strings.Count(problems[0].Entity, "iframe@srcdoc[1]"))
		}
	}
}

func TestPlaces(t *testing.T) {
	var w extract.Walker
	d := page("<p>\n<a href=x><iframe srcdoc='\n<img src=&quot;y&quot;>'>")
	var got []string
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		line, column := l.Position()
		start, end := l.DocumentSpan()
		got = append(got, fmt.Sprint(l.Entity.Path, " ", l.Offset, " ", line, ":", column, " ", start, "-", end, " ", string(l.Raw)))
		return nil
	}))
	assert.Equal(t, []string{" 12 2:9 12-13 x", "iframe@srcdoc[1] 11 2:11 46-47 y"}, got)
}

func TestLimits(t *testing.T) {
	var problems []extract.Problem
	w := extract.Walker{Options: extract.Options{MaxRecord: 10}, Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
	src := strings.Repeat("<a href=x>", 10)
	for _, d := range []extract.Document{page(src), {Name: "page.html", URL: "http://h/p/", Reader: strings.NewReader(src)}} {
		problems = nil
		assert.Equal(t, src, rewrite(t, &w, d), "copied as it is")
		require.Len(t, problems, 1)
		assert.Equal(t, extract.SizeLimit, problems[0].Code)
	}
}

// More links than are kept at once, a base at the end, and bases within.
func TestManyLinks(t *testing.T) {
	const each = `<a href=x></a><object codebase=c/ data=y></object><iframe srcdoc="<a href=z>"></iframe>`
	const want = `<a href=http://b/x></a><object codebase=http://b/c/ data=http://b/c/y></object><iframe srcdoc="<a href=http://b/z>"></iframe>`
	for _, head := range []string{"", "\uFEFF", "\xe9<img srcset='"} {
		var w extract.Walker
		edits, last := 0, int64(-1)
		w.OnEdit = func(offset int64, _, _ []byte) {
			assert.Greater(t, offset, last)
			edits, last = edits+1, offset
		}
		in, out := head, head
		if strings.HasSuffix(head, "'") {
			in += strings.Repeat("s 1x,", 70_000) + "'>"
			out += strings.Repeat("http://b/s 1x,", 70_000) + "'>"
		}
		in += strings.Repeat(each, 40_000) + "<base href=http://b/>" + strings.Repeat(each, 10)
		out += strings.Repeat(want, 40_000) + "<base href=http://b/>" + strings.Repeat(want, 10)
		assert.True(t, out == rewrite(t, &w, page(in)))
		n, entity := 0, ""
		require.NoError(t, w.Links(page(in), func(l *extract.Link) error {
			n, entity = n+1, l.Entity.Path
			return nil
		}))
		assert.Equal(t, n, edits)
		assert.Equal(t, "iframe@srcdoc[40010]", entity)
	}

	// A body part has its text in the message: its edits wait for those of the header.
	part := func(href, location string) string {
		return "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n" + strings.Repeat("<a href="+href+">\n", 70_000) +
			"--b\nContent-Location: " + location + "\n\n--b--\n"
	}
	d := extract.Document{Name: "x.eml", URL: "http://h/", Bytes: []byte(part("x", "y"))}
	assert.True(t, part("http://h/x", "http://h/y") == rewrite(t, &extract.Walker{}, d))
}

func TestErrors(t *testing.T) {
	none := func(*extract.Link) error { return nil }
	for _, row := range []struct {
		w    extract.Walker
		d    extract.Document
		want string
	}{
		{extract.Walker{}, extract.Document{URL: "x", Type: "text/html"}, `retrieval URL "x": not absolute; give it with its scheme, as in http://host/path`},
		{extract.Walker{Options: extract.Options{Override: "/x"}}, extract.Document{Type: "text/html"}, `--override-base "/x": not absolute; give it with its scheme, as in http://host/path`},
		{extract.Walker{}, extract.Document{Type: "image/png", Bytes: []byte{}}, `the type "image/png" cannot be read`},
		{extract.Walker{}, extract.Document{Name: "x.png", Bytes: []byte{}}, `neither its name nor its first bytes tell a type that can be read`},
	} {
		assert.EqualError(t, row.w.Links(row.d, none), row.want)
	}
	stop := fmt.Errorf("stop")
	var w extract.Walker
	assert.Equal(t, stop, w.Links(page("<a href=x><a href=y>"), func(*extract.Link) error { return stop }))
}

// countingWriter counts the calls of Write.
type countingWriter struct{ calls, bytes int }

func (c *countingWriter) Write(p []byte) (int, error) {
	c.calls, c.bytes = c.calls+1, c.bytes+len(p)
	return len(p), nil
}

// A page with many links is written in few pieces, whatever it is written to.
func TestRewriteGathers(t *testing.T) {
	page := []byte(strings.Repeat("<a href=x>", 10_000) + "<p>" + strings.Repeat("text ", 100_000))
	var out countingWriter
	w := extract.Walker{}
	require.NoError(t, w.Rewrite(&out, extract.Document{Name: "a.html", URL: "http://h/", Bytes: page}))
	assert.Equal(t, len(page)+10_000*len("http://h/"), out.bytes)
	assert.Less(t, out.calls, 10)
}
