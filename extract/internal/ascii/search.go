package ascii

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

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

// Near is like Next, but the compiler inlines it. It does not search the last seven bytes: if it returns an index there,
// no c is before that index. It is slow for long distances.
func Near(src []byte, p int, c byte) int {
	for p >= 0 && p <= len(src)-8 {
		if found := inWord(src[p:], c); found != 0 {
			return p + bits.TrailingZeros64(found)/8
		}
		p += 8
	}
	return p
}

// inWord returns a number whose lowest bit is in the byte of the first c in the first eight bytes of src. It returns 0 if
// there is no c.
func inWord(src []byte, c byte) uint64 {
	const ones = 0x0101010101010101
	w := binary.LittleEndian.Uint64(src) ^ uint64(c)*ones // a byte of w is zero if the byte of src is c
	return (w - ones) &^ w & highs
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
