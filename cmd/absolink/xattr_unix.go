//go:build darwin || freebsd || linux || netbsd

package main

import (
	"bytes"
	"os"

	"golang.org/x/sys/unix"
)

// keepAttributes gives a file the extended attributes of the one that it is to replace,
// where it can: what says where that came from among them.
func keepAttributes(file *os.File, path string) {
	size, err := unix.Listxattr(path, nil)
	if err != nil || size == 0 {
		return
	}
	names := make([]byte, size)
	if size, err = unix.Listxattr(path, names); err != nil {
		return
	}
	for name := range bytes.SplitSeq(names[:size], []byte{0}) {
		if attr := string(name); attr != "" {
			_ = unix.Fsetxattr(int(file.Fd()), attr, attribute(path, attr), 0)
		}
	}
}

// attribute reads an extended attribute of a file; nil if it has none of the name.
func attribute(name, attr string) []byte {
	value := make([]byte, 1024)
	for {
		n, err := unix.Getxattr(name, attr, value)
		switch {
		case err == nil && n < len(value):
			return value[:n]
		case err != nil && err != unix.ERANGE || len(value) >= attributeLimit:
			return nil
		}
		value = make([]byte, 4*len(value))
	}
}
