package compress

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A member of gzip or a frame of zstd without an edit keeps its bytes, and none are joined.
func TestParts(t *testing.T) {
	insert := func(at int) codec.Edit {
		return codec.Edit{Span: codec.Span{Start: at, End: at}, New: []byte("http://h/")}
	}
	for _, coding := range []string{"gzip", "zstd"} {
		one := packedBytes(coding, []byte(packedPage))
		n, empty := len(packedPage), packedBytes(coding, nil)
		if coding == "zstd" {
			empty = []byte("\x51\x2A\x4D\x18\x03\x00\x00\x00abc") // a skippable frame
		}
		parts := [][]byte{one, one, empty, one}
		src := bytes.Join(parts, nil)
		for _, row := range []struct {
			name  string
			edits []codec.Edit
			same  []int // the parts that keep their bytes
		}{
			{"the first", []codec.Edit{insert(8)}, []int{1, 2, 3}},
			{"the second", []codec.Edit{insert(n + 8)}, []int{0, 2, 3}},
			{"two of them", []codec.Edit{insert(8), insert(2*n + 8)}, []int{1, 2}},
			{"neighbours", []codec.Edit{insert(8), insert(n + 8)}, []int{2, 3}},
			{"the start", []codec.Edit{insert(0)}, []int{1, 2, 3}},
			{"between two", []codec.Edit{insert(n)}, []int{0, 2, 3}},
			{"the end", []codec.Edit{insert(3 * n)}, []int{0, 1, 2}},
		} {
			t.Run(coding+" "+row.name, func(t *testing.T) {
				c := Packed(coding, 200)
				text, err := c.Decode(src)
				require.NoError(t, err)
				require.Equal(t, strings.Repeat(packedPage, 3), string(text))
				lifted, err := codectest.Lift(c, src, row.edits)
				require.NoError(t, err)
				assert.Equal(t, len(parts)-len(row.same), len(lifted))
				start := 0
				for i, part := range parts {
					touched := slices.ContainsFunc(lifted, func(e codec.Edit) bool { return e.Start < start+len(part) && e.End > start })
					assert.Equal(t, !slices.Contains(row.same, i), touched, "part %d", i)
					start += len(part)
				}
				out := codec.Apply(nil, src, lifted)
				text, err = c.Decode(out)
				require.NoError(t, err)
				assert.Equal(t, string(codec.Apply(nil, []byte(strings.Repeat(packedPage, 3)), row.edits)), string(text))
				var atoms codec.Atoms
				c.Map(out, text, &atoms)
				n := 0
				for run := range atoms.All {
					n += run.N
				}
				assert.Equal(t, len(parts), n)
				assert.False(t, codectest.Lawful(t, c, src, row.edits))
			})
		}
		_, err := codectest.Lift(Packed(coding, 200), src[:len(src)-2], []codec.Edit{insert(8)})
		require.ErrorIs(t, err, codec.ErrRefused, "the bytes after the damage would be lost")
	}
}
