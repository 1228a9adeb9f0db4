//go:build unix

package files

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// NoFollow is a flag of os.OpenFile: a symbolic link is an error. It is 0 if the system has no such flag.
const NoFollow = syscall.O_NOFOLLOW

// noBlock is a flag of os.OpenFile: a named pipe that nobody writes to is opened at once.
const noBlock = syscall.O_NONBLOCK

// ReadShort appends all bytes of a file of about size bytes to text. It makes three system calls.
func ReadShort(name string, flag, size int, text []byte) ([]byte, error) {
	fd, err := syscall.Open(name, flag|syscall.O_CLOEXEC, 0)
	for err == syscall.EINTR {
		fd, err = syscall.Open(name, flag|syscall.O_CLOEXEC, 0)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	defer syscall.Close(fd)
	for {
		n, err := syscall.Read(fd, text[len(text):cap(text)])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return text, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		if text = text[:len(text)+n]; n == 0 || len(text) == size { // the end, or what the file had when its size was read
			return text, nil
		}
		text = slices.Grow(text, 1)
	}
}

// umask returns the umask. The system tells it only when it is set, so umask must run before the program has other goroutines.
func umask() fs.FileMode {
	mask := syscall.Umask(0o077)
	syscall.Umask(mask)
	return fs.FileMode(mask) & fs.ModePerm
}

// keepOwner sets the owner and group of the old file, and reports whether the file has both: root rewrites the pages of other users,
// and members of a group those of the group. If the user may not set the owner, the file belongs to the user, as with sed -i.
func keepOwner(file *os.File, like fs.FileInfo) bool {
	old, ok := like.Sys().(*syscall.Stat_t)
	if !ok || file.Chown(int(old.Uid), int(old.Gid)) == nil {
		return true
	}
	_ = file.Chown(-1, int(old.Gid)) // a user may set a group of their own
	info, err := file.Stat()
	if err != nil {
		return false
	}
	now, ok := info.Sys().(*syscall.Stat_t)
	return ok && now.Uid == old.Uid && now.Gid == old.Gid
}

// inode identifies a file on all file systems.
type inode struct{ dev, ino uint64 }

// linksOf returns the identity of a file and the number of its names.
func linksOf(info fs.FileInfo) (id inode, n int) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return inode{uint64(stat.Dev), stat.Ino}, int(stat.Nlink)
	}
	return inode{}, 1
}
