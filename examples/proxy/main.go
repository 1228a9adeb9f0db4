// Proxy is a reverse proxy for one website. It rewrites the pages and style sheets of the site, so that links to the site
// lead through the proxy. Links to other sites keep their URLs. The header fields Location, Content-Location, Link and
// Refresh are rewritten, too. A compressed page (gzip, br, deflate or zstd) stays compressed.
//
// The proxy does not change URLs in scripts, or the Domain of cookies.
//
// To try it, run these two commands, and open http://localhost:8080/docs/index.html in a browser:
//
//	python3 -m http.server 8000 --directory examples/proxy/testdata
//	go run ./examples/proxy -site http://localhost:8000 -listen localhost:8080
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"mime"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"absolink/extract"
	"absolink/resolve"
)

func main() {
	site := flag.String("site", "http://localhost:8000", "the `origin` of the website")
	listen := flag.String("listen", "localhost:8080", "accept connections at this `address`")
	flag.Parse()
	handler, err := newProxy(*site, "http://"+*listen)
	if err == nil {
		err = http.ListenAndServe(*listen, handler)
	}
	log.Fatal(err)
}

// newProxy returns the proxy for a site. public is the origin that browsers use for the proxy.
func newProxy(site, public string) (http.Handler, error) {
	base, err := resolve.WHATWG.Base(site)
	if err != nil {
		return nil, err
	}
	from := base.String() // URLs of links start with it: it ends with a slash, and has no default port
	origin, err := url.Parse(from)
	if err != nil || origin.Host == "" || origin.Path != "/" {
		return nil, fmt.Errorf("%q is not an origin such as http://site.example", site)
	}
	rw := rewriter{extract.Extractor{
		Standard: resolve.WHATWG, // browsers read the pages
		Map: func(link *extract.Link) (string, bool) {
			if path, ok := strings.CutPrefix(string(link.URL), from); ok {
				return public + "/" + path, true
			}
			return string(link.URL), true // absolute, because the proxy may have another scheme than the site
		},
		OnProblem: func(p extract.Problem) { log.Print(p.Error()) },
	}}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(origin)
			r.SetXForwarded()
			r.Out.Header.Del("Range") // part of a page cannot be rewritten
		},
		ModifyResponse: rw.modify,
	}, nil
}

// rewriter rewrites responses. Several goroutines may use it at the same time.
type rewriter struct{ extractor extract.Extractor }

// modify rewrites the header of a response, and the body if it is a page.
func (rw *rewriter) modify(resp *http.Response) error {
	ctx := resp.Request.Context()
	if err := rw.rewriteHeader(ctx, resp); err != nil {
		return err
	}
	mediaType, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if !slices.Contains([]string{"text/html", "application/xhtml+xml", "image/svg+xml", "text/css"}, mediaType) {
		return nil
	}
	resp.Header.Del("ETag") // it is the ETag of the original bytes
	resp.Header.Del("Content-Length")
	if resp.Body == http.NoBody {
		return nil // for example, the response to HEAD
	}
	var page bytes.Buffer
	_, err := rw.extractor.Rewrite(ctx, &page, extract.FromResponse(resp))
	if err == nil {
		err = resp.Body.Close()
	}
	resp.Body, resp.ContentLength = io.NopCloser(&page), int64(page.Len())
	resp.Header.Set("Content-Length", strconv.Itoa(page.Len()))
	return err
}

// rewriteHeader rewrites the header of a response, as a document without a body.
func (rw *rewriter) rewriteHeader(ctx context.Context, resp *http.Response) error {
	var before, after bytes.Buffer
	if err := resp.Header.Write(&before); err != nil {
		return err
	}
	before.WriteString("\r\n")
	page := resp.Request.URL.String()
	_, err := rw.extractor.Rewrite(ctx, &after, extract.Document{Name: page, URL: page, Type: "message/http", Reader: &before})
	if err != nil {
		return err
	}
	header, err := textproto.NewReader(bufio.NewReader(&after)).ReadMIMEHeader()
	resp.Header = http.Header(header)
	return err
}
