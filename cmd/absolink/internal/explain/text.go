// Text on a terminal: its look, its width and its line breaks.

package explain

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"absolink/cmd/absolink/internal/console"
)

type Style struct {
	Width  int // the most columns of a line without a long URL
	Pen    Pen
	Colors console.Colors
	next   bool // there is an entity before
}

type Pen struct {
	topLeft, topRight, bottomLeft, bottomRight string
	across, down                               string
	mark                                       string // of the candidate in force
}

var (
	ASCII   = Pen{".", ".", "`", "'", "-", "|", "=>"}
	Unicode = Pen{"╭", "╮", "╰", "╯", "─", "│", "→"}
)

// separate appends an empty line between two entities.
func (s *Style) separate(dst []byte) []byte {
	if s.next {
		dst = append(dst, '\n')
	}
	s.next = true
	return dst
}

func (*Style) End(dst []byte) []byte { return dst }

func (s *Style) color(verdict string) console.Color {
	switch verdict {
	case Used:
		return s.Colors.Used
	case rejected:
		return s.Colors.Rejected
	}
	return ""
}

// wrap breaks a text at spaces into lines of at most room columns. It never breaks a word, so a URL stays whole.
func wrap(s string, room int) []string {
	if columnsOf(s) <= room {
		return []string{s}
	}
	var lines []string
	line, columns := 0, 0 // where the line starts, and how wide it is
	for at := 0; at < len(s); {
		end := at + 1
		for end < len(s) && s[end] != ' ' {
			end++
		}
		word := columnsOf(s[at:end])
		if columns > 0 && columns+word > room {
			lines = append(lines, s[line:at])
			line, columns, word = at+1, 0, word-1
		}
		columns += word
		at = end
	}
	return append(lines, s[line:])
}

func quoted(s string) string { return `"` + clean(s) + `"` }

// clean returns text with escapes in place of control characters.
func clean(s string) string { return string(console.Printable([]byte(s))) }

// columnsOf returns the number of columns of a text on a terminal.
func columnsOf(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOfRune(r)
	}
	return n
}

func columnsOfRune(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func paint(c console.Color, s string) string { return string(c) + s + c.End() }

// blanks returns n spaces, or "" if n is negative.
func blanks(n int) string { return strings.Repeat(" ", max(0, n)) }
