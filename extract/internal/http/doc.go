// Package http reads saved HTTP responses.
//
//	HTTP/1.1 301 Moved Permanently        a redirection before the response: its Location is
//	Location: https://h/p/                the URL that the document was retrieved from
//	                                      an empty line
//	HTTP/1.1 200 OK                       status line
//	Content-Type: text/html               header: see package header
//	Content-Encoding: gzip                codings of the body, the outermost last
//	Content-Length: 4711                  stays true when the body changes
//	                                      an empty line
//	1f 8b 08 ...                          body: a document of the type text/html
//
// A response is a status line, a header and a body (RFC 9112 2.1). The body is marked as one document, with the codecs
// of its Transfer-Encoding (RFC 9112 7) and its Content-Encoding (RFC 9110 8.4). A multipart body is divided by package
// mail. Base and Content-Base declare the base of the response. Content-Location does not (RFC 7231 appendix B).
package http
