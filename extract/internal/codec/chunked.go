package codec

// This file has Chunked, the transfer coding of HTTP.

import (
	"bytes"
	"fmt"
	"strconv"
)

// Chunked is the transfer coding of RFC 9112, 7.1. A chunk is a line with its size as a hexadecimal number, the data,
// and a line end. The last chunk has the size 0.
//
//	source   4;ext=1␍␊  Wiki  ␍␊  5␍␊  pedia  ␍␊  0␍␊Trailer: x␍␊␍␊
//	         |          |     |   |    |      |   |
//	text                Wiki           pedia
//
// All bytes around the data are atoms without text: the lines with the sizes, the line ends after the data, the last
// chunk and the trailer. An edit joins the chunks that it changes to one chunk, with the extensions of the first of
// them. All other chunks stay unchanged. If the source is truncated or a chunk is invalid, Decode returns the text
// before that place and ErrUnread. The bytes from there on stay unchanged.
var Chunked Codec = chunked{}

type chunked struct{}

// IsChunked reports whether src starts with a whole chunk.
func IsChunked(src []byte) bool {
	_, ok := nextChunk(src, 0)
	return ok
}

// IsCutChunk reports whether src starts with the size of a chunk, and ends inside that chunk.
func IsCutChunk(src []byte) bool {
	line := src[:bytes.IndexByte(src, '\n')+1]
	size, _, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\r\n")), []byte(";"))
	n, err := strconv.ParseUint(string(trimSpace(size)), 16, 63)
	return err == nil && len(size) < len(line)-1 && n > uint64(len(src)-len(line))
}

// FirstChunk returns the data of the first chunk, which is a part of src. It is empty if there is none.
func FirstChunk(src []byte) []byte {
	c, _ := nextChunk(src, 0)
	return src[c.data.Start:c.data.End]
}

// chunk has the span of a whole chunk, and the span of its data. The last chunk has no data.
type chunk struct{ all, data Span }

// nextChunk reads the chunk at src[p]. The last chunk includes the trailer. ok is false if there is no whole chunk.
func nextChunk(src []byte, p int) (c chunk, ok bool) {
	line := bytes.IndexByte(src[p:], '\n')
	if line < 0 {
		return chunk{}, false
	}
	digits := 0
	for digits < line && hexDigit(src[p+digits]) >= 0 {
		digits++
	}
	size, err := strconv.ParseInt(string(src[p:p+digits]), 16, 63)
	if rest := trimSpace(src[p+digits : p+line]); err != nil || len(rest) > 0 && rest[0] != ';' {
		return chunk{}, false
	}
	data := p + line + 1
	if size == 0 {
		return chunk{Span{p, trailerEnd(src, data)}, Span{data, data}}, true
	}
	if size > int64(len(src)-data) {
		return chunk{}, false
	}
	end := data + int(size)
	n := eol(src[end:])
	return chunk{Span{p, end + n}, Span{data, end}}, n > 0
}

// trailerEnd returns the end of the trailer at src[p], after its empty line.
func trailerEnd(src []byte, p int) int {
	for p < len(src) {
		n := eol(src[p:])
		if n > 0 {
			return p + n
		}
		line := bytes.IndexByte(src[p:], '\n')
		if line < 0 {
			return len(src)
		}
		p += line + 1
	}
	return p
}

func (c chunked) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c chunked) Map(src []byte) ([]byte, Atoms, error) { return mapped(c.read, src) }

func (chunked) read(src []byte, atoms *Atoms) ([]byte, error) {
	r := readFrom(src, 0, atoms)
	for p := 0; ; {
		c, ok := nextChunk(src, p)
		if !ok {
			if p < len(src) {
				r.put(len(src)-p, "")
			}
			return r.text(), fmt.Errorf("%w: no valid chunk at byte %d of the chunked body: %q", ErrUnread, p, src[p:min(len(src), p+16)])
		}
		r.put(c.data.Start-p, "")
		r.same(c.data.End)
		p = c.all.End
		if c.data.Len() > 0 {
			r.put(p-c.data.End, "")
			continue
		}
		if c.data.End < len(src) {
			r.put(len(src)-c.data.End, "")
		}
		return r.text(), nil
	}
}

// widen widens the groups to whole chunks, because the sizes of the chunks change. It joins the groups in one chunk.
func (chunked) widen(l *lifter, groups []group) []group {
	out := groups[:0]
	var wholes []Span
	p := 0
	for _, g := range groups {
		whole := g.src
		for c, ok := nextChunk(l.src, p); ok; c, ok = nextChunk(l.src, p) {
			if c.data.Len() == 0 || c.all.Start >= g.src.End && c.all.Start > g.src.Start {
				break
			}
			if c.all.End > g.src.Start {
				whole = Span{min(whole.Start, c.all.Start), max(whole.End, c.all.End)}
			}
			if c.all.End >= g.src.End {
				break
			}
			p = c.all.End
		}
		if n := len(out) - 1; n >= 0 && whole.Start < wholes[n].End {
			out[n].join(l.text, g)
			wholes[n] = Span{min(wholes[n].Start, whole.Start), max(wholes[n].End, whole.End)}
			continue
		}
		out, wholes = append(out, g), append(wholes, whole)
	}
	for i := range out {
		l.extend(&out[i], wholes[i])
	}
	return out
}

// Encode spells text as one chunk, and the empty text as no chunk. The last chunk and all bytes after it stay
// unchanged.
func (chunked) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	rest := []byte("\r\n") // the rest of the line with the size
	last := at.End
	for p := at.Start; p < at.End; {
		c, ok := nextChunk(src, p)
		if !ok {
			return dst, fmt.Errorf("%w: no valid chunk at byte %d of the chunked body", ErrCannotSpell, p)
		}
		if p == at.Start {
			rest = bytes.TrimLeft(src[p:c.data.Start], upperHex+lowerHex)
		}
		if c.data.Len() == 0 {
			last = p
			break
		}
		p = c.all.End
	}
	out := dst
	if len(text) > 0 {
		out = strconv.AppendInt(out, int64(len(text)), 16)
		out = append(out, rest...)
		out = append(out, text...)
		out = append(out, rest[len(bytes.TrimRight(rest, "\r\n")):]...)
	}
	return append(out, src[last:at.End]...), nil
}
