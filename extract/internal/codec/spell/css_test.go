package spell

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"
)

// TestCSS decodes strings (text) and unquoted URLs (url). Each row names a clause of css-syntax-3.
func TestCSS(t *testing.T) {
	for _, row := range []struct{ clause, src, text, url string }{
		{"4.3.7 hex digits and a space after them", `\61 b\000062 c\63`, "abbcc", "abbcc"},
		{"4.3.7 at most six digits", `\0000610`, "a0", "a0"},
		{"4.3.7 newline ends a hex escape", "\\61\r\nb\\61\fb\\61\tb\\61  b", "abababa b", "abababa b"},
		{"4.3.7 zero, surrogate, out of range", `\0 \d800 \110000 `, "\uFFFD\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD"},
		{"4.3.7 any other character", `\(\"\\\g\é`, `("\gé`, `("\gé`},
		{"4.3.5 line continuation", "a\\\nb\\\r\nc\\\fd", "abcd", "a\\\nb\\\nc\\\nd"},
		{"4.3.5, 4.3.7 end of file", `a\`, "a", "a\uFFFD"},
		{"3.3 preprocessing", "a\x00b\rc\r\nd\fe\\\x00", "a\uFFFDb\nc\nd\ne\uFFFD", "a\uFFFDb\nc\nd\ne\uFFFD"},
	} {
		t.Run(row.clause, func(t *testing.T) {
			for _, c := range []codec.Codec{CSSDouble, CSSSingle} {
				text, err := c.Decode([]byte(row.src))
				require.NoError(t, err)
				assert.Equal(t, row.text, string(text))
			}
			text, err := CSSURL.Decode([]byte(row.src))
			require.NoError(t, err)
			assert.Equal(t, row.url, string(text))
		})
	}
}

func TestCSSLift(t *testing.T) {
	for _, row := range []struct {
		clause string
		codec  codec.Codec
		src    string
		at     int
		text   string
		want   string
	}{
		{"4.3.5 quotes", CSSDouble, "", 0, `a"b'c\d`, `a\"b'c\\d`},
		{"4.3.5 quotes", CSSSingle, "", 0, `a"b'c\d`, `a"b\'c\\d`},
		{"4.3.5 newline", CSSDouble, "", 0, "a\nb", `a\a b`},
		{"4.3.6 url", CSSURL, "", 0, "a (b)'\"\x7f", `a\20 \(b\)\'\"\7f `},
		{"the style element must not end", CSSDouble, "", 0, "</style>", `\3c /style>`},
		{"4.3.7 the escape before would grow", CSSURL, `a\6`, 2, "1", `a\6 1`},
		{"escapes elsewhere stay", CSSURL, `\61 \(b`, 0, "http://h/", `http://h/\61 \(b`},
	} {
		t.Run(row.clause, func(t *testing.T) {
			got, err := codectest.Lift(row.codec, []byte(row.src), []codec.Edit{{Span: codec.Span{Start: row.at, End: row.at}, New: []byte(row.text)}})
			require.NoError(t, err)
			assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
		})
	}
}
