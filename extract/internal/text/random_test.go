package text

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/marktest"
)

// TestRandomLines makes the URLs in random texts longer, as --map does. The new text must have the same URLs, each with its change.
func TestRandomLines(t *testing.T) {
	words := strings.Split("<|>|\n|\r\n| |> |>> |http://a/|<http://b/c|URL:|<URL:|-|x|long/segment/of/a/url/that/goes/on|-- |.|: |:|//|ftp:|é|(|)|（|）|「|」|。|’|“| | \n| \n", "|")
	rnd := rand.New(rand.NewPCG(1, 2))
	changed := 0
	for range 20000 {
		src := ""
		for range 1 + rnd.IntN(14) {
			src += words[rnd.IntN(len(words))]
		}
		for _, format := range []*mark.Format{Plain, flowed} {
			links := marktest.Found(t, format, src)
			after, want := "", []string{}
			at := 0
			for _, l := range links {
				region := []byte(src)[l.Start:l.End]
				text, longer := longerURL(rnd, l, region)
				want = append(want, text)
				after += src[at:l.Start] + longer
				at = l.End
				if longer != string(region) {
					changed++
				}
			}
			after += src[at:]
			require.Equal(t, want, marktest.RefsIn(t, format, after), "%q became %q", src, after)
		}
	}
	assert.Greater(t, changed, 10000)
}

// longerURL returns the text and the bytes of a rewritten URL, which are the old ones if the codec refuses the edit.
func longerURL(rnd *rand.Rand, l mark.Mark, region []byte) (text, longer string) {
	old, _ := l.Codec.Decode(region)
	insert := "host" + strings.Repeat("/p", rnd.IntN(80)) + []string{"", "-", "/", "/(", "/「", "/（x）"}[rnd.IntN(6)]
	text = "http://" + insert + "/" + string(old)
	if i := bytes.Index(old, []byte("//")); i >= 0 {
		text = string(old[:i+2]) + insert + string(old[i+2:])
	}
	edits, err := codec.Lift(l.Codec, region, old, []codec.Edit{{Span: codec.Span{End: len(old)}, New: []byte(text)}})
	spelled := codec.Apply(nil, region, edits)
	if err != nil || l.Place.Reads != nil && !l.Place.Reads(spelled) {
		return string(old), string(region)
	}
	return text, string(spelled)
}
