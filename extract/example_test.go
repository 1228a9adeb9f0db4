package extract_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"absolink/extract"
)

func ExampleWalker_Links() {
	var w extract.Walker
	page := extract.Document{
		Name:   "page.html",
		URL:    "http://h/p/",
		Reader: strings.NewReader(`<a href="../faq">FAQ</a> <base href="/docs/"> <img srcset="s.png, l.png 2x">`),
	}
	err := w.Links(page, func(l *extract.Link) error {
		fmt.Printf("%-14s %-8s -> %s (base %s, %s)\n", l.Place(), l.Ref, l.URL, l.Scope.Base(), l.Scope.Rung())
		return nil
	})
	fmt.Println(err)
	// Output:
	// a@href         ../faq   -> http://h/faq (base http://h/docs/, embedded)
	// img@srcset[1]  s.png    -> http://h/docs/s.png (base http://h/docs/, embedded)
	// img@srcset[2]  l.png    -> http://h/docs/l.png (base http://h/docs/, embedded)
	// <nil>
}

func ExampleWalker_Rewrite() {
	var w extract.Walker
	page := extract.Document{
		Name:  "page.html",
		URL:   "http://h/p/",
		Bytes: []byte(`<A HREF = '../faq?a=1&b=2' >FAQ</A><img src=x.png>` + "\r\n"),
	}
	if err := w.Rewrite(os.Stdout, page); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <A HREF = 'http://h/faq?a=1&b=2' >FAQ</A><img src=http://h/p/x.png>
}

// Record by record, for an mbox may be longer than memory. A record may go to another goroutine, with
// a Walker of its own, if its Bytes are cloned, or RecordsIn keeps them.
func ExampleWalker_Open() {
	const message = "From a@b Thu Jan  1 00:00:00 1970\nBase: <URL:http://h/>\nContent-Type: text/html\n\n"
	mbox := strings.NewReader(message + "<a href=1>one</a>\n\n" + message + "<a href=2>two</a>\n")

	var w extract.Walker
	in, err := w.Open(extract.Document{Name: "a.mbox", Reader: mbox}, os.Stdout)
	if err != nil {
		fmt.Println(err)
		return
	}
	for rec, err := range in.Records() {
		var rewritten bytes.Buffer
		if err == nil {
			err = w.RewriteRecord(&rewritten, rec)
		}
		if err == nil {
			err = in.Put(rec, rewritten.Bytes())
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := in.Close(); err != nil {
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

func ExampleWalker_Bases() {
	w := extract.Walker{Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { fmt.Printf("%s: %s\n", p.Code, p.Detail) }}}
	page := extract.Document{Name: "page.html", URL: "http://h/p/", Bytes: []byte(`<base href="/docs/"><base href="http://other/">`)}
	err := w.Bases(page, func(e *extract.Entity) error {
		fmt.Println(e.Scope.Base(), e.Scope.Rung(), e.Scope.By())
		for _, c := range e.Scope.Candidates() {
			fmt.Printf("  %s %q %s\n", c.Rung, c.Value, c)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// base-not-absolute: BASE element "/docs/": not absolute; resolved against the next rung
	// base-repeated: BASE element "http://other/": only the first BASE element with an href counts
	// http://h/docs/ embedded BASE element
	//   embedded "/docs/" used
	//   embedded "http://other/" rejected: only the first BASE element with an href counts
	//   retrieval "http://h/p/" shadowed
	//   default "" shadowed
	// <nil>
}
