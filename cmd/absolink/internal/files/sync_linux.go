package files

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// startSync makes the system begin to write a file to the disk, so that syncing many files waits less. Sync reports the
// errors.
func startSync(file *os.File) {
	_ = unix.SyncFileRange(int(file.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE)
}

// syncable are the types of file systems whose syncfs returns only when the data is on the disk, and reports each
// error. A file system in the network or in user space may return earlier.
var syncable = []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
	unix.TMPFS_MAGIC}

// openDisk opens a folder for syncAll. It returns nil where syncAll would not be reliable.
func openDisk(folder string) *os.File {
	var system unix.Utsname
	var disk unix.Statfs_t
	if unix.Uname(&system) != nil || !reportsErrors(unix.ByteSliceToString(system.Release[:])) ||
		unix.Statfs(folder, &disk) != nil || !slices.Contains(syncable, int64(disk.Type)) {
		return nil
	}
	file, err := os.Open(folder)
	if err != nil {
		return nil
	}
	return file
}

// reportsErrors reports whether syncfs returns write errors in this version of Linux: since 5.8. RHEL 8 has 4.18.
func reportsErrors(release string) bool {
	var major, minor int
	n, _ := fmt.Sscanf(release, "%d.%d", &major, &minor)
	return n == 2 && (major > 5 || major == 5 && minor >= 8)
}

// syncAll writes all files of a file system to its disk, and returns an error that any of them had. file must have been
// open since before they were written.
func syncAll(file *os.File) error {
	for {
		if err := unix.Syncfs(int(file.Fd())); err != unix.EINTR {
			return os.NewSyscallError("syncfs", err)
		}
	}
}
