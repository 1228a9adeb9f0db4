// Package codec reads and writes the spellings of text in documents. A spelling is how bytes stand for a text, such as
// character references in HTML or base64 in a message. The package knows no document and no URL.
//
//	source    ␣  ?a=1  &amp;  b=2  &#x26;  c␣     the bytes between the quotes of href=" ... "
//	          |        |  |        |    |   |
//	atoms     1→0      5→1         6→1      1→0    indivisible; every other byte stands for itself
//	                   |           |
//	text         ?a=1  &      b=2  &       c       the URL that HTML reads
//
// A Codec has three methods. Decode returns the text, which is the source itself wherever that is possible. Map
// returns the text and the atoms; Atoms maps an offset of the text to its place in the source. Encode spells new text
// for one place. Lift uses these methods, and is one function for all codecs. It turns edits of the text into edits
// of the source, under this law:
//
//	Decode(Apply(src, Lift(src, edits))) == Apply(Decode(src), edits)      Lift(src, nothing) == nothing
//
// Lift checks the law in every call, unless the codec cannot break it. It refuses edits for which the law does not hold.
//
// Codecs nest by one Lift after the other: the edits that one Lift returns are edits of the text that the codec around it
// spells.
//
// # Codecs
//
//	Identity                                                  every byte stands for itself
//	ReadOnly Constant                                         a region that is never written
//	AttrDouble AttrSingle AttrUnquoted AttrBare AttrEmpty     an attribute's value in HTML
//	URLDouble URLSingle URLUnquoted URLBare URLEmpty          an attribute's value in HTML, read as a URL
//	CharData CDATASection                                     the content of an HTML element, and of a CDATA section in HTML
//	XMLDouble XMLSingle XMLText XMLContent                    an attribute's value and an element's content in XML
//	XMLURLDouble XMLURLSingle XMLURLText XMLURLContent        an attribute's value and an element's content, read as a URL
//	CDATA                                                     CDATA sections of XML side by side
//	CSSDouble CSSSingle CSSURL                                a string or an unquoted url( ) in CSS
//	JSONString JSONScript JSONCommented                       a string of JSON, and one in a script element of HTML
//	Base64Line                                                base64 in a string of JSON
//	HeaderURL HeaderBare HeaderFolds HeaderLines HeaderWords  a header field's value
//	HeaderSections UnquotedParameter                          a parameter's value, in sections or without quotes
//	TextURL                                                   a URL in brackets, in a text
//	MarkdownBare MarkdownPointy                               a link destination in Markdown
//	MarkdownAutolink MarkdownMail MarkdownWWW                 an autolink in Markdown
//	MarkdownCell                                              a table cell in Markdown
//	Unescaped BrokenURL                                       a URL in a grammar without escapes
//	QuotedPrintable QuotedPrintableLF Base64 Base64LF         a MIME body (RFC 2045)
//	FromQuoteRD FromQuoteO FromUnquoted                       a message in an mbox
//	Chunked Packed(coding, ratio)                             the body of an HTTP message
//	Deflated(size, crc)                                       a file in a zip archive
//	UTF8 Charset(label)                                       a charset of the Encoding Standard
//	Layers(codecs...)                                         several codecs, one around the other
//
// # Files
//
//	codec.go edit.go atoms.go                the types: Codec, Span and Edit, Atoms
//	lift.go lifter.go trim.go                Lift, its steps, and the cutting of edits
//	replacer.go sourcemap.go                 Lift for many edits, and the map from text to source
//	optional.go                              the methods that a codec may have for Lift, besides those of Codec
//	reader.go ascii.go lines.go set.go       helpers of the codecs
//	charset.go charset_*.go                  the charsets; charset_query.go has the encoders for the queries of URLs
//	charref.go reference.go entities_table.go    character references of HTML
//	the other files                          one codec each, and what only that codec needs
package codec
