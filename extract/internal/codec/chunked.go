package codec

import (
	"bytes"
	"fmt"
	"strconv"
)

// Chunked is the transfer coding of RFC 9112, 7.1. Atoms are what is around the data: the line with the
// size, the line end behind the data, the last chunk and the trailer. Chunks in which something changes are
// joined to one, with the extensions of the first; the others stay as they are. A source that breaks off or
// is no longer chunked gives what was read so far, with ErrUndecodable; what could not be read stays.
var Chunked Codec = chunked{}

type chunked struct{}

// IsChunked reports whether src begins with a chunk.
func IsChunked(src []byte) bool {
	_, ok := nextChunk(src, 0)
	return ok
}

// IsCutChunk reports whether src begins with the size of a chunk, and ends inside that chunk.
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

// chunk is one chunk: all of it, and its data. The last has no data.
type chunk struct{ all, data Span }

// nextChunk reads the chunk at src[p]; the last one with the trailer behind it.
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

// trailerEnd is the end of the trailer at src[p]: behind an empty line.
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
			return r.text(), fmt.Errorf("%w: chunk %q", ErrUnread, src[p:min(len(src), p+16)])
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

// widen takes in whole chunks: their sizes change. Groups in the same chunk are one.
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

// Encode spells text as one chunk, and nothing as none. The last chunk stays, with all behind it.
func (chunked) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	rest := []byte("\r\n") // of the line with the size
	last := at.End
	for p := at.Start; p < at.End; {
		c, ok := nextChunk(src, p)
		if !ok {
			return dst, fmt.Errorf("%w: no chunk is here", ErrCannotSpell)
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
