package inflate

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	kflate "github.com/klauspost/compress/flate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/longtest"
)

// flat returns text as DEFLATE data.
func flat(t testing.TB, text []byte, level int) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	require.NoError(t, err)
	_, err = w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// TestInflate reads data of each kind and level. It proves that a lower limit and truncated data are errors.
func TestInflate(t *testing.T) {
	size := longtest.Or(30_000, 300_000)
	noise := make([]byte, size)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	skewed := make([]byte, size) // needs codes of all lengths
	for i := range skewed {
		for skewed[i] < 200 && rand.IntN(2) == 0 {
			skewed[i]++
		}
	}
	var f Inflater
	var room []byte
	for name, text := range map[string][]byte{
		"empty": {}, "one byte": []byte("a"), "one byte often": bytes.Repeat([]byte("a"), 100000), "noise": noise, "skewed": skewed,
		"a page":            []byte(strings.Repeat("<p class=x>A <a href=\"page.html?a=1&amp;b=2\">link</a>, and text around it.\n", 5000)),
		"mixed":             append(append([]byte(strings.Repeat("abc", 1000)), noise...), skewed...),
		"a period of seven": bytes.Repeat([]byte("abcdefg"), 10000),
	} {
		for level := -2; level <= 9; level++ {
			src := flat(t, text, level)
			got, n, err := f.Inflate(room, append(src, "after it"...), len(text))
			require.NoError(t, err, "%s %d", name, level)
			require.Equal(t, len(src), n, "%s %d", name, level)
			require.True(t, bytes.Equal(text, got), "%s %d", name, level)
			room = got
			if len(text) > 0 {
				_, _, err = f.Inflate(nil, src, len(text)-1)
				require.Error(t, err, "%s %d: more than the limit", name, level)
			}
			_, _, err = f.Inflate(nil, src[:len(src)-1], len(text))
			require.ErrorIs(t, err, ErrShort, "%s %d", name, level)
		}
	}
}

// TestInflateEdges reads matches of many lengths and distances, near the end of the source and near the end of the memory.
func TestInflateEdges(t *testing.T) {
	var f Inflater
	after := bytes.Repeat([]byte{0xFF}, 40)
	for _, distance := range []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 258, 300, 5000, 32768} {
		text := make([]byte, distance)
		for i := range text {
			text[i] = byte(rand.Uint32())
		}
		for length := 3; length <= 258; length += 1 + length/8 {
			for range length {
				text = append(text, text[len(text)-distance])
			}
			text = append(text, byte(rand.Uint32()))
		}
		src := flat(t, text, 9)
		for n := 0; n <= len(after); n += 1 + n/9 {
			got, read, err := f.Inflate(nil, append(src, after[:n]...), len(text))
			require.NoError(t, err, "distance %d, %d bytes after the data", distance, n)
			require.Equal(t, len(src), read, "distance %d, %d bytes after the data", distance, n)
			require.True(t, bytes.Equal(text, got), "distance %d, %d bytes after the data", distance, n)
		}
		for room := max(0, len(text)-20); room < len(text)+400; room += 13 {
			got, _, err := f.Inflate(make([]byte, room), append(src, after...), len(text))
			require.NoError(t, err, "distance %d, memory of %d bytes", distance, room)
			require.True(t, bytes.Equal(text, got), "distance %d, memory of %d bytes", distance, room)
		}
	}
}

// TestInflateLimit proves that a text of one byte more than the limit is an error, even if there is memory for it.
func TestInflateLimit(t *testing.T) {
	var f Inflater
	room := make([]byte, 1<<16)
	for n := 1; n <= 300; n++ {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(rand.IntN(20)) // needs fewer bits than a stored block
		}
		src := append(flat(t, text, -2), make([]byte, 100)...)
		src[0] |= 1 // the block of the text is the last block
		got, _, err := f.Inflate(room, src, n)
		require.NoError(t, err, "%d bytes", n)
		require.True(t, bytes.Equal(text, got), "%d bytes", n)
		_, _, err = f.Inflate(room, src, n-1)
		require.ErrorIs(t, err, ErrInflate, "%d bytes", n)
	}
}

// FuzzInflate proves that Inflate returns the text that the library returns, and an error if the library returns one.
func FuzzInflate(f *testing.F) {
	for level := -2; level <= 9; level++ {
		f.Add(flat(f, []byte(strings.Repeat("<a href=x>text</a>", 50)+"\x00\xff"), level))
	}
	damaged := flat(f, []byte("<p>A page with <a href=x.html>many</a> kinds of letters, 0123456789, so that its codes have lengths of their own."), flate.BestCompression)
	for bit := range 8 * len(damaged) {
		damaged[bit/8] ^= 1 << (bit % 8)
		f.Add(bytes.Clone(damaged))
		damaged[bit/8] ^= 1 << (bit % 8)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		const limit = 1 << 20
		in := bytes.NewReader(src)
		want, err := io.ReadAll(io.LimitReader(flate.NewReader(in), limit+1))
		var inflater Inflater
		got, n, gotErr := inflater.Inflate(nil, src, limit)
		if len(want) > limit || err != nil {
			assert.Error(t, gotErr)
			return
		}
		require.NoError(t, gotErr)
		assert.True(t, bytes.Equal(want, got))
		assert.Equal(t, len(src)-in.Len(), n)
		// The bytes after the data and the size of the memory decide which loop reads a code.
		again, n, err := inflater.Inflate(make([]byte, len(want)/2), append(src[:n:n], "more than sixteen bytes after it"...), len(want))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want, again))
		assert.Equal(t, len(src)-in.Len(), n)
	})
}

func BenchmarkInflate(b *testing.B) {
	text := []byte(strings.Repeat("<p class=\"x\">A paragraph with a <a href=\"../page.html?a=1&amp;b=2\">link</a> in it, and text around it that goes on.\n", 30))
	for i := range text {
		if i%37 == 0 {
			text[i] = byte('a' + rand.IntN(26))
		}
	}
	src := flat(b, text, 6)
	b.Run("flat", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		var f Inflater
		var room []byte
		for b.Loop() {
			room, _, _ = f.Inflate(room, src, 1<<20)
		}
	})
	b.Run("stream", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		r := kflate.NewReader(bytes.NewReader(src))
		for b.Loop() {
			_ = r.(kflate.Resetter).Reset(bytes.NewReader(src), nil)
			_, _ = io.Copy(io.Discard, r)
		}
	})
}
