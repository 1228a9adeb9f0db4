package codec

// This file has Deflated, a compressed file in a zip archive.

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// Deflated returns the codec of a DEFLATE stream (RFC 1951) in an archive that records the size and the CRC-32 of the
// text. The source is one atom. Decode returns ErrUndecodable if the size or the CRC-32 is wrong. If the text is much
// longer than size, Decode returns the start of the text and ErrTooLong. Encode refuses both sources. The caller limits
// size.
//
//	source   4B 4C 4A 06 00     one block of compressed data
//	text     abc                size is 3, and crc is 0x352441C2
func Deflated(size int, crc uint32) Codec { return deflated{size, crc} }

type deflated struct {
	size int
	crc  uint32
}

// Decode reads up to twice the size and 16 MiB more, because a changed text is longer than the size.
func (c deflated) Decode(src []byte) ([]byte, error) {
	in := bytes.NewReader(src)
	limit := 2*int64(c.size) + freeToGrow
	var text bytes.Buffer
	n, err := io.Copy(&text, io.LimitReader(flate.NewReader(in), limit+1))
	switch {
	case err != nil:
		err = fmt.Errorf("%w: deflate: %w", ErrUnread, err)
	case n > limit:
		text.Truncate(int(limit))
		err = fmt.Errorf("deflate: %w: the archive records %d bytes", ErrTooLong, c.size)
	case n != int64(c.size):
		err = fmt.Errorf("%w: the decompressed data has %d bytes, but the archive records %d", ErrUnread, n, c.size)
	case crc32.ChecksumIEEE(text.Bytes()) != c.crc:
		err = fmt.Errorf("%w: the CRC-32 is wrong", ErrUnread)
	case in.Len() > 0:
		err = fmt.Errorf("%w: %d bytes after the end of the compressed data", ErrUndecodable, in.Len())
	}
	return text.Bytes(), err
}

func (c deflated) Map(src []byte) ([]byte, Atoms, error) { return oneAtom(c, src) }

func (c deflated) Encode(dst, src []byte, _ Span, text []byte) ([]byte, error) {
	if _, err := c.Decode(src); err != nil {
		return dst, fmt.Errorf("%w: %w", ErrCannotSpell, err) // the bytes that Decode did not read would be lost
	}
	return pack(dst, text, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.DefaultCompression) })
}
