//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives the file the owner and group of the one it stands for, where the user
// may do that; where not, it is the user's, as with sed -i.
func keepOwner(file *os.File, like fs.FileInfo) {
	if stat, ok := like.Sys().(*syscall.Stat_t); ok {
		_ = file.Chown(int(stat.Uid), int(stat.Gid))
	}
}
