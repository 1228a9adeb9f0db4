package extract

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"strings"

	bzip2w "github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/gzip"

	"absolink/extract/codec"
)

// compression is a way in which a whole file is packed. Such a file is read through, and
// rewritten it is packed again.
type compression struct {
	name   string
	exts   map[string]string      // of file names, and what the unpacked file has instead
	begins func(head []byte) bool // tells it from the first bytes
	read   func(r *bufio.Reader) (io.Reader, error)
	write  func(dst io.Writer, like io.Reader) (io.WriteCloser, error) // like came from read
}

var compressions = []compression{
	{"gzip", map[string]string{".gz": "", ".tgz": ".tar", ".svgz": ".svg", ".emlgz": ".eml"},
		func(head []byte) bool { return bytes.HasPrefix(head, []byte("\x1F\x8B\x08")) },
		func(r *bufio.Reader) (io.Reader, error) { return newMembers(r) },
		func(dst io.Writer, like io.Reader) (io.WriteCloser, error) {
			w := gzip.NewWriter(dst)
			w.Header = like.(*members).first
			return w, nil
		}},
	{"zstd", map[string]string{".zst": "", ".tzst": ".tar"},
		func(head []byte) bool { return codec.IsPacked("zstd", head) },
		func(r *bufio.Reader) (io.Reader, error) { return newFrames(r) },
		func(dst io.Writer, like io.Reader) (io.WriteCloser, error) { return like.(*frames).pack(dst) }},
	{"bzip2", map[string]string{".bz2": "", ".tbz2": ".tar", ".tbz": ".tar"},
		func(head []byte) bool { // with the first block behind the level, or the end if there is none
			return len(head) >= 10 && string(head[:3]) == "BZh" && (string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17rE8P\x90")
		},
		func(r *bufio.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil },
		func(dst io.Writer, _ io.Reader) (io.WriteCloser, error) { return bzip2w.NewWriter(dst, nil) }},
}

// Packed files are formats of their own where they stand in something else: an attachment.
func init() {
	for _, c := range compressions {
		place := &Place{Name: c.name}
		register(&Format{Name: "application/" + c.name, Types: []string{"application/x-" + c.name}, Extract: func(src []byte, f *Finder) {
			if codec.IsPacked(c.name, src) {
				f.Part(0, place, 0, len(src), codec.Packed(c.name, f.maxRatio), nil, part{})
			} else {
				f.Problem(0, Undecodable, "this is not packed by "+c.name)
			}
		}})
	}
}

// packedBy finds the compression of a file by its first bytes; nil if it is in none.
func packedBy(head []byte) *compression {
	for i := range compressions {
		if c := &compressions[i]; c.begins(head) {
			return c
		}
	}
	return nil
}

// unpackedName takes the extension of the compression off a name.
func (c *compression) unpackedName(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		if inner, ok := c.exts[lower(name[i:])]; ok {
			return name[:i] + inner
		}
	}
	return name
}

// unpackedHead is the beginning of what is packed, as far as its first bytes tell it: bzip2's tell
// nothing.
func (c *compression) unpackedHead(head []byte) []byte {
	r, err := c.read(bufio.NewReader(bytes.NewReader(head)))
	if err != nil {
		return nil
	}
	inner := make([]byte, sniffLen)
	n, _ := io.ReadFull(r, inner) // that there is no more is no error here
	if r, ok := r.(io.Closer); ok {
		r.Close()
	}
	return inner[:n]
}

// DetectUnpacked is Detect for a file that may be packed: it tells what is in it, and whether it is
// packed. It looks no deeper than the default limit, for there are files that unpack to themselves.
func DetectUnpacked(mediaType, name string, head []byte) (f *Format, packed bool) {
	for range defaultDepth {
		c := packedBy(head)
		if c == nil {
			break
		}
		name, head, packed = c.unpackedName(name), c.unpackedHead(head), true
		mediaType = c.unpackedType(mediaType)
	}
	return Detect(mediaType, name, head), packed
}

// unpackedType is a media type without that of the compression, which was of what is packed.
func (c *compression) unpackedType(mediaType string) string {
	if f := FormatOf(mediaType); f != nil && f.Name == "application/"+c.name {
		return ""
	}
	return mediaType
}

// unpacking reads what is packed. What is damaged, or grows beyond the limit, ends there when it is
// not written as well. When it is packed anew that is an error, for the rest would be lost.
type unpacking struct {
	*Stream
	c      *compression
	packed *countingReader
	r      io.Reader
	n      int64
	entity string
	done   bool // nothing more is read: it is damaged, or grows beyond the limit
}

// A file may grow to ratioFree bytes in any case.
const (
	ratioFree    = 16 << 20
	defaultRatio = 200

	longestRatio = 1 << 30 // a length in memory times it does not overflow
)

func (u *unpacking) Read(p []byte) (int, error) {
	if u.done {
		return 0, io.EOF
	}
	n, err := u.r.Read(p)
	return n, u.took(n, err)
}

// lend is part of lender.
func (u *unpacking) lend() (next []byte, edge bool, err error) {
	from, ok := u.r.(lender)
	if u.done || !ok {
		return nil, false, nil
	}
	next, edge, err = from.lend()
	return next, edge, u.took(len(next), err)
}

// took counts what was read, and gives the error that it ends with.
func (u *unpacking) took(n int, err error) error {
	u.n += int64(n)
	if err == io.EOF || err == nil && !u.grows() {
		return err
	}
	code := Undecodable
	if err == nil {
		code = RatioLimit
		err = fmt.Errorf("more than %d times as long unpacked; raise --max-ratio if it is to be read", u.w.maxRatio())
	}
	if u.packed.failed != nil {
		return fmt.Errorf("%s: %w", u.c.name, u.packed.failed)
	}
	salvaged := err == errSalvaged
	err = fmt.Errorf("%s: %w", u.c.name, err)
	if u.dst != nil && !salvaged {
		return err
	}
	u.done, u.damaged = true, true
	what := "what follows is not read"
	switch {
	case salvaged:
		what = "what follows stays as it is"
	case u.asking:
		what = "the file stays as it is"
	}
	u.w.problem(Problem{Document: u.d.Name, Entity: u.entity, Offset: int(u.n), Code: code, Detail: err.Error() + "; " + what})
	return io.EOF
}

func (u *unpacking) grows() bool {
	return u.n > ratioFree && u.n/int64(u.w.maxRatio()) > u.packed.n
}

func (w *Walker) maxRatio() int {
	if w.MaxRatio <= 0 {
		return defaultRatio
	}
	return min(w.MaxRatio, longestRatio)
}

// twice gives what a document can be read from twice, if that is to be done: it is packed.
func (w *Walker) twice(in *Stream) io.ReadSeeker {
	switch {
	case w.Unpacked || packedBy(in.head) == nil:
		return nil
	case in.r == nil:
		return rereadable(in.d, 0)
	}
	return rereadable(in.d, in.r.Buffered()) // only the head of it was read
}

// rereadable gives what a document, of which so many bytes are read, can be read from once more; nil
// for a pipe.
func rereadable(d Document, read int) io.ReadSeeker {
	if d.Bytes != nil {
		return bytes.NewReader(d.Bytes)
	}
	if again, ok := d.Reader.(io.ReadSeeker); ok {
		if at, err := again.Seek(0, io.SeekCurrent); err == nil { // no pipe
			return from{again, at - int64(read)}
		}
	}
	return nil
}

// from is a reader that begins where another one stands.
type from struct {
	io.ReadSeeker
	at int64
}

// Seek is io.Seeker.
func (f from) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		offset += f.at
	}
	at, err := f.ReadSeeker.Seek(offset, whence)
	return at - f.at, err
}

// unchanged gives again, the bytes of a packed document, if it has nothing to change, for packed
// again it would have others; or if it was seen to be damaged before the first change, for what cannot
// be read would be lost. To read on only to see that takes nearly half as long as rewriting.
func (w *Walker) unchanged(d Document, again io.ReadSeeker) (raw io.Reader, err error) {
	first, problems := *w, 0
	first.OnLink, first.levels, first.buffer, first.reader = nil, nil, nil, nil
	first.edits = codec.Replacer{}
	first.OnEdit = func(int64, []byte, []byte) { first.fail(errChanged) }
	first.OnProblem = func(Problem) { problems++ }
	d.Bytes, d.Reader = nil, again
	if stays, err := first.stays(d, again); !stays || err != nil {
		return nil, err
	}
	if problems > 0 && w.OnProblem != nil { // told by another walk: kept until now they might be longer than the document
		first.OnProblem = w.OnProblem
		if _, err := first.stays(d, again); err != nil {
			return nil, err
		}
	}
	if w.OnLink == nil {
		return again, nil
	}
	first.OnProblem = nil
	if _, err := again.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return again, first.Links(d, func(l *Link) error { w.OnLink(l); return nil })
}

// stays walks what is packed, up to the first edit, which fails with errChanged. It says whether there was
// none, or damage before it.
func (w *Walker) stays(d Document, again io.ReadSeeker) (bool, error) {
	if _, err := again.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	in, err := w.begin(d)
	if err == nil {
		in.asking = true
		err = in.unpack(nil)
	}
	if err != nil || in.format() == nil {
		return false, err
	}
	copied := in.copied()
	for rec, err := range in.Records() {
		if err == nil && copied(rec) {
			return false, nil
		}
		if err == nil {
			err = w.walk(rec, io.Discard)
		}
		if err == errChanged {
			return in.damaged, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// errChanged ends a walk that only asks whether there is an edit.
var errChanged = errors.New("there is an edit")

// countingReader counts what is read through it, and keeps the error.
type countingReader struct {
	r      io.Reader
	n      int64
	failed error
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.failed = err
	}
	return n, err
}
