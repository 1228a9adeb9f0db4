package pack_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// slowly returns a frame of zstd with a level at which absolink does not compress, so that a copied frame can be told from one
// that was made again.
func slowly(t *testing.T, text string) string {
	return zstandard(t, text, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderCRC(false))
}

// A compressed document is rewritten in one pass, so Map and OnLink are called once for each link. A member of gzip or a frame
// of zstd without an edit keeps its bytes, and so does a document that is one record.
func TestOnePass(t *testing.T) {
	none, a, b := "<p>"+strings.Repeat("text ", 100), "<a href=a>", "<a href=b>"
	noRecord, record := WARCResponse("http://h/p/", none), WARCResponse("http://h/p/", a)
	gz := func(s string) string { return Gzipped(t, s) }
	zst := func(s string) string { return slowly(t, s) }
	skippable := "\x51\x2A\x4D\x18\x03\x00\x00\x00abc"
	for _, row := range []struct {
		name   string
		parts  []string // of the file
		change []int    // the parts that change
		links  int
	}{
		{"none.html.gz", []string{gz(none)}, nil, 0},
		{"none.html.zst", []string{zst(none)}, nil, 0},
		{"none.html.bz2", []string{Bzip2(t, none)}, nil, 0},
		{"none.html.gz.zst", []string{zst(gz(none))}, nil, 0},
		{"first.html.gz", []string{gz(a), gz(none), gz("")}, []int{0}, 1},
		{"both.html.gz", []string{gz(a), gz(b)}, []int{0, 1}, 2},
		{"last.html.gz", []string{gz(none), gz(a[:4] + ""), gz(a[4:]), gz(none)}, []int{2}, 1},
		{"padding.html.gz", []string{gz(a), gz(none), "\x00\x00"}, []int{0}, 1},
		{"first.html.zst", []string{zst(a), zst(none), skippable}, []int{0}, 1},
		{"last.html.zst", []string{zst(none), skippable, zst(b)}, []int{2}, 1},
		{"between.html.zst", []string{zst(none + "<a href="), zst(a[8:]), zst(none)}, []int{1}, 1},
		{"none.warc.zst", []string{zst(noRecord), zst(noRecord + noRecord)}, nil, 0},
		{"middle.warc.zst", []string{zst(noRecord), zst(record), skippable, zst(noRecord)}, []int{1}, 1},
		{"middle.warc.gz", []string{gz(noRecord), gz(record[:30]), gz(record[30:200]), gz(record[200:]), gz(noRecord)}, []int{2, 3}, 1},
	} {
		for _, how := range rewritings[:4] {
			t.Run(row.name+" "+how.name, func(t *testing.T) {
				mapped, shown := 0, 0
				w := Walker{Extractor: extract.Extractor{
					Map:    func(l *extract.Link) (string, bool) { mapped++; return string(l.URL), true },
					OnLink: func(*extract.Link) { shown++ },
				}}
				var out bytes.Buffer
				src := strings.Join(row.parts, "")
				require.NoError(t, how.run(&w, &out, extract.Document{Name: row.name, URL: "http://h/p/", Bytes: []byte(src)}))
				if row.change == nil {
					assert.True(t, src == out.String())
				}
				rest, change := out.String(), row.change
				for i, part := range row.parts {
					if len(change) == 0 || change[0] != i {
						var is bool
						rest, is = strings.CutPrefix(rest, part)
						require.True(t, is, "part %d keeps its bytes", i)
						continue
					}
					change = change[1:]
					end := len(rest) // of the new part, after which comes a part that keeps its bytes, or another new one
					if i+1 < len(row.parts) && (len(change) == 0 || change[0] != i+1) {
						end = strings.Index(rest, row.parts[i+1])
					} else if i+1 < len(row.parts) {
						end = 1 + strings.Index(rest[1:], row.parts[i+1][:4])
					}
					require.Positive(t, end, "part %d", i)
					rest = rest[end:]
				}
				assert.Empty(t, rest)
				assert.Equal(t, row.links, shown)
				assert.Equal(t, row.links, mapped)
			})
		}
	}
}

// If nothing is written, the compressed bytes of a long member are not kept.
// Members without text, and those after very many, are kept as long as no link near them changes.
func TestManyMembers(t *testing.T) {
	empty, text, page := Gzipped(t, ""), Gzipped(t, "a"), Gzipped(t, "<a href=x>")
	for name, src := range map[string]string{
		"empty": strings.Repeat(empty, 5) + page + strings.Repeat(empty, 5),
		"many":  page + strings.Repeat(text, 70_000),
	} {
		d := extract.Document{Name: "a.html.gz", URL: "http://h/", Bytes: []byte(src)}
		out := Rewrite(t, &Walker{}, d)
		assert.Equal(t, strings.Replace(Gunzip(t, src), "=x>", "=http://h/x>", 1), Gunzip(t, out), name)
		before, after, _ := strings.Cut(src, page)
		assert.True(t, strings.HasPrefix(out, before) && strings.HasSuffix(out, after), name)
	}
	src := strings.Repeat(text, 70_000) + page
	out := Rewrite(t, &Walker{}, extract.Document{Name: "a.html.gz", URL: "http://h/", Bytes: []byte(src)})
	assert.Equal(t, strings.Repeat("a", 70_000)+"<a href=http://h/x>", Gunzip(t, out))
	assert.True(t, strings.HasPrefix(out, strings.Repeat(text, 65_000)))
}

func TestReadKeepsNothing(t *testing.T) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.NoCompression)
	require.NoError(t, err)
	for range 6000 {
		_, err := w.Write([]byte(MadeFrom + "\n" + strings.Repeat("text\n", 1000) + "\n"))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	n := packed.Len()
	require.Greater(t, n, 24<<20)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	atEnd := readerFunc(func([]byte) (int, error) {
		runtime.GC()
		runtime.ReadMemStats(&after)
		return 0, io.EOF
	})
	records := 0
	for _, err := range new(extract.Extractor).Records(t.Context(), extract.Document{Name: "a.mbox.gz", Reader: io.MultiReader(&packed, atEnd)}) {
		require.NoError(t, err)
		records++
	}
	assert.Equal(t, 6000, records)
	assert.Less(t, after.HeapAlloc, before.HeapAlloc+uint64(n)/2)
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A document that is one record is copied if it is damaged or too long, even from a pipe. OnLink gets the links before the
// damage, and Map is not called. Damage in a stream of records is an error.
func TestAloneDamaged(t *testing.T) {
	page := "<a href=x>" + noise(5000)
	packed := Gzipped(t, page)
	for _, row := range []struct {
		name, src string
		x         extract.Extractor
		code      extract.Code
		links     int
	}{
		{"cut.html.gz", packed[:len(packed)-4], extract.Extractor{}, extract.CodeUndecodable, 1},
		{"junk.html.gz", packed + "junk" + noise(100_000), extract.Extractor{}, extract.CodeUndecodable, 1},
		{"second.html.gz", packed + packed[:1000], extract.Extractor{}, extract.CodeUndecodable, 2},
		{"cut.html.zst", zstandard(t, page) + zstandard(t, page)[:2000], extract.Extractor{}, extract.CodeUndecodable, 1},
		{"cut.html.bz2", Bzip2(t, page)[:1000], extract.Extractor{}, extract.CodeUndecodable, 0},
		{"cut.html.bz2.gz", Gzipped(t, Bzip2(t, page))[:1000], extract.Extractor{}, extract.CodeUndecodable, 0},
		{"long.html.gz", packed, extract.Extractor{MaxRecord: 1000}, extract.CodeSizeLimit, 0},
		{"long.html.bz2", Bzip2(t, page), extract.Extractor{MaxRecord: 1000}, extract.CodeSizeLimit, 0},
	} {
		for _, how := range rewritings[:4] {
			t.Run(row.name+" "+how.name, func(t *testing.T) {
				var codes []extract.Code
				shown := 0
				w := Walker{Extractor: row.x}
				w.OnProblem = func(p extract.Problem) { codes = append(codes, p.Code) }
				w.OnLink = func(*extract.Link) { shown++ }
				w.Map = func(l *extract.Link) (string, bool) { t.Error("Map is called"); return "", false }
				var out bytes.Buffer
				require.NoError(t, how.run(&w, &out, extract.Document{Name: row.name, URL: "http://h/p/", Bytes: []byte(row.src)}))
				assert.True(t, row.src == out.String())
				assert.Contains(t, codes, row.code)
				assert.Equal(t, row.links, shown)
			})
		}
	}
	mailbox := Gzipped(t, MadeFrom+"\n"+noise(3000))
	require.Error(t, new(Walker).Rewrite(io.Discard, extract.Document{Name: "a.mbox.gz", Bytes: []byte(mailbox[:1000])}))
}

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
