package extract

import "testing"

var plainRows = []grammarRow{
	{"RFC 1738 appendix", "Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;\n      type=d> but you can probably pick it up from <URL:ftp://ds.in\n   ternic.net/rfc>.",
		texts("ftp://info.cern.ch/pub/www/doc;type=d", "ftp://ds.internic.net/rfc")},
	{"a relative one in the wrapper", "<url: ../a\tb >", texts("../ab")},
	{"nothing in the wrapper, or no end", "<URL:> <URL: > <URL:a <URL:b> <URL:c", texts("b")},
	{"RFC 3986 appendix C: brackets and quotes", `<http://a/> "http://b/" 'http://c/'`, texts("http://a/", "http://b/", "http://c/")},
	{"what ends a sentence", "http://a/b. See http://c/d, http://e/f; http://g/h: http://i/j? http://k/l! http://m/n...", texts("http://a/b", "http://c/d", "http://e/f", "http://g/h", "http://i/j", "http://k/l", "http://m/n")},
	{"brackets around", "(http://a/b) [http://c/d], {http://e/f}. ((http://g/h))", texts("http://a/b", "http://c/d", "http://e/f", "http://g/h")},
	{"brackets in it", "http://a/b_(c) (see http://d/e_(f)). http://[::1] http://g/{h}", texts("http://a/b_(c)", "http://d/e_(f)", "http://[::1]", "http://g/{h}")},
	{"schemes", "HTTP://A/ svn+ssh://b/ 1http://c/ x:http://d/ ://e", texts("HTTP://A/", "svn+ssh://b/", "http://c/", "http://d/")},
	{"no host", "http:// http://. a//b", nil},
	{"a control ends it", "http://a/b\x7Fc", texts("http://a/b")},
}

func TestPlain(t *testing.T) { runRows(t, Plain, plainRows) }

func TestPlainLinear(t *testing.T) {
	checkLinear(t, Plain, ":", "://", "a://", "<URL:", "a://b)", "(", ")", "<URL:a>")
}
