// Package ascii has what the grammars of HTML, CSS, URLs and header fields share: letters and case, digits, white
// space, lines, and the search for a byte. It imports no other package of this module.
//
// Only ASCII letters are letters, and have a case. There are three sets of white space, from three standards:
//
//	         SP  TAB  LF  CR  FF
//	IsBlank   x   x                  WSP (RFC 5234 B.1)
//	IsWhite   x   x   x   x          WSP and the line ends of folding (RFC 5322 3.2.2)
//	IsSpace   x   x   x   x   x      ASCII whitespace (Infra Standard; the HTML, CSS and URL Standards use it)
//
// A newline is LF or CRLF. A CR alone is not a newline.
//
// Functions that return an index return len(src), and not -1, if they find nothing: src[p:] is always valid.
package ascii

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// IsLetter reports whether c is ALPHA (RFC 5234 B.1).
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is DIGIT (RFC 5234 B.1).
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsAlnum reports whether c is an ASCII letter or digit (Infra Standard).
func IsAlnum(c byte) bool { return IsLetter(c) || IsDigit(c) }

// IsPunct reports whether c is ASCII punctuation (CommonMark 2.1).
func IsPunct(c byte) bool { return '!' <= c && c <= '~' && !IsAlnum(c) }

// IsDigits reports whether b consists of digits, at least one.
func IsDigits(b []byte) bool {
	for _, c := range b {
		if !IsDigit(c) {
			return false
		}
	}
	return len(b) > 0
}

// HexValue returns the value of a hexadecimal digit, in lower or upper case, or -1 for other bytes.
func HexValue(c byte) int {
	switch {
	case IsDigit(c):
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// highs has the highest bit of each byte of a word.
const highs = 0x8080808080808080

// IsASCII reports whether all bytes of src are less than 0x80. It reads 32 bytes at a time, because reading each byte
// makes the links of pages take 9 % longer.
func IsASCII(src []byte) bool {
	for ; len(src) >= 32; src = src[32:] {
		if (binary.LittleEndian.Uint64(src)|binary.LittleEndian.Uint64(src[8:])|
			binary.LittleEndian.Uint64(src[16:])|binary.LittleEndian.Uint64(src[24:]))&highs != 0 {
			return false
		}
	}
	return NextWide(src, 0) == len(src)
}

// NextWide returns the index of the first byte from p on that is not ASCII, or len(src).
func NextWide(src []byte, p int) int {
	for p+8 <= len(src) && binary.LittleEndian.Uint64(src[p:])&highs == 0 {
		p += 8
	}
	for p < len(src) && src[p] < 0x80 {
		p++
	}
	return p
}

// PlainASCII reports whether src is the same text in every charset that a document without a byte order mark can
// declare: it is ASCII without ESC, which starts the kanji of ISO-2022-JP, and without NUL, which is half of each ASCII
// character in UTF-16.
func PlainASCII(src []byte) bool {
	return IsASCII(src) && bytes.IndexByte(src, 0x1B) < 0 && bytes.IndexByte(src, 0) < 0
}

// Lower returns s in ASCII lowercase (Infra Standard). It returns s itself if s has no capital letter.
func Lower(s string) string {
	for i := range len(s) {
		if lower(s[i]) != s[i] {
			return string(Fold(make([]byte, 0, len(s)), []byte(s)))
		}
	}
	return s
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// Fold appends name to dst in ASCII lowercase, and returns the extended slice.
func Fold(dst, name []byte) []byte {
	for _, c := range name {
		dst = append(dst, lower(c))
	}
	return dst
}

// FoldEqual reports whether b is an ASCII case-insensitive match for name (Infra Standard). name must be in lower
// case.
func FoldEqual(b []byte, name string) bool {
	if len(b) != len(name) {
		return false
	}
	for i, c := range b {
		if lower(c) != name[i] {
			return false
		}
	}
	return true
}

// FoldEqualBytes is FoldEqual for a b in any case.
func FoldEqualBytes(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// IsSpace reports whether c is ASCII whitespace (Infra Standard): space, tab, LF, CR or form feed.
func IsSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

// SkipSpace returns the first index from i on that is not ASCII whitespace, or len(src).
func SkipSpace(src []byte, i int) int {
	for i < len(src) && IsSpace(src[i]) {
		i++
	}
	return i
}

// TrimSpace returns start and end without the ASCII whitespace at both ends of src[start:end].
func TrimSpace(src []byte, start, end int) (int, int) {
	for start < end && IsSpace(src[start]) {
		start++
	}
	for start < end && IsSpace(src[end-1]) {
		end--
	}
	return start, end
}

// Trimmed returns text without leading and trailing ASCII whitespace. The result shares memory with text.
func Trimmed(text []byte) []byte {
	for len(text) > 0 && IsSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	for len(text) > 0 && IsSpace(text[0]) {
		text = text[1:]
	}
	return text
}

// IsBlank reports whether c is WSP (RFC 5234 B.1): space or tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsWhite reports whether c is white space of a header field, or a byte of its folding (RFC 5322 3.2.2): space, tab, CR
// or LF.
func IsWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// SkipWhite returns the first index in [i, end) that is not white space of a header field, or end.
func SkipWhite(src []byte, i, end int) int {
	for i < end && IsWhite(src[i]) {
		i++
	}
	return i
}

// LineEnd returns the index after the newline that ends the line at p, or len(src).
func LineEnd(src []byte, p int) int {
	if n := bytes.IndexByte(src[p:], '\n'); n >= 0 {
		return p + n + 1
	}
	return len(src)
}

// NewlineLen returns the length of the newline at the start of src: 1, 2, or 0 if there is none.
func NewlineLen(src []byte) int {
	switch {
	case len(src) > 0 && src[0] == '\n':
		return 1
	case len(src) > 1 && src[0] == '\r' && src[1] == '\n':
		return 2
	}
	return 0
}

// LastNewline returns the length of the newline at the end of src: 1, 2, or 0 if there is none.
func LastNewline(src []byte) int {
	n := len(src)
	switch {
	case n > 1 && src[n-2] == '\r' && src[n-1] == '\n':
		return 2
	case n > 0 && src[n-1] == '\n':
		return 1
	}
	return 0
}

// EmptyLineLen returns the length of the empty line at the start of src, including its LF, or 0 if there is none. Some
// mailers write CRCRLF, so any number of CRs may come before the LF.
func EmptyLineLen(src []byte) int {
	n := 0
	for n < len(src) && src[n] == '\r' {
		n++
	}
	if n < len(src) && src[n] == '\n' {
		return n + 1
	}
	return 0
}

// IsBlankLine reports whether line contains only white space of IsWhite, which includes its newline, or nothing.
func IsBlankLine(line []byte) bool {
	for _, c := range line {
		if !IsWhite(c) {
			return false
		}
	}
	return true
}

// Next returns the index of the first c in src from p on, or len(src). p may be greater than len(src).
func Next(src []byte, p int, c byte) int {
	if p >= len(src) {
		return len(src)
	}
	if i := bytes.IndexByte(src[p:], c); i >= 0 {
		return p + i
	}
	return len(src)
}

// Near is a Next for short distances that the compiler inlines. It does not search the last seven bytes: if it returns
// an index there, no c is before that index. Without it, the links of pages take 6 % longer.
func Near(src []byte, p int, c byte) int {
	for p >= 0 && p <= len(src)-8 {
		if found := inWord(src[p:], c); found != 0 {
			return p + bits.TrailingZeros64(found)/8
		}
		p += 8
	}
	return p
}

// inWord returns a number whose lowest bit is in the byte of the first c in the first eight bytes of src, or 0 without
// a c.
func inWord(src []byte, c byte) uint64 {
	const ones = 0x0101010101010101
	w := binary.LittleEndian.Uint64(src) ^ uint64(c)*ones // a byte of w is zero if the byte of src is c
	return (w - ones) &^ w & highs
}

// After returns the index after the first c in src from p on, or len(src).
func After(src []byte, p int, c byte) int {
	return min(Next(src, p, c)+1, len(src))
}

// QuotedEnd returns the index of the quotation mark that ends a quoted string (RFC 5322 3.2.4) or a string of JSON, or
// len(src). i is the index after the first quotation mark. A backslash escapes the next byte.
func QuotedEnd(src []byte, i int) int {
	for ; i < len(src); i++ {
		switch src[i] {
		case '"':
			return i
		case '\\':
			i++
		}
	}
	return len(src)
}
