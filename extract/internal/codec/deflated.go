package codec

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// Deflated returns the codec of a stream of RFC 1951 in an archive that records the size and the CRC-32 of the text. The
// source is one atom. Decode returns ErrUndecodable for a text of another size or CRC-32, and cuts a much longer one with
// ErrTooLong; Encode refuses both. The caller limits size.
func Deflated(size int, crc uint32) Codec { return deflated{size, crc} }

type deflated struct {
	size int
	crc  uint32
}

// Decode reads more than the size that is given: a text that was changed is longer.
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
		err = fmt.Errorf("deflate: %w: %d bytes were to be there", ErrTooLong, c.size)
	case n != int64(c.size):
		err = fmt.Errorf("%w: %d bytes where %d were to be", ErrUnread, n, c.size)
	case crc32.ChecksumIEEE(text.Bytes()) != c.crc:
		err = fmt.Errorf("%w: the CRC-32 is another", ErrUnread)
	case in.Len() > 0:
		err = fmt.Errorf("%w: %d bytes behind the end of the stream", ErrUndecodable, in.Len())
	}
	return text.Bytes(), err
}

func (c deflated) Map(src []byte) ([]byte, Atoms, error) { return oneAtom(c, src) }

func (c deflated) Encode(dst, src []byte, _ Span, text []byte) ([]byte, error) {
	if _, err := c.Decode(src); err != nil {
		return dst, fmt.Errorf("%w: %w", ErrCannotSpell, err) // what could not be read would be lost
	}
	return pack(dst, text, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.DefaultCompression) })
}
