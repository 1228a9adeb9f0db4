package spell

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuotedPrintableDecode compares Decode, which has a fast way for sources without white space at line ends, with Map, which
// reads one atom after the other.
func TestQuotedPrintableDecode(t *testing.T) {
	long := strings.Repeat("0123456789", 20)
	plain := []string{"=3D", "=3d", "=C3=A9", "=\n", "=\r\n", "\n", "\r\n", "\n\n", "= \n", "=\t\r\n", " a", "\ta", " =3D", "x", "=", "=4", "=x", "==", "=0A", "=20\n", "\r", "\xe9"}
	blank := []string{" \n", "\t\n", " \r\n", "\t\t\r\n", " "}
	r := rand.New(rand.NewPCG(11, 12))
	fast := 0
	for range 20000 {
		pieces := plain
		if r.IntN(2) == 0 {
			pieces = append(blank, plain...)
		}
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(long[:r.IntN(len(long))>>r.IntN(8)])
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		src := []byte(b.String())
		if s := (qpScan{src: src}); !s.hasBlanks() {
			fast++
		}
		want, _, wantErr := QuotedPrintable.Map(src)
		got, err := QuotedPrintable.Decode(src)
		require.Equal(t, string(want), string(got), "%q", src)
		require.Equal(t, wantErr, err, "%q", src)
	}
	require.Greater(t, fast, 8000, "sources without white space at line ends")
	require.Less(t, fast, 16000)
}

// TestHasPair has the pair at each offset.
func TestHasPair(t *testing.T) {
	for n := range 70 {
		for at := range n - 1 {
			src := []byte(strings.Repeat("a b\nc\r\nd  e\t\n", n)[:n])
			require.False(t, hasPair(src, ' ', '\n'), "%q", src)
			copy(src[at:], " \n")
			require.True(t, hasPair(src, ' ', '\n'), "%d of %d", at, n)
		}
	}
}
