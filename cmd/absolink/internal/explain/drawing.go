package explain

import (
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// Drawing is a Form that draws the layers of RFC 1808 section 3, filled in:
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
type Drawing struct{ Style }

// usualWidth is the width of the drawing in the RFC.
const usualWidth = 60

// edge is the number of columns of the left and the right border of a box.
const edge = len("|  ") + len("  |")

type line struct {
	text  string
	color console.Color
}

func (d *Drawing) Append(dst []byte, e *extract.Entity) []byte {
	x := Explain(e)
	groups := x.Shown()
	// The boxes grow with their text, but not beyond the terminal: a line that needs more has no right border.
	columns := min(usualWidth, d.Width)
	content := make([][]line, len(groups))
	for i, l := range groups {
		edges := edge * (len(groups) - i)
		content[i] = d.content(l, d.Width-edges)
		for _, line := range content[i] {
			if needs := console.ColumnsOf(line.text) + edges; needs <= d.Width {
				columns = max(columns, needs)
			}
		}
	}

	dst = d.ends(d.separate(dst), "", clean(rows.Where(e.Document, e.Path)), d.Colors.Place, "("+clean(e.Type)+")")
	dst = append(dst, '\n')
	n := len(groups)
	for depth := range n {
		dst = d.border(dst, depth, columns, d.Pen.topLeft, d.Pen.topRight)
	}
	for i, lines := range content {
		depth := n - 1 - i // of the box of this layer: the first layer is the innermost
		for _, line := range lines {
			dst = d.row(dst, depth+1, columns, line)
		}
		dst = d.border(dst, depth, columns, d.Pen.bottomLeft, d.Pen.bottomRight)
	}
	return d.summary(append(dst, '\n'), x)
}

// content returns the lines of one layer. Only a line with one long word, usually a URL, is wider than room.
func (d *Drawing) content(l Group, room int) []line {
	blank := "  " + blanks(console.ColumnsOf(d.Pen.mark)+1)
	marked := "  " + d.Pen.mark + " "
	lines := indented(nil, "", l.Title, room, "")
	if l.Layer == base.LayerDefault.String() {
		if l.Candidates[0].Verdict == Used {
			lines = append(lines, line{marked + Used, d.Colors.Used})
		}
		return lines
	}
	if len(l.Candidates) == 0 {
		return append(lines, line{text: blank + "none"})
	}
	by := 0
	for _, c := range l.Candidates {
		by = max(by, console.ColumnsOf(clean(c.Source)))
	}
	for _, c := range l.Candidates {
		lead, color := blank, console.Color("")
		if c.Verdict == Used {
			lead, color = marked, d.Colors.Used
		}
		name, value := clean(c.Source), quoted(c.Value)
		if whole := lead + name + blanks(by-console.ColumnsOf(name)+2) + value; console.ColumnsOf(whole) <= room {
			lines = append(lines, line{whole, color})
		} else {
			lines = append(lines, line{lead + name, color}, line{blank + "  " + value, color})
		}
		lines = d.verdict(lines, &c, blank+"  ", room)
	}
	return lines
}

func (d *Drawing) verdict(lines []line, c *Candidate, lead string, room int) []line {
	verdict, url, trouble := c.Said()
	verdict, url = clean(verdict), clean(url)
	color := d.color(c.Verdict)
	switch {
	case url == "":
		lines = indented(lines, lead, verdict, room, color)
	case console.ColumnsOf(lead+verdict+": "+url) <= room:
		lines = append(lines, line{lead + verdict + ": " + url, color})
	default:
		lines = append(lines, line{lead + verdict + ":", color}, line{lead + "  " + url, color})
	}
	if trouble != "" {
		lines = indented(lines, lead, "("+clean(trouble)+")", room, "")
	}
	return lines
}

func indented(lines []line, lead, text string, room int, color console.Color) []line {
	for _, part := range console.Wrap(text, room-console.ColumnsOf(lead)) {
		lines = append(lines, line{lead + part, color})
	}
	return lines
}

func (d *Drawing) summary(dst []byte, x *Explanation) []byte {
	if x.Layer == base.LayerDefault.String() {
		for _, part := range console.Wrap("base URL: none; relative links cannot be resolved. Set the URL of the "+
			"document with --url URL, or that of a folder or an archive with --site URL", d.Width) {
			dst = append(append(dst, part...), '\n')
		}
		return dst
	}
	layer := x.Layer
	if x.section != "" {
		layer += ", " + x.section
	}
	return d.ends(dst, "base URL: ", clean(x.Base), d.Colors.Used, "("+layer+", by "+clean(x.Source)+")")
}

// ends appends a line that ends with tail. If the line is too long, tail is on the next line.
func (d *Drawing) ends(dst []byte, lead, text string, color console.Color, tail string) []byte {
	sep := "  "
	if console.ColumnsOf(lead+text+sep+tail) > d.Width {
		sep = "\n  "
	}
	return append(append(dst, lead+paint(color, text)+sep+tail...), '\n')
}

func (d *Drawing) border(dst []byte, depth, columns int, left, right string) []byte {
	side := strings.Repeat(d.Pen.down+"  ", depth)
	dst = append(append(dst, side...), left...)
	dst = append(dst, strings.Repeat(d.Pen.across, columns-edge*depth-2)...)
	dst = append(dst, right...)
	return append(append(dst, strings.Repeat("  "+d.Pen.down, depth)...), '\n')
}

// row draws a line inside a number of boxes. A line that is too long has no right borders.
func (d *Drawing) row(dst []byte, boxes, columns int, l line) []byte {
	dst = append(dst, strings.Repeat(d.Pen.down+"  ", boxes)...)
	text := strings.TrimLeft(l.text, " ")
	dst = append(append(dst, l.text[:len(l.text)-len(text)]...), paint(l.color, text)...)
	if rest := columns - edge*boxes - console.ColumnsOf(l.text); rest >= 0 {
		dst = append(append(dst, blanks(rest)...), strings.Repeat("  "+d.Pen.down, boxes)...)
	}
	return append(dst, '\n')
}
