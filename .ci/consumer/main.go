// A program outside the module. .ci/importable runs it, and compares what it prints with the comment at its end.
package main

import (
	"fmt"

	"absolink/extract"
	"absolink/resolve"
)

func main() {
	base, err := resolve.WHATWG.Base("http://h/p/")
	if err != nil {
		panic(err)
	}
	fmt.Println(base.Resolve("../a"))

	var w extract.Walker
	page := extract.Document{Name: "page.html", URL: "http://h/p/", Bytes: []byte(`<base href="/q/"><a href=b>`)}
	fmt.Println(w.Links(page, func(l *extract.Link) error {
		fmt.Printf("%s %s\n", l.Place(), l.URL)
		return nil
	}))
}

// Output:
// http://h/a <nil>
// a@href http://h/q/b
// <nil>
