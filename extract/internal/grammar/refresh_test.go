package grammar

import (
	"testing"

	"absolink/extract/internal/marktest"
)

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
