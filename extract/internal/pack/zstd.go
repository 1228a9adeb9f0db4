package pack

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/window"
)

// zstdFrames is the memberCodec of zstd (RFC 8878). A file may begin with its dictionary, compressed or not, in a
// skippable frame, as .warc.zst files do:
//
//	| 5D 2A 4D 18 | length | dictionary | frame | frame ...
type zstdFrames struct {
	dictionary []byte
	head       []byte        // the frame of the dictionary; nil if there is none
	short      *zstd.Decoder // for frames that are read as a whole
	long       *zstd.Decoder // for the other frames; nil until there is one
}

const (
	zstdMagic       = "\x28\xB5\x2F\xFD"
	dictionaryMagic = "\x5D\x2A\x4D\x18" // of a skippable frame (RFC 8878 3.1.2)

	longestDictionary = 8 << 20
)

var errDictionary = errors.New("the dictionary at the start is damaged, or larger than 8 MiB")

func newZstd(r *bufio.Reader) (m *members, err error) {
	f := &zstdFrames{}
	if head, _ := r.Peek(8); len(head) == 8 && string(head[:4]) == dictionaryMagic {
		if err := f.readDictionary(r, binary.LittleEndian.Uint32(head[4:])); err != nil {
			return nil, err
		}
	}
	f.short, err = f.decoder(zstd.WithDecoderMaxMemory(longestMemberText))
	return newMembers(f, window.New(r)), err
}

func (f *zstdFrames) decoder(options ...zstd.DOption) (*zstd.Decoder, error) {
	options = append(options, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	if f.dictionary != nil {
		options = append(options, zstd.WithDecoderDicts(f.dictionary))
	}
	return zstd.NewReader(nil, options...)
}

func (f *zstdFrames) readDictionary(r io.Reader, n uint32) error {
	if n > longestDictionary {
		return errDictionary
	}
	f.head = make([]byte, 8+n)
	if _, err := io.ReadFull(r, f.head); err != nil {
		return errDictionary
	}
	if f.dictionary = f.head[8:]; !bytes.HasPrefix(f.dictionary, []byte(zstdMagic)) {
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

func (f *zstdFrames) whole(text, src []byte) (got []byte, n int, err error) {
	var h zstd.Header
	if h.Decode(src) == nil && h.FrameContentSize > longestMemberText {
		return nil, 0, errLong
	}
	if n = compress.FrameLen(src); n == 0 {
		return nil, 0, io.ErrUnexpectedEOF
	}
	got, err = f.short.DecodeAll(src[:n], text[:0])
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		err = errLong
	case errors.Is(err, zstd.ErrCRCMismatch):
		err = errChecksum
	case err == io.ErrUnexpectedEOF, err == io.ErrShortBuffer:
		err = zstd.ErrReservedBlockType // the frame is complete, so its data is damaged
	}
	return got, n, err
}

func (f *zstdFrames) reader(r *bufio.Reader) (_ io.Reader, err error) {
	if f.long == nil {
		if f.long, err = f.decoder(); err != nil {
			return nil, err
		}
	}
	return f.long, f.long.Reset(&frameReader{r: r})
}

// writer returns a writer that uses the file's dictionary.
func (f *zstdFrames) writer(dst io.Writer) (io.WriteCloser, error) {
	options := []zstd.EOption{zstd.WithEncoderConcurrency(1)}
	if f.dictionary != nil {
		options = append(options, zstd.WithEncoderDict(f.dictionary))
	}
	return zstd.NewWriter(dst, options...)
}

func (f *zstdFrames) first() []byte { return f.head }

func (f *zstdFrames) padding([]byte) int { return 0 }

// frameReader reads the bytes of one frame, and ends after it.
type frameReader struct {
	r     *bufio.Reader
	frame compress.Frame
	left  int // the rest of a piece of the frame
}

func (f *frameReader) Read(p []byte) (int, error) {
	for f.left == 0 {
		head, err := f.r.Peek(compress.FrameHead)
		n, more := f.frame.Next(head)
		switch {
		case !more:
			return 0, io.EOF
		case n > 0:
			f.left = n
		case len(head) > 0:
			f.left = len(head) // the decoder knows what is wrong
		case err == io.EOF:
			return 0, io.ErrUnexpectedEOF
		default:
			return 0, err
		}
	}
	n, err := f.r.Read(p[:min(len(p), f.left)])
	f.left -= n
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
