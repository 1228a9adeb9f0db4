package codec

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const packedPage = "<a href=x>text, text, text, text"

// packedText returns packedPage in a content coding. raw-deflate is RFC 1951, which some servers send as deflate.
func packedText(coding string) string { return string(packedBytes(coding, []byte(packedPage))) }

// packedBytes returns text in a content coding.
func packedBytes(coding string, text []byte) []byte {
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		z := gzip.NewWriter(&b)
		z.Name = "page.html"
		w = z
	case "deflate":
		w = zlib.NewWriter(&b)
	case "raw-deflate":
		w, _ = flate.NewWriter(&b, 9)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, _ = zstd.NewWriter(&b)
	}
	if _, err := w.Write(text); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestPacked reads and edits a text in each content coding. It proves that a truncated source is not rewritten.
func TestPacked(t *testing.T) {
	for _, coding := range []string{"gzip", "deflate", "raw-deflate", "br", "zstd"} {
		t.Run(coding, func(t *testing.T) {
			src := []byte(packedText(coding))
			name := strings.TrimPrefix(coding, "raw-")
			c := Packed(name, 200)
			assert.True(t, IsPacked(name, src))
			assert.False(t, IsPacked(name, []byte(packedPage)), "the client has decompressed it")
			text, err := c.Decode(src)
			require.NoError(t, err)
			assert.Equal(t, packedPage, string(text))

			edits, err := liftOf(c, src, []Edit{{Span: Span{8, 8}, New: []byte("http://h/")}})
			require.NoError(t, err)
			out := Apply(nil, src, edits)
			text, err = c.Decode(out)
			require.NoError(t, err)
			assert.Equal(t, "<a href=http://h/x>text, text, text, text", string(text))
			if coding == "gzip" {
				r, err := gzip.NewReader(bytes.NewReader(out))
				require.NoError(t, err)
				assert.Equal(t, "page.html", r.Name)
			}
			assert.Equal(t, isZlib(src), isZlib(out))

			cut := src[:len(src)-3]
			_, err = c.Decode(cut)
			require.ErrorIs(t, err, ErrUnread)
			_, err = liftOf(c, cut, []Edit{{Span: Span{0, 0}, New: []byte("x")}})
			require.ErrorIs(t, err, ErrRefused, "the truncated part would be lost")
		})
	}
	assert.Nil(t, Packed("compress", 200))
}

// TestPackedLikeText has compressed data without a control character at the start. IsPacked reads all of such data.
func TestPackedLikeText(t *testing.T) {
	for _, row := range []struct{ coding, src, text string }{
		{"br", "\x8b!\x80@import \"z.css\";\nb{background:url(i/j.png)}\n/*\namaoompiakga jfeoln*/\x03",
			"@import \"z.css\";\nb{background:url(i/j.png)}\n/*\namaoompiakga jfeoln*/"},
		{"deflate", "\xb3IKMMQ\xa8\xc8\xcd\xc9+\xb6U\xca())\xb0\xd2\xd7///\xd7+7\xd6\xcb/J\xd77200\xd5w,\xc9\xcfU\xb2\xb3\xc9\xc9\xcc\xcbV\xc8(JM" +
			"\xb3U\xaa\xd0\xafT\xd2\xb7\xb3I\xcd+)\xaaD\x91\xd0\xd3\xd3\xaf\x02\xc9\xe8C\xa5\xf4A\xc6\xdb\x01\x00",
			`<feed xmlns="http://www.w3.org/2005/Atom"><link href="x/y"/><entry><link href="../z"/></entry></feed>`},
	} {
		text, err := Packed(row.coding, 200).Decode([]byte(row.src))
		require.NoError(t, err)
		assert.Equal(t, row.text, string(text))
		assert.True(t, IsPacked(row.coding, []byte(row.src)), row.coding)
		for _, text := range []string{"", "{", "{}", "<a href=x>", "body{color:red}", row.text} {
			assert.False(t, IsPacked(row.coding, []byte(text)), "%s of %q", row.coding, text)
		}
	}
}

// TestPackedLimit proves that a decompression bomb is read up to the limit, and is not rewritten.
func TestPackedLimit(t *testing.T) {
	src := packedBytes("gzip", make([]byte, 40<<20))
	text, err := Packed("gzip", 200).Decode(src)
	require.ErrorIs(t, err, ErrTooLong)
	assert.Len(t, text, max(16<<20, 200*len(src)))
	_, err = liftOf(Packed("gzip", 200), src, []Edit{{Span: Span{0, 0}, New: []byte("x")}})
	require.ErrorIs(t, err, ErrRefused)
	text, err = Packed("gzip", 2000).Decode(src)
	require.NoError(t, err)
	assert.Len(t, text, 40<<20)
}

// TestPackedLayers proves that the limits of a compressed text also hold inside Layers, such as a compressed body in chunks.
func TestPackedLayers(t *testing.T) {
	body := packedBytes("gzip", make([]byte, 1000))
	src := fmt.Appendf(nil, "%X\r\n%s\r\n0\r\n\r\n", len(body), body)
	c := Layers(Chunked, Packed("gzip", 200))
	assert.True(t, Unpacks(c))
	assert.False(t, InPlace(c))
	text, err := UpTo(c, 100).Decode(src)
	require.ErrorIs(t, err, ErrTooLong)
	assert.Len(t, text, 100)
	text, err = c.Decode(src)
	require.NoError(t, err)
	assert.Len(t, text, 1000)
	assert.False(t, Unpacks(Layers(Chunked, Identity)))
}

// TestChunked proves that only chunks with an edit change (RFC 9112, 7.1).
func TestChunked(t *testing.T) {
	const src = "0A;ext=1\r\n<a href=x>\r\n3\nabc\n5\r\ndefgh\r\n0\r\nTrailer: x\r\n\r\n"
	for _, row := range []struct {
		name  string
		edits []Edit
		want  string
	}{
		{"one chunk changes", []Edit{{Span: Span{8, 8}, New: []byte("http://h/")}}, "13;ext=1\r\n<a href=http://h/x>\r\n3\nabc\n5\r\ndefgh\r\n0\r\nTrailer: x\r\n\r\n"},
		{"two edits in one chunk", []Edit{{Span: Span{1, 2}, New: []byte("A")}, {Span: Span{8, 8}, New: []byte("http://h/")}}, "13;ext=1\r\n<A href=http://h/x>\r\n3\nabc\n5\r\ndefgh\r\n0\r\nTrailer: x\r\n\r\n"},
		{"two chunks become one", []Edit{{Span: Span{12, 14}, New: []byte("X")}}, "0A;ext=1\r\n<a href=x>\r\n7\nabXefgh\n0\r\nTrailer: x\r\n\r\n"},
		{"two edits in two chunks", []Edit{{Span: Span{0, 1}, New: []byte("{")}, {Span: Span{14, 15}, New: []byte("EE")}}, "a;ext=1\r\n{a href=x>\r\n3\nabc\n6\r\ndEEfgh\r\n0\r\nTrailer: x\r\n\r\n"},
		{"the data of a chunk is deleted", []Edit{{Span: Span{10, 13}, New: nil}}, "0A;ext=1\r\n<a href=x>\r\n5\r\ndefgh\r\n0\r\nTrailer: x\r\n\r\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			edits, err := liftOf(Chunked, []byte(src), row.edits)
			require.NoError(t, err)
			assert.Equal(t, row.want, string(Apply(nil, []byte(src), edits)))
		})
	}
	text, err := Chunked.Decode([]byte("3\r\nabc\r\nFF\r\nbroken off"))
	require.ErrorIs(t, err, ErrUnread)
	assert.Equal(t, "abc", string(text))
	assert.False(t, IsChunked([]byte("<html>")))
	assert.False(t, IsChunked([]byte("deadbeef\n is no size here")))
}

// TestPackedManyEdits proves that many edits in one atom take linear time.
func TestPackedManyEdits(t *testing.T) {
	const n = 400_000
	text := bytes.Repeat([]byte("<a href=x>"), n)
	c := Packed("gzip", 1000)
	src := packedBytes("gzip", text)
	edits := make([]Edit, n)
	for i := range edits {
		edits[i] = Edit{Span: Span{i*10 + 8, i*10 + 8}, New: []byte("http://h/")}
	}
	lifted, err := Lift(c, src, text, edits)
	require.NoError(t, err)
	got, err := c.Decode(Apply(nil, src, lifted))
	require.NoError(t, err)
	require.True(t, bytes.Equal(Apply(nil, text, edits), got))
}
