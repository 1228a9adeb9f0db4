//go:build !(darwin || freebsd || linux || netbsd)

package files

import "os"

// keepAttributes does nothing: files have no extended attributes here.
func keepAttributes(*os.File, string) {}

// Attributes returns nil: files have no extended attributes here.
func Attributes(string) map[string][]byte { return nil }
