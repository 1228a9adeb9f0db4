package extract

import "testing"

var linkHeaderRows = []grammarRow{
	{"RFC 8288 3.5, first", `<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"`, texts("http://example.com/TheBook/chapter2")},
	{"RFC 8288 3.5, second", `</>; rel="http://example.net/foo"`, texts("/")},
	{"RFC 8288 3.5, third", `</terms>; rel="copyright"; anchor="#foo"`, texts("/terms")},
	{"RFC 8288 3.5, fourth", "</TheBook/chapter2>;\r\n rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel,\r\n </TheBook/chapter4>;\r\n rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
		texts("/TheBook/chapter2", "/TheBook/chapter4")},
	{"RFC 8288 3.5, fifth", `<http://example.org/>; rel="start http://example.net/relation/other"`, texts("http://example.org/")},
	{"RFC 8288 3.5, sixth", `<https://example.org/>; rel="start", <https://example.org/index>; rel="index"`, texts("https://example.org/", "https://example.org/index")},
	{"empty", "", nil},
	{"target alone", "<a>", texts("a")},
	{"no white space", "<a>;rel=x,<b>;rel=y", texts("a", "b")},
	{"brackets and commas in a quoted string", `<t>; rel=x; title="a,<b>", <t2>`, texts("t", "t2")},
	{"an equals sign at the end of a quoted string", `<a>; title="x=", <b>`, texts("a", "b")},
	{"escapes in a quoted string", `<a>; title="\",<b>\\", <c>`, texts("a", "c")},
	{"backslash at the end", `<a>; title="\`, texts("a")},
	{"white space around the equals sign", "<a>; title \t= \",<b>\", <c>", texts("a", "c")},
	{"quote inside an unquoted value", `<a>; title=it"s, <b>; title=b="c, <d>`, texts("a", "b", "d")},
	{"quote without a value", `<a>; "b, <c>; d"`, texts("a", "c")},
	{"quoted string without an end", `<a>; title="b, <c>`, texts("a")},
	{"junk behind a quoted string", `<a>; title="b"c, <d>`, texts("a", "d")},
	{"bracket in an unquoted value", "<a>; title=<b>, <c>", texts("a", "c")},
	{"semicolons alone", "<a>;;; ;, <b>;", texts("a", "b")},
	{"parameters without values", "<a>; x; y=; z, <b>; crossorigin", texts("a", "b")},
	{"empty elements", ", ,<a>,, , <b>,", texts("a", "b")},
	{"no comma between", "<a> <b>", texts("a", "b")},
	{"junk elements", `foo, <a>, http://b/; title=",<c>", <d>`, texts("a", "d")},
	{"comma and brackets in a target", "<a,<b>; rel=x", texts("a,<b")},
	{"target without an end", "<a>, <b; rel=x", texts("a")},
	{"white space in a target", "< a b\t>", texts("a b")},
	{"tab and newlines in a target", "<a\r\nb\tc>", texts("abc")},
	{"empty target", "<>; rel=self, < >", texts("", "")},
	{"angles only", "<<>>>, <a>", texts("<", "a")},
}

func TestLinkHeader(t *testing.T) { runRows(t, linkHeader, linkHeaderRows) }

func TestLinkHeaderLinear(t *testing.T) {
	checkLinear(t, linkHeader, "<", "<a>", "<a>;", ",", "a", `a="`, `a="\`, `="",`, "=", " ", "<a>;b=")
}

func FuzzLinkHeader(f *testing.F) { fuzzGrammar(f, linkHeader, linkHeaderRows) }
