package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// newSite returns a website and a proxy for it. The site sends the page in testdata with its own origin in place of
// http://localhost:8000. The query of a request is the coding of the response.
func newSite(t *testing.T) (site, proxy *httptest.Server) {
	t.Helper()
	page, err := os.ReadFile("testdata/docs/index.html")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	site = httptest.NewServer(mux)
	t.Cleanup(site.Close)
	page = bytes.ReplaceAll(page, []byte("http://localhost:8000"), []byte(site.URL))
	mux.HandleFunc("/docs/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Link", "<next>; rel=next, <http://other.example/>; rel=related")
		w.Header().Set("Content-Encoding", r.URL.RawQuery)
		switch r.URL.RawQuery {
		case "gzip":
			to := gzip.NewWriter(w)
			defer to.Close()
			to.Write(page)
		case "br":
			to := brotli.NewWriter(w)
			defer to.Close()
			to.Write(page)
		default:
			w.Header().Del("Content-Encoding")
			w.Header().Set("Content-Length", fmt.Sprint(len(page)))
			w.Write(page)
		}
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Location"] = []string{r.URL.Query().Get("to")}
		w.WriteHeader(http.StatusFound)
	})
	mux.HandleFunc("/page.bin", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"2"`)
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(page)
	})
	handler, err := newProxy(strings.ToUpper(site.URL), "http://proxy.example")
	if err != nil {
		t.Fatal(err)
	}
	proxy = httptest.NewServer(handler)
	t.Cleanup(proxy.Close)
	return site, proxy
}

// fetch sends a request through the proxy, without following redirects or decompressing the body.
func fetch(t *testing.T, method, url string) (*http.Response, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip, br")
	resp, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}

const rewritten = `<!DOCTYPE html>
<html lang="en">
<head>
<title>A page behind the proxy</title>
<link rel="stylesheet" href="http://proxy.example/style.css">
</head>
<body>
<p><a href="http://proxy.example/docs/guide.html?a=1&amp;b=2#top">Guide</a> <a href='http://proxy.example/'>Home</a>
<a href="http://other.example/">elsewhere</a> <a href="http://other.example/b">by the same scheme</a></p>
<iframe srcdoc="<a href='http://proxy.example/docs/guide.html?a=1&amp;amp;b=2'>Guide</a>"></iframe>
</body>
</html>
`

// TestPages: in each coding, the body of the page and its header fields agree.
func TestPages(t *testing.T) {
	_, proxy := newSite(t)
	for coding, decode := range map[string]func(io.Reader) (io.Reader, error){
		"":     func(r io.Reader) (io.Reader, error) { return r, nil },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"br":   func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	} {
		resp, body := fetch(t, "GET", proxy.URL+"/docs/?"+coding)
		if got := resp.Header.Get("Content-Encoding"); got != coding {
			t.Errorf("Content-Encoding %q, not %q", got, coding)
		}
		if got := resp.Header.Get("Content-Length"); got != fmt.Sprint(len(body)) {
			t.Errorf("%q: Content-Length %s for %d bytes", coding, got, len(body))
		}
		if got := resp.Header.Get("Link"); got != "<http://proxy.example/docs/next>; rel=next, <http://other.example/>; rel=related" {
			t.Errorf("%q: Link: %s", coding, got)
		}
		if got := resp.Header.Get("ETag"); got != `W/"1"` {
			t.Errorf("%q: ETag: %s", coding, got)
		}
		plain, err := decode(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(plain)
		if err != nil {
			t.Fatal(err)
		}
		if string(page) != rewritten {
			t.Errorf("%q: got %s", coding, page)
		}
	}
}

func TestRedirects(t *testing.T) {
	site, proxy := newSite(t)
	for to, want := range map[string]string{
		"/docs/":               "http://proxy.example/docs/",
		"docs/?a=1":            "http://proxy.example/docs/?a=1",
		site.URL + "/docs/#a":  "http://proxy.example/docs/#a",
		"http://other.example": "http://other.example",
		"//other.example/":     "http://other.example/",
	} {
		resp, _ := fetch(t, "GET", proxy.URL+"/moved?to="+strings.ReplaceAll(to, "#", "%23"))
		if got := resp.Header.Get("Location"); resp.StatusCode != http.StatusFound || got != want {
			t.Errorf("%d, Location: %s, not %s", resp.StatusCode, got, want)
		}
	}
}

func TestHead(t *testing.T) {
	_, proxy := newSite(t)
	resp, body := fetch(t, "HEAD", proxy.URL+"/docs/")
	if resp.StatusCode != http.StatusOK || resp.ContentLength != -1 || len(body) > 0 {
		t.Errorf("%s, length %d, %q", resp.Status, resp.ContentLength, body)
	}
}

// TestOther: a response that is no page stays unchanged.
func TestOther(t *testing.T) {
	site, proxy := newSite(t)
	resp, body := fetch(t, "GET", proxy.URL+"/page.bin")
	if resp.Header.Get("ETag") != `"2"` || !strings.Contains(string(body), site.URL) {
		t.Errorf("%s: %s", resp.Header, body)
	}
	if resp, _ := fetch(t, "GET", proxy.URL+"/absent"); resp.StatusCode != http.StatusNotFound {
		t.Error(resp.Status)
	}
}

func TestOrigin(t *testing.T) {
	for _, site := range []string{"site.example", "http://site.example/docs/", ":"} {
		if _, err := newProxy(site, "http://proxy.example"); err == nil {
			t.Errorf("%q is no origin", site)
		}
	}
}
