package pack

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/gzip"

	"absolink/extract/internal/inflate"
	"absolink/extract/internal/window"
)

// gzipMembers is the memberCodec of gzip (RFC 1952 2.2):
//
//	| 1F 8B 08 ... header | deflated text | CRC-32 | length | next member ...
type gzipMembers struct {
	header   gzip.Header // of the first member
	inflater inflate.Inflater
}

func newGzip(r *bufio.Reader) (*members, error) {
	in := window.New(r)
	in.Fill(1 << 10)
	head, err := gzip.NewReader(bytes.NewReader(in.Buf))
	if err != nil {
		return nil, err
	}
	return newMembers(&gzipMembers{header: head.Header}, in), nil
}

func (g *gzipMembers) whole(text, src []byte) (got []byte, n int, err error) {
	body := gzipBody(src)
	if body == 0 {
		return nil, 0, io.ErrUnexpectedEOF
	}
	got, n, err = g.inflater.Inflate(text, src[body:])
	n += body + gzipTail
	switch {
	case err == io.ErrShortBuffer && cap(text) >= longestMemberText:
		return nil, 0, errLong
	case err != nil:
		return nil, 0, err
	case n > len(src):
		return nil, 0, io.ErrUnexpectedEOF
	}
	if tail := src[n-gzipTail : n]; binary.LittleEndian.Uint32(tail) != crc32.ChecksumIEEE(got) ||
		binary.LittleEndian.Uint32(tail[4:]) != uint32(len(got)) {
		return nil, 0, errChecksum
	}
	return got, n, nil
}

func (g *gzipMembers) reader(r *bufio.Reader) (io.Reader, error) {
	z, err := gzip.NewReader(r)
	if err == nil {
		z.Multistream(false)
	}
	return z, err
}

func (g *gzipMembers) writer(dst io.Writer) (io.WriteCloser, error) {
	w := gzip.NewWriter(dst)
	w.Header = g.header
	return w, nil
}

func (g *gzipMembers) first() []byte { return nil }

// padding skips zeros, as gzip(1) does: they fill a block of a tape.
func (g *gzipMembers) padding(src []byte) int { return len(src) - len(bytes.TrimLeft(src, "\x00")) }

// gzipTail is the length of CRC32 and ISIZE after the data of a member (RFC 1952 2.3.1).
const gzipTail = 8

// Bits of the header byte FLG (RFC 1952 2.3.1).
const (
	gzipHeaderCRC = 1 << 1
	gzipExtra     = 1 << 2
	gzipName      = 1 << 3
	gzipComment   = 1 << 4
)

// gzipBody returns the index of the member's data, or 0 if src does not begin with a complete header.
func gzipBody(src []byte) int {
	if len(src) < 10 || src[0] != 0x1F || src[1] != 0x8B || src[2] != 8 {
		return 0
	}
	flags, p := src[3], 10
	if flags&gzipExtra != 0 {
		if len(src) < p+2 {
			return 0
		}
		p += 2 + int(binary.LittleEndian.Uint16(src[p:]))
	}
	for _, flag := range []byte{gzipName, gzipComment} { // each ends with a zero
		if flags&flag != 0 {
			n := bytes.IndexByte(src[min(p, len(src)):], 0)
			if n < 0 {
				return 0
			}
			p += n + 1
		}
	}
	if flags&gzipHeaderCRC != 0 {
		p += 2
	}
	if p > len(src) {
		return 0
	}
	return p
}
