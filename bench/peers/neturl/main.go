// This peer is net/url. It calls Parse, ResolveReference and String for each reference.
package main

import (
	"net/url"

	"absolink/bench/refs"
)

func main() {
	refs.Resolve(url.Parse, func(base *url.URL, ref string) (string, error) {
		u, err := url.Parse(ref)
		if err != nil {
			return "", err
		}
		return base.ResolveReference(u).String(), nil
	})
}
