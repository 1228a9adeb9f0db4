package spell

import (
	"bytes"
	"fmt"
	"sync"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// The places of a text in XML 1.0, with one codec each. The text is what a parser without a DTD reports: references are
// decoded (4.1, 4.6), and line ends become LF (2.11). A reference to an entity that is not predefined, an ampersand
// without a reference, and all bytes from 0x80 on stand for themselves. Encode refuses what is not a character of XML
// (2.2).
//
//	codec        place                            source                    text
//	XMLDouble    a="x&amp;y"                      x&amp;y                   x&y
//	XMLSingle    a='x&amp;y'                      x&amp;y                   x&y
//	XMLText      <e>x&#38;y</e>                   x&#38;y                   x&y
//	XMLContent   <e>x<!--c--><![CDATA[&]]>y</e>   x<!--c--><![CDATA[&]]>y   x&y
//
// In an attribute, a tab or a line end reads as a space (3.3.3) unless a reference spells it. XMLText has no markup in
// it. XMLContent may have CDATA sections (2.7), comments (2.5) and processing instructions (2.6). The start and the end
// of a section, a whole comment, and a whole processing instruction are atoms without text. Encode refuses to replace a
// comment or an instruction, because it would be lost.
var (
	XMLDouble  codec.Codec = xmlText{newXML(xmlSpelling{attr: true}, "&<>\"\t\n\r")}
	XMLSingle  codec.Codec = xmlText{newXML(xmlSpelling{attr: true}, "&<>'\t\n\r")}
	XMLText    codec.Codec = xmlText{newXML(xmlSpelling{}, "&<>\r")}
	XMLContent codec.Codec = xmlContent{newXML(xmlSpelling{markup: true}, "&<>\r")}
)

// The places of a text in XML, read as a URL. White space at the ends is removed, and tab, LF and CR everywhere (URL
// standard, 4.4, steps 1 to 3). The removed characters are atoms without text.
var (
	XMLURLDouble  codec.Codec = xmlText{newXML(xmlSpelling{attr: true, url: true}, "&<>\"")}
	XMLURLSingle  codec.Codec = xmlText{newXML(xmlSpelling{attr: true, url: true}, "&<>'")}
	XMLURLText    codec.Codec = xmlText{newXML(xmlSpelling{url: true}, "&<>")}
	XMLURLContent codec.Codec = xmlContent{newXML(xmlSpelling{url: true, markup: true}, "&<>")}
)

// xmlSpelling is the spelling of text at one kind of place.
type xmlSpelling struct {
	codec.Simple
	attr    bool       // an attribute's value
	url     bool       // a URL: white space is removed
	markup  bool       // the source may have CDATA sections, comments and processing instructions
	special *ascii.Set // Decode looks at these bytes, outside CDATA sections
	cdata   *ascii.Set // Decode looks at these bytes in a CDATA section

	escape func() *ascii.Set // Encode writes these bytes as references, outside CDATA sections
	alone  func() *ascii.Set // these bytes stand for themselves everywhere
}

// xmlText is a place without markup. Each character there has a reference.
type xmlText struct{ *xmlSpelling }

// xmlContent is a place with markup. The spelling of a character depends on whether it is in a CDATA section.
type xmlContent struct{ *xmlSpelling }

// newXML returns c with its sets; escape has the bytes that Encode writes as references.
func newXML(c xmlSpelling, escape string) *xmlSpelling {
	c.special, c.cdata = ascii.SetOf("&\r"), ascii.SetOf("]\r")
	for _, more := range []struct {
		is    bool
		bytes string
	}{{c.attr, "\t\n"}, {c.url, "\t\n\f "}, {c.markup, "<"}} {
		for i := 0; more.is && i < len(more.bytes); i++ {
			c.special[more.bytes[i]] = true
			c.cdata[more.bytes[i]] = true
		}
	}
	c.cdata['<'] = false
	c.escape = sync.OnceValue(func() *ascii.Set { return ascii.SetOf(escape) })
	c.alone = sync.OnceValue(func() *ascii.Set {
		return c.special.Or(c.escape()).Or(notXML).Or(ascii.Range(utf8.RuneSelf, 0xFF)).Not()
	})
	return &c
}

// notXML has the bytes that cannot be in an XML document: most control characters (2.2).
var notXML = ascii.SetOf("\t\n\r").Or(ascii.Controls.Not()).Not()

func (c *xmlSpelling) Plain() *ascii.Set { return c.alone() }

// Decode never fails.
func (c *xmlSpelling) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c *xmlSpelling) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (c *xmlSpelling) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := codec.ReadFrom(src, 0, atoms)
	end := len(src)
	if c.url {
		end = spaceBefore(src, 0, end)
	}
	i, in := 0, false // in reports whether src[i] is in a CDATA section
	r.Mark()          // after the last character that is not white space
	for i < end {
		special := c.special
		if in {
			special = c.cdata
		}
		if !special[src[i]] {
			for i++; i < end && !special[src[i]]; i++ {
			}
			r.Same(i)
			if c.url {
				r.Mark()
			}
			continue
		}
		n, text, then := c.unit(src[i:end], in)
		space := c.url && len(text) == 1 && ascii.IsSpace(text[0])
		if text == "" && i+n == end {
			r.Note(i, n, 0) // markup at the end; the text can stay a part of src
		} else {
			r.Unit(n, text, space)
		}
		i, in = i+n, then
		if c.url && !space && text != "" {
			r.Mark()
		}
	}
	if c.url { // the white space and the markup at the end are atoms without text
		r.Back()
		end = r.Marked()
	}
	text := r.Text()
	if atoms != nil {
		atoms.AddRun(codec.Atom{Src: end, Text: len(text), N: len(src) - end, SrcLen: 1})
	}
	return text, nil
}

// unit reads the character or the markup at the start of src, which is in a CDATA section if in is set. It returns the
// number of bytes, their text, and whether a CDATA section follows them.
func (c *xmlSpelling) unit(src []byte, in bool) (n int, text string, then bool) {
	switch b := src[0]; {
	case b == '\r' || (b == '\n' || b == '\t') && c.attr:
		n, text = 1, "\n"
		if b == '\r' && len(src) > 1 && src[1] == '\n' {
			n = 2
		}
		if c.attr {
			text = " "
		}
		return n, text, in
	case in && bytes.HasPrefix(src, sectionEnd):
		return len(sectionEnd), "", false
	case in:
	case b == '<' && c.markup:
		if n := markupLen(src); n > 0 {
			return n, "", src[1] == '!' && src[2] == '['
		}
	case b == '&':
		if n, r := xmlReference(src); n > 0 {
			return n, runeText(r), false
		}
	}
	return 1, string(src[:1]), in
}

var (
	sectionStart = []byte("<![CDATA[")
	sectionEnd   = []byte("]]>")
)

// markupLen returns the length of the markup at the start of src, or 0 if there is none. Markup is the start of a CDATA
// section, a whole comment (2.5), or a whole processing instruction (2.6). A comment or an instruction without an end
// extends to the end of src.
func markupLen(src []byte) int {
	if bytes.HasPrefix(src, sectionStart) {
		return len(sectionStart)
	}
	for _, m := range [...]struct{ start, end string }{{"<!--", "-->"}, {"<?", "?>"}} {
		if rest, ok := bytes.CutPrefix(src, []byte(m.start)); ok {
			if i := bytes.Index(rest, []byte(m.end)); i >= 0 {
				return len(m.start) + i + len(m.end)
			}
			return len(src)
		}
	}
	return 0
}

// predefined has the entities that need no declaration (4.6).
var predefined = [...]struct {
	name string
	r    rune
}{{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}

// xmlReference returns the length and the character of the reference at the start of src, to a character (4.1) or to a
// predefined entity (4.6). The length is 0 if there is none, or if the number is not a character of XML (2.2).
func xmlReference(src []byte) (int, rune) {
	if len(src) > 1 && src[1] != '#' {
		for _, p := range predefined {
			if bytes.HasPrefix(src, []byte(p.name)) {
				return len(p.name), p.r
			}
		}
		return 0, 0
	}
	from, base := 2, 10
	if len(src) > 2 && src[2] == 'x' {
		from, base = 3, 16
	}
	n, code := digits(src, from, len(src), base)
	if n == from || n == len(src) || src[n] != ';' || code > 0x10FFFF || 0xD800 <= code && code <= 0xDFFF ||
		code == 0xFFFE || code == 0xFFFF ||
		code < ' ' && notXML[code] {
		return 0, 0
	}
	return n + 1, code
}

// IsXMLReference reports whether src starts with a reference that the codecs of this file decode. src starts with "&".
func IsXMLReference(src []byte) bool {
	n, _ := xmlReference(src)
	return n > 0
}

// Encode writes references for bytes that would be markup or read as other bytes. What is not a character of XML (2.2)
// has no spelling, and in a URL neither do tab, LF and CR.
func (c xmlText) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	return c.spell(dst, src, at, text, false, false)
}

func (c xmlText) EscapeRune(dst []byte, r rune) []byte { return appendReference(dst, r) }

// spell is Encode for one place. from and to report whether the start and the end of the place are in a CDATA section.
func (c *xmlSpelling) spell(dst, src []byte, at codec.Span, text []byte, from, to bool) ([]byte, error) {
	if err := c.check(text); err != nil {
		return dst, err
	}
	if from {
		return spellSection(dst, src, at, text, to), nil
	}
	escape := c.escape()
	for _, b := range text {
		if escape[b] {
			dst = appendReference(dst, rune(b))
		} else {
			dst = append(dst, b)
		}
	}
	if to {
		dst = append(dst, sectionStart...)
	}
	return dst, nil
}

// check returns an error if XML cannot spell text.
func (c *xmlSpelling) check(text []byte) error {
	letter := 0 // the end of the last character outside ASCII
	for i, b := range text {
		if notXML[b] || c.url && (b == '\t' || b == '\n' || b == '\r') {
			return fmt.Errorf("%w: byte 0x%02x is not allowed in this place of an XML document", codec.ErrCannotSpell,
				b)
		}
		if b >= utf8.RuneSelf && i >= letter {
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 || r == 0xFFFE || r == 0xFFFF {
				return fmt.Errorf("%w: %q is not allowed in XML", codec.ErrCannotSpell, text[i:i+n])
			}
			letter = i + n
		}
	}
	return nil
}

// Encode writes the same bytes as XMLText outside CDATA sections. What a section cannot contain ends it, and another
// section starts after that.
func (c xmlContent) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	return c.InOrder()(dst, src, at, text)
}

// InOrder returns an Encode for places in the order of the bytes. It remembers whether the last one ended in a CDATA
// section.
func (c xmlContent) InOrder() func(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	read, in := 0, false
	return func(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
		from, _ := sectionAt(src[read:at.Start], in)
		to, lost := sectionAt(src[at.Start:at.End], from)
		if read, in = at.End, to; lost != "" {
			return dst, fmt.Errorf("%w: the %s in the URL would be lost; move it out of the URL", codec.ErrCannotSpell,
				lost)
		}
		return c.spell(dst, src, at, text, from, to)
	}
}

// sectionAt reports whether the end of src is in a CDATA section, and names the last markup in src that spells no text:
// "comment", "processing instruction", or "". in reports whether the start of src is in a section. The start and the
// end are boundaries of atoms.
func sectionAt(src []byte, in bool) (at bool, other string) {
	for len(src) > 0 {
		if in {
			i := bytes.Index(src, sectionEnd)
			if i < 0 {
				return true, other
			}
			src, in = src[i+len(sectionEnd):], false
			continue
		}
		i := bytes.IndexByte(src, '<')
		if i < 0 {
			return false, other
		}
		src = src[i:]
		n := markupLen(src)
		if in = bytes.HasPrefix(src, sectionStart); n > 0 && !in {
			if other = "comment"; src[1] == '?' {
				other = "processing instruction"
			}
		}
		src = src[max(n, 1):]
	}
	return in, other
}

// spellSection is spell in a CDATA section, which cannot contain a CR or "]]>": these end the section and start
// another. to reports whether the end of the place is in a CDATA section.
//
//	CR      ]]>&#13;<![CDATA[
//	]]>     ]]]]><![CDATA[>
func spellSection(dst, src []byte, at codec.Span, text []byte, to bool) []byte {
	brackets := 0 // the number of "]" directly before the next byte
	for i := at.Start; i > 0 && brackets < 2 && src[i-1] == ']'; i-- {
		brackets++
	}
	for _, b := range text {
		switch {
		case b == '\r':
			dst = append(dst, "]]>&#13;<![CDATA["...)
		case b == '>' && brackets >= 2:
			dst = append(dst, "]]><![CDATA[>"...)
		default:
			dst = append(dst, b)
		}
		brackets++
		if b != ']' {
			brackets = 0
		}
	}
	rest := src[at.End:]
	switch {
	case !to:
		dst = append(dst, sectionEnd...)
	case brackets >= 2 && bytes.HasPrefix(rest, []byte(">")) || brackets >= 1 && bytes.HasPrefix(rest, []byte("]>")):
		dst = append(dst, "]]><![CDATA["...)
	}
	return dst
}
