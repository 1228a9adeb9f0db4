// Package codec changes a text where it is spelled. A document seldom holds a URL as it is: HTML writes & as &amp;, a
// mail body is base64. A spelling, or Codec, knows which bytes stand for which text. Lift turns edits of that text into
// edits of the bytes, and leaves all other bytes as they were. The package knows nothing of documents or URLs. The
// spellings are in these packages:
//
//	spell      the spellings of documents, messages and HTTP, one file each
//	charsets   the charsets of the Encoding Standard
//	compress   compressed data
//
// Take the value of an attribute in HTML:
//
//	source    ␣    ?a=1  &amp;  b=2  &#x26;  c  ␣      the bytes between the quotes of href=" ... "
//	          |          |           |          |
//	atoms     1→0        5→1         6→1        1→0    bytes of source → bytes of text; indivisible
//	                     |           |
//	text           ?a=1  &      b=2  &       c         the URL that HTML reads; other bytes stand for themselves
//
// A Codec has four methods. Decode returns the text, which is the source itself if possible. Map returns the atoms,
// with which Atoms finds the place in the source of an offset in the text. Encode spells new text for one place. Widen
// is for codecs in which a change of one place changes others: a line of quoted-printable, for one, must not become too
// long.
//
// Lift works for all codecs, under this law:
//
//	Decode(Apply(src, Lift(src, edits))) == Apply(Decode(src), edits)      Lift(src, nothing) == nothing
//
// Lift checks the law in every call, unless the codec cannot break it, and refuses edits for which it does not hold.
//
// If codecs are nested, call Lift once for each, the innermost first: the edits that one Lift returns are edits of the
// text of the codec around it.
//
// # Files
//
//	law.go               the law of all codecs
//	codec.go             the type Codec
//	edit.go atoms.go     Span and Edit, Atoms
//	lift.go lifter.go    Lift and its steps
//	replacer.go          Lift for many edits
//	speed.go             the methods that only make a codec fast
//	identity.go          the codecs without a spelling of their own
//	reader.go            a helper of most codecs
package codec
