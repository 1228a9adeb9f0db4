package inflate

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

func noise(n, limit int) []byte {
	r := rand.New(rand.NewPCG(1951, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(limit))
	}
	return b
}

// Truncated data, and memory that is too short by a byte, have errors of their own.
func TestInflate(t *testing.T) {
	skewed := noise(30_000, 256) // needs codes of all lengths
	for i, b := range skewed {
		for skewed[i] = 0; b&1 != 0; b >>= 1 {
			skewed[i]++
		}
		skewed[i] += skewed[max(i-1, 0)] * 16
	}
	var f Inflater
	for name, text := range map[string][]byte{
		"empty": {}, "one byte": []byte("a"), "one byte often": bytes.Repeat([]byte("a"), 100_000), "noise": noise(100_000, 256), "skewed": skewed,
		"a page":            []byte(strings.Repeat("<p class=x>A <a href=\"page.html?a=1&amp;b=2\">link</a>, and text around it.\n", 5000)),
		"mixed":             append(append([]byte(strings.Repeat("abc", 1000)), noise(30_000, 256)...), skewed...),
		"a period of seven": bytes.Repeat([]byte("abcdefg"), 10_000),
		"nine codes":        noise(30_000, 9), // fixed codes, and stored blocks
	} {
		for level := -2; level <= 9; level++ {
			src := flat(t, text, level)
			got, n, err := f.Inflate(make([]byte, 5, max(5, len(text))), append(src, "after it"...))
			require.NoError(t, err, "%s %d", name, level)
			require.Equal(t, len(src), n, "%s %d", name, level)
			require.True(t, bytes.Equal(text, got), "%s %d", name, level)
			if len(text) > 0 {
				_, _, err = f.Inflate(make([]byte, len(text)-1), src)
				require.ErrorIs(t, err, io.ErrShortBuffer, "%s %d", name, level)
			}
			for n := 1; n <= len(src); n += 1 + n/2 {
				_, _, err = f.Inflate(make([]byte, len(text)), src[:len(src)-n])
				require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%s %d without %d bytes", name, level, n)
			}
		}
	}
}

// TestInflateEdges reads matches of many lengths and distances near the end of the source and of the memory. Bytes after the
// capacity do not change.
func TestInflateEdges(t *testing.T) {
	var f Inflater
	after := bytes.Repeat([]byte{0xFF}, 40)
	for _, distance := range []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 258, 300, 5000, 32768} {
		text := noise(distance, 256)
		for length := 3; length <= 258; length += 1 + length/8 {
			for range length {
				text = append(text, text[len(text)-distance])
			}
			text = append(text, byte(length))
		}
		src := flat(t, text, 9)
		for n := range after {
			got, read, err := f.Inflate(make([]byte, len(text)+n), append(src, after[n:]...))
			require.NoError(t, err, "distance %d, %d", distance, n)
			require.Equal(t, len(src), read, "distance %d, %d", distance, n)
			require.True(t, bytes.Equal(text, got), "distance %d, %d", distance, n)

			all := bytes.Repeat([]byte{0xFF}, len(text)+40)
			_, _, err = f.Inflate(all[:0:len(text)-n], src)
			require.Equal(t, n > 0, err == io.ErrShortBuffer, "distance %d, %d", distance, n)
			require.Equal(t, bytes.Repeat([]byte{0xFF}, 40+n), all[len(text)-n:], "distance %d, %d", distance, n)
		}
	}
}

// FuzzInflate compares with compress/flate: the text and the length of the data are the same, or both return an error. The
// Inflater has read other data before.
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
	var inflater Inflater
	f.Fuzz(func(t *testing.T, src []byte) {
		const most = 1 << 20
		in := bytes.NewReader(src)
		want, err := io.ReadAll(io.LimitReader(flate.NewReader(in), most+1))
		got, n, gotErr := inflater.Inflate(make([]byte, most), src)
		if len(want) > most || err != nil {
			assert.Error(t, gotErr)
			return
		}
		require.NoError(t, gotErr)
		assert.True(t, bytes.Equal(want, got))
		assert.Equal(t, len(src)-in.Len(), n)
		// What follows the data, and how much memory there is, decides how codes are read and how text is copied.
		again, n, err := inflater.Inflate(make([]byte, len(want)), append(src[:n:n], "more than sixteen bytes after it"...))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want, again))
		assert.Equal(t, len(src)-in.Len(), n)
		for _, short := range []int{1, n/2 + 1, n} {
			_, _, err = inflater.Inflate(make([]byte, len(want)), src[:n-short])
			assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
		}
		if len(want) > 0 {
			_, _, err = inflater.Inflate(make([]byte, len(want)/2), src)
			assert.ErrorIs(t, err, io.ErrShortBuffer)
		}
	})
}
