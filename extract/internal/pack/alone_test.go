package pack_test

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

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
