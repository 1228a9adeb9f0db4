package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// startSync has the system begin to write a file to the disk, so that its Sync and those of
// others that have begun wait at the same time. What goes wrong is Sync's to tell.
func startSync(file *os.File) {
	_ = unix.SyncFileRange(int(file.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE)
}
