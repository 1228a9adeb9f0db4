package codec

import "bytes"

// columns is the greatest length of an encoded line without its line end (RFC 2045, 6.7 and 6.8).
const columns = 76

// eol returns the length of the line end at the start of b, 0 if there is none.
func eol(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '\n':
		return 1
	case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
		return 2
	}
	return 0
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// lineStart and lineEnd are the ends of the line around i, without its line end.
func lineStart(src []byte, i int) int { return bytes.LastIndexByte(src[:i], '\n') + 1 }

func lineEnd(src []byte, i int) int {
	n := bytes.IndexByte(src[i:], '\n')
	if n < 0 {
		return len(src)
	}
	if n > 0 && src[i+n-1] == '\r' {
		n--
	}
	return i + n
}

// nearestNewline is the line end before the span or else behind it; newline when there is none.
func nearestNewline(src []byte, at Span, newline string) string {
	i := lineStart(src, at.Start) - 1
	if i < 0 {
		if i = bytes.IndexByte(src[at.Start:], '\n'); i < 0 {
			return newline
		}
		i += at.Start
	}
	if i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
