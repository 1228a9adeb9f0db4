// Package archive reads archives that record the URL from which each document was retrieved: WARC, ARC, HAR, webarchive
// and ENEX. This URL is the base of the document (RFC 1808 3.3).
//
// A WARC (ISO 28500) and an ARC are streams of records. A record is a header with a length, followed by a block of that
// length. In a WARC:
//
//	WARC/1.0                                    a record begins with the version
//	WARC-Type: response                         header: see package header
//	WARC-Target-URI: http://h/p/                the URL of the document: its base
//	Content-Length: 71                          the length of the block; updated when the block changes
//	WARC-Block-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ      updated as well
//	                                            an empty line
//	HTTP/1.1 200 OK                             block: see package http
//	...
//	                                            two newlines end the record
//
// In an ARC, the header is one line:
//
//	http://h/p/ 192.0.2.1 20000101000000 text/html 71             URL, IP address, date, media type, length
//	HTTP/1.1 200 OK                                               block
//
// A HAR is JSON (see package json):
//
//	{"log": {"entries": [{"request": {"url": "http://h/p/"}, "response": {"content": {"text": "<p>"}}}]}}
//
// A webarchive is a property list, in XML or in a binary form:
//
//	<dict><key>WebMainResource</key><dict>
//	  <key>WebResourceURL</key><string>http://h/p/</string>
//	  <key>WebResourceData</key><data>PHA+</data></dict></dict>
//
// An ENEX is XML. Each note is a record, and may have the URL of the page from which it was clipped:
//
//	<note><content><![CDATA[<en-note>...</en-note>]]></content>
//	  <note-attributes><source-url>http://h/p/</source-url></note-attributes></note>
package archive
