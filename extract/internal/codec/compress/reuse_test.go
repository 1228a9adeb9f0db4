package compress

import (
	"hash/crc32"
	"io"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

// Compressors are reused, because a new one allocates 1.1 to 2.2 MB. The test bounds the average, because under the race
// detector a sync.Pool forgets a quarter of them.
func TestReuse(t *testing.T) {
	text := []byte("<a href=x>")
	const n = 400
	for name, c := range map[string]codec.Codec{
		"a file of a zip archive": Deflated(len(text), crc32.ChecksumIEEE(text)), "gzip": Packed("gzip", 1000), "deflate": Packed("deflate", 1000), "br": Packed("br", 1000),
	} {
		src, err := flated(name, text)
		require.NoError(t, err, name)
		want, err := c.Encode(nil, src, codec.Span{End: len(src)}, text)
		require.NoError(t, err, name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range n {
			got, err := c.Encode(nil, src, codec.Span{End: len(src)}, text)
			require.NoError(t, err, name)
			assert.Equal(t, want, got, name)
		}
		runtime.ReadMemStats(&after)
		assert.Less(t, (after.TotalAlloc-before.TotalAlloc)/n, uint64(1<<20), name)
	}
}

func flated(name string, text []byte) ([]byte, error) {
	coding := name
	if packings[name].write == nil {
		coding = "deflate"
	}
	return pack(nil, text, func(out io.Writer) (io.WriteCloser, error) { return packings[coding].write(out, nil) })
}
