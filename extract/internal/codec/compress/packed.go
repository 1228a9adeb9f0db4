// Package compress has the codecs of compressed data: the content codings of HTTP and the files of a zip archive.
package compress

import (
	"bytes"
	"compress/bzip2"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"

	"github.com/andybalholm/brotli"
	bzip2w "github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// ErrTooLong reports that a decompressed text is longer than its limit. The text returned with the error is the start
// of the whole text. ErrOverRatio and ErrOverMost wrap ErrTooLong, and say which limit was passed: the ratio of Packed,
// or the most of UpTo.
var (
	ErrTooLong   = errors.New("the decompressed data is too long")
	ErrOverRatio = fmt.Errorf("%w", ErrTooLong)
	ErrOverMost  = fmt.Errorf("%w", ErrTooLong)
)

// packing has the functions of one content coding of HTTP (RFC 9110, 8.4.1).
type packing struct {
	// begins reports whether src may be compressed with this coding. It looks at the first bytes, if these are enough.
	begins func(src []byte) bool
	// read returns a reader of the text of src, which in reads. Only deflate can leave bytes of in that follow its
	// data.
	read func(src []byte, in *bytes.Reader) (io.Reader, error)
	// write returns a writer that compresses to dst, with the same header fields as the source like.
	write func(dst io.Writer, like []byte) (io.WriteCloser, error)
}

var packings = map[string]packing{
	"gzip": {
		begins: func(src []byte) bool { return bytes.HasPrefix(src, []byte("\x1F\x8B")) },
		read:   func(_ []byte, in *bytes.Reader) (io.Reader, error) { return gzip.NewReader(in) },
		write: func(dst io.Writer, like []byte) (io.WriteCloser, error) {
			w := reuse(&gzips, dst, gzip.NewWriter)
			if r, err := gzip.NewReader(bytes.NewReader(like)); err == nil {
				w.w.Header = r.Header
			}
			return w, nil
		},
	},
	"deflate": { // RFC 1950, but many servers send RFC 1951 without the header of RFC 1950
		begins: func(src []byte) bool {
			left := bytes.NewReader(src)
			return isZlib(src) || !isText(src) || isRead(flate.NewReader(left)) && left.Len() == 0
		},
		read: func(src []byte, in *bytes.Reader) (io.Reader, error) {
			if isZlib(src) {
				return zlib.NewReader(in)
			}
			return flate.NewReader(in), nil
		},
		write: func(dst io.Writer, like []byte) (io.WriteCloser, error) {
			if isZlib(like) {
				return reuse(&zlibs, dst, zlib.NewWriter), nil
			}
			return reuse(&flates, dst, newFlate), nil
		},
	},
	"br": {
		begins: func(src []byte) bool { return !isText(src) || isRead(brotli.NewReader(bytes.NewReader(src))) },
		read:   func(_ []byte, in *bytes.Reader) (io.Reader, error) { return brotli.NewReader(in), nil },
		write: func(dst io.Writer, _ []byte) (io.WriteCloser, error) {
			return reuse(&brotlis, dst, brotli.NewWriter), nil
		},
	},
	"zstd": {
		begins: func(src []byte) bool { // a frame, or a skippable frame (RFC 8878 3.1.2)
			return bytes.HasPrefix(src, []byte("\x28\xB5\x2F\xFD")) ||
				len(src) >= 4 && src[0]&0xF0 == 0x50 && string(src[1:4]) == "\x2A\x4D\x18"
		},
		read: func(_ []byte, in *bytes.Reader) (io.Reader, error) {
			r, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
			if err != nil {
				return nil, err
			}
			return r.IOReadCloser(), nil
		},
		write: func(dst io.Writer, _ []byte) (io.WriteCloser, error) {
			return zstd.NewWriter(dst, zstd.WithEncoderConcurrency(1))
		},
	},
	"bzip2": {
		begins: func(src []byte) bool { return bytes.HasPrefix(src, []byte("BZh")) },
		read:   func(_ []byte, in *bytes.Reader) (io.Reader, error) { return bzip2.NewReader(in), nil },
		write:  func(dst io.Writer, _ []byte) (io.WriteCloser, error) { return bzip2w.NewWriter(dst, nil) },
	},
}

func init() { packings["x-gzip"] = packings["gzip"] }

// Packed returns the codec of a content coding (RFC 9110, 8.4.1): gzip, x-gzip, deflate, br, zstd or bzip2. It returns
// nil for other codings. The source is one atom, or one for each of several gzip members or zstd frames.
//
//	source   1F 8B 08 00 ...     gzip (RFC 1952)
//	         78 9C ...           deflate (RFC 1950)
//	         28 B5 2F FD ...     zstd (RFC 8878)
//	         42 5A 68 ...        bzip2
//	         any bytes           br (RFC 7932), and deflate without a header (RFC 1951)
//	text     <a href="x">        the decompressed data
//
// A text of more than 16 MiB may be at most ratio times as long as its source. For a longer one Decode returns its
// start and ErrOverRatio, and Encode refuses its source.
func Packed(coding string, ratio int) codec.Codec {
	if _, ok := packings[coding]; !ok {
		return nil
	}
	return packed{coding: coding, ratio: ratio}
}

// IsPacked reports whether src may be compressed with a coding, because some clients decompress a body and keep the
// field that names the coding. It may decompress the start of src to find out. For a coding that Packed does not
// support, it reports whether src does not look like text.
func IsPacked(coding string, src []byte) bool {
	if p, ok := packings[coding]; ok {
		return p.begins(src)
	}
	return !isText(src)
}

// Unpacks reports whether the text of a codec may be much longer than its source.
func Unpacks(c codec.Codec) bool {
	return slices.ContainsFunc(codec.NestedOf(c), func(c codec.Codec) bool {
		switch c.(type) {
		case packed, deflated:
			return true
		}
		return false
	})
}

// UpTo returns c with a limit of most bytes, at least 1, for the decompressed text; for a longer text, Decode returns
// ErrOverMost. It does not change a codec that does not decompress, or Deflated, which has its own limit.
func UpTo(c codec.Codec, most int) codec.Codec {
	codecs := codec.NestedOf(c)
	for i := range codecs {
		if p, ok := codecs[i].(packed); ok {
			p.most = most
			codecs[i] = p
		}
	}
	return codec.Nested(codecs...)
}

type packed struct {
	codec.Whole
	coding string
	ratio  int
	most   int // the limit of the text in bytes, or 0 if only the ratio limits it
}

// freeToGrow is the length of a text up to which the ratio does not matter.
const freeToGrow = 16 << 20

func (c packed) Decode(src []byte) ([]byte, error) { return c.DecodeInto(new([]byte), src) }

func (c packed) DecodeInto(room *[]byte, src []byte) ([]byte, error) {
	text := bytes.NewBuffer((*room)[:0])
	_, err := c.unpack(text, src)
	*room = text.Bytes()
	return *room, err
}

// unpack writes the text of src to dst, and returns the bytes of src that follow the compressed data.
func (c packed) unpack(dst io.Writer, src []byte) (after []byte, err error) {
	in := bytes.NewReader(src)
	r, err := packings[c.coding].read(src, in)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", codec.ErrUnread, c.coding, err)
	}
	if closer, ok := r.(io.Closer); ok {
		defer closer.Close()
	}
	limit, why := c.limit(len(src))
	err = unpack(dst, c.coding, r, limit, why)
	return src[len(src)-in.Len():], err
}

// limit returns the limit of the text of a source of n bytes, and the error for a longer text.
func (c packed) limit(n int) (limit int64, why error) {
	limit = max(freeToGrow, int64(n)*int64(c.ratio))
	if c.most > 0 && int64(c.most) < limit {
		return int64(c.most), fmt.Errorf("%w: more than %d bytes", ErrOverMost, c.most)
	}
	return limit, fmt.Errorf("%w: more than %d times the compressed size", ErrOverRatio, c.ratio)
}

// unpack copies up to limit bytes from r to dst, and returns why, which wraps ErrTooLong, if r has more.
func unpack(dst io.Writer, coding string, r io.Reader, limit int64, why error) error {
	n, err := io.Copy(dst, io.LimitReader(r, limit))
	if err == nil && n == limit {
		if n, err = io.CopyN(io.Discard, r, 1); n > 0 {
			return fmt.Errorf("%s: %w", coding, why)
		}
	}
	if err != nil && err != io.EOF {
		return fmt.Errorf("%w: %s: %w", codec.ErrUnread, coding, err)
	}
	return nil
}

func (c packed) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	like := src[at.Start:at.End]
	after, err := c.unpack(io.Discard, like)
	if err != nil {
		return dst, fmt.Errorf("%w: %w", codec.ErrCannotSpell, err) // the bytes that Decode did not read would be lost
	}
	out, err := pack(dst, text, func(out io.Writer) (io.WriteCloser, error) {
		return packings[c.coding].write(out, like)
	})
	if limit, why := c.limit(len(out) - len(dst)); err == nil && int64(len(text)) > limit {
		return dst, fmt.Errorf("%w: %s: %w", codec.ErrCannotSpell, c.coding, why)
	}
	return append(out, after...), err
}

// The idle compressors, which are kept because making a compressor's tables takes longer than compressing a small page.
var gzips, zlibs, flates, brotlis sync.Pool

// reused is a compressor that is idle after Close.
type reused[W compressor] struct {
	w    W
	idle *sync.Pool
}

type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// reuse returns an idle compressor, or a new one, that writes to dst.
func reuse[W compressor](idle *sync.Pool, dst io.Writer, create func(io.Writer) W) reused[W] {
	w, ok := idle.Get().(W)
	if ok {
		w.Reset(dst)
	} else {
		w = create(dst)
	}
	return reused[W]{w, idle}
}

func (r reused[W]) Write(p []byte) (int, error) { return r.w.Write(p) }

func (r reused[W]) Close() error {
	err := r.w.Close()
	r.idle.Put(r.w)
	return err
}

func newFlate(dst io.Writer) *flate.Writer {
	w, err := flate.NewWriter(dst, flate.DefaultCompression)
	if err != nil {
		panic(err) // the level is valid
	}
	return w
}

// pack appends to dst the text, compressed by the writer that packer returns.
func pack(dst, text []byte, packer func(out io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	w, err := packer(out)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return dst, fmt.Errorf("%w: %w", codec.ErrCannotSpell, err)
	}
	return out.Bytes(), nil
}

// isZlib reports whether src starts with a header of RFC 1950.
func isZlib(src []byte) bool {
	return len(src) >= 2 && src[0]&0xF == 8 && (int(src[0])<<8|int(src[1]))%31 == 0
}

// isText reports whether the first 64 bytes of src have no control character except white space. Compressed data nearly
// always has one there.
func isText(src []byte) bool {
	for _, c := range src[:min(len(src), 64)] {
		if c < ' ' && !ascii.IsSpace(c) {
			return false
		}
	}
	return true
}

// isRead reports whether r is not empty and can be read to its end or for 16 MiB. That tells compressed data without a
// signature from text, which is invalid as compressed data.
func isRead(r io.Reader) bool {
	n, err := io.CopyN(io.Discard, r, freeToGrow)
	return n > 0 && (err == nil || err == io.EOF)
}
