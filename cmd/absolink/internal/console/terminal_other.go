//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package console

import (
	"io/fs"
	"os"
)

// TerminalWidth reports whether f is a terminal. It returns 0 columns, because the width is not known here.
func TerminalWidth(f *os.File) (columns int, ok bool) {
	info, err := f.Stat()
	return 0, err == nil && info.Mode()&fs.ModeCharDevice != 0
}
