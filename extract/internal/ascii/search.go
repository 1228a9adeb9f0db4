package ascii

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Next is the index of the first c in src from p on, or len(src).
func Next(src []byte, p int, c byte) int {
	// Most runs are short: a call is worth it only for the long ones. The first words
	// are searched here, the byte that is c being the lowest zero of w.
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

// After is the index behind the first c from p on, or len(src).
func After(src []byte, p int, c byte) int {
	return min(Next(src, p, c)+1, len(src))
}
