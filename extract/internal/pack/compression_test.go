package pack_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

// Problems are also reported if the compressed document is copied unchanged.
func TestUnchangedTells(t *testing.T) {
	whole := Gzipped(t, "<a href=x>"+strings.Repeat("text ", 1000))
	for _, row := range []struct {
		name, src string
		want      extract.Code
	}{
		{"a link without a base", whole, extract.CodeNoBase},
		{"a truncated file", Gzipped(t, strings.Repeat("text ", 1000))[:30], extract.CodeUndecodable},
	} {
		t.Run(row.name, func(t *testing.T) {
			var codes []extract.Code
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { codes = append(codes, p.Code) }}}
			var out strings.Builder
			require.NoError(t, w.Rewrite(&out, extract.Document{Name: "p.html.gz", Bytes: []byte(row.src)}))
			assert.Equal(t, row.src, out.String())
			assert.Equal(t, []extract.Code{row.want}, codes)
		})
	}

	// Problems are reported at once, and not kept in memory until it is known whether the file changes.
	links := longtest.Or(3_000, 300_000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	told := 0
	w := Walker{Extractor: extract.Extractor{OnProblem: func(extract.Problem) {
		if told++; told == 1 {
			runtime.GC()
			runtime.ReadMemStats(&after)
		}
	}}}
	src := Gzipped(t, strings.Repeat("<a href=x>", links))
	require.NoError(t, w.Rewrite(io.Discard, extract.Document{Name: "p.html.gz", Bytes: []byte(src)}))
	assert.Equal(t, links, told)
	if longtest.On() {
		assert.Less(t, after.HeapAlloc, before.HeapAlloc+100*uint64(links))
	}
}

// A file that decompresses to itself is reported, and reading it ends.
func TestPackedWithoutEnd(t *testing.T) {
	src := "<a href=x>"
	for range 100 {
		src = Gzipped(t, src)
	}
	f, packed := extract.DetectUnpacked("application/gzip", "p", []byte(src))
	assert.True(t, packed)
	assert.Nil(t, f)
	once, _ := extract.DetectUnpacked("application/gzip", "p.gz", []byte(Gzipped(t, "From a@b Thu Jan  1 00:00:00 1970\n\n")))
	assert.Same(t, extract.FormatOf("application/mbox"), once)
}

// A compressed file is detected by any first bytes that its format allows.
func TestPackedBegins(t *testing.T) {
	zw, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	frame := string(zw.EncodeAll([]byte("<a href=x>"), nil))
	for _, row := range []struct {
		name, file, src string
		links           []string
	}{
		{"skippable frames, as pzstd writes (RFC 8878 3.1.2)", "p.html.zst", "\x50\x2A\x4D\x18\x04\x00\x00\x00size" + frame, []string{"zstd http://h/x retrieval URL"}},
		{"zeros after a member, as on tapes", "p.html.gz", Gzipped(t, "<a href=x>") + strings.Repeat("\x00", 100), []string{"gzip http://h/x retrieval URL"}},
		{"bzip2 of an empty file", "p.html.bz2", "BZh9\x17rE8P\x90\x00\x00\x00\x00", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			d := extract.Document{Name: row.file, URL: "http://h/", Bytes: []byte(row.src)}
			assert.Equal(t, row.links, LinkLines(t, &w, d))
			d.URL = ""
			assert.Equal(t, row.src, Rewrite(t, &w, d))
		})
	}
}

func TestPackedDepth(t *testing.T) {
	pack := func(times int, text string) string {
		for range times {
			text = Gzipped(t, text)
		}
		return text
	}
	var w Walker
	d := extract.Document{Name: "p.html" + strings.Repeat(".gz", 8), URL: "http://h/", Bytes: []byte(pack(8, "<a href=x>"))}
	links := 0
	require.NoError(t, w.Links(d, func(*extract.Link) error { links++; return nil }))
	assert.Equal(t, 1, links)

	// A document with more compressions is copied unread, even from a pipe.
	deep := pack(100, "<a href=x>")
	var problems []extract.Problem
	report := func(p extract.Problem) { problems = append(problems, p) }
	told := func(what string) []extract.Problem {
		return []extract.Problem{{Document: "p.html.gz", Severity: extract.SeverityError, Code: extract.CodeDepthLimit,
			Detail: "more than 8 nested compressions; the document " + what}}
	}
	w = Walker{Extractor: extract.Extractor{OnProblem: report}}
	d = extract.Document{Name: "p.html.gz", URL: "http://h/", Bytes: []byte(deep)}
	require.NoError(t, w.Links(d, func(*extract.Link) error { t.Fail(); return nil }))
	assert.Equal(t, told("is not read"), problems)
	noise := make([]byte, longtest.Or(1<<17, 1<<20))
	rand.NewChaCha8([32]byte{}).Read(noise)
	framed := "\x50\x2A\x4D\x18\x04\x00\x00\x00size" + zstandard(t, deep)
	for _, src := range []string{deep, framed, pack(66, string(noise))} {
		for _, unpacked := range []bool{false, true} {
			w.Decompress = unpacked
			for _, d := range []extract.Document{
				{Name: "p.html.gz", Bytes: []byte(src)},
				{Name: "p.html.gz", Reader: strings.NewReader(src)},
				{Name: "p.html.gz", Reader: io.MultiReader(strings.NewReader(src))},
			} {
				problems = nil
				assert.True(t, src == Rewrite(t, &w, d))
				assert.Equal(t, told("is copied unchanged"), problems)

				if d.Reader != nil {
					d.Reader = io.MultiReader(strings.NewReader(src))
				}
				problems = nil
				var out bytes.Buffer
				in, err := w.Open(d, &out)
				require.NoError(t, err)
				for rec, err := range in.Records() {
					require.NoError(t, err)
					var rewritten bytes.Buffer
					require.NoError(t, w.Rewrite(&rewritten, rec.Document()))
					require.NoError(t, in.Put(rec, rewritten.Bytes()))
				}
				require.NoError(t, in.Close())
				assert.True(t, src == out.String())
				assert.Equal(t, told("is copied unchanged"), problems)
			}
		}
	}

	// One that is not too deep is compressed again in the same order.
	w = Walker{}
	d = extract.Document{Name: "p.html.gz.zst", URL: "http://h/", Reader: io.MultiReader(strings.NewReader(zstandard(t, Gzipped(t, "<a href=x>"))))}
	out := Rewrite(t, &w, d)
	d.Reader = strings.NewReader(out)
	assert.Equal(t, []string{"http://h/x"}, URLs(t, &w, d))
}
