package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"absolink/extract/internal/mark"
	"absolink/extract/internal/pack"
)

// detectUnpacked is DetectUnpacked for the engine.
func detectUnpacked(mediaType, name string, head []byte) (f *mark.Format, packed bool) {
	for range defaultDepth {
		c := pack.PackedBy(head)
		if c == nil {
			break
		}
		name, head, packed = c.UnpackedName(name), c.UnpackedHead(head), true
		mediaType = unpackedType(c, mediaType)
	}
	return detect(mediaType, name, head), packed
}

// unpackedType returns "" for the media type of the compression, and other media types unchanged.
func unpackedType(c *pack.Compression, mediaType string) string {
	if f := formatOf(mediaType); f != nil && f.Name == "application/"+c.Name {
		return ""
	}
	return mediaType
}

// unpacking is the reader of one compression. The text may be damaged, or longer than the ratio limit allows. If the
// document is only read, this is a problem, and the text ends there. If the document is compressed again, this is an
// error, since the rest would be lost.
type unpacking struct {
	*Stream
	layer  *pack.Layer
	packed *countingReader // of the compressed bytes
	n      int64           // the length of the text so far
	entity string
	done   bool // nothing more is read: it is damaged, or longer than the ratio limit allows
}

func (u *unpacking) Read(p []byte) (int, error) {
	if u.done {
		return 0, io.EOF
	}
	n, err := u.layer.Read(p)
	return n, u.took(n, err)
}

// Lend is window.Lender.
func (u *unpacking) Lend() (next []byte, edge bool, err error) {
	if u.done {
		return nil, false, nil
	}
	next, edge, err = u.layer.Lend()
	return next, edge, u.took(len(next), err)
}

// took counts n bytes of text that were read with err. It returns the error of the reader.
func (u *unpacking) took(n int, err error) error {
	u.n += int64(n)
	if err == io.EOF || err == nil && !u.grows() {
		return err
	}
	code := Undecodable
	if err == nil {
		code = RatioLimit
		err = fmt.Errorf("more than %d times as long unpacked; raise --max-ratio if it is to be read", u.opener.maxRatio())
	}
	if u.packed.failed != nil {
		return fmt.Errorf("%s: %w", u.layer.Name(), u.packed.failed)
	}
	salvaged := err == pack.ErrSalvaged
	err = fmt.Errorf("%s: %w", u.layer.Name(), err)
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
	u.opener.problem(Problem{Document: u.d.Name, Entity: u.entity, Offset: int(u.n), Code: code, Detail: err.Error() + "; " + what})
	return io.EOF
}

// grows reports whether the text is longer than the ratio limit allows.
func (u *unpacking) grows() bool {
	return u.n > mark.RatioFree && u.n/int64(u.opener.maxRatio()) > u.packed.n
}

func (x *Extractor) maxRatio() int {
	if x.MaxRatio <= 0 {
		return defaultRatio
	}
	return min(x.MaxRatio, longestRatio)
}

// twice returns a reader from which a compressed document can be read twice, or nil if it is not compressed.
func (w *walker) twice(in *Stream) io.ReadSeeker {
	switch {
	case w.Unpacked || pack.PackedBy(in.head) == nil:
		return nil
	case in.r == nil:
		return rereadable(in.d, 0)
	}
	return rereadable(in.d, in.r.Buffered()) // only the first bytes were read
}

// rereadable returns a reader of the whole document, or nil if the document is a pipe. read is the number of bytes that
// were read of it.
func rereadable(d Document, read int) io.ReadSeeker {
	if d.Bytes != nil {
		return bytes.NewReader(d.Bytes)
	}
	if again, ok := d.Reader.(io.ReadSeeker); ok {
		if at, err := again.Seek(0, io.SeekCurrent); err == nil { // no pipe
			return readerFrom{again, at - int64(read)}
		}
	}
	return nil
}

// readerFrom is a reader whose offset 0 is at an offset of another reader.
type readerFrom struct {
	io.ReadSeeker
	at int64
}

// Seek is io.Seeker.
func (f readerFrom) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		offset += f.at
	}
	at, err := f.ReadSeeker.Seek(offset, whence)
	return at - f.at, err
}

// unchanged returns a reader of the compressed bytes, which is again, if the document is to be copied; else nil. It is
// copied if rewriting changes nothing, since compressing it again would change the bytes. It is also copied if it is
// damaged before the first change, since the rest would be lost. This pass takes nearly half as long as rewriting.
func (w *walker) unchanged(d Document, again io.ReadSeeker) (raw io.Reader, err error) {
	problems := 0
	first := walker{opener: opener{Extractor: w.Extractor}, ctx: w.ctx, pass: w.pass, sink: sink{writer: w.writer}}
	first.OnLink, first.OnChange, first.OnEdit = nil, nil, func(Edit) { first.fail(errChanged) }
	first.OnProblem = func(Problem) { problems++ }
	d.Bytes, d.Reader = nil, again
	if stays, err := first.stays(d, again); !stays || err != nil {
		return nil, err
	}
	if problems > 0 && w.OnProblem != nil { // another pass reports them: a list of them may need more memory than the document
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
	return again, first.links(d, func(l *Link) error { w.OnLink(l); return nil })
}

// stays walks a compressed document up to the first edit, which ends the walk with errChanged. It reports whether there
// was no edit, or damage before it.
func (w *walker) stays(d Document, again io.ReadSeeker) (bool, error) {
	if _, err := again.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	in, err := w.begin(w.ctx, d)
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

// errChanged ends a walk that only looks for an edit.
var errChanged = errors.New("there is an edit")

// countingReader counts the bytes that are read, and keeps the error.
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

// memberwise compresses each record on its own from now on, if the format is one whose records are compressed so.
// Otherwise it forgets where the members begin, and a damaged member is an error.
func (s *Stream) memberwise(f *mark.Format) (err error) {
	for i, l := range s.layers {
		innermost := i == len(s.layers)-1
		if innermost && f.Members && l.Compresses() {
			s.in = l.Memberwise()
			s.dst = s.in
		} else if damaged := l.Whole(); damaged != nil {
			err = damaged
		}
	}
	return err
}

// copied returns a function that reports, for the first record, whether records that do not change are copied with
// their compressed bytes: the record is a member of gzip of its own, in the only compression. copied must be called
// before the records are read.
func (s *Stream) copied() func(first Record) bool {
	member := int64(-1)
	if f := s.format(); f != nil && f.Members && len(s.layers) == 1 {
		member = s.layers[0].FirstMember()
	}
	return func(first Record) bool { return first.Offset == 0 && !first.More && int64(len(first.Bytes)) == member }
}
