package extract

import "testing"

var urlListRows = []grammarRow{
	{"empty", "", nil},
	{"white space only", " \t\n\f\r", nil},
	{"one", "a", texts("a")},
	{"white space around and between", "\n a\tb\f\r\nc ", texts("a", "b", "c")},
	{"commas are letters", "a,b c,", texts("a,b", "c,")},
	{"other spaces are letters", "a\vb\u00a0c", texts("a\vb\u00a0c")},
}

var commaListRows = []grammarRow{
	{"empty", "", nil},
	{"nothing between commas", " , ,,", nil},
	{"one", "a.jar", texts("a.jar")},
	{"several", "a.jar,b.jar , c.jar\n", texts("a.jar", "b.jar", "c.jar")},
	{"tab and newlines inside", "a\r\n.\tjar, b", texts("a.jar", "b")},
	{"white space inside", "my classes.jar, b", texts("my classes.jar", "b")},
}

func TestURLList(t *testing.T)   { runRows(t, urlList, urlListRows) }
func TestCommaList(t *testing.T) { runRows(t, commaList, commaListRows) }

func TestListsLinear(t *testing.T) {
	checkLinear(t, urlList, " ", "a ", "a")
	checkLinear(t, commaList, ",", " ", "a,", " a")
}

func FuzzURLList(f *testing.F)   { fuzzGrammar(f, urlList, urlListRows) }
func FuzzCommaList(f *testing.F) { fuzzGrammar(f, commaList, commaListRows) }
