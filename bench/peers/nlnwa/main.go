// This peer is nlnwa/whatwg-url. It parses each base once, and calls Parse and Href for each reference.
package main

import (
	"log"

	"github.com/nlnwa/whatwg-url/url"

	"absolink/bench/refs"
)

func main() {
	pages := refs.Load()
	bases := make([]*url.Url, len(pages))
	given := make([][]string, len(pages)) // Parse needs strings
	for i, p := range pages {
		var err error
		if bases[i], err = url.Parse(p.Base); err != nil {
			log.Fatal(err)
		}
		for _, r := range p.Refs {
			given[i] = append(given[i], string(r))
		}
	}
	var b []byte
	refs.Run(func(visit func([]byte)) {
		for i, base := range bases {
			for _, ref := range given[i] {
				if u, err := base.Parse(ref); err == nil {
					b = append(b[:0], u.Href(false)...)
					visit(b)
				}
			}
		}
	})
}
