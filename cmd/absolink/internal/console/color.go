// Colors, and when they are used.

package console

import (
	"cmp"
	"os"
	"strconv"
)

// When is the value of --color.
type When uint8

const (
	Auto When = iota // on a terminal
	Always
	Never
)

// Color is the escape sequence that begins a color, or "" for no color.
type Color string

// End returns the escape sequence that ends the color.
func (c Color) End() string {
	if c == "" {
		return ""
	}
	return "\x1b[m"
}

type Colors struct{ err, warning, Old, New, Used, Rejected, Place Color }

var ansi = Colors{
	err: "\x1b[31m", warning: "\x1b[33m", Old: "\x1b[31m", New: "\x1b[32m",
	Used: "\x1b[32m", Rejected: "\x1b[31m", Place: "\x1b[36m",
}

// ColorsOf returns the colors of text for f. Auto means colors on a terminal, unless NO_COLOR is set (no-color.org) or
// TERM is dumb.
func ColorsOf(w When, f *os.File) Colors {
	_, terminal := TerminalWidth(f)
	if w == Never || w == Auto && (!terminal || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb") {
		return Colors{}
	}
	return ansi
}

// UsualColumns is the width of a terminal whose width is unknown.
const UsualColumns = 80

// Columns returns the number of columns of a line on f, and reports whether f is a terminal. COLUMNS in the environment
// takes precedence over the width of the terminal.
func Columns(f *os.File) (columns int, ok bool) {
	columns, ok = TerminalWidth(f)
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		columns = n
	}
	return cmp.Or(columns, UsualColumns), ok
}
