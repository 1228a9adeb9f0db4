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
	parser   gzip.Reader // of the headers
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
	in := bytes.NewReader(src)
	if g.parser.Reset(in) != nil {
		return nil, 0, io.ErrUnexpectedEOF // the header may be incomplete
	}
	body := len(src) - in.Len()
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
