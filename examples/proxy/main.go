// Proxy is a reverse proxy for one website. It rewrites the pages, feeds and style sheets of the site so that links to
// the site lead through the proxy, and links to other sites keep their URLs. Package httpx rewrites the responses. A
// compressed page (gzip, br, deflate or zstd) stays compressed.
//
// The proxy does not change URLs in scripts or the Domain of cookies.
//
// To try it, run these two commands, and open http://localhost:8080/docs/index.html in a browser:
//
//	python3 -m http.server 8000 --directory examples/proxy/testdata
//	go run ./examples/proxy -site http://localhost:8000 -listen localhost:8080
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"

	"absolink/extract"
	"absolink/extract/httpx"
	"absolink/resolve"
)

func main() {
	site := flag.String("site", "http://localhost:8000", "the `origin` of the website")
	listen := flag.String("listen", "localhost:8080", "accept connections at this `address`")
	public := flag.String("public", "", "the `origin` that browsers see, if it is not http://ADDRESS")
	flag.Parse()
	handler, err := newProxy(*site, cmp.Or(*public, "http://"+*listen))
	if err == nil {
		err = http.ListenAndServe(*listen, handler)
	}
	log.Fatal(err)
}

// newProxy returns the proxy for a site. public is the origin of the proxy for browsers.
func newProxy(site, public string) (http.Handler, error) {
	base, err := resolve.WHATWG.Base(site)
	if err != nil {
		return nil, err
	}
	from := base.String() // links to the site start with it: it ends with a slash, and has no default port
	origin, err := url.Parse(from)
	if err != nil || origin.Host == "" || origin.Path != "/" {
		return nil, fmt.Errorf("%q is not an origin such as http://site.example", site)
	}
	x := &extract.Extractor{
		Standard: resolve.WHATWG, // browsers read the pages
		Map: func(link *extract.Link) (string, bool) {
			if path, ok := strings.CutPrefix(string(link.URL), from); ok {
				return public + "/" + path, true
			}
			return string(link.URL), true // absolute, because the proxy may have another scheme than the site
		},
		OnProblem: func(p extract.Problem) { log.Print(p.Error()) },
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(origin)
			r.SetXForwarded()
		},
		Transport: httpx.Transport{Extractor: x},
	}, nil
}
