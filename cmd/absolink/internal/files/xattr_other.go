//go:build !(darwin || freebsd || linux || netbsd)

package files

import (
	"io/fs"
	"os"
)

// keepAttributes returns nil, because files have no extended attributes here.
func keepAttributes(*os.File, string) []string { return nil }

// Perm returns the permissions of a file, because the mode has no mask here.
func Perm(_ string, info fs.FileInfo) fs.FileMode { return info.Mode().Perm() }

// Attributes returns nil, because files have no extended attributes here.
func Attributes(string) map[string][]byte { return nil }
