package pack_test

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
	. "absolink/extract/internal/extracttest"
)

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

// writtenTar returns an archive that archive/tar writes in one of its formats, with all kinds of entries that are
// not files.
func writtenTar(t *testing.T, format tar.Format, name string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []tar.Header{
		{Name: "d/", Typeflag: tar.TypeDir, Mode: 0o755},
		{Name: name, Typeflag: tar.TypeReg, Size: int64(len(BagPage)), Mode: 0o644},
		{Name: "l.html", Typeflag: tar.TypeSymlink, Linkname: "b.html"},
		{Name: "h.html", Typeflag: tar.TypeLink, Linkname: "b.html"},
		{Name: "dev", Typeflag: tar.TypeChar, Devmajor: 1},
		{Name: "x.bin", Typeflag: tar.TypeReg, Size: int64(len(BagPage))},
		{Name: "b.html", Typeflag: tar.TypeReg, Size: int64(len(BagPage))},
	} {
		h.Format = format
		require.NoError(t, w.WriteHeader(&h))
		if h.Size > 0 {
			_, err := io.WriteString(w, BagPage)
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
			d := Tar(src)
			links := BagLinks(t, d)
			require.Len(t, links, 3)
			assert.Equal(t, row.file+" a@href retrieval URL http://h/p/x", links[0])
			assert.Equal(t, "b.html a@href retrieval URL http://h/p/x", links[2])
			var w Walker
			out := Rewrite(t, &w, d)
			want := tarFiles(t, src)
			for name, data := range want {
				want[name] = strings.Replace(data, "=x", "=http://h/p/x", 1)
			}
			assert.Equal(t, want, tarFiles(t, out))
			Stable(t, d, out)
			Identical(t, "t.tar", []byte(src))
			d.Bytes, d.Reader = nil, strings.NewReader(src)
			assert.True(t, out == Rewrite(t, &w, d), "as a stream")
		})
	}
}

func TestTar(t *testing.T) {
	// One page grows into another block, and one fills its last block.
	edge := BagPage + strings.Repeat("y", 512-len(BagPage)-5)
	full := BagPage + strings.Repeat("y", 512-len(BagPage))
	become := func(s string) string { return strings.Replace(s, "=x", "=http://h/p/x", 1) }
	octal := func(n int) string { return fmt.Sprintf("%011o\x00", n) }
	digits := BagPage + strings.Repeat("y", 95-len(BagPage)) // its new size has one digit more
	pax := func(record string) string {
		return TarHead("p", octal(len(record)), 'x') + TarData(record)
	}
	for _, row := range []struct {
		name, src, want string
		problems        []string
	}{
		{"a file", TarFile("a.html", BagPage) + TarEnd, TarFile("a.html", BagPageAfter) + TarEnd, nil},
		{"a file that grows into another block", TarFile("a.html", edge) + TarEnd, TarFile("a.html", become(edge)) + TarEnd, nil},
		{"a file that fills its last block", TarFile("a.html", full) + TarEnd, TarFile("a.html", become(full)) + TarEnd, nil},
		{"a second file", TarFile("a.html", BagPage) + TarFile("b.html", BagPage) + TarEnd, TarFile("a.html", BagPageAfter) + TarFile("b.html", BagPageAfter) + TarEnd, nil},
		{"no end of the archive", TarFile("a.html", BagPage), TarFile("a.html", BagPageAfter), nil},
		{"no padding at the end", TarFile("a.html", BagPage)[:512+len(BagPage)], TarFile("a.html", BagPageAfter), nil},
		{"one block of zeros is not the end", TarFile("a.html", BagPage) + TarEnd[:512] + TarFile("b.html", BagPage) + TarEnd,
			TarFile("a.html", BagPageAfter) + TarEnd[:512] + TarFile("b.html", BagPageAfter) + TarEnd, []string{"1024 header-malformed"}},
		{"one block of zeros at the end", TarFile("a.html", BagPage) + TarEnd[:512], TarFile("a.html", BagPageAfter) + TarEnd[:512], []string{"1024 header-malformed"}},
		{"one block of zeros before a short one", TarFile("a.html", BagPage) + TarEnd[:800], TarFile("a.html", BagPageAfter) + TarEnd[:800], []string{"1024 header-malformed"}},
		{"one block of zeros before other bytes", TarFile("a.html", BagPage) + TarEnd[:512] + strings.Repeat("x", 600),
			TarFile("a.html", BagPageAfter) + TarEnd[:512] + strings.Repeat("x", 600), []string{"1024 header-malformed"}},
		{"a short block of zeros", TarFile("a.html", BagPage) + TarEnd[:100], TarFile("a.html", BagPageAfter) + TarEnd[:100], nil},
		{"bytes after the end are not read", TarFile("a.html", BagPage) + TarEnd + TarFile("b.html", BagPage),
			TarFile("a.html", BagPageAfter) + TarEnd + TarFile("b.html", BagPage), nil},
		{"padding of the whole archive", TarFile("a.html", BagPage) + strings.Repeat(TarEnd, 10), TarFile("a.html", BagPageAfter) + strings.Repeat(TarEnd, 10), nil},
		{"size with spaces, as V7 writes", TarHead("a.html", fmt.Sprintf("%11o ", len(BagPage)), 0) + TarData(BagPage),
			TarHead("a.html", fmt.Sprintf("%11o ", len(BagPageAfter)), 0) + TarData(BagPageAfter), nil},
		{"size in base 256", TarHead("a.html", "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"+string(rune(len(BagPage))), '0') + TarData(BagPage),
			TarHead("a.html", "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"+string(rune(len(BagPageAfter))), '0') + TarData(BagPageAfter), nil},
		{"size in a pax header, too", pax("11 size=95\n") + TarFile("a.html", digits) + TarEnd, pax("12 size=106\n") + TarFile("a.html", become(digits)) + TarEnd, nil},
		{"size in a pax header alone", pax("12 path=q/p\n11 size=95\n") + TarHead("a.html", octal(0), '0') + TarData(digits), pax("12 path=q/p\n12 size=106\n") + TarHead("a.html", octal(0), '0') + TarData(become(digits)), nil},
		{"a directory by its name, as V7 writes", TarHead("d/", octal(99), 0) + TarFile("a.html", BagPage), TarHead("d/", octal(99), 0) + TarFile("a.html", BagPageAfter), nil},
		{"a link with a size has no data", TarHead("l", octal(99), '1') + TarFile("a.html", BagPage), TarHead("l", octal(99), '1') + TarFile("a.html", BagPageAfter), nil},
		{"a link with data, as pax may write it", pax("12 path=q/p\n") + TarHead("l", octal(len(BagPage)), '1') + TarData(BagPage) + TarFile("a.html", BagPage),
			pax("12 path=q/p\n") + TarHead("l", octal(len(BagPageAfter)), '1') + TarData(BagPageAfter) + TarFile("a.html", BagPageAfter), nil},
		{"a link with a size in a pax archive that has no data", pax("12 path=q/p\n") + TarHead("l", octal(99), '1') + TarFile("a.html", BagPage),
			pax("12 path=q/p\n") + TarHead("l", octal(99), '1') + TarFile("a.html", BagPageAfter), nil},
		{"a link with a size at the end", pax("12 path=q/p\n") + TarHead("l", octal(99), '1') + TarEnd, "", nil},
		{"a sparse file", TarHead("a.html", octal(len(BagPage)), 'S') + TarData(BagPage) + TarFile("b.html", BagPage), TarHead("a.html", octal(len(BagPage)), 'S') + TarData(BagPage) + TarFile("b.html", BagPageAfter), nil},
		{"a contiguous file", TarHead("a.html", octal(len(BagPage)), '7') + TarData(BagPage), TarHead("a.html", octal(len(BagPageAfter)), '7') + TarData(BagPageAfter), nil},
		{"a long name before the long name of a link", TarHead("L", octal(6), 'L') + TarData("s.css\x00") + TarHead("K", octal(2), 'K') + TarData("l\x00") + TarFile("s.bin", `@import "x";`),
			TarHead("L", octal(6), 'L') + TarData("s.css\x00") + TarHead("K", octal(2), 'K') + TarData("l\x00") + TarFile("s.bin", `@import "http://h/p/x";`), nil},
		{"a pax header as Solaris writes", TarHead("p", octal(14), 'X') + TarData("14 path=s.css\n") + TarFile("s.bin", `@import "x";`),
			TarHead("p", octal(14), 'X') + TarData("14 path=s.css\n") + TarFile("s.bin", `@import "http://h/p/x";`), nil},
		{"a sparse file of pax", TarHead("p", octal(22), 'x') + TarData("22 GNU.sparse.major=1\n") + TarFile("a.html", BagPage), "", nil},
		{"slip: a name is a name", TarFile("../../etc/passwd.html", BagPage) + TarFile("/etc/a.html", BagPage), TarFile("../../etc/passwd.html", BagPageAfter) + TarFile("/etc/a.html", BagPageAfter), nil},
		{"a wrong checksum", TarFile("a.html", BagPage) + strings.Replace(TarFile("b.html", BagPage), "b.html", "c.html", 1) + TarFile("d.html", BagPage),
			TarFile("a.html", BagPageAfter) + strings.Replace(TarFile("b.html", BagPage), "b.html", "c.html", 1) + TarFile("d.html", BagPage), []string{"1024 header-malformed"}},
		{"a size of 2^63", TarHead("a.html", "\x80\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00", '0') + TarData(BagPage), "", []string{"124 header-malformed"}},
		{"a size of 2^59", TarHead("a.html", "\x80\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00", '0') + TarData(BagPage), "", []string{"a.html 0 size-limit", "a.html 0 record-truncated"}},
		{"a size of nearly 2^63 in a pax header", pax("28 size=9223372036854775807\n") + TarFile("a.html", BagPage), "", []string{"a.html 0 size-limit", "a.html 0 record-truncated"}},
		{"size without zeros before it", TarHead("a.html", "77\x00", '0') + TarData(BagPage+strings.Repeat("y", 63-len(BagPage))),
			TarHead("a.html", "112\x00", '0') + TarData(become(BagPage+strings.Repeat("y", 63-len(BagPage)))), nil},
		{"a negative size", TarHead("a.html", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", '0') + TarData(BagPage), "", []string{"124 header-malformed"}},
		{"a size that is not a number", TarHead("a.html", "9", '0') + TarData(BagPage), "", []string{"124 header-malformed"}},
		{"truncated", TarFile("a.html", BagPage) + TarFile("b.html", BagPage)[:520], TarFile("a.html", BagPageAfter) + TarFile("b.html", BagPage)[:520], []string{"1024 record-truncated"}},
		{"truncated in a header", TarFile("a.html", BagPage) + TarFile("b.html", BagPage)[:20], TarFile("a.html", BagPageAfter) + TarFile("b.html", BagPage)[:20], []string{"1024 record-truncated"}},
		{"a long name of 2 MiB", TarHead("L", octal(2<<20), 'L') + strings.Repeat("x", 2<<20) + TarFile("a.html", BagPage), "", []string{"0 header-malformed"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.want == "" {
				row.want = row.src
			}
			problems, out := BagProblems(t, Walker{}, Tar(row.src))
			assert.Equal(t, row.problems, problems)
			assert.True(t, row.want == out, "%q", strings.ReplaceAll(out, "\x00", ""))
			if len(row.src) < 10000 {
				Identical(t, "t.tar", []byte(row.src))
			}
		})
	}
	shorter := TarFile("a.html", "<!DOCTYPE html><base href=http://h/in/a/file/of/more/bytes/than/64/>") + TarEnd
	assert.Equal(t, TarFile("a.html", "<!DOCTYPE html>")+TarEnd, Rewrite(t, &Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove}}, Tar(shorter)), "fewer digits")
}

// Compressed data in a file is not decompressed to more than the limit of a record.
func TestPackedLimit(t *testing.T) {
	var long strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&long, "<a href=%d>", i)
	}
	src := TarFile("a.html.gz", Gzipped(t, long.String()))
	problems, out := BagProblems(t, Walker{Extractor: extract.Extractor{MaxRecord: 10000}}, Tar(src))
	assert.Equal(t, []string{"a.html.gz 0 ratio-limit"}, problems)
	assert.Equal(t, src, out)
	problems, out = BagProblems(t, Walker{}, Tar(src))
	assert.Empty(t, problems)
	assert.NotEqual(t, src, out)
}

func TestTarNested(t *testing.T) {
	inner := TarFile("i.html", BagPage) + TarEnd
	src := TarFile("q/i.tar", inner) + TarFile("p.html.gz", Gzipped(t, BagPage)) + TarFile("t.tgz", Gzipped(t, inner)) + TarFile("z", BagPage) + TarEnd
	d := Tar(src)
	want := []string{
		"q/i.tar/i.html a@href retrieval URL http://h/p/x",
		"p.html.gz/gzip a@href retrieval URL http://h/p/x",
		"t.tgz/gzip/i.html a@href retrieval URL http://h/p/x",
		"z a@href retrieval URL http://h/p/x",
	}
	assert.Equal(t, want, BagLinks(t, d))
	var w Walker
	out := Rewrite(t, &w, d)
	files := tarFiles(t, out)
	assert.Equal(t, map[string]string{"i.html": BagPageAfter}, tarFiles(t, files["q/i.tar"]))
	assert.Equal(t, BagPageAfter, files["z"])
	Stable(t, d, out)
	Identical(t, "t.tar", []byte(src))

	mail := "Content-Base: http://h/p/\nContent-Type: application/x-tar\nContent-Transfer-Encoding: base64\n\n"
	packed := extract.Document{Name: "m.eml", Bytes: []byte(mail + base64.StdEncoding.EncodeToString([]byte(Gzipped(t, inner))))}
	assert.Equal(t, []string{"part[1]/gzip/i.html a@href Content-Base http://h/p/x"}, BagLinks(t, packed)[1:])
	m := extract.Document{Name: "m.eml", Bytes: []byte(mail + base64.StdEncoding.EncodeToString([]byte(inner)))}
	assert.Equal(t, []string{"part[1]/i.html a@href Content-Base http://h/p/x"}, BagLinks(t, m)[1:])
	body, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(Rewrite(t, &w, m), mail))
	require.NoError(t, err)
	assert.Equal(t, TarFile("i.html", BagPageAfter)+TarEnd, string(body))
}

// If long archives are inside each other, eight are read. What is deeper is copied.
func TestArchivesInside(t *testing.T) {
	for ext, archive := range map[string]func(name, content string) string{
		"tar": func(name, content string) string { return TarFile(name, content) + TarEnd },
		"zip": func(name, content string) string { return Zip(name, content) },
	} {
		page := "<base href=http://b/><a href=x>" + strings.Repeat("a", 2<<20)
		d := extract.Document{Name: "a." + ext, URL: "http://h/", Bytes: []byte(archive("page.html", page))}
		for range 7 {
			d.Bytes = []byte(archive("i."+ext, string(d.Bytes)))
		}
		entity := strings.Repeat("i."+ext+"/", 7) + "page.html"
		assert.Equal(t, []string{entity + " a@href BASE element http://b/x"}, BagLinks(t, d))
		d.Bytes = []byte(archive("i."+ext, string(d.Bytes)))
		problems, out := BagProblems(t, Walker{}, d)
		require.Len(t, problems, 1)
		assert.Regexp(t, `^(i\.`+ext+`/){7}i\.`+ext+` \d+ depth-limit$`, problems[0])
		assert.Equal(t, string(d.Bytes), out)
	}
}

// An archive without an extension is detected, whatever its first file contains.
func TestTarSniffed(t *testing.T) {
	for _, first := range []string{"Subject: x\nDate: y\nContent-Base: http://first/\n\n", ENEX(""), "<plist>WebMainResource", "From x Thu Jan  1 00:00:00 2020\n\n"} {
		src := TarFile("m", first) + TarFile("p.html", BagPage) + TarEnd
		d := extract.Document{URL: "http://h/p/", Bytes: []byte(src)}
		got := URLs(t, &Walker{}, d)
		assert.Equal(t, "http://h/p/x", got[len(got)-1], first)
	}
}

func TestTarSecondReader(t *testing.T) {
	src := writtenTar(t, tar.FormatPAX, strings.Repeat("long/", 60)+"a.html")
	var w Walker
	out := Rewrite(t, &w, Tar(src))
	got := Python(t, []byte(out), "-c", `import sys, tarfile, io
t = tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read()))
for m in t:
    if m.isreg(): sys.stdout.write(m.name + " " + t.extractfile(m).read().decode())
`)
	var want strings.Builder
	for _, name := range []string{strings.Repeat("long/", 60) + "a.html", "x.bin", "b.html"} {
		want.WriteString(name + " " + BagPageAfter)
	}
	assert.Equal(t, want.String(), got)
}

func FuzzTar(f *testing.F) {
	f.Add([]byte(TarFile("a.html", BagPage)+TarFile("b.html", BagPage)+TarEnd), 0)
	f.Add([]byte(TarHead("p", "00000000013\x00", 'x')+TarData("11 size=47\n")+TarFile("a.html", BagPage)+TarEnd), 600)
	f.Add([]byte(TarHead("a.html", "\x80\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00", '0')+TarData(BagPage)), 100)
	f.Add([]byte(TarHead("L", "00000000007\x00", 'L')+TarData("b.html\x00")+TarFile("a.html", BagPage)), 0)
	f.Fuzz(func(t *testing.T, src []byte, limit int) { Fuzzed(t, "application/x-tar", src, limit) })
}

func TestTarEveryPrefix(t *testing.T) {
	src := TarHead("p", "00000000013\x00", 'x') + TarData("11 size=47\n") + TarFile("a.html", BagPage)
	EveryPrefix(t, "t.tar", []byte(src))
	EveryByte(t, "t.tar", []byte(src))
}
