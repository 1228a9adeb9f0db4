package markdown_test

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// commonMark is goldmark without extensions, with which the links of CommonMark are compared.
var commonMark = goldmark.New()

// judged returns the links that goldmark finds, sorted by their ends, in the form that the function links has.
func judged(src string) []string {
	out := []string{}
	doc := commonMark.Parser().Parse(text.NewReader([]byte(src)), parser.WithContext(parser.NewContext()))
	walk := func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			if n.Reference == nil {
				out = append(out, "link "+string(n.Destination))
			}
		case *ast.Image:
			if n.Reference == nil {
				out = append(out, "image "+string(n.Destination))
			}
		case *ast.AutoLink:
			out = append(out, "autolink "+string(n.Label([]byte(src))))
		case *ast.LinkReferenceDefinition:
			out = append(out, "definition "+string(n.Destination))
		}
		return ast.WalkContinue, nil
	}
	if err := ast.Walk(doc, walk); err != nil {
		panic(err)
	}
	return out
}

var seeds = []string{
	"---\na: [b](c)\n---\n[d](e)", "+++\na\n+++\n[d](e)", "\xEF\xBB\xBF[a](b)", "[a](b)\r\n[c](d)\r[e](f)", "> [a\n> b](c\n> 'd\n> e')",
	"> <a\n> href=\"b\">c</a>", "> <div\n> id=\"a\">\n> <a href=\"b\n> c\">", "- <!-- a\n  <a href=b>\n  -->", "- a\n\n      [b](c)\n\n  [d](e)", "1. [a](b)\n2) [c](d)\n",
	"| [a](b\\|c) | <http://d\\|e> |\n|-|-|\n| `\\|` | [f](\\|) | [g](h) |\n> [i](j)", "[a]: <b c> 'd'\n[e]:\nf\n'g\nh'\n[i]: j k\n", "[^a]: [b](c)\n\n    [d](e)\n",
	"[a [b] c](d)\n\n[b]: e", "![[a](b)](c)", "[a](b\\)c(d)e)", "[a]( <b> (c) )", "[a](b 'c)", "<a@b.c> a@b.c (www.a.bc/d) http://a.b/(c).", "[http://a.b](c) [http://d.e", "\\[a](b) \\![c](d) `[e](f)` ``[g](h)`",
	"<![CDATA[[a](b)]]> <?[c](d)?> <!A [e](f)> <!-- [g](h) --> <a b='[c](d)'>", "~~~\n[a](b)\n~~~\n```a`b\n[c](d)", "\t[a](b)\n \t[c](d)\na\n\t[e](f)", "[a](b)\n===\n[c]: d\n===\n[e]: f\n---\n[g]: h", "[A\u00A0\u1E9E]\n\n[a\u00A0ss]: b", "[a]()", "[a](<>)", "[](a)![](b)",
}

// FuzzJudge checks that the links of any document are in order, can be decoded, and are those that goldmark finds.
func FuzzJudge(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	for _, e := range commonMarkExamples(f) {
		f.Add(e.Markdown)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if links := extract(t, src); comparable(src, links) {
			agree(t, src, links)
		}
	})
}

// TestMutations checks the same for random documents made from the examples.
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
		if links := extract(t, src); comparable(src, links) {
			compared++
			agree(t, src, links)
		}
		if t.Failed() {
			return
		}
	}
	t.Log("documents compared: ", compared)
}

var fragments = []string{"[", "]", "(", ")", "<", ">", "`", "\\", "\n", "\n\n", "> ", "- ", "1. ", "    ", "\t", "[a](b)", "![", "[a]: b\n", "<a>", "</a>", "'", "\"",
	"<!--", "-->", "|", "|-|\n", "---\n", "===\n", "```\n", "# ", "<div>", "foo", "[foo]", " ", "~~~", "*", "_", "<http://a>", "&amp;", "é", "\r\n"}

// comparable reports whether goldmark should find the same links: the document has no syntax that goldmark reads
// differently, by design or by mistake.
func comparable(src string, links []mark.Mark) bool {
	if strings.HasPrefix(src, "---") || strings.HasPrefix(src, "+++") || strings.HasPrefix(src, "\uFEFF") || strings.Contains(src, "[^") {
		return false // goldmark has no front matter, and footnotes are an extension
	}
	if strings.Contains(src, "|") {
		return false // tables are an extension
	}
	for _, c := range []byte(src) {
		if c < ' ' && c != '\n' || c == 0x7F {
			return false // 2.1, 2.2: goldmark differs for controls, a lone CR, and tabs in nested items
		}
	}
	if slices.ContainsFunc(links, func(x mark.Mark) bool { return isPlain(src, x) }) {
		return false // these autolinks are an extension
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
func agree(t assert.TestingT, src string, links []mark.Mark) {
	want, got := judged(src), []string{}
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
	for _, x := range links {
		if !strings.Contains(x.Place.Name, "@") { // the links of HTML are not judged
			got = append(got, x.Place.Name+" "+src[x.Start:x.End])
		}
	}
	assert.Equal(t, want, got, "%q", src)
}
