package main

import (
	"os"
)

// when is a choice about what is for people to look at.
type when uint8

const (
	auto when = iota // on a terminal
	always
	never
)

// color is the escape sequence that begins a color, "" for none.
type color string

// end is what ends the color.
func (c color) end() string {
	if c == "" {
		return ""
	}
	return "\x1b[m"
}

// colors are what some things are shown in.
type colors struct{ err, warning, old, new, place color }

var ansi = colors{err: "\x1b[31m", warning: "\x1b[33m", old: "\x1b[31m", new: "\x1b[32m", place: "\x1b[36m"}

// colorsOf are the colors of what goes to f. Without being told they are for a terminal
// that has colors, unless the user wants none anywhere (no-color.org).
func colorsOf(w when, f *os.File) colors {
	switch w {
	case always:
		return ansi
	case never:
		return colors{}
	}
	_, terminal := terminalWidth(f)
	if !terminal || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return colors{}
	}
	return ansi
}
