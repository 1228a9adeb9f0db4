package header

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
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
	{"repeated parameter: the first applies", `text/html; charset=a; charset=b; charset="c"`, "text/html", params{"charset": "a"}},
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
	{"RFC 2231 3: sections", `multipart/mixed; boundary*1=b; boundary*0=a; boundary*3=d; x=y=z`, "multipart/mixed", params{"boundary": "ab", "x": "y=z"}},
	{"RFC 2231 4: another charset", `text/html; name*=iso-8859-1''%E9%zz`, "text/html", params{"name": "é%zz"}},
	{"RFC 2231: no charset", `text/html; name*=%41%; x*y=1; x*1=2`, "text/html", params{"name": "A%", "x*y": "1"}},
	{"RFC 2231: names with stars that are not sections", `text/html; *=a; x*-1=b; x*1*y=c`, "text/html", params{"*": "a", "x*-1": "b", "x*1*y": "c"}},
	{"a boundary is not an encoded word", `multipart/mixed; boundary="=?utf-8?Q?x?="`, "multipart/mixed", params{"boundary": "=?utf-8?Q?x?="}},
	{"quotes around the type", `"text/html"; charset=x`, "text/html", params{"charset": "x"}},
	{"a byte outside ASCII", "text/html; name=\"\xe9\"; charset=x", "text/html", params{"name": "\xe9", "charset": "x"}},
	{"RFC 2045 5.2: no subtype", "text", "", nil},
	{"RFC 2045 5.2: no slash", "text;html", "", nil},
	{"RFC 2045 5.2: no subtype, but a slash", "text/; charset=x", "", nil},
	{"RFC 2045 5.2: no type", "/html", "", nil},
	{"RFC 2045 5.2: only a comment", " \r\n (x) ", "", nil},
	{"RFC 2045 5.2: junk", "= ; (", "", nil},
	{"an equals sign in the media type", "text/html=3d; charset=x", "text/html=3d", params{"charset": "x"}},
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

// The rows are the steps of "extract a MIME type" (Fetch Standard 2.2.3). values has the fields of one header, and want the media
// type, its charset and its parameter x.
func TestExtractMIMEType(t *testing.T) {
	for _, row := range []struct {
		name   string
		values []string
		want   string
	}{
		{"one value", []string{"text/html; charset=gbk"}, "text/html charset=gbk"},
		{"the last value applies", []string{"text/html", "text/plain"}, "text/plain"},
		{"the last value in one field applies", []string{"text/html, text/plain"}, "text/plain"},
		{"an empty value before", []string{"", "text/plain"}, "text/plain"},
		{"an empty value after", []string{"text/plain", ""}, "text/plain"},
		{"an invalid value after", []string{"text/html, charset=utf-8"}, "text/html"},
		{"an invalid token", []string{"text/plain", "text/(ml)"}, "text/plain"},
		{"junk after the media type", []string{"text/html;charset=gbk", "text/h tml"}, "text/html charset=gbk"},
		{"any type", []string{"text/html", "*/*;charset=gbk"}, "text/html"},
		{"any type alone", []string{"*/*"}, ""},
		{"no valid value", []string{"*/*", "x"}, ""},
		{"the charset of another type", []string{"text/plain;charset=gbk", "text/html"}, "text/html"},
		{"the charset of the same type", []string{"text/plain;charset=gbk;x=y", "text/plain"}, "text/plain charset=gbk"},
		{"the charset of the same type, before another type", []string{"text/html;charset=gbk", "text/plain", "text/html"}, "text/html"},
		{"a charset of its own", []string{"text/plain;charset=gbk", "text/plain;charset=windows-1252"}, "text/plain charset=windows-1252"},
		{"the charset of the first of three", []string{"text/html;charset=gbk", "text/html", "TEXT/HTML ; x = y"}, "text/html charset=gbk x=y"},
		{"a comma in quotes", []string{`text/html;charset=gbk`, `text/html;x=",text/plain`}, "text/html charset=gbk x=,text/plain"},
		{"a quote without an end", []string{`text/html;x="`, `text/plain`}, "text/html x=, text/plain"},
		{"quotes outside of a value", []string{`text/html;"`, `\"`, `text/plain`, `";charset=GBK`}, "text/html charset=GBK"},
		{"text after quotes", []string{`a/b`, `text/html;x="y"z;charset=gbk`}, "text/html charset=gbk x=y"},
		{"a parameter without a value", []string{"a/b", "text/html;charset=;x;charset;x=y"}, "text/html charset= x=y"},
		{"an empty charset", []string{"text/html;charset=gbk", "text/html;charset="}, "text/html charset=gbk"},
		{"a repeated parameter", []string{"a/b", "text/html;x=y;X=z"}, "text/html x=y"},
	} {
		src := ""
		for _, value := range row.values {
			src += "Content-Type: " + value + "\r\n"
		}
		r := Reader{Src: []byte(src), Marks: &mark.Marks{}, HTTP: true}
		fields, _ := r.Read(codec.Span{End: len(src)})
		got, params := r.ContentType(fields)
		for _, name := range []string{"charset", "x"} {
			if value, ok := params[name]; ok {
				got += " " + name + "=" + value
			}
		}
		assert.Equal(t, row.want, got, row.name)
		r.WarnTypes(fields, got, params)
		assert.Equal(t, strings.Count(src, ",")+len(row.values) > 1, len(r.Marks.Notes.Faults) > 0, "%s: a warning", row.name)
	}
}

func TestTransferEncoding(t *testing.T) {
	for _, row := range []struct{ name, src, want string }{
		{"RFC 2045 6.1", "Quoted-Printable", "quoted-printable"},
		{"comments", "(a) base64 (b)", "base64"},
		{"comments without spaces", "(a)base64(b)", "base64"},
		{"junk after it", "8bit; x=y", "8bit"},
		{"two mechanisms: the first applies", "7bit, 8bit", "7bit"},
		{"quotes", `"base64"`, "base64"},
		{"a hyphen", "8-Bit", "8bit"},
		{"two words", "7 bit", "7bit"},
		{"a plural", "8bits", "8bit"},
		{"folded", "\r\n\tBINARY\r\n ", "binary"},
		{"RFC 2045 6.3", "x-uuencode", "x-uuencode"},
		{"nothing", "", ""},
		{"only junk", ";", ""},
		{"an encoded word is no encoding", "=?utf-8?q?base64?=", "=?utf-8?q?base64?="},
		{"the start of a token is no encoding", "base64=", "base64="},
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
		{"without quotes", external + "url=a; size=1", "a"},
		{"RFC 2231 3: in sections", external + "URL*0=\"ftp://\";\r\n URL*1=\"cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar\"", ""},
		{"no URL", external + "x=y", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := []byte("X: " + row.src + "\r\n")
			s, c, ok := parameterURL(src, codec.Span{Start: 3, End: len(src)})
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
		s, _, ok := parameterURL(src, codec.Span{End: len(src)})
		require.True(t, !ok || 0 <= s.Start && s.Start <= s.End && s.End <= len(src))
		TransferEncoding(src)
		require.Equal(t, before, string(src), "the source is not changed")
	})
}
