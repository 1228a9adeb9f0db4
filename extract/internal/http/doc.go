// Package http reads saved HTTP responses.
//
//	HTTP/1.1 301 Moved Permanently        a redirect before the response
//	Location: /p/                         the URL of the next request, relative to the URL of this one
//	                                      an empty line: it ends the header
//	HTTP/1.1 200 OK                       status line
//	Content-Type: text/html               header: see package header
//	Content-Encoding: gzip                codings of the body; the last one is the outermost
//	Content-Length: 4711                  updated when the body changes
//	                                      an empty line
//	1f 8b 08 ...                          body: a compressed document of the type text/html
//
// A response is a status line, a header and a body (RFC 9112 2.1). The body is marked as one document, with the codecs
// of its Transfer-Encoding (RFC 9112 7) and its Content-Encoding (RFC 9110 8.4). Package mail divides a multipart body.
// Base and Content-Base declare the base of the response, but Content-Location does not (RFC 7231 appendix B).
//
// A client that follows redirects saves several responses in one text. The links in each header are relative to the URL
// that its response was requested from (RFC 9110 10.2.2). The last response has the document, whose base is the last
// URL (RFC 1808 3.3).
package http
