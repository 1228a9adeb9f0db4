// Strings of JSON.

package rows

import (
	"encoding/base64"
	"encoding/binary"
	"unicode/utf8"
)

// appendJSON appends s as a JSON string. The bytes are those of encoding/json with SetEscapeHTML(false): bytes that are not
// UTF-8 become U+FFFD.
func appendJSON[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start := len(dst)
	dst = append(dst, s...)
	if isPlain(dst[start:]) {
		return append(dst, '"')
	}
	dst = dst[:start]
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if jsonPlain[c] {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = append(dst, s[done:i]...)
			dst = appendEscape(dst, c)
			i++
			done = i
			continue
		}
		r, n := decodeRune(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(append(dst, s[done:i]...), `\ufffd`...)
			done = i + n
		case r == '\u2028' || r == '\u2029':
			// JSON allows them, older JavaScript does not. encoding/json escapes them, too.
			dst = append(append(dst, s[done:i]...), `\u202`...)
			dst = append(dst, hexDigits[r&0xF])
			done = i + n
		}
		i += n
	}
	return append(append(dst, s[done:]...), '"')
}

// isPlain reports whether a JSON string can have these bytes as they are: ASCII without quotes, backslashes and controls. It
// tests eight bytes at a time.
func isPlain(b []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	if len(b) < 8 {
		for _, c := range b {
			if !jsonPlain[c] {
				return false
			}
		}
		return true
	}
	// A subtraction sets the high bit of the lowest byte that is less than the subtrahend. The bytes after it may be wrong.
	other := func(b []byte) uint64 {
		x := binary.LittleEndian.Uint64(b)
		return x | (x - ' '*ones) | ((x ^ '"'*ones) - ones) | ((x ^ '\\'*ones) - ones)
	}
	found := other(b[len(b)-8:])
	for ; len(b) >= 8; b = b[8:] {
		found |= other(b)
	}
	return found&highs == 0
}

func decodeRune[T string | []byte](s T) (rune, int) {
	var buf [utf8.UTFMax]byte
	return utf8.DecodeRune(buf[:copy(buf[:], s)])
}

// appendEscape appends the escape of an ASCII character that a JSON string cannot have.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xF])
}

const hexDigits = "0123456789abcdef"

// jsonPlain has the ASCII bytes that need no escape in a JSON string.
var jsonPlain = func() (t [256]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// appendBase64 appends bytes as a JSON string of their base64.
func appendBase64(dst, b []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, b)
	return append(dst, '"')
}
