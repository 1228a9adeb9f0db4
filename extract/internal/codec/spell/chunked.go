package spell

import (
	"bytes"
	"fmt"
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// Chunked is the transfer coding of RFC 9112, 7.1. A chunk is a line with its size as a hexadecimal number, the data,
// and a line end. The last chunk has the size 0.
//
//	source   4;ext=1␍␊  Wiki  ␍␊  5␍␊  pedia  ␍␊  0␍␊Trailer: x␍␊␍␊
//	         |          |     |   |    |      |   |
//	text                Wiki           pedia
//
// All bytes around the data are atoms without text: the lines with the sizes, the line ends after the data, the last
// chunk and the trailer. An edit joins the chunks that it changes into one, which has the extensions of the first of
// them; the other chunks stay. If the source is truncated or a chunk is invalid, Decode returns ErrUnread with the text
// before that place, and the bytes from there on stay unchanged.
var Chunked codec.Codec = chunked{}

type chunked struct{ codec.Simple }

// IsChunked reports whether src starts with a whole chunk.
func IsChunked(src []byte) bool {
	_, ok := nextChunk(src, 0)
	return ok
}

// IsCutChunk reports whether src starts with the size of a chunk, and ends inside that chunk or the line end after it.
func IsCutChunk(src []byte) bool {
	line := src[:bytes.IndexByte(src, '\n')+1]
	size, _, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\r\n")), []byte(";"))
	n, err := strconv.ParseUint(string(ascii.Trimmed(size)), 16, 63)
	data := bytes.TrimSuffix(src[len(line):], []byte("\r"))
	return err == nil && len(size) < len(line)-1 && n > 0 && n >= uint64(len(data))
}

// FirstChunk returns the data of the first chunk, which is a part of src. It is empty if there is none.
func FirstChunk(src []byte) []byte {
	c, _ := nextChunk(src, 0)
	return src[c.data.Start:c.data.End]
}

// chunk has the span of a whole chunk, and the span of its data. The last chunk has no data.
type chunk struct{ all, data codec.Span }

// nextChunk reads the chunk at src[p]. The last chunk includes the trailer. ok is false if there is no whole chunk.
func nextChunk(src []byte, p int) (c chunk, ok bool) {
	line := bytes.IndexByte(src[p:], '\n')
	if line < 0 {
		return chunk{}, false
	}
	digits := 0
	for digits < line && ascii.HexValue(src[p+digits]) >= 0 {
		digits++
	}
	size, err := strconv.ParseInt(string(src[p:p+digits]), 16, 63)
	if rest := ascii.Trimmed(src[p+digits : p+line]); err != nil || len(rest) > 0 && rest[0] != ';' {
		return chunk{}, false
	}
	data := p + line + 1
	if size == 0 {
		return chunk{codec.Span{Start: p, End: trailerEnd(src, data)}, codec.Span{Start: data, End: data}}, true
	}
	if size > int64(len(src)-data) {
		return chunk{}, false
	}
	end := data + int(size)
	n := ascii.NewlineLen(src[end:])
	return chunk{codec.Span{Start: p, End: end + n}, codec.Span{Start: data, End: end}}, n > 0
}

// trailerEnd returns the end of the trailer at src[p], after its empty line.
func trailerEnd(src []byte, p int) int {
	for p < len(src) {
		n := ascii.NewlineLen(src[p:])
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

func (c chunked) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (chunked) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := codec.ReadFrom(src, 0, atoms)
	for p := 0; ; {
		c, ok := nextChunk(src, p)
		if !ok {
			if p < len(src) {
				r.Put(len(src)-p, "")
			}
			return r.Text(), fmt.Errorf("%w: no valid chunk at byte %d of the chunked body: %q", codec.ErrUnread, p,
				src[p:min(len(src), p+16)])
		}
		r.Put(c.data.Start-p, "")
		r.Same(c.data.End)
		p = c.all.End
		if c.data.Len() > 0 {
			r.Put(p-c.data.End, "")
			continue
		}
		if c.data.End < len(src) {
			r.Put(len(src)-c.data.End, "")
		}
		return r.Text(), nil
	}
}

// Widen widens the groups to whole chunks, because a chunk that changes gets a new size, and joins those that share a
// chunk.
func (chunked) Widen(l *codec.Lifting, groups []codec.Group) []codec.Group {
	out := groups[:0]
	var wholes []codec.Span
	p := 0
	for _, g := range groups {
		whole := g.Src
		for c, ok := nextChunk(l.Src, p); ok; c, ok = nextChunk(l.Src, p) {
			if c.data.Len() == 0 || c.all.Start >= g.Src.End && c.all.Start > g.Src.Start {
				break
			}
			if c.all.End > g.Src.Start {
				whole = codec.Span{Start: min(whole.Start, c.all.Start), End: max(whole.End, c.all.End)}
			}
			if c.all.End >= g.Src.End {
				break
			}
			p = c.all.End
		}
		if n := len(out) - 1; n >= 0 && whole.Start < wholes[n].End {
			out[n].Join(l.Text, g)
			wholes[n] = codec.Span{Start: min(wholes[n].Start, whole.Start), End: max(wholes[n].End, whole.End)}
			continue
		}
		out, wholes = append(out, g), append(wholes, whole)
	}
	for i := range out {
		l.Extend(&out[i], wholes[i])
	}
	return out
}

// Encode spells text as one chunk, or as none if it is empty, because a chunk of size 0 would end the body. The last
// chunk and the bytes after it stay.
func (chunked) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	rest := []byte("\r\n") // the rest of the line with the size
	last := at.End
	for p := at.Start; p < at.End; {
		c, ok := nextChunk(src, p)
		if !ok {
			return dst, fmt.Errorf("%w: no valid chunk at byte %d of the chunked body", codec.ErrCannotSpell, p)
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
