package hostiletest

import (
	"bytes"
	"compress/gzip"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// No goroutine stays when the caller leaves a loop over a compressed document.
func TestNoGoroutineStays(t *testing.T) {
	page := strings.Repeat("<a href=x>some text\n", 20_000)
	var zst, gz bytes.Buffer
	z, err := zstd.NewWriter(&zst)
	require.NoError(t, err)
	_, err = z.Write([]byte(page))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	g := gzip.NewWriter(&gz)
	_, err = g.Write([]byte(page))
	require.NoError(t, err)
	require.NoError(t, g.Close())
	var x extract.Extractor
	before := runtime.NumGoroutine()
	for range 20 {
		for _, d := range []extract.Document{{Name: "a.html.zst", URL: "http://h/", Bytes: zst.Bytes()}, {Name: "a.txt.gz", URL: "http://h/", Bytes: gz.Bytes()},
			{Name: "a.mbox.zst", Bytes: zst.Bytes()}} {
			for _, err := range x.Links(t.Context(), d) {
				require.NoError(t, err)
				break
			}
			for _, err := range x.Records(t.Context(), d) {
				require.NoError(t, err)
				break
			}
		}
	}
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, time.Minute, 10*time.Millisecond, "%d goroutines, %d before", runtime.NumGoroutine(), before)
}
