package mark

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec/spell"
)

// LinkIn reuses the memory of an older mark, and must overwrite every field of it.
func TestLinkIn(t *testing.T) {
	old := Mark{Start: 1, End: 2, Codec: spell.AttrDouble, Place: &Place{}, Format: &Format{}, Scope: 1, Number: 1, Kind: IsBase, Base: &Declaration{}, Part: &Part{}}
	for i := range reflect.ValueOf(old).NumField() {
		require.False(t, reflect.ValueOf(old).Field(i).IsZero(), reflect.TypeOf(old).Field(i).Name)
	}
	var m Marks
	m.Add(old)
	m.Clear()
	place := &Place{}
	m.LinkIn(Outside, place, 3, 4, spell.URLDouble)
	require.Equal(t, []Mark{{Start: 3, End: 4, Codec: spell.URLDouble, Place: place, Scope: Outside}}, m.last)
}
