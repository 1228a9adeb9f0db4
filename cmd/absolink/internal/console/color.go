// Colors, and whether there are any.

package console

import (
	"os"
	"strconv"
)

// When is a choice about what is for people to look at.
type When uint8

const (
	Auto When = iota // on a terminal
	Always
	Never
)

// Color is the escape sequence that begins a color, "" for none.
type Color string

// End is what ends the color.
func (c Color) End() string {
	if c == "" {
		return ""
	}
	return "\x1b[m"
}

// Colors are what some things are shown in.
type Colors struct{ err, warning, Old, New, Used, Rejected, Place Color }

var ansi = Colors{
	err: "\x1b[31m", warning: "\x1b[33m", Old: "\x1b[31m", New: "\x1b[32m",
	Used: "\x1b[32m", Rejected: "\x1b[31m", Place: "\x1b[36m",
}

// ColorsOf are the colors of what goes to f. Without being told they are for a terminal
// that has colors, unless the user wants none anywhere (no-color.org).
func ColorsOf(w When, f *os.File) Colors {
	switch w {
	case Always:
		return ansi
	case Never:
		return Colors{}
	}
	_, terminal := TerminalWidth(f)
	if !terminal || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return Colors{}
	}
	return ansi
}

// UsualColumns is the width of a terminal whose width is unknown.
const UsualColumns = 80

// Columns returns the number of columns of a line on f, and reports whether f is a terminal. The environment variable
// COLUMNS is used before the width of the terminal.
func Columns(f *os.File) (columns int, ok bool) {
	columns, ok = TerminalWidth(f)
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		columns = n
	}
	if columns == 0 {
		columns = UsualColumns
	}
	return columns, ok
}
