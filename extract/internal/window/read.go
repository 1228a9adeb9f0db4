package window

import (
	"bytes"
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

// ReadAll reads all of r into buf, which may grow. If r has more than limit bytes, all is nil, and rest reads r from
// its start. If file is a regular file, its size is a hint.
func ReadAll(buf []byte, r, file io.Reader, limit int) (all []byte, rest io.Reader, err error) {
	for {
		if len(buf) == cap(buf) { // most documents fit into the buffer of earlier documents
			size := max(cap(buf)+cap(buf)/2+512, min(SizeOf(file), limit)+1)
			buf = append(make([]byte, 0, size), buf...)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case err == io.EOF && len(buf) <= limit:
			return buf, nil, nil
		case err != nil && err != io.EOF:
			return nil, nil, err
		case len(buf) > limit:
			return nil, io.MultiReader(bytes.NewReader(buf), r), nil
		}
	}
}

// FullWriter returns an error if its Writer writes less than it was given.
type FullWriter struct{ io.Writer }

// Write implements io.Writer. Its error is io.ErrShortWrite for a short write without an error.
func (w *FullWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}

// ReadFrom implements io.ReaderFrom: files copy from files faster than Write could. io.Copy finds short writes itself.
func (w *FullWriter) ReadFrom(r io.Reader) (int64, error) { return io.Copy(w.Writer, r) }
