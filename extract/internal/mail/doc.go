// Package mail reads messages, their MIME parts, and mboxes.
//
//	From a@b Mon Jan  1 00:00:00 2024          a From_ line begins each message of an mbox (RFC 4155)
//	From: a@b                                  header of the message: see package header
//	Content-Base: http://h/                    a base of the whole message
//	Content-Type: multipart/related; boundary="x"
//	                                           an empty line: it ends the header
//	text before the first part                 preamble: ignored
//	--x                                        a boundary: two hyphens and the boundary parameter
//	Content-Type: text/html                    header of part 1
//	Content-Location: v2/page.html             a base of part 1, relative to the base of the message
//	Content-Transfer-Encoding: base64          the encoding of the body
//
//	PGEgaHJlZj14Pg==                           body of part 1
//	--x
//	Content-Type: multipart/mixed; boundary=y  part 2 is a multipart: its parts are 2.1, 2.2 ...
//
//	...
//	--x--                                      the closing boundary
//	text after the last part                   epilogue: ignored
//
// A message follows RFC 822 and RFC 5322, its parts RFC 2045 and RFC 2046. A multipart/related (RFC 2387) holds a page
// and its images; a link in the page names another part by its Content-ID or its Content-Location (RFC 2557 8).
//
// Message marks the bases and links in every header, and marks each body of a known type as an embedded document,
// whether that is a page or another message. Mbox and its flavours split a file into messages at From_ lines or MMDF
// separators.
package mail
