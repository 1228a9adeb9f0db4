package codec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

// counted is Identity, and counts the calls of Decode.
type counted struct {
	codec.Simple
	decoded *int
}

func (c counted) Decode(src []byte) ([]byte, error) {
	*c.decoded++
	return src, nil
}

func (counted) Map(_, _ []byte, _ *codec.Atoms) {}

func (counted) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	return append(dst, text...), nil
}

// An edit inside many codecs decodes each only a few times.
func TestNestedLinear(t *testing.T) {
	const deep = 60
	decoded := 0
	var codecs []codec.Codec
	for range deep {
		codecs = append(codecs, counted{decoded: &decoded})
	}
	c := codec.Nested(codecs...)
	edits, err := codec.Lift(c, []byte("abc"), []byte("abc"), []codec.Edit{{Span: codec.Span{Start: 1, End: 2}, New: []byte("xy")}})
	require.NoError(t, err)
	assert.Equal(t, "axyc", string(codec.Apply(nil, []byte("abc"), edits)))
	assert.LessOrEqual(t, decoded, 8*deep)
}
