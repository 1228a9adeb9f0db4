package codec

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// XML 1.0, one value per place where a text can stand. The text is what a parser that reads no DTD reports: the
// references of 4.1 and 4.6 decoded, line ends turned into LF (2.11). A reference to any other entity stands for
// itself, as does an ampersand that begins none. Bytes of 0x80 and above stand for themselves, whatever they are;
// Encode refuses those that are no character of XML (2.2).
//
// XMLDouble and XMLSingle are an attribute's value between its quotes: tab and line ends that are written as such
// read as blanks (3.3.3). XMLText is the content of an element that holds no markup. XMLContent is content with
// CDATA sections (2.7), comments and processing instructions: what begins and ends a section, and all of the
// others, are atoms without text.
var (
	XMLDouble  Codec = xmlText{newXML(xmlSpelling{attr: true}, "&<>\"\t\n\r")}
	XMLSingle  Codec = xmlText{newXML(xmlSpelling{attr: true}, "&<>'\t\n\r")}
	XMLText    Codec = xmlText{newXML(xmlSpelling{}, "&<>\r")}
	XMLContent Codec = xmlContent{newXML(xmlSpelling{markup: true}, "&<>\r")}
)

// The same places where the text is a URL: white space is stripped at its ends, and tab, LF and CR are removed inside.
var (
	XMLURLDouble  Codec = xmlText{newXML(xmlSpelling{attr: true, url: true}, "&<>\"")}
	XMLURLSingle  Codec = xmlText{newXML(xmlSpelling{attr: true, url: true}, "&<>'")}
	XMLURLText    Codec = xmlText{newXML(xmlSpelling{url: true}, "&<>")}
	XMLURLContent Codec = xmlContent{newXML(xmlSpelling{url: true, markup: true}, "&<>")}
)

// xmlSpelling is how text is spelled at one kind of place.
type xmlSpelling struct {
	attr    bool // an attribute's value
	url     bool // white space goes as in a URL
	markup  bool // CDATA sections, comments and processing instructions may stand in it
	escape  *set // what Encode spells as references, outside CDATA sections
	special *set // what Decode must look at
	cdata   *set // and what in a CDATA section
	alone   *set // what stands for itself anywhere
}

// xmlText is a place where every letter can be spelled as a reference.
type xmlText struct{ *xmlSpelling }

// xmlContent is one where it depends on what is around.
type xmlContent struct{ *xmlSpelling }

func newXML(c xmlSpelling, escape string) *xmlSpelling {
	c.escape, c.special, c.cdata = setOf(escape), setOf("&\r"), setOf("]\r")
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
	var alone set
	for b := range alone {
		alone[b] = !c.escape[b] && !c.special[b] && b < utf8.RuneSelf && isXMLByte(byte(b))
	}
	c.alone = &alone
	return &c
}

// isXMLByte: not one of the control characters that no XML document can hold (2.2).
func isXMLByte(b byte) bool { return b >= ' ' || b == '\t' || b == '\n' || b == '\r' }

func (c *xmlSpelling) plain() *set { return c.alone }

// Decode never fails.
func (c *xmlSpelling) Decode(src []byte) ([]byte, error) { return c.decodeInto(nil, src) }

func (c *xmlSpelling) decodeInto(room *[]byte, src []byte) ([]byte, error) {
	text := src
	if c.url {
		text = trimSpace(src)
	}
	for _, b := range text {
		if c.special[b] {
			return c.read(src, nil, room), nil
		}
	}
	return text, nil
}

func (c *xmlSpelling) Map(src []byte) ([]byte, Atoms, error) {
	var atoms Atoms
	text := c.read(src, &atoms, nil)
	return text, atoms, nil
}

// read decodes src, and adds the atoms to atoms unless that is nil. The text may lie in room, unless that is nil.
func (c *xmlSpelling) read(src []byte, atoms *Atoms, room *[]byte) []byte {
	r := readFrom(src, 0, atoms)
	r.useRoom(room)
	end := len(src)
	if c.url {
		end = spaceBefore(src, 0, end)
	}
	i, in := 0, false               // where, and whether it is in a CDATA section
	keep, keepIn := r.mark(), false // the end of the last thing that is text and no white space
	for i < end {
		special := c.special
		if in {
			special = c.cdata
		}
		if !special[src[i]] {
			for i++; i < end && !special[src[i]]; i++ {
			}
			r.same(i)
			if c.url {
				keep, keepIn = r.mark(), in
			}
			continue
		}
		n, text, then := c.unit(src[i:end], in)
		space := c.url && len(text) == 1 && isSpace(text[0])
		if text == "" && i+n == end {
			r.note(i, n, 0) // what follows the text need not cut it short
		} else {
			r.unit(n, text, space)
		}
		i, in = i+n, then
		if c.url && !space && text != "" {
			keep, keepIn = r.mark(), in
		}
	}
	if c.url && keep.src < end {
		c.dropSpace(&r, keep, end, keepIn)
	}
	text := r.text()
	if atoms != nil {
		*atoms = atoms.addRun(Atom{Src: end, Text: len(text), N: len(src) - end, SrcLen: 1})
	}
	r.giveRoom(room)
	return text
}

// dropSpace reads the white space and the markup from keep to end again, as atoms without text. in reports whether a
// CDATA section is open there.
func (c *xmlSpelling) dropSpace(r *reader, keep mark, end int, in bool) {
	r.back(keep)
	for i := keep.src; i < end; {
		n, _, then := c.unit(r.src[i:end], in)
		r.note(i, n, 0)
		i, in = i+n, then
	}
}

// unit reads what src begins with, in a CDATA section or not: how many bytes it takes, its text, and whether what
// follows is in a CDATA section.
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

// markupLen is the length of the start of a CDATA section, the comment (2.5) or the processing instruction (2.6) that
// src begins with, 0 if it is none. One without its end goes to the end of src.
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

// predefined are the entities that need no declaration (4.6).
var predefined = [...]struct {
	name string
	r    rune
}{{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}

// xmlReference reads a character reference (4.1) or one to a predefined entity: its length and what it stands for;
// 0 if src begins with no such thing. A number that is no character of XML (2.2) is none.
func xmlReference(src []byte) (int, rune) {
	if len(src) > 1 && src[1] != '#' {
		for _, p := range predefined {
			if bytes.HasPrefix(src, []byte(p.name)) {
				return len(p.name), p.r
			}
		}
		return 0, 0
	}
	n, base, code := 2, rune(10), rune(0)
	if n < len(src) && src[n] == 'x' {
		n, base = 3, 16
	}
	digits := n
	for ; n < len(src); n++ {
		d := hexDigit(src[n])
		if d < 0 || d >= base {
			break
		}
		code = min(code*base+d, 0x110000)
	}
	if n == digits || n == len(src) || src[n] != ';' || code > 0x10FFFF || 0xD800 <= code && code <= 0xDFFF || code == 0xFFFE || code == 0xFFFF ||
		code < ' ' && !(code > 0 && isXMLByte(byte(code))) {
		return 0, 0
	}
	return n + 1, code
}

// IsXMLReference reports whether src, which begins with "&", begins with a reference that is decoded here.
func IsXMLReference(src []byte) bool {
	n, _ := xmlReference(src)
	return n > 0
}

// Encode writes references for what would be markup or change when it is read. What is no character of XML cannot
// be spelled, nor can tab, LF and CR in a URL.
func (c xmlText) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	return c.spell(dst, src, at, text, false, false)
}

func (c xmlText) escapeRune(dst []byte, r rune) []byte { return appendReference(dst, r) }

// Encode is that of XMLText outside of CDATA sections. Inside, what a section cannot hold is put between two.
func (c xmlContent) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	return c.inOrder()(dst, src, at, text)
}

// inOrder remembers for the next place whether it stands in a CDATA section.
func (c xmlContent) inOrder() encoder {
	read, in := 0, false
	return func(dst, src []byte, at Span, text []byte) ([]byte, error) {
		from := sectionAt(src[read:at.Start], in)
		to := sectionAt(src[at.Start:at.End], from)
		read, in = at.End, to
		return c.spell(dst, src, at, text, from, to)
	}
}

// sectionAt reports whether the end of src is in a CDATA section, if its start is or is not. Both are boundaries of atoms.
func sectionAt(src []byte, in bool) bool {
	for len(src) > 0 {
		if in {
			i := bytes.Index(src, sectionEnd)
			if i < 0 {
				return true
			}
			src, in = src[i+len(sectionEnd):], false
			continue
		}
		i := bytes.IndexByte(src, '<')
		if i < 0 {
			return false
		}
		src = src[i:]
		n := markupLen(src)
		in = n == len(sectionStart) && bytes.HasPrefix(src, sectionStart)
		src = src[max(n, 1):]
	}
	return in
}

// spell is Encode for one place. from and to report whether a CDATA section is open at its start and at its end.
func (c *xmlSpelling) spell(dst, src []byte, at Span, text []byte, from, to bool) ([]byte, error) {
	if err := c.check(text); err != nil {
		return dst, err
	}
	if from {
		return spellSection(dst, src, at, text, to), nil
	}
	for _, b := range text {
		if c.escape[b] {
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
	letter := 0 // the end of the last letter outside ASCII
	for i, b := range text {
		if !isXMLByte(b) || c.url && (b == '\t' || b == '\n' || b == '\r') {
			return fmt.Errorf("%w: byte 0x%02x in XML", ErrCannotSpell, b)
		}
		if b >= utf8.RuneSelf && i >= letter {
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 || r == 0xFFFE || r == 0xFFFF {
				return fmt.Errorf("%w: %q in XML", ErrCannotSpell, text[i:i+n])
			}
			letter = i + n
		}
	}
	return nil
}

// spellSection is spell in a CDATA section. It ends the section, and begins the next one, where a section cannot hold
// the text: for a CR, and for "]]>". to reports whether the section stays open.
func spellSection(dst, src []byte, at Span, text []byte, to bool) []byte {
	brackets := 0 // how many "]" are before the next byte
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
