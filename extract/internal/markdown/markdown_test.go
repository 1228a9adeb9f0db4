package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/markdown"
)

func TestLinks(t *testing.T) {
	for _, row := range []struct {
		name, src string
		want      []string
	}{
		{"front matter in YAML", "---\na: '[b](c)'\n---\n[d](e)\n", []string{"link e"}},
		{"front matter that ends with dots", "---\na: '[b](c)'\n... \n[d](e)\n", []string{"link e"}},
		{"front matter in TOML", "\uFEFF+++\r\na = '[b](c)'\r\n+++\r\n[d](e)\r\n", []string{"link e"}},
		{"unclosed front matter", "---\n[a](b)\n", []string{"link b"}},
		{"no front matter if a blank line follows the hyphens", "---\n\n[a](b)\n\n---\n", []string{"link b"}},
		{"hyphens that are not at the start", "\n---\n[a](b)\n---\n", []string{"link b"}},
		{"a byte order mark", "\uFEFF[a]: b\n", []string{"definition b"}},
		{"all kinds of line endings", "[a](b)\r[c]: d\r\n\r\n[e]: f\n\r[g]: h", []string{"link b", "definition f", "definition h"}},
		{"destinations with and without brackets", "[a](b) [c](<d e>) [f]( g 't' ) [h](\ni\n\"t\")", []string{"link b", "link d e", "link g", "link i"}},
		{"empty destinations", "[a]() [b](<>) [c]( ) [](  )", []string{"link ", "link ", "link ", "link "}},
		{"a title without a destination is a destination", `[a]("t") [b]('t' "u")`, []string{`link "t"`, `link 't'`}},
		{"32 parentheses", "[a](" + strings.Repeat("(", 32) + strings.Repeat(")", 32) + ")", []string{"link " + strings.Repeat("(", 32) + strings.Repeat(")", 32)}},
		{"33 parentheses", "[a](" + strings.Repeat("(", 33) + strings.Repeat(")", 33) + ")", []string{}},
		{"an image in a link", "[![a](b)](c)", []string{"image b", "link c"}},
		{"a link in the description of an image", "![[a](b)](c)", []string{"link b", "image c"}},
		{"no link in a link", "[a [b](c) d](e)", []string{"link c"}},
		{"no link around a defined reference", "[a [b] c](d)\n\n[ B\n]: e", []string{"definition e"}},
		{"a link around an undefined reference", "[a [b] c](d)", []string{"link d"}},
		{"a reference before parentheses", "[a][b](c)\n\n[b]: d", []string{"definition d"}},
		{"labels are compared without case", "[a [\u1E9E] c](d)\n\n[ss]: e", []string{"definition e"}},
		{"a label of 999 characters", "[" + strings.Repeat("é", 999) + "]: b", []string{"definition b"}},
		{"a label of 1000 characters", "[" + strings.Repeat("é", 1000) + "]: b", []string{}},
		{"duplicate definition: both are links", "[a]: b\n[a]: <c>\n", []string{"definition b", "definition c"}},
		{"a definition does not interrupt a paragraph", "a\n[b]: c\n", []string{}},
		{"definitions in containers", "> [a]:\n> b\n>\n> - [c]: d\n>   't'\n", []string{"definition b", "definition d"}},
		{"a lazy line", "> [a](b\n'c')", []string{"link b"}},
		{"a definition before an underline", "[a]: b\n===\n[c]: d\n", []string{"definition b"}},
		{"a definition before a thematic break", "[a]: b\n---\n[c]: d\n", []string{"definition b", "definition d"}},
		{"footnotes", "[^a]: [b](c)\n\n    [d](e)\n\n[^f]: /g\n[h][^a] ![^a](i)", []string{"link c", "link e", "image i"}},
		{"a footnote with code", "[^a]:\n\n        [b](c)\n", []string{}},
		{"code", "`[a](b)` ``[c](d)` [e](f)`` \\`[g](h)\\`\n\n    [i](j)\n\n~~~ [k](l)\n[m](n)\n~~~~\n[o](p)\n```\n[q](r)", []string{"link h", "link p"}},
		{"a fence ends with its container", "> ```\n> [a](b)\n[c](d)", []string{"link d"}},
		{"headings", "# [a](b) #\n[c](d)\n---\n####### [e](f)\n", []string{"link b", "link d", "link f"}},
		{"a table", "[a](b)\n| [c](d\\|e) | `|` [f](g) |\n|:-:|-|-|\n", []string{"link b", `link d\|e`, "link g"}},
		{"a pipe in code divides cells", "a | b\n:- | -\n`[c](d) | e` [f](g)\n", []string{"link d", "link g"}},
		{"a row with too many cells", "|a|\n|-|\n|[b](c)|[d](e)|\n[f](g)", []string{"link c", "link g"}},
		{"no table if the numbers of cells differ", "|a|\n|-|-|\n|[b](c)|[d](e)|\n", []string{"link c", "link e"}},
		{"pipes at the start of a destination", "|[a](\\|b)|<http://h\\|i>|\n|-|-|", []string{`link \|b`, `autolink http://h\|i`}},
		{"a table in a quote", "> |[a](b)|\n> |-|\n> |[c](d)\n[e](f)", []string{"link b", "link d", "link f"}},
		{"autolinks in brackets", "<http://a b> <http://a/\\*> <a@b> <ab:> <a:b> </c@d>", []string{`autolink http://a/\*`, "autolink a@b", "autolink ab:", "autolink /c@d"}},
		{"GFM 6.9: autolinks", "http://a.b/c. (www.a.bc/d) \"http://no.x\" xhttp://no.x www.no a@b.c a@b a@b.c_ HTTPS://a_b.c.d ftp://a.b_c",
			[]string{"autolink http://a.b/c", "autolink www.a.bc/d", "autolink a@b.c", "autolink HTTPS://a_b.c.d"}},
		{"GFM 6.9: the end of autolinks", "www.a.b/c)) (www.a.b/(c)) www.a.b/&amp; www.a.b/&amp;c; www.a.b/<c", []string{"autolink www.a.b/c", "autolink www.a.b/(c)", "autolink www.a.b/", "autolink www.a.b/&amp;c;", "autolink www.a.b/"}},
		{"GFM 6.9: no autolinks in links", "[http://a.b www.a.b c@a.b](d) [ http://a.b/e f", []string{"link d", "autolink http://a.b/e"}},
		{"4.6: no Markdown in an HTML block of any kind", "<pre>\n\n[a](b)\n</pre>\n<!--\n\n[a](b)\n-->\n<?\n\n[a](b)\n?>\n<!A\n\n[a](b)>\n<![CDATA[\n\n[a](b)\n]]>\n<div>\n[a](b)\n\n<x y>\n[a](b)\n\n[c](d)", []string{"link d"}},
		{"6.6: no Markdown in raw HTML", "x <a b='[c](d)'> <!-- [c](d) --> <?[c](d)?> <!A [c](d)> <![CDATA[ [c](d) ]]> <x [c](d)>", []string{"link d"}},
		{"block quotes deeper than MaxNesting are text", strings.Repeat("> ", markdown.MaxNesting+9) + "[a](b)", []string{"link b"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			sane(t, row.src, extract(row.src))
			assert.Equal(t, row.want, links(row.src))
		})
	}
}

// Each row has the fragments of HTML in a document, with spaces instead of the prefixes of lines.
func TestHTML(t *testing.T) {
	for _, row := range []struct {
		name, src string
		want      []string
	}{
		{"a block", "a\n\n<p>\n<a href=b>\n\nc", []string{"<p>\n<a href=b>\n"}},
		{"a block continues after blank lines", "<pre>\n\n  <a href=b>\n</pre> c\nd", []string{"<pre>\n\n  <a href=b>\n</pre> c\n"}},
		{"tags in a text", "a <a href=b><img src=c></a> <b> </b> <i x='\ny'>", []string{"<a href=b><img src=c></a>", "<i x='\ny'>"}},
		{"a block in a quote", "> <div\n>  id=a>\n> b\n\nc", []string{"<div\n   id=a>\n  b\n"}},
		{"a tag in a quote", "> a <b\n> href=c>", []string{"<b\n  href=c>"}},
		{"a block in an item", "- <pre>\n\n  <a href=b>\r\n  c\n\nd", []string{"<pre>\n\n  <a href=b>\r\n  c\n\n"}},
		{"a tag in a cell", "a|b\n-|-\nc <d e='\\|'>|f", []string{"<d e=' |'>"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			m := extract(row.src)
			sane(t, row.src, m)
			got := []string{}
			for _, x := range m {
				require.Equal(t, "html", x.place)
				got = append(got, string(markdown.Blanked([]byte(row.src), x.parts)))
			}
			assert.Equal(t, row.want, got)
		})
	}
}

func TestWhole(t *testing.T) {
	src := "> <a\n> b='c' d='e\n> f'>"
	parts := extract(src)[0].parts
	require.Len(t, parts, 3)
	at := func(value string) codec.Span {
		i := strings.Index(src, value)
		return codec.Span{Start: i, End: i + len(value)}
	}
	assert.True(t, markdown.Whole(parts, at("c")))
	assert.True(t, markdown.Whole(parts, at("b='c' d='e\n")))
	assert.False(t, markdown.Whole(parts, at("e\n> f")))
	assert.False(t, markdown.Whole(parts, at("> b")))
}

// The result of a Scanner does not depend on the documents before.
func TestScannerAgain(t *testing.T) {
	var s markdown.Scanner
	for _, e := range commonMarkExamples(t) {
		var m marks
		s.Scan([]byte(e.Markdown), &m)
		require.Equal(t, extract(e.Markdown), m)
	}
}

// Each span is decoded to its URL.
func TestURLs(t *testing.T) {
	src := "[a](b&amp;c\\*) ![d](<e \\> f>) <http://h/?a&amp;b> <x@y.z> www.a.b/c x@y.z\n\n[g]: h\\(\n\n|[a](\\\\|\\*)|www.a.b/c\\|d|\n|-|-|\n"
	var got []string
	for _, x := range extract(src) {
		url, err := x.codec.Decode([]byte(src[x.start:x.end]))
		require.NoError(t, err)
		got = append(got, x.place+" "+string(url))
	}
	assert.Equal(t, []string{"link b&c*", "image e > f", "autolink http://h/?a&b", "autolink mailto:x@y.z", "autolink http://www.a.b/c", "autolink mailto:x@y.z",
		"definition h(", "link |*", "autolink http://www.a.b/c|d"}, got)
}

func Example() {
	var m marks
	src := "See [the guide](docs/guide.md).\n\n[api]: <docs/the api.md> 'API'\n"
	new(markdown.Scanner).Scan([]byte(src), &m)
	for _, x := range m {
		fmt.Println(x.place, src[x.start:x.end])
	}
	// Output:
	// link docs/guide.md
	// definition docs/the api.md
}
