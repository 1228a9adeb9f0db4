package mapping

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkMillion builds the table of a file with a million rules, and looks up URLs that match and that do not.
func BenchmarkMillion(b *testing.B) {
	const n = 1_000_000
	var file strings.Builder
	for i := range n {
		fmt.Fprintf(&file, "http://www.old.example/archive/%d/%d/page-%d.html\thttps://new.example/%d/article\n", i%50, i%5000, i, i)
	}
	text := file.String()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, start := heap(), time.Now()
	tab := &Table{index: map[string]int{}}
	require.NoError(b, tab.read(strings.NewReader(text), "f.tsv"))
	tab.counts = make([]counts, len(tab.rules))
	took, after := time.Since(start), heap()
	require.Equal(b, n, tab.Len())

	dst := make([]byte, 0, 256)
	for _, set := range []struct{ name, format string }{
		{"hit", "http://www.old.example/archive/%d/%d/page-%d.html?utm=1#top"},
		{"miss", "http://www.old.example/archive/%d/%d/page-%d.htm"},
		{"other-host", "https://cdn.example.net/static/%d/%d/%d.js"},
	} {
		urls := make([][]byte, 1<<16)
		for i := range urls {
			k := i * 7919 % n
			urls[i] = fmt.Appendf(nil, set.format, k%50, k%5000, k)
		}
		b.Run(set.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				dst, _, _ = tab.Map(dst[:0], urls[i%len(urls)])
			}
			b.ReportMetric(took.Seconds(), "build-s")
			b.ReportMetric(float64(after-before)/n, "B/rule")
		})
	}
	runtime.KeepAlive(text)
}
