package pack_test

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
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

// packedFile is a compressed document, with its text before and after rewriting.
type packedFile struct {
	name, src, text, after string
	maxRecord              int
	members                []int // the offsets of members, if unchanged members are copied
	unpack                 func(src string) (string, error)
}

func (f packedFile) document() extract.Document {
	return extract.Document{Name: f.name, URL: "http://h/p/", Bytes: []byte(f.src)}
}

// readAll reads all of r, unless opening it failed with err.
func readAll(r io.Reader, err error) (string, error) {
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

func ungzipped(src string) (string, error) { return readAll(gzip.NewReader(strings.NewReader(src))) }

func unbzip2(src string) (string, error) {
	return readAll(bzip2.NewReader(strings.NewReader(src)), nil)
}

func unzstd(src string) (string, error) { return unzstdWith(src) }

func unzstdWith(src string, options ...zstd.DOption) (string, error) {
	r, err := zstd.NewReader(strings.NewReader(src), options...)
	if err != nil {
		return "", err
	}
	defer r.Close()
	return readAll(r, nil)
}

func both(outer, inner func(src string) (string, error)) func(src string) (string, error) {
	return func(src string) (string, error) {
		text, err := outer(src)
		if err != nil {
			return "", err
		}
		return inner(text)
	}
}

// packedFiles returns files of each compression, alone and nested, and some whose records are compressed separately.
func packedFiles(t *testing.T) []packedFile {
	long := BagPage + noise(100)
	longAfter := BagPageAfter + noise(100)
	none, link := WARCResponse("http://h/p/", "<p>"), WARCResponse("http://h/p/", "<a href=x>")
	linkAfter := WARCResponse("http://h/p/", "<a href=http://h/p/x>")
	most := WARCResponse("http://h/p/", noise(1000))
	samples := [][]byte{}
	for i := range 50 {
		samples = append(samples, []byte(WARCResponse(fmt.Sprint("http://h/", i), strings.Repeat(fmt.Sprint("<p>text ", i*i), i))))
	}
	dictionary, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 7, Contents: samples, History: samples[49], Offsets: [3]int{1, 4, 8}})
	require.NoError(t, err)
	first := string(append(binary.LittleEndian.AppendUint32([]byte("\x5D\x2A\x4D\x18"), uint32(len(dictionary))), dictionary...))
	withDictionary := zstd.WithEncoderDict(dictionary)
	unpackWith := func(src string) (string, error) { return unzstdWith(src, zstd.WithDecoderDicts(dictionary)) }
	inMembers := func(name string, maxRecord int, after string, texts ...string) packedFile {
		f := packedFile{name: name, text: strings.Join(texts, ""), after: after, maxRecord: maxRecord, unpack: ungzipped}
		for _, text := range texts {
			f.members = append(f.members, len(f.src))
			f.src += Gzipped(t, text)
		}
		return f
	}
	junk := inMembers("junk.warc.gz", 0, none+linkAfter, none, link)
	junk.members = append(junk.members, len(junk.src))
	junk.src, junk.unpack = junk.src+"junk", func(src string) (string, error) { return ungzipped(strings.TrimSuffix(src, "junk")) }
	return []packedFile{
		junk,
		inMembers("empty.warc.gz", 0, "", ""),
		inMembers("shared with a long one.warc.gz", 900, none+most+linkAfter, none+most, link),
		{name: "unchanged.html.gz", src: Gzipped(t, "<p>"), text: "<p>", after: "<p>", unpack: ungzipped},
		{name: "long.html.gz", src: Gzipped(t, BagPage), text: BagPage, after: BagPage, maxRecord: 10, unpack: ungzipped},
		{name: "a.html.gz", src: Gzipped(t, long), text: long, after: longAfter, unpack: ungzipped},
		{name: "two.html.gz", src: GzipMembers(t, long[:100], long[100:]), text: long, after: longAfter, unpack: ungzipped},
		{name: "a.html.zst", src: zstandard(t, long), text: long, after: longAfter, unpack: unzstd},
		{name: "dictionary.html.zst", src: first + zstandard(t, long, withDictionary), text: long, after: longAfter, unpack: unpackWith},
		{name: "a.html.bz2", src: Bzip2(t, long), text: long, after: longAfter, unpack: unbzip2},
		{name: "a.html.bz2.gz", src: Gzipped(t, Bzip2(t, long)), text: long, after: longAfter, unpack: both(ungzipped, unbzip2)},
		{name: "a.mbox.zst", src: zstandard(t, MadeFrom+"\nContent-Type: text/html\n\n"+long), text: MadeFrom + "\nContent-Type: text/html\n\n" + long,
			after: MadeFrom + "\nContent-Type: text/html\n\n" + longAfter, unpack: unzstd},
		inMembers("a.warc.gz", 0, none+linkAfter+none+linkAfter, none, link, none, link),
		inMembers("shared.warc.gz", 0, none+none+linkAfter+none+none+linkAfter, none, none+link, "", none+none, link[:50], link[50:], ""),
		{name: "unchanged.warc.gz", src: GzipMembers(t, none, "", none+none, none) + "\x00\x00\x00", text: none + none + none + none, after: none + none + none + none,
			unpack: func(src string) (string, error) { return ungzipped(strings.TrimSuffix(src, "\x00\x00\x00")) }},
		inMembers("long.warc.gz", 900, linkAfter+most+most+linkAfter, link, most, most+link),
		{name: "a.warc.zst", src: zstandard(t, none) + zstandard(t, link), text: none + link, after: none + linkAfter, unpack: unzstd},
		{name: "dictionary.warc.zst", src: first + zstandard(t, none, withDictionary) + zstandard(t, link, withDictionary), text: none + link, after: none + linkAfter, unpack: unpackWith},
		{name: "a.warc.gz.zst", src: zstandard(t, GzipMembers(t, none, link)), text: none + link, after: none + linkAfter, unpack: both(unzstd, ungzipped)},
	}
}

// strideOf returns the distance between the offsets that the tests try in a file of this length.
func strideOf(length int) int { return 1 + length/longtest.Or(6, 60) }

// rewritings are the ways in which a caller can rewrite a document.
var rewritings = []struct {
	name string
	run  func(w *Walker, dst io.Writer, d extract.Document) error
}{
	{"from memory", func(w *Walker, dst io.Writer, d extract.Document) error { return w.Rewrite(dst, d) }},
	{"from a file", func(w *Walker, dst io.Writer, d extract.Document) error {
		d.Reader, d.Bytes = bytes.NewReader(d.Bytes), nil
		return w.Rewrite(dst, d)
	}},
	{"from a pipe", func(w *Walker, dst io.Writer, d extract.Document) error {
		d.Reader, d.Bytes = Piped{Reader: bytes.NewReader(d.Bytes)}, nil
		return w.Rewrite(dst, d)
	}},
	{"record by record", byRecord},
	{"unpacked", func(w *Walker, dst io.Writer, d extract.Document) error {
		w.Decompress = true
		defer func() { w.Decompress = false }()
		return w.Rewrite(dst, d)
	}},
}

// byRecord rewrites each record into memory and then puts it, as a caller with several goroutines does.
func byRecord(w *Walker, dst io.Writer, d extract.Document) error {
	in, err := w.Open(d, dst)
	if err != nil {
		return err
	}
	for rec, err := range in.Records() {
		var rewritten bytes.Buffer
		if err == nil {
			err = w.Rewrite(&rewritten, rec.Document())
		}
		if err == nil {
			err = in.Put(rec, rewritten.Bytes())
		}
		if err != nil {
			return err
		}
	}
	return in.Close()
}

func zstandard(t *testing.T, text string, options ...zstd.EOption) string {
	w, err := zstd.NewWriter(nil, options...)
	require.NoError(t, err)
	return string(w.EncodeAll([]byte(text), nil))
}

// noise returns text that does not compress well.
func noise(n int) string {
	random, text := rand.New(rand.NewPCG(1, 2)), make([]byte, n)
	for i := range text {
		text[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[random.IntN(36)]
	}
	return string(text)
}

// An archive in an archive is like a folder of the outer one. Its own URL is not that of its files.
func TestMemberURL(t *testing.T) {
	inner := Zip("q/a.html", "<a href=x>", "b.html", "<a href=x>")
	d := extract.Document{Name: "t.zip", Bytes: []byte(Zip("c.html", "<a href=x>", "d/t.zip", inner))}
	d.MemberURL = func(name string) (url, by string) {
		if name == "d/t.zip/b.html" {
			return "", ""
		}
		return "http://h/" + name, "--site"
	}
	assert.Equal(t, []string{"http://h/x", "http://h/d/t.zip/q/x", "(no-base)"}, URLs(t, &Walker{}, d))
}

// Files in which macOS stores attributes are not read, whatever their extension.
func TestAppleDoubleInArchives(t *testing.T) {
	d := extract.Document{Name: "t.zip", URL: "http://h/p/", Bytes: []byte(Zip("a.html", "<a href=x>", "__MACOSX/._a.html", "\x00\x05\x16\x07\x00\x02\x00\x00<a href=y>"))}
	assert.Equal(t, []string{"http://h/p/x"}, URLs(t, &Walker{}, d))
}
