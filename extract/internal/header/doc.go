// Package header reads the headers of messages, of body parts, of HTTP responses and of records of web archives. It
// finds their fields, and it marks the bases and the links in them.
//
//	Received: from mx.example.com      a field: name, colon, value
//		by mail.example.org            a fold: the field continues on a line that begins with a blank
//	Content-Base: <http://h/v2/>       declares a base
//	Content-Type: text/html; charset="utf-8" (a comment)
//	              \_______/  \_____/   \___/  \_________/
//	              media type parameter value  ignored
//	Link: <next.html>; rel=next        a link
//	                                   an empty line ends the header
//	body
//
// Read finds the fields of one header. A Reader reads all headers of one text, and tells a mark.Marks what is in
// them. The other functions read the value of one field.
//
// The syntax of fields is that of RFC 5322 2.2, with the obsolete forms of section 4 and the errors that mail is
// full of. Content-Type and Content-Transfer-Encoding are those of RFC 2045 5 and 6, with the parameters of RFC 2231.
// Bases are declared by Base (RFC 1808 3.1), Content-Base (RFC 2110 4.2) and Content-Location (RFC 2557 4.2).
package header
