// Package archive reads archives whose documents have the URL that they were retrieved from: WARC, ARC, HAR, webarchive
// and ENEX. Each of them declares that URL as the base of the document (RFC 1808 3.3).
//
// A WARC (ISO 28500) and an ARC are streams of records. A record has a header with a length, and a block of this length.
// The next record follows it:
//
//	WARC/1.0                                    a record begins with its version
//	WARC-Type: response                         header: see package header
//	WARC-Target-URI: http://h/p/                the URL of the document
//	Content-Length: 71                          of the block; stays true when the block changes
//	WARC-Block-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ      stays true, too
//	                                            an empty line
//	HTTP/1.1 200 OK                             block: see package http
//	...
//	                                            two newlines end the record
//
//	http://h/p/ 192.0.2.1 20000101000000 text/html 71             a record of an ARC begins with one line
//	HTTP/1.1 200 OK                                               block
//
// A HAR is JSON (see package json). A webarchive is a property list, binary or in XML. An ENEX is XML; each note in it is
// a record:
//
//	{"log": {"entries": [{"request": {"url": "http://h/p/"}, "response": {"content": {"text": "<p>"}}}]}}
//
//	<dict><key>WebMainResource</key><dict>
//	  <key>WebResourceURL</key><string>http://h/p/</string>
//	  <key>WebResourceData</key><data>PHA+</data></dict></dict>
//
//	<note><content><![CDATA[<en-note>...</en-note>]]></content>
//	  <note-attributes><source-url>http://h/p/</source-url></note-attributes></note>
package archive
