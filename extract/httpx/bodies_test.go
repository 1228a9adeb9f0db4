package httpx_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
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

// site is an origin, and a client whose responses are rewritten.
type site struct {
	http.RoundTripper
	proxied bool
	origin  string // its URL, without a slash at the end
	url     string // to which the client sends requests: that of the origin, or of a proxy

	mu       sync.Mutex
	problems []string // their codes
}

// each runs a test over HTTP/1.1 and HTTP/2, with a Transport and with a reverse proxy.
func each(t *testing.T, x extract.Extractor, origin http.HandlerFunc, test func(t *testing.T, s *site)) {
	t.Helper()
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(proto+" Transport", func(t *testing.T) { test(t, transported(t, x, proto, origin)) })
		t.Run(proto+" ReverseProxy", func(t *testing.T) { test(t, proxied(t, x, proto, origin)) })
	}
}

func transported(t *testing.T, x extract.Extractor, proto string, origin http.HandlerFunc) *site {
	server, client := serve(t, proto, origin)
	s := &site{origin: server.URL, url: server.URL}
	s.listen(&x)
	s.RoundTripper = httpx.Transport{Extractor: &x, Base: client}
	return s
}

func proxied(t *testing.T, x extract.Extractor, proto string, origin http.HandlerFunc) *site {
	server, client := serve(t, proto, origin)
	target, err := url.Parse(server.URL)
	require.NoError(t, err)
	s := &site{origin: server.URL, proxied: true}
	s.listen(&x)
	proxy, toProxy := serve(t, proto, &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:      client,
		ModifyResponse: httpx.ModifyResponse(&x),
		FlushInterval:  -1, // without it, a body with a Content-Length may wait in a buffer
		ErrorLog:       log.New(io.Discard, "", 0),
	})
	s.url, s.RoundTripper = proxy.URL, toProxy
	return s
}

// serve returns a server on loopback, and a client for it. The client does not decompress bodies.
func serve(t *testing.T, proto string, handler http.Handler) (*httptest.Server, http.RoundTripper) {
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	if proto == "HTTP/1.1" {
		server.Start()
	} else {
		server.EnableHTTP2 = true
		server.StartTLS()
	}
	t.Cleanup(server.Close)
	client := server.Client().Transport.(*http.Transport)
	client.DisableCompression = true
	return server, protocol{client, proto}
}

// protocol checks the protocol of each response.
type protocol struct {
	http.RoundTripper
	want string
}

func (p protocol) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := p.RoundTripper.RoundTrip(req)
	if err == nil && resp.Proto != p.want {
		panic("the protocol is " + resp.Proto)
	}
	return resp, err
}

// listen makes x add its problems to s.
func (s *site) listen(x *extract.Extractor) {
	x.OnProblem = func(p extract.Problem) {
		s.mu.Lock()
		s.problems = append(s.problems, string(p.Code))
		s.mu.Unlock()
	}
}

// reported returns the codes of the problems so far.
func (s *site) reported() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.problems)
}

// request returns a request with fields, which are lines such as "Range: bytes=0-1".
func (s *site) request(t *testing.T, method, path, fields string) *http.Request {
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, nil)
	require.NoError(t, err)
	setFields(req.Header, fields)
	return req
}

// fetch sends a request, and returns the response with its whole body.
func (s *site) fetch(t *testing.T, method, path, fields string) (*http.Response, string) {
	t.Helper()
	resp, err := s.RoundTrip(s.request(t, method, path, fields))
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	if method != "HEAD" && resp.ContentLength >= 0 {
		assert.Equal(t, int64(len(body)), resp.ContentLength)
		assert.Empty(t, resp.TransferEncoding)
	}
	return resp, strings.ReplaceAll(string(body), s.origin, "ORIGIN")
}

// setFields adds the fields in lines to a header.
func setFields(h http.Header, lines string) {
	for line := range strings.Lines(lines) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		h.Add(name, value)
	}
}

// fieldLines returns the lines of a header, without the Date of the servers and with ORIGIN for the URL of the origin.
func (s *site) fieldLines(h http.Header) string {
	var lines strings.Builder
	h = h.Clone()
	h.Del("Date")
	h.Write(&lines)
	return strings.NewReplacer("\r", "", s.origin, "ORIGIN").Replace(lines.String())
}
