package spell

// This file reads and writes single character references of HTML. Package html has the table of names.
//
//	&amp;     a name and a semicolon (13.2.5.73)
//	&amp      a legacy name, without a semicolon
//	&#38;     a decimal number (13.2.5.79)
//	&#x26;    a hexadecimal number (13.2.5.78)

import (
	"html"
	"strconv"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
)

// named reads "&" and a name (13.2.5.73), and returns the number of bytes and their text. If there is no reference,
// that is the "&" itself.
func (c *charref) named(src []byte) (int, string) {
	if n, text := closed(src); n > 0 {
		return n, text
	}
	n := endOfName(src, longestLegacy+2)
	if n < len("&lt") || c.attr && n < len(src) && src[n] == '=' {
		return 1, "&"
	}
	// A legacy name stands for one character, and the letters and digits after it stay in the text. Without a legacy
	// name, the character is the "&" itself.
	text := html.UnescapeString(string(src[:n]))
	_, size := utf8.DecodeRuneInString(text)
	rest := len(text) - size
	if c.attr && rest > 0 {
		return 1, "&"
	}
	return n - rest, text[:size]
}

// closed reads "&", a name and a semicolon. The length n is 0 if there is no such name.
func closed(src []byte) (n int, text string) {
	n = endOfName(src, longestName+1)
	if n == len(src) || src[n] != ';' {
		return 0, ""
	}
	switch string(src[1:n]) { // package html lacks two names, because their text is longer than they are
	case "nLt":
		return n + 1, "\u226A\u20D2"
	case "nGt":
		return n + 1, "\u226B\u20D2"
	}
	text = html.UnescapeString(string(src[:n+1]))
	// The semicolon stays if the reference is unknown. (&semi; is known, and its text is a semicolon alone.)
	if len(text) > 1 && text[len(text)-1] == ';' {
		return 0, ""
	}
	return n + 1, text
}

// endOfName returns the end of the letters and digits after the "&" of src, or most if there are more.
func endOfName(src []byte, most int) int {
	n := 1
	for n < min(len(src), most) && ascii.IsAlnum(src[n]) {
		n++
	}
	return n
}

// longestName and longestLegacy are the lengths of the longest name and of the longest legacy name in the table of
// 13.5. The standard promises not to change that table. A legacy name also stands without a semicolon.
const (
	longestName   = 31
	longestLegacy = 6
)

// numeric reads "&#" and a number (13.2.5.75 to 13.2.5.80), and returns the number of bytes and their text. If there is
// no number, that is the "&" itself.
func numeric(src []byte) (int, string) {
	from, base := 2, 10
	if len(src) > 2 && src[2]|0x20 == 'x' {
		from, base = 3, 16
	}
	n, code := digits(src, from, len(src), base)
	if n == from {
		return 1, "&"
	}
	if n < len(src) && src[n] == ';' {
		n++
	}
	switch {
	case code == 0 || code > 0x10FFFF || 0xD800 <= code && code <= 0xDFFF:
		code = 0xFFFD
	case 0x80 <= code && code <= 0x9F:
		code = c1[code-0x80]
	}
	return n, runeText(code)
}

// digits reads at most most digits in a base at src[i], and returns their end and their value, which stops growing
// after the last code point so that it cannot overflow.
func digits(src []byte, i, most, base int) (end int, code rune) {
	for end = i; end < len(src) && end-i < most; end++ {
		d := ascii.HexValue(src[end])
		if d < 0 || d >= base {
			break
		}
		code = min(code*rune(base)+rune(d), 0x110000)
	}
	return end, code
}

// c1 is the table of 13.2.5.80: a numeric reference to a C1 control is read as a byte of windows-1252.
var c1 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
	0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E,
	0x0178,
}

// runeText returns string(r). It allocates no memory for ASCII.
func runeText(r rune) string {
	if r < utf8.RuneSelf {
		return string([]byte{byte(r)})
	}
	return string(r)
}

// appendReference appends a reference to r. It uses a name that HTML and XML have in common, or else the number.
func appendReference(dst []byte, r rune) []byte {
	switch r {
	case '&':
		return append(dst, "&amp;"...)
	case '<':
		return append(dst, "&lt;"...)
	case '>':
		return append(dst, "&gt;"...)
	case '"':
		return append(dst, "&quot;"...)
	}
	return appendNumber(dst, r)
}

// appendNumber appends a numeric reference to r.
func appendNumber(dst []byte, r rune) []byte {
	return append(strconv.AppendInt(append(dst, "&#"...), int64(r), 10), ';')
}
