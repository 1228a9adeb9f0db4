package ascii

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Next returns the index of the first c in src from p on, or len(src). p may be greater than len(src).
func Next(src []byte, p int, c byte) int {
	// Most distances are short, and a call of bytes.IndexByte is slow for them. So search the first 32 bytes here, a
	// word at a time. A byte of w is zero if the byte of src is c.
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	pattern := uint64(c) * ones
	for end := min(p+32, len(src)-7); p < end; p += 8 {
		w := binary.LittleEndian.Uint64(src[p:]) ^ pattern
		if zero := (w - ones) &^ w & highs; zero != 0 {
			return p + bits.TrailingZeros64(zero)/8
		}
	}
	if p >= len(src) {
		return len(src)
	}
	if i := bytes.IndexByte(src[p:], c); i >= 0 {
		return p + i
	}
	return len(src)
}

// After returns the index after the first c in src from p on, or len(src).
func After(src []byte, p int, c byte) int {
	return min(Next(src, p, c)+1, len(src))
}

// QuotedEnd returns the index of the quotation mark that ends a quoted string (RFC 5322 3.2.4), or len(src). i is the
// index after the first quotation mark. A backslash escapes the next byte. The strings of JSON have the same rule.
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
