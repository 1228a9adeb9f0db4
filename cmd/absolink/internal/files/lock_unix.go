//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Lock locks a file until it is closed, and returns false if another process has locked it. A file system without locks
// locks nothing.
func Lock(file *os.File) bool {
	return !errors.Is(unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK)
}
