package css

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

// The tokens of css-syntax-3 section 4, as far as URLs need them. Positions are offsets
// in src, which was not preprocessed (3.3): CR, FF and CRLF are newlines here, and NUL
// is a letter, as U+FFFD is.

const (
	nameByte uint8 = 1 << iota // an ident code point (4.2); all of U+0080 and above, as in the CR of 2021
	stop                       // scan has to look at it
	setStop                    // scan has to look at it inside image-set()
	urlEnd                     // makes an unquoted url() a bad one, or needs a look there
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

// newlineLen is the length of the newline at i, 0 if there is none.
func newlineLen(src []byte, i int) int {
	if i >= len(src) {
		return 0
	}
	switch src[i] {
	case '\r':
		if i+1 < len(src) && src[i+1] == '\n' {
			return 2
		}
		return 1
	case '\n', '\f':
		return 1
	}
	return 0
}

// skipBlanks skips white space and comments (4.3.2). A comment without an end goes on to
// the end of the file.
func skipBlanks(src []byte, i int) int {
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

// commentEnd returns the end of the comment that starts at i.
func commentEnd(src []byte, i int) int {
	end := bytes.Index(src[i+2:], []byte("*/"))
	if end < 0 {
		return len(src)
	}
	return i + 2 + end + 2
}

// isEscape reports whether the backslash at i starts a valid escape (4.3.8). At the end
// of the file it does: the check only asks for the newline that is not there.
func isEscape(src []byte, i int) bool {
	return newlineLen(src, i+1) == 0
}

// escape reads the valid escape whose backslash is at i (4.3.7): its code point, as
// far as anything here can depend on it, and its end. The blank after a number is part
// of it.
func escape(src []byte, i int) (c rune, end int) {
	i++
	if i == len(src) {
		return 0xFFFD, i
	}
	first := i
	for i < len(src) && i < first+6 && ascii.HexValue(src[i]) >= 0 {
		c = c<<4 | rune(ascii.HexValue(src[i]))
		i++
	}
	if i == first {
		// The rest of a character of several bytes is made of ident code points, and
		// in a string or a url() no byte of it means anything.
		return rune(src[i]), i + 1
	}
	if n := newlineLen(src, i); n > 0 {
		return c, i + n
	}
	if i < len(src) && (src[i] == ' ' || src[i] == '\t') {
		i++
	}
	return c, i
}

// word is the beginning of a name with its escapes read and ASCII letters folded:
// enough of it to know the names that matter.
type word struct {
	n    int // more than len(text): too long, or with a letter that none of them has
	text [len("-webkit-image-set")]byte
}

func (w *word) add(c rune) {
	if w.n >= len(w.text) || c >= 0x80 {
		w.n = len(w.text) + 1
		return
	}
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	w.text[w.n] = byte(c)
	w.n++
}

func (w *word) is(name string) bool {
	return w.n == len(name) && string(w.text[:w.n]) == name
}

// ident reads an ident sequence (4.3.11), empty if there is none at i.
func ident(src []byte, i int) (w word, end int) {
	for i < len(src) {
		switch c := src[i]; {
		case class[c]&nameByte != 0:
			w.add(rune(c))
			i++
		case c == '\\' && isEscape(src, i):
			var r rune
			r, i = escape(src, i)
			w.add(r)
		default:
			return w, i
		}
	}
	return w, i
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

// quotedEnd reads the string whose first quote is at i (4.3.5): the end of its contents,
// and where to go on. The end of the file ends a string too; a bare newline makes it a
// bad one, !ok, and is not part of it.
func quotedEnd(src []byte, i int) (end, next int, ok bool) {
	quote := src[i]
	for i++; i < len(src); {
		switch c := src[i]; c {
		case quote:
			return i, i + 1, true
		case '\n', '\r', '\f':
			return i, i, false
		case '\\':
			// An escaped newline, or at least one byte more. The others of a hex escape
			// are neither quotes nor backslashes; but a newline is, if it ends the escape.
			if n := newlineLen(src, i+1); n > 0 {
				i += 1 + n
			} else {
				_, i = escape(src, i)
			}
		default:
			i++
		}
	}
	return i, i, true
}

// isBlank reports whether the contents of a string stand for nothing: no more than escaped
// newlines and white space, or the backslash that ends the file.
func isBlank(src []byte) bool {
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case ascii.IsSpace(c):
			i++
		case c == '\\' && i+1 == len(src):
			i++
		case c == '\\' && newlineLen(src, i+1) > 0:
			i += 1 + newlineLen(src, i+1)
		default:
			return false
		}
	}
	return true
}

// trimmedEnd is the end of a string's contents without white space after them. That of an
// escape stays.
func trimmedEnd(src []byte, i, end int) int {
	last := i
	for i < end {
		switch n := newlineLen(src, i+1); {
		case ascii.IsSpace(src[i]):
			i++
			continue
		case src[i] == '\\' && n > 0:
			i += 1 + n
			continue
		case src[i] == '\\':
			_, i = escape(src, i)
		default:
			i++
		}
		last = i
	}
	return last
}

// urlToken reads an unquoted url() from after its parenthesis and white space
// (4.3.6): the end of the URL, 0 for a bad-url token, and where to go on.
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
			_, i = escape(src, i)
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

// badURL skips the remnants of a bad url (4.3.14).
func badURL(src []byte, i int) int {
	for i < len(src) {
		switch c := src[i]; {
		case c == ')':
			return i + 1
		case c == '\\' && isEscape(src, i):
			_, i = escape(src, i)
		default:
			i++
		}
	}
	return i
}
