package attr

import (
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// Value is the value of an attribute. Start and End are its offsets in the text of the page, without the quotes.
type Value struct {
	Start, End int
	Quoting    Quoting
}

// Quoting is the way in which a value is written.
type Quoting uint8

// HTML and XML have different character references in a value. So each has its own constants for quotes.
const (
	Double    Quoting = iota // "x"
	Single                   // 'x'
	Unquoted                 // x
	Bare                     // no "=" after the name: the value is empty
	Empty                    // the tag ends after the "=": the value is empty
	XMLDouble                // "x" in XML
	XMLSingle                // 'x' in XML
)

// Text returns the codec for a value that is text.
func (q Quoting) Text() codec.Codec { return texts[q] }

// URL returns the codec for a value that is a URL. It removes line ends, as URL parsers do.
func (q Quoting) URL() codec.Codec { return urls[q] }

var (
	texts = [...]codec.Codec{spell.AttrDouble, spell.AttrSingle, spell.AttrUnquoted, spell.AttrBare, spell.AttrEmpty, spell.XMLDouble, spell.XMLSingle}
	urls  = [...]codec.Codec{spell.URLDouble, spell.URLSingle, spell.URLUnquoted, spell.URLBare, spell.URLEmpty, spell.XMLURLDouble, spell.XMLURLSingle}
)
