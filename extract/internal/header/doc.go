// Package header reads the headers of messages, of body parts, of HTTP responses and of records of web archives. It
// finds the fields of a header, and marks the bases and the links in them.
//
//	Received: from mx.example.com      a field: name, colon, value
//		by mail.example.org            a fold: the line begins with a space or a tab, so the field continues
//	Content-Base: <http://h/v2/>       a base
//	Content-Type: text/html; charset="utf-8" (a comment)
//	              \_______/  \_____/   \___/  \_________/
//	              media type parameter value  ignored
//	Link: <next.html>; rel=next        a link
//	                                   an empty line: it ends the header
//	body
//
// Read returns the fields of one header. A Reader reads all headers of one text, and adds their bases and links to a
// mark.Marks. The other functions read the value of one field.
//
// Fields have the syntax of RFC 5322 2.2, with the obsolete forms of section 4. Read accepts the errors that are common
// in mail. Content-Type and Content-Transfer-Encoding follow RFC 2045 5 and 6, and their parameters RFC 2231. Three
// fields declare a base: Base (RFC 1808 3.1), Content-Base (RFC 2110 4.2) and Content-Location (RFC 2557 4.2).
package header
