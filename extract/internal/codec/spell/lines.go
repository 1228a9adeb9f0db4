package spell

// This file has the helpers of codecs that work in lines.

import (
	"bytes"
	"fmt"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// columns is the greatest length of an encoded line without its line end (RFC 2045, 6.7 and 6.8).
const columns = 76

// spaceBefore returns the start of the ASCII white space at the end of src[lo:hi].
func spaceBefore(src []byte, lo, hi int) int {
	for hi > lo && ascii.IsSpace(src[hi-1]) {
		hi--
	}
	return hi
}

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
func nearestNewline(src []byte, at codec.Span, newline string) string {
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

// andMore returns the end of a message about the first of several places: how many other places have the same damage.
func andMore(places int) string {
	if places < 2 {
		return ""
	}
	return fmt.Sprintf(" (and %d more in this part)", places-1)
}
