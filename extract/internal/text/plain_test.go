package text

import (
	"testing"

	"absolink/extract/internal/marktest"
)

// plainRows has the URLs that are found in each text.
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
	{Name: "no host", Src: "http:// http://. a//b", Want: nil},
	{Name: "a control character ends a URL", Src: "http://a/b\x7Fc", Want: marktest.Texts("http://a/b")},
}

func TestPlain(t *testing.T) { marktest.RunRows(t, Plain, plainRows) }

func TestPlainLinear(t *testing.T) {
	marktest.CheckLinear(t, Plain, ":", "://", "a://", "<URL:", "a://b)", "(", ")", "<URL:a>")
}
