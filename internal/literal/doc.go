// Package literal has the algorithms of RFC 1808 and RFC 3986, step by step: resolvers that are slower than package
// resolve, and easy to compare with the text of the RFCs. They share no code with package resolve. The command uses them
// for --verify, and the tests of package resolve compare their results.
//
//	RFC1808("http://a/b/c/d;p?q", ";x")   "http://a/b/c/d;x"
//	RFC3986("http://a/b/c/d;p?q", ";x")   "http://a/b/c/;x"
//
// Both take linear time.
package literal
