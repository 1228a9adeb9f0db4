package ascii

import "bytes"

// LineEnd returns the index after the newline that ends the line at p, or len(src).
func LineEnd(src []byte, p int) int {
	if n := bytes.IndexByte(src[p:], '\n'); n >= 0 {
		return p + n + 1
	}
	return len(src)
}

// NewlineLen returns the length of the newline at the start of src: 1, 2, or 0 if there is none.
func NewlineLen(src []byte) int {
	switch {
	case len(src) > 0 && src[0] == '\n':
		return 1
	case len(src) > 1 && src[0] == '\r' && src[1] == '\n':
		return 2
	}
	return 0
}

// LastNewline returns the length of the newline at the end of src: 1, 2, or 0 if there is none.
func LastNewline(src []byte) int {
	n := len(src)
	switch {
	case n > 1 && src[n-2] == '\r' && src[n-1] == '\n':
		return 2
	case n > 0 && src[n-1] == '\n':
		return 1
	}
	return 0
}

// EmptyLineLen returns the length of the empty line at the start of src, including its LF, or 0 if there is none. Any
// number of CRs may come before the LF: some mailers write CRCRLF.
func EmptyLineLen(src []byte) int {
	n := 0
	for n < len(src) && src[n] == '\r' {
		n++
	}
	if n < len(src) && src[n] == '\n' {
		return n + 1
	}
	return 0
}

// IsBlankLine reports whether line, including its newline, contains only white space of IsWhite. An empty line is blank.
func IsBlankLine(line []byte) bool {
	for _, c := range line {
		if !IsWhite(c) {
			return false
		}
	}
	return true
}
