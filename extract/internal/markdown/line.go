package markdown

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

// line is a cursor in one line of the source (CommonMark 2.1, 2.2). Columns count from 0. A tab ends at the next multiple
// of 4.
type line struct {
	src  []byte
	cr   bool // the source contains a CR
	pos  int  // the byte at the cursor
	col  int  // the column of the cursor, which may be in the middle of a tab
	end  int  // of the line, without the line ending
	next int  // the start of the next line

	// Set by look.
	nonspace int // the first byte at or after pos that is not a space or a tab
	indent   int // the number of columns from col to nonspace
	blank    bool
}

// start moves the cursor to the line that begins at p.
func (l *line) start(p int) {
	l.pos, l.col, l.nonspace = p, 0, -1
	if l.cr {
		l.end = lineEnd(l.src, p)
	} else if i := bytes.IndexByte(l.src[p:], '\n'); i >= 0 {
		l.end = p + i
	} else {
		l.end = len(l.src)
	}
	l.next = newline(l.src, l.end)
}

// look finds the first byte that is not a space or a tab.
func (l *line) look() {
	if l.nonspace < l.pos {
		l.nonspace = l.pos
		for l.nonspace < l.end && ascii.IsBlank(l.src[l.nonspace]) {
			l.nonspace++
		}
		l.blank = l.nonspace == l.end
	}
	col := l.col
	for _, c := range l.src[l.pos:min(l.nonspace, l.pos+farIndent)] {
		if c == '\t' {
			col += 4 - col%4
		} else {
			col++
		}
	}
	l.indent = col - l.col
}

// farIndent is the largest number of spaces and tabs that look counts. No container needs a larger indent.
const farIndent = 100

// skip moves the cursor by n columns of spaces and tabs, at most to the end of the line.
func (l *line) skip(n int) {
	for n > 0 && l.pos < l.end {
		if l.src[l.pos] != '\t' {
			l.pos, l.col, n = l.pos+1, l.col+1, n-1
			continue
		}
		width := 4 - l.col%4
		if width <= n {
			l.pos++
		}
		l.col, n = l.col+min(width, n), n-width
	}
}

// take moves the cursor to n bytes after nonspace, and calls look. The n bytes must not contain a tab.
func (l *line) take(n int) {
	l.col += l.indent + n
	l.pos = l.nonspace + n
	l.look()
}

// lineEnd returns the offset of the line ending after p, or len(src).
func lineEnd(src []byte, p int) int {
	for p < len(src) && !isNewline(src[p]) {
		p++
	}
	return p
}

// newline returns the offset after the line ending at p, or p if there is none.
func newline(src []byte, p int) int {
	if p < len(src) && src[p] == '\r' {
		p++
		if p == len(src) || src[p] != '\n' {
			return p
		}
	}
	if p < len(src) && src[p] == '\n' {
		p++
	}
	return p
}

// frontMatterEnd returns the offset after the byte order mark and the front matter at the start of the document. Front
// matter begins with a line of "---" (YAML) or "+++" (TOML), and ends with the same line. In YAML, it may also end with
// a line of "...". No blank line may follow its first line, as in Pandoc. CommonMark and GFM have no front matter.
func frontMatterEnd(src []byte) int {
	p := 0
	if bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")) {
		p = 3
	}
	open := trimRight(src[p:lineEnd(src, p)])
	if string(open) != "---" && string(open) != "+++" {
		return p
	}
	body := newline(src, lineEnd(src, p))
	for q := body; q < len(src); {
		end := lineEnd(src, q)
		text := trimRight(src[q:end])
		if q == body && len(text) == 0 {
			return p
		}
		q = newline(src, end)
		if bytes.Equal(text, open) || string(open) == "---" && string(text) == "..." {
			return q
		}
	}
	return p
}

func isNewline(c byte) bool { return c == '\n' || c == '\r' }

// trimRight returns b without spaces and tabs at its end.
func trimRight(b []byte) []byte { return bytes.TrimRight(b, " \t") }

// isControl reports whether c is an ASCII control character (2.1).
func isControl(c byte) bool { return c < ' ' || c == 0x7F }
