package extract

import (
	"bytes"

	"absolink/extract/codec"
)

// Position gives the line and column of the link in its entity, both from 1, the column
// in bytes.
func (l *Link) Position() (line, column int) {
	return l.Entity.lines.at(l.Entity.Bytes, l.Offset)
}

// DocumentSpan gives the bytes of the whole document that spell the link, through all
// that it is nested in. An edit of the link lies inside them.
func (l *Link) DocumentSpan() (start, end int64) {
	e, at := l.Entity, codec.Span{Start: l.Offset, End: l.Offset + len(l.Raw)}
	for ; e.outer != nil; e = e.outer {
		at = e.region.span(at)
	}
	return e.start + int64(at.Start), e.start + int64(at.End)
}

// lineCounter counts lines up to an offset, and goes on from there when the next one
// asked for is not before it.
type lineCounter struct{ offset, line, start int }

func (c *lineCounter) at(src []byte, offset int) (line, column int) {
	if offset < c.offset {
		*c = lineCounter{}
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
