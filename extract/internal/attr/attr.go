// Package attr is how the value of an attribute is written in HTML and in XML. Both scanners use it.
//
//	HTML 13.1.2.3    a="x"     a='x'     a=x        a      a= >
//	                 Double    Single    Unquoted   Bare   Empty
//
//	XML 3.1          a="x"     a='x'
//	                 XMLDouble XMLSingle
//
// The quoting says how a new value can be spelled in the same place: which characters need a reference, and whether
// quotes must be added.
package attr

import "absolink/extract/internal/codec"

// Value is the value of an attribute: a region of the text, without the quotes.
type Value struct {
	Start, End int // in bytes
	Quoting    Quoting
}

// Quoting is how a value is written.
type Quoting uint8

// HTML and XML differ in the character references of a value, so their quotes differ, too.
const (
	Double    Quoting = iota // "x"
	Single                   // 'x'
	Unquoted                 // x
	Bare                     // the name has no "=": the value is empty
	Empty                    // the tag ends after the "=": the value is empty
	XMLDouble                // "x" in XML
	XMLSingle                // 'x' in XML
)

// Text returns the codec that reads the value as a text.
func (q Quoting) Text() codec.Codec { return texts[q] }

// URL returns the codec that reads the value as a URL.
func (q Quoting) URL() codec.Codec { return urls[q] }

var (
	texts = [...]codec.Codec{codec.AttrDouble, codec.AttrSingle, codec.AttrUnquoted, codec.AttrBare, codec.AttrEmpty, codec.XMLDouble, codec.XMLSingle}
	urls  = [...]codec.Codec{codec.URLDouble, codec.URLSingle, codec.URLUnquoted, codec.URLBare, codec.URLEmpty, codec.XMLURLDouble, codec.XMLURLSingle}
)
