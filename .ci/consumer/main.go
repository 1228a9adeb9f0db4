// A program outside the module. .ci/importable runs it and compares what it prints with the comment at its end.
package main

import (
	"context"
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

	var x extract.Extractor
	page := extract.Document{Name: "page.html", URL: "http://h/p/", Bytes: []byte(`<base href="/q/"><a href=b>`)}
	for link, err := range x.Links(context.Background(), page) {
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s %s\n", link.Place(), link.URL)
	}
}

// Output:
// http://h/a <nil>
// a@href http://h/q/b
