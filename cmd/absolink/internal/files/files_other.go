//go:build !unix

package files

import (
	"io/fs"
	"os"
)

// NoFollow makes os.OpenFile fail on a symbolic link. It is 0 where the system has no such flag.
const NoFollow = 0

// noBlock is 0, because opening a file never waits on such a system.
const noBlock = 0

func ReadShort(name string, _, _ int, _ []byte) ([]byte, error) { return os.ReadFile(name) }

func umask() fs.FileMode { return 0 }

// keepOwner returns true, because there is no owner to keep.
func keepOwner(*os.File, fs.FileInfo) bool { return true }

type inode struct{}

// linksOf returns 1, because the number of names is unknown.
func linksOf(fs.FileInfo) (inode, int) { return inode{}, 1 }
