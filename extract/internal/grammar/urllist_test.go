package grammar

import (
	"testing"

	"absolink/extract/internal/marktest"
)

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
