package header

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

type params = map[string]string

var contentTypeRows = []struct {
	name, src, mediaType string
	params               params
}{
	{"RFC 2045 5.1", `text/plain; charset=us-ascii`, "text/plain", params{"charset": "us-ascii"}},
	{"RFC 2045 5.1: a comment", `text/plain; charset=us-ascii (Plain text)`, "text/plain", params{"charset": "us-ascii"}},
	{"RFC 2045 5.1: quotes", `text/plain; charset="us-ascii"`, "text/plain", params{"charset": "us-ascii"}},
	{"RFC 2045 5.1: case", `TEXT/Html; CharSet=UTF-8`, "text/html", params{"charset": "UTF-8"}},
	{"RFC 2045 5.1: comments anywhere", `(a) text (b) / (c) html (d) ; (e) charset (f) = (g) "x" (h) ; (i)`, "text/html", params{"charset": "x"}},
	{"RFC 822 3.4.3: a comment without a space before it", `text/html; charset=utf-8(a(b)) ; x=y(c)(d); z=w(e);`, "text/html", params{"charset": "utf-8", "x": "y", "z": "w"}},
	{"folded", "multipart/mixed;\r\n\tboundary=\"a b\"\r\n", "multipart/mixed", params{"boundary": "a b"}},
	{"folded inside quotes", "multipart/mixed; boundary=\"a\r\n b\"", "multipart/mixed", params{"boundary": "a b"}},
	{"RFC 2046 5.1.1", `multipart/mixed; boundary="gc0pJq0M:08jU534c0p"`, "multipart/mixed", params{"boundary": "gc0pJq0M:08jU534c0p"}},
	{"RFC 2046 5.1.1, its wrong example", `multipart/mixed; boundary=gc0pJq0M:08jU534c0p`, "multipart/mixed", params{"boundary": "gc0pJq0M:08jU534c0p"}},
	{"an equals sign in an unquoted value", `multipart/mixed; boundary=a=b; charset=x`, "multipart/mixed", params{"boundary": "a=b", "charset": "x"}},
	{"equals signs at both ends", `multipart/mixed; boundary====_Part_1_==; x=y`, "multipart/mixed", params{"boundary": "===_Part_1_==", "x": "y"}},
	{"a slash in an unquoted value", `multipart/mixed; boundary=a/b?c`, "multipart/mixed", params{"boundary": "a/b?c"}},
	{"repeated parameter: the first counts", `text/html; charset=a; charset=b; charset="c"`, "text/html", params{"charset": "a"}},
	{"spaces and a comment in an unquoted value", `text/html; name=my page (1).html; charset=x`, "text/html", params{"name": "my page", "charset": "x"}},
	{"parentheses in an unquoted value", `text/html; name=page(1).html; charset=x; y=a(b; z=c`, "text/html", params{"name": "page(1).html", "charset": "x", "y": "a(b", "z": "c"}},
	{"spaces in an unquoted value", `text/html; name=my page.html ; charset=x`, "text/html", params{"name": "my page.html", "charset": "x"}},
	{"no semicolons", `text/html charset=utf-8 format=flowed`, "text/html", params{"charset": "utf-8", "format": "flowed"}},
	{"no semicolon after a quoted value", `text/html; a="b"c="d"`, "text/html", params{"a": "b", "c": "d"}},
	{"repeated semicolons", `text/html;; ; charset=x;;`, "text/html", params{"charset": "x"}},
	{"no closing quote", `multipart/mixed; boundary="abc`, "multipart/mixed", params{"boundary": "abc"}},
	{"no closing quote, and another parameter", `multipart/mixed; boundary="abc; charset=x`, "multipart/mixed", params{"boundary": "abc", "charset": "x"}},
	{"quoted pairs", `text/html; name="a\"b\\c"; x="C:\d"`, "text/html", params{"name": `a"b\c`, "x": `C:\d`}},
	{"RFC 822 3.3: quoted pairs in a boundary", `multipart/mixed; boundary="a\b\\\"c"; x="C:\d"`, "multipart/mixed", params{"boundary": `ab\"c`, "x": `C:\d`}},
	{"junk between parameters", `text/html; junk; =x; charset=y; "z"`, "text/html", params{"charset": "y"}},
	{"empty value", `text/html; charset=; x=""`, "text/html", params{"charset": "", "x": ""}},
	{"RFC 2231 3", "message/external-body; access-type=URL;\r\n URL*0=\"ftp://\";\r\n URL*1=\"cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar\"", "message/external-body",
		params{"access-type": "URL", "url": "ftp://cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar"}},
	{"RFC 2231 4", `application/x-stuff; title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A`, "application/x-stuff", params{"title": "This is ***fun***"}},
	{"RFC 2231 4.1", "application/x-stuff\n ; title*0*=us-ascii'en'This%20is%20even%20more%20\n ; title*1*=%2A%2A%2Afun%2A%2A%2A%20\n ; title*2=\"isn't it!\"", "application/x-stuff", params{"title": "This is even more ***fun*** isn't it!"}},
	{"RFC 2231 3: sections that go-message refuses", `multipart/mixed; boundary*1=b; boundary*0=a; boundary*3=d; x=y=z`, "multipart/mixed", params{"boundary": "ab", "x": "y=z"}},
	{"RFC 2231 4: another charset", `text/html; name*=iso-8859-1''%E9%zz`, "text/html", params{"name": "é%zz"}},
	{"RFC 2231: no charset", `text/html; name*=%41%; x*y=1; x*1=2`, "text/html", params{"name": "A%", "x*y": "1"}},
	{"RFC 2231: names with stars that are not sections", `text/html; *=a; x*-1=b; x*1*y=c`, "text/html", params{"*": "a", "x*-1": "b", "x*1*y": "c"}},
	{"encoded word", `text/html; name="=?utf-8?Q?=C3=A9?="`, "text/html", params{"name": "é"}},
	{"a boundary is not an encoded word", `multipart/mixed; boundary="=?utf-8?Q?x?="`, "multipart/mixed", params{"boundary": "=?utf-8?Q?x?="}},
	{"quotes around the type", `"text/html"; charset=x`, "text/html", params{"charset": "x"}},
	{"a byte outside ASCII", "text/html; name=\"\xe9\"; charset=x", "text/html", params{"name": "\xe9", "charset": "x"}},
	{"RFC 2045 5.2: no subtype", "text", "", nil},
	{"RFC 2045 5.2: no slash", "text;html", "", nil},
	{"RFC 2045 5.2: no subtype, but a slash", "text/; charset=x", "", nil},
	{"RFC 2045 5.2: no type", "/html", "", nil},
	{"RFC 2045 5.2: only a comment", " \r\n (x) ", "", nil},
	{"RFC 2045 5.2: junk", "= ; (", "", nil},
	{"junk after the media type", "text/html, text/plain; charset=x", "text/html", params{"charset": "x"}},
}

func TestContentType(t *testing.T) {
	for _, row := range contentTypeRows {
		t.Run(row.name, func(t *testing.T) {
			mediaType, got := ContentType([]byte(row.src))
			assert.Equal(t, row.mediaType, mediaType)
			assert.Equal(t, row.params, got)
			for n := range row.src {
				ContentType([]byte(row.src[:n]))
			}
		})
	}
}

func TestTransferEncoding(t *testing.T) {
	for _, row := range []struct{ name, src, want string }{
		{"RFC 2045 6.1", "Quoted-Printable", "quoted-printable"},
		{"comments", "(a) base64 (b)", "base64"},
		{"comments without spaces", "(a)base64(b)", "base64"},
		{"junk after it", "8bit; x=y", "8bit"},
		{"two mechanisms: the first counts", "7bit, 8bit", "7bit"},
		{"quotes", `"base64"`, "base64"},
		{"a hyphen", "8-Bit", "8bit"},
		{"two words", "7 bit", "7bit"},
		{"a plural", "8bits", "8bit"},
		{"folded", "\r\n\tBINARY\r\n ", "binary"},
		{"RFC 2045 6.3", "x-uuencode", "x-uuencode"},
		{"nothing", "", ""},
		{"only junk", ";", ""},
		{"a comment without an end", "(base64", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, TransferEncoding([]byte(row.src)))
		})
	}
}

func TestParameterURL(t *testing.T) {
	const external = "message/external-body; access-type=URL;\r\n "
	for _, row := range []struct{ name, src, want string }{
		{"RFC 2017 3.1: white space in the URL", external + "URL=\"http://h/\r\n a\"; url=b", "http://h/a"},
		{"RFC 2231 3: in sections", external + "URL*0=\"ftp://\";\r\n URL*1=\"cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar\"", "ftp://cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar"},
		{"a parameter and a comment between sections", external + `url*0="a/b"; size=1; (c) url*1="/ c"; url*2=""; url=x`, "a/b/c"},
		{"sections count, and not the name without a section", external + `url=x; url*0="a"`, "a"},
		{"a quoted parameter between sections", external + `url*0="a"; name="x"; url*1="b"`, ""},
		{"a quote in a section", external + `url*0="a\"b"; url*1="c"`, ""},
		{"sections in another order", external + `url*1="b"; url*0="a"`, ""},
		{"a missing section", external + `url*0="a"; url*2="b"`, ""},
		{"an encoded section", external + `url*0="a"; url*1*=%41`, ""},
		{"no URL", external + "x=y", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := []byte("X: " + row.src + "\r\n")
			s, c, ok := parameterURL(src, codec.Span{Start: 3, End: len(src)}, "url")
			text, _ := c.Decode(src[s.Start:s.End])
			require.Equal(t, row.want != "", ok)
			assert.True(t, !ok || row.want == string(text), "%s", text)
		})
	}
}

func FuzzContentType(f *testing.F) {
	for _, row := range contentTypeRows {
		f.Add([]byte(row.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		before := string(src)
		mediaType, params := ContentType(src)
		require.Equal(t, mediaType == "", params == nil)
		require.Equal(t, ascii.Lower(mediaType), mediaType)
		for name := range params {
			s, _, ok := parameterURL(src, codec.Span{End: len(src)}, name)
			require.True(t, !ok || 0 <= s.Start && s.Start <= s.End && s.End <= len(src))
		}
		TransferEncoding(src)
		require.Equal(t, before, string(src), "the source is not changed")
	})
}
