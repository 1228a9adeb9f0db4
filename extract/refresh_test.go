package extract

import "testing"

// The rows follow the steps of "shared declarative refresh steps", HTML 4.2.5.3.
var refreshRows = []grammarRow{
	{"plain", "5; url=foo", texts("foo")},
	{"time only", "5", nil},
	{"time and white space", "5 ", nil},
	{"time and separator", "5;", nil},
	{"time and separator and white space", "5 ; ", nil},
	{"step 3: white space before the time", " \t\n\f\r1;url=foo", texts("foo")},
	{"step 6: no time", "; url=foo", nil},
	{"step 6: empty", "", nil},
	{"step 6: white space", " ", nil},
	{"step 6: only a URL", "url=foo", nil},
	{"step 6: signs", "+1; url=foo", nil},
	{"step 6: negative", "-1; url=foo", nil},
	{"step 6: a letter", "x; url=foo", nil},
	{"step 6: a point", ".; url=foo", texts("foo")},
	{"step 6: no whole part", ".5, foo", texts("foo")},
	{"step 8: fraction", "1.9; url=foo", texts("foo")},
	{"step 8: points", "1.5.2,foo", texts("foo")},
	{"step 10: junk behind the time", "1x; url=foo", nil},
	{"step 10: white space separates", "1 foo", texts("foo")},
	{"step 10: comma", "1,url=foo", texts("foo")},
	{"step 10: white space, separator, white space", "1 \n;\t\rfoo", texts("foo")},
	{"step 10: one separator only", "1;;foo", texts(";foo")},
	{"step 10: one separator only, comma", "1;, url=foo", texts(", url=foo")},
	{"step 11: no name", "1; foo", texts("foo")},
	{"step 11: u", "1; u", texts("u")},
	{"step 11: ur", "1; ur", texts("ur")},
	{"step 11: url", "1; url", texts("url")},
	{"step 11: url and no equals sign", "1; url foo", texts("url foo")},
	{"step 11: url and no equals sign but a quote", `1; url "foo"`, texts(`url "foo"`)},
	{"step 11: longer name", "1; urls=foo", texts("urls=foo")},
	{"step 11: starts with u", "1; uploads/x.html", texts("uploads/x.html")},
	{"step 11: in any case", "1; UrL=foo", texts("foo")},
	{"step 11: white space around the equals sign", "0 url \t=\n \"x\" junk", texts("x")},
	{"step 11: second equals sign", "1; url==foo", texts("=foo")},
	{"step 11: name twice", "1; url=url=foo", texts("url=foo")},
	{"empty URL", "1; url=", texts("")},
	{"empty URL in quotes", "1; url=''", texts("")},
	{"quotes", `1; url="foo"`, texts("foo")},
	{"quotes: apostrophes", "0;'foo'", texts("foo")},
	{"quotes: what follows is cut", `1; url="foo"; bar`, texts("foo")},
	{"quotes: no end", "0;URL='x", texts("x")},
	{"quotes: only the first", `1; "`, texts("")},
	{"quotes: of the other kind", `1; url="f'oo'`, texts("f'oo'")},
	{"quotes: inside", `1; url=f"oo"`, texts(`f"oo"`)},
	{"quotes: white space inside", `1; url=" foo "`, texts("foo")},
	{"white space at the end", "1; url=foo bar \n", texts("foo bar")},
	{"tab and newlines inside, as URL Standard 4.4 reads them", "1; url=fo\r\n\to bar", texts("foo bar")},
	{"the same in quotes", "1; url='\n f\no\to '", texts("foo")},
	{"commas and semicolons in the URL", "1; url=a;b,c", texts("a;b,c")},
}

func TestRefresh(t *testing.T) { runRows(t, refresh, refreshRows) }

func TestRefreshLinear(t *testing.T) {
	checkLinear(t, refresh, "1", " ", "1;", "1 ", `1"`, ".")
}

func FuzzRefresh(f *testing.F) { fuzzGrammar(f, refresh, refreshRows) }
