package pack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

var errDevice = errors.New("the device is gone")

// failingWriter fails when its room is full, and in the call with the number call, which counts from 1.
type failingWriter struct {
	out         bytes.Buffer // not embedded: io.Copy would use its ReadFrom
	room        int
	call, calls int
}

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.calls++; w.calls == w.call {
		return 0, errDevice
	}
	n := min(len(p), w.room-w.out.Len())
	w.out.Write(p[:n])
	if n < len(p) {
		return n, errDevice
	}
	return n, nil
}

// A write error is always returned, wherever it occurs, and even if later writes succeed.
func TestPackedManyWritesFail(t *testing.T) {
	for _, f := range packedFiles(t) {
		for _, how := range rewritings {
			t.Run(f.name+" "+how.name, func(t *testing.T) {
				w := Walker{Extractor: extract.Extractor{MaxRecord: f.maxRecord}}
				run := func(out *failingWriter) error { return how.run(&w, out, f.document()) }
				all := failingWriter{room: 1 << 20}
				if how.name == "unpacked" && f.name == "junk.warc.gz" {
					require.Error(t, run(&all), "what cannot be unpacked would be lost")
					return
				}
				require.NoError(t, run(&all))
				want := all.out.String()
				if how.name == "unpacked" {
					require.Equal(t, f.after, want)
				} else {
					text, err := f.unpack(want)
					require.NoError(t, err)
					require.Equal(t, f.after, text)
				}
				for n := 0; n < len(want); n += strideOf(len(want)) {
					out := failingWriter{room: n}
					require.ErrorIs(t, run(&out), errDevice, "room for %d bytes", n)
					require.True(t, out.out.String() == want[:n], "the first %d bytes", n)
				}
				for call := 1; call <= all.calls; call++ {
					require.ErrorIs(t, run(&failingWriter{room: 1 << 20, call: call}), errDevice, "call %d", call)
				}
			})
		}
	}
}

// A read error is always returned: it is not taken for damage or for the end of the file.
func TestPackedManyReadsFail(t *testing.T) {
	for _, f := range packedFiles(t) {
		for name, kind := range map[string]func(in io.Reader) io.Reader{
			"":              func(in io.Reader) io.Reader { return in },
			" with data":    iotest.DataErrReader,
			" byte by byte": iotest.OneByteReader,
		} {
			t.Run(f.name+name, func(t *testing.T) {
				w := Walker{Extractor: extract.Extractor{MaxRecord: f.maxRecord}}
				for n := len(f.src); n >= 0; n -= strideOf(len(f.src)) {
					d := f.document()
					open := func() extract.Document {
						d.Bytes, d.Reader = nil, kind(io.MultiReader(strings.NewReader(f.src[:n]), iotest.ErrReader(errDevice)))
						return d
					}
					require.ErrorIs(t, w.Rewrite(io.Discard, open()), errDevice, "rewrite, %d bytes", n)
					require.ErrorIs(t, byRecord(&w, io.Discard, open()), errDevice, "rewrite record by record, %d bytes", n)
					require.ErrorIs(t, w.Links(open(), func(*extract.Link) error { return nil }), errDevice, "links, %d bytes", n)
				}
			})
		}
	}
}

// failingFile is a file whose Read fails in one call.
type failingFile struct {
	*bytes.Reader
	call, calls int
}

func (f *failingFile) Read(p []byte) (int, error) {
	if f.calls++; f.calls == f.call {
		return 0, errDevice
	}
	return f.Reader.Read(p[:min(len(p), 700)])
}

// A read error is returned, whether links are reported or not.
func TestPackedManyFilesFail(t *testing.T) {
	for _, f := range packedFiles(t) {
		for _, link := range []bool{false, true} {
			t.Run(fmt.Sprint(f.name, " ", link), func(t *testing.T) {
				for call := 1; ; call++ {
					in := &failingFile{Reader: bytes.NewReader([]byte(f.src)), call: call}
					d := f.document()
					d.Bytes, d.Reader = nil, in
					w := Walker{Extractor: extract.Extractor{MaxRecord: f.maxRecord}}
					if link {
						w.OnLink, w.OnProblem = func(*extract.Link) {}, func(extract.Problem) {}
					}
					var out bytes.Buffer
					err := w.Rewrite(&out, d)
					if in.calls >= call {
						require.ErrorIs(t, err, errDevice, "call %d", call)
						continue
					}
					require.NoError(t, err, "call %d", call)
					text, err := f.unpack(out.String())
					require.NoError(t, err, "call %d", call)
					require.Equal(t, f.after, text, "call %d", call)
					return
				}
			})
		}
	}
}

// Records that share members are written with the last of them. Even if its member is too long to be kept, a write error is
// returned.
func TestPackedManyWritesFailLate(t *testing.T) {
	random := make([]byte, 5<<20)
	rand.NewChaCha8([32]byte{}).Read(random)
	none, long := WARCResponse("http://h/", "<p>"), WARCRecord("resource", "http://h/", "video/mp4", string(random), "")
	src := GzipMembers(t, none+long[:50], long[50:])
	d := extract.Document{Name: "a.warc.gz", Bytes: []byte(src)}
	all := failingWriter{room: 1 << 30}
	require.NoError(t, new(Walker).Rewrite(&all, d))
	require.True(t, Gunzip(t, all.out.String()) == none+long)
	for call := 1; call <= all.calls; call += 1 + call/4 {
		require.ErrorIs(t, new(Walker).Rewrite(&failingWriter{room: 1 << 30, call: call}, d), errDevice, "call %d", call)
	}
}
