// Colors, and whether there are any.

package console

import (
	"os"
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
type Colors struct{ err, warning, Old, New, Place Color }

var ansi = Colors{err: "\x1b[31m", warning: "\x1b[33m", Old: "\x1b[31m", New: "\x1b[32m", Place: "\x1b[36m"}

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
