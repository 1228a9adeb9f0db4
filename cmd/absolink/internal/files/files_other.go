//go:build !unix

package files

import (
	"io/fs"
	"os"
)

var (
	OpenFile = os.OpenFile
	rename   = os.Rename
)

// keepOwner returns true, because files have no owner that can be kept.
func keepOwner(*os.File, fs.FileInfo) bool { return true }

// inode identifies a file.
type inode struct{}

// linksOf returns 1, because the number of names is not known.
func linksOf(fs.FileInfo) (inode, int) { return inode{}, 1 }
