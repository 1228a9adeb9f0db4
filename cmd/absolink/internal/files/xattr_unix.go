//go:build darwin || freebsd || linux || netbsd

package files

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// attributeLimit is how much is read of an attribute. A longer one counts as none.
const attributeLimit = 1 << 20

// keepAttributes gives a file the extended attributes of the one that it is to replace,
// where it can: what says where that came from among them.
func keepAttributes(file *os.File, path string) {
	for attr, value := range Attributes(path) {
		_ = unix.Fsetxattr(int(file.Fd()), attr, value, 0)
	}
}

// Attributes reads the extended attributes of a file, by their names. Most have none, which
// one call tells.
func Attributes(path string) map[string][]byte {
	size, err := unix.Listxattr(path, nil)
	if err != nil || size == 0 {
		return nil
	}
	names := make([]byte, size)
	if size, err = unix.Listxattr(path, names); err != nil {
		return nil
	}
	all := map[string][]byte{}
	for name := range strings.SplitSeq(strings.TrimRight(string(names[:size]), "\x00"), "\x00") {
		if value, ok := attribute(path, name); ok {
			all[name] = value
		}
	}
	return all
}

// attribute reads one of them.
func attribute(path, name string) (value []byte, ok bool) {
	value = make([]byte, 1024)
	for {
		n, err := unix.Getxattr(path, name, value)
		switch {
		case err == nil && n < len(value):
			return value[:n], true
		case err != nil && err != unix.ERANGE || len(value) >= attributeLimit:
			return nil, false
		}
		value = make([]byte, 4*len(value))
	}
}
