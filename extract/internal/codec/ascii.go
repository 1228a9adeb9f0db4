package codec

// This file has the classes of ASCII bytes.

import (
	"encoding/binary"
	"unicode/utf8"
)

// isSpace reports whether b is ASCII whitespace (Infra Standard 4.6).
func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\f' || b == '\r' }

// trimSpace returns b without ASCII white space at its ends.
func trimSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	return b
}

// spaceBefore returns the start of the ASCII white space at the end of src[lo:hi].
func spaceBefore(src []byte, lo, hi int) int {
	for hi > lo && isSpace(src[hi-1]) {
		hi--
	}
	return hi
}

// isAlnum reports whether b is ASCII alphanumeric (Infra Standard 4.6).
func isAlnum(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// hexDigit returns the value of an ASCII hex digit, or -1 for another byte.
func hexDigit(b byte) rune {
	switch {
	case '0' <= b && b <= '9':
		return rune(b - '0')
	case 'a' <= b|0x20 && b|0x20 <= 'f':
		return rune(b|0x20-'a') + 10
	}
	return -1
}

// unhex has the value of each hex digit, and -1 for other bytes.
var unhex = func() *[256]int16 {
	var v [256]int16
	for b := range v {
		v[b] = int16(hexDigit(byte(b)))
	}
	return &v
}()

// asciiLen returns the number of ASCII bytes at the start of b.
func asciiLen(b []byte) int {
	n := 0
	for ; n+8 <= len(b); n += 8 {
		if binary.LittleEndian.Uint64(b[n:])&0x8080808080808080 != 0 {
			break
		}
	}
	for n < len(b) && b[n] < utf8.RuneSelf {
		n++
	}
	return n
}
