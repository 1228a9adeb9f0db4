package pack_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

func zipDocument(src string) extract.Document {
	return extract.Document{Name: "t.zip", Bytes: []byte(src), URL: "http://h/p/"}
}

func zipFiles(t *testing.T, src string) map[string]string {
	files := map[string]string{}
	r, err := zip.NewReader(strings.NewReader(src), int64(len(src)))
	require.NoError(t, err)
	for _, f := range r.File {
		body, err := f.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(body)
		require.NoError(t, err)
		files[f.Name] = string(data)
	}
	return files
}

const zipPython = `import zipfile, io
def read(document):
    z = zipfile.ZipFile(io.BytesIO(document))
    assert z.testzip() is None
    return "".join(i.filename + " " + z.read(i).decode() for i in z.infolist())
`

// TestZip has a row for each form of an archive, which archive/zip and Python read before and after rewriting. Only links
// change: zipOf makes the same bytes from the rewritten texts.
func TestZip(t *testing.T) {
	second := SecondReader{Function: zipPython}
	stored := zipEntry{name: "q/a.html", data: BagPage}
	deflated := zipEntry{name: "q/b.html", data: BagPage, deflate: true}
	other := zipEntry{name: "q/c.bin", data: BagPage[20:], deflate: true}
	with := func(e zipEntry, do func(*zipEntry)) zipEntry { do(&e); return e }
	streamed := with(deflated, func(e *zipEntry) { e.flags = 8 })
	signed := with(streamed, func(e *zipEntry) { e.signature = true })
	far := with(deflated, func(e *zipEntry) { e.zip64 = true })
	for _, row := range []struct {
		name            string
		prefix, comment string
		zip64           bool
		entries         []zipEntry
		alone           bool // other readers fail
	}{
		{name: "stored", entries: []zipEntry{stored, other}},
		{name: "deflated", entries: []zipEntry{deflated, other}},
		{name: "several", entries: []zipEntry{other, deflated, stored, other, with(stored, func(e *zipEntry) { e.name = "z" })}},
		{name: "sizes after the data", entries: []zipEntry{streamed, other}},
		{name: "sizes after the data, with a signature", entries: []zipEntry{signed, other}},
		{name: "sizes after the data, the size of the text also before it", entries: []zipEntry{with(signed, func(e *zipEntry) { e.early, e.deflate = true, false }), other}},
		{name: "sizes after the data, by the header only", entries: []zipEntry{with(signed, func(e *zipEntry) { e.central = 8 }), other}},
		{name: "sizes after the data, by the directory only", alone: true, entries: []zipEntry{with(deflated, func(e *zipEntry) { e.central = 8 }), other}},
		{name: "sizes after the data, in 8 bytes", entries: []zipEntry{with(signed, func(e *zipEntry) { e.wide = true }), other}},
		{name: "Zip64", zip64: true, entries: []zipEntry{far, other, with(far, func(e *zipEntry) { e.name = "d.html"; e.deflate = false })}},
		{name: "Zip64 in one file", entries: []zipEntry{far, other}},
		{name: "a comment", comment: "made by hand", entries: []zipEntry{deflated, other}},
		{name: "a comment that looks like an end record, which confuses other programs", alone: true, comment: "PK\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x09\x00", entries: []zipEntry{deflated, other}},
		{name: "a self-extracting archive", prefix: "#!/bin/sh\nunzip $0\n", entries: []zipEntry{deflated, other, stored}},
		{name: "a self-extracting Zip64 archive", prefix: "#!/bin/sh\nunzip $0\n", zip64: true, entries: []zipEntry{deflated, other, stored}},
		{name: "slip: a name is a name", entries: []zipEntry{with(stored, func(e *zipEntry) { e.name = "../../etc/a.html" }), with(stored, func(e *zipEntry) { e.name = "/a.html" })}},
		{name: "directories", entries: []zipEntry{{name: "d/"}, deflated}},
		{name: "nothing in it"},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := zipOf(row.prefix, row.zip64, row.comment, row.entries...)
			var changed []zipEntry
			want, text := map[string]string{}, ""
			for _, e := range row.entries {
				e.data = strings.Replace(e.data, "<a href=x", "<a href=http://h/p/x", 1)
				if strings.HasSuffix(e.name, ".bin") {
					e.data = other.data
				}
				want[e.name] = e.data
				text += e.name + " " + e.data
				changed = append(changed, e)
			}
			problems, out := BagProblems(t, Walker{}, zipDocument(src))
			assert.Empty(t, problems)
			if !row.alone && !(row.zip64 && row.prefix != "") { // archive/zip uses the offset in the locator unchanged
				assert.Equal(t, want, zipFiles(t, out))
			}
			made := zipOf(row.prefix, row.zip64, row.comment, changed...)
			if sameStreams(row.entries) {
				assert.Equal(t, made, out)
			}
			Stable(t, zipDocument(src), out)
			Identical(t, "t.zip", []byte(src))
			if !row.alone {
				second.Add(t, out, text)
			}
		})
	}
	t.Run("Python", second.Check)
}

// The Zip64 end of the directory may have further fields (APPNOTE 4.3.14). Then only its locator tells where it begins.
func TestZip64Further(t *testing.T) {
	further := func(data string) string {
		src := zipOf("", true, "", zipEntry{name: "a.html", data: data}, zipEntry{name: "b.bin", data: "b"})
		return strings.Replace(strings.Replace(src, "PK\x06\x06\x2c", "PK\x06\x06\x34", 1), "PK\x06\x07", "\x01\x00\x02\x00\x00\x00xxPK\x06\x07", 1)
	}
	src := further("<a href=x>")
	problems, out := BagProblems(t, Walker{}, zipDocument(src))
	assert.Empty(t, problems)
	assert.Equal(t, further("<a href=http://h/p/x>"), out)
	Stable(t, zipDocument(src), out)
	Identical(t, "t.zip", []byte(src))
}

// sameStreams reports whether no page is deflated. Two programs may deflate the same text differently.
func sameStreams(entries []zipEntry) bool {
	for _, e := range entries {
		if e.deflate && strings.HasSuffix(e.name, ".html") {
			return false
		}
	}
	return true
}

// A file that cannot be read, or is inconsistent, stays unchanged and is reported. All others are read.
func TestZipMalformed(t *testing.T) {
	b := zipEntry{name: "b.html", data: BagPage, deflate: true}
	bad := zipEntry{name: "a.html", data: BagPage, deflate: true}
	with := func(do func(*zipEntry)) []zipEntry {
		e := bad
		do(&e)
		return []zipEntry{e, b}
	}
	for _, row := range []struct {
		name    string
		src     string
		problem extract.Code
		files   int // the number of files that change
	}{
		{"encrypted", zipOf("", false, "", with(func(e *zipEntry) { e.flags = 1 })...), extract.CodeUndecodable, 1},
		{"an unknown method", zipOf("", false, "", with(func(e *zipEntry) { e.method = 99 })...), extract.CodeUndecodable, 1},
		{"a CRC that is wrong, stored", zipOf("", false, "", with(func(e *zipEntry) { e.crc, e.deflate = 1, false })...), extract.CodeUndecodable, 1},
		{"a CRC that is wrong, deflated", zipOf("", false, "", with(func(e *zipEntry) { e.crc = 1 })...), extract.CodeUndecodable, 1},
		{"a wrong size", zipOf("", false, "", with(func(e *zipEntry) { e.size = 1000 })...), extract.CodeUndecodable, 1},
		{"a size of 2^63", zipOf("", false, "", with(func(e *zipEntry) { e.size, e.zip64 = 1<<63, true })...), extract.CodeSizeLimit, 1},
		{"a bomb that declares its size", zipOf("", false, "", with(func(e *zipEntry) { e.size = 200 << 20 })...), extract.CodeRatioLimit, 1},
		{"two names for one file", overlapping(), extract.CodeHeaderMalformed, 1},
		{"a comment that is cut short", strings.TrimSuffix(zipOf("", false, "made by hand", bad, b), "hand"), extract.CodeRecordTruncated, 2},
		{"another archive before it", zipOf("", false, "", b) + strings.TrimSuffix(zipOf("", false, "made by hand", bad), "hand"), extract.CodeRecordTruncated, 1},
		{"no end", zipOf("", false, "", bad, b)[:300], extract.CodeRecordTruncated, 0},
		{"a count that is wrong", strings.Replace(zipOf("", false, "", bad, b), "PK\x05\x06\x00\x00\x00\x00\x02\x00\x02", "PK\x05\x06\x00\x00\x00\x00\x02\x00\x03", 1), extract.CodeHeaderMalformed, 0},
		{"one of several disks", strings.Replace(zipOf("", false, "", bad, b), "PK\x05\x06\x00\x00", "PK\x05\x06\x01\x00", 1), extract.CodeHeaderMalformed, 0},
		{"an invalid local header", strings.Replace(zipOf("", false, "", bad, b), "PK\x03\x04", "PK\x03\x05", 1), extract.CodeHeaderMalformed, 1},
		{"a local header with another CRC", otherCRC(zipOf("", false, "", bad, b)), extract.CodeHeaderMalformed, 1},
		{"signed as Java signs", zipOf("", false, "", bad, zipEntry{name: "META-INF/X.SF"}), extract.CodeSignatureWouldBreak, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			problems, out := BagProblems(t, Walker{}, zipDocument(row.src))
			if row.problem == "" {
				assert.Empty(t, problems)
			} else {
				assert.Contains(t, strings.Join(problems, "\n"), string(row.problem))
			}
			if row.files == 0 {
				assert.Equal(t, row.src, out)
			} else {
				assert.NotEqual(t, row.src, out)
			}
			Identical(t, "t.zip", []byte(row.src))
		})
	}
}

func otherCRC(src string) string {
	b := []byte(src)
	b[14]++
	return string(b)
}

// overlapping returns an archive whose directory lists one file twice.
func overlapping() string {
	one := zipOf("", false, "", zipEntry{name: "a.html", data: BagPage}, zipEntry{name: "b.html", data: BagPage}, zipEntry{name: "c.html", data: BagPage})
	second := strings.LastIndex(one, "b.html") - 4
	return one[:second] + "\x00\x00\x00\x00b.html" + one[second+10:]
}

// A zip bomb is read only up to the limits, whatever size it declares, and so are many small ones.
func TestZipBomb(t *testing.T) {
	big := strings.Repeat("x", 20<<20)
	liar := zipOf("", false, "", zipEntry{name: "a.html", data: big, deflate: true, size: 100})
	problems, out := BagProblems(t, Walker{}, zipDocument(liar))
	assert.Equal(t, []string{"45 ratio-limit"}, problems)
	assert.Equal(t, liar, out)

	honest := zipOf("", false, "", zipEntry{name: "a.html", data: big, deflate: true})
	problems, _ = BagProblems(t, Walker{}, zipDocument(honest))
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0], "ratio-limit")

	many := []zipEntry{}
	for i := range 30 {
		many = append(many, zipEntry{name: fmt.Sprint(i, ".html"), data: big[:1<<20], deflate: true})
	}
	problems, _ = BagProblems(t, Walker{}, zipDocument(zipOf("", false, "", many...)))
	assert.Contains(t, strings.Join(problems, "\n"), "ratio-limit", "each is short, all together are not")
}

// Nested archives are read up to the depth limit, and up to a lower one if they are compressed. What is deeper is copied.
func TestZipDepth(t *testing.T) {
	for _, row := range []struct {
		name     string
		levels   int
		deflate  bool
		problems []string
	}{
		{"stored", 62, false, nil},
		{"stored", 70, false, []string{strings.Repeat("z.zip/", 63) + "z.zip 44 depth-limit"}},
		{"compressed", 8, true, nil},
		{"compressed", 9, true, []string{strings.Repeat("z.zip/", 7) + "z.zip 45 depth-limit"}},
	} {
		src := zipOf("", false, "", zipEntry{name: "a.html", data: BagPage, deflate: row.deflate})
		for range row.levels - 1 {
			src = zipOf("", false, "", zipEntry{name: "z.zip", data: src, deflate: row.deflate})
		}
		problems, out := BagProblems(t, Walker{}, zipDocument(src))
		assert.Equal(t, row.problems, problems, "%s %d", row.name, row.levels)
		if row.problems != nil {
			assert.Equal(t, src, out, "%s %d", row.name, row.levels)
			continue
		}
		for range row.levels - 1 {
			out = zipFiles(t, out)["z.zip"]
		}
		assert.Equal(t, BagPageAfter, zipFiles(t, out)["a.html"], "%s %d", row.name, row.levels)
	}
}

func TestZipNested(t *testing.T) {
	inner := zipOf("", false, "", zipEntry{name: "i.html", data: BagPage, deflate: true})
	src := zipOf("", false, "", zipEntry{name: "q/i.zip", data: inner}, zipEntry{name: "i", data: inner, deflate: true},
		zipEntry{name: "p.html.gz", data: Gzipped(t, BagPage), deflate: true}, zipEntry{name: "t.tar", data: TarFile("a.html", BagPage), deflate: true}, zipEntry{name: "p.html.bz2", data: Bzip2(t, BagPage)},
		zipEntry{name: "book", data: zipOf("", false, "", zipEntry{name: "mimetype"}, zipEntry{name: "a.html", data: BagPage})})
	d := zipDocument(src)
	assert.Equal(t, []string{
		"q/i.zip/i.html a@href retrieval URL http://h/p/x",
		"i/i.html a@href retrieval URL http://h/p/x",
		"p.html.gz/gzip a@href retrieval URL http://h/p/x",
		"t.tar/a.html a@href retrieval URL http://h/p/x",
		"p.html.bz2/bzip2 a@href retrieval URL http://h/p/x",
	}, BagLinks(t, d))
	var w Walker
	out := Rewrite(t, &w, d)
	files := zipFiles(t, out)
	assert.Equal(t, map[string]string{"i.html": BagPageAfter}, zipFiles(t, files["q/i.zip"]))
	assert.Equal(t, map[string]string{"i.html": BagPageAfter}, zipFiles(t, files["i"]))
	assert.Equal(t, TarFile("a.html", BagPageAfter), files["t.tar"])
	assert.Equal(t, Bzip2(t, BagPageAfter), files["p.html.bz2"])
	Stable(t, d, out)
	Identical(t, "t.zip", []byte(src))

	mail := "Content-Base: http://h/p/\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\n"
	m := extract.Document{Name: "m.eml", Bytes: []byte(mail + base64.StdEncoding.EncodeToString([]byte(inner)))}
	assert.Equal(t, []string{"part[1]/i.html a@href Content-Base http://h/p/x"}, BagLinks(t, m)[1:])
	body, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(Rewrite(t, &w, m), mail))
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"i.html": BagPageAfter}, zipFiles(t, string(body)))
}

// The web archives in WACZ are read, but not changed: WACZ has a hash of each, and an index of their records.
func TestWACZ(t *testing.T) {
	records := GzipMembers(t, WARCResponse("http://h/1", "<p>none"), WARCResponse("http://h/p/", "<a href=x>"))
	src := zipOf("", false, "", zipEntry{name: "archive/data.warc.gz", data: records}, zipEntry{name: "indexes/index.cdx", data: "com,h)/ 2020"},
		zipEntry{name: "datapackage.json", data: `{"resources":[]}`, deflate: true})
	d := extract.Document{Name: "a.wacz", Bytes: []byte(src)}
	assert.Equal(t, []string{"archive/data.warc.gz/gzip/record[2]/body a@href WARC-Target-URI http://h/p/x"}, BagLinks(t, d))
	problems, out := BagProblems(t, Walker{}, d)
	assert.Equal(t, []string{"59 signature-would-break"}, problems[:1])
	assert.Equal(t, src, out)
	files := zipFiles(t, Rewrite(t, &Walker{Extractor: extract.Extractor{BreakSignatures: true}}, d))
	assert.Contains(t, Gunzip(t, files["archive/data.warc.gz"]), "<a href=http://h/p/x>")
}

func TestZipLimit(t *testing.T) {
	src := zipOf("", false, "", zipEntry{name: "a.html", data: BagPage})
	problems, out := BagProblems(t, Walker{Extractor: extract.Extractor{MaxRecord: 100}}, zipDocument(src))
	assert.Equal(t, []string{"0 size-limit"}, problems)
	assert.Equal(t, src, out)
}

func TestZipWritten(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"q/", "q/a.html", "q/é.html"} {
		f, err := w.Create(name)
		require.NoError(t, err)
		if !strings.HasSuffix(name, "/") {
			_, err = io.WriteString(f, BagPage)
			require.NoError(t, err)
		}
	}
	require.NoError(t, w.SetComment("a comment"))
	require.NoError(t, w.Close())
	var walker Walker
	out := Rewrite(t, &walker, zipDocument(b.String()))
	assert.Equal(t, map[string]string{"q/": "", "q/a.html": BagPageAfter, "q/é.html": BagPageAfter}, zipFiles(t, out))
	second := SecondReader{Function: zipPython}
	second.Add(t, out, "q/ q/a.html "+BagPageAfter+"q/é.html "+BagPageAfter)
	t.Run("Python", second.Check)

	written := Python(t, []byte(BagPage), "-c", `import sys, zipfile, io
b = io.BytesIO()
with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z:
    page = sys.stdin.read()
    z.writestr("a.html", page); z.writestr("b.html", page, zipfile.ZIP_STORED)
    with z.open("c.html", "w", force_zip64=True) as f: f.write(page.encode())
sys.stdout.write(b.getvalue().hex())
`)
	src := unhex(t, written)
	out = Rewrite(t, &walker, zipDocument(src))
	assert.Equal(t, map[string]string{"a.html": BagPageAfter, "b.html": BagPageAfter, "c.html": BagPageAfter}, zipFiles(t, out))
	Stable(t, zipDocument(src), out)
}

func unhex(t *testing.T, s string) string {
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return string(b)
}

// The extra field with a name in UTF-8 is valid only beside the name that it was made for (APPNOTE 4.6.9). Some programs
// on Windows write backslashes.
func TestZipUnicodePath(t *testing.T) {
	for name, want := range map[string]string{"?.html": "é.html", "other.html": "other.html", `d\a.html`: "d/a.html", `d/e\a.html`: `d/e\a.html`} {
		extra := append(binary.LittleEndian.AppendUint32([]byte("\x75\x70\x0c\x00\x01"), crc32.ChecksumIEEE([]byte("?.html"))), "é.html"...)
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, NonUTF8: true, Extra: extra})
		require.NoError(t, err)
		_, err = io.WriteString(f, BagPage)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		assert.Equal(t, []string{want + " a@href retrieval URL http://h/p/x"}, BagLinks(t, zipDocument(b.String())))
	}
}

func TestZipEveryPrefix(t *testing.T) {
	src := zipOf("x", true, "c", zipEntry{name: "a.html", data: BagPage, deflate: true, flags: 8, zip64: true})
	EveryPrefix(t, "t.zip", []byte(src))
	EveryByte(t, "t.zip", []byte(src))
	EveryByte(t, "page.zip", []byte(zipOf("", false, "", zipEntry{name: "index.html", data: BagPage}, zipEntry{name: "manifest.json", data: sfxManifest})))
}

func FuzzZip(f *testing.F) {
	f.Add([]byte(zipOf("", false, "", zipEntry{name: "a.html", data: BagPage}, zipEntry{name: "b.html", data: BagPage, deflate: true})), 0)
	f.Add([]byte(zipOf("x", true, "c", zipEntry{name: "a.html", data: BagPage, deflate: true, flags: 8, zip64: true})), 1000)
	f.Add([]byte(overlapping()), 0)
	f.Fuzz(func(t *testing.T, src []byte, limit int) { Fuzzed(t, "application/zip", src, limit) })
}

// zipEntry is a file of an archive that zipOf makes byte by byte.
type zipEntry struct {
	name, data string
	deflate    bool
	method     uint16 // if not 0, the headers have this method instead
	flags      uint16
	central    uint16 // the bits of flags that are different in the directory
	early      bool   // the size of the text is in the local header even if a descriptor follows
	signature  bool   // the descriptor begins with a signature
	wide       bool   // the sizes in the descriptor have 8 bytes
	zip64      bool   // sizes and offset in extra fields
	crc        uint32
	size       uint64 // if not 0, the headers have this size of the text instead
}

// zipOf returns an archive whose offsets start after the prefix.
func zipOf(prefix string, zip64 bool, comment string, entries ...zipEntry) string {
	le := binary.LittleEndian
	var b, central []byte
	for _, e := range entries {
		var packed bytes.Buffer
		packed.WriteString(e.data)
		method := uint16(0)
		if e.deflate {
			packed.Reset()
			w, _ := flate.NewWriter(&packed, 9)
			io.WriteString(w, e.data)
			w.Close()
			method = 8
		}
		if e.method != 0 {
			method = e.method
		}
		crc := crc32.ChecksumIEEE([]byte(e.data)) + e.crc
		size, text := uint64(packed.Len()), uint64(len(e.data))
		if e.size != 0 {
			text = e.size
		}
		offset := uint64(len(b))
		head := func(sizes bool, extra []byte, local bool) []byte {
			var h []byte
			h = le.AppendUint16(h, 45)
			if local {
				h = le.AppendUint16(h, e.flags)
			} else {
				h = le.AppendUint16(h, e.flags^e.central)
			}
			h = le.AppendUint16(h, method)
			h = append(h, "\x01\x02\x03\x04"...) // time and date
			if !sizes {
				h = append(h, make([]byte, 8)...)
				if e.early {
					h = le.AppendUint32(h, uint32(text))
				} else {
					h = append(h, 0, 0, 0, 0)
				}
			} else if e.zip64 {
				h = le.AppendUint32(h, crc)
				h = append(h, "\xff\xff\xff\xff\xff\xff\xff\xff"...)
			} else {
				h = le.AppendUint32(h, crc)
				h = le.AppendUint32(h, uint32(size))
				h = le.AppendUint32(h, uint32(text))
			}
			h = le.AppendUint16(h, uint16(len(e.name)))
			return le.AppendUint16(h, uint16(len(extra)))
		}
		extra := []byte("UT\x05\x00\x01abcd") // a time, which stays
		wide := le.AppendUint64(le.AppendUint64([]byte{1, 0, 16, 0}, text), size)
		local := extra
		if e.zip64 {
			local = append(bytes.Clone(extra), wide...)
		}
		b = append(b, "PK\x03\x04"...)
		b = append(b, head(e.flags&8 == 0, local, true)...)
		b = append(append(b, e.name...), local...)
		b = append(b, packed.Bytes()...)
		if e.flags&8 != 0 {
			if e.signature {
				b = append(b, "PK\x07\x08"...)
			}
			b = le.AppendUint32(b, crc)
			if e.wide {
				b = le.AppendUint64(le.AppendUint64(b, size), text)
			} else {
				b = le.AppendUint32(le.AppendUint32(b, uint32(size)), uint32(text))
			}
		}
		far := extra
		if e.zip64 {
			far = le.AppendUint64(append(bytes.Clone(extra), wide...), offset)
			far[len(extra)+2] = 24
		}
		central = append(central, "PK\x01\x02\x14\x03"...)
		central = append(central, head(true, far, false)...)
		central = append(central, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0) // a comment of one byte; disk and attributes are 0
		if e.zip64 {
			central = append(central, "\xff\xff\xff\xff"...)
		} else {
			central = le.AppendUint32(central, uint32(offset))
		}
		central = append(append(append(central, e.name...), far...), '#')
	}
	start := uint64(len(b))
	b = append(b, central...)
	if zip64 {
		end := uint64(len(b))
		b = append(b, "PK\x06\x06\x2c\x00\x00\x00\x00\x00\x00\x00\x2d\x00\x2d\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
		for _, n := range []uint64{uint64(len(entries)), uint64(len(entries)), uint64(len(central)), start} {
			b = le.AppendUint64(b, n)
		}
		b = le.AppendUint64(append(b, "PK\x06\x07\x00\x00\x00\x00"...), end)
		b = append(b, "\x01\x00\x00\x00PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"...)
	} else {
		b = append(b, "PK\x05\x06\x00\x00\x00\x00"...)
		b = le.AppendUint16(le.AppendUint16(b, uint16(len(entries))), uint16(len(entries)))
		b = le.AppendUint32(le.AppendUint32(b, uint32(len(central))), uint32(start))
	}
	b = le.AppendUint16(b, uint16(len(comment)))
	return prefix + string(b) + comment
}
