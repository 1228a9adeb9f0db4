package extract_test

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// errDevice is the error of the readers and writers here.
var errDevice = errors.New("the device is gone")

// packedFile is a compressed document, and what its text is before and after it is rewritten.
type packedFile struct {
	name, src, text, after string
	maxRecord              int
	members                []int // where a member begins, if those that do not change are copied
	unpack                 func(src string) (string, error)
}

func (f packedFile) document() extract.Document {
	return extract.Document{Name: f.name, URL: "http://h/p/", Bytes: []byte(f.src)}
}

func zstdOf(t *testing.T, text string, options ...zstd.EOption) string {
	w, err := zstd.NewWriter(nil, options...)
	require.NoError(t, err)
	return string(w.EncodeAll([]byte(text), nil))
}

// readAll reads what a reader gives, which was opened with an error or none.
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

// both unpacks twice.
func both(outer, inner func(src string) (string, error)) func(src string) (string, error) {
	return func(src string) (string, error) {
		text, err := outer(src)
		if err != nil {
			return "", err
		}
		return inner(text)
	}
}

// packedFiles are of each compression, alone, around one another, and around the formats whose records are
// compressed one by one.
func packedFiles(t *testing.T) []packedFile {
	long := bagPage + noise(100)
	longAfter := bagPageAfter + noise(100)
	none, link := warcResponse("http://h/p/", "<p>"), warcResponse("http://h/p/", "<a href=x>")
	linkAfter := warcResponse("http://h/p/", "<a href=http://h/p/x>")
	most := warcResponse("http://h/p/", noise(1000))
	samples := [][]byte{}
	for i := range 50 {
		samples = append(samples, []byte(warcResponse(fmt.Sprint("http://h/", i), strings.Repeat(fmt.Sprint("<p>text ", i*i), i))))
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
			f.src += gzipped(t, text)
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
		{name: "unchanged.html.gz", src: gzipped(t, "<p>"), text: "<p>", after: "<p>", unpack: ungzipped},
		{name: "long.html.gz", src: gzipped(t, bagPage), text: bagPage, after: bagPage, maxRecord: 10, unpack: ungzipped},
		{name: "a.html.gz", src: gzipped(t, long), text: long, after: longAfter, unpack: ungzipped},
		{name: "two.html.gz", src: gzipMembers(t, long[:100], long[100:]), text: long, after: longAfter, unpack: ungzipped},
		{name: "a.html.zst", src: zstdOf(t, long), text: long, after: longAfter, unpack: unzstd},
		{name: "dictionary.html.zst", src: first + zstdOf(t, long, withDictionary), text: long, after: longAfter, unpack: unpackWith},
		{name: "a.html.bz2", src: bzip2Of(t, long), text: long, after: longAfter, unpack: unbzip2},
		{name: "a.html.bz2.gz", src: gzipped(t, bzip2Of(t, long)), text: long, after: longAfter, unpack: both(ungzipped, unbzip2)},
		{name: "a.mbox.zst", src: zstdOf(t, madeFrom+"\nContent-Type: text/html\n\n"+long), text: madeFrom + "\nContent-Type: text/html\n\n" + long,
			after: madeFrom + "\nContent-Type: text/html\n\n" + longAfter, unpack: unzstd},
		inMembers("a.warc.gz", 0, none+linkAfter+none+linkAfter, none, link, none, link),
		inMembers("shared.warc.gz", 0, none+none+linkAfter+none+none+linkAfter, none, none+link, "", none+none, link[:50], link[50:], ""),
		{name: "unchanged.warc.gz", src: gzipMembers(t, none, "", none+none, none) + "\x00\x00\x00", text: none + none + none + none, after: none + none + none + none,
			unpack: func(src string) (string, error) { return ungzipped(strings.TrimSuffix(src, "\x00\x00\x00")) }},
		inMembers("long.warc.gz", 900, linkAfter+most+most+linkAfter, link, most, most+link),
		{name: "a.warc.zst", src: zstdOf(t, none) + zstdOf(t, link), text: none + link, after: none + linkAfter, unpack: unzstd},
		{name: "dictionary.warc.zst", src: first + zstdOf(t, none, withDictionary) + zstdOf(t, link, withDictionary), text: none + link, after: none + linkAfter, unpack: unpackWith},
		{name: "a.warc.gz.zst", src: zstdOf(t, gzipMembers(t, none, link)), text: none + link, after: none + linkAfter, unpack: both(unzstd, ungzipped)},
	}
}

// noise is text that compresses little.
func noise(n int) string {
	random, text := rand.New(rand.NewPCG(1, 2)), make([]byte, n)
	for i := range text {
		text[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[random.IntN(36)]
	}
	return string(text)
}

// strideOf is the distance of the offsets that are tried in a file: every one in a short file.
func strideOf(length int) int { return 1 + length/60 }

// rewritings are the ways in which a caller rewrites a document.
var rewritings = []struct {
	name string
	run  func(w *extract.Walker, dst io.Writer, d extract.Document) error
}{
	{"from memory", func(w *extract.Walker, dst io.Writer, d extract.Document) error { return w.Rewrite(dst, d) }},
	{"from a file", func(w *extract.Walker, dst io.Writer, d extract.Document) error {
		d.Reader, d.Bytes = bytes.NewReader(d.Bytes), nil
		return w.Rewrite(dst, d)
	}},
	{"from a pipe", func(w *extract.Walker, dst io.Writer, d extract.Document) error {
		d.Reader, d.Bytes = piped{bytes.NewReader(d.Bytes)}, nil
		return w.Rewrite(dst, d)
	}},
	{"record by record", byRecord},
	{"unpacked", func(w *extract.Walker, dst io.Writer, d extract.Document) error {
		w.Unpacked = true
		defer func() { w.Unpacked = false }()
		return w.Rewrite(dst, d)
	}},
}

// byRecord rewrites the records as several goroutines do: each into memory, and then to the output.
func byRecord(w *extract.Walker, dst io.Writer, d extract.Document) error {
	in, err := w.Open(d, dst)
	if err != nil {
		return err
	}
	for rec, err := range in.Records() {
		var rewritten bytes.Buffer
		if err == nil {
			err = w.RewriteRecord(&rewritten, rec)
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

// failingWriter has room for so many bytes, or fails one call only: the one of a number from 1.
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

// A write error always comes back: wherever it occurs, and if later writes succeed, too.
func TestPackedManyWritesFail(t *testing.T) {
	for _, f := range packedFiles(t) {
		for _, how := range rewritings {
			t.Run(f.name+" "+how.name, func(t *testing.T) {
				w := extract.Walker{Options: extract.Options{MaxRecord: f.maxRecord}}
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

// A read error always comes back: it is not taken for damage, nor for the end.
func TestPackedManyReadsFail(t *testing.T) {
	for _, f := range packedFiles(t) {
		for name, kind := range map[string]func(in io.Reader) io.Reader{
			"":             func(in io.Reader) io.Reader { return in },
			" with data":   iotest.DataErrReader,
			" byte by one": iotest.OneByteReader,
		} {
			t.Run(f.name+name, func(t *testing.T) {
				w := extract.Walker{Options: extract.Options{MaxRecord: f.maxRecord}}
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

// failingFile is a file of which one call fails.
type failingFile struct {
	*bytes.Reader
	call, calls  int
	reads, seeks bool
	failed       bool
}

func (f *failingFile) fails(counts bool) bool {
	if counts {
		f.calls++
	}
	if counts && f.calls == f.call {
		f.failed = true
		return true
	}
	return false
}

func (f *failingFile) Read(p []byte) (int, error) {
	if f.fails(f.reads) {
		return 0, errDevice
	}
	return f.Reader.Read(p[:min(len(p), 700)])
}

func (f *failingFile) Seek(offset int64, whence int) (int64, error) {
	if f.fails(f.seeks) {
		return 0, errDevice
	}
	return f.Reader.Seek(offset, whence)
}

// A file is read twice to see whether it stays as it is. An error of the second reading comes back, too.
// A file that cannot say where it stands is read as a pipe.
func TestPackedManyFilesFail(t *testing.T) {
	for _, f := range packedFiles(t) {
		for _, link := range []bool{false, true} {
			for _, kind := range []string{"reads", "seeks"} {
				t.Run(fmt.Sprint(f.name, " ", kind, " ", link), func(t *testing.T) {
					for call := 1; ; call++ {
						in := &failingFile{Reader: bytes.NewReader([]byte(f.src)), call: call, reads: kind == "reads", seeks: kind == "seeks"}
						d := f.document()
						d.Bytes, d.Reader = nil, in
						w := extract.Walker{Options: extract.Options{MaxRecord: f.maxRecord}}
						if link {
							w.OnLink, w.OnProblem = func(*extract.Link) {}, func(extract.Problem) {}
						}
						var out bytes.Buffer
						err := w.Rewrite(&out, d)
						if in.failed && (err != nil || kind == "reads") {
							require.ErrorIs(t, err, errDevice, "call %d", call)
							continue
						}
						require.NoError(t, err, "call %d", call)
						text, err := f.unpack(out.String())
						require.NoError(t, err, "call %d", call)
						require.Equal(t, f.after, text, "call %d", call)
						if !in.failed {
							return
						}
					}
				})
			}
		}
	}
}

// A truncated file is never a shorter one: rewriting it fails, or what cannot be read is copied as it is.
func TestPackedManyTruncated(t *testing.T) {
	for _, f := range packedFiles(t) {
		for _, how := range rewritings {
			if how.name == "unpacked" {
				continue
			}
			t.Run(f.name+" "+how.name, func(t *testing.T) {
				w := extract.Walker{Options: extract.Options{MaxRecord: f.maxRecord}}
				for n := len(f.src) - 1; n > 0; n -= strideOf(len(f.src)) {
					checkKept(t, &w, f, how.run, f.src[:n], n)
				}
			})
		}
	}
}

// A damaged file, too.
func TestPackedManyDamaged(t *testing.T) {
	for _, f := range packedFiles(t) {
		for _, how := range rewritings {
			if how.name == "unpacked" {
				continue
			}
			t.Run(f.name+" "+how.name, func(t *testing.T) {
				w := extract.Walker{Options: extract.Options{MaxRecord: f.maxRecord}}
				first := 3 // behind the bytes that tell the compression: with others it is another document
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

// checkKept rewrites what a file has become by damage at an offset. If there is no error then the output is the
// input; or the input is valid after all, and so is the output; or the members before some place are
// rewritten, and the bytes from there on are copied.
func checkKept(t *testing.T, w *extract.Walker, f packedFile, run func(*extract.Walker, io.Writer, extract.Document) error, src string, at int) {
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
		plain := rewrite(t, w, extract.Document{Name: name[0] + "." + name[1], URL: d.URL, Bytes: []byte(text)})
		if got, err := f.unpack(before); err == nil && got == plain {
			return
		}
	}
	require.Fail(t, "part of the file is lost", "damage at %d of %d bytes, output of %d", at, len(src), out.Len())
}

// Records that share members wait for the last of them. If that is in a member too long to be kept then a
// write error comes back, too.
func TestPackedManyWritesFailLate(t *testing.T) {
	random := make([]byte, 5<<20)
	rand.NewChaCha8([32]byte{}).Read(random)
	none, long := warcResponse("http://h/", "<p>"), warcRecord("resource", "http://h/", "video/mp4", string(random), "")
	src := gzipMembers(t, none+long[:50], long[50:])
	d := extract.Document{Name: "a.warc.gz", Bytes: []byte(src)}
	all := failingWriter{room: 1 << 30}
	require.NoError(t, new(extract.Walker).Rewrite(&all, d))
	require.True(t, gunzip(t, all.out.String()) == none+long)
	for call := 1; call <= all.calls; call += 1 + call/4 {
		require.ErrorIs(t, new(extract.Walker).Rewrite(&failingWriter{room: 1 << 30, call: call}, d), errDevice, "call %d", call)
	}
}

// A record that is put without any piece is left out, one beyond the limit, too.
func TestPackedRecordLeftOut(t *testing.T) {
	first, long := warcResponse("http://h/p/", "<p>"), warcResponse("http://h/p/", noise(2000))
	var out bytes.Buffer
	w := extract.Walker{Options: extract.Options{MaxRecord: 900}}
	in, err := w.Open(extract.Document{Name: "a.warc.gz", Bytes: []byte(gzipMembers(t, first, long, first))}, &out)
	require.NoError(t, err)
	for rec, err := range in.Records() {
		require.NoError(t, err)
		if rec.Format == nil {
			require.NoError(t, in.Put(rec))
		} else {
			require.NoError(t, in.Put(rec, gzipBytes(t, rec.Bytes)))
		}
	}
	require.NoError(t, in.Close())
	require.Equal(t, first+first, gunzip(t, out.String()))
}

func gzipBytes(t *testing.T, text []byte) []byte { return []byte(gzipped(t, string(text))) }

// A dictionary that is damaged is an error, compressed or not.
func TestPackedDictionaryDamaged(t *testing.T) {
	for _, dictionary := range []string{"none", "\x28\xB5\x2F\xFDnone"} {
		src := append(binary.LittleEndian.AppendUint32([]byte("\x5D\x2A\x4D\x18"), uint32(len(dictionary))), dictionary+zstdOf(t, "<a href=x>")...)
		require.Error(t, new(extract.Walker).Rewrite(io.Discard, extract.Document{Name: "a.html.zst", Bytes: src}))
	}
}

// Splits reads the beginning of a compressed file. If that fails then rewriting tells.
func TestSplitsFails(t *testing.T) {
	record := gzipped(t, warcResponse("http://h/p/", "<p>"))
	damaged := "\x5D\x2A\x4D\x18\xFF\xFF\xFF\xFF" + strings.Repeat("x", 100)
	for _, row := range []struct {
		name, file, src string
		call            int // of Seek, which fails
		peek            error
		want            bool
	}{
		{"one record by its name", "a.html", "<p>", 0, nil, false},
		{"its beginning cannot be read", "a.warc.gz", record, 0, errDevice, false},
		{"each record a member", "a.warc.gz", record, 0, nil, true},
		{"no record", "a.warc.gz", gzipped(t, ""), 0, nil, false},
		{"records in one member", "a.mbox.gz", gzipped(t, madeFrom+"\n\n"), 0, nil, false},
		{"a file that is a pipe", "a.warc.gz", gzipped(t, ""), 1, nil, true},
		{"a file that cannot be set back", "a.warc.gz", gzipped(t, ""), 2, nil, true},
		{"a damaged dictionary", "a.warc.zst", damaged, 0, nil, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			in := &failingFile{Reader: bytes.NewReader([]byte(row.src)), call: row.call, seeks: true}
			got := new(extract.Walker).Splits(extract.Document{Name: row.file, Reader: in}, func() ([]byte, error) { return []byte(row.src), row.peek }, true)
			require.Equal(t, row.want, got)
			require.Equal(t, len(row.src), in.Len(), "it stands where it stood")
		})
	}
}

// What follows a damaged member is copied to its end, though it is longer than what is read at once. An error
// of reading or writing it comes back.
func TestPackedLongJunk(t *testing.T) {
	const header = "\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x03"
	src, junk := gzipped(t, warcResponse("http://h/p/", "<a href=x>")), header+strings.Repeat("\xFFjunk", 300_000) // \xFF begins no block
	d := extract.Document{Name: "a.warc.gz", Bytes: []byte(src + junk)}
	all := failingWriter{room: 1 << 30}
	require.NoError(t, new(extract.Walker).Rewrite(&all, d))
	before, copied := strings.CutSuffix(all.out.String(), junk)
	require.True(t, copied)
	require.Equal(t, warcResponse("http://h/p/", "<a href=http://h/p/x>"), gunzip(t, before))
	require.ErrorIs(t, new(extract.Walker).Rewrite(&failingWriter{room: all.out.Len() - 1}, d), errDevice)
	d.Bytes, d.Reader = nil, io.MultiReader(strings.NewReader(src+junk), iotest.ErrReader(errDevice))
	require.ErrorIs(t, new(extract.Walker).Rewrite(io.Discard, d), errDevice)
}
