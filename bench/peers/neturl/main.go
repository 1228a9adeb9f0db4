// This peer is net/url. It parses each base once, and calls Parse, ResolveReference and String for each reference.
package main

import (
	"log"
	"net/url"

	"absolink/bench/refs"
)

func main() {
	pages := refs.Load()
	bases := make([]*url.URL, len(pages))
	given := make([][]string, len(pages)) // url.Parse needs strings
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
				if u, err := url.Parse(ref); err == nil {
					b = append(b[:0], base.ResolveReference(u).String()...)
					visit(b)
				}
			}
		}
	})
}
