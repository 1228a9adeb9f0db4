package mark

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

// Stream receives the marks in chunks, and Rest returns the marks after the last chunk.
func TestStream(t *testing.T) {
	defer func(was int) { AtOnce = was }(AtOnce)
	AtOnce = 5
	for n := range 20 {
		var m Marks
		var got []int
		m.Stream(func(chunk []Mark) {
			require.Len(t, chunk, AtOnce)
			for _, at := range chunk {
				got = append(got, at.Start)
			}
		})
		var want []int
		for i := range n {
			m.Link(nil, i, i+1, codec.Identity)
			want = append(want, i)
		}
		for _, at := range m.Rest() {
			got = append(got, at.Start)
		}
		assert.Equal(t, want, got)
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
