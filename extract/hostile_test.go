package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

// hostile are inputs that make parsers slow. size is the number of times that a piece is repeated, for about a
// megabyte.
var hostile = []struct {
	name       string
	head, each string
	size       int
	tail       string
}{
	{"unclosed tags", "", "<a ", 350_000, ""},
	{"unclosed elements", "", "<div><a href=x>", 80_000, ""},
	{"a base element that is not closed", "", "<base href=", 100_000, ""},
	{"bases", "", "<base href=x>", 80_000, ""},
	{"bases after comments", "", "<!--<base href=x>--><base href=.>", 40_000, ""},
	{"unclosed quotes", "", `<a href="`, 120_000, ""},
	{"url(", "<style>", "url(", 250_000, ""},
	{"url( in an attribute", `<p style="`, "url(", 250_000, `">`},
	{"@import", "<style>", "@import ", 130_000, ""},
	{"ampersands", `<a href="`, "&", 1_000_000, `">`},
	{"character references without end", `<a href="`, "&#1", 330_000, `">`},
	{"references", `<a href="`, "&notin;", 150_000, `">`},
	{"white space in a value", `<a href="`, " \n", 500_000, `x">`},
	{"candidates", `<img srcset="`, "a 1x,", 100_000, `">`},
	{"commas", `<img srcset="`, ",", 1_000_000, `">`},
	{"open parentheses", `<img srcset="a `, "(", 1_000_000, `">`},
	{"comments", "", "<!--", 250_000, ""},
	{"dashes", "<!--", "-", 1_000_000, ""},
	{"end tags without a start tag", "<svg>", "</p></div>", 100_000, ""},
	{"end tags of elements around svg", strings.Repeat("<b>", 1000) + "<svg>", "</i><g>", 140_000, ""},
	{"svg in svg", "", "<svg><g>", 120_000, ""},
	{"many svg elements", "<div>", "<svg></div></svg>", 60_000, ""},
	{"breaking out of svg", "", "<svg><foreignObject><p>", 45_000, ""},
	{"misnested formatting in svg", "<svg><desc>", "<b><div></b>", 80_000, ""},
	{"formatting elements to open again", "<svg><desc>", "<p><font id=%d>x", 50_000, ""},
	{"formatting elements to open again for each text", "<svg><desc>" + strings.Repeat("<i><p><b>", 200), "<div>x</div>", 80_000, ""},
	{"cells in svg", "<table><td><svg><desc>", "<table><td><p>", 70_000, ""},
	{"columns in templates", "", "<template><col><title>", 45_000, ""},
	{"bases that move before tables", "", "<table><td><base href=x><tr><base href=y>", 25_000, ""},
	{"tags of an unknown name in svg", "<svg><desc>", "<x></y>", 140_000, ""},
	{"xml:base", "", "<svg xml:base=a/ href=x>", 40_000, ""},
	{"CDATA", "<svg>", "<![CDATA[", 110_000, ""},
	{"CDATA without svg", "", "<![CDATA[", 110_000, ""},
	{"framesets", "<p>x", "<frameset>", 100_000, ""},
	{"templates", "", "<template>", 100_000, ""},
	{"scripts in a script", "<script><!--", "<script>", 120_000, ""},
	{"end tags in a textarea", "<textarea>", "</text", 160_000, ""},
	{"noscripts", "", "<noscript><a href=x></noscript>", 32_000, ""},
	{"srcdocs", "", "<iframe srcdoc='<a href=x>'>", 35_000, ""},
	{"codebases", "", "<object codebase=x data=y>", 40_000, ""},
	{"bases and codebases", "", "<base href=x><object codebase=x data=y>", 25_000, ""},
	{"bases and srcdocs", "", `<base href=x><iframe srcdoc="<base href=y><a href=z>"></iframe>`, 15_000, ""},
	{"metas that are bases", "", "<meta http-equiv=base content='<URL:(((((((a/>'>", 20_000, ""},
	{"attributes", "<a ", "b=c ", 250_000, ">"},
	{"the same attribute", "<a ", "href=x ", 140_000, ">"},
	{"many names", "", "<x-%d style='url(x)'>", 45_000, ""},
	{"a refresh", "<meta http-equiv=refresh content='0;", "url=", 250_000, "'>"},
	{"a Link", "<meta http-equiv=link content='", "<x>;a=\"", 140_000, "'>"},
	{"one line of text", "", "x", 1_000_000, "<a href=x>"},
	{"non-ASCII characters", "<a href='", "\xe9", 1_000_000, "'>"},
	{"marks of the web", "", "<!-- saved from url=about:internet -->", 27_000, "<a href=x>"},
	{"mirrors", "<p>", "<!-- Mirrored from h by x -->  ", 32_000, ""},
	{"scripts of an archive", "", "<script>__wm.init()</script>", 36_000, ""},
	{"evidence and codebases", "", "<meta name=savepage-url content=h><object codebase=x data=y>", 16_000, ""},
	{"escapes to kanji", "<meta charset=iso-2022-jp>", "\x1b$B<<\x1b(B", 100_000, "<a href=x>"},
}

func hostilePage(i, size int) []byte {
	h := hostile[i]
	each := h.each
	if strings.Contains(each, "%d") {
		var b strings.Builder
		for n := range size {
			fmt.Fprintf(&b, each, n)
		}
		return []byte(h.head + b.String() + h.tail)
	}
	return []byte(h.head + strings.Repeat(each, size) + h.tail)
}

// TestHostile reads and rewrites each input at a part of its size. It checks that only links change, and that the
// time grows linearly with the size.
func TestHostile(t *testing.T) {
	for i, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			src := hostilePage(i, h.size/longtest.Or(100, 10))
			var w Walker
			d := extract.Document{Name: "x.html", Bytes: src}
			assert.True(t, Rewrite(t, &w, d) == string(src))
			d.URL = "http://h/p/"
			out := Rewrite(t, &w, d)
			d.Bytes = []byte(out)
			assert.True(t, Rewrite(t, &w, d) == out)
			Linear(t, h.name, h.size, func(size int) []byte { return hostilePage(i, size) }, func(src []byte) extract.Document {
				return extract.Document{Type: "text/html", URL: "http://h/p/", Bytes: src}
			})
		})
	}
}

// BenchmarkHostile doubles each input three times; the throughput must stay the same.
func BenchmarkHostile(b *testing.B) {
	for i, h := range hostile {
		Doubled(b, h.name, h.size, func(size int) []byte { return hostilePage(i, size) }, func(src []byte) extract.Document {
			return extract.Document{Type: "text/html", URL: "http://h/p/", Bytes: src}
		})
	}
}
