// Package codec reads and writes the spellings of text in documents. A spelling is the way in which bytes stand for a
// text. Examples are character references in HTML and base64 in a message. The package does not depend on documents or
// URLs.
//
//	source    ␣    ?a=1  &amp;  b=2  &#x26;  c  ␣      the bytes between the quotes of href=" ... "
//	          |          |           |          |
//	atoms     1→0        5→1         6→1        1→0    bytes of source → bytes of text; indivisible
//	                     |           |
//	text           ?a=1  &      b=2  &       c         the URL that HTML reads; other bytes stand for themselves
//
// A Codec has three methods. Decode returns the text, which is the source itself if possible. Map returns the text and
// the atoms. Atoms maps an offset of the text to its place in the source. Encode spells new text for one place. Lift is
// one function for all codecs, and uses these methods. It turns edits of the text into edits of the source, under this
// law:
//
//	Decode(Apply(src, Lift(src, edits))) == Apply(Decode(src), edits)      Lift(src, nothing) == nothing
//
// Lift checks the law in every call, unless the codec cannot break it. It refuses edits for which the law does not hold.
//
// If codecs are nested, call Lift once for each codec, the innermost first. The edits that one Lift returns are edits
// of the text of the codec around it.
//
// The edits of a long text need much memory. Stretches lifts them a stretch at a time. It cuts the source at places where
// the spelling has no state:
//
//	source    |  stretch 1   |  stretch 2   |  ...     each stretch decodes alone
//	edits     |  lifted      |  not known   |
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
//	CDATA                                                     adjacent CDATA sections of XML
//	CSSDouble CSSSingle CSSURL                                a string or an unquoted url( ) in CSS
//	JSONString JSONScript JSONCommented                       a string of JSON, and a string in a script element of HTML
//	Base64Line                                                base64 in a string of JSON
//	HeaderURL HeaderBare HeaderFolds HeaderLines HeaderWords  a header field's value
//	HeaderSections UnquotedParameter                          a parameter's value, in sections or without quotes
//	TextURL WrappedURL                                        a URL in a text, in one line or in several lines
//	MarkdownBare MarkdownPointy                               a link destination in Markdown
//	MarkdownAutolink MarkdownMail MarkdownWWW                 an autolink in Markdown
//	MarkdownCell                                              a table cell in Markdown
//	Unescaped BrokenURL                                       a URL in a grammar without escapes
//	QuotedPrintable QuotedPrintableLF Base64 Base64LF         a MIME body (RFC 2045)
//	UUEncode                                                  a body in an encoding that is older than MIME
//	FromQuoteRD FromQuoteO FromUnquoted                       a message in an mbox
//	Chunked Packed(coding, ratio)                             the body of an HTTP message
//	Deflated(size, crc)                                       a file in a zip archive
//	UTF8 Charset(label)                                       a charset of the Encoding Standard
//	Layers(codecs...)                                         several nested codecs
//
// # Files
//
//	codec.go edit.go atoms.go                    the types: Codec, Span and Edit, Atoms
//	lift.go lifter.go trim.go                    Lift, its steps, and the helpers that cut and widen edits
//	replacer.go sourcemap.go                     Lift for many edits, and the map from text to source
//	cuts.go stretch.go *_pieces.go               the cuts of a long source, and Stretches
//	optional.go                                  the optional methods of a codec, for speed
//	reader.go ascii.go lines.go set.go           helpers of the codecs
//	charset.go charset_*.go                      the charsets; charset_query.go has the encoders for the queries of URLs
//	charref.go reference.go entities_table.go    character references of HTML
//	the other files                              one codec each, or a few related codecs, with their helpers
package codec
