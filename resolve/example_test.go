package resolve_test

import (
	"fmt"

	"absolink/resolve"
)

func Example() {
	const base = "http://a/b/c/d;p?q#f"
	for _, ref := range []string{";x", "../../../g", "http:g", ""} {
		for _, standard := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
			b, err := standard.Base(base)
			if err != nil {
				fmt.Println(err)
				continue
			}
			url, err := b.Resolve(ref)
			fmt.Printf("%-8s %-11q %s %v\n", standard, ref, url, err)
		}
	}
	// Output:
	// rfc1808  ";x"        http://a/b/c/d;x <nil>
	// rfc3986  ";x"        http://a/b/c/;x <nil>
	// whatwg   ";x"        http://a/b/c/;x <nil>
	// rfc1808  "../../../g" http://a/../g <nil>
	// rfc3986  "../../../g" http://a/g <nil>
	// whatwg   "../../../g" http://a/g <nil>
	// rfc1808  "http:g"    http:g <nil>
	// rfc3986  "http:g"    http:g <nil>
	// whatwg   "http:g"    http://a/b/c/g <nil>
	// rfc1808  ""          http://a/b/c/d;p?q#f <nil>
	// rfc3986  ""          http://a/b/c/d;p?q <nil>
	// whatwg   ""          http://a/b/c/d;p?q <nil>
}
