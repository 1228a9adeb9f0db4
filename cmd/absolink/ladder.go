// The drawing that the verb explain prints.

package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

// drawing draws the layers of RFC 1808 section 3, filled in:
//
//	.----------------------------------------------------------.
//	|  .----------------------------------------------------.  |
//	|  |  .----------------------------------------------.  |  |
//	|  |  |  .----------------------------------------.  |  |  |
//	|  |  |  |  (3.1) embedded in the content         |  |  |  |
//	|  |  |  |    => BASE element  "/q/"              |  |  |  |
//	|  |  |  |         used: http://h/q/              |  |  |  |
//	|  |  |  `----------------------------------------'  |  |  |
//	...
type drawing struct {
	pen   pen
	width int // columns, at most
}

// pen is what lines are drawn with.
type pen struct {
	topLeft, topRight, bottomLeft, bottomRight string
	across, down                               string
	mark                                       string // of the candidate in force
	dots                                       string // for what is left out
}

var (
	asciiPen   = pen{".", ".", "`", "'", "-", "|", "=>", "..."}
	unicodePen = pen{"╭", "╮", "╰", "╯", "─", "│", "→", "…"}
)

// layer is one box: what it is called, and what stands in it.
type layer struct {
	rung       base.Rung
	title      string
	candidates []*base.Candidate
}

// edge is what a box takes of every line, both sides together.
const edge = len("|  ") + len("  |")

// ladder draws what was considered for one entity.
func (d *drawing) ladder(dst []byte, e *extract.Entity) []byte {
	layers := layersOf(e.Scope)
	// The outermost box is drawn as wide as what is in it needs.
	columns := min(usualWidth, d.width)
	content := make([][]string, len(layers))
	for i, l := range layers {
		room := d.width - edge*(len(layers)-i)
		content[i] = d.content(l, room)
		for _, line := range content[i] {
			columns = max(columns, columnsOf(line)+edge*(len(layers)-i))
		}
	}

	dst = append(append(dst, d.fit(where(e)+"  ("+e.Type+")", d.width)...), "\n\n"...)
	n := len(layers)
	for depth := range n {
		dst = d.border(dst, depth, columns, d.pen.topLeft, d.pen.topRight)
	}
	for i, lines := range content {
		depth := n - 1 - i // of the box of this layer: the first layer is the innermost
		for _, line := range lines {
			dst = d.row(dst, depth+1, columns, line)
		}
		dst = d.border(dst, depth, columns, d.pen.bottomLeft, d.pen.bottomRight)
	}
	return append(append(append(dst, '\n'), d.summary(e.Scope)...), '\n')
}

// layersOf sorts the candidates into the layers, the innermost first.
func layersOf(s *base.Scope) []layer {
	all := s.Candidates()
	var layers []layer
	for _, r := range [...]struct {
		rung  base.Rung
		title string
	}{
		{base.Override, "Base URL that the user insists on"},
		{base.Embedded, "(3.1) Base URL embedded in the document's content"},
		{base.Encapsulating, "(3.2) Base URL of the encapsulating entity"},
		{base.Retrieval, "(3.3) URL used to retrieve the entity"},
		{base.Default, `(3.4) Base URL = "" (undefined)`},
	} {
		l := layer{rung: r.rung, title: r.title}
		for i := range all {
			if all[i].Rung == r.rung {
				l.candidates = append(l.candidates, &all[i])
			}
		}
		if r.rung == base.Override && l.candidates == nil {
			continue // it is no layer of the RFC, and only there if it is used
		}
		layers = append(layers, l)
	}
	return layers
}

// content returns the lines of one layer, none longer than room.
func (d *drawing) content(l layer, room int) []string {
	blank := "  " + strings.Repeat(" ", columnsOf(d.pen.mark)+1)
	marked := "  " + d.pen.mark + " "
	lines := []string{d.fit(l.title, room)}
	if l.rung == base.Default {
		if l.candidates[0].Verdict == base.Used {
			lines = append(lines, marked+"used")
		}
		return lines
	}
	if l.candidates == nil {
		return append(lines, blank+"none")
	}
	by := 0
	for _, c := range l.candidates {
		by = max(by, columnsOf(c.By))
	}
	for _, c := range l.candidates {
		lead := blank
		if c.Verdict == base.Used {
			lead = marked
		}
		lead += c.By + strings.Repeat(" ", by-columnsOf(c.By)+2)
		if room < columnsOf(lead)+8 { // a long name leaves no room beside it
			lines = append(lines, d.fit(lead, room))
			lead = blank + "  "
		}
		lines = append(lines, lead+d.fit(quoted(c.Value), room-columnsOf(lead)))
		lines = append(lines, d.verdict(c, blank+"  ", room)...)
	}
	return lines
}

// verdict returns the lines about what became of a candidate.
func (d *drawing) verdict(c *base.Candidate, lead string, room int) []string {
	var lines []string
	switch {
	case c.Verdict == base.Rejected:
		return []string{d.fit(lead+c.String(), room)}
	case c.URL == c.Value:
		lines = append(lines, lead+c.String())
	default:
		lead := lead + c.String() + ": "
		lines = append(lines, lead+d.fit(c.URL, room-columnsOf(lead)))
	}
	if trouble := c.Trouble(); trouble != "" {
		lines = append(lines, d.fit(lead+"("+trouble+")", room))
	}
	return lines
}

// summary says in a line what is in force.
func (d *drawing) summary(s *base.Scope) string {
	if s.Rung() == base.Default {
		return "base URL: none; every reference is taken as absolute"
	}
	rung := s.Rung().String()
	if section := s.Rung().Section(); section != "" {
		rung += ", " + section
	}
	tail := "  (" + rung + ", by " + clean(s.By()) + ")"
	const lead = "base URL: "
	return lead + d.fit(s.Base().String(), d.width-len(lead)-columnsOf(tail)) + tail
}

// border draws the top or the bottom of the box at a depth.
func (d *drawing) border(dst []byte, depth, columns int, left, right string) []byte {
	side := strings.Repeat(d.pen.down+"  ", depth)
	dst = append(append(dst, side...), left...)
	dst = append(dst, strings.Repeat(d.pen.across, columns-edge*depth-2)...)
	dst = append(dst, right...)
	return append(append(dst, strings.Repeat("  "+d.pen.down, depth)...), '\n')
}

// row draws a line in that many boxes.
func (d *drawing) row(dst []byte, boxes, columns int, line string) []byte {
	dst = append(append(dst, strings.Repeat(d.pen.down+"  ", boxes)...), line...)
	dst = append(dst, strings.Repeat(" ", max(0, columns-edge*boxes-columnsOf(line)))...)
	return append(append(dst, strings.Repeat("  "+d.pen.down, boxes)...), '\n')
}

// fit takes out the middle of what has no room.
func (d *drawing) fit(s string, room int) string {
	s = clean(s)
	if columnsOf(s) <= room {
		return s
	}
	room = max(room-columnsOf(d.pen.dots), 2)
	head, left := 0, room-room/2
	for i, r := range s {
		if left -= columnsOfRune(r); left < 0 {
			break
		}
		head = i + utf8.RuneLen(r)
	}
	tail, left := len(s), room/2
	for tail > head {
		r, n := utf8.DecodeLastRuneInString(s[:tail])
		if left -= columnsOfRune(r); left < 0 {
			break
		}
		tail -= n
	}
	return s[:head] + d.pen.dots + s[tail:]
}

// quoted shows where a value begins and ends.
func quoted(s string) string { return `"` + clean(s) + `"` }

// clean is text that keeps its line and leaves the terminal alone.
func clean(s string) string { return string(console.Printable([]byte(s))) }

// columnsOf is how many columns a text takes on a terminal.
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
