package extract_test

import (
	"archive/tar"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// tarHead returns the header of a file, with the fields that archivers write.
func tarHead(name, size string, flag byte) string {
	b := make([]byte, 512)
	copy(b, name)
	copy(b[100:], "0000644\x000000000\x000000000\x00")
	copy(b[124:], size)
	copy(b[136:], "00000000000\x00        ")
	b[156] = flag
	copy(b[257:], "ustar\x0000")
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	return string(b)
}

func tarFile(name, data string) string {
	return tarHead(name, fmt.Sprintf("%011o\x00", len(data)), '0') + tarData(data)
}

func tarData(data string) string { return data + strings.Repeat("\x00", -len(data)&511) }

var tarEnd = strings.Repeat("\x00", 1024)

// tarFiles reads an archive with archive/tar.
func tarFiles(t *testing.T, src string) map[string]string {
	files := map[string]string{}
	r := tar.NewReader(strings.NewReader(src))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		files[h.Name] = string(data)
	}
}

func tarOf(src string) extract.Document {
	return extract.Document{Name: "t.tar", Bytes: []byte(src), URL: "http://h/p/"}
}

// writtenTar returns an archive that archive/tar writes in one of its formats, with all kinds of entries that are
// not files.
func writtenTar(t *testing.T, format tar.Format, name string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []tar.Header{
		{Name: "d/", Typeflag: tar.TypeDir, Mode: 0o755},
		{Name: name, Typeflag: tar.TypeReg, Size: int64(len(bagPage)), Mode: 0o644},
		{Name: "l.html", Typeflag: tar.TypeSymlink, Linkname: "b.html"},
		{Name: "h.html", Typeflag: tar.TypeLink, Linkname: "b.html"},
		{Name: "dev", Typeflag: tar.TypeChar, Devmajor: 1},
		{Name: "x.bin", Typeflag: tar.TypeReg, Size: int64(len(bagPage))},
		{Name: "b.html", Typeflag: tar.TypeReg, Size: int64(len(bagPage))},
	} {
		h.Format = format
		require.NoError(t, w.WriteHeader(&h))
		if h.Size > 0 {
			_, err := io.WriteString(w, bagPage)
			require.NoError(t, err)
		}
	}
	require.NoError(t, w.Close())
	return b.String()
}

func TestTarWritten(t *testing.T) {
	long := strings.Repeat("long/", 60) + "a.html"
	for _, row := range []struct {
		name   string
		format tar.Format
		file   string
	}{
		{"ustar", tar.FormatUSTAR, "q/a.html"},
		{"ustar with a prefix", tar.FormatUSTAR, strings.Repeat("p/", 70) + "a.html"},
		{"pax", tar.FormatPAX, "q/é.html"},
		{"pax with a long name", tar.FormatPAX, long},
		{"GNU", tar.FormatGNU, "q/a.html"},
		{"GNU with a long name", tar.FormatGNU, long},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := writtenTar(t, row.format, row.file)
			d := tarOf(src)
			links := bagLinks(t, d)
			require.Len(t, links, 3)
			assert.Equal(t, row.file+" a@href retrieval URL http://h/p/x", links[0])
			assert.Equal(t, "b.html a@href retrieval URL http://h/p/x", links[2])
			var w walker
			out := rewrite(t, &w, d)
			want := tarFiles(t, src)
			for name, data := range want {
				want[name] = strings.Replace(data, "=x", "=http://h/p/x", 1)
			}
			assert.Equal(t, want, tarFiles(t, out))
			stable(t, d, out)
			identical(t, "t.tar", []byte(src))
			d.Bytes, d.Reader = nil, strings.NewReader(src)
			assert.True(t, out == rewrite(t, &w, d), "as a stream")
		})
	}
}

// TestTar has a row for each special case of the format.
func TestTar(t *testing.T) {
	// A bagPage that grows into another block, and a bagPage that fills its last block.
	edge := bagPage + strings.Repeat("y", 512-len(bagPage)-5)
	full := bagPage + strings.Repeat("y", 512-len(bagPage))
	become := func(s string) string { return strings.Replace(s, "=x", "=http://h/p/x", 1) }
	octal := func(n int) string { return fmt.Sprintf("%011o\x00", n) }
	digits := bagPage + strings.Repeat("y", 95-len(bagPage)) // its new size has one digit more
	pax := func(record string) string { return tarHead("p", octal(len(record)), 'x') + tarData(record) }
	for _, row := range []struct {
		name, src, want string
		problems        []string
	}{
		{"a file", tarFile("a.html", bagPage) + tarEnd, tarFile("a.html", bagPageAfter) + tarEnd, nil},
		{"a file that grows into another block", tarFile("a.html", edge) + tarEnd, tarFile("a.html", become(edge)) + tarEnd, nil},
		{"a file that fills its last block", tarFile("a.html", full) + tarEnd, tarFile("a.html", become(full)) + tarEnd, nil},
		{"a second file", tarFile("a.html", bagPage) + tarFile("b.html", bagPage) + tarEnd, tarFile("a.html", bagPageAfter) + tarFile("b.html", bagPageAfter) + tarEnd, nil},
		{"no end of the archive", tarFile("a.html", bagPage), tarFile("a.html", bagPageAfter), nil},
		{"no padding at the end", tarFile("a.html", bagPage)[:512+len(bagPage)], tarFile("a.html", bagPageAfter), nil},
		{"one block of zeros is not the end", tarFile("a.html", bagPage) + tarEnd[:512] + tarFile("b.html", bagPage) + tarEnd,
			tarFile("a.html", bagPageAfter) + tarEnd[:512] + tarFile("b.html", bagPageAfter) + tarEnd, nil},
		{"bytes after the end are not read", tarFile("a.html", bagPage) + tarEnd + tarFile("b.html", bagPage),
			tarFile("a.html", bagPageAfter) + tarEnd + tarFile("b.html", bagPage), nil},
		{"padding of the whole archive", tarFile("a.html", bagPage) + strings.Repeat(tarEnd, 10), tarFile("a.html", bagPageAfter) + strings.Repeat(tarEnd, 10), nil},
		{"size with spaces, as V7 writes", tarHead("a.html", fmt.Sprintf("%11o ", len(bagPage)), 0) + tarData(bagPage),
			tarHead("a.html", fmt.Sprintf("%11o ", len(bagPageAfter)), 0) + tarData(bagPageAfter), nil},
		{"size in base 256", tarHead("a.html", "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"+string(rune(len(bagPage))), '0') + tarData(bagPage),
			tarHead("a.html", "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"+string(rune(len(bagPageAfter))), '0') + tarData(bagPageAfter), nil},
		{"size in a pax header, too", pax("11 size=95\n") + tarFile("a.html", digits) + tarEnd, pax("12 size=106\n") + tarFile("a.html", become(digits)) + tarEnd, nil},
		{"size in a pax header alone", pax("12 path=q/p\n11 size=95\n") + tarHead("a.html", octal(0), '0') + tarData(digits), pax("12 path=q/p\n12 size=106\n") + tarHead("a.html", octal(0), '0') + tarData(become(digits)), nil},
		{"a directory by its name, as V7 writes", tarHead("d/", octal(99), 0) + tarFile("a.html", bagPage), tarHead("d/", octal(99), 0) + tarFile("a.html", bagPageAfter), nil},
		{"a link with a size has no data", tarHead("l", octal(99), '1') + tarFile("a.html", bagPage), tarHead("l", octal(99), '1') + tarFile("a.html", bagPageAfter), nil},
		{"a link with data, as pax may write it", pax("12 path=q/p\n") + tarHead("l", octal(len(bagPage)), '1') + tarData(bagPage) + tarFile("a.html", bagPage),
			pax("12 path=q/p\n") + tarHead("l", octal(len(bagPageAfter)), '1') + tarData(bagPageAfter) + tarFile("a.html", bagPageAfter), nil},
		{"a link with a size in a pax archive that has no data", pax("12 path=q/p\n") + tarHead("l", octal(99), '1') + tarFile("a.html", bagPage),
			pax("12 path=q/p\n") + tarHead("l", octal(99), '1') + tarFile("a.html", bagPageAfter), nil},
		{"a link with a size at the end", pax("12 path=q/p\n") + tarHead("l", octal(99), '1') + tarEnd, "", nil},
		{"a sparse file", tarHead("a.html", octal(len(bagPage)), 'S') + tarData(bagPage) + tarFile("b.html", bagPage), tarHead("a.html", octal(len(bagPage)), 'S') + tarData(bagPage) + tarFile("b.html", bagPageAfter), nil},
		{"a contiguous file", tarHead("a.html", octal(len(bagPage)), '7') + tarData(bagPage), tarHead("a.html", octal(len(bagPageAfter)), '7') + tarData(bagPageAfter), nil},
		{"a long name before the long name of a link", tarHead("L", octal(6), 'L') + tarData("s.css\x00") + tarHead("K", octal(2), 'K') + tarData("l\x00") + tarFile("s.bin", `@import "x";`),
			tarHead("L", octal(6), 'L') + tarData("s.css\x00") + tarHead("K", octal(2), 'K') + tarData("l\x00") + tarFile("s.bin", `@import "http://h/p/x";`), nil},
		{"a pax header as Solaris writes", tarHead("p", octal(14), 'X') + tarData("14 path=s.css\n") + tarFile("s.bin", `@import "x";`),
			tarHead("p", octal(14), 'X') + tarData("14 path=s.css\n") + tarFile("s.bin", `@import "http://h/p/x";`), nil},
		{"a sparse file of pax", tarHead("p", octal(22), 'x') + tarData("22 GNU.sparse.major=1\n") + tarFile("a.html", bagPage), "", nil},
		{"slip: a name is a name", tarFile("../../etc/passwd.html", bagPage) + tarFile("/etc/a.html", bagPage), tarFile("../../etc/passwd.html", bagPageAfter) + tarFile("/etc/a.html", bagPageAfter), nil},
		{"a wrong checksum", tarFile("a.html", bagPage) + strings.Replace(tarFile("b.html", bagPage), "b.html", "c.html", 1) + tarFile("d.html", bagPage),
			tarFile("a.html", bagPageAfter) + strings.Replace(tarFile("b.html", bagPage), "b.html", "c.html", 1) + tarFile("d.html", bagPage), []string{"1024 header-malformed"}},
		{"a size of 2^63", tarHead("a.html", "\x80\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00", '0') + tarData(bagPage), "", []string{"124 header-malformed"}},
		{"a size of 2^59", tarHead("a.html", "\x80\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00", '0') + tarData(bagPage), "", []string{"a.html 0 size-limit", "a.html 0 record-truncated"}},
		{"a size of nearly 2^63 in a pax header", pax("28 size=9223372036854775807\n") + tarFile("a.html", bagPage), "", []string{"a.html 0 size-limit", "a.html 0 record-truncated"}},
		{"size without zeros before it", tarHead("a.html", "77\x00", '0') + tarData(bagPage+strings.Repeat("y", 63-len(bagPage))),
			tarHead("a.html", "112\x00", '0') + tarData(become(bagPage+strings.Repeat("y", 63-len(bagPage)))), nil},
		{"a negative size", tarHead("a.html", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", '0') + tarData(bagPage), "", []string{"124 header-malformed"}},
		{"a size that is not a number", tarHead("a.html", "9", '0') + tarData(bagPage), "", []string{"124 header-malformed"}},
		{"truncated", tarFile("a.html", bagPage) + tarFile("b.html", bagPage)[:520], tarFile("a.html", bagPageAfter) + tarFile("b.html", bagPage)[:520], []string{"1024 record-truncated"}},
		{"truncated in a header", tarFile("a.html", bagPage) + tarFile("b.html", bagPage)[:20], tarFile("a.html", bagPageAfter) + tarFile("b.html", bagPage)[:20], []string{"1024 record-truncated"}},
		{"a long name of 2 MiB", tarHead("L", octal(2<<20), 'L') + strings.Repeat("x", 2<<20) + tarFile("a.html", bagPage), "", []string{"0 header-malformed"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.want == "" {
				row.want = row.src
			}
			problems, out := bagProblems(t, walker{}, tarOf(row.src))
			assert.Equal(t, row.problems, problems)
			assert.True(t, row.want == out, "%q", strings.ReplaceAll(out, "\x00", ""))
			if len(row.src) < 10000 {
				identical(t, "t.tar", []byte(row.src))
			}
		})
	}
	shorter := tarFile("a.html", "<!DOCTYPE html><base href=http://h/in/a/file/of/more/bytes/than/64/>") + tarEnd
	assert.Equal(t, tarFile("a.html", "<!DOCTYPE html>")+tarEnd, rewrite(t, &walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove}}, tarOf(shorter)), "fewer digits")
}

// A file longer than the limit is copied, and the next file is read.
func TestTarLimit(t *testing.T) {
	long := tarFile("long.html", strings.Repeat(bagPage, 10000))
	problems, out := bagProblems(t, walker{Extractor: extract.Extractor{MaxRecord: 2000}}, tarOf(long+tarFile("b.html", bagPage)+tarEnd))
	assert.Equal(t, []string{"long.html 0 size-limit"}, problems)
	assert.True(t, out == long+tarFile("b.html", bagPageAfter)+tarEnd)
}

// An archive in an archive, compressed files in an archive, and an archive in a message.
func TestTarNested(t *testing.T) {
	inner := tarFile("i.html", bagPage) + tarEnd
	src := tarFile("q/i.tar", inner) + tarFile("p.html.gz", gzipped(t, bagPage)) + tarFile("t.tgz", gzipped(t, inner)) + tarFile("z", bagPage) + tarEnd
	d := tarOf(src)
	want := []string{
		"q/i.tar/i.html a@href retrieval URL http://h/p/x",
		"p.html.gz/gzip a@href retrieval URL http://h/p/x",
		"t.tgz/gzip/i.html a@href retrieval URL http://h/p/x",
		"z a@href retrieval URL http://h/p/x",
	}
	assert.Equal(t, want, bagLinks(t, d))
	var w walker
	out := rewrite(t, &w, d)
	files := tarFiles(t, out)
	assert.Equal(t, map[string]string{"i.html": bagPageAfter}, tarFiles(t, files["q/i.tar"]))
	assert.Equal(t, bagPageAfter, files["z"])
	stable(t, d, out)
	identical(t, "t.tar", []byte(src))

	mail := "Content-Base: http://h/p/\nContent-Type: application/x-tar\nContent-Transfer-Encoding: base64\n\n"
	packed := extract.Document{Name: "m.eml", Bytes: []byte(mail + base64.StdEncoding.EncodeToString([]byte(gzipped(t, inner))))}
	assert.Equal(t, []string{"part[1]/gzip/i.html a@href Content-Base http://h/p/x"}, bagLinks(t, packed)[1:])
	m := extract.Document{Name: "m.eml", Bytes: []byte(mail + base64.StdEncoding.EncodeToString([]byte(inner)))}
	assert.Equal(t, []string{"part[1]/i.html a@href Content-Base http://h/p/x"}, bagLinks(t, m)[1:])
	body, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(rewrite(t, &w, m), mail))
	require.NoError(t, err)
	assert.Equal(t, tarFile("i.html", bagPageAfter)+tarEnd, string(body))
}

// An archive whose name has no extension is detected, whatever its first file contains.
func TestTarSniffed(t *testing.T) {
	for _, first := range []string{"Subject: x\nDate: y\nContent-Base: http://first/\n\n", enexOf(""), "<plist>WebMainResource", "From x Thu Jan  1 00:00:00 2020\n\n"} {
		src := tarFile("m", first) + tarFile("p.html", bagPage) + tarEnd
		d := extract.Document{URL: "http://h/p/", Bytes: []byte(src)}
		got := urlsOf(t, &walker{}, d)
		assert.Equal(t, "http://h/p/x", got[len(got)-1], first)
	}
}

func TestTarSecondReader(t *testing.T) {
	src := writtenTar(t, tar.FormatPAX, strings.Repeat("long/", 60)+"a.html")
	var w walker
	out := rewrite(t, &w, tarOf(src))
	got := python(t, []byte(out), "-c", `import sys, tarfile, io
t = tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read()))
for m in t:
    if m.isreg(): sys.stdout.write(m.name + " " + t.extractfile(m).read().decode())
`)
	var want strings.Builder
	for _, name := range []string{strings.Repeat("long/", 60) + "a.html", "x.bin", "b.html"} {
		want.WriteString(name + " " + bagPageAfter)
	}
	assert.Equal(t, want.String(), got)
}

// FuzzTar: for any bytes, nothing is lost.
func FuzzTar(f *testing.F) {
	f.Add([]byte(tarFile("a.html", bagPage)+tarFile("b.html", bagPage)+tarEnd), 0)
	f.Add([]byte(tarHead("p", "00000000013\x00", 'x')+tarData("11 size=47\n")+tarFile("a.html", bagPage)+tarEnd), 600)
	f.Add([]byte(tarHead("a.html", "\x80\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00", '0')+tarData(bagPage)), 100)
	f.Add([]byte(tarHead("L", "00000000007\x00", 'L')+tarData("b.html\x00")+tarFile("a.html", bagPage)), 0)
	f.Fuzz(func(t *testing.T, src []byte, limit int) { fuzzed(t, "application/x-tar", src, limit) })
}

func TestTarEveryPrefix(t *testing.T) {
	src := tarHead("p", "00000000013\x00", 'x') + tarData("11 size=47\n") + tarFile("a.html", bagPage)
	everyPrefix(t, "t.tar", []byte(src))
	everyByte(t, "t.tar", []byte(src))
}
