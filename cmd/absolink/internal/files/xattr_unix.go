//go:build darwin || freebsd || linux || netbsd

package files

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// attributeLimit is the length of the longest attribute that is read. Longer are the resource forks of macOS.
const attributeLimit = 1 << 20

// keepAttributes copies the extended attributes of the file at path, like its original URL or its ACL, and returns the
// names of those that could not be kept.
func keepAttributes(file *os.File, path string) (lost []string) {
	for _, name := range attributeNames(path) {
		value, ok := attribute(path, name)
		if ok && unix.Fsetxattr(int(file.Fd()), name, value, 0) == nil {
			continue
		}
		if now, is := attribute(file.Name(), name); !ok || !is || !bytes.Equal(now, value) {
			lost = append(lost, name)
		}
	}
	return lost
}

// Perm returns the permissions of a file. With an ACL, the mode has the mask in place of the permissions of the group:
// all that any user or group in the list may do.
func Perm(path string, info fs.FileInfo) fs.FileMode {
	const groupObj, entry = 4, 8 // the tag of the group, and the length of an entry: tag, permissions, id
	mode := info.Mode().Perm()
	acl, _ := attribute(path, "system.posix_acl_access")
	for at := 4; at+entry <= len(acl); at += entry {
		if binary.LittleEndian.Uint16(acl[at:]) == groupObj {
			mode &= ^fs.FileMode(0o070) | fs.FileMode(acl[at+2]&7)<<3
		}
	}
	return mode
}

// Attributes returns the extended attributes of a file, or nil if it has none or they cannot be read.
func Attributes(path string) map[string][]byte {
	names := attributeNames(path)
	if names == nil {
		return nil
	}
	all := map[string][]byte{}
	for _, name := range names {
		if value, ok := attribute(path, name); ok {
			all[name] = value
		}
	}
	return all
}

func attributeNames(path string) []string {
	size, err := unix.Listxattr(path, nil)
	if err != nil || size == 0 {
		return nil
	}
	names := make([]byte, size)
	if size, err = unix.Listxattr(path, names); err != nil {
		return nil
	}
	return strings.Split(strings.TrimRight(string(names[:size]), "\x00"), "\x00")
}

// attribute returns false if an attribute cannot be read or is too long.
func attribute(path, name string) (value []byte, ok bool) {
	n, err := unix.Getxattr(path, name, nil)
	if err != nil || n > attributeLimit {
		return nil, false
	}
	value = make([]byte, n+1) // with no room at all, the system returns only the length
	if n, err = unix.Getxattr(path, name, value); err != nil {
		return nil, false
	}
	return value[:n], true
}
