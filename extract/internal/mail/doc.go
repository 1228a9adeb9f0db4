// Package mail reads messages, their MIME parts, and mboxes.
//
//	From a@b Mon Jan  1 00:00:00 2024          a From_ line begins each message of an mbox (RFC 4155)
//	From: a@b                                  header of the message: see package header
//	Content-Base: http://h/                    a base of all that the message encloses
//	Content-Type: multipart/related; boundary="x"
//	                                           an empty line ends the header
//	text that is no part                       preamble
//	--x                                        a boundary: two hyphens and the parameter
//	Content-Type: text/html                    header of part 1
//	Content-Location: v2/page.html             a base of this part, relative to the one of the message
//	Content-Transfer-Encoding: base64          how the body is spelled
//
//	PGEgaHJlZj14Pg==                           body of part 1
//	--x
//	Content-Type: multipart/mixed; boundary=y  part 2 is a multipart: its parts are 2.1, 2.2 ...
//
//	...
//	--x--                                      a closing boundary
//	text that is no part                       epilogue
//
// Messages are those of RFC 822 and RFC 5322, parts those of RFC 2045 and RFC 2046. A multipart/related (RFC 2387) is a
// page with its images: a link names another part by its Content-ID or its Content-Location (RFC 2557 8).
//
// Message marks the bases and links of all headers, and each body of a known type as a document of its own. A message
// inside a message is such a document. Mbox and its flavours divide a file into messages.
package mail
