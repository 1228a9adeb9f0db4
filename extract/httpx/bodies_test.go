package httpx_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/httpx"
)

// packed returns text, compressed by the writer that newWriter returns.
func packed(text string, newWriter func(io.Writer) io.WriteCloser) string {
	var b bytes.Buffer
	w := newWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func gzipped(text string) string {
	return packed(text, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
}

// A response keeps its content coding, and its body is compressed again.
func TestCodings(t *testing.T) {
	for _, row := range []struct {
		name, body string
		decode     func(io.Reader) (io.Reader, error)
	}{
		{"gzip", gzipped(page), func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"deflate", packed(page, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }), func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
		{"br", packed(page, func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }), func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }},
		{"zstd", packed(page, func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z }), func(r io.Reader) (io.Reader, error) {
			z, err := zstd.NewReader(r)
			return z.IOReadCloser(), err
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			origin := response{fields: html + "ETag: \"1\"\nContent-Encoding: " + row.name + "\n", body: row.body}
			each(t, extract.Extractor{}, origin.ServeHTTP, func(t *testing.T, s *site) {
				resp, err := s.RoundTrip(s.request(t, "GET", "/p", ""))
				require.NoError(t, err)
				defer resp.Body.Close()
				body, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				assert.Equal(t, int64(len(body)), resp.ContentLength)
				assert.Equal(t, []string{row.name, `W/"1"`}, []string{resp.Header.Get("Content-Encoding"), resp.Header.Get("ETag")})
				text, err := row.decode(bytes.NewReader(body))
				require.NoError(t, err)
				plain, err := io.ReadAll(text)
				require.NoError(t, err)
				assert.Equal(t, "<a href="+s.origin+"/x>", string(plain))
			})
		})
	}
}

// A body that is too long, as it comes or decompressed, passes unchanged before its links are found, with one problem.
func TestTooLong(t *testing.T) {
	const limit = 4 << 10
	full := page + strings.Repeat(" ", limit-len(page))
	for _, row := range []struct {
		name, body string
		problems   []string
		links      int
	}{
		{"the limit", full, nil, 1},
		{"longer", full + " ", []string{"size-limit"}, 0},
		{"the limit in gzip", gzipped(full), nil, 1},
		{"longer in gzip", gzipped(full + " "), []string{"ratio-limit"}, 0},
		{"much longer in gzip", gzipped(strings.Repeat(full, 1<<10)), []string{"size-limit"}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			fields, links := html, 0
			if strings.HasPrefix(row.body, "\x1f\x8b") {
				fields += "Content-Encoding: gzip\n"
			}
			x := extract.Extractor{MaxRecord: limit, Map: func(l *extract.Link) (string, bool) { links++; return "", false }}
			s := transported(t, x, "HTTP/1.1", response{fields: fields, body: row.body}.ServeHTTP)
			resp, body := s.fetch(t, "GET", "/p", "Accept-Encoding: gzip\n")
			assert.Equal(t, row.body, body)
			assert.Equal(t, row.problems, s.reported())
			assert.Equal(t, row.links, links)
			assert.Equal(t, fields[len(html):] != "", resp.Header.Get("Content-Encoding") == "gzip")
		})
	}
}

// By default, a body may have 32 MiB.
func TestDefaultLimit(t *testing.T) {
	for length, want := range map[int64]int{32 << 20: 0, 32<<20 + 1: 1} {
		problems := 0
		resp := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/html"}}, ContentLength: length,
			Body: io.NopCloser(strings.NewReader(page)), Request: &http.Request{URL: &url.URL{Scheme: "http", Host: "h"}}}
		require.NoError(t, httpx.ModifyResponse(&extract.Extractor{OnProblem: func(extract.Problem) { problems++ }})(resp))
		assert.Equal(t, want, problems, "%d", length)
	}
}

// Conditional requests with the ETag of a changed body work with an origin that follows RFC 9110 13.
func TestConditions(t *testing.T) {
	modified := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	origin := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "page.html", modified, strings.NewReader(page))
	}
	each(t, extract.Extractor{}, origin, func(t *testing.T, s *site) {
		for _, row := range []struct {
			sent   string
			status int
			etag   string
			body   string
		}{
			{"", 200, `W/"1"`, absPage},
			{"If-None-Match: W/\"1\"\n", 304, `W/"1"`, ""},
			{"If-None-Match: \"1\"\n", 304, `"1"`, ""},
			{"If-None-Match: W/\"2\"\n", 200, `W/"1"`, absPage},
			{"If-Modified-Since: Mon, 01 Jan 2024 00:00:00 GMT\n", 304, `W/"1"`, ""},
			{"If-Match: W/\"1\"\n", 412, `"1"`, ""},
			{"Range: bytes=0-1\nIf-Range: W/\"1\"\n", 200, `W/"1"`, absPage},
			{"Range: bytes=0-1\n", 200, `W/"1"`, absPage},
			{"Range: bytes=0-1\nIf-Range: \"1\"\n", 200, `W/"1"`, absPage},
		} {
			if s.proxied && strings.HasPrefix(row.sent, "Range") && !strings.Contains(row.sent, "W/") {
				row.status, row.etag, row.body = 206, `"1"`, "<a" // only a Transport can ask again
			}
			resp, body := s.fetch(t, "GET", "/p", row.sent)
			assert.Equal(t, row.status, resp.StatusCode, row.sent)
			assert.Equal(t, row.etag, resp.Header.Get("ETag"), row.sent)
			assert.Equal(t, row.body, body, row.sent)
		}
	})
}

// A body that passes reaches the client as it comes: its end is sent only after the client has read its start.
func TestStreams(t *testing.T) {
	for _, row := range []struct {
		name, fields string
		limit        int // MaxRecord; the first piece has 12 bytes
		problems     []string
	}{
		{"events", "Content-Type: text/event-stream\n", 0, nil},
		{"a video", "Content-Type: video/mp4\n", 0, nil},
		{"a mixture", "Content-Type: multipart/x-mixed-replace; boundary=b\n", 0, nil},
		{"an archive", "Content-Type: application/zip\n", 0, nil},
		{"no-transform", "Content-Type: text/html\nCache-Control: no-transform\n", 0, []string{"not-read"}},
		{"longer than MaxRecord", "Content-Type: text/html\n", 11, []string{"size-limit"}},
		{"longer than MaxRecord, with a length", "Content-Type: text/html\nContent-Length: 24\n", 23, []string{"size-limit"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			more := make(chan bool, 1)
			origin := func(w http.ResponseWriter, r *http.Request) {
				setFields(w.Header(), row.fields)
				io.WriteString(w, "<a href=xxx>")
				w.(http.Flusher).Flush()
				<-more
				io.WriteString(w, "<a href=yyy>")
			}
			each(t, extract.Extractor{MaxRecord: row.limit}, origin, func(t *testing.T, s *site) {
				resp, err := s.RoundTrip(s.request(t, "GET", "/p", ""))
				require.NoError(t, err)
				defer resp.Body.Close()
				start := make([]byte, 12)
				_, err = io.ReadFull(resp.Body, start)
				require.NoError(t, err)
				more <- true
				end, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				assert.Equal(t, "<a href=xxx><a href=yyy>", string(start)+string(end))
				assert.Equal(t, row.problems, s.reported())
			})
		})
	}
}
