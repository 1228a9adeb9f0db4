package markdown_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/markdown"
)

// hostile are pieces of which a document is made that is slow for a parser that reads parts of it again and again.
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
	{"titles in turn", "", "[a](b \"[a](b '[a](b (", ""},
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
	{"blanks in a label", "[", " ", "]"},
	{"lines of CR", "", "[a](b)\r", ""},
	{"front matter without end", "---\n", "a\r", ""},
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
	{"thematic breaks that are none", "", "* * * * * * * * * * a\n", ""},
	{"a long line", "", "a", ""},
}

// The time for 8 times as much is about 8 times as long; a quadratic one is 64 times as long. Other programs may run, so
// the least time of some runs counts.
func TestLinear(t *testing.T) {
	const size, tries = 60_000, 8
	var s markdown.Scanner
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			small, large := time.Hour, time.Hour
			least := func(best *time.Duration, size int) {
				doc := []byte(h.head + strings.Repeat(h.each, size/len(h.each)) + h.tail)
				start := time.Now()
				s.Scan(doc, nothing{})
				*best = min(*best, time.Since(start))
			}
			linear := func() bool { return large < 8*3*small+5*time.Millisecond }
			for i := 0; i < tries && (i < 2 || !linear()); i++ {
				least(&small, size)
				least(&large, 8*size)
			}
			assert.True(t, linear(), "%v for %d bytes, %v for %d", small, size, large, 8*size)
		})
	}
}
