package pack_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// A truncated or damaged file never becomes a valid shorter file: either rewriting fails, or the unreadable rest is copied.
func TestPackedManyTruncated(t *testing.T) {
	for _, f := range packedFiles(t) {
		for _, how := range rewritings {
			if how.name == "unpacked" {
				continue
			}
			t.Run(f.name+" "+how.name, func(t *testing.T) {
				w := Walker{Extractor: extract.Extractor{MaxRecord: f.maxRecord}}
				for n := len(f.src) - 1; n > 0; n -= strideOf(len(f.src)) {
					checkKept(t, &w, f, how.run, f.src[:n], n)
				}
			})
		}
	}
}

func TestPackedManyDamaged(t *testing.T) {
	for _, f := range packedFiles(t) {
		for _, how := range rewritings {
			if how.name == "unpacked" {
				continue
			}
			t.Run(f.name+" "+how.name, func(t *testing.T) {
				w := Walker{Extractor: extract.Extractor{MaxRecord: f.maxRecord}}
				first := 3 // after the bytes that identify the compression
				if strings.HasSuffix(f.name, ".zst") {
					first = 4
				}
				for i := first; i < len(f.src); i += strideOf(len(f.src)) {
					src := []byte(f.src)
					src[i] ^= 1 << (i % 8)
					checkKept(t, &w, f, how.run, string(src), i)
				}
			})
		}
	}
}

// checkKept rewrites a file that is damaged at an offset. Unless that fails, the output must be the input; or the input
// rewritten, if it can still be read; or the members before some offset rewritten, with a copy of the bytes after it.
func checkKept(t *testing.T, w *Walker, f packedFile, run func(*Walker, io.Writer, extract.Document) error, src string, at int) {
	t.Helper()
	var out bytes.Buffer
	d := f.document()
	d.Bytes = []byte(src)
	if err := run(w, &out, d); err != nil || out.String() == src {
		return
	}
	for _, end := range append([]int{len(src)}, f.members...) {
		before, copied := strings.CutSuffix(out.String(), src[min(end, len(src)):])
		text, err := f.unpack(src[:min(end, len(src))])
		if !copied || err != nil {
			continue
		}
		name := strings.Split(f.name, ".")
		plain := Rewrite(t, w, extract.Document{Name: name[0] + "." + name[1], URL: d.URL, Bytes: []byte(text)})
		if got, err := f.unpack(before); err == nil && got == plain {
			return
		}
	}
	require.Fail(t, "part of the file is lost", "damage at %d of %d bytes, output of %d", at, len(src), out.Len())
}

// A document whose first bytes are damaged is copied unchanged, even from a pipe.
func TestPackedStartDamaged(t *testing.T) {
	dictionary := func(of string) string {
		return string(append(binary.LittleEndian.AppendUint32([]byte("\x5D\x2A\x4D\x18"), uint32(len(of))), of+zstandard(t, "<a href=x>")...))
	}
	for name, src := range map[string]string{
		"a header":                Gzipped(t, "<a href=x>")[:3] + strings.Repeat("\xFF", 12),
		"a truncated header":      Gzipped(t, "<a href=x>")[:5],
		"a dictionary":            dictionary("none"),
		"a compressed dictionary": dictionary("\x28\xB5\x2F\xFDnone"),
	} {
		for _, d := range []extract.Document{
			{Name: "a.html.gz", URL: "http://h/", Bytes: []byte(src)},
			{Name: "a.html.gz", URL: "http://h/", Reader: strings.NewReader(src)},
			{Name: "a.html.gz", URL: "http://h/", Reader: io.MultiReader(strings.NewReader(src))},
		} {
			var problems []extract.Problem
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
			assert.Equal(t, src, Rewrite(t, &w, d), name)
			require.Len(t, problems, 1, name)
			assert.Equal(t, extract.CodeUndecodable, problems[0].Code, name)
			assert.Contains(t, problems[0].Detail, "; the document is copied unchanged", name)
		}
	}
}

// The bytes after a damaged member are copied to the end, although one read does not get them all. A read or write error is
// returned.
func TestPackedLongJunk(t *testing.T) {
	const header = "\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x03"
	src, junk := Gzipped(t, WARCResponse("http://h/p/", "<a href=x>")), header+strings.Repeat("\xFFjunk", 300_000) // \xFF begins no block
	d := extract.Document{Name: "a.warc.gz", Bytes: []byte(src + junk)}
	all := failingWriter{room: 1 << 30}
	require.NoError(t, new(Walker).Rewrite(&all, d))
	before, copied := strings.CutSuffix(all.out.String(), junk)
	require.True(t, copied)
	require.Equal(t, WARCResponse("http://h/p/", "<a href=http://h/p/x>"), Gunzip(t, before))
	require.ErrorIs(t, new(Walker).Rewrite(&failingWriter{room: all.out.Len() - 1}, d), errDevice)
	d.Bytes, d.Reader = nil, io.MultiReader(strings.NewReader(src+junk), iotest.ErrReader(errDevice))
	require.ErrorIs(t, new(Walker).Rewrite(io.Discard, d), errDevice)
}

// A record that is put without any piece is left out, even if it is longer than the limit.
func TestPackedRecordLeftOut(t *testing.T) {
	first, long := WARCResponse("http://h/p/", "<p>"), WARCResponse("http://h/p/", noise(2000))
	var out bytes.Buffer
	w := Walker{Extractor: extract.Extractor{MaxRecord: 900}}
	in, err := w.Open(extract.Document{Name: "a.warc.gz", Bytes: []byte(GzipMembers(t, first, long, first))}, &out)
	require.NoError(t, err)
	for rec, err := range in.Records() {
		require.NoError(t, err)
		if rec.Type == "" {
			require.NoError(t, in.Put(rec))
		} else {
			require.NoError(t, in.Put(rec, gzipBytes(t, rec.Bytes)))
		}
	}
	require.NoError(t, in.Close())
	require.Equal(t, first+first, Gunzip(t, out.String()))
}

func gzipBytes(t *testing.T, text []byte) []byte { return []byte(Gzipped(t, string(text))) }

// The message about a damaged file names the compression once.
func TestPackedDamageNamed(t *testing.T) {
	src := gzipBytes(t, []byte("<a href=x>"))
	src[len(src)-6] ^= 0xFF // in the checksum
	var details []string
	x := extract.Extractor{OnProblem: func(p extract.Problem) { details = append(details, p.Detail) }}
	for _, err := range x.Links(t.Context(), extract.Document{Name: "x.html.gz", URL: "http://h/", Bytes: src}) {
		require.NoError(t, err)
	}
	require.Equal(t, []string{"gzip: invalid checksum; the rest is not read"}, details)
}
