package compress

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"
	"absolink/extract/internal/codec/spell"

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

// TestPacked edits a text in each content coding. A truncated source is not rewritten.
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

			edits, err := codectest.Lift(c, src, []codec.Edit{{Span: codec.Span{Start: 8, End: 8}, New: []byte("http://h/")}})
			require.NoError(t, err)
			out := codec.Apply(nil, src, edits)
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
			require.ErrorIs(t, err, codec.ErrUnread)
			_, err = codectest.Lift(c, cut, []codec.Edit{{Span: codec.Span{Start: 0, End: 0}, New: []byte("x")}})
			require.ErrorIs(t, err, codec.ErrRefused, "the truncated part would be lost")
		})
	}
	assert.Nil(t, Packed("compress", 200))
}

// Bytes after the end of a deflate stream, which readers ignore, stay.
func TestAfterDeflate(t *testing.T) {
	for _, coding := range []string{"deflate", "raw-deflate"} {
		src, c := []byte(packedText(coding)+"\r\nWARC/1.0"), Packed("deflate", 200)
		edits, err := codectest.Lift(c, src, []codec.Edit{{Span: codec.Span{Start: 8, End: 8}, New: []byte("http://h/")}})
		require.NoError(t, err)
		out := codec.Apply(nil, src, edits)
		text, err := c.Decode(out)
		require.NoError(t, err)
		assert.Equal(t, "<a href=http://h/x>text, text, text, text", string(text))
		assert.True(t, bytes.HasSuffix(out, []byte("\r\nWARC/1.0")), coding)
	}
}

// Compressed data without a control character at its start looks like text, so IsPacked must decompress it to know.
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

// A decompression bomb is read up to the limit, and is not rewritten.
func TestPackedLimit(t *testing.T) {
	src := packedBytes("gzip", make([]byte, 40<<20))
	text, err := Packed("gzip", 200).Decode(src)
	require.ErrorIs(t, err, ErrTooLong)
	assert.Len(t, text, max(16<<20, 200*len(src)))
	_, err = codectest.Lift(Packed("gzip", 200), src, []codec.Edit{{Span: codec.Span{Start: 0, End: 0}, New: []byte("x")}})
	require.ErrorIs(t, err, codec.ErrRefused)
	text, err = Packed("gzip", 2000).Decode(src)
	require.NoError(t, err)
	assert.Len(t, text, 40<<20)

	longer := []codec.Edit{{Span: codec.Span{Start: 0, End: 0}, New: make([]byte, 10<<20)}}
	src = packedBytes("gzip", make([]byte, 10<<20))
	_, err = codectest.Lift(Packed("gzip", 200), src, longer)
	require.ErrorIs(t, err, codec.ErrRefused)
	require.ErrorIs(t, err, ErrOverRatio, "the new text is longer than the limit")
	_, err = codectest.Lift(UpTo(Packed("gzip", 2000), 15<<20), src, longer)
	require.ErrorIs(t, err, ErrOverMost)
	_, err = codectest.Lift(Packed("gzip", 2000), src, longer)
	require.NoError(t, err)
}

// The limits also hold inside Nested, for instance for a compressed body in chunks.
func TestPackedLayers(t *testing.T) {
	body := packedBytes("gzip", make([]byte, 1000))
	src := fmt.Appendf(nil, "%X\r\n%s\r\n0\r\n\r\n", len(body), body)
	c := codec.Nested(spell.Chunked, Packed("gzip", 200))
	assert.True(t, Unpacks(c))
	assert.False(t, codec.InPlace(c))
	text, err := UpTo(c, 100).Decode(src)
	require.ErrorIs(t, err, ErrTooLong)
	assert.Len(t, text, 100)
	text, err = c.Decode(src)
	require.NoError(t, err)
	assert.Len(t, text, 1000)
	assert.False(t, Unpacks(codec.Nested(spell.Chunked, codec.Identity)))
}

// Many edits in one atom take linear time.
func TestPackedManyEdits(t *testing.T) {
	const n = 400_000
	text := bytes.Repeat([]byte("<a href=x>"), n)
	c := Packed("gzip", 1000)
	src := packedBytes("gzip", text)
	edits := make([]codec.Edit, n)
	for i := range edits {
		edits[i] = codec.Edit{Span: codec.Span{Start: i*10 + 8, End: i*10 + 8}, New: []byte("http://h/")}
	}
	lifted, err := codec.Lift(c, src, text, edits)
	require.NoError(t, err)
	got, err := c.Decode(codec.Apply(nil, src, lifted))
	require.NoError(t, err)
	require.True(t, bytes.Equal(codec.Apply(nil, text, edits), got))
}
