// What text looks like on a terminal.

package explain

import (
	"strings"

	"absolink/cmd/absolink/internal/console"
)

type Style struct {
	Width  int // the most columns of a line without a long URL
	Pen    Pen
	Colors console.Colors
	next   bool // an entity was written before
}

type Pen struct {
	topLeft, topRight, bottomLeft, bottomRight string
	across, down                               string
	mark                                       string // of the used candidate
}

var (
	ASCII   = Pen{".", ".", "`", "'", "-", "|", "=>"}
	Unicode = Pen{"╭", "╮", "╰", "╯", "─", "│", "→"}
)

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

func quoted(s string) string { return `"` + clean(s) + `"` }

// clean returns text with escapes in place of control characters.
func clean(s string) string { return string(console.Printable([]byte(s))) }

func paint(c console.Color, s string) string { return string(c) + s + c.End() }

// blanks returns n spaces, or "" if n is negative.
func blanks(n int) string { return strings.Repeat(" ", max(0, n)) }
