package inputs

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The parts were computed by another program, from the offset basis and the prime of FNV.
func TestShard(t *testing.T) {
	for _, row := range []struct {
		document      string
		of2, of3, of8 string
	}{
		{"", "2/2", "3/3", "6/8"},
		{"-", "1/2", "2/3", "1/8"},
		{"a", "1/2", "2/3", "5/8"},
		{"site/a.html", "2/2", "2/3", "6/8"},
		{"site/b.html", "1/2", "1/3", "3/8"},
		{"caf\xE9.html", "2/2", "3/3", "4/8"},
	} {
		for _, part := range []string{row.of2, row.of3, row.of8, "1/1"} {
			var s Shard
			require.NoError(t, s.Set(part))
			assert.Equal(t, part, s.String())
			for i := uint64(1); i <= s.of; i++ {
				other := Shard{part: i, of: s.of}
				assert.Equal(t, i == s.part, other.has(row.document), "%q in %s", row.document, other.String())
			}
		}
		assert.True(t, (&Shard{}).has(row.document))
	}
	for _, bad := range []string{"", "1", "0/2", "3/2", "1/0", "1/", "-1/2", "1/2/3", "a/b", "1/99999999999"} {
		assert.Error(t, (&Shard{}).Set(bad), bad)
	}
}
