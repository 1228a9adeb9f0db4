package base_test

import (
	"fmt"

	"absolink/base"
	"absolink/resolve"
)

// A relative BASE element is resolved against the next layer, the URL that the page was retrieved from.
func Example() {
	page := base.Root(resolve.RFC1808, base.Declaration{Layer: base.LayerRetrieval, By: "--url", Value: "http://h/p/", Offset: -1}).
		Enclose(resolve.RFC1808, "", base.Declaration{Layer: base.LayerEmbedded, By: "BASE element", Value: "/q/", Offset: -1})
	for _, c := range page.Candidates() {
		fmt.Println(c.Layer, c.URL, c)
	}
	// Output:
	// embedded http://h/q/ used
	// retrieval http://h/p/ used
	// default  shadowed
}

// The header of a message declares a base, so a page in it does not use the URL of the message.
func ExampleScope_Enclose() {
	message := base.Root(resolve.RFC1808, base.Declaration{Layer: base.LayerRetrieval, By: "--url", Value: "http://list/7", Offset: -1}).
		Enclose(resolve.RFC1808, "", base.Declaration{Layer: base.LayerEmbedded, By: "Content-Base", Value: "http://h/", Offset: -1, Header: true})
	page := message.Enclose(resolve.RFC1808, "part")
	fmt.Println(page.Base(), page.Layer(), page.Layer().Section(), page.By())
	fmt.Println(page.Base().Resolve("a"))
	// Output:
	// http://h/ encapsulating 3.2 Content-Base
	// http://h/a <nil>
}

// An element declares its own base with xml:base, which is resolved against the base of the feed.
func ExampleScope_Within() {
	feed := base.Root(resolve.RFC3986, base.Declaration{Layer: base.LayerRetrieval, By: "--url", Value: "http://h/feed", Offset: -1})
	entry := feed.Within(base.Declaration{Layer: base.LayerEmbedded, By: "xml:base", Value: "2026/", Offset: -1})
	fmt.Println(entry.Base())
	fmt.Println(feed.Base())
	// Output:
	// http://h/2026/
	// http://h/feed
}

// Without a retrieval URL the base is "", which resolves only absolute references.
func ExampleRoot() {
	fmt.Println(base.Root(resolve.RFC3986, base.Declaration{Layer: base.LayerRetrieval, By: "--url", Value: "http://h/p/", Offset: -1}).Layer())
	fmt.Println(base.Root(resolve.RFC3986).Layer())
	// Output:
	// retrieval
	// default
}

// A news URL cannot be a base (RFC 1808, 2), so the next layer decides.
func ExampleScope_Own() {
	page := base.Root(resolve.RFC1808, base.Declaration{Layer: base.LayerRetrieval, By: "--url", Value: "http://h/", Offset: -1}).
		Enclose(resolve.RFC1808, "", base.Declaration{Layer: base.LayerEmbedded, By: "BASE element", Value: "news:a", Offset: -1})
	for _, c := range page.Own() {
		fmt.Println(c.By, c.Verdict == base.VerdictRejected, c.Reason == base.ReasonUnsuitable)
	}
	fmt.Println(page.Base())
	// Output:
	// BASE element true true
	// http://h/
}
