package window

import (
	"io"
	"io/fs"
)

// Until returns a reader of r that ends with the error of check, as soon as check returns one.
func Until(check func() error, r io.Reader) io.Reader { return &checkedReader{check, r} }

type checkedReader struct {
	check func() error
	io.Reader
}

func (c *checkedReader) Read(p []byte) (int, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}

// SizeOf returns the size of a file, or 0 if r is not a regular file.
func SizeOf(r io.Reader) int {
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return int(info.Size())
		}
	}
	return 0
}
