package pack

import (
	"bytes"
	"io"
)

// Original is the input R and the output W of the outermost compression of a document. Until Begin is called, it keeps the
// bytes that were read and written, so that a document that turns out to be too deep can still be copied.
type Original struct {
	R             io.Reader
	W             io.Writer
	read, written []byte
	begun         bool
}

func (o *Original) Read(b []byte) (int, error) {
	n, err := o.R.Read(b)
	if !o.begun {
		o.read = append(o.read, b[:n]...)
	}
	return n, err
}

func (o *Original) Write(b []byte) (int, error) {
	if !o.begun {
		o.written = append(o.written, b...)
		return len(b), nil
	}
	return o.W.Write(b)
}

// Begin ends the keeping, when all compressions are open. o may be nil.
func (o *Original) Begin() error {
	if o == nil {
		return nil
	}
	written := o.written
	o.begun, o.read, o.written = true, nil, nil
	if len(written) == 0 {
		return nil
	}
	_, err := o.W.Write(written)
	return err
}

// Reader returns a reader of the compressed document, from its first byte on.
func (o *Original) Reader() io.Reader { return io.MultiReader(bytes.NewReader(o.read), o.R) }

// Counter counts the bytes that are read from R, and keeps the error.
type Counter struct {
	R      io.Reader
	N      int64
	Failed error
}

func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.R.Read(p)
	c.N += int64(n)
	if err != nil && err != io.EOF {
		c.Failed = err
	}
	return n, err
}
