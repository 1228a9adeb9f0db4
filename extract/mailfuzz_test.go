package extract_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// unharmed checks rules for any document: without a base nothing changes, the size of a chunk of marks does not
// matter, and a second rewriting changes nothing.
func unharmed(t *testing.T, w *walker, d extract.Document) {
	src, unused := d.Bytes, *w
	if damaged(d) {
		return
	}
	if !hasBase(t, w, d) {
		require.Empty(t, firstDifference(string(src), rewrite(t, w, d)), "without a base")
	}
	d.URL = madeURL
	once := rewrite(t, w, d)
	require.Empty(t, firstDifference(once, inChunks(t, unused, d)), "in chunks")
	d.Bytes = []byte(once)
	require.Empty(t, firstDifference(once, rewrite(t, w, d)), "twice")
}

// FuzzMessage reads any bytes as a message, by each standard.
func FuzzMessage(f *testing.F) {
	for i, h := range hostileMail {
		f.Add([]byte(h.of(2)), uint8(i))
	}
	for _, newline := range []string{"\n", "\r\n"} {
		f.Add([]byte(rich(newline)), uint8(0))
		f.Add([]byte("Base: <URL:http://b/>"+newline+rich(newline)), uint8(0))
	}
	f.Fuzz(func(t *testing.T, src []byte, options uint8) {
		w := walker{Extractor: extract.Extractor{Standard: standards[int(options)%len(standards)], BreakSignatures: options&4 != 0}}
		unharmed(t, &w, extract.Document{Type: "message/rfc822", Bytes: src})
	})
}

// FuzzHTTP reads any bytes as a response.
func FuzzHTTP(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=x>",
		"HTTP/1.1 302 Found\r\nLocation: x\r\n\r\nHTTP/2 200\nLink: <y>\n\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n5;x=y\r\n<a hr\r\n5\r\nef=x>\r\n0\r\nX: y\r\n\r\n",
		"HTTP/1.0 200\nContent-Type: multipart/mixed; boundary=b\n\n--b\nBase: <URL:http://b/>\nContent-Type: text/html\n\n<a href=x>\n--b--",
		"HTTP/1.1 200 OK\nContent-Encoding: gzip, deflate\nContent-Location: c\n\n\x1f\x8b\x08",
		"\x1f\x8b\x08",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var w walker
		unharmed(t, &w, extract.Document{Type: "message/http", Bytes: src})
	})
}

// headerNames are the fields of FuzzHeader.
var headerNames = []string{"Base", "Content-Base", "Content-Location", "Link", "Refresh", "List-Help", "Comments", "Location", "Archived-At",
	"Content-Type", "Content-Transfer-Encoding", "Snapshot-Content-Location", "X-URL"}

// FuzzHeader reads any bytes as the value of a field, in the header of a message and in the header of a part. The
// text after the field stays unchanged.
func FuzzHeader(f *testing.F) {
	for i, value := range []string{" <URL:http://b/>", "\"http://b\r\n /x\" (c)", " http://b/%20?a=b (c (d))", " <x>;\n\trel=x, <y>", " 0; url='x'", " <x> (c), <mailto:a@b>",
		" see <URL:x\n y>", " /x", " =?utf-8?q?=3Cx=3E?=", " multipart/mixed; boundary=\"b\\\"\"; boundary*0*=utf-8''%62", "\t(c)base64", " x"} {
		f.Add([]byte(value), uint8(i))
	}
	f.Fuzz(func(t *testing.T, value []byte, name uint8) {
		field := headerNames[int(name)%len(headerNames)] + ":" + string(value)
		const behind = "\nSubject: x\n\nbody\n"
		var w walker
		for _, src := range []string{field + behind, "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + field + behind + "--b--\n"} {
			unharmed(t, &w, mail(src))
		}
		d := mail(field + behind)
		d.URL = madeURL
		if !bytes.Contains(value, []byte("\n")) {
			require.Contains(t, rewrite(t, &w, d), behind)
		}
	})
}

// FuzzBoundary reads a multipart with any boundary and any body.
func FuzzBoundary(f *testing.F) {
	f.Add("b", []byte("--b\n\n<URL:x>\n--b--\n"), "\n")
	f.Add("a b", []byte("--a b \t\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n--a b--x"), "\r\n")
	f.Add("=_'()+,-./:?", []byte("preamble\n--=_'()+,-./:?--\n--=_'()+,-./:?\n"), "\n")
	f.Fuzz(func(t *testing.T, boundary string, body []byte, newline string) {
		var w walker
		unharmed(t, &w, mail("Content-Type: multipart/related; boundary=\""+boundary+"\""+newline+newline+string(body)))
	})
}
