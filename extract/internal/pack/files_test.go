package pack_test

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

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
