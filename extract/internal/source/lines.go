package source

import "bytes"

// Lines finds the line and the column of offsets, in linear time if the offsets increase. The zero Lines is ready to
// use.
type Lines struct{ offset, line, start int }

// At returns the line and the column of an offset in src, which must be the same in each call. Both start at 1, and the
// column counts bytes.
func (c *Lines) At(src []byte, offset int) (line, column int) {
	if offset < c.offset {
		*c = Lines{}
	}
	for {
		i := bytes.IndexByte(src[c.offset:offset], '\n')
		if i < 0 {
			break
		}
		c.offset += i + 1
		c.line, c.start = c.line+1, c.offset
	}
	c.offset = offset
	return c.line + 1, offset - c.start + 1
}
