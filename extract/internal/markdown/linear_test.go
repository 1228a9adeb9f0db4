package markdown_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract/internal/mark"
	"absolink/extract/internal/markdown"
	"absolink/internal/longtest"
)

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
					markdown.Format.Extract(doc, &m)
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
				markdown.Format.Extract(row.doc, &m)
			}
		})
	}
}
