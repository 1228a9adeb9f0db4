package header

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// comments skips the comments of one value (RFC 5322 3.2.2). After a comment without an end it skips no more comments:
// they are inside that comment, or have no end either. So many open parentheses need no quadratic time.
type comments struct{ endless bool }

// skip returns the index after the comment that begins with the "(" at src[i]. ok is false if the comment has no end.
// Then the parenthesis is text.
func (c *comments) skip(src []byte, i, end int) (after int, ok bool) {
	if c.endless {
		return i, false
	}
	depth := 0
	for j := i; j < end; j++ {
		switch src[j] {
		case '\\':
			j++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return j + 1, true
			}
		}
	}
	c.endless = true
	return i, false
}

// skipAll returns the index after the white space and the comments at i.
func (c *comments) skipAll(src []byte, i, end int) int {
	for {
		i = ascii.SkipWhite(src, i, end)
		if i == end || src[i] != '(' {
			return i
		}
		after, ok := c.skip(src, i, end)
		if !ok {
			return i
		}
		i = after
	}
}

// TrimWhite returns a span without the white space at its ends. White space includes folds.
func TrimWhite(src []byte, s codec.Span) codec.Span {
	s.Start = ascii.SkipWhite(src, s.Start, s.End)
	for s.Start < s.End && ascii.IsWhite(src[s.End-1]) {
		s.End--
	}
	return s
}
