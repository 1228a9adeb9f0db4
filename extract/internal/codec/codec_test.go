package codec

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/lineartest"
	"absolink/internal/longtest"
)

// TestApply applies insertions and replacements.
func TestApply(t *testing.T) {
	src := []byte("abcdef")
	assert.Equal(t, ">abcdef", string(Apply([]byte(">"), src, nil)))
	assert.Equal(t, "12aXdY", string(Apply(nil, src, []Edit{{Span: Span{0, 0}, New: []byte("1")}, {Span: Span{0, 0}, New: []byte("2")}, {Span: Span{1, 3}, New: []byte("X")}, {Span: Span{4, 6}, New: []byte("Y")}})))
}

// TestAtoms maps offsets of a text to its source, inside and between atoms.
func TestAtoms(t *testing.T) {
	// The atoms are &amp; two tabs, &amp; and &amp; again.
	src := []byte("a&amp;\t\tb&amp;&amp;c")
	text, atoms, err := URLDouble.Map(src)
	require.NoError(t, err)
	require.Equal(t, "a&b&&c", string(text))
	require.Equal(t, Atoms{{1, 1, 1, 5, 1}, {6, 2, 2, 1, 0}, {9, 3, 2, 5, 1}}, atoms)
	for _, row := range []struct{ text, down, up int }{
		{0, 0, 0}, {1, 1, 1}, {2, 8, 6}, {3, 9, 9}, {4, 14, 14}, {5, 19, 19}, {6, 20, 20},
	} {
		assert.Equal(t, row.down, atoms.Source(row.text, false), "down %d", row.text)
		assert.Equal(t, row.up, atoms.Source(row.text, true), "up %d", row.text)
	}
	assert.Equal(t, Span{6, 6}, atoms.Span(Span{2, 2}), "an empty span is after the text before it")
	assert.Equal(t, Span{8, 9}, atoms.Span(Span{2, 3}))
	assert.Equal(t, Span{1, 9}, atoms.Span(Span{1, 3}))

	_, atoms, _ = charset("utf-16le").codec.Map([]byte("\xff\xfe\xe5\x65\xe5\x65")) // two times three bytes of text
	assert.Equal(t, Span{2, 4}, atoms.Span(Span{0, 1}), "inside an atom: the whole atom")
	assert.Equal(t, Span{2, 6}, atoms.Span(Span{2, 4}))
	assert.Equal(t, Span{4, 6}, atoms.Span(Span{4, 4}))
	assert.Equal(t, Span{2, 2}, atoms.Span(Span{0, 0}), "after the byte order mark")
	assert.Equal(t, 7, Atoms(nil).Source(7, true))
}

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
			for _, c := range []Codec{CSSDouble, CSSSingle} {
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

// TestCSSLift inserts text, and compares all bytes of the result.
func TestCSSLift(t *testing.T) {
	for _, row := range []struct {
		clause string
		codec  Codec
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
			got, err := liftOf(row.codec, []byte(row.src), []Edit{{Span: Span{row.at, row.at}, New: []byte(row.text)}})
			require.NoError(t, err)
			assert.Equal(t, row.want, string(Apply(nil, []byte(row.src), got)))
		})
	}
}

// repeated is a source: head, and then unit many times.
type repeated struct{ head, unit string }

const mega = 1 << 20

// worstFor returns sources that are expensive to read for one kind of codec.
func worstFor(c Codec) []repeated {
	switch c.(type) {
	case *charref:
		return []repeated{{"", "&"}, {"", "&#"}, {"&#", "9"}, {"&#x", "0"}, {"&", "a"}, {"", "&CounterClockwiseContourIntegra"}, {"", "\r"}, {"", "\t"}, {"", "&Tab;"}, {"a", "&#32;"}, {"", "\x00"}}
	case *cssescape:
		return []repeated{{"", `\`}, {`\`, "0"}, {"", `\0`}, {"", "\\\n"}, {"", "\r"}, {"", "\x00"}}
	}
	return []repeated{{"", "\x81"}, {"", "\x81\x30"}, {"", "\xd8"}, {"", "\x1b"}, {"", "\x1b$B"}, {"", "\x1b$B\x1b(B"}, {"\x1b$B", "<"}, {"", utf8BOM + utf8BOM}} // an even number of bytes, for charsets with characters of two bytes
}

// linear checks that the time of Decode and Lift is linear in the length of a source. The source is head and then unit
// many times, up to most bytes. linear checks the law for the longest source, or in a plain test for a shorter one. edits
// returns the edits of a text.
func linear(t *testing.T, name string, c Codec, row repeated, most int, edits func(text []byte) []Edit) {
	t.Helper()
	prepare := func(n int) (src, text []byte, put []Edit) {
		src = []byte(row.head + strings.Repeat(row.unit, max(n/len(row.unit), 1)))
		text, _ = c.Decode(src)
		return src, text, edits(text)
	}
	lineartest.Check(t, fmt.Sprintf("%s %q", name, row.unit), most, func(n int) func() {
		src, _, put := prepare(n)
		return func() {
			text, _ := c.Decode(src)
			_, _ = Lift(c, src, text, put)
		}
	})
	if t.Failed() {
		t.FailNow() // the longest source would take minutes
	}
	src, text, put := prepare(longtest.Or(most/64, most))
	if lifted, err := Lift(c, src, text, put); err == nil {
		got, _ := c.Decode(Apply(nil, src, lifted))
		assert.True(t, bytes.Equal(Apply(nil, text, put), got), "the law: %s %q", name, row.unit)
	}
}

// atEnds returns edits at both ends of a text.
func atEnds(text []byte) []Edit {
	return []Edit{{Span: Span{0, 0}, New: []byte("x")}, {Span: Span{len(text), len(text)}, New: []byte("1")}}
}

// everySome returns a function that inserts put at every 512th byte of a text.
func everySome(put string) func(text []byte) []Edit {
	return func(text []byte) (edits []Edit) {
		for i := 0; i < len(text); i += 512 {
			edits = append(edits, Edit{Span: Span{i, i}, New: []byte(put)})
		}
		return edits
	}
}

// TestLinear proves that the worst sources of each codec are read and edited in linear time.
func TestLinear(t *testing.T) {
	for _, c := range all {
		for _, row := range worstFor(c.codec) {
			most := mega / 16
			if row.head == "" && (row.unit == "&" || row.unit == "&#" || row.unit == `\`) {
				most = mega
			}
			linear(t, c.name, c.codec, row, most, atEnds)
		}
	}
	linear(t, "an edit at every byte", URLDouble, repeated{"", "&amp;a\t"}, mega/16, func(text []byte) (edits []Edit) {
		for i := range text {
			edits = append(edits, Edit{Span: Span{i, i}, New: []byte("&")})
		}
		return edits
	})
}
