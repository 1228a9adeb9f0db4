//go:build !(darwin || freebsd || linux || netbsd)

package main

import "os"

// keepAttributes does nothing where files have none.
func keepAttributes(*os.File, string) {}

// attributes reads the extended attributes of a file. There are none here.
func attributes(string) map[string][]byte { return nil }
