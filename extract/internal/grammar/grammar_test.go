package grammar

import (
	"strings"
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

func TestHasPlaceholder(t *testing.T) {
	for _, row := range []struct {
		name, refs string // between newlines
		want       bool
	}{
		{"at the start", "{{ x }}\n{{{x}}}\n{{ x }}/y.html\n{% url 'x' %}\n{# x #}\n{!! x !!}\n[% x %]\n[%- x -%]/y\n[%x%]\n[%first_name%]\n%%=v(@x)=%%?y\n$!{x}\n{$x}\n${x}\n<%= x %>\n<?= x ?>\n<?php x ?>\n*|X|*", true},
		{"cut off by a space", "{{\n<%=\n{%\n{!!\n[%\n[%a", true},
		{"in the authority", "//{{ x }}\nhttps://{{ x }}/\nhttps://u@{{ x }}:80/\nhttp://a.${x}/\nh1+.-://*|X|*", true},
		{"the whole reference", "%%x%%\n%x%\n%view_online%\n%%a%b%%\n{x}\n{Link_URL2}\n[X]\n[UNSUBSCRIBE_URL2]\n$X\n$UnsubscribeLink\n:/0123456789abcdef0123456789ABCDEF", true},
		{"the first segment", "[[x]]\n[[x]]/y\n[[+x]]\n[[~12]]?y\n[[~[[*id]]]]\n[[~[[*id]]? &scheme=`full`]]#y\n###x_Y###\n###x###/y\n::x1::\n::x::/y\n__X__\n__SITE_URL2__/x.png\n__X__#y\n__X__?y", true},
		{"later in the reference", "/v/{{ x }}\nv/{{x}}\n?n={{ x }}\n#{{ x }}\nhttp://h/{{ x }}\n//h?{{x}}\n//h#${x}\n//\ngo?to=https://{{x}}\nmailto:{{ x }}", false},
		{"an expression of RFC 6570, or a part of it", "{?x}\n{+x}\n{x,y}\n{x}/y\n{x\n{}\n{1}\n{\na{b}\n{x}{y}", false},
		{"a name with a dollar, or a price", "$metadata\n$colon$colon\n$Gson$Types.html\n$1.50\n$X/y\n$x\n$\n$!x\n$!\n($app-environment)\n($X)", false},
		{"names of files", "__pycache__/\n__init__.py\n__X__.py\n__X__y\n__A__B__/x\n____\n__X_\n_X_\n__1__\n~user\n(x)", false},
		{"an address, or a name with colons", "::1\n::1::\n::x\n::x::y\n::\n::::\n:/\n:/x\n:/0123456789abcdef0123456789abcde\n:/0123456789abcdef0123456789abcdef/x\n:x", false},
		{"a fragment", "#x\n##x##\n###x\n###\n######\n###1###\n#x###\n###x###y\n#{x}\n#[X]", false},
		{"other signs", "*x\n<x>\n<", false},
		{"percent-encoded", "%E4%BD%A0\na%20b%20c\n%20%\n%25\n%\n%%\n%%%%\n%a%b%\n%x%/y\n[%E4%BD%A0]", false},
		{"no name in brackets", "[[1]]\n[1]\n[X1]/y\n[X y]\n[]\n[[]]\n[x]\n[X\n[[x]]y\n[[", false},
		{"plain", "x.html\n/x\n../x\nhttp://h/x\ndata:,x\n[::1]", false},
	} {
		for ref := range strings.SplitSeq(row.refs, "\n") {
			absolute := strings.HasPrefix(ref, "h") || strings.HasPrefix(ref, "mailto:")
			assert.Equal(t, row.want, HasPlaceholder([]byte(ref), absolute), "%s: %s", row.name, ref)
		}
	}
	assert.False(t, HasPlaceholder(nil, false))
}

// The rows follow the steps of "shared declarative refresh steps", HTML 4.2.5.3.
var refreshRows = []marktest.GrammarRow{
	{Name: "plain", Src: "5; url=foo", Want: marktest.Texts("foo")},
	{Name: "time only", Src: "5", Want: nil},
	{Name: "time and white space", Src: "5 ", Want: nil},
	{Name: "time and separator", Src: "5;", Want: nil},
	{Name: "time and separator and white space", Src: "5 ; ", Want: nil},
	{Name: "step 3: white space before the time", Src: " \t\n\f\r1;url=foo", Want: marktest.Texts("foo")},
	{Name: "step 6: no time", Src: "; url=foo", Want: nil},
	{Name: "step 6: empty", Src: "", Want: nil},
	{Name: "step 6: white space", Src: " ", Want: nil},
	{Name: "step 6: only a URL", Src: "url=foo", Want: nil},
	{Name: "step 6: signs", Src: "+1; url=foo", Want: nil},
	{Name: "step 6: negative", Src: "-1; url=foo", Want: nil},
	{Name: "step 6: a letter", Src: "x; url=foo", Want: nil},
	{Name: "step 6: a point", Src: ".; url=foo", Want: marktest.Texts("foo")},
	{Name: "step 6: no whole part", Src: ".5, foo", Want: marktest.Texts("foo")},
	{Name: "step 8: fraction", Src: "1.9; url=foo", Want: marktest.Texts("foo")},
	{Name: "step 8: points", Src: "1.5.2,foo", Want: marktest.Texts("foo")},
	{Name: "step 10: invalid text after the time", Src: "1x; url=foo", Want: nil},
	{Name: "step 10: white space separates", Src: "1 foo", Want: marktest.Texts("foo")},
	{Name: "step 10: comma", Src: "1,url=foo", Want: marktest.Texts("foo")},
	{Name: "step 10: white space, separator, white space", Src: "1 \n;\t\rfoo", Want: marktest.Texts("foo")},
	{Name: "step 10: one separator only", Src: "1;;foo", Want: marktest.Texts(";foo")},
	{Name: "step 10: one separator only, comma", Src: "1;, url=foo", Want: marktest.Texts(", url=foo")},
	{Name: "step 11: no name", Src: "1; foo", Want: marktest.Texts("foo")},
	{Name: "step 11: u", Src: "1; u", Want: marktest.Texts("u")},
	{Name: "step 11: ur", Src: "1; ur", Want: marktest.Texts("ur")},
	{Name: "step 11: url", Src: "1; url", Want: marktest.Texts("url")},
	{Name: "step 11: url without an equals sign", Src: "1; url foo", Want: marktest.Texts("url foo")},
	{Name: "step 11: url without an equals sign, then a quote", Src: `1; url "foo"`, Want: marktest.Texts(`url "foo"`)},
	{Name: "step 11: longer name", Src: "1; urls=foo", Want: marktest.Texts("urls=foo")},
	{Name: "step 11: starts with u", Src: "1; uploads/x.html", Want: marktest.Texts("uploads/x.html")},
	{Name: "step 11: in any case", Src: "1; UrL=foo", Want: marktest.Texts("foo")},
	{Name: "step 11: white space around the equals sign", Src: "0 url \t=\n \"x\" junk", Want: marktest.Texts("x")},
	{Name: "step 11: second equals sign", Src: "1; url==foo", Want: marktest.Texts("=foo")},
	{Name: "step 11: name twice", Src: "1; url=url=foo", Want: marktest.Texts("url=foo")},
	{Name: "empty URL", Src: "1; url=", Want: marktest.Texts("")},
	{Name: "empty URL in quotes", Src: "1; url=''", Want: marktest.Texts("")},
	{Name: "quotes", Src: `1; url="foo"`, Want: marktest.Texts("foo")},
	{Name: "quotes: apostrophes", Src: "0;'foo'", Want: marktest.Texts("foo")},
	{Name: "quotes: text after them is ignored", Src: `1; url="foo"; bar`, Want: marktest.Texts("foo")},
	{Name: "quotes: unclosed", Src: "0;URL='x", Want: marktest.Texts("x")},
	{Name: "quotes: only an opening quote", Src: `1; "`, Want: marktest.Texts("")},
	{Name: "quotes: of the other kind", Src: `1; url="f'oo'`, Want: marktest.Texts("f'oo'")},
	{Name: "quotes: inside", Src: `1; url=f"oo"`, Want: marktest.Texts(`f"oo"`)},
	{Name: "quotes: white space inside", Src: `1; url=" foo "`, Want: marktest.Texts("foo")},
	{Name: "white space at the end", Src: "1; url=foo bar \n", Want: marktest.Texts("foo bar")},
	{Name: "tab and newlines inside, URL Standard 4.4", Src: "1; url=fo\r\n\to bar", Want: marktest.Texts("foo bar")},
	{Name: "tab and newlines inside quotes, URL Standard 4.4", Src: "1; url='\n f\no\to '", Want: marktest.Texts("foo")},
	{Name: "commas and semicolons in the URL", Src: "1; url=a;b,c", Want: marktest.Texts("a;b,c")},
}

func TestRefresh(t *testing.T) { marktest.RunRows(t, Refresh, refreshRows) }

func TestRefreshLinear(t *testing.T) {
	marktest.CheckLinear(t, Refresh, "1", " ", "1;", "1 ", `1"`, ".")
}

func FuzzRefresh(f *testing.F) { marktest.FuzzGrammar(f, Refresh, refreshRows) }

var urlListRows = []marktest.GrammarRow{
	{Name: "empty", Src: "", Want: nil},
	{Name: "white space only", Src: " \t\n\f\r", Want: nil},
	{Name: "one", Src: "a", Want: marktest.Texts("a")},
	{Name: "white space around and between", Src: "\n a\tb\f\r\nc ", Want: marktest.Texts("a", "b", "c")},
	{Name: "commas are part of a URL", Src: "a,b c,", Want: marktest.Texts("a,b", "c,")},
	{Name: "other spaces are part of a URL", Src: "a\vb\u00a0c", Want: marktest.Texts("a\vb\u00a0c")},
}

var commaListRows = []marktest.GrammarRow{
	{Name: "empty", Src: "", Want: nil},
	{Name: "only empty items", Src: " , ,,", Want: nil},
	{Name: "one", Src: "a.jar", Want: marktest.Texts("a.jar")},
	{Name: "several", Src: "a.jar,b.jar , c.jar\n", Want: marktest.Texts("a.jar", "b.jar", "c.jar")},
	{Name: "tab and newlines inside", Src: "a\r\n.\tjar, b", Want: marktest.Texts("a.jar", "b")},
	{Name: "white space inside", Src: "my classes.jar, b", Want: marktest.Texts("my classes.jar", "b")},
}

func TestURLList(t *testing.T)   { marktest.RunRows(t, URLList, urlListRows) }
func TestCommaList(t *testing.T) { marktest.RunRows(t, CommaList, commaListRows) }

func TestListsLinear(t *testing.T) {
	marktest.CheckLinear(t, URLList, " ", "a ", "a")
	marktest.CheckLinear(t, CommaList, ",", " ", "a,", " a")
}

func FuzzURLList(f *testing.F)   { marktest.FuzzGrammar(f, URLList, urlListRows) }
func FuzzCommaList(f *testing.F) { marktest.FuzzGrammar(f, CommaList, commaListRows) }
