package spell

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// The places of a URL in a style sheet, with one codec each. The source is the bytes inside the token, and the text is
// the token's value (css-syntax-3, 4.3.5 to 4.3.7). CRLF, CR and FF become LF, and NUL becomes U+FFFD (3.3,
// preprocessing). All bytes from 0x80 on stand for themselves. White space is not removed.
//
//	codec       place              source      text
//	CSSDouble   "a\"b\26 c"        a\"b\26 c   a"b&c
//	CSSSingle   'a\'b\26 c'        a\'b\26 c   a'b&c
//	CSSURL      url( a\)b\26 c )   a\)b\26 c   a)b&c
//
// A hexadecimal escape (\26) has up to six digits, and may end with one white space character. In a string, a backslash
// before a newline stands for nothing. The source of CSSURL does not include the white space around the URL.
var (
	CSSDouble codec.Codec = &cssescape{escape: ascii.SetOf("\x00\n\r\f\\<\"")}
	CSSSingle codec.Codec = &cssescape{escape: ascii.SetOf("\x00\n\r\f\\<'")}
	CSSURL    codec.Codec = &cssescape{url: true, escape: ascii.SetOf(" \x7F\\<()\"'").Or(ascii.Controls)}
)

// cssSpecial has the bytes that Decode looks at.
var cssSpecial = ascii.SetOf("\\\x00\r\f")

// cssescape is the spelling of text in one kind of token.
type cssescape struct {
	codec.Simple
	url    bool       // a url-token, not a string
	escape *ascii.Set // Encode escapes these bytes
}

// Decode never fails. An invalid escape stands for itself.
func (c *cssescape) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c *cssescape) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (c *cssescape) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := codec.ReadFrom(src, 0, atoms)
	for i := 0; i < len(src); {
		if !cssSpecial[src[i]] {
			for i++; i < len(src) && !cssSpecial[src[i]]; i++ {
			}
			r.Same(i)
			continue
		}
		n, text := c.unit(src[i:])
		if n == 1 && text == `\` {
			r.Same(i + 1)
		} else {
			r.Put(n, text)
		}
		i += n
	}
	return r.Text(), nil
}

// unit reads the special character at the start of src, and returns its length and its text.
func (c *cssescape) unit(src []byte) (int, string) {
	if src[0] == 0 {
		return 1, "\uFFFD"
	}
	if src[0] != '\\' {
		return CSSNewline(src), "\n"
	}
	if len(src) == 1 && !c.url {
		return 1, "" // at the end of the style sheet (4.3.5)
	}
	if n := CSSNewline(src[1:]); n > 0 {
		if c.url {
			return 1, `\` // not a valid escape (4.3.8)
		}
		return 1 + n, ""
	}
	n, code := CSSEscape(src)
	if n == 2 && src[1] >= utf8.RuneSelf {
		return n, string(src[1:2]) // it is not UTF-8, and stands for itself
	}
	return n, string(code)
}

// CSSEscape reads the valid escape at the start of src (4.3.7), with the white space after a hexadecimal number. A
// backslash at the end of the style sheet is U+FFFD.
func CSSEscape(src []byte) (n int, code rune) {
	if len(src) == 1 {
		return 1, utf8.RuneError
	}
	n = 1
	for ; n < len(src) && n <= 6 && ascii.HexValue(src[n]) >= 0; n++ {
		code = code<<4 | rune(ascii.HexValue(src[n]))
	}
	if n == 1 {
		if src[1] == 0 {
			return 2, utf8.RuneError
		}
		code, n = utf8.DecodeRune(src[1:])
		return 1 + n, code
	}
	if n < len(src) {
		if src[n] == ' ' || src[n] == '\t' {
			n++
		} else {
			n += CSSNewline(src[n:])
		}
	}
	if code == 0 || code > 0x10FFFF || 0xD800 <= code && code <= 0xDFFF {
		code = utf8.RuneError
	}
	return n, code
}

// CSSNewline returns the length of the newline at the start of src, or 0 if there is none. A newline is LF, CR, CRLF or
// FF (4.2, before preprocessing).
func CSSNewline(src []byte) int {
	switch {
	case bytes.HasPrefix(src, []byte("\r\n")):
		return 2
	case len(src) > 0 && (src[0] == '\n' || src[0] == '\r' || src[0] == '\f'):
		return 1
	}
	return 0
}

// Encode escapes the bytes that would end the token or read as other bytes, and "<", which could end the style element
// around it. NUL has no spelling (4.3.7).
func (c *cssescape) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	out := dst
	for _, b := range text {
		switch {
		case b == 0:
			return dst, fmt.Errorf("%w: byte 0x00 is not allowed in CSS", codec.ErrCannotSpell)
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

// EscapeRune appends a hexadecimal escape of r, with the space that ends it.
func (c *cssescape) EscapeRune(dst []byte, r rune) []byte {
	return append(strconv.AppendInt(append(dst, '\\'), int64(r), 16), ' ')
}
