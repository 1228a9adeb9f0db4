//go:build darwin || freebsd || linux || netbsd

package main

import "golang.org/x/sys/unix"

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
