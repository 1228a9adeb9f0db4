package pack

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"io"
	"strings"

	bzip2w "github.com/dsnet/compress/bzip2"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mark"
)

// Compression is a compression of whole files.
type Compression struct {
	Name   string                 // of the codec; the media type is "application/" and this name
	exts   map[string]string      // extensions of file names, with the extension of the decompressed file
	begins func(head []byte) bool // reports whether a file with these first bytes is compressed

	decompress func(r *bufio.Reader) (io.Reader, error)
	compress   func(dst io.Writer, like io.Reader) (io.WriteCloser, error) // like is the result of decompress
}

var compressions = []Compression{
	{"gzip", map[string]string{".gz": "", ".tgz": ".tar", ".svgz": ".svg", ".emlgz": ".eml"},
		func(head []byte) bool { return bytes.HasPrefix(head, []byte("\x1F\x8B\x08")) },
		func(r *bufio.Reader) (io.Reader, error) { return newGzip(r) },
		compressMembers},
	{"zstd", map[string]string{".zst": "", ".tzst": ".tar"},
		func(head []byte) bool { return compress.IsPacked("zstd", head) },
		func(r *bufio.Reader) (io.Reader, error) { return newZstd(r) },
		compressMembers},
	{"bzip2", map[string]string{".bz2": "", ".tbz2": ".tar", ".tbz": ".tar"},
		func(head []byte) bool { // "BZh" and the level; then the magic of a block, or of the end of the stream
			return len(head) >= 10 && string(head[:3]) == "BZh" &&
				(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17rE8P\x90")
		},
		func(r *bufio.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil },
		func(dst io.Writer, _ io.Reader) (io.WriteCloser, error) { return bzip2w.NewWriter(dst, nil) }},
}

func compressMembers(dst io.Writer, like io.Reader) (io.WriteCloser, error) {
	return like.(*members).writer(dst)
}

// PackedBy returns the compression of a file with these first bytes, or nil if the file is not compressed.
func PackedBy(head []byte) *Compression {
	for i := range compressions {
		if c := &compressions[i]; c.begins(head) {
			return c
		}
	}
	return nil
}

// UnpackedName returns the name of a decompressed file, for example "a.tar" for "a.tgz". A name without the extension
// of a compression stays as it is.
func UnpackedName(name string) string {
	for i := range compressions {
		name = compressions[i].UnpackedName(name)
	}
	return name
}

// UnpackedName is the function UnpackedName for the extensions of this compression.
func (c *Compression) UnpackedName(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		if inner, ok := c.exts[ascii.Lower(name[i:])]; ok {
			return name[:i] + inner
		}
	}
	return name
}

// UnpackedHead returns the first bytes of a decompressed file from head, the first bytes of the compressed one. It
// returns fewer, or none, if head is too short. That is common with bzip2, whose blocks are longer than head.
func (c *Compression) UnpackedHead(head []byte) []byte {
	r, err := c.decompress(bufio.NewReader(bytes.NewReader(head)))
	if err != nil {
		return nil
	}
	inner := make([]byte, mark.SniffLen)
	n, _ := io.ReadFull(r, inner) // head is truncated, so an error is expected
	return inner[:n]
}

// Gzip, Zstd and Bzip2 are the formats of compressed files inside another document, for example of attachments.
var Gzip, Zstd, Bzip2 = packedFormat("gzip"), packedFormat("zstd"), packedFormat("bzip2")

func packedFormat(name string) *mark.Format {
	place := &mark.Place{Name: name}
	return &mark.Format{Name: "application/" + name, Types: []string{"application/x-" + name},
		Mark: func(src []byte, m *mark.Marks) {
			if compress.IsPacked(name, src) {
				m.Part(0, place, 0, len(src), compress.Packed(name, m.MaxRatio), nil, mark.Part{})
			} else {
				m.Fault(0, mark.Undecodable, "the data is not compressed with "+name+"; it is not read")
			}
		}}
}

// PackedFile returns the format of a compressed file with this name, by which the type of the decompressed file is
// detected: see UnpackedName.
func (c *Compression) PackedFile(name string) *mark.Format {
	place := &mark.Place{Name: c.Name}
	return &mark.Format{Name: "application/" + c.Name, Fragment: true, Mark: func(src []byte, m *mark.Marks) {
		m.Part(0, place, 0, len(src), compress.Packed(c.Name, m.MaxRatio), nil, mark.Part{Name: c.UnpackedName(name)})
	}}
}
