package httpx_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/httpx"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// A document that breaks off is an error, and the client receives no byte of its body. If the body passes, Read returns the
// error.
func TestBrokenBody(t *testing.T) {
	for _, mediaType := range []string{"text/html", "image/png"} {
		t.Run(mediaType, func(t *testing.T) {
			origin := func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", mediaType)
				w.Header().Set("Content-Length", "100")
				io.WriteString(w, page)
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
			each(t, extract.Extractor{}, origin, func(t *testing.T, s *site) {
				resp, err := s.RoundTrip(s.request(t, "GET", "/p", ""))
				switch {
				case mediaType == "image/png":
					require.NoError(t, err)
					defer resp.Body.Close()
					_, err = io.ReadAll(resp.Body)
					assert.Error(t, err)
				case s.proxied:
					require.NoError(t, err)
					defer resp.Body.Close()
					assert.Equal(t, http.StatusBadGateway, resp.StatusCode)
				default:
					assert.Error(t, err)
				}
			})
		})
	}
}

// If the client goes away, the request to the origin ends.
func TestCancel(t *testing.T) {
	begun, ended := make(chan bool), make(chan bool)
	origin := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, page)
		w.(http.Flusher).Flush()
		begun <- true
		<-r.Context().Done()
		ended <- true
	}
	each(t, extract.Extractor{}, origin, func(t *testing.T, s *site) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-begun
			cancel()
		}()
		resp, err := s.RoundTrip(s.request(t, "GET", "/p", "").WithContext(ctx))
		assert.Nil(t, resp)
		assert.ErrorIs(t, err, context.Canceled)
		<-ended
	})
}

// The body of the origin is closed once the client has the error or has closed its own body, whatever happens to the response.
func TestClose(t *testing.T) {
	broken := errors.New("broken")
	for _, row := range []struct {
		name string
		x    extract.Extractor
		body io.Reader
		want string
		err  error
	}{
		{"a document", extract.Extractor{}, strings.NewReader(page), "<a href=http://h/x>", nil},
		{"a document that does not change", extract.Extractor{}, strings.NewReader("<p>"), "<p>", nil},
		{"a document longer than MaxRecord", extract.Extractor{MaxRecord: 9}, strings.NewReader(page), page, nil},
		{"a body that passes", extract.Extractor{Only: func(string) bool { return false }}, strings.NewReader(page), page, nil},
		{"a read error", extract.Extractor{}, io.MultiReader(strings.NewReader(page), iotest.ErrReader(broken)), "", broken},
		{"a read error after MaxRecord", extract.Extractor{MaxRecord: 9}, io.MultiReader(strings.NewReader(page), iotest.ErrReader(broken)), page, broken},
		{"a pattern without a place", extract.Extractor{Places: []string{"img@hreff"}}, strings.NewReader(page), "", new(extract.PlaceError)},
		{"a base that is no URL", extract.Extractor{Override: "h"}, strings.NewReader(page), "", new(extract.URLError)},
	} {
		t.Run(row.name, func(t *testing.T) {
			body := &closing{Reader: row.body}
			transport := httpx.Transport{Extractor: &row.x, Base: roundTrip(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: body, ContentLength: -1}, nil
			})}
			req, err := http.NewRequestWithContext(t.Context(), "GET", "http://h/p", nil)
			require.NoError(t, err)
			resp, err := transport.RoundTrip(req)
			if err == nil {
				var got []byte
				got, err = io.ReadAll(resp.Body)
				assert.Equal(t, row.want, string(got))
				assert.NoError(t, resp.Body.Close())
			} else {
				assert.Nil(t, resp)
			}
			if row.err == broken {
				assert.Same(t, broken, err)
			} else {
				assert.IsType(t, row.err, err)
			}
			assert.True(t, body.closed)
		})
	}
}

// A client's error has the Timeout of the error of the request or the body, as it would without a Transport.
func TestTimeout(t *testing.T) {
	late := context.DeadlineExceeded
	respond := func(body io.Reader) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/html"}, "Link": {"<l>"}}, Body: io.NopCloser(body), ContentLength: -1}, nil
	}
	for name, row := range map[string]struct {
		base roundTrip
		want bool
	}{
		"the request": {func(*http.Request) (*http.Response, error) { return nil, late }, true},
		"the body": {func(*http.Request) (*http.Response, error) {
			return respond(io.MultiReader(strings.NewReader(page), iotest.ErrReader(late)))
		}, true},
		"the body, of another error": {func(*http.Request) (*http.Response, error) { return respond(iotest.ErrReader(io.ErrUnexpectedEOF)) }, false},
		"the context, while it is rewritten": {func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return respond(strings.NewReader(page))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			cause, timeout := errors.New("too slow"), time.Hour
			if strings.Contains(name, "context") {
				timeout = time.Millisecond
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), timeout, cause)
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, "GET", "http://h/", nil)
			require.NoError(t, err)
			_, err = (&http.Client{Transport: httpx.Transport{Base: row.base}}).Do(req)
			failed, ok := errors.AsType[*url.Error](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, row.want, failed.Timeout())
			assert.Equal(t, row.want, failed.Temporary())
			assert.Equal(t, row.want, errors.Is(err, late))
			if strings.Contains(name, "context") {
				assert.ErrorIs(t, err, cause)
			}
		})
	}
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

// A Transport returns an error of its Base unchanged, and accepts a response with few fields, as tests make it.
func TestTransport(t *testing.T) {
	failed := errors.New("failed")
	req, err := http.NewRequestWithContext(t.Context(), "GET", "http://h/p", nil)
	require.NoError(t, err)
	_, err = httpx.Transport{Base: roundTrip(func(*http.Request) (*http.Response, error) { return nil, failed })}.RoundTrip(req)
	assert.Equal(t, failed, err)
	for _, row := range []struct {
		resp *http.Response
		want string
	}{
		{&http.Response{StatusCode: 200}, ""},
		{&http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("<!DOCTYPE html>" + page))}, "<!DOCTYPE html><a href=http://h/x>"},
	} {
		resp, err := httpx.Transport{Base: roundTrip(func(*http.Request) (*http.Response, error) { return row.resp, nil })}.RoundTrip(req)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Equal(t, row.want, string(body))
	}
}

// A client follows a redirect to the rewritten Location.
func TestRedirect(t *testing.T) {
	x := extract.Extractor{Map: func(l *extract.Link) (string, bool) {
		return strings.Replace(string(l.URL), "/old", "/new", 1), true
	}}
	origin := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/old", http.StatusFound)
			return
		}
		fmt.Fprint(w, r.URL.Path)
	}
	s := transported(t, x, "HTTP/1.1", origin)
	client := http.Client{Transport: s}
	resp, err := client.Get(s.url)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.Equal(t, "/new", string(body))
}

// Map and OnLink receive each link once, those of the header first.
func TestLinksOnce(t *testing.T) {
	var links []string
	x := extract.Extractor{
		OnLink: func(l *extract.Link) { links = append(links, "OnLink "+l.Place()) },
		Map: func(l *extract.Link) (string, bool) {
			links = append(links, "Map "+l.Place())
			return string(l.URL), true
		},
	}
	origin := response{fields: html + "Content-Location: c\nLink: <l>\nRefresh: 1; url=r\n", body: page}
	s := transported(t, x, "HTTP/1.1", origin.ServeHTTP)
	s.fetch(t, "GET", "/p", "")
	assert.Equal(t, []string{"OnLink Content-Location", "Map Content-Location", "OnLink Link[1]", "Map Link[1]", "OnLink Refresh", "Map Refresh",
		"OnLink a@href", "Map a@href"}, links)
}

// After 101 (Switching Protocols), both sides write to the connection. HTTP/2 has no such response (RFC 9113 8.6).
func TestUpgrade(t *testing.T) {
	origin := func(w http.ResponseWriter, r *http.Request) {
		conn, in, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		in.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\nLocation: l\r\n\r\n")
		in.Flush()
		line, _ := in.ReadString('\n')
		in.WriteString(line)
		in.Flush()
	}
	for name, s := range map[string]*site{
		"Transport":    transported(t, extract.Extractor{}, "HTTP/1.1", origin),
		"ReverseProxy": proxied(t, extract.Extractor{}, "HTTP/1.1", origin),
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := s.RoundTrip(s.request(t, "GET", "/p", "Connection: Upgrade\nUpgrade: echo\n"))
			require.NoError(t, err)
			assert.Equal(t, http.StatusSwitchingProtocols, resp.StatusCode)
			assert.Equal(t, "l", resp.Header.Get("Location"))
			conn := resp.Body.(io.ReadWriteCloser)
			defer conn.Close()
			_, err = io.WriteString(conn, page+"\n")
			require.NoError(t, err)
			line, err := bufio.NewReader(conn).ReadString('\n')
			require.NoError(t, err)
			assert.Equal(t, page+"\n", line)
		})
	}
}

// The answer to CONNECT has a tunnel in place of a body.
func TestConnect(t *testing.T) {
	answer := &http.Response{StatusCode: 200, Body: io.NopCloser(iotest.ErrReader(errors.New("read")))}
	base := roundTrip(func(*http.Request) (*http.Response, error) { return answer, nil })
	req, err := http.NewRequestWithContext(t.Context(), http.MethodConnect, "http://h:443", nil)
	require.NoError(t, err)
	resp, err := httpx.Transport{Base: base}.RoundTrip(req)
	require.NoError(t, err)
	assert.Same(t, answer, resp)
}

// Interim responses pass. Their links stay relative, because package net/http does not return such responses.
func TestInterim(t *testing.T) {
	origin := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "<early>")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Set("Link", "<late>")
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, page)
	}
	each(t, extract.Extractor{}, origin, func(t *testing.T, s *site) {
		var early []string
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got1xxResponse: func(code int, h textproto.MIMEHeader) error {
			early = append(early, fmt.Sprint(code, " ", h.Get("Link")))
			return nil
		}})
		resp, err := s.RoundTrip(s.request(t, "GET", "/p", "").WithContext(ctx))
		require.NoError(t, err)
		defer resp.Body.Close()
		assert.Equal(t, []string{"103 <early>"}, early)
		assert.Equal(t, "<"+s.origin+"/late>", resp.Header.Values("Link")[len(resp.Header.Values("Link"))-1])
	})
}
