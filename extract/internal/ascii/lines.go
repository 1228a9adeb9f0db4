package ascii

import (
	"bytes"
)

// Lines and blanks, as the header syntax of RFC 5322 has them.

// LineEnd gives the index behind the newline of the line at p, or the end of src.
func LineEnd(src []byte, p int) int {
	if n := bytes.IndexByte(src[p:], '\n'); n >= 0 {
		return p + n + 1
	}
	return len(src)
}

// NewlineLen is the length of the newline that src begins with, 0 if none.
func NewlineLen(src []byte) int {
	switch {
	case len(src) > 0 && src[0] == '\n':
		return 1
	case len(src) > 1 && src[0] == '\r' && src[1] == '\n':
		return 2
	}
	return 0
}

// EmptyLineLen is the length of the line that src begins with, if there are only CRs in it, and its
// newline; else 0.
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

// LastNewline is the length of the newline that src ends with, 0 if none.
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

func IsBlankLine(line []byte) bool {
	for _, c := range line {
		if !IsWhite(c) {
			return false
		}
	}
	return true
}

// IsBlank is RFC 5234's WSP.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsWhite is RFC 5322's white space with that of folds (3.2.2).
func IsWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// SkipWhite gives the first index in [i, end) that is not white space, or end.
func SkipWhite(src []byte, i, end int) int {
	for i < end && IsWhite(src[i]) {
		i++
	}
	return i
}

// QuotedEnd gives the index of the quote that ends a quoted string, or the end of src.
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
