// Package codec has the interface of all spellings of text, and Lift, which changes a text where it is spelled. A spelling
// is the way in which bytes stand for a text. Examples are character references in HTML and base64 in a message. The
// package does not depend on documents or URLs. The spellings are in these packages:
//
//	spell      the spellings of documents, messages and HTTP, one file each
//	charsets   the charsets of the Encoding Standard
//	inflate    compressed data
//
// An example is the value of an attribute in HTML:
//
//	source    ␣    ?a=1  &amp;  b=2  &#x26;  c  ␣      the bytes between the quotes of href=" ... "
//	          |          |           |          |
//	atoms     1→0        5→1         6→1        1→0    bytes of source → bytes of text; indivisible
//	                     |           |
//	text           ?a=1  &      b=2  &       c         the URL that HTML reads; other bytes stand for themselves
//
// A Codec has three main methods. Decode returns the text, which is the source itself if possible. Map returns the text and
// the atoms. Atoms maps an offset of the text to its place in the source. Encode spells new text for one place. The other
// methods are duties that few codecs have. For example, the lines of quoted-printable must not become too long.
//
// Lift is one function for all codecs. It turns edits of the text into edits of the source, under this law:
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
// # Files
//
//	law.go                     the law of all codecs
//	codec.go edit.go atoms.go  the types: Codec with its duties, Span and Edit, Atoms
//	lift.go lifter.go          Lift and its steps
//	replacer.go sourcemap.go   Lift for many edits, and the map from text to source
//	cuts.go stretch.go         the cuts of a long source, and Stretches
//	speed.go                   the methods that only make a codec fast
//	identity.go                the codecs without a spelling of their own
//	reader.go                  a helper of most codecs
package codec
