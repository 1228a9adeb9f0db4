package httpx_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"

	"absolink/extract"
	"absolink/extract/httpx"
)

func ExampleTransport() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<a href="../guide.html">`)
	}))
	defer site.Close()

	client := http.Client{Transport: httpx.Transport{Extractor: &extract.Extractor{}}}
	resp, err := client.Get(site.URL + "/docs/index.html")
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	fmt.Println(strings.Replace(string(page), site.URL, "http://site.example", 1), err)
	// Output: <a href="http://site.example/guide.html"> <nil>
}

// A proxy makes the links to its site lead through the proxy.
func ExampleModifyResponse() {
	site, err := url.Parse("http://localhost:8000")
	if err != nil {
		log.Fatal(err)
	}
	x := &extract.Extractor{Map: func(l *extract.Link) (string, bool) {
		return strings.Replace(string(l.URL), "http://localhost:8000/", "https://proxy.example/", 1), true
	}}
	proxy := httputil.NewSingleHostReverseProxy(site)
	proxy.ModifyResponse = httpx.ModifyResponse(x)
	http.Handle("/docs/", proxy)
	// Output:
}

func ExampleFromResponse() {
	// resp, err := http.Get("http://site.example/")
	request, _ := http.NewRequest("GET", "http://site.example/docs/", nil)
	resp := &http.Response{
		StatusCode: 200,
		Request:    request,
		Header:     http.Header{"Content-Type": {"text/html"}, "Link": {`<style.css>; rel=stylesheet`}},
		Body:       io.NopCloser(strings.NewReader(`<a href="next">`)),
	}
	defer resp.Body.Close()

	var x extract.Extractor
	for l, err := range x.Links(context.Background(), httpx.FromResponse(resp)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(l.Place(), string(l.URL))
	}
	// Output:
	// Link[1] http://site.example/docs/style.css
	// a@href http://site.example/docs/next
}
