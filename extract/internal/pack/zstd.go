package pack

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// frames reads a zstd file (RFC 8878). The dictionary of the file may be in the first frame, compressed or not, as in
// .warc.zst files. It is a skippable frame:
//
//	| 5D 2A 4D 18 | length | dictionary | frame | frame ...
type frames struct {
	io.ReadCloser
	dictionary []byte
	first      []byte // the frame of the dictionary; nil if the file has no dictionary
}

const (
	zstdMagic       = "\x28\xB5\x2F\xFD"
	dictionaryMagic = "\x5D\x2A\x4D\x18" // of a skippable frame (RFC 8878 3.1.2)

	longestDictionary = 8 << 20
)

var errDictionary = errors.New("the dictionary at the start is damaged, or larger than 8 MiB")

func newFrames(r *bufio.Reader) (f *frames, err error) {
	f = &frames{}
	options := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128 << 20)}
	if head, _ := r.Peek(8); len(head) == 8 && string(head[:4]) == dictionaryMagic {
		if err := f.readDictionary(r, binary.LittleEndian.Uint32(head[4:])); err != nil {
			return nil, err
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

func (f *frames) readDictionary(r io.Reader, n uint32) error {
	if n > longestDictionary {
		return errDictionary
	}
	f.first = make([]byte, 8+n)
	if _, err := io.ReadFull(r, f.first); err != nil {
		return errDictionary
	}
	if f.dictionary = f.first[8:]; !bytes.HasPrefix(f.dictionary, []byte(zstdMagic)) {
		return nil
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(longestDictionary))
	if err != nil {
		return err
	}
	defer d.Close()
	if f.dictionary, err = d.DecodeAll(f.dictionary, nil); err != nil {
		return errDictionary
	}
	return nil
}

// compress returns a writer that uses the same dictionary. The caller writes the frame of the dictionary.
func (f *frames) compress(dst io.Writer) (io.WriteCloser, error) {
	options := []zstd.EOption{zstd.WithEncoderConcurrency(1)}
	if f.dictionary != nil {
		options = append(options, zstd.WithEncoderDict(f.dictionary))
	}
	return zstd.NewWriter(dst, options...)
}
