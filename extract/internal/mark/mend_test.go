package mark

import (
	"crypto/md5"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

func spanOf(t *testing.T, src, part string) codec.Span {
	t.Helper()
	require.Equal(t, 1, strings.Count(src, part), "%q in %q", part, src)
	i := strings.Index(src, part)
	return codec.Span{Start: i, End: i + len(part)}
}

// replaced returns the edits that replace each of the pairs old, new in src.
func replaced(t *testing.T, src string, pairs ...string) (edits []codec.Edit) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		edits = append(edits, codec.Edit{Span: spanOf(t, src, pairs[i]), New: []byte(pairs[i+1])})
	}
	codec.SortEdits(edits)
	return edits
}

func TestCounts(t *testing.T) {
	for _, row := range []struct {
		name       string
		value, of  string // both are part of the source
		count      func([]byte) int
		edits      []string
		want       string // of value
		afterwards string // the text after of
	}{
		{name: "bytes, longer", value: "4", of: "<xy>", count: CountBytes, edits: []string{"xy", "http"}, want: "6"},
		{name: "bytes, shorter", value: "4", of: "<xy>", count: CountBytes, edits: []string{"xy", ""}, want: "2"},
		{name: "more digits", value: "9", of: "<xyxxxxx>", count: CountBytes, edits: []string{"xyx", "absolute"}, want: "14"},
		{name: "fewer digits", value: "10", of: "<abcdefgh>", count: CountBytes, edits: []string{"cde", "x"}, want: "8"},
		{name: "two edits", value: "8", of: "<ab><cd>", count: CountBytes, edits: []string{"ab", "a", "cd", "cdef"}, want: "9"},
		{name: "white space around the number is kept", value: " 4\r", of: "<xy>", count: CountBytes, edits: []string{"xy", "x"}, want: " 3\r"},
		{name: "the same length", value: "4", of: "<xy>", count: CountBytes, edits: []string{"xy", "yx"}, want: "4"},
		{name: "a wrong number is kept", value: "5", of: "<xy>", count: CountBytes, edits: []string{"xy", "x"}, want: "5"},
		{name: "not a number", value: "four", of: "<xy>", count: CountBytes, edits: []string{"xy", "x"}, want: "four"},
		{name: "an edit outside of the region", value: "4", of: "<xy>", count: CountBytes, edits: []string{"end", "x"}, want: "4", afterwards: "end"},
		{name: "without the empty line at the end", value: "4", of: "<xy>\r\n", count: CountBytes, edits: []string{"xy", "x"}, want: "3"},
		{name: "with one of two newlines at the end", value: "5", of: "<xy>\n\n", count: CountBytes, edits: []string{"xy", "x"}, want: "4"},
		{name: "a wrong number, below the text without newlines", value: "3", of: "<xy>\r\n", count: CountBytes, edits: []string{"xy", "x"}, want: "3"},
		{name: "lines", value: "2", of: "<xy>\n<z>\n", count: CountLines, edits: []string{"xy", "a\nb\nc"}, want: "4"},
		{name: "lines, the same number", value: "2", of: "<xy>\n<z>\n", count: CountLines, edits: []string{"xy", "abc"}, want: "2"},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := "N:" + row.value + ";" + row.of + row.afterwards
			value := codec.Span{Start: 2, End: 2 + len(row.value)}
			of := codec.Span{Start: value.End + 1, End: value.End + 1 + len(row.of)}
			edits := replaced(t, src, row.edits...)
			want := string(codec.Apply(nil, []byte(src), edits))
			want = "N:" + row.want + want[value.End:]
			var m Marks
			m.Counts([]codec.Span{value}, of, row.count)
			require.Len(t, m.Notes.Menders, 1)
			mended := Mended([]byte(src), m.Notes.Menders, edits)
			assert.Equal(t, want, string(codec.Apply(nil, []byte(src), mended)))
			assert.Equal(t, row.want != row.value, len(mended) > len(edits), "no edit without a change")
			assert.Empty(t, Mended([]byte(src), m.Notes.Menders, nil), "without edits")
		})
	}
	var m Marks
	m.Counts(nil, codec.Span{Start: 4, End: 9}, CountBytes)
	assert.Empty(t, m.Notes.Menders, "no field")
}

func TestMended(t *testing.T) {
	src := []byte("0123456789")
	at := func(start, end int, text string) codec.Edit {
		return codec.Edit{Span: codec.Span{Start: start, End: end}, New: []byte(text)}
	}
	asked := 0
	mends := func(edits ...codec.Edit) func([]byte, []codec.Edit) []codec.Edit {
		return func(got []byte, given []codec.Edit) []codec.Edit {
			asked++
			assert.Equal(t, src, got)
			assert.Equal(t, []codec.Edit{at(2, 3, "c"), at(6, 7, "g")}, given, "each mender gets the edits of the links")
			return edits
		}
	}
	edits := []codec.Edit{at(2, 3, "c"), at(6, 7, "g")}
	got := Mended(src, []Mender{mends(at(8, 9, "i"), at(0, 1, "a")), mends(), mends(at(4, 6, "ef"))}, edits)
	assert.Equal(t, []codec.Edit{at(0, 1, "a"), at(2, 3, "c"), at(4, 6, "ef"), at(6, 7, "g"), at(8, 9, "i")}, got)
	assert.Equal(t, "a1c3efg7i9", string(codec.Apply(nil, src, got)))
	assert.Equal(t, 3, asked)
	assert.Equal(t, edits, Mended(src, nil, edits))
}

func TestWithin(t *testing.T) {
	src := []byte("0123456789")
	edits := []codec.Edit{
		{Span: codec.Span{Start: 0, End: 2}, New: []byte("ab")},
		{Span: codec.Span{Start: 3, End: 3}, New: []byte("+++")},
		{Span: codec.Span{Start: 4, End: 6}},
		{Span: codec.Span{Start: 8, End: 9}, New: []byte("i")},
	}
	for _, row := range []struct {
		of     codec.Span
		first  int
		n      int
		growth int
		edited string
	}{
		{codec.Span{Start: 0, End: 10}, 0, 4, 1, "ab2+++367i9"},
		{codec.Span{Start: 2, End: 8}, 1, 2, 1, "2+++367"},
		{codec.Span{Start: 3, End: 6}, 1, 2, 1, "+++3"},
		{codec.Span{Start: 3, End: 5}, 1, 1, 3, "+++34"},
		{codec.Span{Start: 6, End: 8}, 3, 0, 0, "67"},
		{codec.Span{Start: 9, End: 10}, 4, 0, 0, "9"},
	} {
		assert.Equal(t, edits[row.first:row.first+row.n], Within(edits, row.of), "%v", row.of)
		assert.Equal(t, row.growth, Growth(edits, row.of), "%v", row.of)
		assert.Equal(t, row.edited, string(Edited(src, row.of, edits)), "%v", row.of)
		var w strings.Builder
		WriteEdited(&w, src, row.of, edits)
		assert.Equal(t, row.edited, w.String(), "%v", row.of)
	}
	assert.Equal(t, codec.Span{Start: 8, End: 9}, edits[3].Span, "Edited shifts a copy")
}

func TestChanged(t *testing.T) {
	src := []byte("size 0012 end")
	assert.Empty(t, Changed(nil, src, 5, []byte("0012")))
	assert.Equal(t, "size 0013 end", string(codec.Apply(nil, src, Changed(nil, src, 5, []byte("0013")))))
	before := []codec.Edit{{Span: codec.Span{Start: 0, End: 4}, New: []byte("SIZE")}}
	assert.Equal(t, "SIZE 7 12 end", string(codec.Apply(nil, src, Changed(before, src, 5, []byte("7 ")))))
}

func TestMendDigest(t *testing.T) {
	inHex := hex.EncodeToString
	in64 := base64.StdEncoding.EncodeToString
	md5Of := func(text string) []byte { sum := md5.Sum([]byte(text)); return sum[:] }
	for _, row := range []struct{ name, digest, body, want string }{
		{"hex", inHex(md5Of("a <x> b")), "a <x> b", inHex(md5Of("a <http://h/x> b"))},
		{"base64", in64(md5Of("a <x> b")), "a <x> b", in64(md5Of("a <http://h/x> b"))},
		{"of the chunks' data", inHex(md5Of("a <x> b")), "7\r\na <x> b\r\n0\r\n\r\n", inHex(md5Of("a <http://h/x> b"))},
		{"of the chunks", inHex(md5Of("7\r\na <x> b\r\n0\r\n\r\n")), "7\r\na <x> b\r\n0\r\n\r\n", inHex(md5Of("10\r\na <http://h/x> b\r\n0\r\n\r\n"))},
		{"wrong before", inHex(md5Of("another")), "a <x> b", ""},
		{"in an unknown spelling", strings.ToUpper(inHex(md5Of("a <x> b"))), "a <x> b", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := row.digest + "\n" + row.body
			digest := codec.Span{Start: 0, End: len(row.digest)}
			of := codec.Span{Start: len(row.digest) + 1, End: len(src)}
			edits := replaced(t, src, "<x>", "<http://h/x>")
			if strings.HasPrefix(row.body, "7\r\n") {
				edits = append(replaced(t, src, "7\r\na", "10\r\na"), edits...)
			}
			got := MendDigest([]byte(src), edits, digest, of, md5.New, inHex, in64)
			if row.want == "" {
				assert.Empty(t, got)
				return
			}
			assert.Equal(t, []codec.Edit{{Span: digest, New: []byte(row.want)}}, got)
		})
	}
	src := "x <a> y"
	sum := sha1.Sum([]byte(src))
	assert.Empty(t, MendDigest([]byte(inHex(sum[:])+src), nil, codec.Span{End: 40}, codec.Span{Start: 40, End: 47}, md5.New, inHex), "another hash")
}
