package mark

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// LinkIn reuses the memory of an older mark, and must overwrite every field of it.
func TestLinkIn(t *testing.T) {
	old := Mark{Start: 1, End: 2, Codec: spell.AttrDouble, Place: &Place{}, Format: &Format{}, ScopeNumber: 1, Number: 1, Kind: IsBase, Base: &Declaration{}, Part: &Part{}}
	for i := range reflect.ValueOf(old).NumField() {
		require.False(t, reflect.ValueOf(old).Field(i).IsZero(), reflect.TypeOf(old).Field(i).Name)
	}
	var m Marks
	m.Add(old)
	m.Clear()
	place := &Place{}
	m.LinkIn(Outside, place, 3, 4, spell.URLDouble)
	require.Equal(t, []Mark{{Start: 3, End: 4, Codec: spell.URLDouble, Place: place, ScopeNumber: Outside}}, m.last)
}

// Marks are kept in blocks, and those after the limit are dropped.
func TestMarks(t *testing.T) {
	for limit, want := range map[int]int{0: 5000, 10: 10, 64: 64, 65: 65, 4999: 4999, 5000: 5000, 5001: 5000} {
		var m Marks
		m.MaxMarks = limit
		for range 2 { // the second time in the same memory
			m.Clear()
			for i := range 5000 {
				m.Link(nil, i, i+1, codec.Identity)
			}
			require.Equal(t, want, m.Len())
			require.Equal(t, want < 5000, m.Notes.Full, limit)
			if m.Notes.Full {
				require.Equal(t, want, m.Notes.FullAt)
			}
			n := 0
			for marks := range m.All {
				for _, at := range marks {
					require.Equal(t, n, at.Start)
					n++
				}
			}
			require.Equal(t, want, n)
		}
	}
}

func TestLastAt(t *testing.T) {
	var m Marks
	assert.Nil(t, m.LastAt(0), "no mark")
	m.Link(nil, 3, 4, codec.Identity)
	m.Link(nil, 7, 8, codec.Identity)
	assert.Nil(t, m.LastAt(3), "not the last one")
	require.NotNil(t, m.LastAt(7))
	assert.Equal(t, codec.Span{Start: 7, End: 8}, m.LastAt(7).Span())
	m.TakeBack()
	assert.NotNil(t, m.LastAt(3))
}

// MemberScope opens a scope only for a file whose URL is known.
func TestMemberScope(t *testing.T) {
	var m Marks
	assert.Zero(t, m.MemberScope("a.html", 1, 9), "not an archive that is a file")
	m.Members = func(name string) (url, by string) {
		if name == "a.html" {
			return "http://h/a.html", "--site"
		}
		return "", ""
	}
	assert.Zero(t, m.MemberScope("b.html", 1, 9))
	require.Equal(t, int32(1), m.MemberScope("a.html", 1, 9))
	scope := m.ScopeMark(1)
	assert.Equal(t, RetrievedFrom("--site"), *scope.Base)
	text, err := scope.Codec.Decode(make([]byte, 8))
	require.NoError(t, err)
	assert.Equal(t, "http://h/a.html", string(text), "the URL does not depend on the bytes of the file")
	assert.Zero(t, m.Retrieved(&Place{}, codec.Span{Start: 3, End: 3}, codec.Identity), "an empty field")
	assert.Equal(t, int32(2), m.Retrieved(&Place{Name: "URL"}, codec.Span{Start: 3, End: 4}, codec.Identity))
}
