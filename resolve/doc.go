// Package resolve turns a reference and a base into an absolute URL, by one of
// three standards: RFC 1808, RFC 3986, or the URL Standard (WHATWG). It knows
// text only, no documents, and does no input or output.
//
// A Base is a URL parsed once, kept as one string and the offsets in it where
// its components end. Resolving copies a piece of that string and a piece of
// the reference:
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
//	https://user:pass@example.com:8042/over/there/   dir, what "g" is appended to
//	                                   |
//	                                   `--- dirFloor, above which ".." does not climb
//
// What is inherited by which reference:
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
// # Where the standards leave a choice
//
// Under RFC 1808 empty and absent are one for params, query and fragment, as
// section 2.4 says of each: "g?" is "http://a/b/c/g", and "#", "?", ";" and "//"
// are the "entirely empty" reference of section 4, step 2 a. A net_loc that is
// empty in the base is inherited as it is spelled, "file:///x" keeps its
// slashes. A <segment> may be empty, so "b//../g" is "b/g" in step 6 c, but
// the slash before the path is no part of it, so "/../g" stays. A base
// without a path, "http://a", gets the slash that the form in 2.1 has before
// one.
//
// The URL Standard is followed as of August 2026: no label of an ASCII domain
// is taken to be invalid Punycode. Its mapping of other domains is that of
// golang.org/x/net/idna, with additions where that is older than Unicode 16.
// A deviation comes with it: behind a zero width non-joiner a letter that joins
// nothing passes for one that joins (RFC 5892, A.1).
package resolve
