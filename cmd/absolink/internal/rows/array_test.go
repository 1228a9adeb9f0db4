package rows

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Lines become the elements of one array, even if a line is written in pieces.
func TestArray(t *testing.T) {
	for want, pieces := range map[string][]string{
		"[]\n":                        nil,
		"[\n{}\n]\n":                  {"{}\n"},
		"[\n{},\n{\"a\":1}\n]\n":      {"{}\n{\"a\":1}\n"},
		"[\n{},\n{\"b\":1},\n{}\n]\n": {"{", "}", "", "\n", "{\"b\"", ":1}\n{}\n"},
	} {
		var out strings.Builder
		w := &arrayWriter{w: &out, before: arrayStart}
		for _, p := range pieces {
			n, err := w.Write([]byte(p))
			require.NoError(t, err)
			assert.Equal(t, len(p), n)
		}
		require.NoError(t, w.Close())
		assert.Equal(t, want, out.String())
	}
}
