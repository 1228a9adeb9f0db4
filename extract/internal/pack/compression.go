package pack

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"io"
	"strings"

	bzip2w "github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/gzip"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Compression is a way in which a whole file is packed. Such a file is read through, and
// rewritten it is packed again.
type Compression struct {
	Name   string
	exts   map[string]string      // of file names, and what the unpacked file has instead
	begins func(head []byte) bool // tells it from the first bytes
	Unpack func(r *bufio.Reader) (io.Reader, error)
	Pack   func(dst io.Writer, like io.Reader) (io.WriteCloser, error) // like came from read
}

var Compressions = []Compression{
	{"gzip", map[string]string{".gz": "", ".tgz": ".tar", ".svgz": ".svg", ".emlgz": ".eml"},
		func(head []byte) bool { return bytes.HasPrefix(head, []byte("\x1F\x8B\x08")) },
		func(r *bufio.Reader) (io.Reader, error) { return newMembers(r) },
		func(dst io.Writer, like io.Reader) (io.WriteCloser, error) {
			w := gzip.NewWriter(dst)
			w.Header = like.(*Members).first
			return w, nil
		}},
	{"zstd", map[string]string{".zst": "", ".tzst": ".tar"},
		func(head []byte) bool { return codec.IsPacked("zstd", head) },
		func(r *bufio.Reader) (io.Reader, error) { return newFrames(r) },
		func(dst io.Writer, like io.Reader) (io.WriteCloser, error) { return like.(*Frames).pack(dst) }},
	{"bzip2", map[string]string{".bz2": "", ".tbz2": ".tar", ".tbz": ".tar"},
		func(head []byte) bool { // with the first block behind the level, or the end if there is none
			return len(head) >= 10 && string(head[:3]) == "BZh" && (string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17rE8P\x90")
		},
		func(r *bufio.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil },
		func(dst io.Writer, _ io.Reader) (io.WriteCloser, error) { return bzip2w.NewWriter(dst, nil) }},
}

// These are the formats of packed files where they stand in something else: an attachment.
var GzipFormat, ZstdFormat, Bzip2Format = packedFormat("gzip"), packedFormat("zstd"), packedFormat("bzip2")

func packedFormat(name string) *mark.Format {
	place := &mark.Place{Name: name}
	return &mark.Format{Name: "application/" + name, Types: []string{"application/x-" + name}, Extract: func(src []byte, f *mark.Marks) {
		if codec.IsPacked(name, src) {
			f.Part(0, place, 0, len(src), codec.Packed(name, f.Limits.Ratio), nil, mark.Part{})
		} else {
			f.Fault(0, mark.Undecodable, "this is not packed by "+name)
		}
	}}
}

// PackedBy finds the compression of a file by its first bytes; nil if it is in none.
func PackedBy(head []byte) *Compression {
	for i := range Compressions {
		if c := &Compressions[i]; c.begins(head) {
			return c
		}
	}
	return nil
}

// UnpackedName takes the extension of the compression off a name.
func (c *Compression) UnpackedName(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		if inner, ok := c.exts[ascii.Lower(name[i:])]; ok {
			return name[:i] + inner
		}
	}
	return name
}

// UnpackedHead is the beginning of what is packed, as far as its first bytes tell it: bzip2's tell
// nothing.
func (c *Compression) UnpackedHead(head []byte) []byte {
	r, err := c.Unpack(bufio.NewReader(bytes.NewReader(head)))
	if err != nil {
		return nil
	}
	inner := make([]byte, mark.SniffLen)
	n, _ := io.ReadFull(r, inner) // that there is no more is no error here
	if r, ok := r.(io.Closer); ok {
		r.Close()
	}
	return inner[:n]
}

// PackedFile is the format of a packed file with a name, which without the extension of
// the packing tells what is inside.
func (c *Compression) PackedFile(name string) *mark.Format {
	place := &mark.Place{Name: c.Name}
	return &mark.Format{Name: "application/" + c.Name, Fragment: true, Extract: func(src []byte, f *mark.Marks) {
		f.Part(0, place, 0, len(src), codec.Packed(c.Name, f.Limits.Ratio), nil, mark.Part{Name: c.UnpackedName(name)})
	}}
}
