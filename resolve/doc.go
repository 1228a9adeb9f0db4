// Package resolve makes relative references absolute. It resolves a reference
// against a base URL by one of three standards.
//
//	base, err := resolve.RFC3986.Base("https://h/docs/guide/start.html")
//	if err != nil {
//		return err
//	}
//	url, err := base.Resolve("../api/") // https://h/docs/api/
//
// A [Standard] is a set of rules. [Standard.Base] parses a base URL once, and
// the [Base] then resolves any number of references. [Base.AppendResolve] is the
// form that does not allocate. [Base.AppendRelative] is the inverse: it returns
// the shortest reference for a URL.
//
// URLs and references are text. The caller first decodes character references,
// such as "&amp;", and other escapes of the document. The package does no input
// or output.
//
// # The standards
//
//   - [RFC1808] and [RFC3986] copy the characters of the base and of the
//     reference. They remove dot segments, but encode no character. Every
//     reference has a URL if there is a base.
//   - [WHATWG] is the URL Standard, which browsers follow. It also serializes
//     the URL: it percent-encodes characters, and converts host names to lower
//     case and ASCII. Some references are malformed.
//
// Most references have the same URL under all three standards. These references
// do not. The base is http://a/b/c/d;p?q#f:
//
//	reference    RFC1808              RFC3986            WHATWG
//	;x           http://a/b/c/d;x     http://a/b/c/;x    http://a/b/c/;x
//	../../../g   http://a/../g        http://a/g         http://a/g
//	http:g       http:g               http:g             http://a/b/c/g
//	(empty)      .../c/d;p?q#f        .../c/d;p?q        .../c/d;p?q
//	?            .../c/d;p?q          .../c/d;p?         .../c/d;p?
//	a b          http://a/b/c/a b     http://a/b/c/a b   http://a/b/c/a%20b
//
// # How a reference is resolved
//
// A Base has the URL as a string, and the offsets where its components end:
//
//	https://user:pass@example.com:8042/over/there/x;p?name=ferret#nose
//	\____/\__________________________/\___________/\/\__________/\___/
//	  |                |                    |      |      |        |
//	scheme    net_loc, authority          path     |    query  fragment
//	                                            params (RFC 1808 only)
//
// The result is a part of the base, followed by the reference, without dot
// segments. The kind of the reference determines the part:
//
//	reference   part of the base
//	""          the whole base (RFC 1808), without the fragment (RFC 3986, WHATWG)
//	#s          without the fragment
//	?y          without the query and the fragment
//	;x          up to the path, inclusive (RFC 1808; under the others ";x" is a path)
//	g           up to the last slash of the path
//	/g          up to the net_loc, inclusive
//	//g         the scheme
//	g:h         nothing
//
// # Where the standards leave a choice
//
// RFC 1808:
//
//   - A component may be present and empty (2.4). The RFC does not define how
//     it is recombined (4, step 7). In steps 3 and 5 it is empty, so it inherits
//     the component of the base. If nothing is inherited, its delimiter is
//     written: "g?" is "http://a/b/c/g?", "?" is the base with its query, and "#"
//     is the base with "#" instead of its fragment.
//   - Only a reference without bytes is "entirely empty" (4, step 2 a). "//" has
//     an empty net_loc, and inherits that of the base.
//   - The delimiter of an empty component of the base is not inherited.
//   - A base with an empty net_loc keeps it: with the base "file:///x", "/y"
//     resolves to "file:///y".
//   - A <segment> may be empty: "b//../g" is "b/g" (4, step 6 c). The slash
//     before the path is not part of the path, so "/../g" is unchanged.
//   - A base without a path, "http://a", gets a slash before a relative path,
//     because the form in section 2.1 has a slash there.
//
// The URL Standard, in its version of August 2026:
//
//   - A domain in ASCII is not checked for invalid Punycode.
//   - Other domains are mapped by golang.org/x/net/idna. The package adds the
//     mappings of Unicode 16 if that module has older tables.
//   - Known deviation: after a zero width non-joiner, a letter that does not
//     join is accepted as a letter that joins (RFC 5892, A.1).
//   - Known deviation: a label of more than 1024 bytes before its encoding is
//     malformed, because Punycode takes quadratic time.
package resolve
