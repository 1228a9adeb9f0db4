//go:build !unix

package files

import (
	"io/fs"
	"os"
)

// NoFollow is a flag of os.OpenFile: a symbolic link is an error. It is 0 if the system has no such flag.
const NoFollow = 0

// noBlock is 0, because no file of such a system waits when it is opened.
const noBlock = 0

func ReadShort(name string, _, _ int, _ []byte) ([]byte, error) { return os.ReadFile(name) }

// umask returns 0, because the system has no umask.
func umask() fs.FileMode { return 0 }

// keepOwner returns true, because files have no owner that can be kept.
func keepOwner(*os.File, fs.FileInfo) bool { return true }

type inode struct{}

// linksOf returns 1, because the number of names is not known.
func linksOf(fs.FileInfo) (inode, int) { return inode{}, 1 }
