package markdown_test

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/markdown"
)

// seeds are documents with difficult syntax.
var seeds = []string{
	"---\na: [b](c)\n---\n[d](e)", "+++\na\n+++\n[d](e)", "\xEF\xBB\xBF[a](b)", "[a](b)\r\n[c](d)\r[e](f)", "> [a\n> b](c\n> 'd\n> e')",
	"> <a\n> href=\"b\">c</a>", "> <div\n> id=\"a\">\n> <a href=\"b\n> c\">", "- <!-- a\n  <a href=b>\n  -->", "- a\n\n      [b](c)\n\n  [d](e)", "1. [a](b)\n2) [c](d)\n",
	"| [a](b\\|c) | <http://d\\|e> |\n|-|-|\n| `\\|` | [f](\\|) | [g](h) |\n> [i](j)", "[a]: <b c> 'd'\n[e]:\nf\n'g\nh'\n[i]: j k\n", "[^a]: [b](c)\n\n    [d](e)\n",
	"[a [b] c](d)\n\n[b]: e", "![[a](b)](c)", "[a](b\\)c(d)e)", "[a]( <b> (c) )", "[a](b 'c)", "<a@b.c> a@b.c (www.a.bc/d) http://a.b/(c).", "[http://a.b](c) [http://d.e", "\\[a](b) \\![c](d) `[e](f)` ``[g](h)`",
	"<![CDATA[[a](b)]]> <?[c](d)?> <!A [e](f)> <!-- [g](h) --> <a b='[c](d)'>", "~~~\n[a](b)\n~~~\n```a`b\n[c](d)", "\t[a](b)\n \t[c](d)\na\n\t[e](f)", "[a](b)\n===\n[c]: d\n===\n[e]: f\n---\n[g]: h", "[A\u00A0\u1E9E]\n\n[a\u00A0ss]: b", "[a]()", "[a](<>)", "[](a)![](b)",
}

// FuzzExtract checks that the spans of any document are in order and can be decoded. It replaces one URL and reads the
// document again. Then only this URL has changed.
func FuzzExtract(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, byte(0), byte(0))
	}
	for _, e := range commonMarkExamples(f) {
		f.Add(e.Markdown, byte(e.Example), byte(e.Example))
	}
	f.Fuzz(func(t *testing.T, src string, which, how byte) {
		m := extract(src)
		sane(t, src, m)
		rewritten(t, src, m, int(which), int(how))
	})
}

// rewritten changes one link, and reads the document again. It inserts an absolute URL before the URL of the link, or
// replaces the URL, or deletes it.
func rewritten(t assert.TestingT, src string, m marks, which, how int) {
	var urls []string
	var at []mark
	for _, x := range m {
		if x.place != "html" {
			text, _ := x.codec.Decode([]byte(src[x.start:x.end]))
			urls, at = append(urls, x.place+" "+string(text)), append(at, x)
		}
	}
	if len(at) == 0 {
		return
	}
	which %= len(at)
	x := at[which]
	if x.place == "autolink" {
		return
	}
	text, _ := x.codec.Decode([]byte(src[x.start:x.end]))
	const url = "http://h/(a <&lt;\n|"
	put := []string{url + string(text), url, ""}[how%3]
	urls[which] = x.place + " " + put
	edits, err := codec.Lift(x.codec, []byte(src[x.start:x.end]), text, []codec.Edit{{Span: codec.Span{End: len(text)}, New: []byte(put)}})
	if err != nil {
		assert.Fail(t, "the URL can be changed", "%q: %v", src, err)
		return
	}
	out := src[:x.start] + string(codec.Apply(nil, []byte(src[x.start:x.end]), edits)) + src[x.end:]
	var got []string
	for _, x := range extract(out) {
		if x.place != "html" {
			text, _ := x.codec.Decode([]byte(out[x.start:x.end]))
			got = append(got, x.place+" "+string(text))
		}
	}
	assert.Equal(t, urls, got, "%q became %q", src, out)
}

// FuzzJudge compares the links with those of goldmark, without the extensions of GFM.
func FuzzJudge(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	for _, e := range commonMarkExamples(f) {
		f.Add(e.Markdown)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !comparable(src) {
			return
		}
		agree(t, src)
	})
}

// TestMutations compares the links of random documents with those of goldmark. The documents are made from the examples.
func TestMutations(t *testing.T) {
	var docs, lines []string
	for _, e := range commonMarkExamples(t) {
		docs = append(docs, e.Markdown)
	}
	docs = append(docs, seeds...)
	for _, d := range docs {
		lines = slices.AppendSeq(lines, strings.Lines(d))
	}
	random := rand.New(rand.NewSource(1))
	pick := func(from []string) string { return from[random.Intn(len(from))] }
	compared := 0
	for range 30_000 {
		src := ""
		switch random.Intn(3) {
		case 0:
			src = pick(docs)
			for range 1 + random.Intn(3) {
				i := random.Intn(len(src) + 1)
				src = src[:i] + pick(fragments) + src[min(len(src), i+random.Intn(3)):]
			}
		case 1:
			for range 1 + random.Intn(6) {
				src += pick(lines)
			}
		case 2:
			for range 1 + random.Intn(14) {
				src += pick(fragments)
			}
		}
		sane(t, src, extract(src))
		if comparable(src) {
			compared++
			agree(t, src)
		}
		if t.Failed() {
			return
		}
	}
	t.Log("documents compared: ", compared)
}

var fragments = []string{"[", "]", "(", ")", "<", ">", "`", "\\", "\n", "\n\n", "> ", "- ", "1. ", "    ", "\t", "[a](b)", "![", "[a]: b\n", "<a>", "</a>", "'", "\"",
	"<!--", "-->", "|", "|-|\n", "---\n", "===\n", "```\n", "# ", "<div>", "foo", "[foo]", " ", "~~~", "*", "_", "<http://a>", "&amp;", "é", "\r\n"}

// comparable reports whether goldmark should find the same links in a document. It excludes syntax that goldmark reads in
// another way, by design or by mistake.
func comparable(src string) bool {
	if strings.HasPrefix(src, "---") || strings.HasPrefix(src, "+++") || strings.HasPrefix(src, "\uFEFF") || strings.Contains(src, "[^") {
		return false // goldmark has no front matter, and footnotes are an extension
	}
	if strings.Contains(src, "|") {
		return false // tables are an extension, too
	}
	for _, c := range []byte(src) {
		if c < ' ' && c != '\n' || c == 0x7F {
			return false // 2.1, 2.2: goldmark differs for controls, a lone CR, and tabs in nested items
		}
	}
	for _, m := range extract(src) {
		if m.place == markdown.PlaceAutolink && src[m.start-min(1, m.start)] != '<' {
			return false // autolinks without angle brackets are an extension, too
		}
	}
	for _, x := range []string{
		"</pre", "</script", "</style", "</textarea", // 4.6, kind 7: any closing tag. goldmark excludes these tags
		"<!",             // 4.6, kind 4: any ASCII letter. goldmark requires an upper case letter
		">(", ">'", `>"`, // 6.3: white space before a title. goldmark does not require it after angle brackets
		`"[`, "'[", ")[a]:", // 4.7: only spaces and tabs after a title. goldmark allows a definition there
	} {
		if strings.Contains(strings.ToLower(src), x) {
			return false
		}
	}
	return true
}

// agree checks that both find the same links. It ignores documents in which goldmark finds an invalid destination (6.3):
// with "<" in angle brackets, or with unbalanced parentheses.
func agree(t assert.TestingT, src string) {
	want := judged(commonMark, src)
	for _, w := range want {
		_, url, _ := strings.Cut(w, " ")
		c := spell.MarkdownBare
		if strings.Contains(src, "<"+url+">") {
			c = spell.MarkdownPointy
		}
		if _, err := c.Decode([]byte(url)); err != nil {
			return
		}
	}
	assert.Equal(t, want, withoutPlain(src), "%q", src)
}
