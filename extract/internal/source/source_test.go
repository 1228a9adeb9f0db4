package source

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

func TestSpan(t *testing.T) {
	const src = "head PGEgaHJlZj0iYSZhbXA7YiI+ tail" // <a href="a&amp;b">
	var outer, inner Text
	var room []byte
	require.NoError(t, outer.Decode(nil, 5, []byte(src[5:29]), spell.Base64, &room))
	require.Equal(t, `<a href="a&amp;b">`, string(outer.Bytes))
	require.NoError(t, inner.Decode(&outer, 9, outer.Bytes[9:16], spell.AttrDouble, new([]byte)))
	require.Equal(t, "a&b", string(inner.Bytes))

	for _, row := range []struct {
		name       string
		text       *Text
		start, end int
		want       string
	}{
		{"no text: the bytes of the entity", nil, 0, 4, "head"},
		{"all quanta of base64", &outer, 0, 18, src[5:29]},
		{"a byte: its quantum of base64", &outer, 4, 5, src[9:13]},
		{"a character of the value", &inner, 0, 1, src[17:21]},
		{"the character reference: all its quanta", &inner, 1, 2, src[17:25]},
	} {
		s := row.text.Span(codec.Span{Start: row.start, End: row.end})
		assert.Equal(t, row.want, src[s.Start:s.End], row.name)
		assert.Equal(t, s.Start, row.text.Offset(row.start), row.name)
	}
}

// If decoding changes nothing, the text is the source itself.
func TestDecodeSame(t *testing.T) {
	src := []byte("abc")
	var text Text
	require.NoError(t, text.Decode(nil, 7, src, spell.AttrDouble, new([]byte)))
	assert.Nil(t, text.Codec)
	assert.Same(t, &src[0], &text.Bytes[0])
	assert.Equal(t, codec.Span{Start: 8, End: 9}, text.Span(codec.Span{Start: 1, End: 2}))
}

// Undecodable bytes are an error, and the text has the other bytes.
func TestDecodeDamaged(t *testing.T) {
	var text Text
	assert.ErrorIs(t, text.Decode(nil, 0, []byte("a]]>b"), spell.CDATA, new([]byte)), codec.ErrUndecodable)
	assert.Contains(t, string(text.Bytes), "b")
}

func TestCharset(t *testing.T) {
	declares := func(label string) *mark.Format {
		return &mark.Format{Charset: func(_ []byte, transport string) string {
			if transport != "" {
				return transport
			}
			return label
		}}
	}
	for _, row := range []struct {
		name, declared, transport string
		sevenBit                  bool
		lacks, has                string
	}{
		{"UTF-8 has all characters", "utf-8", "", false, "", "é日"},
		{"UTF-8 in 7bit (RFC 2045 2.7)", "utf-8", "", true, "é", "e"},
		{"ISO-8859-1 lacks a character", "iso-8859-1", "", false, "日", "é"},
		{"the label of the transport layer wins", "iso-8859-1", "koi8-r", false, "é", "д"},
		{"US-ASCII, which the Encoding Standard reads as windows-1252 (RFC 2046 4.1.2)", "us-ascii", "", false, "é", "e"},
		{"ISO-2022-JP lacks its escapes (Encoding Standard 12.2.2)", "iso-2022-jp", "", false, "\x1b", "日"},
		{"an unknown charset is UTF-8", "x-none", "", false, "", "é日"},
	} {
		t.Run(row.name, func(t *testing.T) {
			format := declares(row.declared)
			now := NewCharset(EncodingOf(format, nil, row.transport), nil, row.sevenBit)
			late := NewCharset(Encoding{Format: format, Late: true}, nil, row.sevenBit)
			charsets := []*Charset{&now}
			if row.transport == "" { // a late charset depends only on the document
				charsets = append(charsets, &late)
			}
			for _, c := range charsets {
				assert.False(t, c.Lacks([]byte(row.has)))
				if row.lacks != "" {
					assert.True(t, c.Lacks([]byte(row.lacks)))
				}
			}
			assert.Equal(t, row.declared == "utf-8" || row.declared == "x-none", !now.Decodes())
		})
	}
}

func TestCharsetEscape(t *testing.T) {
	c := NewCharset(EncodingOf(&mark.Format{Charset: func([]byte, string) string { return "iso-8859-1" }}, nil, ""), nil, false)
	edits := []codec.Edit{{New: []byte("é日")}, {New: []byte("a")}}
	c.Escape(spell.AttrDouble, edits)
	assert.Equal(t, "é&#26085;", string(edits[0].New))
	assert.Equal(t, "a", string(edits[1].New))
	assert.Equal(t, "\xe9", string(c.Encode([]byte("é"))))
	utf8 := Charset{}
	assert.Equal(t, "é", string(utf8.Encode([]byte("é"))))
}

func TestLines(t *testing.T) {
	src := []byte("ab\ncd\r\n\ne")
	var lines Lines
	for _, row := range []struct{ offset, line, column int }{
		{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {6, 2, 4}, {7, 3, 1}, {8, 4, 1}, {9, 4, 2},
		{1, 1, 2}, // smaller
		{1, 1, 2},
	} {
		line, column := lines.At(src, row.offset)
		assert.Equal(t, [2]int{row.line, row.column}, [2]int{line, column}, "offset %d", row.offset)
	}
}
