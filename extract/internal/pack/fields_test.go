package pack

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

// TestGzipHeaders has headers that the standard library wrote. The second member of a file may have another header than the
// first, and a member that ends in its header is damaged.
func TestGzipHeaders(t *testing.T) {
	for _, header := range []gzip.Header{{}, {Name: "a.html"}, {Comment: "made by hand"}, {Extra: []byte("\x00\x01\x02")}, {Name: "a", Comment: "b", Extra: make([]byte, 300)}} {
		member := func(text string, header gzip.Header) []byte {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Header = header
			_, err := w.Write([]byte(text))
			require.NoError(t, err)
			require.NoError(t, w.Close())
			return b.Bytes()
		}
		first, second := member("first ", gzip.Header{}), member("second", header)
		read := func(src []byte) (string, error) {
			r, err := newGzip(bufio.NewReader(bytes.NewReader(src)))
			require.NoError(t, err)
			text, err := io.ReadAll(r)
			return string(text), err
		}
		text, err := read(append(first, second...))
		assert.NoError(t, err)
		assert.Equal(t, "first second", text)
		for n := 1; n < 10; n++ {
			text, err := read(append(first[:len(first):len(first)], second[:n]...))
			assert.Error(t, err, "%d bytes of %+v", n, header)
			assert.Equal(t, "first ", text)
		}
	}
}

func TestTarNumber(t *testing.T) {
	for _, row := range []struct {
		field string
		want  int64
		ok    bool
	}{
		{"00000001750\x00", 1000, true},
		{"       1750 ", 1000, true},
		{"1750\x00\x00\x00\x00", 1000, true},
		{"77777777777\x00", 1<<33 - 1, true},
		{"777777777777", 1<<36 - 1, true},
		{"\x00\x00\x00\x00", 0, true},
		{"00000001780\x00", 0, false},
		{"-0000001750\x00", 0, false},
		{"175 0\x00", 0, false},
		{"\x80\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00", 1 << 33, true},
		{"\x80\x00\x00\x00\x0F\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 1<<60 - 1, true},
		{"\x80\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00", 0, false},
		{"\x80\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 0, false},
		{"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE", 0, false}, // -2
	} {
		got, ok := tarNumber([]byte(row.field))
		assert.Equal(t, row.ok, ok, "%q", row.field)
		if row.ok {
			assert.Equal(t, row.want, got, "%q", row.field)
		}
	}
}

func TestPutTarNumber(t *testing.T) {
	for _, row := range []struct {
		field string
		n     int64
		want  string
	}{
		{"00000001750\x00", 8, "00000000010\x00"},
		{"       1750 ", 8, "         10 "},
		{"0001750\x00 ", 8, "0000010\x00 "},
		{"1\x00\x00\x00", 0o777, "777\x00"},
		{"1 \x00\x00", 0o7, "7 \x00\x00"},
		{"777\x00", 0o1000, "\x80\x00\x02\x00"},
		{"0777", 0o1000, "1000"},
		{"\x00\x00\x00\x00", 1, "001\x00"},
		{"\x80\x00\x00\x05", 1000, "\x80\x00\x03\xe8"},
	} {
		field := []byte(row.field)
		putTarNumber(field, row.n)
		assert.Equal(t, row.want, string(field), "%q", row.field)
		got, ok := tarNumber(field)
		assert.True(t, ok)
		assert.Equal(t, row.n, got, "%q", row.field)
	}
}

// The length of a record includes its own digits, however many these are.
func TestPaxRecord(t *testing.T) {
	assert.Equal(t, "14 size=12345\n", string(paxRecord("size", "12345")))
	for n := range 300 {
		record := paxRecord("path", strings.Repeat("x", n))
		assert.Equal(t, fmt.Sprintf("%d path=%s\n", len(record), strings.Repeat("x", n)), string(record))
		m := tarMember{pax: -1}
		m.readPax(append([]byte("12"), record...), 7, codec.Span{Start: 2, End: 2 + len(record)})
		assert.Equal(t, strings.Repeat("x", n), m.name)
	}
}

func TestReadPax(t *testing.T) {
	for _, row := range []struct {
		name, src, path string
		size            int64 // -1 if there is none
		sparse          bool
	}{
		{"both", "11 path=ab\n14 size=12345\n", "ab", 12345, false},
		{"the last one applies", "11 path=ab\n11 path=cd\n", "cd", -1, false},
		{"other records are skipped", "12 mtime=12\n11 path=ab\n", "ab", -1, false},
		{"sparse", "22 GNU.sparse.major=1\n", "", -1, true},
		{"a negative size", "11 size=-1\n", "", -1, false},
		{"a length that is too long", "11 path=ab\n99 size=12345\n", "ab", -1, false},
		{"a length that is too short", "1 path=ab\n", "", -1, false},
		{"a length that is not a number", "x path=ab\n", "", -1, false},
		{"no space after the length", strings.Repeat("1", 30), "", -1, false},
		{"an equals sign in the value", "12 path=a=b\n", "a=b", -1, false},
		{"a NUL ends the path", "12 path=a\x00b\n", "a", -1, false},
	} {
		m := tarMember{pax: -1}
		m.readPax([]byte(row.src), 0, codec.Span{End: len(row.src)})
		assert.Equal(t, row.path, m.name, row.name)
		assert.Equal(t, row.size >= 0, m.pax >= 0, row.name)
		assert.Equal(t, max(row.size, 0), m.paxSize, row.name)
		assert.Equal(t, row.sparse, m.sparse, row.name)
	}
}

func TestZipExtra(t *testing.T) {
	const src = "head\x55\x54\x02\x00ab\x01\x00\x03\x00xyz\x75\x70\x09\x00short"
	for _, row := range []struct {
		id   uint16
		n    int
		want string
	}{
		{0x5455, len(src) - 4, "ab"},
		{1, len(src) - 4, "xyz"},
		{2, len(src) - 4, ""},
		{zipUnicodePath, len(src) - 4, ""}, // longer than the bytes after it
		{1, 12, ""},
		{1, 6, ""},
		{0x5455, 0, ""},
	} {
		at, n := zipExtra([]byte(src), row.id, 4, row.n)
		assert.Equal(t, row.want, src[at:at+n], "%#x in %d bytes", row.id, row.n)
	}
}

func TestUnpackedName(t *testing.T) {
	for name, want := range map[string]string{
		"a.html.gz": "a.html", "a.tgz": "a.tar", "A.TAR.BZ2": "A.TAR", "a.svgz": "a.svg", "a.warc.zst": "a.warc", "a.tbz": "a.tar",
		"a.html": "a.html", ".gz": ".gz", "gz": "gz", "a.gz/b": "a.gz/b", "": "",
	} {
		assert.Equal(t, want, UnpackedName(name), "%q", name)
	}
}
