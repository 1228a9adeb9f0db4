// Package spell has the ways in which documents, messages and HTTP write a text. Each is a codec.Codec.
//
//	AttrDouble AttrSingle AttrUnquoted AttrBare AttrEmpty     an attribute's value in HTML
//	URLDouble URLSingle URLUnquoted URLBare URLEmpty          an attribute's value in HTML, read as a URL
//	CharData CDATASection                                     the content of an element, and of a CDATA section in HTML
//	XMLDouble XMLSingle XMLText XMLContent                    an attribute's value and an element's content in XML
//	XMLURLDouble XMLURLSingle XMLURLText XMLURLContent        the same, read as a URL
//	CDATA                                                     adjacent CDATA sections of XML
//	Comment XMLComment                                        the content of a comment in HTML and in XML
//	CSSDouble CSSSingle CSSURL                                a string or an unquoted url( ) in CSS
//	JSONString JSONScript JSONCommented JSONBlock             a string of JSON, and one in a script or a comment of HTML
//	Base64Line                                                base64 in a string of JSON
//	HeaderURL HeaderBare HeaderFolds HeaderLines HeaderWords  a header field's value
//	UnquotedParameter                                         a parameter's value without quotes
//	TextURL WrappedURL                                        a URL in a text, in one line or in several lines
//	MarkdownBare MarkdownPointy                               a link destination in Markdown
//	MarkdownAutolink MarkdownMail MarkdownWWW                 an autolink in Markdown
//	MarkdownCell                                              a table cell in Markdown
//	Unescaped BrokenURL                                       a URL in a grammar without escapes
//	QuotedPrintable QuotedPrintableLF Base64 Base64LF         a MIME body (RFC 2045)
//	FromQuoteRD FromQuoteO FromUnquoted                       a message in an mbox
//	Chunked                                                   the body of an HTTP message
package spell
