package markdown

import (
	"bytes"
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// heading reads an ATX heading (4.2).
func (s *Scanner) heading(matched int, rest []byte) start {
	n := 0
	for n < len(rest) && rest[n] == '#' {
		n++
	}
	if n > 6 || n < len(rest) && !ascii.IsBlank(rest[n]) {
		return startsNothing
	}
	s.begin(matched, noLeaf)
	if n < len(rest) {
		s.blocks.add(inlineText, codec.Span{Start: s.line.nonspace + n, End: s.line.end})
	}
	return startsLeaf
}

// underlines reports whether the line underlines a setext heading (4.3). Then it closes the heading. A paragraph with
// only definitions cannot be a heading.
func (s *Scanner) underlines(matched int, rest []byte) bool {
	if !s.continuing(matched) || rest[0] != '=' && rest[0] != '-' {
		return false
	}
	if text := trimRight(rest); bytes.Count(text, rest[:1]) != len(text) {
		return false
	}
	s.takeDefinitions()
	if s.pending.n == 0 {
		s.leaf = noLeaf
		return false
	}
	s.closeTo(matched)
	return true
}

// isThematicBreak reports whether the line is a thematic break (4.1).
func isThematicBreak(rest []byte) bool {
	c, n := rest[0], 0
	if c != '*' && c != '-' && c != '_' {
		return false
	}
	for _, b := range rest {
		switch {
		case b == c:
			n++
		case !ascii.IsBlank(b):
			return false
		}
	}
	return n >= 3
}

// fence is the opening fence of a code block (4.5).
type fence struct {
	char byte
	n    int
}

// openingFence reads a fence and its info string. The info string after a fence of backticks must not have a backtick.
func openingFence(rest []byte) (fence, bool) {
	f := fence{char: rest[0]}
	for f.n < len(rest) && rest[f.n] == f.char {
		f.n++
	}
	return f, f.n >= 3 && (f.char == '~' || bytes.IndexByte(rest[f.n:], '`') < 0)
}

// closedBy reports whether a line closes the code block.
func (f fence) closedBy(rest []byte) bool {
	rest = trimRight(rest)
	return len(rest) >= f.n && bytes.Count(rest, []byte{f.char}) == len(rest)
}

// startItem opens a list item (5.2).
func (s *Scanner) startItem(matched int, rest []byte) bool {
	n := markerLen(rest)
	if n == 0 || matched >= MaxNesting {
		return false
	}
	blank := len(trimRight(rest[n:])) == 0
	if s.continuing(matched) && (blank || ascii.IsDigit(rest[0]) && (n != 2 || rest[0] != '1')) {
		return false // this item cannot interrupt a paragraph
	}
	s.begin(matched, noLeaf)
	l := &s.line
	width := l.indent + n
	l.take(n)
	switch {
	case l.blank || l.indent > 4: // the content is a blank line or indented code
		width++
		l.skip(1)
	default:
		width += l.indent
		l.skip(l.indent)
	}
	l.look()
	s.open = append(s.open, container{kind: item, width: width, empty: true})
	return true
}

// markerLen returns the length of the list marker at the start of rest, or 0. A space, a tab or the end of the line must
// follow the marker.
func markerLen(rest []byte) int {
	n := 0
	switch c := rest[0]; {
	case c == '-' || c == '+' || c == '*':
		n = 1
	case ascii.IsDigit(c):
		for n < len(rest) && n < 9 && ascii.IsDigit(rest[n]) {
			n++
		}
		if n == len(rest) || rest[n] != '.' && rest[n] != ')' {
			return 0
		}
		n++
	default:
		return 0
	}
	if n < len(rest) && !ascii.IsBlank(rest[n]) {
		return 0
	}
	return n
}

// startFootnote opens a footnote: [^a]: and blocks with an indent of 4 columns. CommonMark has no footnotes. The rules
// are those of cmark-gfm.
func (s *Scanner) startFootnote(matched int, rest []byte) start {
	if len(rest) < 2 || rest[1] != '^' || matched >= MaxNesting {
		return startsNothing
	}
	end := labelEnd(rest, 0)
	if end < len("[^a]") || end == len(rest) || rest[end] != ':' {
		return startsNothing
	}
	if slices.ContainsFunc(rest[2:end-1], ascii.IsBlank) {
		return startsNothing
	}
	s.begin(matched, noLeaf)
	s.line.take(end + 1)
	if !s.line.blank { // the first line of a footnote is never indented code
		s.line.skip(s.line.indent)
		s.line.look()
	}
	s.open = append(s.open, container{kind: footnote, width: 4, empty: true})
	return startsContainer
}
