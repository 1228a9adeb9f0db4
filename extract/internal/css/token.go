package css

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/spell"
)

// The tokens of css-syntax-3 section 4 that matter for URLs. src is not preprocessed (3.3), so that positions are
// offsets in the file. So CR, FF and CRLF are newlines here, and NUL is an ident code point like U+FFFD.

const (
	nameByte uint8 = 1 << iota // an ident code point (4.2); includes all from U+0080, as in the CR of 2021
	stop                       // scan must read it
	setStop                    // scan must read it inside image-set()
	urlEnd                     // in an unquoted url(): ends it, makes it bad, or begins an escape
)

var class = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c == 0, c == '-', c == '_', c >= 0x80,
			'0' <= c && c <= '9', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z':
			t[c] |= nameByte
		case c <= 0x20, c == 0x7F:
			t[c] |= urlEnd
		}
	}
	for _, c := range `("'/\@` {
		t[c] |= stop | setStop
	}
	for _, c := range `){}[];` {
		t[c] |= setStop
	}
	for _, c := range `()"'\` {
		t[c] |= urlEnd
	}
	return t
}()

// skipSpace returns the offset after white space and comments (4.3.2).
func skipSpace(src []byte, i int) int {
	for i < len(src) {
		switch {
		case ascii.IsSpace(src[i]):
			i++
		case src[i] == '/' && i+1 < len(src) && src[i+1] == '*':
			i = commentEnd(src, i)
		default:
			return i
		}
	}
	return i
}

// commentEnd returns the offset after the comment at i. An unclosed comment ends at the end of the file.
func commentEnd(src []byte, i int) int {
	end := bytes.Index(src[i+2:], []byte("*/"))
	if end < 0 {
		return len(src)
	}
	return i + 2 + end + 2
}

// isEscape reports whether the backslash at i starts a valid escape (4.3.8), which it does unless a newline follows,
// even at the end of the file.
func isEscape(src []byte, i int) bool {
	return spell.CSSNewline(src[i+1:]) == 0
}

// escapeEnd returns the offset after the valid escape at i.
func escapeEnd(src []byte, i int) int {
	n, _ := spell.CSSEscape(src[i:])
	return i + n
}

// ident appends the ident sequence at i (4.3.11), with its escapes decoded, to name, or nothing if there is none. end
// is the offset after it.
func ident(name, src []byte, i int) (_ []byte, end int) {
	for i < len(src) {
		switch c := src[i]; {
		case class[c]&nameByte != 0:
			name = append(name, c)
			i++
		case c == '\\' && isEscape(src, i):
			n, r := spell.CSSEscape(src[i:])
			name, i = utf8.AppendRune(name, r), i+n
		default:
			return name, i
		}
	}
	return name, i
}

// startsIdent reports whether an ident sequence starts at i (4.3.9).
func startsIdent(src []byte, i int) bool {
	if i < len(src) && src[i] == '-' {
		if i++; i < len(src) && src[i] == '-' {
			return true
		}
	}
	if i >= len(src) {
		return false
	}
	c := src[i]
	if c == '\\' {
		return isEscape(src, i)
	}
	return class[c]&nameByte != 0 && c != '-' && !ascii.IsDigit(c)
}

// quotedEnd reads the string whose first quote is at i (4.3.5). end is the end of its content, and next is the offset
// after it. The end of the file ends a string, but a newline makes it bad: it ends there, and ok is false.
func quotedEnd(src []byte, i int) (end, next int, ok bool) {
	quote := src[i]
	for i++; i < len(src); {
		switch c := src[i]; c {
		case quote:
			return i, i + 1, true
		case '\n', '\r', '\f':
			return i, i, false
		case '\\':
			// A newline after a hexadecimal number is part of the escape, so it does not end the string.
			if n := spell.CSSNewline(src[i+1:]); n > 0 {
				i += 1 + n
			} else {
				i = escapeEnd(src, i)
			}
		default:
			i++
		}
	}
	return i, i, true
}

// trimmedEnd returns the end of the content src[i:end] of a string without the bytes at its end that mean nothing:
// white space that is not part of an escape, escaped newlines, and a backslash at the end of the file.
func trimmedEnd(src []byte, i, end int) int {
	last := i
	for i < end {
		switch n := spell.CSSNewline(src[i+1:]); {
		case ascii.IsSpace(src[i]), src[i] == '\\' && i+1 == len(src):
			i++
			continue
		case src[i] == '\\' && n > 0:
			i += 1 + n
			continue
		case src[i] == '\\':
			i = escapeEnd(src, i)
		default:
			i++
		}
		last = i
	}
	return last
}

// urlToken reads an unquoted URL at i, after the parenthesis of a url() and white space (4.3.6). end is the end of the
// URL, or 0 for a bad-url token. next is the offset after the url().
func urlToken(src []byte, i int) (end, next int) {
	for i < len(src) {
		c := src[i]
		if class[c]&urlEnd == 0 {
			i++
			continue
		}
		switch {
		case c == ')':
			return i, i + 1
		case c == '\\' && isEscape(src, i):
			i = escapeEnd(src, i)
		case ascii.IsSpace(c):
			end = i
			if i = ascii.SkipSpace(src, i); i == len(src) {
				return end, i
			}
			if src[i] == ')' {
				return end, i + 1
			}
			return 0, badURL(src, i)
		default:
			return 0, badURL(src, i)
		}
	}
	return i, i
}

// badURL returns the offset after the remnants of a bad url (4.3.14).
func badURL(src []byte, i int) int {
	for i < len(src) {
		switch c := src[i]; {
		case c == ')':
			return i + 1
		case c == '\\' && isEscape(src, i):
			i = escapeEnd(src, i)
		default:
			i++
		}
	}
	return i
}
