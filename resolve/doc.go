// Package resolve resolves a reference against a base URL, and returns the
// absolute URL. It implements three standards: RFC 1808, RFC 3986, and the URL
// Standard (WHATWG). It handles URLs as text, and does no input or output.
//
//	base, err := resolve.RFC1808.Base("http://a/b/c/d;p?q#f")
//	url, err := base.Resolve("../g") // http://a/b/g
//
// A Base is a URL parsed once. It is one string and the offsets where the
// components of the URL end. To resolve a reference is to append a part of
// the reference to a part of that string:
//
//	https://user:pass@example.com:8042/over/there/x;p?name=ferret#nose
//	      |                           |            | |           |    |
//	      |                           |            | |           |    `-- len
//	      |                           |            | |           `------- fragmentAt
//	      |                           |            | `------------------- queryAt
//	      |                           |            `--------------------- paramsAt (RFC 1808 only)
//	      |                           `---------------------------------- pathAt
//	      `-------------------------------------------------------------- schemeEnd
//
//	https://user:pass@example.com:8042/over/there/   dir, before "g"
//	                                   |
//	                                   `--- dirFloor, where ".." stops
//
// The part of the base that comes before each kind of reference:
//
//	""     the whole base (RFC 1808), up to fragmentAt (the others)
//	#s     up to fragmentAt
//	?y     up to queryAt, params included
//	;x     up to paramsAt under RFC 1808; elsewhere it is a path
//	g      dir
//	/g     up to pathAt
//	//g    up to schemeEnd
//	g:h    nothing
//
// AppendRelative is the inverse: it returns the shortest of these references for
// a URL.
//
// # Where the standards leave a choice
//
// RFC 1808:
//
//   - Empty and absent params, queries and fragments are equal (2.4): "g?" is
//     "http://a/b/c/g". The references "#", "?", ";" and "//" are "entirely
//     empty" (4, step 2 a).
//   - An empty net_loc is inherited as it is written: "file:///x" keeps its
//     three slashes.
//   - A <segment> may be empty: "b//../g" is "b/g" (4, step 6 c). The slash
//     before the path is not part of the path, so "/../g" is unchanged.
//   - A base without a path, "http://a", gets a slash before a relative path,
//     because the form in section 2.1 has one.
//
// The URL Standard, in its version of August 2026:
//
//   - A domain in ASCII is not checked for invalid Punycode.
//   - Other domains are mapped by golang.org/x/net/idna. The package adds the
//     mappings of Unicode 16 if that module has older tables.
//   - Known deviation: after a zero width non-joiner, a letter that does not
//     join is accepted as one that does (RFC 5892, A.1).
//   - Known deviation: a label of more than 1024 bytes before its encoding is
//     malformed, because Punycode takes quadratic time.
package resolve
