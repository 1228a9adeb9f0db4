// Package text marks the URLs in a plain text, in robots.txt, and in an Internet shortcut of Windows.
//
//	See <URL: docs/x.html >, or http://h/y (the old one).
//	    \_________________/     \________/
//	     a wrapped URL           a bare URL
//
// A wrapped URL (RFC 1738 appendix) may be relative, and may have line breaks. A bare URL is absolute.
//
// It marks the parts that an inline PGP signature covers as well (RFC 9580 7), because changing them breaks the
// signature.
package text
