package extracttest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// UTF16 returns the bytes of a text in UTF-16, little-endian.
func UTF16(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}

// Gzipped returns the member of gzip for a text.
func Gzipped(t *testing.T, text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// Bzip2 returns the stream of bzip2 for a text.
func Bzip2(t *testing.T, text string) string {
	var b bytes.Buffer
	w, err := bzip2.NewWriter(&b, nil)
	require.NoError(t, err)
	_, err = w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// Piped is a reader that returns its content in pieces, like a pipe.
type Piped struct{ io.Reader }

func (p Piped) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), 4096)]) }

// InBase64 returns a text in base64, in one line.
func InBase64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// Zstd returns the frame of zstd for a text.
func Zstd(t *testing.T, text string, options ...zstd.EOption) string {
	w, err := zstd.NewWriter(nil, options...)
	require.NoError(t, err)
	return string(w.EncodeAll([]byte(text), nil))
}

// Noise returns text that cannot be compressed well.
func Noise(n int) string {
	random, text := rand.New(rand.NewPCG(1, 2)), make([]byte, n)
	for i := range text {
		text[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[random.IntN(36)]
	}
	return string(text)
}

// GzipMembers returns one member of gzip for each record.
func GzipMembers(t *testing.T, records ...string) string {
	var b strings.Builder
	for _, r := range records {
		b.WriteString(Gzipped(t, r))
	}
	return b.String()
}

// Gunzip returns the text of all members.
func Gunzip(t *testing.T, src string) string {
	r, err := gzip.NewReader(strings.NewReader(src))
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(text)
}
