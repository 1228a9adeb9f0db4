package ascii

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// IsLetter reports whether c is ALPHA (RFC 5234 B.1).
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is DIGIT (RFC 5234 B.1).
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsAlnum reports whether c is an ASCII letter or digit (Infra Standard).
func IsAlnum(c byte) bool { return IsLetter(c) || IsDigit(c) }

// IsPunct reports whether c is ASCII punctuation (CommonMark 2.1).
func IsPunct(c byte) bool { return '!' <= c && c <= '~' && !IsAlnum(c) }

// IsDigits reports whether b consists of digits. It is false if b is empty.
func IsDigits(b []byte) bool {
	for _, c := range b {
		if !IsDigit(c) {
			return false
		}
	}
	return len(b) > 0
}

// HexValue returns the value of a hexadecimal digit, in lower or upper case. It returns -1 for other bytes.
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

// IsASCII reports whether all bytes of src are less than 0x80.
func IsASCII(src []byte) bool {
	for ; len(src) >= 32; src = src[32:] {
		if (binary.LittleEndian.Uint64(src)|binary.LittleEndian.Uint64(src[8:])|
			binary.LittleEndian.Uint64(src[16:])|binary.LittleEndian.Uint64(src[24:]))&highs != 0 {
			return false
		}
	}
	for ; len(src) >= 8; src = src[8:] {
		if binary.LittleEndian.Uint64(src)&highs != 0 {
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

// NextWide returns the index of the first byte of src from p on that is not ASCII, or len(src).
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
// declare. This is so for ASCII without ESC and NUL. ESC starts the kanji of ISO-2022-JP, and NUL is half of each ASCII
// character in UTF-16.
func PlainASCII(src []byte) bool {
	for piece := range slices.Chunk(src, 16<<10) { // a piece stays in the cache for all three searches
		if !IsASCII(piece) || bytes.IndexByte(piece, 0x1B) >= 0 || bytes.IndexByte(piece, 0) >= 0 {
			return false
		}
	}
	return true
}
