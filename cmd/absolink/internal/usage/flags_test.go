package usage

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{
		"1": 1, "1000000": 1_000_000,
		"10K": 10 << 10, "10k": 10 << 10, "10KiB": 10 << 10, "10kB": 10_000, "10KB": 10_000,
		"10M": 10 << 20, "10m": 10 << 20, "10MiB": 10 << 20, "10MB": 10_000_000,
		"2G": 2 << 30, "2GiB": 2 << 30, "2GB": 2_000_000_000,
		"3T": 3 << 40, "3TiB": 3 << 40, "3TB": 3_000_000_000_000,
	} {
		var got Size
		require.NoError(t, got.Set(text), text)
		assert.Equal(t, want, got, text)
		require.NoError(t, got.Set(got.String()), text)
		assert.Equal(t, want, got, got.String())
	}
	for _, text := range []string{"", "0", "-1", "M", "B", "1B", "1iB", "10Mi", "10MBB", "10 M", "1.5M", "10X", "10%", "9999999999T", "99999999999999999999"} {
		assert.Error(t, new(Size).Set(text), text)
	}
}
