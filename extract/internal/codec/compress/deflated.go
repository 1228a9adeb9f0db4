package compress

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"

	"absolink/extract/internal/codec"

	"github.com/klauspost/compress/flate"
)

// Deflated returns the codec of a DEFLATE stream (RFC 1951) in an archive that records the size and the CRC-32 of the
// text. The source is one atom. Decode returns ErrUnread if the size or the CRC-32 is wrong, ErrUndecodable if bytes
// follow the stream, and ErrTooLong with the start of the text if that is much longer than size. Encode refuses such a
// source. size comes from the archive, so the caller must limit it.
//
//	source   4B 4C 4A 06 00     one block of compressed data
//	text     abc                size is 3, and crc is 0x352441C2
func Deflated(size int, crc uint32) codec.Codec { return deflated{size: size, crc: crc} }

type deflated struct {
	codec.Whole
	size int
	crc  uint32
}

// Decode reads up to twice the size and 16 MiB more, because a changed text may be longer than the size.
func (c deflated) Decode(src []byte) ([]byte, error) { return c.DecodeInto(new([]byte), src) }

func (c deflated) DecodeInto(room *[]byte, src []byte) ([]byte, error) {
	in, out := bytes.NewReader(src), bytes.NewBuffer((*room)[:0])
	err := unpack(out, "deflate", flate.NewReader(in), 2*int64(c.size)+freeToGrow,
		fmt.Errorf("%w: the archive records %d bytes", ErrTooLong, c.size))
	text := out.Bytes()
	*room = text
	switch {
	case err != nil:
	case len(text) != c.size:
		err = fmt.Errorf("%w: the decompressed data has %d bytes, but the archive records %d", codec.ErrUnread,
			len(text), c.size)
	case crc32.ChecksumIEEE(text) != c.crc:
		err = fmt.Errorf("%w: the CRC-32 is wrong", codec.ErrUnread)
	case in.Len() > 0:
		err = fmt.Errorf("%w: %d bytes after the end of the compressed data", codec.ErrUndecodable, in.Len())
	}
	return text, err
}

func (c deflated) Encode(dst, src []byte, _ codec.Span, text []byte) ([]byte, error) {
	if _, err := c.Decode(src); err != nil {
		return dst, fmt.Errorf("%w: %w", codec.ErrCannotSpell, err) // the bytes that Decode did not read would be lost
	}
	return pack(dst, text, func(out io.Writer) (io.WriteCloser, error) { return reuse(&flates, out, newFlate), nil })
}
