// Package http reads saved HTTP responses.
//
//	HTTP/1.1 301 Moved Permanently        a redirect before the response
//	Location: /p/                         resolved against the URL before it: the URL of the next request
//	                                      an empty line
//	HTTP/1.1 200 OK                       status line
//	Content-Type: text/html               header: see package header
//	Content-Encoding: gzip                codings of the body, the outermost last
//	Content-Length: 4711                  stays true when the body changes
//	                                      an empty line
//	1f 8b 08 ...                          body: a document of the type text/html
//
// A text may have several responses, as a client that follows redirects saves them. Each header is resolved against the
// URL of its own request (RFC 9110 10.2.2). The last response is the document (RFC 1808 3.3).
//
// A response is a status line, a header and a body (RFC 9112 2.1). The body is marked as one document, with the codecs
// of its Transfer-Encoding (RFC 9112 7) and its Content-Encoding (RFC 9110 8.4). A multipart body is divided by package
// mail. Base and Content-Base declare the base of the response. Content-Location does not (RFC 7231 appendix B).
package http
