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

// keepOwner does nothing where files have no owner to keep.
func keepOwner(*os.File, fs.FileInfo) {}

// HasOtherLinks returns false where the number of links is not known.
func HasOtherLinks(fs.FileInfo, string) bool { return false }
