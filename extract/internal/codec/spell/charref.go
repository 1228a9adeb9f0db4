package spell

import (
	"encoding/binary"
	"fmt"
	"sync"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// The values of attributes in HTML, with one codec for each way to write a value. The source is the bytes of the value
// without its quotes. The text is the value of the attribute after tokenization: references are decoded (HTML standard,
// 13.2.5.72 to 13.2.5.80), CRLF and CR become LF (13.2.3.5), and NUL becomes U+FFFD (13.2.5.36 to 13.2.5.38). All bytes
// from 0x80 on stand for themselves.
//
//	<a href="?a=1&amp;b=2&#38;c&copy=3">     "&copy" before "=" is no reference in an attribute (13.2.5.73)
//	         |                        |
//	source   ?a=1&amp;b=2&#38;c&copy=3       AttrDouble
//	text     ?a=1&b=2&c&copy=3
//
//	codec          place              Encode writes
//	AttrDouble     <a href="x">       y
//	AttrSingle     <a href='x'>       y
//	AttrUnquoted   <a href=x>         y, and "" for the empty text, because the next attribute would become the value
//	AttrBare       <a href>           ="y"; the source is the empty span after the name
//	AttrEmpty      <a href=>          "y"; the source is the empty span after the equals sign
//
// Decode of the last three codecs also reads a source with the quotes that Encode wrote.
var (
	AttrDouble   codec.Codec = newCharref(charref{attr: true, escape: ascii.SetOf("&\x00\r\"<")})
	AttrSingle   codec.Codec = newCharref(charref{attr: true, escape: ascii.SetOf("&\x00\r'<")})
	AttrUnquoted codec.Codec = newCharref(charref{attr: true, escape: ascii.SetOf("&\x00\t\n\f\r \"'=<>`"), open: `"`,
		close: `"`, unquoted: true})
	AttrBare codec.Codec = newCharref(charref{attr: true, escape: ascii.SetOf("&\x00\r\"<"), open: `="`,
		close: `"`})
	AttrEmpty codec.Codec = newCharref(charref{attr: true, escape: ascii.SetOf("&\x00\r\"<"), open: `"`, close: `"`})
)

// The values of attributes in HTML, read as URLs, in the places of AttrDouble to AttrEmpty. The URL parser removes
// ASCII white space at both ends, and tab, LF and CR everywhere (URL standard, 4.4, steps 1 to 3), whether written as
// characters or as references. Each removed character is an atom without text, and stays if the text beside it changes.
// A value with nothing to decode or remove but white space at its ends has a text that is a part of its source.
var (
	URLDouble   = urlIn(AttrDouble)
	URLSingle   = urlIn(AttrSingle)
	URLUnquoted = urlIn(AttrUnquoted)
	URLBare     = urlIn(AttrBare)
	URLEmpty    = urlIn(AttrEmpty)
)

// CharData is the text in an element (13.2.5.1, 13.2.5.2). Unlike in an attribute, a legacy name without a semicolon is
// always a reference. NUL becomes U+FFFD, as in RCDATA and foreign content.
//
//	source   a&copy=1
//	text     a©=1
var CharData codec.Codec = newCharref(charref{escape: ascii.SetOf("&\x00\r<")})

// charref spells text with character references, by the rules of one kind of place.
type charref struct {
	codec.Simple
	attr        bool       // an attribute's value: `&copy=1` has no reference
	url         bool       // a URL: white space is removed
	unquoted    bool       // open and close are needed for the empty text only
	open, close string     // Encode writes them around the value if the place has no quotes
	escape      *ascii.Set // Encode writes these bytes as references
	special     *ascii.Set // Decode looks at these bytes

	alone func() *ascii.Set // these bytes stand for themselves everywhere: all bytes except escape and special
}

// The bytes that Decode looks at, in text and in a URL.
var (
	charrefSpecial = ascii.SetOf("&\x00\r")
	urlSpecial     = ascii.SetOf("&\x00\t\n\f\r ")
)

func newCharref(c charref) *charref {
	c.special = charrefSpecial
	if c.url {
		c.special = urlSpecial
	}
	c.alone = sync.OnceValue(func() *ascii.Set { return c.special.Or(c.escape).Not() })
	return &c
}

func urlIn(c codec.Codec) codec.Codec {
	u := *c.(*charref)
	u.url = true
	return newCharref(u)
}

func (c *charref) Plain() *ascii.Set {
	if c.open != "" && !c.unquoted {
		return nil
	}
	return c.alone()
}

// Decode never fails, because every value is valid.
func (c *charref) Decode(src []byte) ([]byte, error) { return c.DecodeInto(nil, src) }

func (c *charref) DecodeInto(room *[]byte, src []byte) ([]byte, error) {
	if c.open == "" {
		// Most values have no special bytes, except white space around a URL.
		text := src
		if c.url {
			text = ascii.Trimmed(src)
		}
		if c.alike(text) {
			return text, nil
		}
		if room != nil {
			if text, ok := c.ampersands(room, text); ok {
				return text, nil
			}
		}
	}
	return c.read(src, nil)
}

// ampersands decodes text whose only special bytes are in "&amp;", as in most URLs with a query, and returns false for
// any other. Without it and suspect, the links of pages take 4 % longer.
func (c *charref) ampersands(room *[]byte, text []byte) ([]byte, bool) {
	const amp = "&amp;"
	out := (*room)[:0]
	for {
		i := 0
		for i < len(text) && !c.special[text[i]] {
			i++
		}
		out = append(out, text[:i]...)
		if i == len(text) {
			*room = out
			return out, true
		}
		if len(text)-i < len(amp) || string(text[i:i+len(amp)]) != amp {
			return nil, false
		}
		out = append(out, '&')
		text = text[i+len(amp):]
	}
}

// alike reports whether b is its own text, because it has no special byte.
func (c *charref) alike(b []byte) bool {
	if !suspect(b) {
		return true
	}
	special := c.special
	for _, x := range b {
		if special[x] {
			return false
		}
	}
	return true
}

// suspect reports whether b may have a byte that is special in any charref: a byte up to 0x20, or "&". It looks at
// eight bytes at a time; the last eight may overlap those before.
func suspect(b []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	if len(b) < 8 {
		return true
	}
	found := uint64(0)
	for i := 0; ; i += 8 {
		i = min(i, len(b)-8)
		x := binary.LittleEndian.Uint64(b[i:])
		amps := x ^ '&'*ones
		found |= (x-('!')*ones)&^x | (amps-ones)&^amps
		if i == len(b)-8 {
			return found&highs != 0
		}
	}
}

func (c *charref) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (c *charref) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	lo, hi := c.inside(src)
	r := codec.ReadFrom(src, lo, atoms)
	end := hi
	if c.url {
		end = spaceBefore(src, lo, hi)
	}
	r.Mark() // after the last character that is not white space
	i := lo
	if c.unquoted && lo == 0 && end > 0 && (src[0] == '"' || src[0] == '\'') {
		i++ // it begins a quoted value (13.2.5.37), so an edit that leaves it at the start fails
		r.Put(i, "")
	}
	for i < end {
		if !c.special[src[i]] {
			for i++; i < end && !c.special[src[i]]; i++ {
			}
			r.Same(i)
			if c.url {
				r.Mark()
			}
			continue
		}
		n, text := c.unit(src[i:end])
		space := c.url && len(text) == 1 && ascii.IsSpace(text[0])
		r.Unit(n, text, space)
		i += n
		if c.url && !space {
			r.Mark()
		}
	}
	if c.url && r.Marked() < end {
		c.dropSpace(&r, src, end)
	}
	text := r.Text()
	if atoms != nil {
		atoms.AddRun(codec.Atom{Src: end, Text: len(text), N: hi - end, SrcLen: 1})
		atoms.Add(hi, len(text), len(src)-hi, 0)
	}
	return text, nil
}

// dropSpace reads the white space from the last Mark to end again, as atoms without text.
func (c *charref) dropSpace(r *codec.Reader, src []byte, end int) {
	r.Back()
	for i := r.Marked(); i < end; {
		n, _ := c.unit(src[i:end])
		r.Put(n, "")
		i += n
	}
}

// inside returns the bounds of the value in src, without the quotes that Encode wrote around it, if there are any.
func (c *charref) inside(src []byte) (lo, hi int) {
	if c.open != "" && len(src) >= len(c.open)+len(c.close) &&
		string(src[:len(c.open)]) == c.open && string(src[len(src)-len(c.close):]) == c.close {
		return len(c.open), len(src) - len(c.close)
	}
	return 0, len(src)
}

// unit reads the character at the start of src, and returns its length and its text.
func (c *charref) unit(src []byte) (int, string) {
	switch b := src[0]; {
	case b == '\r' && len(src) > 1 && src[1] == '\n':
		return 2, "\n"
	case b == '\r':
		return 1, "\n"
	case b == 0:
		return 1, "\uFFFD"
	case b != '&' || len(src) == 1:
		return 1, string(src[:1])
	case src[1] == '#':
		return numeric(src)
	}
	return c.named(src)
}

// Encode writes references for "&" and for bytes that would end the value or read as another text. NUL has no spelling,
// and in a URL neither do tab, LF and CR.
func (c *charref) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	lo, hi := c.inside(src)
	// A place without a value needs quotes around the first text. An unquoted value needs quotes for the empty text.
	wrap := lo == 0 && c.open != "" && at.Start == 0 && at.End == len(src) && c.unquoted == (len(text) == 0)
	out := dst
	if wrap || at.Start < lo {
		out = append(out, c.open...)
	}
	for _, b := range text {
		if b == 0 || c.url && (b == '\t' || b == '\n' || b == '\r') {
			return dst, fmt.Errorf("%w: byte 0x%02x is not allowed in this place of an HTML document",
				codec.ErrCannotSpell, b)
		}
		if c.escape[b] {
			out = appendReference(out, rune(b))
		} else {
			out = append(out, b)
		}
	}
	if wrap || at.End > hi {
		out = append(out, c.close...)
	}
	return out, nil
}

// EscapeRune appends a reference to r. It appends a C1 control unchanged if a numeric reference to it would read as
// another character (13.2.5.80).
func (c *charref) EscapeRune(dst []byte, r rune) []byte {
	if 0x80 <= r && r <= 0x9F && c1[r-0x80] != r {
		return utf8.AppendRune(dst, r)
	}
	return appendReference(dst, r)
}
