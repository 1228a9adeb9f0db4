package spell

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"
)

// Only chunks with an edit change (RFC 9112, 7.1).
func TestChunked(t *testing.T) {
	const src = "0A;ext=1\r\n<a href=x>\r\n3\nabc\n5\r\ndefgh\r\n0\r\nTrailer: x\r\n\r\n"
	for _, row := range []struct {
		name  string
		edits []codec.Edit
		want  string
	}{
		{"one chunk changes", []codec.Edit{{Span: codec.Span{Start: 8, End: 8}, New: []byte("http://h/")}}, "13;ext=1\r\n<a href=http://h/x>\r\n3\nabc\n5\r\ndefgh\r\n0\r\nTrailer: x\r\n\r\n"},
		{"two edits in one chunk", []codec.Edit{{Span: codec.Span{Start: 1, End: 2}, New: []byte("A")}, {Span: codec.Span{Start: 8, End: 8}, New: []byte("http://h/")}}, "13;ext=1\r\n<A href=http://h/x>\r\n3\nabc\n5\r\ndefgh\r\n0\r\nTrailer: x\r\n\r\n"},
		{"two chunks become one", []codec.Edit{{Span: codec.Span{Start: 12, End: 14}, New: []byte("X")}}, "0A;ext=1\r\n<a href=x>\r\n7\nabXefgh\n0\r\nTrailer: x\r\n\r\n"},
		{"two edits in two chunks", []codec.Edit{{Span: codec.Span{Start: 0, End: 1}, New: []byte("{")}, {Span: codec.Span{Start: 14, End: 15}, New: []byte("EE")}}, "a;ext=1\r\n{a href=x>\r\n3\nabc\n6\r\ndEEfgh\r\n0\r\nTrailer: x\r\n\r\n"},
		{"the data of a chunk is deleted", []codec.Edit{{Span: codec.Span{Start: 10, End: 13}, New: nil}}, "0A;ext=1\r\n<a href=x>\r\n5\r\ndefgh\r\n0\r\nTrailer: x\r\n\r\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			edits, err := codectest.Lift(Chunked, []byte(src), row.edits)
			require.NoError(t, err)
			assert.Equal(t, row.want, string(codec.Apply(nil, []byte(src), edits)))
		})
	}
	text, err := Chunked.Decode([]byte("3\r\nabc\r\nFF\r\nbroken off"))
	require.ErrorIs(t, err, codec.ErrUnread)
	assert.Equal(t, "abc", string(text))
	assert.False(t, IsChunked([]byte("<html>")))
	assert.False(t, IsChunked([]byte("deadbeef\n is no size here")))
}
