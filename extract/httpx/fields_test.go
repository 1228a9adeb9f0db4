package httpx_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/httpx"
)

const (
	page    = "<a href=x>"
	absPage = "<a href=ORIGIN/x>"
	html    = "Content-Type: text/html\n"
)

// response is what an origin sends.
type response struct {
	status  int // 0 means 200
	fields  string
	body    string
	trailer string
}

// ServeHTTP sends the response. A response without a Content-Length comes in chunks.
func (r response) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header()["Content-Type"] = nil // package net/http must not detect it
	setFields(w.Header(), r.fields)
	for line := range strings.Lines(r.trailer) {
		name, _, _ := strings.Cut(line, ":")
		w.Header().Add("Trailer", name)
	}
	w.WriteHeader(max(r.status, 200))
	w.(http.Flusher).Flush()
	w.Write([]byte(r.body))
	setFields(w.Header(), r.trailer)
}

// TestFields has the whole header of each kind of response, so that no other field may change.
func TestFields(t *testing.T) {
	const digests = "Content-Digest: sha-256=:x:\nContent-Md5: x\nDigest: sha-256=x\nRepr-Digest: sha-256=:x:\n"
	for _, row := range []struct {
		name         string
		method, sent string // the request; "" means GET
		origin, want response
		problems     []string
	}{
		{name: "a length", origin: response{fields: html + "Content-Length: 10\n", body: page},
			want: response{fields: "Content-Length: LENGTH\n" + html, body: absPage}},
		{name: "chunks", origin: response{fields: html, body: page},
			want: response{fields: "Content-Length: LENGTH\n" + html, body: absPage}},
		{name: "a strong ETag", origin: response{fields: html + "ETag: \"1\"\n", body: page},
			want: response{fields: "Content-Length: LENGTH\n" + html + "Etag: W/\"1\"\n", body: absPage}},
		{name: "a weak ETag", origin: response{fields: html + "ETag: W/\"1\"\n", body: page},
			want: response{fields: "Content-Length: LENGTH\n" + html + "Etag: W/\"1\"\n", body: absPage}},
		{name: "digests (RFC 9530, RFC 3230, RFC 2616 14.15)", origin: response{fields: html + digests + "Want-Content-Digest: sha-256=1\nWant-Digest: sha-256\nWant-Repr-Digest: sha-256=1\n", body: page},
			want: response{fields: "Content-Length: LENGTH\n" + html + "Want-Content-Digest: sha-256=1\nWant-Digest: sha-256\nWant-Repr-Digest: sha-256=1\n", body: absPage}},
		{name: "other validators", origin: response{fields: html + "Accept-Ranges: bytes\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT\n", body: page},
			want: response{fields: "Accept-Ranges: none\nContent-Length: LENGTH\n" + html + "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT\n", body: absPage}},
		{name: "bytes that do not change", origin: response{fields: "Accept-Ranges: bytes\n" + digests + html + "Etag: \"1\"\n", body: "<a href=http://h/x>"},
			want: response{fields: "Accept-Ranges: bytes\n" + digests + html + "Etag: \"1\"\n", body: "<a href=http://h/x>"}},
		{name: "links in fields", origin: response{fields: html + "Content-Location: c\nLink: <l>; rel=next, </m>\nLink: <n>\nRefresh: 1; url=r\n", body: "<p>"},
			want: response{fields: "Content-Location: ORIGIN/c\n" + html + "Link: <ORIGIN/l>; rel=next, <ORIGIN/m>\nLink: <ORIGIN/n>\nRefresh: 1; url=ORIGIN/r\n", body: "<p>"}},
		{name: "a redirect", origin: response{status: 302, fields: "Content-Type: image/png\nLocation: /y?a=1#b\n", body: "x"},
			want: response{status: 302, fields: "Content-Type: image/png\nLocation: ORIGIN/y?a=1#b\n", body: "x"}},
		{name: "an error is a page, too", origin: response{status: 404, fields: html, body: page},
			want: response{status: 404, fields: "Content-Length: LENGTH\n" + html, body: absPage}},
		{name: "no-transform (RFC 9110 7.7) is about the body", origin: response{fields: "Cache-Control: private, No-Transform\n" + html + "Etag: \"1\"\nLink: <l>\n", body: page},
			want: response{fields: "Cache-Control: private, No-Transform\n" + html + "Etag: \"1\"\nLink: <ORIGIN/l>\n", body: page}, problems: []string{"not-read"}},
		{name: "no-transform in the request (RFC 9111 5.2.1.6)", sent: "Cache-Control: no-transform\n", origin: response{fields: html, body: page},
			want: response{fields: html, body: page}, problems: []string{"not-read"}},
		{name: "trailers", origin: response{fields: html, body: page, trailer: "Content-Digest: sha-256=:x:\nServer-Timing: a;dur=1\nEtag: \"1\"\n"},
			want: response{fields: html, body: absPage, trailer: "Etag: W/\"1\"\nServer-Timing: a;dur=1\n"}},
		{name: "trailers after bytes that do not change", origin: response{fields: html, body: "<p>", trailer: "Content-Digest: sha-256=:x:\nEtag: \"1\"\n"},
			want: response{fields: html, body: "<p>", trailer: "Content-Digest: sha-256=:x:\nEtag: \"1\"\n"}},
		{name: "trailers of a body that passes", origin: response{fields: "Content-Type: application/grpc\n", body: "x", trailer: "Grpc-Status: 0\n"},
			want: response{fields: "Content-Type: application/grpc\n", body: "x", trailer: "Grpc-Status: 0\n"}},
		{name: "HEAD", method: "HEAD", origin: response{fields: "Accept-Ranges: bytes\nContent-Length: 10\n" + digests + html + "Etag: \"1\"\nLink: <l>\n"},
			want: response{fields: "Accept-Ranges: none\n" + html + "Etag: W/\"1\"\nLink: <ORIGIN/l>\n"}},
		{name: "HEAD of a body that passes", method: "HEAD", origin: response{fields: "Accept-Ranges: bytes\nContent-Length: 10\nContent-Type: image/png\nEtag: \"1\"\n"},
			want: response{fields: "Accept-Ranges: bytes\nContent-Length: 10\nContent-Type: image/png\nEtag: \"1\"\n"}},
		{name: "HEAD with no-transform", method: "HEAD", origin: response{fields: "Cache-Control: no-transform\nContent-Length: 10\n" + html + "Etag: \"1\"\n"},
			want: response{fields: "Cache-Control: no-transform\nContent-Length: 10\n" + html + "Etag: \"1\"\n"}},
		{name: "204", origin: response{status: 204, fields: "Etag: \"1\"\nLink: <l>\n"},
			want: response{status: 204, fields: "Etag: \"1\"\nLink: <ORIGIN/l>\n"}},
		{name: "304 for a changed body", sent: "If-None-Match: \"0\", W/\"1\"\n", origin: response{status: 304, fields: "Accept-Ranges: bytes\nContent-Location: c\n" + digests + "Etag: \"1\"\n"},
			want: response{status: 304, fields: "Content-Location: ORIGIN/c\nEtag: W/\"1\"\n"}},
		{name: "304 for an unchanged body", sent: "If-None-Match: W/\"0\", \"1\"\n", origin: response{status: 304, fields: "Accept-Ranges: bytes\n" + digests + "Etag: \"1\"\n"},
			want: response{status: 304, fields: "Accept-Ranges: bytes\n" + digests + "Etag: \"1\"\n"}},
		{name: "304 without an ETag", sent: "If-Modified-Since: Mon, 01 Jan 2024 00:00:00 GMT\n", origin: response{status: 304, fields: digests},
			want: response{status: 304}},
		{name: "206", sent: "Range: bytes=0-9\n", origin: response{status: 206, fields: "Accept-Ranges: bytes\nContent-Range: bytes 0-9/10\n" + html + "Etag: \"1\"\nLink: <l>\n", body: page},
			want: response{status: 206, fields: "Accept-Ranges: bytes\nContent-Range: bytes 0-9/10\n" + html + "Etag: \"1\"\nLink: <ORIGIN/l>\n", body: page}, problems: []string{"not-read"}},
		{name: "206 of a video", sent: "Range: bytes=0-9\n", origin: response{status: 206, fields: "Content-Range: bytes 0-9/10\nContent-Type: video/mp4\n", body: page},
			want: response{status: 206, fields: "Content-Range: bytes 0-9/10\nContent-Type: video/mp4\n", body: page}},
		{name: "200 as the answer to Range", sent: "Range: bytes=0-9\n", origin: response{fields: html, body: page},
			want: response{fields: "Content-Length: LENGTH\n" + html, body: absPage}},
		{name: "fields and attributes about content", origin: response{fields: "Content-Security-Policy: img-src /i\n" + html + "Set-Cookie: a=1; Domain=h; Path=/p\nSet-Cookie: b=2\n", body: "<link rel=stylesheet href=s.css integrity=sha256-x>"},
			want: response{fields: "Content-Length: LENGTH\nContent-Security-Policy: img-src /i\n" + html + "Set-Cookie: a=1; Domain=h; Path=/p\nSet-Cookie: b=2\n", body: "<link rel=stylesheet href=ORIGIN/s.css integrity=sha256-x>"}},
		{name: "a style sheet", origin: response{fields: "Content-Type: text/css\n", body: "@import 'x';"},
			want: response{fields: "Content-Length: LENGTH\nContent-Type: text/css\n", body: "@import 'ORIGIN/x';"}},
		{name: "a media type that Only excludes", origin: response{fields: "Content-Type: text/plain\nEtag: \"1\"\n", body: "<URL:x>"},
			want: response{fields: "Content-Type: text/plain\nEtag: \"1\"\n", body: "<URL:x>"}},
		{name: "two media types: the last valid one applies (Fetch)", origin: response{fields: "Content-Type: image/png\nContent-Type: text/html\n", body: page},
			want: response{fields: "Content-Length: LENGTH\nContent-Type: image/png\nContent-Type: text/html\n", body: absPage}, problems: []string{"header-malformed"}},
		{name: "no media type, but a word", origin: response{fields: "Content-Type: html\n", body: "<!DOCTYPE html>" + page},
			want: response{fields: "Content-Length: LENGTH\nContent-Type: html\n", body: "<!DOCTYPE html>" + absPage}},
		{name: "octets", origin: response{fields: "Content-Type: application/octet-stream\n", body: page},
			want: response{fields: "Content-Type: application/octet-stream\n", body: page}},
		{name: "a message", origin: response{fields: "Content-Type: message/rfc822\n", body: html + "\n" + page},
			want: response{fields: "Content-Type: message/rfc822\n", body: html + "\n" + page}},
		{name: "an archive", origin: response{fields: "Content-Type: application/warc\n", body: "WARC/1.0\r\n"},
			want: response{fields: "Content-Type: application/warc\n", body: "WARC/1.0\r\n"}},
		{name: "a gzip file", origin: response{fields: "Content-Type: application/gzip\n", body: gzipped(page)},
			want: response{fields: "Content-Type: application/gzip\n", body: gzipped(page)}},
		{name: "an unknown coding", origin: response{fields: "Content-Encoding: dcb\n" + html + "Etag: \"1\"\n", body: "\xFFDCB\x00"},
			want: response{fields: "Content-Encoding: dcb\n" + html + "Etag: \"1\"\n", body: "\xFFDCB\x00"}, problems: []string{"undecodable"}},
		{name: "damage in a coding", origin: response{fields: "Content-Encoding: gzip\n" + html + "Etag: \"1\"\n", body: gzipped(page)[:20]},
			want: response{fields: "Content-Encoding: gzip\n" + html + "Etag: \"1\"\n", body: gzipped(page)[:20]}, problems: []string{"undecodable"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			x := extract.Extractor{Only: func(mediaType string) bool { return mediaType != "text/plain" }}
			each(t, x, row.origin.ServeHTTP, func(t *testing.T, s *site) {
				method := row.method
				if method == "" {
					method = "GET"
				}
				resp, body := s.fetch(t, method, "/p", row.sent)
				assert.Equal(t, row.want.body, body)
				assert.Equal(t, max(row.want.status, 200), resp.StatusCode)
				length := len(strings.ReplaceAll(body, "ORIGIN", s.origin))
				fields := http.Header{}
				setFields(fields, strings.Replace(row.want.fields, "LENGTH", strconv.Itoa(length), 1))
				assert.Equal(t, s.fieldLines(fields), s.fieldLines(resp.Header))
				assert.Equal(t, row.want.trailer, s.fieldLines(resp.Trailer))
				assert.Equal(t, row.problems, s.reported())
			})
		})
	}
}

// Only may want a document inside another one.
func TestOnly(t *testing.T) {
	x := extract.Extractor{Only: func(mediaType string) bool { return mediaType == "text/html" }}
	feed := response{fields: "Content-Type: application/atom+xml\n",
		body: "<feed xmlns='http://www.w3.org/2005/Atom'><link href='x'/><content type='html'>&lt;a href=x></content></feed>"}
	each(t, x, feed.ServeHTTP, func(t *testing.T, s *site) {
		_, body := s.fetch(t, "GET", "/p", "")
		assert.Equal(t, strings.Replace(feed.body, "&lt;a href=x", "&lt;a href=ORIGIN/x", 1), body)
	})
}

// A response without a Content-Type is rewritten, even in a reverse proxy, where package net/http adds one.
func TestUntyped(t *testing.T) {
	origin := response{body: "<!DOCTYPE html>" + page}
	each(t, extract.Extractor{}, origin.ServeHTTP, func(t *testing.T, s *site) {
		_, body := s.fetch(t, "GET", "/p", "")
		assert.Equal(t, "<!DOCTYPE html>"+absPage, body)
	})
}

// The URL of a response has no password, because links are resolved against it. Only Location has it, which a client follows.
func TestNoPassword(t *testing.T) {
	resp := &http.Response{Request: &http.Request{URL: &url.URL{Scheme: "http", User: url.UserPassword("user", "secret"), Host: "h", Path: "/p/q"}}}
	assert.Equal(t, "http://h/p/q", httpx.FromResponse(resp).URL)
	assert.NotNil(t, resp.Request.URL.User, "the request does not change")

	resp.Header, resp.Body = http.Header{"Content-Location": {"c"}, "Content-Type": {"image/png"}, "Link": {"<l>"}, "Location": {"x"}, "Refresh": {"1; url=r"}}, http.NoBody
	names := map[string]bool{}
	x := extract.Extractor{OnLink: func(l *extract.Link) { names[l.Entity.Document] = true }}
	require.NoError(t, httpx.ModifyResponse(&x)(resp))
	assert.Equal(t, http.Header{"Content-Location": {"http://h/p/c"}, "Content-Type": {"image/png"}, "Link": {"<http://h/p/l>"},
		"Location": {"http://user:secret@h/p/x"}, "Refresh": {"1; url=http://h/p/r"}}, resp.Header)
	assert.Equal(t, map[string]bool{"http://h/p/q": true}, names)
}
