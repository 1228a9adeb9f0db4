// Package text marks the URLs in a plain text.
//
//	See <URL: docs/x.html >, or http://h/y (the old one).
//	    \_________________/     \________/
//	     a wrapped URL           a bare URL
//
// A wrapped URL (RFC 1738 appendix) may be relative, and may be broken over lines. A bare URL is absolute.
package text
