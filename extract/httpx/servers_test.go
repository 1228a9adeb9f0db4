package httpx_test

import (
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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/httpx"
)

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
