package codec

import (
	"bytes"
	"compress/bzip2"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/andybalholm/brotli"
	bzip2w "github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// ErrTooLong reports that a decompressed text is longer than its limit. The text that comes with it is the beginning.
var ErrTooLong = errors.New("too long when unpacked")

// packing is how a content coding of HTTP (RFC 9110, 8.4.1) is read and written.
type packing struct {
	// begins tells from the first bytes whether a source may be packed so.
	begins func(src []byte) bool
	read   func(src []byte) (io.Reader, error)
	write  func(dst io.Writer, like []byte) (io.WriteCloser, error)
}

var packings = map[string]packing{
	"gzip": {
		begins: func(src []byte) bool { return bytes.HasPrefix(src, []byte("\x1F\x8B")) },
		read:   func(src []byte) (io.Reader, error) { return gzip.NewReader(bytes.NewReader(src)) },
		write: func(dst io.Writer, like []byte) (io.WriteCloser, error) {
			w := gzip.NewWriter(dst)
			if r, err := gzip.NewReader(bytes.NewReader(like)); err == nil {
				w.Header = r.Header
			}
			return w, nil
		},
	},
	"deflate": { // RFC 1950, and by many servers RFC 1951 alone
		begins: func(src []byte) bool {
			left := bytes.NewReader(src)
			return isZlib(src) || !isText(src) || isRead(flate.NewReader(left)) && left.Len() == 0
		},
		read: func(src []byte) (io.Reader, error) {
			if isZlib(src) {
				return zlib.NewReader(bytes.NewReader(src))
			}
			return flate.NewReader(bytes.NewReader(src)), nil
		},
		write: func(dst io.Writer, like []byte) (io.WriteCloser, error) {
			if isZlib(like) {
				return zlib.NewWriter(dst), nil
			}
			return flate.NewWriter(dst, flate.DefaultCompression)
		},
	},
	"br": {
		begins: func(src []byte) bool { return !isText(src) || isRead(brotli.NewReader(bytes.NewReader(src))) },
		read:   func(src []byte) (io.Reader, error) { return brotli.NewReader(bytes.NewReader(src)), nil },
		write:  func(dst io.Writer, _ []byte) (io.WriteCloser, error) { return brotli.NewWriter(dst), nil },
	},
	"zstd": {
		begins: func(src []byte) bool { // with a frame, or one that is skipped (RFC 8878 3.1.2)
			return bytes.HasPrefix(src, []byte("\x28\xB5\x2F\xFD")) || len(src) >= 4 && src[0]&0xF0 == 0x50 && string(src[1:4]) == "\x2A\x4D\x18"
		},
		read: func(src []byte) (io.Reader, error) {
			r, err := zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
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
		read:   func(src []byte) (io.Reader, error) { return bzip2.NewReader(bytes.NewReader(src)), nil },
		write:  func(dst io.Writer, _ []byte) (io.WriteCloser, error) { return bzip2w.NewWriter(dst, nil) },
	},
}

func init() { packings["x-gzip"] = packings["gzip"] }

// Packed returns the codec of a content coding: gzip, x-gzip, deflate, br, zstd or bzip2. It returns nil for others. The
// source is one atom. Text of more than 16 MiB may be ratio times as long as its source. Decode cuts longer text and returns
// ErrTooLong, and Encode refuses such a source.
func Packed(coding string, ratio int) Codec {
	if _, ok := packings[coding]; !ok {
		return nil
	}
	return packed{coding: coding, ratio: ratio}
}

// IsPacked reports whether src may be compressed by a coding. It looks at the first bytes, or at the whole source if they
// show nothing. Some clients decompress a body and keep the field that names the coding. For a coding that Packed does not
// know, IsPacked reports whether src does not look like text.
func IsPacked(coding string, src []byte) bool {
	if p, ok := packings[coding]; ok {
		return p.begins(src)
	}
	return !isText(src)
}

// Unpacks reports whether the text of a codec may be much longer than its source.
func Unpacks(c Codec) bool {
	switch c := c.(type) {
	case packed, deflated:
		return true
	case layers:
		return slices.ContainsFunc(c.codecs, Unpacks)
	}
	return false
}

// InPlace reports whether the bytes of a text are in its source in the same order, except for escapes and for bytes between
// lines. It returns false for compressed sources, base64, and a source that is one atom.
func InPlace(c Codec) bool {
	switch c.(type) {
	case packed, deflated, layers, base64Codec:
		return false
	}
	return true
}

// UpTo returns c with a limit for the decompressed text: most bytes, more than 0. Decode returns ErrTooLong for a longer
// text. UpTo returns c itself if c decompresses nothing, or is Deflated, which has its own size.
func UpTo(c Codec, most int) Codec {
	switch c := c.(type) {
	case packed:
		c.most = most
		return c
	case layers:
		codecs := slices.Clone(c.codecs)
		for i := range codecs {
			codecs[i] = UpTo(codecs[i], most)
		}
		return layers{codecs}
	}
	return c
}

type packed struct {
	coding string
	ratio  int
	most   int // bytes of text, 0 for no bound but the ratio
}

const freeToGrow = 16 << 20

func (c packed) Decode(src []byte) ([]byte, error) {
	r, err := packings[c.coding].read(src)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrUnread, c.coding, err)
	}
	limit, why := max(freeToGrow, int64(len(src))*int64(c.ratio)), fmt.Sprintf("more than %d times", c.ratio)
	if c.most > 0 && int64(c.most) < limit {
		limit, why = int64(c.most), fmt.Sprintf("more than %d bytes", c.most)
	}
	var text bytes.Buffer
	n, err := io.Copy(&text, io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		err = fmt.Errorf("%w: %s: %w", ErrUnread, c.coding, err)
	case n > limit:
		text.Truncate(int(limit))
		err = fmt.Errorf("%s: %w: %s", c.coding, ErrTooLong, why)
	}
	if closer, ok := r.(io.Closer); ok {
		closer.Close()
	}
	return text.Bytes(), err
}

func (c packed) Map(src []byte) ([]byte, Atoms, error) { return oneAtom(c, src) }

func (c packed) Encode(dst, src []byte, _ Span, text []byte) ([]byte, error) {
	if _, err := c.Decode(src); err != nil {
		return dst, fmt.Errorf("%w: %w", ErrCannotSpell, err) // what could not be read would be lost
	}
	return pack(dst, text, func(out io.Writer) (io.WriteCloser, error) { return packings[c.coding].write(out, src) })
}

// pack appends to dst what a packer makes of text.
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
		return dst, fmt.Errorf("%w: %w", ErrCannotSpell, err)
	}
	return out.Bytes(), nil
}

// isZlib tells the header of RFC 1950.
func isZlib(src []byte) bool {
	return len(src) >= 2 && src[0]&0xF == 8 && (int(src[0])<<8|int(src[1]))%31 == 0
}

// isText reports whether there is no control character at the beginning of src: what is packed has some, as a rule.
func isText(src []byte) bool {
	for _, c := range src[:min(len(src), 64)] {
		if c < ' ' && !isSpace(c) {
			return false
		}
	}
	return true
}

// isRead reports whether there is something to read, up to the end: text, which tells no coding by its
// first bytes, can be read by none.
func isRead(r io.Reader) bool {
	n, err := io.CopyN(io.Discard, r, freeToGrow)
	return n > 0 && (err == nil || err == io.EOF)
}
