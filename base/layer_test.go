package base_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/base"
	"absolink/resolve"
)

// TestZeroValues: a Declaration without a Layer is ignored, and zero values have no text.
func TestZeroValues(t *testing.T) {
	s := base.Root(resolve.RFC3986, base.Declaration{}, base.Declaration{Value: "http://h/"}, base.Declaration{Layer: base.LayerRetrieval, Value: "http://h/a/", Offset: -1})
	assert.Equal(t, "http://h/a/", s.Base().String())
	assert.Equal(t, base.LayerRetrieval, s.Layer())
	assert.Len(t, s.Candidates(), 2, "the retrieval URL and the default")
	inner := s.Within(base.Declaration{Value: "b/"})
	assert.Equal(t, "http://h/a/", inner.Base().String())
	assert.Empty(t, inner.Own())

	assert.Equal(t, []string{"", "", "", ""}, []string{base.Layer(0).String(), base.Layer(0).Section(), base.Candidate{}.String(), base.Candidate{}.Trouble()})
	assert.Equal(t, base.ReasonNone, base.Candidate{}.Reason)
}
