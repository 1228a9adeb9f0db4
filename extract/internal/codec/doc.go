// Package codec holds the spellings of text in documents: how bytes stand for a text, and how an edit
// of the text becomes an edit of the bytes. One file for each; it knows of no document and no URL.
//
//	source    ␣  ?a=1  &amp;  b=2  &#x26;  c␣     the bytes between the quotes of href=" ... "
//	          |        |  |        |    |   |
//	atoms     1→0      5→1         6→1      1→0    indivisible; all between them stands for itself
//	                   |           |
//	text         ?a=1  &      b=2  &       c       what HTML reads as the URL
//
// A Codec has three parts. Decode gives the text; it is the source itself wherever that is possible.
// Map gives the atoms too, and Atoms tells where in the source a place of the text is spelled. Encode
// spells new text for one place. Lift builds on these and is the same for all codecs:
//
//	Decode(Apply(src, Lift(src, edits))) == Apply(Decode(src), edits)      Lift(src, nothing) == nothing
//
// It checks that law in every call, unless the codec knows that it holds: what it returns is right,
// and what cannot be right it refuses.
// Codecs nest by lifting in turn: the edits that one Lift returns are edits of the text that the
// codec around it spells.
//
// Where text may stand:
//
//	Identity                                                  as it is
//	AttrDouble AttrSingle AttrUnquoted AttrBare AttrEmpty     an attribute's value in HTML
//	URLDouble URLSingle URLUnquoted URLBare URLEmpty          the same, read as a URL
//	CharData                                                  the content of an HTML element
//	XMLDouble XMLSingle XMLText XMLContent                    an attribute's value and an element's content in XML
//	XMLURLDouble XMLURLSingle XMLURLText XMLURLContent        the same, read as a URL
//	CSSDouble CSSSingle CSSURL                                a string or an unquoted url( ) in CSS
//	CDATA                                                     CDATA sections of XML side by side
//	JSONString Base64Line                                     a string of JSON, and bytes in one
//	HeaderURL HeaderBare HeaderFolds HeaderLines HeaderWords  a header field's value
//	TextURL                                                   a URL in brackets, in a text
//	MarkdownBare MarkdownPointy                               a link destination in Markdown
//	MarkdownAutolink MarkdownMail MarkdownWWW                 an autolink in Markdown
//	MarkdownCell                                              a table cell in Markdown
//	HeaderSections                                            a parameter's value, in sections
//	QuotedPrintable QuotedPrintableLF Base64 Base64LF         a MIME body (RFC 2045)
//	FromQuoteRD FromQuoteO FromUnquoted                       a message in an mbox
//	Chunked Packed(coding, ratio)                             the body of an HTTP message
//	Deflated(size, crc)                                       a file in a zip archive
//	UTF8 Charset(label)                                       a charset of the Encoding Standard
//	Layers(codecs...)                                         several of these, one around the other
package codec
