//go:build !(darwin || freebsd || linux || netbsd)

package files

import "os"

// keepAttributes does nothing where files have none.
func keepAttributes(*os.File, string) {}

// Attributes reads the extended attributes of a file. There are none here.
func Attributes(string) map[string][]byte { return nil }
