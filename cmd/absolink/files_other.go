//go:build !unix

package main

import (
	"io/fs"
	"os"
)

var (
	openFile = os.OpenFile
	rename   = os.Rename
)

// keepOwner does nothing where files have no owner to keep.
func keepOwner(*os.File, fs.FileInfo) {}
