package compress

import (
	"bytes"
	"hash/crc32"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stream that does not have the size or the CRC-32 that its archive declares is refused.
func TestDeflated(t *testing.T) {
	const text = "<a href=x>"
	src, crc := packedBytes("raw-deflate", []byte(text)), crc32.ChecksumIEEE([]byte(text))
	got, err := Deflated(len(text), crc).Decode(src)
	require.NoError(t, err)
	assert.Equal(t, text, string(got))
	require.False(t, codectest.Lawful(t, Deflated(len(text), crc), src, []codec.Edit{{Span: codec.Span{Start: 8, End: 8}, New: []byte("http://h/")}}))

	for _, row := range []struct {
		name string
		c    codec.Codec
		src  []byte
	}{
		{"wrong CRC-32", Deflated(len(text), crc+1), src},
		{"wrong size", Deflated(len(text)+1, crc), src},
		{"truncated stream", Deflated(len(text), crc), src[:len(src)-2]},
		{"bytes after the stream", Deflated(len(text), crc), append(bytes.Clone(src), "more"...)},
		{"empty source", Deflated(0, 0), nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := row.c.Decode(row.src)
			assert.ErrorIs(t, err, codec.ErrUndecodable)
			assert.True(t, codectest.Lawful(t, row.c, row.src, []codec.Edit{{Span: codec.Span{}, New: []byte("y")}}), "refused")
		})
	}
	long := strings.Repeat("x", 20<<20)
	got, err = Deflated(10, 0).Decode(packedBytes("raw-deflate", []byte(long)))
	assert.ErrorIs(t, err, ErrTooLong)
	assert.Len(t, got, 16<<20+20)
}
