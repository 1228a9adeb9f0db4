//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

// OpenFile is os.OpenFile for files that are read and written as they come. That one asks the
// system of each whether it can tell when it is ready, by four more calls; a pipe or a device
// that blocks is waited for here.
func OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	for {
		fd, err := syscall.Open(name, flag|syscall.O_CLOEXEC, uint32(perm))
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), name), nil
		case syscall.EINTR:
		default:
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
	}
}

// rename is os.Rename for a file. That one looks first whether a folder is in the way, which
// the system does, too.
func rename(from, to string) error {
	for {
		switch err := syscall.Rename(from, to); err {
		case nil:
			return nil
		case syscall.EINTR:
		default:
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
		}
	}
}

// keepOwner gives the file the owner and group of the one it stands for, where the user
// may do that; where not, it is the user's, as with sed -i.
func keepOwner(file *os.File, like fs.FileInfo) {
	if stat, ok := like.Sys().(*syscall.Stat_t); ok {
		_ = file.Chown(int(stat.Uid), int(stat.Gid))
	}
}

// inode identifies a file on all file systems.
type inode struct{ dev, ino uint64 }

// linksOf returns the identity of a file, and how many names it has.
func linksOf(info fs.FileInfo) (id inode, n int) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return inode{uint64(stat.Dev), stat.Ino}, int(stat.Nlink)
	}
	return inode{}, 1
}
