package resolve

import "testing"

// TestStates has references that the published test data of 2023 does not cover, by the state or clause of the URL Standard.
func TestStates(t *testing.T) {
	for _, g := range []struct {
		clause, base string
		rows         []row
	}{
		{"opaque path state: only the last space before ? or # is encoded", "http://a/", []row{
			{"x:o  ?q", "x:o %20?q"}, {"x:o  #f", "x:o %20#f"}, {"x:o  p?q", "x:o  p?q"}, {"x:o  ", "x:o"}, {"x:o \t\n#f", "x:o%20#f"}, {"x: ?q", "x:%20?q"},
		}},
		{"path percent-encode set: ^ since 2024", "http://a/", []row{{"^", "http://a/%5E"}, {"?^", "http://a/?^"}, {"#^", "http://a/#^"}}},
		{"path state: ; has no special meaning", "http://a/b/c;d", []row{{";x", "http://a/b/;x"}, {"g;x=1/../y", "http://a/b/y"}}},
		{"path state: a dot may be percent-encoded", "http://a/b/c/d", []row{
			{"%2e%2E/g", "http://a/b/g"}, {".%2e", "http://a/b/"}, {"%2e", "http://a/b/c/"}, {"...", "http://a/b/c/..."}, {"%3e", "http://a/b/c/%3e"}, {"%2e%2e%2e", "http://a/b/c/%2e%2e%2e"},
		}},
		{"special relative or authority state", "http://a/b/c", []row{
			{"http:g", "http://a/b/g"}, {"http:/g", "http://a/g"}, {"http://g", "http://g/"}, {"https:g", "https://g/"}, {"http:", "http://a/b/c"}, {"http:?y", "http://a/b/c?y"},
		}},
		{"special authority ignore slashes state", "http://a/b", []row{
			{"///g", "http://g/"}, {`\\/g\x`, "http://g/x"}, {`/\g`, "http://g/"}, {"https:////g", "https://g/"},
		}},
		{"authority state: the last @ ends the credentials", "http://a/", []row{
			{"//u@v@h", "http://u%40v@h/"}, {"//u:p:q@h", "http://u:p%3Aq@h/"}, {"//:p@h", "http://:p@h/"}, {"//u:@h", "http://u@h/"}, {"//:@h", "http://h/"},
		}},
		{"port state", "http://a:81/", []row{
			{"//h:80", "http://h/"}, {"//h:0000081", "http://h:81/"}, {"//h:", "http://h/"}, {"https://h:80", "https://h:80/"}, {"x://h:80", "x://h:80"},
		}},
		{"relative state: components that are inherited", "http://u:p@a:81/b/c?q#f", []row{
			{"", "http://u:p@a:81/b/c?q"}, {"#", "http://u:p@a:81/b/c?q#"}, {"?", "http://u:p@a:81/b/c?"}, {"g", "http://u:p@a:81/b/g"}, {"/g", "http://u:p@a:81/g"}, {"//g", "http://g/"},
		}},
		{"file states: the drive letter quirks", "file:///C:/a/b", []row{
			{"/x", "file:///C:/x"}, {"../../..", "file:///C:/"}, {"D|/x", "file:///D:/x"}, {"/D|/x", "file:///D:/x"}, {"D|x", "file:///C:/a/D|x"}, {"//D|/x", "file:///D:/x"},
			{"file:c", "file:///C:/a/c"}, {"file:", "file:///C:/a/b"}, {"//h/x", "file://h/x"}, {"//localhost/x", "file:///x"}, {"?y", "file:///C:/a/b?y"},
		}},
		{"file state: a base without a drive letter", "file://h/a/b", []row{
			{"/x", "file://h/x"}, {"c/../../..", "file://h/"}, {"C|", "file://h/C:"}, {"c/C|/x", "file://h/a/c/C|/x"}, {"../../C|/../x", "file://h/C:/x"},
		}},
		{"file state: a segment that only starts like a drive letter", "file:///C:x/y", []row{{"/z", "file:///z"}, {"../..", "file:///"}}},
		{"URL serializer, step 3: /. before a path that starts with two slashes", "x:/a/b", []row{
			{"..//g", "x:/.//g"}, {"/.//g", "x:/.//g"}, {"y:/..//g", "y:/.//g"}, {"/.//g/..", "x:/.//"}, {"//g", "x://g"},
		}},
		{"relative state: a base with such a path", "x:/.//a/b?q", []row{
			{"", "x:/.//a/b?q"}, {"?y", "x:/.//a/b?y"}, {"#f", "x:/.//a/b?q#f"}, {"g", "x:/.//a/g"}, {"/g", "x:/g"}, {"../../g", "x:/g"},
		}},
		{"a non-special URL with an empty host", "x:///a", []row{{"b", "x:///b"}, {"//h", "x://h"}, {"//", "x://"}, {`\b`, `x:///\b`}}},
		{"opaque-host parser", "x://h/", []row{{"//A%2f:9", "x://A%2f:9"}, {"//é", "x://%C3%A9"}, {"//1.2", "x://1.2"}, {"//[1:0::1]", "x://[1::1]"}}},
		{"UTF-8 decode: one U+FFFD for each truncated sequence", "http://a/", []row{{"\xF4\x80\x80x", "http://a/%EF%BF%BDx"}, {"\xF5\x80", "http://a/%EF%BF%BD%EF%BF%BD"}}},
		{"IPv4 parser", "http://a/", []row{
			{"//1", "http://0.0.0.1/"}, {"//0x7f.1", "http://127.0.0.1/"}, {"//010.0.0.1.", "http://8.0.0.1/"}, {"//１.２", "http://1.0.0.2/"}, {"//a.1b", "http://a.1b/"}, {"//0x.0X", "http://0.0.0.0/"}, {"//0x_", "http://0x_/"},
		}},
		{"IPv6 serializer", "http://a/", []row{
			{"//[1:0:0:2:0:0:0:3]", "http://[1:0:0:2::3]/"}, {"//[0:0:1:0:0:1:0:0]", "http://[::1:0:0:1:0:0]/"}, {"//[::ffff:1.2.3.4]", "http://[::ffff:102:304]/"},
			{"//[1:0:2:0:3:0:4:0]", "http://[1:0:2:0:3:0:4:0]/"}, {"//[::]", "http://[::]/"}, {"//[ABCD::]", "http://[abcd::]/"},
		}},
		{"IPv6 parser", "http://a/", []row{
			{"//[::1F]", "http://[::1f]/"}, {"//[::0123:4567:89AB:CDEF]", "http://[::123:4567:89ab:cdef]/"}, {"//[::2:3:4:5:6:7:8]", "http://[0:2:3:4:5:6:7:8]/"}, {"//[1:2:3:4:5:6:7::]", "http://[1:2:3:4:5:6:7:0]/"},
		}},
		{"domain parser: an ASCII domain is only converted to lower case", "http://a/", []row{{"//XN--A", "http://xn--a/"}, {"//A.Z", "http://a.z/"}, {"//xn--8i7caa", "http://xn--8i7caa/"}, {"//a_b.C", "http://a_b.c/"}, {"//%41.%c3%9f", "http://a.xn--zca/"}}},
	} {
		t.Run(g.clause, func(t *testing.T) { checkRows(t, WHATWG, g.base, g.rows) })
	}
}
