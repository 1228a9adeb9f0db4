package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/marktest"
)

var plainRows = []marktest.GrammarRow{
	{Name: "RFC 1738 appendix", Src: "Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;\n      type=d> but you can probably pick it up from <URL:ftp://ds.in\n   ternic.net/rfc>.",
		Want: marktest.Texts("ftp://info.cern.ch/pub/www/doc;type=d", "ftp://ds.internic.net/rfc")},
	{Name: "a relative wrapped URL with white space", Src: "<url: ../a\tb >", Want: marktest.Texts("../ab")},
	{Name: "an empty wrapper, and a wrapper without an end", Src: "<URL:> <URL: > <URL:a <URL:b> <URL:c", Want: marktest.Texts("b")},
	{Name: "RFC 3986 appendix C: brackets and quotes", Src: `<http://a/> "http://b/" 'http://c/'`, Want: marktest.Texts("http://a/", "http://b/", "http://c/")},
	{Name: "punctuation at the end of a sentence", Src: "http://a/b. See http://c/d, http://e/f; http://g/h: http://i/j? http://k/l! http://m/n...", Want: marktest.Texts("http://a/b", "http://c/d", "http://e/f", "http://g/h", "http://i/j", "http://k/l", "http://m/n")},
	{Name: "brackets around a URL", Src: "(http://a/b) [http://c/d], {http://e/f}. ((http://g/h))", Want: marktest.Texts("http://a/b", "http://c/d", "http://e/f", "http://g/h")},
	{Name: "brackets in a URL", Src: "http://a/b_(c) (see http://d/e_(f)). http://[::1] http://g/{h}", Want: marktest.Texts("http://a/b_(c)", "http://d/e_(f)", "http://[::1]", "http://g/{h}")},
	{Name: "schemes", Src: "HTTP://A/ svn+ssh://b/ 1http://c/ x:http://d/ ://e", Want: marktest.Texts("HTTP://A/", "svn+ssh://b/", "http://c/", "http://d/")},
	{Name: "RFC 3986 appendix C: lines", Src: "<http://a/b/\r\nc\r\nd> <http:\n//e>", Want: marktest.Texts("http://a/b/cd", "http://e")},
	{Name: "lines of the same quote depth", Src: "> > <http://a/\n> > b>\n>> <http://c/\n>> d>, <URL:e\n>> f>", Want: marktest.Texts("http://a/b", "http://c/d", "ef")},
	{Name: "lines of different quote depths", Src: "> <http://a/\n>> b>\n<http://c/\n> d>", Want: marktest.Texts("http://a/", "http://c/")},
	{Name: "a bracket in a line of its own", Src: "<http://a/\nb\n>", Want: marktest.Texts("http://a/b")},
	{Name: "other white space", Src: "<http://a/\n b> <http://c/ \nd> <http://e/\n\nf> <http://g/\nh i>", Want: marktest.Texts("http://a/", "http://c/", "http://e/", "http://g/")},
	{Name: "no end of the brackets", Src: "<http://a/\nb <http://c/\nd", Want: marktest.Texts("http://a/", "http://c/")},
	{Name: "a hyphen at a line end", Src: "<http://a/b-\nc>", Want: marktest.Texts("http://a/b-")},
	{Name: "brackets without slashes", Src: "<a:b\nc> <http:\n/d/>", Want: nil},
	{Name: "no host", Src: "http:// http://. a//b", Want: nil},
	{Name: "Unicode white space and controls end a URL", Src: each("http://a/%b ", "\u0085\u00A0\u1680\u2000\u2003\u200B\u2028\u2029\u202F\u205F\u3000\uFEFF\u009F\u200E\u202B\u2066"), Want: strings.Fields(strings.Repeat("http://a/ ", 16))},
	{Name: "no such character", Src: each("http://a/%b ", "\u00AD\u200C\u200D\u00E9\uFFFD"), Want: strings.Fields(each("http://a/%b ", "\u00AD\u200C\u200D\u00E9\uFFFD"))},
	{Name: "bytes that are not UTF-8", Src: "http://a/\xA0b\x85 http://c/\xE3\x80", Want: marktest.Texts("http://a/\xA0b\x85", "http://c/\xE3\x80")},
	{Name: "brackets and quotes outside ASCII", Src: "（http://a/）x「http://a/」x『http://a/』x【http://a/】x〈http://a/〉x《http://a/》x“http://a/”x«http://a/»x‹http://a/›x〔http://a/〕x［http://a/］x", Want: strings.Fields(strings.Repeat("http://a/ ", 11))},
	{Name: "next to each other", Src: "【http://a/5】「http://a/6」（http://a/7）。(http://a/8)、(http://a/9)", Want: marktest.Texts("http://a/5", "http://a/6", "http://a/7", "http://a/8", "http://a/9")},
	{Name: "opened inside the URL", Src: "http://a/wiki/台北（消歧義） （http://a/x（y）） http://a/“b”c http://a/‘b’", Want: marktest.Texts("http://a/wiki/台北（消歧義）", "http://a/x（y）", "http://a/“b”c", "http://a/‘b’")},
	{Name: "an apostrophe", Src: "http://a/L’Oréal ‘http://b/’ ‘http://c/’. http://d/x’s http://e/’，台", Want: marktest.Texts("http://a/L’Oréal", "http://b/", "http://c/", "http://d/x’s", "http://e/")},
	{Name: "closing quotes that look like opening ones", Src: "„http://a/“. »http://b/« ‚http://c/‘", Want: marktest.Texts("http://a/", "http://b/", "http://c/")},
	{Name: "punctuation outside ASCII", Src: each("http://a/b% http://a/b%台 http://a/b%c http://a/b%)\n", "。、，；：！？…"),
		Want: strings.Fields(each("http://a/b http://a/b http://a/b%c http://a/b ", "。、，；：！？…"))},
	{Name: "punctuation in a row", Src: "http://a/b……」http://c/d。」\nhttp://e/f！！", Want: marktest.Texts("http://a/b", "http://c/d", "http://e/f")},
	{Name: "Unicode white space in lines", Src: "<http://a/b\u00A0\nc> <http://d/\ne\u3000f>", Want: marktest.Texts("http://a/b", "http://d/")},
	{Name: "a control character ends a URL", Src: "http://a/b\x7Fc", Want: marktest.Texts("http://a/b")},
}

// each repeats the format for each character, which replaces its "%".
func each(format, characters string) (all string) {
	for _, r := range characters {
		all += strings.ReplaceAll(format, "%", string(r))
	}
	return all
}

func TestPlain(t *testing.T) { marktest.RunRows(t, Plain, plainRows) }

func TestRobots(t *testing.T) {
	marktest.RunRows(t, Robots, []marktest.GrammarRow{
		{Name: "RFC 9309 2.2: CR ends a line", Src: "User-agent: *\rSitemap: /a\rSitemap: /b#\r\nSitemap:\r/no\r\rsitemap:c", Want: marktest.Texts("/a", "/b", "c")},
	})
}

// flowedRows are the rules of RFC 3676 for soft line breaks with DelSp=yes.
var flowedRows = []marktest.GrammarRow{
	{Name: "4.1: a soft line break", Src: "See http://a/ \r\nb \r\nc for it", Want: marktest.Texts("http://a/bc")},
	{Name: "4.1: two spaces, of which one stays", Src: "See http://a/  \nb", Want: marktest.Texts("http://a/")},
	{Name: "a scheme in two lines", Src: "ht \ntp:/ \n/a/", Want: marktest.Texts("http://a/")},
	{Name: "a hard line break", Src: "http://a/\nb", Want: marktest.Texts("http://a/")},
	{Name: "4.3: a signature line", Src: "http://a/ \n-- \nhttp://b/ \nc", Want: marktest.Texts("http://a/", "http://b/c")},
	{Name: "4.3: a signature line does not continue", Src: "-- \nhttp://a/", Want: marktest.Texts("http://a/")},
	{Name: "4.4: space-stuffing", Src: "http://a/ \n >b", Want: marktest.Texts("http://a/")},
	{Name: "4.5: the same quote depth", Src: ">> http://a/ \n>>b \n>> c", Want: marktest.Texts("http://a/bc")},
	{Name: "4.5: another quote depth", Src: "> http://a/ \nb", Want: marktest.Texts("http://a/")},
	{Name: "an empty line", Src: "http://a/ \n\nb \n", Want: marktest.Texts("http://a/")},
	{Name: "brackets over soft and hard breaks", Src: "<http://a/ \nb\nc> <URL:d \ne>", Want: marktest.Texts("http://a/bc", "de")},
}

func TestFlowed(t *testing.T) { marktest.RunRows(t, flowed, flowedRows) }

// A URL in brackets can go over several lines. A spelling with a space has soft line breaks.
func TestReadsAngle(t *testing.T) {
	for spelled, want := range map[string]bool{
		"http://a/b": true, "http://a/b.": false, "http://a/\nb": true, "http://a/\nb.": true, "http://a/ \nb": true, "http://a/ \nb.": false,
		"http:/a\nb": false, "ht\ntp://a/b": false, "http:\n//a/b": true, "/a\nb": false, "": false,
	} {
		assert.Equal(t, want, readsAngle([]byte(spelled)), "%q", spelled)
	}
}

// A URL that is glued to a word needs a scheme at which it begins.
func TestReadsGlued(t *testing.T) {
	for spelled, want := range map[string]bool{"https://h/x": true, "git+https://h/x": true, "app://h/x": false, "https://h/(x": false, "x y": false} {
		assert.Equal(t, want, gluedPlace.Reads([]byte(spelled)), spelled)
	}
}

func TestPlainLinear(t *testing.T) {
	marktest.CheckLinear(t, Plain, "<a://\n", "> <a://\n> ", "<a://\nb\n> ", "<URL:\n>", ":", "://", "a://", "<URL:", "a://b)", "(", ")", "<URL:a>", "（", "a://b）", "a://b’", "a://b。")
}
