package codec

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// Character references, one value per place where a text can stand in HTML. The source is the bytes
// of an attribute's value without its quotes (AttrUnquoted has none), and the text is the value as
// the tokenizer leaves it: references decoded (HTML standard 13.2.5.72 to 80), CRLF and CR turned into
// LF (13.2.3.5), NUL into U+FFFD (13.2.5.36 to 38). Bytes of 0x80 and above stand for themselves,
// whatever they are.
//
// AttrBare is an attribute with no value at all, `<a href>`: its source is the empty span after the
// name, and what is spelled there is `="..."`. AttrEmpty is `href=` with `>` right behind it, where
// `"..."` goes. Both read back what they wrote. An unquoted value that is to become empty is written
// `""`, for nothing at all would take the next attribute for its value.
var (
	AttrDouble   Codec = newCharref(charref{attr: true, escape: setOf("&\x00\r\"<")})
	AttrSingle   Codec = newCharref(charref{attr: true, escape: setOf("&\x00\r'<")})
	AttrUnquoted Codec = newCharref(charref{attr: true, escape: setOf("&\x00\t\n\f\r \"'=<>`"), open: `"`, close: `"`, unquoted: true})
	AttrBare     Codec = newCharref(charref{attr: true, escape: setOf("&\x00\r\"<"), open: `="`, close: `"`})
	AttrEmpty    Codec = newCharref(charref{attr: true, escape: setOf("&\x00\r\"<"), open: `"`, close: `"`})
)

// The same places where the text is a URL, as HTML reads one: after the above, ASCII white space is
// stripped at both ends, and tab, LF and CR are removed inside (URL standard, 4.4, steps 1 to 3),
// whatever spelled them. What was removed is an atom without text, and stays when the text changes
// beside it. Decode of a value without references is a part of its source.
var (
	URLDouble   = urlIn(AttrDouble)
	URLSingle   = urlIn(AttrSingle)
	URLUnquoted = urlIn(AttrUnquoted)
	URLBare     = urlIn(AttrBare)
	URLEmpty    = urlIn(AttrEmpty)
)

// CharData is character references in the content of an element (13.2.5.1, 13.2.5.2): legacy names
// without a semicolon always count, NUL is U+FFFD as in RCDATA and foreign content.
var CharData Codec = newCharref(charref{escape: setOf("&\x00\r<")})

// charref is how text is spelled at one kind of place.
type charref struct {
	attr        bool   // an attribute's value: `&copy=1` holds no reference
	url         bool   // white space goes as in a URL
	unquoted    bool   // needs its wrapper only to spell nothing
	open, close string // what a value is wrapped in that has no place of its own yet
	escape      *set   // what Encode spells as references
	special     *set   // what Decode must look at
	alone       *set   // what stands for itself anywhere: neither of them
}

func newCharref(c charref) *charref {
	c.special = setOf("&\x00\r")
	if c.url {
		c.special = setOf("&\x00\t\n\f\r ")
	}
	var alone set
	for b := range alone {
		alone[b] = !c.escape[b] && !c.special[b]
	}
	c.alone = &alone
	return &c
}

// urlIn is the place c for a URL.
func urlIn(c Codec) Codec {
	u := *c.(*charref)
	u.url = true
	return newCharref(u)
}

func (c *charref) plain() *set {
	if c.open != "" && !c.unquoted {
		return nil
	}
	return c.alone
}

// Decode never fails: every value reads as something.
func (c *charref) Decode(src []byte) ([]byte, error) { return c.decodeInto(nil, src) }

func (c *charref) decodeInto(room *[]byte, src []byte) ([]byte, error) {
	if c.open == "" {
		// Most values: nothing to look at, but for blanks around a URL.
		text := src
		if c.url {
			text = trimSpace(src)
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
	return c.read(src, nil, room), nil
}

// ampersands reads text in which "&amp;" is all that does not read as itself, as in most URLs with a query;
// false if it is not so.
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

// alike reports whether all of b reads as itself.
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

// suspect reports whether b may hold what any of the places must look at: a byte up to the blank,
// or "&". It looks at eight bytes at a time, the last ones twice.
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

func (c *charref) Map(src []byte) ([]byte, Atoms, error) {
	var atoms Atoms
	text := c.read(src, &atoms, nil)
	return text, atoms, nil
}

// read decodes src, and adds the atoms to atoms unless that is nil. The text may lie in room, unless that is nil.
func (c *charref) read(src []byte, atoms *Atoms, room *[]byte) []byte {
	lo, hi := c.inside(src)
	r := readFrom(src, lo, atoms)
	r.useRoom(room)
	end := hi
	if c.url {
		end = spaceBefore(src, lo, hi)
	}
	keep := r.mark() // the end of the last thing that is no white space
	for i := lo; i < end; {
		if !c.special[src[i]] {
			for i++; i < end && !c.special[src[i]]; i++ {
			}
			r.same(i)
			if c.url {
				keep = r.mark()
			}
			continue
		}
		n, text := c.unit(src[i:end])
		space := c.url && len(text) == 1 && isSpace(text[0])
		r.unit(n, text, space)
		i += n
		if c.url && !space {
			keep = r.mark()
		}
	}
	if c.url && keep.src < end {
		c.dropSpace(&r, keep, end)
	}
	text := r.text()
	if atoms != nil {
		*atoms = atoms.addRun(Atom{Src: end, Text: len(text), N: hi - end, SrcLen: 1})
		*atoms = atoms.add(hi, len(text), len(src)-hi, 0)
	}
	r.giveRoom(room)
	return text
}

// dropSpace reads the white space from keep to end again, as atoms without text.
func (c *charref) dropSpace(r *reader, keep mark, end int) {
	r.back(keep)
	for i := keep.src; i < end; {
		n, _ := c.unit(r.src[i:end])
		r.put(n, "")
		i += n
	}
}

// inside is where the value stands in src: without the wrapper that Encode gave it, if there is one.
func (c *charref) inside(src []byte) (lo, hi int) {
	if c.open != "" && len(src) >= len(c.open)+len(c.close) &&
		string(src[:len(c.open)]) == c.open && string(src[len(src)-len(c.close):]) == c.close {
		return len(c.open), len(src) - len(c.close)
	}
	return 0, len(src)
}

// unit reads the character that src begins with: how many bytes it takes, and its text.
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

// Encode writes references for "&", for what would end the value or change in it, and nothing else.
// NUL cannot be spelled, nor can tab, LF and CR in a URL.
func (c *charref) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	lo, hi := c.inside(src)
	// A place without value gets its wrapper with the first text; an unquoted one to hold nothing.
	wrap := lo == 0 && c.open != "" && at.Start == 0 && at.End == len(src) && c.unquoted == (len(text) == 0)
	out := dst
	if wrap || at.Start < lo {
		out = append(out, c.open...)
	}
	for _, b := range text {
		if b == 0 || c.url && (b == '\t' || b == '\n' || b == '\r') {
			return dst, fmt.Errorf("%w: byte 0x%02x in an HTML value", ErrCannotSpell, b)
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

// escapeRune leaves a control character as it is whose number is read as another letter (13.2.5.80).
func (c *charref) escapeRune(dst []byte, r rune) []byte {
	if 0x80 <= r && r <= 0x9F && c1[r-0x80] != r {
		return utf8.AppendRune(dst, r)
	}
	return appendReference(dst, r)
}
