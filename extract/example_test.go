package extract_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"absolink/extract"
	"absolink/resolve"
)

func ExampleAbsolute() {
	page := []byte(`<a href="../faq">FAQ</a> <img src=logo.png>`)
	page, err := extract.Absolute(page, "http://site.example/docs/")
	fmt.Println(string(page), err)
	// Output:
	// <a href="http://site.example/faq">FAQ</a> <img src=http://site.example/docs/logo.png> <nil>
}

func ExampleExtractor_Links() {
	x := extract.Extractor{Standard: resolve.WHATWG}
	page := extract.Document{
		Name:   "page.html",
		URL:    "http://h/p/",
		Reader: strings.NewReader(`<a href="../faq">FAQ</a> <base href="/docs/"> <img srcset="s.png, l.png 2x">`),
	}
	for l, err := range x.Links(context.Background(), page) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-14s %-8s -> %s (base %s, %s)\n", l.Place(), l.Ref, l.URL, l.Scope.Base(), l.Scope.Layer())
	}
	// Output:
	// a@href         ../faq   -> http://h/faq (base http://h/docs/, embedded)
	// img@srcset[1]  s.png    -> http://h/docs/s.png (base http://h/docs/, embedded)
	// img@srcset[2]  l.png    -> http://h/docs/l.png (base http://h/docs/, embedded)
}

func ExampleExtractor_Rewrite() {
	var x extract.Extractor
	page := extract.Document{
		Name:  "page.html",
		URL:   "http://h/p/",
		Bytes: []byte(`<A HREF = '../faq?a=1&b=2' >FAQ</A><img src=x.png><a href="mailto:a@b">`),
	}
	result, err := x.Rewrite(context.Background(), os.Stdout, page)
	fmt.Printf("\n%d links, %d changed, %d unresolved, %v\n", result.Links, result.Changed, result.Unresolved, err)
	// Output:
	// <A HREF = 'http://h/faq?a=1&b=2' >FAQ</A><img src=http://h/p/x.png><a href="mailto:a@b">
	// 3 links, 2 changed, 0 unresolved, <nil>
}

// Map moves a site, and leaves links to other sites alone.
func ExampleExtractor_Rewrite_map() {
	x := extract.Extractor{Map: func(l *extract.Link) (string, bool) {
		path, ok := strings.CutPrefix(string(l.URL), "http://old.example/")
		return "https://new.example/docs/" + path, ok
	}}
	page := extract.Document{
		Name:  "page.html",
		URL:   "http://old.example/p/",
		Bytes: []byte(`<a href="q?a&amp;b">q</a> <a href="http://other.example/">o</a>`),
	}
	if _, err := x.Rewrite(context.Background(), os.Stdout, page); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <a href="https://new.example/docs/p/q?a&amp;b">q</a> <a href="http://other.example/">o</a>
}

// In a page of a saved site, the link to a file of the site becomes relative, and the other one absolute.
func ExampleLocalFiles() {
	page := extract.Document{
		Name:  "site/docs/a.html",
		URL:   "http://site.example/docs/a.html",
		Bytes: []byte(`<a href="/index.html">home</a> <a href="/shop">shop</a>`),
		Local: extract.LocalFiles(slices.Values([]string{"site/index.html", "site/docs/a.html"})),
	}
	var x extract.Extractor
	if _, err := x.Rewrite(context.Background(), os.Stdout, page); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <a href="../index.html">home</a> <a href="http://site.example/shop">shop</a>
}

func ExampleExtractor_Bases() {
	x := extract.Extractor{OnProblem: func(p extract.Problem) { fmt.Printf("%s: %s: %s\n", p.Severity, p.Code, p.Detail) }}
	page := extract.Document{Name: "page.html", URL: "http://h/p/", Bytes: []byte(`<base href="/docs/"><base href="http://other/">`)}
	for e, err := range x.Bases(context.Background(), page) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(e.Scope.Base(), e.Scope.Layer(), e.Scope.By())
		for _, c := range e.Scope.Candidates() {
			fmt.Printf("  %s %q %s\n", c.Layer, c.Value, c)
		}
	}
	// Output:
	// note: base-not-absolute: BASE element "/docs/": not absolute; resolved against the next layer
	// note: base-repeated: BASE element "http://other/": only the first BASE element with an href applies
	// http://h/docs/ embedded BASE element
	//   embedded "/docs/" used
	//   embedded "http://other/" rejected: only the first BASE element with an href applies
	//   retrieval "http://h/p/" used
	//   default "" shadowed
}

// Two goroutines read the messages of a mailbox.
func ExampleExtractor_Records() {
	const message = "From a@b Thu Jan  1 00:00:00 1970\nBase: <URL:http://h/>\nContent-Type: text/html\n\n"
	mailbox := extract.Document{Name: "a.mbox", Reader: strings.NewReader(message + "<a href=1>\n\n" + message + "<a href=2>\n")}

	var x extract.Extractor
	ctx := context.Background()
	records := make(chan extract.Record)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for rec := range records {
				for l, err := range x.Links(ctx, rec.Document()) {
					if err != nil {
						fmt.Println(err)
						return
					}
					fmt.Println(string(l.URL))
				}
			}
		})
	}
	for rec, err := range x.Records(ctx, mailbox) {
		if err != nil {
			fmt.Println(err)
			break
		}
		records <- rec
	}
	close(records)
	workers.Wait()
	// Unordered output:
	// http://h/1
	// http://h/2
}

// Several goroutines rewrite the records of a mailbox, and Put writes them in their order.
func ExampleExtractor_Open() {
	const message = "From a@b Thu Jan  1 00:00:00 1970\nBase: <URL:http://h/>\nContent-Type: text/html\n\n"
	mailbox := extract.Document{Name: "a.mbox", Reader: strings.NewReader(message + "<a href=1>one</a>\n\n" + message + "<a href=2>two</a>\n")}

	var x extract.Extractor
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in, err := x.Open(ctx, mailbox, os.Stdout)
	if err != nil {
		fmt.Println(err)
		return
	}
	queue := make(chan func() error, 4) // in the order of the records, of which at most 4 wait
	go func() {
		defer close(queue)
		for rec, err := range in.Records() {
			var rewritten bytes.Buffer
			done := make(chan error, 1)
			if err == nil {
				go func() {
					_, err := x.Rewrite(ctx, &rewritten, rec.Document())
					done <- err
				}()
			} else {
				done <- err
			}
			queue <- func() error {
				if err := <-done; err != nil {
					return err
				}
				return in.Put(rec, rewritten.Bytes())
			}
		}
	}()
	for put := range queue {
		if err == nil {
			if err = put(); err != nil {
				cancel() // the loop above ends
			}
		}
	}
	if err == nil {
		err = in.Close()
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// From a@b Thu Jan  1 00:00:00 1970
	// Base: <URL:http://h/>
	// Content-Type: text/html
	//
	// <a href=http://h/1>one</a>
	//
	// From a@b Thu Jan  1 00:00:00 1970
	// Base: <URL:http://h/>
	// Content-Type: text/html
	//
	// <a href=http://h/2>two</a>
}
