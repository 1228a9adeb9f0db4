package extract_test

import (
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

func ExampleWalker_Bases() {
	var w extract.Walker
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
	// http://h/docs/ embedded BASE element
	//   embedded "/docs/" used
	//   embedded "http://other/" rejected: only the first BASE element with an href counts
	//   retrieval "http://h/p/" shadowed
	//   default "" shadowed
	// <nil>
}
