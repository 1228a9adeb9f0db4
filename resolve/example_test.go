package resolve_test

import (
	"errors"
	"fmt"

	"golang.org/x/text/encoding/charmap"

	"absolink/resolve"
)

func ExampleBase_AppendResolve() {
	base, err := resolve.RFC3986.Base("https://h/docs/guide/start.html")
	if err != nil {
		fmt.Println(err)
		return
	}
	var buf []byte // reused for each reference
	for _, ref := range []string{"../api/", "#top", "//cdn/x.js"} {
		if buf, err = base.AppendResolve(buf[:0], []byte(ref)); err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s\n", buf)
	}
	// Output:
	// https://h/docs/api/
	// https://h/docs/guide/start.html#top
	// https://cdn/x.js
}

func ExampleBase_Resolve() {
	base, err := resolve.WHATWG.Base("https://h/docs/guide/start.html")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(base.Resolve("../api/?q=a b"))
	fmt.Println(base.Resolve("http://[::1/"))
	// Output:
	// https://h/docs/api/?q=a%20b <nil>
	//  malformed URL: IPv6-unclosed
}

func ExampleBase_IsAbsolute() {
	base, err := resolve.RFC3986.Base("http://a/b")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, ref := range []string{"g", "//g", "mailto:g@h"} {
		fmt.Println(ref, base.IsAbsolute([]byte(ref)))
	}
	// Output:
	// g false
	// //g false
	// mailto:g@h true
}

func ExampleBase_InBrowser() {
	base, err := resolve.RFC3986.Base("http://a/b/c")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, ref := range []string{"d", "http:d"} {
		url, err := base.AppendResolve(nil, []byte(ref))
		if err != nil {
			fmt.Println(err)
			continue
		}
		if other, differs := base.InBrowser([]byte(ref), url); differs {
			fmt.Printf("%s, but a browser has %s\n", url, other)
		} else {
			fmt.Printf("%s\n", url)
		}
	}
	// Output:
	// http://a/b/d
	// http:d, but a browser has http://a/b/d
}

func ExampleBase_Unsuitable() {
	base, err := resolve.RFC1808.Base("mailto:a@b")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(base.Unsuitable() != "")
	// Output:
	// true
}

// A base without a scheme is an error. The base "" is valid, but resolves only absolute references.
func ExampleStandard_Base() {
	_, err := resolve.RFC3986.Base("docs/")
	fmt.Println(errors.Is(err, resolve.ErrRelative))

	none, err := resolve.RFC3986.Base("")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(none.Resolve("http://h/a"))
	_, err = none.Resolve("a")
	fmt.Println(errors.Is(err, resolve.ErrNoBase))
	// Output:
	// true
	// http://h/a <nil>
	// true
}

func ExampleLookup() {
	standard, ok := resolve.Lookup("whatwg")
	fmt.Println(standard == resolve.WHATWG, ok)
	_, ok = resolve.Lookup("rfc2396")
	fmt.Println(ok)
	// Output:
	// true true
	// false
}

func ExampleStandard_WithQueryEncoding() {
	base, err := resolve.WHATWG.WithQueryEncoding(charmap.Windows1252).Base("http://h/")
	if err != nil {
		fmt.Println(err)
		return
	}
	url, err := base.Resolve("/é?é")
	fmt.Println(url, err)
	// Output:
	// http://h/%C3%A9?%E9 <nil>
}

// The standards differ in a few references.
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

func ExampleBase_AppendRelative() {
	base, err := resolve.RFC3986.Base("https://h/docs/guide/start.html")
	if err != nil {
		fmt.Println(err)
		return
	}
	var buf []byte // reused for each URL
	for _, url := range []string{"https://h/docs/api/", "https://h/docs/guide/start.html#top", "https://h/docs/guide/a:b", "https://cdn/x.js"} {
		var ok bool
		buf, ok = base.AppendRelative(buf[:0], []byte(url))
		fmt.Printf("%q %v\n", buf, ok)
	}
	// Output:
	// "../api/" true
	// "#top" true
	// "./a:b" true
	// "" false
}
