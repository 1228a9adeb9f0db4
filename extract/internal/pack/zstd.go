package pack

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Frames reads a zstd file (RFC 8878). The dictionary that it was packed with may stand in a
// frame before all others, as in .warc.zst, packed or not.
type Frames struct {
	io.ReadCloser
	dictionary []byte
	First      []byte // the frame that it stands in
}

const (
	zstdMagic       = "\x28\xB5\x2F\xFD"
	dictionaryMagic = "\x5D\x2A\x4D\x18" // of a skippable frame (RFC 8878 3.1.2)

	longestDictionary = 8 << 20
)

var errDictionary = errors.New("the dictionary before it is damaged, or longer than 8 MiB")

func newFrames(r *bufio.Reader) (f *Frames, err error) {
	f = &Frames{}
	options := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128 << 20)}
	if head, _ := r.Peek(8); len(head) == 8 && string(head[:4]) == dictionaryMagic {
		n := binary.LittleEndian.Uint32(head[4:])
		if n > longestDictionary {
			return nil, errDictionary
		}
		f.First = make([]byte, 8+n)
		if _, err := io.ReadFull(r, f.First); err != nil {
			return nil, errDictionary
		}
		if f.dictionary = f.First[8:]; bytes.HasPrefix(f.dictionary, []byte(zstdMagic)) {
			d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(longestDictionary))
			if err != nil {
				return nil, err
			}
			defer d.Close()
			if f.dictionary, err = d.DecodeAll(f.dictionary, nil); err != nil {
				return nil, errDictionary
			}
		}
		options = append(options, zstd.WithDecoderDicts(f.dictionary))
	}
	d, err := zstd.NewReader(r, options...)
	if err != nil {
		return nil, err
	}
	f.ReadCloser = d.IOReadCloser()
	return f, nil
}

// pack packs with the same dictionary, which stands before it already.
func (f *Frames) pack(dst io.Writer) (io.WriteCloser, error) {
	options := []zstd.EOption{zstd.WithEncoderConcurrency(1)}
	if f.dictionary != nil {
		options = append(options, zstd.WithEncoderDict(f.dictionary))
	}
	return zstd.NewWriter(dst, options...)
}
