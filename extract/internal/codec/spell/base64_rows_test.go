package spell

import (
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/codec"

	"github.com/stretchr/testify/require"
)

// TestBase64Rows decodes lines of many widths. One line may have another width or a wrong byte. The text is that of the
// slow reader.
func TestBase64Rows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	wrong := []string{"", "*", "=", "\n", "\r", " ", "\r\n", "A", "AA", "AAAA\n", "\xff"}
	for _, width := range []int{0, 1, 4, 8, 12, 16, 20, 60, 64, 72, 75, 76, 80, 148, 152, 156, 160} {
		for _, end := range []string{"\n", "\r\n"} {
			for range 300 {
				text := make([]byte, r.IntN(600))
				for i := range text {
					text[i] = byte(r.IntN(256))
				}
				src := wrapped(text, width, end, r.IntN(2) == 0)
				got, err := Base64.Decode(src)
				require.NoError(t, err)
				require.Equal(t, text, append([]byte{}, got...))
				if at := r.IntN(len(src) + 1); at < len(src) {
					src = slices.Replace(src, at, at+r.IntN(2), []byte(wrong[r.IntN(len(wrong))])...)
				}
				want, wantErr := base64Read(nil, src, nil)
				got, err = Base64.Decode(src)
				require.Equal(t, string(want), string(got), "%q", src)
				require.Equal(t, wantErr, err, "%q", src)
			}
		}
	}
}

// TestBase64Atoms: the atoms of a source in lines of one width are those that the reader of any source finds.
func TestBase64Atoms(t *testing.T) {
	for size := range 200 {
		text := []byte(strings.Repeat("<a href=x>", 20))[:size]
		for _, width := range []int{4, 8, 76, 1000} {
			for _, end := range []string{"\n", "\r\n"} {
				for _, last := range []string{"", end, end + end} {
					var lines []string
					for line := range slices.Chunk(base64.StdEncoding.AppendEncode(nil, text), width) {
						lines = append(lines, string(line))
					}
					src := []byte(strings.Join(lines, end) + last)
					_, got, err := Base64.Map(src)
					require.NoError(t, err)
					var want codec.Atoms
					_, err = base64Read(nil, src, &want)
					require.NoError(t, err)
					require.Equal(t, want, got, "%q", src)
				}
			}
		}
	}
}
