package codec

// This file has the helpers of codecs that work in lines.

import "bytes"

// columns is the greatest length of an encoded line without its line end (RFC 2045, 6.7 and 6.8).
const columns = 76

// eol returns the length of the line end at the start of b, or 0 if there is none.
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

// lineStart returns the start of the line that contains src[i].
func lineStart(src []byte, i int) int { return bytes.LastIndexByte(src[:i], '\n') + 1 }

// lineEnd returns the end of the line that contains src[i], without its line end.
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

// nearestNewline returns the line end before the span, or else the line end after its start, or else newline.
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
