package mail_test

import (
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/internal/codec"
	. "absolink/extract/internal/extracttest"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
)

// TestMessageLayers has a declaration on each layer of RFC 1808 section 3, around a page five levels deep. The nearest one
// wins; each row takes one away, and the next layer applies.
func TestMessageLayers(t *testing.T) {
	const named = "http://%d.example/"
	layers := []struct{ name, line, by string }{
		{"override", "", "--override-base"},
		{"3.1 BASE in the HTML", `<base href="@">`, "BASE element"},
		{"3.2 the part's Base", "Base: <URL:@>\n", "Base"},
		{"3.2 the part's Content-Base", "Content-Base: \"@\"\n", "Content-Base"},
		{"3.2 the part's Content-Location", "Content-Location: @\n", "Content-Location"},
		{"3.2 the inner multipart's Content-Base", "content-base: <URL: @ >\n", "Content-Base"},
		{"3.2 the outer multipart's Base", "BASE: <@>\n", "Base"},
		{"3.2 the enclosing message's Base", "Base: (c) URL:@\n", "Base"},
		{"3.2 the enclosing message's Content-Location", "Content-Location:\n @\n", "Content-Location"},
		{"3.2 the part that has the enclosing message", "Content-Location: <URL:@>\n", "Content-Location"},
		{"3.2 the outer message's Content-Base", "Content-Base: @ (c)\n", "Content-Base"},
		{"3.3 retrieval URL of the caller", "", "--url"},
		{"3.3 retrieval URL in the outer message", "Snapshot-Content-Location: @\n", "Snapshot-Content-Location"},
		{"3.3 retrieval URL in the enclosing message", "Snapshot-Content-Location: @\n", "Snapshot-Content-Location"},
		{"3.4 default", "", ""},
	}
	for removed, want := range layers {
		t.Run(want.name, func(t *testing.T) {
			url := func(i int) string {
				if i < removed {
					return ""
				}
				return fmt.Sprintf(named, i)
			}
			line := func(i int) string {
				if i < removed {
					return ""
				}
				return strings.Replace(layers[i].line, "@", url(i), 1)
			}
			d := Message(line(12) + line(10) + "Content-Type: multipart/mixed; boundary=a\n\n--a\n" +
				line(9) + "Content-Type: message/rfc822\n\n" +
				line(8) + line(13) + line(7) + "Content-Type: multipart/mixed; boundary=b\n\n--b\n" +
				line(6) + "Content-Type: multipart/alternative; boundary=\"b b\"\n\n--b b\n" +
				line(5) + "Content-Type: multipart/related; boundary=c\n\n--c\n" +
				line(4) + line(3) + line(2) + "Content-Type: text/html\n\n" + line(1) + "<a href=x>\n--c--\n--b b--\n--b--\n--a--\n")
			d.URL, d.URLBy = url(11), "--url"
			w := Walker{Extractor: extract.Extractor{Override: url(0), OverrideBy: "--override-base"}}
			wanted := ""
			if want.by != "" {
				wanted = fmt.Sprintf(named, removed)
			}
			found := false
			require.NoError(t, w.Links(d, func(l *extract.Link) error {
				if l.Place() == "a@href" {
					found = true
					assert.Equal(t, "part[1]/part[1.1.1]", l.Entity.Path)
					assert.Equal(t, wanted+" "+want.by, l.Scope.Base().String()+" "+l.Scope.By())
				}
				return nil
			}))
			assert.True(t, found)
			wanted += "x"
			assert.Contains(t, Rewrite(t, &w, d), "<a href="+wanted+">")
		})
	}
}

func TestMessages(t *testing.T) {
	const base = "Base: <URL:http://b/>\n"
	for _, row := range []struct {
		name, src, want string
		problems        []extract.Code
	}{
		{"no header, no body", "", "", nil},
		{"links of the header", base + "List-Help: <h> (c),\n <mailto:x@y>\nLink: <l>; rel=x\nArchived-At: <a>\n\n",
			base + "List-Help: <http://b/h> (c),\n <mailto:x@y>\nLink: <http://b/l>; rel=x\nArchived-At: <http://b/a>\n\n", nil},
		{"an empty base is neither a base nor a link", "Content-Base:\nContent-Location: <>\n" + base + "\n<URL:x>", "Content-Base:\nContent-Location: <>\n" + base + "\n<URL:http://b/x>", nil},
		{"a truncated header", base + "URI: <u>", base + "URI: <http://b/u>", nil},
		{"RFC 2557: a relative Content-Location is the base of its part, and a link", base + "Content-Location: c/\nContent-Type: text/html\n\n<a href=x>",
			base + "Content-Location: http://b/c/\nContent-Type: text/html\n\n<a href=http://b/x>", nil},
		{"3.2: a relative base of a part is resolved against the next layer, also after a rejected base",
			base + Mixed + "--b\nContent-Base: <>\nContent-Location: c/\nContent-Type: text/html\n\n<a href=x>\n--b\nBase: <mailto:x@y>\nContent-Base: d/\nContent-Type: text/html\n\n<a href=x>\n--b--",
			base + Mixed + "--b\nContent-Base: <>\nContent-Location: http://b/c/\nContent-Type: text/html\n\n<a href=http://b/c/x>\n--b\nBase: <mailto:x@y>\nContent-Base: http://b/d/\nContent-Type: text/html\n\n<a href=http://b/d/x>\n--b--",
			[]extract.Code{extract.CodeBaseNotAbsolute, extract.CodeBaseNotAbsolute, extract.CodeBaseUnsuitable}},
		{"3.2: only the first base of its name counts, in the header of a part, too", base + Mixed + "--b\nContent-Base: http://c/\nContent-Base: http://d/\nContent-Type: text/html\n\n<a href=x>\n--b--",
			base + Mixed + "--b\nContent-Base: http://c/\nContent-Base: http://d/\nContent-Type: text/html\n\n<a href=http://c/x>\n--b--", []extract.Code{extract.CodeBaseRepeated}},
		{"3.2: the Base of a part is made absolute, like the base that it was resolved against", base + Mixed + "--b\nContent-Location: c/d\nBase: <URL:e/>\nContent-Type: text/html\n\n<a href=x>\n--b--",
			base + Mixed + "--b\nContent-Location: http://b/c/e/c/d\nBase: <URL:http://b/c/e/>\nContent-Type: text/html\n\n<a href=http://b/c/e/x>\n--b--", []extract.Code{extract.CodeBaseNotAbsolute, extract.CodeBaseNotAbsolute}},
		{"3.2: a Base that is signed stays", base + "Content-Type: multipart/signed; boundary=b\n\n--b\nBase: <e/>\n\n\n--b--",
			base + "Content-Type: multipart/signed; boundary=b\n\n--b\nBase: <e/>\n\n\n--b--", []extract.Code{extract.CodeBaseNotAbsolute, extract.CodeSignatureWouldBreak}},
		{"without a type it is text", base + "\n<URL:x\n y> <URL: http://c/ >\n<a href=x>", base + "\n<URL:http://b/x\n y> <URL: http://c/ >\n<a href=x>", nil},
		{"a digest's parts are messages", base + "Content-Type: multipart/digest; boundary=b\n\n--b\n\nContent-Type: text/html\n\n<a href=x>\n--b--",
			base + "Content-Type: multipart/digest; boundary=b\n\n--b\n\nContent-Type: text/html\n\n<a href=http://b/x>\n--b--", nil},
		{"RFC 6522 4: the header of a message that could not be delivered", base + Mixed + "--b\nContent-Type: text/rfc822-headers\n\nSubject: s\nList-Archive: <a>\n--b--",
			base + Mixed + "--b\nContent-Type: text/rfc822-headers\n\nSubject: s\nList-Archive: <http://b/a>\n--b--", nil},
		{"a message's own base", base + "Content-Type: message/rfc822\n\nBase: <URL:sub/>\nContent-Type: text/html\n\n<a href=x>",
			base + "Content-Type: message/rfc822\n\nBase: <URL:http://b/sub/>\nContent-Type: text/html\n\n<a href=http://b/sub/x>", []extract.Code{extract.CodeBaseNotAbsolute}},
		{"a boundary that is the beginning of another, white space after it, LF and CRLF",
			base + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--bb\r\n--b \t\r\nContent-Type: text/html\n\n<a href=x>\r\n--bc\n--b--\r\nepilogue <a href=x>",
			base + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--bb\r\n--b \t\r\nContent-Type: text/html\n\n<a href=http://b/x>\r\n--bc\n--b--\r\nepilogue <a href=x>", nil},
		{"a boundary that begins like the closing boundary of another", base + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=b--c\n\n--b--c\nContent-Type: text/html\n\n<a href=x>\n--b--c--\n--b\n\n<URL:y>\n--b--\n<URL:z>",
			base + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=b--c\n\n--b--c\nContent-Type: text/html\n\n<a href=http://b/x>\n--b--c--\n--b\n\n<URL:http://b/y>\n--b--\n<URL:z>", nil},
		{"RFC 2046 5.1.1: a boundary does not end with a space", base + "Content-Type: multipart/mixed; boundary=\"b \"\n\n--b\n\n<URL:x>\n--b--\n",
			base + "Content-Type: multipart/mixed; boundary=\"b \"\n\n--b\n\n<URL:http://b/x>\n--b--\n", nil},
		{"a boundary at the end of a field of a part in binary", base + Mixed + "--b\nContent-Transfer-Encoding: binary\nContent-Type: text/html\nContent-Location: http://b/x--b\n\n<a href=y>\n--b--\n",
			base + Mixed + "--b\nContent-Transfer-Encoding: binary\nContent-Type: text/html\nContent-Location: http://b/x--b\n\n<a href=http://b/y>\n--b--\n", nil},
		{"a boundary after binary data, and after other data", base + Mixed + "--b\nContent-Transfer-Encoding: binary\nContent-Base: http://c/\nContent-Type: text/html\n\n<a href=x>--b\nContent-Type: text/html\n\n<a href=y>--b\n<a href=z>\n--b\nContent-Transfer-Encoding: Binary\n\n<URL:u>--b--\n<URL:v>",
			base + Mixed + "--b\nContent-Transfer-Encoding: binary\nContent-Base: http://c/\nContent-Type: text/html\n\n<a href=http://c/x>--b\nContent-Type: text/html\n\n<a href=http://b/y>--b\n<a href=http://b/z>\n--b\nContent-Transfer-Encoding: Binary\n\n<URL:http://b/u>--b--\n<URL:v>", nil},
		{"RFC 2046 5.1.1: no empty line before the first boundary", base + "Content-Type: multipart/mixed; boundary=b\n--b\nContent-Type: text/html\n\n<a href=x>\n--b--", base + "Content-Type: multipart/mixed; boundary=b\n--b\nContent-Type: text/html\n\n<a href=http://b/x>\n--b--", nil},
		{"RFC 2046 5.1: no header and no empty line", base + Mixed + "--b\nSee <URL:x>\n\n<URL:y>\n--b--", base + Mixed + "--b\nSee <URL:http://b/x>\n\n<URL:http://b/y>\n--b--", nil},
		{"an epilogue on the line of the closing boundary", base + Mixed + "--b\n\n<URL:x>\n--b--epilogue\n<URL:z>",
			base + Mixed + "--b\n\n<URL:http://b/x>\n--b--epilogue\n<URL:z>", nil},
		{"no closing boundary", base + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x>",
			base + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=http://b/x>", []extract.Code{extract.CodeBoundaryUnterminated}},
		{"no boundary", base + "Content-Type: multipart/mixed\n\n--b\n", base + "Content-Type: multipart/mixed\n\n--b\n", []extract.Code{extract.CodeBoundaryMissing}},
		{"RFC 2045 6.4: a transfer encoding that is not known", base + "Content-Type: text/html\nContent-Transfer-Encoding: x-uue\n\n<a href=x>", base + "Content-Type: text/html\nContent-Transfer-Encoding: x-uue\n\n<a href=x>", []extract.Code{extract.CodeUndecodable}},
		{"quoted-printable in its hex case", base + "Content-Type: text/html\nContent-Transfer-Encoding: Quoted-Printable\n\n=c3=a9\n<a href=3d\"x?a=3d1\">=20\nsoft=\nbreak\n",
			base + "Content-Type: text/html\nContent-Transfer-Encoding: Quoted-Printable\n\n=c3=a9\n<a href=3d\"http://b/x?a=3d1\">=20\nsoft=\nbreak\n", nil},
		{"7bit stays 7bit", "Base: <URL:http://b/>\nContent-Type: text/html; charset=utf-8\n\n<base href='/&#233;/'><a href=x>",
			"Base: <URL:http://b/>\nContent-Type: text/html; charset=utf-8\n\n<base href='http://b/&#233;/'><a href=http://b/&#233;/x>", []extract.Code{extract.CodeBaseNotAbsolute}},
		{"RFC 2046 4.1.2: US-ASCII stays US-ASCII", "Base: <URL:http://é/>\nContent-Type: text/html; charset=US-ASCII\nContent-Transfer-Encoding: 8bit\n\n<a href=x>",
			"Base: <URL:http://é/>\nContent-Type: text/html; charset=US-ASCII\nContent-Transfer-Encoding: 8bit\n\n<a href=http://&#233;/x>", nil},
		{"non-ASCII characters in plain text", "Base: <URL:http://é/>\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n<URL:x>",
			"Base: <URL:http://é/>\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n<URL:http://\xe9/x>", nil},
		{"RFC 2045 2.7: but not in 7bit", "Base: <URL:http://é/>\n\n<URL:x>", "Base: <URL:http://é/>\n\n<URL:x>", []extract.Code{extract.CodeRewriteRefused}},
		{"signed parts stay unchanged", base + "Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x>\n--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n",
			base + "Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x>\n--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n", []extract.Code{extract.CodeSignatureWouldBreak}},
		{"RFC 1847 2.1: the header of a signed part stays unchanged", base + "Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Location: c/\nLink: <l>\nContent-Type: multipart/mixed; boundary=i\n\n--i\nURI: <u>\n\n--i--\n--b--\n",
			base + "Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Location: c/\nLink: <l>\nContent-Type: multipart/mixed; boundary=i\n\n--i\nURI: <u>\n\n--i--\n--b--\n",
			[]extract.Code{extract.CodeBaseNotAbsolute, extract.CodeSignatureWouldBreak, extract.CodeSignatureWouldBreak, extract.CodeSignatureWouldBreak}},
		{"text with a PGP signature stays unchanged", base + "\n<URL:x>\n-----BEGIN PGP SIGNED MESSAGE-----\n\n<URL:y>\n-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n<URL:z>\n",
			base + "\n<URL:http://b/x>\n-----BEGIN PGP SIGNED MESSAGE-----\n\n<URL:y>\n-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n<URL:http://b/z>\n", []extract.Code{extract.CodeSignatureWouldBreak}},
		{"a quoted PGP signature does not count", base + "\n> -----BEGIN PGP SIGNED MESSAGE-----\n> <URL:x>\n", base + "\n> -----BEGIN PGP SIGNED MESSAGE-----\n> <URL:http://b/x>\n", nil},
		{"text in UTF-16", base + "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n" + InBase64("\xFF\xFE<\x00U\x00R\x00L\x00:\x00x\x00>\x00"),
			base + "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n" + InBase64("\xFF\xFE<\x00U\x00R\x00L\x00:\x00h\x00t\x00t\x00p\x00:\x00/\x00/\x00b\x00/\x00x\x00>\x00"), nil},
		{"ISO-2022-KR, which browsers do not support", base + "Content-Type: text/plain; charset=iso-2022-kr\n\n<URL:x>", base + "Content-Type: text/plain; charset=iso-2022-kr\n\n<URL:http://b/x>", nil},
		{"the content of S/MIME is not read", base + "Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj14Pg==\n",
			base + "Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj14Pg==\n", []extract.Code{extract.CodeNotRead}},
		{"message/partial is not read", base + "Content-Type: message/partial; id=1; number=1\n\nContent-Type: text/html\n\n<a href=x>", base + "Content-Type: message/partial; id=1; number=1\n\nContent-Type: text/html\n\n<a href=x>", []extract.Code{extract.CodeNotRead}},
		{"RFC 2017: a body that is elsewhere", base + "Content-Type: message/external-body; access-type=URL;\n URL=\"a/\n  b\"; size=1\n\nContent-Type: text/html\n\n<a href=x>",
			base + "Content-Type: message/external-body; access-type=URL;\n URL=\"http://b/a/\n  b\"; size=1\n\nContent-Type: text/html\n\n<a href=x>", nil},
		{"RFC 2045 5.1: a body that is elsewhere, without quotes", base + "Content-Type: message/external-body; access-type=URL; URL=a.html; size=1\n\nContent-Type: text/html\n\n",
			base + "Content-Type: message/external-body; access-type=URL; URL=\"http://b/a.html\"; size=1\n\nContent-Type: text/html\n\n", nil},
		{"message/external-body with an unclosed quote", base + "Content-Type: message/external-body; access-type=URL; URL=\" a.html\n\n", base + "Content-Type: message/external-body; access-type=URL; URL=\" http://b/a.html\n\n", nil},
		{"RFC 2231 3: a body that is elsewhere, in sections, which is reported", base + "Content-Type: message/external-body; access-type=URL;\n URL*0=\"a/\";\n URL*1=\"b\"\n\nContent-Type: text/html\n\n",
			base + "Content-Type: message/external-body; access-type=URL;\n URL*0=\"a/\";\n URL*1=\"b\"\n\nContent-Type: text/html\n\n", []extract.Code{extract.CodeHeaderMalformed}},
		{"parentheses and spaces that are part of a URL", base + Mixed + "--b\nContent-Location: (c (d/) i\nContent-Type: text/html\n\n<a href=x>\n--b--\n",
			base + Mixed + "--b\nContent-Location: http://b/(c (d/) i\nContent-Type: text/html\n\n<a href=http://b/(c&#32;(d/x>\n--b--\n", []extract.Code{extract.CodeBaseNotAbsolute}},
		{"a second digest is reported", base + "Content-MD5: x\nContent-MD5: y\nContent-Type: text/html\n\n<a href=x>", base + "Content-MD5: x\nContent-MD5: y\nContent-Type: text/html\n\n<a href=http://b/x>", []extract.Code{extract.CodeDigestBroken}},
		{"a DKIM signature is reported", base + "DKIM-Signature: v=1\nContent-Type: text/html\n\n<a href=x>", base + "DKIM-Signature: v=1\nContent-Type: text/html\n\n<a href=http://b/x>", []extract.Code{extract.CodeDKIMBroken}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var problems []extract.Code
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
			assert.Equal(t, row.want, Rewrite(t, &w, Message(row.src)))
			assert.Equal(t, row.problems, problems)
			w.OnProblem = nil
			assert.Equal(t, row.want, Rewrite(t, &w, Message(row.want)), "a second rewriting changes nothing")
		})
	}
}

// The media type alone makes a body compressed data.
func TestMessagePacked(t *testing.T) {
	for mediaType, body := range map[string]string{
		"application/gzip": Gzipped(t, "<a href=x>"), "Application/X-GZIP": Gzipped(t, "<a href=x>"), "application/x-bzip2": Bzip2(t, "<a href=x>"),
	} {
		t.Run(mediaType, func(t *testing.T) {
			d := Message("Base: <URL:http://b/>\nContent-Type: " + mediaType + "\nContent-Transfer-Encoding: base64\n\n" + InBase64(body))
			links := BagLinks(t, d)
			require.Len(t, links, 1)
			assert.Regexp(t, `^part\[1\]/(gzip|bzip2) a@href Base http://b/x$`, links[0])
			out := Rewrite(t, new(Walker), d)
			assert.NotEqual(t, string(d.Bytes), out)
			Stable(t, d, out)
		})
	}
}

// Rewriting twice is the same as rewriting once, even if a relative base has nothing to be resolved against but the override.
func TestMessageOverride(t *testing.T) {
	w := Walker{Extractor: extract.Extractor{Override: "http://o/p/"}}
	once := Rewrite(t, &w, extract.Document{Type: "message/rfc822", Bytes: []byte("Base: <b/>\nContent-Location: c/d\nContent-Type: text/html\n\n<base href=e/><a href=x>")})
	assert.Equal(t, "Base: <http://o/p/c/b/>\nContent-Location: http://o/p/c/d\nContent-Type: text/html\n\n<base href=http://o/p/c/b/e/><a href=http://o/p/x>", once)
	assert.Equal(t, once, Rewrite(t, &w, extract.Document{Type: "message/rfc822", Bytes: []byte(once)}))
}

func TestMessagesByFirstField(t *testing.T) {
	for head, want := range map[string]*extract.Format{
		"Base: <URL:http://h/>\n":   extract.FormatOf("message/rfc822"), // RFC 1808 3.1
		"Content-Base: http://h/\n": extract.FormatOf("message/rfc822"),
		"cc : a@h\n":                extract.FormatOf("message/rfc822"),
		"X-Received: by h\n":        extract.FormatOf("message/rfc822"),
		"List-Archive: <a>\n":       extract.FormatOf("message/rfc822"),
		"\xEF\xBB\xBFFrom: a@h\n":   extract.FormatOf("message/rfc822"),
		">From a@h Sat Jan  3 01:05:34 1996\nReply-To: a@h\n": extract.FormatOf("message/rfc822"),
		"Note: a text\n": nil,
		"":               nil,
	} {
		assert.Same(t, want, extract.Detect("", "stdin", []byte(head)), "%q", head)
	}
	assert.Same(t, extract.FormatOf("text/html"), extract.Detect("", "page.mht", []byte("<html xmlns:o=\"urn:schemas-microsoft-com:office:office\">")), "Word saves pages so")
	assert.Same(t, extract.FormatOf("message/rfc822"), extract.Detect("", "page.mht", []byte("<a@h>: no page\n")))
}

// A correct Content-MD5 is updated, and a wrong one stays unchanged (RFC 1864), even in an mbox, where an empty line follows
// the body.
func TestContentMD5(t *testing.T) {
	digest := func(text string) string {
		sum := md5.Sum([]byte(text))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	message := func(digest, help, href string) string {
		return "Content-Type: text/html\nContent-MD5: " + digest + "\nList-Help: <" + help + ">\n\n<a href=" + href + ">\n"
	}
	for _, row := range []struct{ name, before, after string }{
		{"true", digest("<a href=x>\r\n"), digest("<a href=http://h/x>\r\n")},
		{"false", "no digest", "no digest"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			src, want := message(row.before, "h", "x"), message(row.after, "http://h/h", "http://h/x")
			d := Message(src)
			d.URL = "http://h/"
			assert.Equal(t, want, Rewrite(t, &w, d))
			for _, flavour := range MboxFlavours {
				d := Mailbox(Mboxed(flavour.Name, "\n", src, src))
				d.URL = "http://h/"
				assert.Equal(t, Mboxed(flavour.Name, "\n", want, want), Rewrite(t, &w, d), flavour.Name)
			}
		})
	}
	// In base64 the digest is that of the line ends of the data.
	encoded := func(text string) string {
		return "Content-Type: text/html\nContent-Transfer-Encoding: base64\nContent-MD5: " + digest(text) + "\n\n" + InBase64(text) + "\n"
	}
	d := Message(encoded("<a href=x>\n"))
	d.URL = "http://h/"
	assert.Equal(t, encoded("<a href=http://h/x>\n"), Rewrite(t, new(Walker), d))
}

// A header field after a Content-MD5 may have a link, so the edits must be sorted. If all edits were sorted for each part,
// many parts would take quadratic time.
func TestContentMD5Many(t *testing.T) {
	src := func(parts int, href, help string) string {
		sum := md5.Sum([]byte("<a href=" + href + ">"))
		part := "--b\nContent-Type: text/html\nContent-MD5: " + base64.StdEncoding.EncodeToString(sum[:]) + "\nList-Help: <" + help + ">\n\n<a href=" + href + ">\n"
		return "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat(part, parts) + "--b--\n"
	}
	rewritten := func(parts int) bool {
		d := Message(src(parts, "x", "h"))
		d.URL = "http://h/"
		return src(parts, "http://h/x", "http://h/h") == Rewrite(t, new(Walker), d)
	}
	assert.True(t, rewritten(40_000))
}

// A body that declares 7bit stays ASCII (RFC 2045 2.7). In other bodies a URL is written in the charset.
func TestMessageSevenBit(t *testing.T) {
	const src = "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: %s\n\n<a href=%s>\n"
	for encoding, href := range map[string]string{"7bit": "http://h/&#233;/x", "8bit": "http://h/é/x", "binary": "http://h/é/x"} {
		d := Message(fmt.Sprintf(src, encoding, "x"))
		d.URL = "http://h/é/"
		assert.Equal(t, fmt.Sprintf(src, encoding, href), Rewrite(t, new(Walker), d))
	}
}

func TestMessageBoundary(t *testing.T) {
	problems, _ := BagProblems(t, Walker{}, Message("Content-Type: multipart/mixed; boundary=b\n\n--c\n\n--c--\n"))
	assert.Equal(t, []string{"43 boundary-missing"}, problems)
}

func TestMessageFields(t *testing.T) {
	problems, _ := BagProblems(t, Walker{}, Message(strings.Repeat("a:\n", 70_000)+"\n"))
	assert.Equal(t, []string{"0 header-malformed"}, problems)
}

// If an edit needs a line end in a body without line ends, it uses the line end of the message.
func TestMessageNewlines(t *testing.T) {
	page := "<a href=index.html>" + strings.Repeat("a long text ", 5) + "</a>"
	for _, newline := range []string{"\n", "\r\n"} {
		for encoding, body := range map[string]string{"quoted-printable": strings.ReplaceAll(page, "=", "=3D"), "base64": base64.StdEncoding.EncodeToString([]byte(page))[:76]} {
			head := "Content-Type: text/html\nContent-Transfer-Encoding: " + encoding + "\n\n"
			for _, src := range []string{head + body, "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + head + body + "\n--b--\n"} {
				var w Walker
				d := Message(InLines(src, newline))
				d.URL = "http://site.example/with/a/longer/path/"
				out := Rewrite(t, &w, d)
				assert.Greater(t, strings.Count(out, "\n"), strings.Count(src, "\n"), "%s was broken into lines", encoding)
				assert.Equal(t, out, InLines(strings.ReplaceAll(out, "\r\n", "\n"), newline), "%s in lines that end in %q", encoding, newline)
			}
		}
	}
}

// The digest of RFC 1864 is that of the body without its transfer encoding, and text has CRLF line ends in it (section 2).
func TestContentMD5Spellings(t *testing.T) {
	digest := func(text string) string {
		sum := md5.Sum([]byte(text))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	for _, row := range []struct {
		name         string
		text         bool
		body         string
		before, want string // the texts whose digests are in the field; no want: the field stays
	}{
		{"2: text with CRLF", true, "x\r\ny\r\n", "x\r\ny\r\n", "http\r\ny\r\n"},
		{"2: text with LF has the digest with CRLF", true, "x\ny\n", "x\r\ny\r\n", "http\r\ny\r\n"},
		{"2: text with both", true, "x\r\ny\n", "x\r\ny\r\n", "http\r\ny\r\n"},
		{"base64 of LF", true, "x\ny\n", "x\ny\n", "http\ny\n"},
		{"CRLF, and the digest with LF", true, "x\r\ny\r\n", "x\ny\n", ""},
		{"no text has no line ends", false, "x\ny\n", "x\ny\n", "http\ny\n"},
		{"no text, and the digest with CRLF", false, "x\ny\n", "x\r\ny\r\n", ""},
		{"an mbox adds an empty line", true, "x\n\n", "x\r\n", "http\r\n"},
		{"an mbox adds an empty line with CRLF", true, "x\r\n\r\n", "x\r\n", "http\r\n"},
		{"an mbox adds an empty line to base64", true, "x\n\n", "x\n", "http\n"},
		{"not two", true, "x\n\n\n", "x\r\n", ""},
		{"no newline", true, "x", "x", "http"},
		{"of other bytes", true, "x\n", "y\n", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := []byte("Content-MD5: \t" + digest(row.before) + " \r\n")
			p := &mark.Part{Text: row.text, MD5: codec.Span{Start: len("Content-MD5:"), End: len(src) - 2}}
			edits := []codec.Edit{{Span: codec.Span{Start: 0, End: 1}, New: []byte("http")}}
			got := mail.ContentMD5(src, p, []byte(row.body), edits)
			want := string(src)
			if row.want != "" {
				require.Len(t, got, 1)
				want = "Content-MD5: \t" + digest(row.want) + " \r\n"
			}
			assert.Equal(t, want, string(codec.Apply(nil, src, got)))
		})
	}
}

// A message whose lines end in CR is an error, and nothing is read. A stray CR is no line end.
func TestLinesInCR(t *testing.T) {
	const header, page = "From: a@b\nContent-Type: text/html\n\n", "<a href=http://h/x>\n<a href=http://h/y>"
	inCR := func(text string) string { return strings.ReplaceAll(text, "\n", "\r") }
	for _, row := range []struct {
		mediaType, src string
		links          int
	}{
		{"message/rfc822", inCR(header + page), 0},
		{"message/rfc822", inCR(header) + page, 0},
		{"message/rfc822", inCR("Content-Type: text/html\n\n" + page), 0},
		{"application/mbox", inCR("From a@b Thu Jan  1 00:00:00 2024\n" + header + page), 0},
		{"message/rfc822", "Content-Type: multipart/digest; boundary=b\n\n--b\n\n" + inCR(header+page) + "\n--b--", 0},
		{"message/rfc822", "Subject: a\rb\r\rc\n" + header + page, 2},
		{"message/rfc822", "Subject: a\rTo: b\n" + header + page, 2},
		{"message/rfc822", header + inCR(page), 2},
		{"message/rfc822", "see http://h/x\rhttp://h/y", 2},
	} {
		var problems []extract.Problem
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
		d := extract.Document{Type: row.mediaType, URL: "http://b/", Bytes: []byte(row.src)}
		assert.Len(t, LinkLines(t, &w, d), row.links, "%q", row.src)
		if row.links == 0 && assert.Len(t, problems, 1, "%q", row.src) {
			assert.Equal(t, extract.CodeHeaderMalformed, problems[0].Code, "%q", row.src)
			assert.Equal(t, extract.SeverityError, problems[0].Severity, "%q", row.src)
		}
	}
}

// A batch of rnews is an error, because each of its articles may have another base.
func TestBatchOfNews(t *testing.T) {
	const article = "#! rnews 42\nPath: a\nBase: <URL:http://b/>\n\nhttp://h/x\n"
	for _, mediaType := range []string{"", "message/rfc822", "application/mbox"} {
		var problems []extract.Problem
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
		assert.Empty(t, LinkLines(t, &w, extract.Document{Type: mediaType, Bytes: []byte(article + article)}), mediaType)
		require.Len(t, problems, 1, mediaType)
		assert.Equal(t, extract.CodeHeaderMalformed, problems[0].Code)
	}
}

// A header in UTF-16 is an error, and nothing is read. Text in UTF-16 without a header is a body, and nothing is reported.
func TestHeaderInUTF16(t *testing.T) {
	inUTF16 := map[string]func(c byte) string{
		"little endian": func(c byte) string { return string([]byte{c, 0}) },
		"big endian":    func(c byte) string { return string([]byte{0, c}) },
	}
	marks := map[string]string{"little endian": "\xFF\xFE", "big endian": "\xFE\xFF"}
	const page = "Content-Type: text/html\n\n<a href=http://h/x>"
	for order, spell := range inUTF16 {
		for _, row := range []struct{ mediaType, src string }{
			{"message/rfc822", "From: a@b\n" + page},
			{"message/rfc822", "From a@b Thu Jan  1 00:00:00 2024\nFrom: a@b\n" + page},
			{"application/mbox", "From a@b Thu Jan  1 00:00:00 2024\nFrom: a@b\n" + page},
			{"message/http", "HTTP/1.1 200 OK\n" + page},
		} {
			for _, mark := range []string{"", marks[order]} {
				var problems []extract.Problem
				w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
				text := mark
				for i := range len(row.src) {
					text += spell(row.src[i])
				}
				assert.Empty(t, LinkLines(t, &w, extract.Document{Type: row.mediaType, Bytes: []byte(text)}), row.src)
				require.Len(t, problems, 1, row.src)
				assert.Equal(t, extract.CodeHeaderMalformed, problems[0].Code)
				assert.Equal(t, extract.SeverityError, problems[0].Severity)
				problems = nil
				headless := mark
				for _, c := range []byte("see http://h/x") {
					headless += spell(c)
				}
				LinkLines(t, &w, extract.Document{Type: row.mediaType, Bytes: []byte(headless)})
				assert.Empty(t, problems, row.mediaType)
			}
		}
	}
}
