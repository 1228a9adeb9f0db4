// Package attr has the ways in which HTML and XML write the value of an attribute.
//
//	HTML 13.1.2.3    a="x"       a='x'       a=x         a       a= >
//	                 Double      Single      Unquoted    Bare    Empty
//
//	XML 3.1          a="x"       a='x'
//	                 XMLDouble   XMLSingle
//
// A Quoting determines how a new value is written in the same place: which characters become character references, and
// whether quotes must be added.
package attr

import (
	"absolink/extract/internal/ascii"
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

// HTML and XML have different character references, so each has constants of its own for quotes.
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

// URL returns the codec for a value that is a URL. Like a URL parser, it removes line ends.
func (q Quoting) URL() codec.Codec { return urls[q] }

var (
	texts = [...]codec.Codec{spell.AttrDouble, spell.AttrSingle, spell.AttrUnquoted, spell.AttrBare, spell.AttrEmpty,
		spell.XMLDouble, spell.XMLSingle}
	urls = [...]codec.Codec{spell.URLDouble, spell.URLSingle, spell.URLUnquoted, spell.URLBare, spell.URLEmpty,
		spell.XMLURLDouble, spell.XMLURLSingle}
)

// An Attribute is an attribute of an HTML tag, as it is written, without quotes.
type Attribute struct {
	Name, Value []byte
}

// Next returns the attribute at p in an HTML tag, and the offset after it (HTML 13.2.3.2, "get an attribute"). ok is
// false at a ">", or if src ends with the attribute or before its end.
func Next(src []byte, p int) (a Attribute, end int, ok bool) {
	for p < len(src) && (ascii.IsSpace(src[p]) || src[p] == '/') {
		p++
	}
	if p >= len(src) || src[p] == '>' {
		return a, p, false
	}
	start := p
	for p++; p < len(src) && !endsName(src[p]); { // a "=" may begin a name
		p++
	}
	a = Attribute{src[start:p], src[p:p]}
	p = ascii.SkipSpace(src, p)
	if p >= len(src) || src[p] != '=' {
		return a, p, p < len(src)
	}
	p = ascii.SkipSpace(src, p+1)
	switch start = p; {
	case p >= len(src):
	case src[p] == '"' || src[p] == '\'':
		p = ascii.Next(src, p+1, src[p])
		a.Value = src[start+1 : p]
		p++
	default:
		for p < len(src) && !ascii.IsSpace(src[p]) && src[p] != '>' {
			p++
		}
		a.Value = src[start:p]
	}
	return a, min(p, len(src)), p < len(src)
}

func endsName(c byte) bool { return ascii.IsSpace(c) || c == '/' || c == '>' || c == '=' }
