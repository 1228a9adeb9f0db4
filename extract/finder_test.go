package extract

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

// LinkIn writes over what stood there, and leaves nothing of it.
func TestFinderLinkIn(t *testing.T) {
	old := finding{start: 1, end: 2, codec: codec.AttrDouble, place: &Place{}, format: &Format{}, scope: 1, kind: isBase, base: &declaration{}, part: &part{}}
	for i := range reflect.ValueOf(old).NumField() {
		require.False(t, reflect.ValueOf(old).Field(i).IsZero(), reflect.TypeOf(old).Field(i).Name)
	}
	var f Finder
	f.add(old)
	f.clear()
	place := &Place{}
	f.LinkIn(outside, place, 3, 4, codec.URLDouble)
	require.Equal(t, []finding{{start: 3, end: 4, codec: codec.URLDouble, place: place, scope: outside}}, f.found)
}
