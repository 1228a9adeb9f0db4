package files

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks a file until it is closed, and returns false if another process has locked it. It locks a byte behind all
// others, because Windows lets nobody else read what is locked.
func Lock(file *os.File) bool {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, at)
	return !errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
