//go:build unix

package files

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// NoFollow makes os.OpenFile fail on a symbolic link. It is 0 where the system has no such flag.
const NoFollow = syscall.O_NOFOLLOW

// noBlock makes os.OpenFile return at once for a named pipe that nobody writes to.
const noBlock = syscall.O_NONBLOCK

// ReadShort appends the content of a file of about size bytes to text, with three system calls instead of those of
// os.ReadFile.
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
		// the end, or what the file had when its size was read
		if text = text[:len(text)+n]; n == 0 || len(text) == size {
			return text, nil
		}
		text = slices.Grow(text, 1)
	}
}

// umask returns the umask. The system tells it only while setting it, so umask must run before the program has other
// goroutines.
func umask() fs.FileMode {
	mask := syscall.Umask(0o077)
	syscall.Umask(mask)
	return fs.FileMode(mask) & fs.ModePerm
}

// keepOwner gives the file the owner and group of the old one, and reports whether it has both: root rewrites the pages
// of other users, and members of a group rewrite those of the group. Where the user may not set the owner, the file
// belongs to the user, as with sed -i.
func keepOwner(file *os.File, like fs.FileInfo) bool {
	old, ok := like.Sys().(*syscall.Stat_t)
	if !ok || file.Chown(int(old.Uid), int(old.Gid)) == nil {
		return true
	}
	_ = file.Chown(-1, int(old.Gid)) // a user may set a group that they belong to
	info, err := file.Stat()
	if err != nil {
		return false
	}
	now, ok := info.Sys().(*syscall.Stat_t)
	return ok && now.Uid == old.Uid && now.Gid == old.Gid
}

// inode identifies a file across file systems.
type inode struct{ dev, ino uint64 }

// linksOf returns the identity of a file and how many names it has.
func linksOf(info fs.FileInfo) (id inode, n int) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return inode{uint64(stat.Dev), stat.Ino}, int(stat.Nlink)
	}
	return inode{}, 1
}
