package grammar

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/marktest"
)

var linkHeaderRows = []marktest.GrammarRow{
	{Name: "RFC 8288 3.5, first", Src: `<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"`, Want: marktest.Texts("http://example.com/TheBook/chapter2")},
	{Name: "RFC 8288 3.5, second", Src: `</>; rel="http://example.net/foo"`, Want: marktest.Texts("/")},
	{Name: "RFC 8288 3.5, third", Src: `</terms>; rel="copyright"; anchor="#foo"`, Want: marktest.Texts("/terms")},
	{Name: "RFC 8288 3.5, fourth", Src: "</TheBook/chapter2>;\r\n rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel,\r\n </TheBook/chapter4>;\r\n rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
		Want: marktest.Texts("/TheBook/chapter2", "/TheBook/chapter4")},
	{Name: "RFC 8288 3.5, fifth", Src: `<http://example.org/>; rel="start http://example.net/relation/other"`, Want: marktest.Texts("http://example.org/")},
	{Name: "RFC 8288 3.5, sixth", Src: `<https://example.org/>; rel="start", <https://example.org/index>; rel="index"`, Want: marktest.Texts("https://example.org/", "https://example.org/index")},
	{Name: "empty", Src: "", Want: nil},
	{Name: "only a target", Src: "<a>", Want: marktest.Texts("a")},
	{Name: "no white space", Src: "<a>;rel=x,<b>;rel=y", Want: marktest.Texts("a", "b")},
	{Name: "brackets and commas in a quoted string", Src: `<t>; rel=x; title="a,<b>", <t2>`, Want: marktest.Texts("t", "t2")},
	{Name: "an equals sign at the end of a quoted string", Src: `<a>; title="x=", <b>`, Want: marktest.Texts("a", "b")},
	{Name: "escapes in a quoted string", Src: `<a>; title="\",<b>\\", <c>`, Want: marktest.Texts("a", "c")},
	{Name: "backslash at the end", Src: `<a>; title="\`, Want: marktest.Texts("a")},
	{Name: "white space around the equals sign", Src: "<a>; title \t= \",<b>\", <c>", Want: marktest.Texts("a", "c")},
	{Name: "quote inside an unquoted value", Src: `<a>; title=it"s, <b>; title=b="c, <d>`, Want: marktest.Texts("a", "b", "d")},
	{Name: "quote without a value", Src: `<a>; "b, <c>; d"`, Want: marktest.Texts("a", "c")},
	{Name: "unclosed quoted string", Src: `<a>; title="b, <c>`, Want: marktest.Texts("a")},
	{Name: "invalid text after a quoted string", Src: `<a>; title="b"c, <d>`, Want: marktest.Texts("a", "d")},
	{Name: "bracket in an unquoted value", Src: "<a>; title=<b>, <c>", Want: marktest.Texts("a", "c")},
	{Name: "only semicolons after a target", Src: "<a>;;; ;, <b>;", Want: marktest.Texts("a", "b")},
	{Name: "parameters without values", Src: "<a>; x; y=; z, <b>; crossorigin", Want: marktest.Texts("a", "b")},
	{Name: "empty elements", Src: ", ,<a>,, , <b>,", Want: marktest.Texts("a", "b")},
	{Name: "no comma between targets", Src: "<a> <b>", Want: marktest.Texts("a", "b")},
	{Name: "invalid elements", Src: `foo, <a>, http://b/; title=",<c>", <d>`, Want: marktest.Texts("a", "d")},
	{Name: "comma and brackets in a target", Src: "<a,<b>; rel=x", Want: marktest.Texts("a,<b")},
	{Name: "unclosed target", Src: "<a>, <b; rel=x", Want: marktest.Texts("a")},
	{Name: "white space in a target", Src: "< a b\t>", Want: marktest.Texts("a b")},
	{Name: "tab and newlines in a target", Src: "<a\r\nb\tc>", Want: marktest.Texts("abc")},
	{Name: "empty target", Src: "<>; rel=self, < >", Want: marktest.Texts("", "")},
	{Name: "several angle brackets", Src: "<<>>>, <a>", Want: marktest.Texts("<", "a")},
}

func TestLinkHeader(t *testing.T) { marktest.RunRows(t, LinkHeader, linkHeaderRows) }

// The keys are the text after a target, and the values are rel and title.
func TestDescribeLink(t *testing.T) {
	for after, want := range map[string][2]string{
		`>; rel=next`:                              {"next", ""},
		` > ;REL = next ; title = a `:              {"next", "a"},
		`>; rel="next up"; title="a;\"b\\"`:        {"next up", `a;"b\`},
		`>; rel=a; rel=b; title=; title=c`:         {"a", ""},
		`>; title*=UTF-8''a; rel=next, <b>; rel=c`: {"next", ""},
		`>; x="; rel=a, "; rel=b`:                  {"b", ""},
		`>; rel; title`:                            {"", ""},
		`>;;; rel="a"b;title="c`:                   {"a", "c"},
		`>; rel="a\`:                               {"a\\", ""},
		`>, <b>; rel=c`:                            {"", ""},
		`> <b>; rel=c`:                             {"", ""},
		`>`:                                        {"", ""},
	} {
		rel, title := describeLink([]byte(after))
		assert.Equal(t, want, [2]string{string(rel), string(title)}, after)
	}
}

func TestLinkHeaderLinear(t *testing.T) {
	marktest.CheckLinear(t, LinkHeader, "<", "<a>", "<a>;", ",", "a", `a="`, `a="\`, `="",`, "=", " ", "<a>;b=")
}

func FuzzLinkHeader(f *testing.F) { marktest.FuzzGrammar(f, LinkHeader, linkHeaderRows) }
