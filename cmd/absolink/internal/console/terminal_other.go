//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package console

import (
	"io/fs"
	"os"
	"runtime"
)

// TerminalWidth reports whether f is a terminal. It returns 0 columns, because the width is not known here. In
// WebAssembly no file is a terminal, because nothing tells one from /dev/null.
func TerminalWidth(f *os.File) (columns int, ok bool) {
	info, err := f.Stat()
	return 0, runtime.GOARCH != "wasm" && err == nil && info.Mode()&fs.ModeCharDevice != 0
}
