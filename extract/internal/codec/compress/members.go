package compress

// This file finds the members of a gzip file and the frames of a zstd file, which an edit changes one by one.

import (
	"bytes"
	"io"

	"absolink/extract/internal/codec"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Map adds an atom for each member of gzip (RFC 1952 2.2) or frame of zstd (RFC 8878 3.1), so that an edit changes only
// its own member and the others keep their bytes. If one of them cannot be read, the source is one atom.
func (c packed) Map(src, text []byte, atoms *codec.Atoms) {
	if !c.hasParts(src) || !c.parts(src, atoms) {
		atoms.Reset(len(src))
		atoms.Add(0, 0, len(src), len(text))
	}
	atoms.Apart = true
}

// parts adds the atoms of the parts of src, or returns false if one of them cannot be read.
func (c packed) parts(src []byte, atoms *codec.Atoms) bool {
	in, at, text := bytes.NewReader(src), 0, 0
	left, _ := c.limit(len(src))
	next := gzipMembers(in)
	if c.coding == "zstd" {
		next = zstdFrames(in, src)
	}
	for in.Len() > 0 {
		r, err := next()
		if err != nil {
			return false
		}
		n, err := io.Copy(io.Discard, io.LimitReader(r, left+1))
		if left -= n; err != nil || left < 0 {
			return false
		}
		end := len(src) - in.Len()
		atoms.Add(at, text, end-at, int(n))
		at, text = end, text+int(n)
	}
	return true
}

// hasParts reports whether src may have several members or frames, without decompressing it.
func (c packed) hasParts(src []byte) bool {
	switch c.coding {
	case "gzip", "x-gzip":
		return len(src) > 0 && bytes.Contains(src[1:], []byte("\x1F\x8B\x08"))
	case "zstd":
		return FrameLen(src) < len(src)
	}
	return false
}

// HasParts reports whether a source of c may have parts that an edit changes one by one.
func HasParts(c codec.Codec, src []byte) bool {
	p, ok := c.(packed)
	return ok && p.hasParts(src)
}

// gzipMembers returns an iterator over the members: each call returns a reader of the next one.
func gzipMembers(in *bytes.Reader) func() (io.Reader, error) {
	var z gzip.Reader
	return func() (io.Reader, error) {
		err := z.Reset(in)
		z.Multistream(false)
		return &z, err
	}
}

// zstdFrames is gzipMembers for frames. src has all bytes of in.
func zstdFrames(in *bytes.Reader, src []byte) func() (io.Reader, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	return func() (io.Reader, error) {
		at := len(src) - in.Len()
		n := FrameLen(src[at:])
		if err != nil || n == 0 {
			return nil, codec.ErrUnread
		}
		in.Seek(int64(n), io.SeekCurrent)
		return d, d.Reset(bytes.NewReader(src[at : at+n]))
	}
}

// FrameLen returns the length of the zstd frame at the start of src, or 0 if src does not begin with a whole frame.
func FrameLen(src []byte) int {
	at := 0
	for f := (Frame{}); ; {
		n, more := f.Next(src[at:])
		switch {
		case !more:
			return at
		case n <= 0, n > len(src)-at:
			return 0
		}
		at += n
	}
}

// Frame finds the end of a zstd frame (RFC 8878 3.1.1), piece by piece:
//
//	| header | block | block ... last block | checksum |
type Frame struct {
	begun, last, checksum bool
}

// FrameHead is the number of bytes that Next needs.
const FrameHead = zstd.HeaderMaxSize

// Next returns the length of the piece of the frame at the start of src, of which the first FrameHead bytes are enough.
// n is 0 if src is damaged or too short. more is false after the last piece.
func (f *Frame) Next(src []byte) (n int, more bool) {
	switch {
	case !f.begun:
		var h zstd.Header
		if h.Decode(src) != nil {
			return 0, true
		}
		f.begun, f.last, f.checksum = true, h.Skippable, h.HasCheckSum && !h.Skippable
		return h.HeaderSize + int(h.SkippableSize), true
	case !f.last:
		if len(src) < 3 {
			return 0, true
		}
		block := int(src[0]) | int(src[1])<<8 | int(src[2])<<16
		f.last, n = block&1 != 0, block>>3
		if block>>1&3 == 1 { // one byte that is repeated
			n = 1
		}
		return 3 + n, true
	case f.checksum:
		f.checksum = false
		return 4, true
	}
	return 0, false
}
