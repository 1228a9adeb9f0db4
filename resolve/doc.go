// Package resolve makes relative references absolute, by RFC 1808, by RFC 3986, or by the URL Standard of browsers.
//
//	base, err := resolve.RFC3986.Base("https://h/docs/guide/start.html")
//	if err != nil {
//		return err
//	}
//	url, err := base.Resolve("../api/") // https://h/docs/api/
//
// A [Standard] parses a base URL once, and its [Base] resolves any number of references, also in several goroutines.
// [Base.AppendResolve] does so without an allocation. [Base.AppendRelative] is the inverse: it returns the shortest
// reference for a URL.
//
// References are text: decode the escapes of the document, such as "&amp;", first.
//
// [RFC1808] and [RFC3986] only complete a reference, and copy its characters: "%7E" stays "%7E". With a base, every
// reference has a URL. [WHATWG] serializes the URL, with escapes and a host in lower case, and refuses a reference that
// is malformed. Most references have the same URL under all three. With the base http://a/b/c/d;p?q#f, these do not:
//
//	reference    RFC1808              RFC3986            WHATWG
//	;x           http://a/b/c/d;x     http://a/b/c/;x    http://a/b/c/;x
//	../../../g   http://a/../g        http://a/g         http://a/g
//	http:g       http:g               http:g             http://a/b/c/g
//	(empty)      .../c/d;p?q#f        .../c/d;p?q        .../c/d;p?q
//	?            .../c/d;p?q          .../c/d;p?         .../c/d;p?
//	a b          http://a/b/c/a b     http://a/b/c/a b   http://a/b/c/a%20b
//
// Take RFC1808, the zero Standard, if URLs must stay as they are written, and WHATWG if you want what a browser loads.
package resolve
