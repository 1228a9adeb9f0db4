package codec

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// CSS escapes, one value per place where a URL can stand in a style sheet. The source is the bytes
// inside the token, and the text is the value of the token (css-syntax-3 4.3.5 to 4.3.7) after the
// preprocessing of 3.3: CRLF, CR and FF read as LF, NUL as U+FFFD. Bytes of 0x80 and above stand for
// themselves, whatever they are. Nothing is stripped.
//
// CSSDouble and CSSSingle are the contents of a string between its quotes, where a backslash before
// a newline stands for nothing. CSSURL is the contents of an unquoted url( ), without the white space
// around it.
var (
	CSSDouble Codec = newCSS(cssescape{escape: setOf("\x00\n\r\f\\<\"")})
	CSSSingle Codec = newCSS(cssescape{escape: setOf("\x00\n\r\f\\<'")})
	CSSURL    Codec = newCSS(cssescape{url: true, escape: setOf("\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\f\r\x0E\x0F",
		"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F \x7F\\<()\"'")})
)

var cssSpecial = setOf("\\\x00\r\f")

// cssescape is how text is spelled in one kind of token.
type cssescape struct {
	url    bool // an url-token, not a string
	escape *set // what Encode escapes
	alone  *set // what stands for itself anywhere
}

// newCSS is c with the set of what stands for itself. A digit or blank right behind a hex escape does
// not, but in a source of such bytes alone there is no escape.
func newCSS(c cssescape) *cssescape {
	var alone set
	for b := range alone {
		alone[b] = !c.escape[b] && !cssSpecial[b]
	}
	c.alone = &alone
	return &c
}

func (c *cssescape) plain() *set { return c.alone }

// Decode never fails: what is no valid escape stands for itself.
func (c *cssescape) Decode(src []byte) ([]byte, error) {
	return c.read(src, nil), nil
}

func (c *cssescape) Map(src []byte) ([]byte, Atoms, error) {
	var atoms Atoms
	text := c.read(src, &atoms)
	return text, atoms, nil
}

func (c *cssescape) read(src []byte, atoms *Atoms) []byte {
	r := readFrom(src, 0, atoms)
	for i := 0; i < len(src); {
		if !cssSpecial[src[i]] {
			for i++; i < len(src) && !cssSpecial[src[i]]; i++ {
			}
			r.same(i)
			continue
		}
		n, text := c.unit(src[i:])
		if n == 1 && text == `\` {
			r.same(i + 1)
		} else {
			r.put(n, text)
		}
		i += n
	}
	return r.text()
}

// unit reads the special character that src begins with: how many bytes it takes, and its text.
func (c *cssescape) unit(src []byte) (int, string) {
	if src[0] == 0 {
		return 1, "\uFFFD"
	}
	if src[0] != '\\' {
		return cssNewline(src), "\n"
	}
	if len(src) == 1 {
		// Only at the end of the style sheet (4.3.5: nothing; 4.3.7: U+FFFD).
		if c.url {
			return 1, "\uFFFD"
		}
		return 1, ""
	}
	if n := cssNewline(src[1:]); n > 0 {
		if c.url {
			return 1, `\` // no valid escape (4.3.8)
		}
		return 1 + n, ""
	}
	n, code := 1, rune(0)
	for ; n < len(src) && n <= 6 && hexDigit(src[n]) >= 0; n++ {
		code = code<<4 | hexDigit(src[n])
	}
	if n == 1 {
		if src[1] == 0 {
			return 2, "\uFFFD"
		}
		_, size := utf8.DecodeRune(src[1:])
		return 1 + size, string(src[1 : 1+size])
	}
	if n < len(src) {
		if src[n] == ' ' || src[n] == '\t' {
			n++
		} else {
			n += cssNewline(src[n:])
		}
	}
	if code == 0 || code > 0x10FFFF || 0xD800 <= code && code <= 0xDFFF {
		code = 0xFFFD
	}
	return n, string(code)
}

// cssNewline is the length of the newline that src begins with (4.2, before preprocessing), 0 if none.
func cssNewline(src []byte) int {
	switch {
	case bytes.HasPrefix(src, []byte("\r\n")):
		return 2
	case src[0] == '\n' || src[0] == '\r' || src[0] == '\f':
		return 1
	}
	return 0
}

// Encode escapes what would end the token or change in it, and "<", which could end the style element
// around it. Newlines, blanks and what does not print go by number, with the blank that ends it; the
// rest behind a backslash. NUL cannot be spelled (4.3.7).
func (c *cssescape) Encode(dst, _ []byte, _ Span, text []byte) ([]byte, error) {
	out := dst
	for _, b := range text {
		switch {
		case b == 0:
			return dst, fmt.Errorf("%w: byte 0x00 in CSS", ErrCannotSpell)
		case !c.escape[b]:
			out = append(out, b)
		case b <= ' ' || b == '<' || b == 0x7F:
			out = append(out, '\\')
			out = strconv.AppendInt(out, int64(b), 16)
			out = append(out, ' ')
		default:
			out = append(out, '\\', b)
		}
	}
	return out, nil
}

// escapeRune appends an escape of r, with the blank that ends it.
func (c *cssescape) escapeRune(dst []byte, r rune) []byte {
	return append(strconv.AppendInt(append(dst, '\\'), int64(r), 16), ' ')
}
