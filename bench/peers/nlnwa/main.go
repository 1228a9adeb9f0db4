// This peer is nlnwa/whatwg-url. It calls Parse and Href for each reference.
package main

import (
	"github.com/nlnwa/whatwg-url/url"

	"absolink/bench/refs"
)

func main() {
	refs.Resolve(url.Parse, func(base *url.Url, ref string) (string, error) {
		u, err := base.Parse(ref)
		if err != nil {
			return "", err
		}
		return u.Href(false), nil
	})
}
