package markdown_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/markdown"
	"absolink/internal/commandtest"
	"absolink/internal/longtest"
)

// extract returns the links in src, after checking that all marks are sorted, do not overlap, and can be decoded.
func extract(t assert.TestingT, src string) []mark.Mark { return extractWith(t, new(mark.Marks), src) }

// extractWith is extract with Marks that may have been used before.
func extractWith(t assert.TestingT, m *mark.Marks, src string) (links []mark.Mark) {
	m.Clear()
	markdown.Format.Mark([]byte(src), m)
	at := 0
	for chunk := range m.All {
		for _, x := range chunk {
			if !assert.True(t, at <= x.Start && x.Start <= x.End && x.End <= len(src), "%q: %s [%d,%d) after %d", src, x.Place.Name, x.Start, x.End, at) {
				return nil
			}
			at = x.End
			_, err := x.Codec.Decode([]byte(src[x.Start:x.End]))
			assert.NoError(t, err, "%q: %s %q", src, x.Place.Name, src[x.Start:x.End])
			if x.Kind == mark.IsLink {
				links = append(links, x)
			}
		}
	}
	return links
}

// links returns the links in src, each as "place source".
func links(t assert.TestingT, src string) []string {
	out := []string{}
	for _, x := range extract(t, src) {
		out = append(out, x.Place.Name+" "+src[x.Start:x.End])
	}
	return out
}

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
		{"an image after an exclamation mark", "!![a](b) \\\\[c](d)", []string{"image b", "link d"}},
		{"an image in a link", "[![a](b)](c)", []string{"image b", "link c"}},
		{"a link in the description of an image", "![[a](b)](c)", []string{"link b", "image c"}},
		{"no link in a link", "[a [b](c) d](e)", []string{"link c"}},
		{"a link directly after brackets around a link", "[a [b](c)][d](e)", []string{"link c", "link e"}},
		{"no control character in a destination or an autolink", "[a](b\x7F) <http://h\x7F> [c](d\x1F)", []string{}},
		{"no link around a defined reference", "[a [b] c](d)\n\n[ B\n]: e", []string{"definition e"}},
		{"a link around an undefined reference", "[a [b] c](d)", []string{"link d"}},
		{"a reference before parentheses", "[a][b](c)\n\n[b]: d", []string{"definition d"}},
		{"labels are compared without case", "[a [\u1E9E] c](d)\n\n[ss]: e", []string{"definition e"}},
		{"a label of 999 characters", "[" + strings.Repeat("é", 999) + "]: b", []string{"definition b"}},
		{"a label of 1000 characters", "[" + strings.Repeat("é", 1000) + "]: b", []string{}},
		{"more than 65,536 open brackets", strings.Repeat("[", 70_000) + "a](b) [c](d)" + strings.Repeat("]", 70_000) + "(e)", []string{"link b", "link d"}},
		{"more than 65,536 open brackets around a link", strings.Repeat("[", 60_000) + "[a](b)" + strings.Repeat("[", 10_000) + "c](d)", []string{"link b", "link d"}},
		{"duplicate definition: both are links", "[a]: b\n[a]: <c>\n", []string{"definition b", "definition c"}},
		{"a definition does not interrupt a paragraph", "a\n[b]: c\n", []string{}},
		{"definitions in containers", "> [a]:\n> b\n>\n> - [c]: d\n>   't'\n", []string{"definition b", "definition d"}},
		{"a link after definitions in a quote", "> [a]: b\n> [c](d\n> 'e')\n", []string{"definition b", "link d"}},
		{"a lazy line", "> [a](b\n'c')", []string{"link b"}},
		{"a definition before an underline", "[a]: b\n===\n[c]: d\n", []string{"definition b"}},
		{"a definition before a thematic break", "[a]: b\n---\n[c]: d\n", []string{"definition b", "definition d"}},
		{"footnotes", "[^a]: [b](c)\n\n    [d](e)\n\n[^f]: /g\n[h][^a] ![^a](i)", []string{"link c", "link e", "image i"}},
		{"a label with ^ is no definition", "[^a b]: c\n", []string{}},
		{"a footnote with code", "[^a]:\n\n        [b](c)\n", []string{}},
		{"code", "`[a](b)` ``[c](d)` [e](f)`` \\`[g](h)\\`\n\n    [i](j)\n\n~~~ [k](l)\n[m](n)\n~~~~\n[o](p)\n```\n[q](r)", []string{"link h", "link p"}},
		{"a fence ends with its container", "> ```\n> [a](b)\n[c](d)", []string{"link d"}},
		{"headings", "# [a](b) #\n[c](d)\n---\n####### [e](f)\n", []string{"link b", "link d", "link f"}},
		{"a table", "[a](b)\n| [c](d\\|e) | `|` [f](g) |\n|:-:|-|-|\n", []string{"link b", `link d\|e`, "link g"}},
		{"a pipe in code divides cells", "a | b\n:- | -\n`[c](d) | e` [f](g)\n", []string{"link d", "link g"}},
		{"a link of several labels", "[a [b][c] d](e) [f][] [g][h]\n\n[c]: i\n[f]: j\n", []string{"definition i", "definition j"}},
		{"a row with too many cells", "|a|\n|-|\n|[b](c)|[d](e)|\n[f](g)", []string{"link c", "link g"}},
		{"no table if the numbers of cells differ", "|a|\n|-|-|\n|[b](c)|[d](e)|\n", []string{"link c", "link e"}},
		{"no table if the delimiter row begins as an item", "[a](b|c)\n- | -", []string{"link b|c"}},
		{"pipes at the start of a destination", "|[a](\\|b)|<http://h\\|i>|\n|-|-|", []string{`link \|b`, `autolink http://h\|i`}},
		{"a table in a quote", "> a\n> |[a](b)|\n> |-|\n> |[c](d)\n[e](f)", []string{"link b", "link d", "link f"}},
		{"autolinks in brackets", "<http://a b> <http://a/\\*> <a@b> <ab:> <a:b> </c@d>", []string{`autolink http://a/\*`, "autolink a@b", "autolink ab:", "autolink /c@d"}},
		{"GFM 6.9: autolinks", "http://a.b/c. (www.a.bc/d) \"http://no.x\" xhttp://no.x www.no a@b.c a@b a@b.c_ HTTPS://a_b.c.d ftp://a.b_c",
			[]string{"autolink http://a.b/c", "autolink www.a.bc/d", "autolink a@b.c", "autolink HTTPS://a_b.c.d"}},
		{"GFM 6.9: the end of autolinks", "www.a.b/c)) (www.a.b/(c)) www.a.b/&amp; www.a.b/&amp;c; www.a.b/<c", []string{"autolink www.a.b/c", "autolink www.a.b/(c)", "autolink www.a.b/", "autolink www.a.b/&amp;c;", "autolink www.a.b/"}},
		{"GFM 6.9: protocols of addresses", "mailto:a@b.c. (mailto:a@b.c-d/e) xmpp:a@b.c/d@e.f/g xmpp:a@b.c/. xmpp:a@b.c mailto:a@b.c_ xmailto:a@b.c *mailto:a@b.c/d* mailto:a@b",
			[]string{"autolink mailto:a@b.c", "autolink mailto:a@b.c-d", "autolink xmpp:a@b.c/d@e.f", "autolink xmpp:a@b.c", "autolink xmpp:a@b.c", "autolink mailto:a@b.c"}},
		{"GFM 6.9: no autolinks in links", "[http://a.b www.a.b c@a.b](d) [ http://a.b/e f", []string{"link d", "autolink http://a.b/e"}},
		{"an autolink ends where the description of an image ends", "![a http://b.c/d](e)f", []string{"autolink http://b.c/d", "image e"}},
		{"4.6: no Markdown in an HTML block of any kind", "<pre>\n\n[a](b)\n</pre>\n<!--\n\n[a](b)\n-->\n<?\n\n[a](b)\n?>\n<!A\n\n[a](b)>\n<![CDATA[\n\n[a](b)\n]]>\n<div>\n[a](b)\n\n<x y>\n[a](b)\n\n[c](d)", []string{"link d"}},
		{"6.6: no Markdown in raw HTML", "x <a b='[c](d)'> <!-- [c](d) --> <?[c](d)?> <!A [c](d)> <![CDATA[ [c](d) ]]> <x [c](d)>", []string{"link d"}},
		{"block quotes deeper than 64 are text", strings.Repeat("> ", 73) + "[a](b)", []string{"link b"}},

		{"an HTML block", "a\n\n<p>\n<a href=b>\n\n<i>[c](d)", []string{"a@href b", "link d"}},
		{"an HTML block continues after blank lines", "<pre>\n\n  <a href=b>\n</pre> [c](d)\n[e](f)", []string{"a@href b", "link f"}},
		{"an HTML block in a quote", "> <div\n>  id=a>\n> <a href=b>\n\n<a href=c>", []string{"a@href b", "a@href c"}},
		{"an HTML block in an item", "- <pre>\n\n  <a href=b>\r\n  [c](d)\n\n[e](f)", []string{"a@href b", "link f"}},
		{"tags in a text", "a <a href=b><img src=c></a> <b> </b> <a title='\ny' href=d>", []string{"a@href b", "img@src c", "a@href d"}},
		{"adjacent tags are one fragment", "a <svg><a xlink:href=b></a></svg>", []string{"a@xlink:href b"}},
		{"a tag in a quote", "> a <a\n> href=b>", []string{"a@href b"}},
		{"a value with the prefix of a line is not a link", "> <a\n> title='c' href='e\n> f'><a href=g>", []string{"a@href g"}},
		{"a URL with the indentation of a line", "- <div>\n  <a href='n\n  l'>\n  <img src=c>\n\n<a href='n\n\tl'>", []string{"img@src c"}},
		{"a value in several lines without a prefix", "- <img\n  srcset='a 1x,\n  b 2x' src=c>", []string{"img@src c"}},
		{"a tag in a cell", "a|b\n-|-\nc <a href=d title='\\|'><a href='e\\|'>|f", []string{"a@href d"}},
	} {
		t.Run(row.name, func(t *testing.T) { assert.Equal(t, row.want, links(t, row.src)) })
	}
}

func TestURLs(t *testing.T) {
	src := "[a](b&amp;c\\*) ![d](<e \\> f>) <http://h/?a&amp;b> <x@y.z> www.a.b/c x@y.z\n\n[g]: h\\(\n\n|[a](\\\\|\\*)|www.a.b/c\\|d|\n|-|-|\n"
	var got []string
	for _, x := range extract(t, src) {
		url, err := x.Codec.Decode([]byte(src[x.Start:x.End]))
		require.NoError(t, err)
		got = append(got, x.Place.Name+" "+string(url))
	}
	assert.Equal(t, []string{"link b&c*", "image e > f", "autolink http://h/?a&b", "autolink mailto:x@y.z", "autolink http://www.a.b/c", "autolink mailto:x@y.z",
		"definition h(", "link |*", "autolink http://www.a.b/c|d"}, got)
}

// TestRewritten prefixes, replaces and deletes each link of the examples in turn. A second reading must find all other
// links as they were.
func TestRewritten(t *testing.T) {
	const url = "http://h/(a <&lt;\n|"
	docs := slices.Clone(seeds)
	for _, e := range commonMarkExamples(t) {
		docs = append(docs, e.Markdown)
	}
	decoded := func(src string) (urls []string) {
		for _, x := range extract(t, src) {
			text, _ := x.Codec.Decode([]byte(src[x.Start:x.End]))
			urls = append(urls, x.Place.Name+" "+string(text))
		}
		return urls
	}
	for _, src := range docs {
		want := decoded(src)
		for i, x := range extract(t, src) {
			if x.Place.Name == "autolink" || strings.Contains(x.Place.Name, "@") {
				continue
			}
			old := src[x.Start:x.End]
			text, _ := x.Codec.Decode([]byte(old))
			for _, put := range []string{url + string(text), url, ""} {
				edits, err := codec.Lift(x.Codec, []byte(old), text, []codec.Edit{{Span: codec.Span{End: len(text)}, New: []byte(put)}})
				require.NoError(t, err, "%q", src)
				urls := slices.Clone(want)
				urls[i] = x.Place.Name + " " + put
				out := src[:x.Start] + string(codec.Apply(nil, []byte(old), edits)) + src[x.End:]
				assert.Equal(t, urls, decoded(out), "%q became %q", src, out)
			}
		}
	}
}

// An autolink is read again as the same autolink, or its edit is refused.
func TestReads(t *testing.T) {
	angle, plain := extract(t, "<ab:>")[0].Place, extract(t, "www.a.b")[0].Place
	for spelled, in := range map[string]struct{ angle, plain bool }{
		"http://h.x/a": {true, true}, "http://h/a": {true, false}, "http://h.x/a.": {true, false}, "a@b.c": {true, true}, "a@b": {true, false},
		"www.a.b/c": {false, true}, "/a": {}, "": {}, "http://h.x/ b": {}, "x www.a.b": {}, "http://h.x/>": {false, true},
	} {
		assert.Equal(t, in.angle, angle.Reads([]byte(spelled)), "<%s>", spelled)
		assert.Equal(t, in.plain, plain.Reads([]byte(spelled)), "%s", spelled)
	}
}

// An edit is refused if it would change which text around it is a link. In each row, X must stay, and Y may change.
func TestRefused(t *testing.T) {
	for name, src := range map[string]string{
		"the white space after the destination of a link":       "[a](bXY<i>)",
		"the white space after the destination of a definition": "[a]: bX<i title='Y'>",
		"a tag in a label": "[<i title='X'>] <i title='Y'>\n\n[<i title=' '>]: b",
	} {
		var m mark.Marks
		doc := strings.NewReplacer("X", " ", "Y", " ").Replace(src)
		markdown.Format.Mark([]byte(doc), &m)
		refused := func(i int) bool {
			return m.Notes.Guards.Refuses(&codec.Edit{Span: codec.Span{Start: i, End: i + 1}}) != ""
		}
		assert.True(t, refused(strings.Index(src, "X")), name)
		assert.False(t, refused(strings.Index(src, "Y")), name)
	}
}

// Marks that have been used for other documents give the same result.
func TestMarksAgain(t *testing.T) {
	var m mark.Marks
	for _, e := range commonMarkExamples(t) {
		require.Equal(t, extract(t, e.Markdown), extractWith(t, &m, e.Markdown))
	}
}

// hostile documents are slow for a parser that reads parts of a document many times.
var hostile = []struct{ name, head, each, tail string }{
	{"open brackets", "", "[", ""},
	{"brackets", "", "[a", "]"},
	{"closed brackets", strings.Repeat("[", 1000), "]", ""},
	{"nested links", "", "[a](b", ""},
	{"links of open parentheses", "", "[a](((", ""},
	{"open parentheses", "[a](", "(", ""},
	{"images around links", strings.Repeat("![", 5000), "[a](b)", ""},
	{"images in images", "", "![http://a.b ", strings.Repeat("](c)", 5000)},
	{"backticks", "", "`", ""},
	{"runs of backticks", "", "`a``b```c````d", ""},
	{"angle brackets", "", "<", ""},
	{"tags", "", "<a ", ""},
	{"attributes", "x ", "<a b='c\" d=\"e' ", ""},
	{"comments", "x ", "<!--", ""},
	{"instructions", "x ", "<?", ""},
	{"declarations", "x ", "<!a ", ""},
	{"CDATA", "x ", "<![CDATA[", ""},
	{"end tags in a script", "<script>", "</", ""},
	{"titles", "", "[a](b \"", ""},
	{"titles with different quotes", "", "[a](b \"[a](b '[a](b (", ""},
	{"titles of definitions", "", "[a]: b\n'c\n", ""},
	{"pointy destinations", "", "[a](<b", ""},
	{"quotes", "", "> ", "a"},
	{"quotes and lines", strings.Repeat("> ", 1000) + "a\n", "> a\n", ""},
	{"items", "", "- ", "a"},
	{"items of stars", "", "* ", "a"},
	{"blank lines in items", strings.Repeat("- ", 100) + "a\n", "\n", ""},
	{"lines in items", strings.Repeat("- ", 100) + "a\n", strings.Repeat(" ", 200) + "a\n", ""},
	{"lazy lines", strings.Repeat("> ", 100) + "a\n", "b\n", ""},
	{"definitions", "", "[a]: b\n", ""},
	{"definitions and their uses", "", "[a]: b\n\n[a [a] a](c)\n\n", ""},
	{"definitions in a quote", "", "> [a]:\n> b\n", ""},
	{"underlines", "", "[a]: b\n===\n", ""},
	{"labels", "", "[a\\]", ""},
	{"labels after labels", "", "[a][b", ""},
	{"spaces in a label", "[", " ", "]"},
	{"lines of CR", "", "[a](b)\r", ""},
	{"unclosed front matter", "---\n", "a\r", ""},
	{"delimiter rows", "", "|-", "\n"},
	{"tables", "", "|a|\n|-|\n|[a](b\\|c)|\n\n", ""},
	{"rows", "|a|\n|-|\n", "|\\||", "\n"},
	{"pipes", "|a|\n|-|\n", "|", "\n"},
	{"escaped pipes in a cell", "|a|\n|-|\n|", "[a](\\|)", "|\n"},
	{"hosts", "", "_www.a", ""},
	{"parentheses around autolinks", "", "(http://a.b", ""},
	{"ends of autolinks", "http://a.b", ").", ""},
	{"entities after autolinks", "http://a.b", "&a;", ""},
	{"email addresses", "", "a@", ""},
	{"letters before an email address", "", "a.b_", "@c.d"},
	{"local parts", "", "<a", ""},
	{"indented text", "", " ", "a"},
	{"tabs", "", "\t", "a"},
	{"tabs in quotes", "", ">\t", "a"},
	{"footnotes", "", "[^a]: ", "b"},
	{"tags in a quote", "> ", "<a\n> b=c>", ""},
	{"a long paragraph in a quote", "", "> [a](b) <c d=e>\n", ""},
	{"similar to thematic breaks", "", "* * * * * * * * * * a\n", ""},
	{"a long line", "", "a", ""},
}

// 128 kB are enough to find quadratic time. Many linear inputs take so little time that it is not compared, so other
// processes cannot disturb the test.
func TestLinear(t *testing.T) {
	const most = 1 << 17 // bytes of repeated pieces
	var m mark.Marks
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			longtest.Linear(t, h.name, most/len(h.each), func(n int) func() {
				doc := []byte(h.head + strings.Repeat(h.each, n) + h.tail)
				return func() {
					m.Clear()
					markdown.Format.Mark(doc, &m)
				}
			})
		})
	}
}

// BenchmarkExtract reads the README of this project, and the examples of CommonMark, which are dense with syntax.
func BenchmarkExtract(b *testing.B) {
	readme, err := os.ReadFile("../../../README.md")
	require.NoError(b, err)
	var examples []byte
	for _, e := range commonMarkExamples(b) {
		examples = append(append(examples, e.Markdown...), "\n\n"...)
	}
	for _, row := range []struct {
		name string
		doc  []byte
	}{
		{"README", bytes.Repeat(readme, 1<<20/len(readme)+1)},
		{"examples", bytes.Repeat(examples, 1<<20/len(examples)+1)},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.SetBytes(int64(len(row.doc)))
			b.ReportAllocs()
			var m mark.Marks
			for b.Loop() {
				m.Clear()
				markdown.Format.Mark(row.doc, &m)
			}
		})
	}
}

// judge is the module of the second parser.
const judge = "github.com/yuin/goldmark"

// example is an example of a specification.
type example struct {
	Example  int
	Section  string
	Markdown string
	HTML     string
}

// commonMarkExamples returns the examples of CommonMark 0.31.2, which goldmark's module contains.
func commonMarkExamples(t testing.TB) []example {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(commandtest.Module(t, judge, "_test"), "spec.json"))
	require.NoError(t, err)
	var examples []example
	require.NoError(t, json.Unmarshal(data, &examples))
	require.Len(t, examples, 652)
	return examples
}

// gfmExamples returns the examples of a GFM extension, and some by goldmark's authors.
func gfmExamples(t testing.TB, name string, want int) []example {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(commandtest.Module(t, judge, "extension/_test"), name+".txt"))
	require.NoError(t, err)
	var examples []example
	var fields [3]string // the options, the document and its HTML
	at := 0
	for line := range strings.Lines(string(data)) {
		switch {
		case strings.HasPrefix(line, "//- "):
			at++
		case strings.HasPrefix(line, "//= "):
			if strings.Contains(fields[0], "enableEscape") {
				fields[1] = strings.ReplaceAll(fields[1], `\t`, "\t")
			}
			examples = append(examples, example{len(examples) + 1, name, fields[1], fields[2]})
			fields, at = [3]string{}, 0
		default:
			fields[at] += line
		}
	}
	require.Len(t, examples, want)
	return examples
}

// urls returns the URLs of a and img elements. A newline is not a part of a URL.
func urls(doc string) []string {
	var out []string
	z := html.NewTokenizer(strings.NewReader(doc))
	for z.Next() != html.ErrorToken {
		token := z.Token()
		for _, a := range token.Attr {
			if token.Type != html.EndTagToken && (token.Data == "a" && a.Key == "href" || token.Data == "img" && a.Key == "src") {
				out = append(out, strings.ReplaceAll(a.Val, "\n", ""))
			}
		}
	}
	return out
}

// rendered returns a URL percent-encoded, as in the HTML of the examples.
func rendered(url []byte) string { return string(util.URLEscape(url, false)) }

// TestSpecification compares the links of the examples with the URLs in their HTML. The URL of a definition is in the
// HTML only if the definition is used.
func TestSpecification(t *testing.T) {
	differs := map[string]string{
		"Links 520":  "6.4: the description of an image may contain a link or an image, but only its text is rendered",
		"Images 574": "6.4, as Links 520",
		"Images 575": "6.4, as Links 520",
	}
	examples := commonMarkExamples(t)
	examples = append(examples, gfmExamples(t, "linkify", 21)...)
	examples = append(examples, gfmExamples(t, "table", 14)...)
	examples = append(examples, gfmExamples(t, "strikethrough", 5)...)
	for _, e := range examples {
		name := fmt.Sprint(e.Section, " ", e.Example)
		t.Run(name, func(t *testing.T) {
			why := wrong(t, e)
			if reason, ok := differs[name]; ok {
				assert.NotEmpty(t, why, reason)
				return
			}
			assert.Empty(t, why)
		})
	}
}

// wrong describes how the links of an example differ from its HTML, or returns "".
func wrong(t *testing.T, e example) string {
	left := map[string]int{}
	for _, url := range urls(e.HTML) {
		left[url]++
	}
	defined := map[string]bool{}
	for _, x := range extract(t, e.Markdown) {
		url, err := x.Codec.Decode([]byte(e.Markdown[x.Start:x.End]))
		if err != nil {
			return err.Error()
		}
		switch x.Place.Name {
		case "definition":
			defined[rendered(url)] = true
		case "a@href", "img@src":
			left[string(url)]--
		case "autolink":
			if e.Section == "linkify" || !isPlain(e.Markdown, x) {
				left[rendered(url)]--
			}
		case "link", "image":
			left[rendered(url)]--
		}
	}
	for url, n := range left {
		if n < 0 || n > 0 && !defined[url] {
			return fmt.Sprintf("%q: %d more in the HTML than in %v, for %q", url, n, links(t, e.Markdown), e.Markdown)
		}
	}
	return ""
}

// isPlain reports whether x is an autolink that only GFM has.
func isPlain(src string, x mark.Mark) bool {
	return x.Place.Name == "autolink" && (x.Start == 0 || src[x.Start-1] != '<')
}
