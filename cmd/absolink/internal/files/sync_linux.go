package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// startSync makes the system begin to write a file to the disk. So the Sync calls of many files wait at the same time. Sync
// reports the errors.
func startSync(file *os.File) {
	_ = unix.SyncFileRange(int(file.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE)
}
