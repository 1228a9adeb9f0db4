package ascii

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// What the grammars have in common. They are about ASCII: no other letter has a case, and no
// other blank is one.

// Lower folds ASCII letters, and nothing else.
func Lower(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

// Fold appends name to dst with its ASCII letters in lower case.
func Fold(dst, name []byte) []byte {
	for _, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// FoldEqual says whether b is name but for the case of ASCII letters; name is lower case.
func FoldEqual(b []byte, name string) bool {
	if len(b) != len(name) {
		return false
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != name[i] {
			return false
		}
	}
	return true
}

// FoldEqualBytes says whether a and b are the same but for the case of ASCII letters.
func FoldEqualBytes(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		if 'A' <= x && x <= 'Z' {
			x |= 0x20
		}
		if 'A' <= y && y <= 'Z' {
			y |= 0x20
		}
		if x != y {
			return false
		}
	}
	return true
}

// IsSpace is the HTML standard's ASCII whitespace.
func IsSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

// SkipSpace gives the offset of what follows the ASCII whitespace at i.
func SkipSpace(src []byte, i int) int {
	for i < len(src) && IsSpace(src[i]) {
		i++
	}
	return i
}

// TrimSpace takes ASCII whitespace off both ends of src[start:end] and gives the new ends.
func TrimSpace(src []byte, start, end int) (int, int) {
	for start < end && IsSpace(src[start]) {
		start++
	}
	for start < end && IsSpace(src[end-1]) {
		end--
	}
	return start, end
}

// Trimmed is a text without ASCII whitespace at its ends.
func Trimmed(text []byte) []byte {
	start, end := TrimSpace(text, 0, len(text))
	return text[start:end]
}

func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsDigits says whether there are digits in b, and nothing else.
func IsDigits(b []byte) bool {
	for _, c := range b {
		if !IsDigit(c) {
			return false
		}
	}
	return len(b) > 0
}

// HexValue is the value of a hex digit, -1 for other bytes.
func HexValue(c byte) int {
	switch {
	case IsDigit(c):
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// PercentDecoded decodes what is percent-encoded and leaves what is not; src itself if nothing is.
func PercentDecoded(src []byte) []byte {
	if bytes.IndexByte(src, '%') < 0 {
		return src
	}
	text := make([]byte, 0, len(src))
	for i := 0; i < len(src); i++ {
		if src[i] == '%' && i+2 < len(src) && HexValue(src[i+1]) >= 0 && HexValue(src[i+2]) >= 0 {
			text = append(text, byte(HexValue(src[i+1])<<4|HexValue(src[i+2])))
			i += 2
			continue
		}
		text = append(text, src[i])
	}
	return text
}

// IsSchemeByte says whether a byte may stand in a scheme (RFC 3986 3.1).
func IsSchemeByte(c byte) bool {
	return IsLetter(c) || IsDigit(c) || c == '+' || c == '-' || c == '.'
}

// CutScheme cuts a URL behind the colon of its scheme (RFC 1808 2.4.2); scheme is "" if
// it has none.
func CutScheme(url string) (scheme, rest string) {
	for i := range len(url) {
		switch c := url[i]; {
		case c == ':' && i > 0:
			return url[:i], url[i+1:]
		case !IsSchemeByte(c), i == 0 && !IsLetter(c):
			return "", url
		}
	}
	return "", url
}

// HasScheme says whether a URL begins with a scheme (RFC 3986 3.1) of two letters or more,
// for one is a drive, and goes on after it without a blank: `Re: x` has none.
func HasScheme(url []byte) bool {
	for i, c := range url {
		switch {
		case i > 1 && c == ':':
			return i+1 < len(url) && !IsBlank(url[i+1])
		case !IsSchemeByte(c), i == 0 && !IsLetter(c):
			return false
		}
	}
	return false
}

// IsASCII says whether there is no byte beyond ASCII in src.
func IsASCII(src []byte) bool {
	const high = 0x8080808080808080
	for ; len(src) >= 32; src = src[32:] {
		if (binary.LittleEndian.Uint64(src)|binary.LittleEndian.Uint64(src[8:])|
			binary.LittleEndian.Uint64(src[16:])|binary.LittleEndian.Uint64(src[24:]))&high != 0 {
			return false
		}
	}
	for ; len(src) >= 8; src = src[8:] {
		if binary.LittleEndian.Uint64(src)&high != 0 {
			return false
		}
	}
	for _, c := range src {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// PlainASCII says whether src holds only bytes that mean the same in every encoding a
// document without a byte order mark can declare: no high bit, no escape, with which
// ISO-2022-JP begins its kanji, and no NUL, as UTF-16 has them.
func PlainASCII(src []byte) bool {
	for piece := range slices.Chunk(src, 16<<10) { // which stays in the cache for all three
		if !IsASCII(piece) || bytes.IndexByte(piece, 0x1B) >= 0 || bytes.IndexByte(piece, 0) >= 0 {
			return false
		}
	}
	return true
}
