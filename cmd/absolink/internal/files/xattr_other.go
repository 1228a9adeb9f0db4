//go:build !(darwin || freebsd || linux || netbsd)

package files

import "os"

// keepAttributes returns nil, because files have no extended attributes here.
func keepAttributes(*os.File, string) []string { return nil }

// Attributes returns nil, because files have no extended attributes here.
func Attributes(string) map[string][]byte { return nil }
