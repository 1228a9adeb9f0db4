package verify_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/verify"
	"absolink/extract"
	"absolink/internal/longtest"
)

// numbered repeats a text n times, with the number in place of %d.
func numbered(n int, text string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(strings.ReplaceAll(text, "%d", fmt.Sprint(i)))
	}
	return out.String()
}

// archived returns a zip or tar archive with n pages.
func archived(t *testing.T, name string, n int) string {
	var out bytes.Buffer
	z, w := zip.NewWriter(&out), tar.NewWriter(&out)
	const page = `<a href="/x">`
	for i := range n {
		file := fmt.Sprintf("%d.html", i)
		if name == "tar" {
			require.NoError(t, w.WriteHeader(&tar.Header{Name: file, Mode: 0o644, Size: int64(len(page))}))
			_, err := w.Write([]byte(page))
			require.NoError(t, err)
			continue
		}
		in, err := z.CreateHeader(&zip.FileHeader{Name: file})
		require.NoError(t, err)
		_, err = in.Write([]byte(page))
		require.NoError(t, err)
	}
	if name == "tar" {
		require.NoError(t, w.Close())
	} else {
		require.NoError(t, z.Close())
	}
	return out.String()
}

// TestLinear: the time of Check grows in proportion to the document.
func TestLinear(t *testing.T) {
	const mail = "Content-Base: http://h.example/d/\nContent-Type: "
	for _, row := range []struct {
		name, kind string
		most       int
		of         func(n int) string
	}{
		{"attributes", "text/html", 1 << 15, func(n int) string { return "<p" + numbered(n, " a%d=x") + "><a href=x>" }},
		{"attributes around a link", "text/html", 1 << 15, func(n int) string { return "<object" + numbered(n, " a%d=x") + " codebase=y data=x>" }},
		{"attributes of META", "text/html", 1 << 15, func(n int) string { return "<meta" + numbered(n, " a%d=x") + ` http-equiv=refresh content="0;url=x">` }},
		{"elements of SVG", "text/html", 1 << 14, func(n int) string { return `<svg xml:base="q/">` + numbered(n, `<a href="x%d" />`) }},
		{"HTML in SVG", "text/html", 1 << 12, func(n int) string {
			return "<svg>" + numbered(n, "<desc><a href=x%d></a></desc>"+strings.Repeat("text ", 200))
		}},
		{"pages in a page", "text/html", 1 << 13, func(n int) string { return numbered(n, `<iframe srcdoc="<a href=x%d>"></iframe>`) }},
		{"links", "text/html", 1 << 14, func(n int) string { return numbered(n, "<a href=x%d>") }},
		{"candidates", "text/html", 1 << 15, func(n int) string { return `<img srcset="` + numbered(n, "x%d 2x, ") + `">` }},
		{"an import map", "text/html", 1 << 14, func(n int) string {
			return `<script type=importmap>{"imports":{` + numbered(n, `"a%d":"./x",`) + `"a":"./y"}}</script>`
		}},
		{"import maps", "text/html", 1 << 13, func(n int) string { return numbered(n, `<script type=importmap>{"imports":{"a":"./x"}}</script>`) }},
		{"style attributes", "text/html", 1 << 13, func(n int) string { return numbered(n, `<p style="a:url(x)">`) }},
		{"attributes of XHTML", "application/xhtml+xml", 1 << 15, func(n int) string {
			return `<p xmlns="http://www.w3.org/1999/xhtml"` + numbered(n, ` a%d="x"`) + `><a href="x"/></p>`
		}},
		{"nested elements", "application/xml", 1 << 15, func(n int) string { return numbered(n, "<r>") + `<a href="x"/>` + numbered(n, "</r>") }},
		{"CDATA sections", "application/rss+xml", 1 << 14, func(n int) string {
			return "<rss><channel><description>" + numbered(n, "<![CDATA[<a href=x>]]>") + "</description></channel></rss>"
		}},
		{"links of a style sheet", "text/css", 1 << 15, func(n int) string { return numbered(n, "a{b:url(x%d)}") }},
		{"parts", "message/rfc822", 1 << 12, func(n int) string {
			return mail + "multipart/mixed; boundary=b\n\n" + numbered(n, "--b\nContent-Type: text/html\n\n<a href=x%d>\n") + "--b--\n"
		}},
		{"header fields", "message/rfc822", 1 << 14, func(n int) string { return numbered(n, "List-Help: <x%d>\n") + mail + "text/html\n\n<a href=x>\n" }},
		{"messages", "application/mbox", 1 << 12, func(n int) string {
			return numbered(n, "From a@b Thu Jan  1 00:00:00 1970\n"+mail+"text/html\n\n<a href=x>\n\n")
		}},
		{"redirects", "message/http", 1 << 12, func(n int) string {
			return "HTTP/1.1 302 F\r\nLocation: /y\r\n\r\n" + numbered(n, "HTTP/1.1 302 F\r\n\r\n") + "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>"
		}},
		{"records", "application/warc", 1 << 13, func(n int) string { return numbered(n, warcRecord("resource", "text/html", "<a href=x>")) }},
		{"digests of a record", "application/warc", 1 << 14, func(n int) string {
			return warcRecord("resource", "text/html", "<a href=x>"+numbered(n, "text"), numbered(n, "WARC-Payload-Digest: sha1:x\r\n")+"X: y")
		}},
		{"interim responses", "application/warc", 1 << 14, func(n int) string {
			return warcRecord("response", "application/http", numbered(n, "HTTP/1.1 100 C\r\n\r\n")+"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>", "WARC-Payload-Digest: sha1:x")
		}},
		{"files of a zip archive", "application/zip", 1 << 12, func(n int) string { return archived(t, "zip", n) }},
		{"files of a tar archive", "application/x-tar", 1 << 11, func(n int) string { return archived(t, "tar", n) }},
		{"links that only absolink finds", "text/html", 1 << 13, func(n int) string { return "<svg><style>" + numbered(n, "<a href=x%d>") }},
	} {
		t.Run(row.name, func(t *testing.T) {
			longtest.Linear(t, row.name, row.most, func(n int) func() {
				s := sample{config: verify.Config{Standard: "rfc3986", Base: "keep"}, d: extract.Document{Type: row.kind, URL: "http://h.example/d/p", Bytes: []byte(row.of(n))}}
				if row.kind == "application/zip" || row.kind == "application/x-tar" || row.kind == "application/warc" {
					s.d.URL, s.d.MemberURL = "", func(name string) (url, by string) { return "http://h.example/" + name, "--site" }
				}
				d := s.rewritten(t)
				require.NotEqual(t, d.Old, d.New)
				r := s.config.Check(d)
				require.Nil(t, r.Failed)
				return func() { s.config.Check(d) }
			})
		})
	}
}
