package extract

import "bytes"

// Lines and blanks, as the header syntax of RFC 5322 has them.

// lineEnd gives the index behind the newline of the line at p, or the end of src.
func lineEnd(src []byte, p int) int {
	if n := bytes.IndexByte(src[p:], '\n'); n >= 0 {
		return p + n + 1
	}
	return len(src)
}

// newlineLen is the length of the newline that src begins with, 0 if none.
func newlineLen(src []byte) int {
	switch {
	case len(src) > 0 && src[0] == '\n':
		return 1
	case len(src) > 1 && src[0] == '\r' && src[1] == '\n':
		return 2
	}
	return 0
}

// emptyLineLen is the length of the line that src begins with, if there are only CRs in it, and its
// newline; else 0.
func emptyLineLen(src []byte) int {
	n := 0
	for n < len(src) && src[n] == '\r' {
		n++
	}
	if n < len(src) && src[n] == '\n' {
		return n + 1
	}
	return 0
}

// lastNewline is the length of the newline that src ends with, 0 if none.
func lastNewline(src []byte) int {
	n := len(src)
	switch {
	case n > 1 && src[n-2] == '\r' && src[n-1] == '\n':
		return 2
	case n > 0 && src[n-1] == '\n':
		return 1
	}
	return 0
}

func isBlankLine(line []byte) bool {
	for _, c := range line {
		if !isWhite(c) {
			return false
		}
	}
	return true
}

// isBlank is RFC 5234's WSP.
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isWhite is RFC 5322's white space with that of folds (3.2.2).
func isWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// skipWhite gives the first index in [i, end) that is not white space, or end.
func skipWhite(src []byte, i, end int) int {
	for i < end && isWhite(src[i]) {
		i++
	}
	return i
}

// quotedEnd gives the index of the quote that ends a quoted string, or the end of src.
func quotedEnd(src []byte, i int) int {
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
