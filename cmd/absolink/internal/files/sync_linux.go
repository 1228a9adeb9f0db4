package files

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// startSync makes the system begin to write a file to the disk, so that the Sync calls of many files wait less. Sync reports the
// errors.
func startSync(file *os.File) {
	_ = unix.SyncFileRange(int(file.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE)
}

// syncable are the types of file systems that syncAll can sync with all errors. A file system in the network or in user space
// may return before the data is on a disk.
var syncable = []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC}

// openDisk opens a folder for syncAll. It returns nil if syncAll would not be reliable there.
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

// reportsErrors reports whether syncfs of a version of Linux returns write errors. This is so since version 5.8; RHEL 8 has 4.18.
func reportsErrors(release string) bool {
	var major, minor int
	n, _ := fmt.Sscanf(release, "%d.%d", &major, &minor)
	return n == 2 && (major > 5 || major == 5 && minor >= 8)
}

// syncAll writes all files of a file system to its disk. file must be open since before the files were written. The error is that
// of any of these files.
func syncAll(file *os.File) error {
	for {
		if err := unix.Syncfs(int(file.Fd())); err != unix.EINTR {
			return os.NewSyscallError("syncfs", err)
		}
	}
}
