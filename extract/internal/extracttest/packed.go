package extracttest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/dsnet/compress/bzip2"
	"github.com/stretchr/testify/require"
)

// UTF16 returns a text in UTF-16, little-endian, without surrogates.
func UTF16(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}

// Gzipped returns a text as one gzip member.
func Gzipped(t *testing.T, text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// Bzip2 returns a text as a bzip2 stream.
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

// InBase64 returns a text in base64, on one line.
func InBase64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// GzipMembers returns a gzip member for each record.
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
