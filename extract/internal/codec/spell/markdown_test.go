package spell

import (
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each row names a clause of CommonMark or GFM.
func TestMarkdownDecode(t *testing.T) {
	for _, row := range []struct {
		name      string
		codec     codec.Codec
		src, want string
		err       error
	}{
		{"CommonMark 2.4: a backslash before punctuation", MarkdownBare, `a\*b\\c\(`, `a*b\c(`, nil},
		{"CommonMark 2.4: a backslash before a letter", MarkdownBare, `a\b\é`, `a\b\é`, nil},
		{"CommonMark 2.5: by name", MarkdownBare, "a&amp;b&ouml;c", "a&böc", nil},
		{"CommonMark 2.5: a name needs its semicolon", MarkdownBare, "?a&copy=1&copy", "?a&copy=1&copy", nil},
		{"CommonMark 2.5: by number", MarkdownBare, "&#35;&#x23;&#X1F600;", "##😀", nil},
		{"CommonMark 2.5: no windows-1252", MarkdownBare, "&#128;", "\u0080", nil},
		{"CommonMark 2.5: too many digits", MarkdownBare, "&#12345678;&#x1234567;", "&#12345678;&#x1234567;", nil},
		{"CommonMark 2.5: no code points", MarkdownBare, "&#0;&#xD800;&#x110000;", "\uFFFD\uFFFD\uFFFD", nil},
		{"CommonMark 6.3: balanced parentheses", MarkdownBare, "a(b(c))", "a(b(c))", nil},
		{"CommonMark 6.3: unbalanced parentheses", MarkdownBare, "a(b", "a\uFFFDb", codec.ErrUndecodable},
		{"CommonMark 6.3: a space", MarkdownBare, "a b", "a\uFFFDb", codec.ErrUndecodable},
		{"CommonMark 6.3: a bracket at the start", MarkdownBare, "<a<b>", "\uFFFDa<b>", codec.ErrUndecodable},
		{"empty", MarkdownBare, "<>", "", nil},
		{"CommonMark 6.3: in brackets", MarkdownPointy, `a b(\>`, "a b(>", nil},
		{"CommonMark 6.3: a newline in brackets", MarkdownPointy, "a\nb>", "a\uFFFDb\uFFFD", codec.ErrUndecodable},
		{"CommonMark 2.3: NUL", MarkdownPointy, "a\x00", "a\uFFFD", nil},
		{"CommonMark 6.5: no backslashes in autolinks", MarkdownAutolink, `http://h/\*`, `http://h/\*`, nil},
		{"CommonMark 2.5: references in autolinks", MarkdownAutolink, "http://h/?a&amp;b", "http://h/?a&b", nil},
		{"CommonMark 6.5: an email address", MarkdownMail, "a@b.c", "mailto:a@b.c", nil},
		{"GFM 6.9: www", MarkdownWWW, "www.h.x/?a&amp;b", "http://www.h.x/?a&b", nil},
		{"GFM 4.10: a pipe in a cell", MarkdownCell, `a\|b\\|c\*`, `a|b\|c\*`, nil},
		{"GFM 4.10: the cell is read first", codec.Nested(MarkdownCell, MarkdownBare), `\\|\*`, `|*`, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			text, err := row.codec.Decode([]byte(row.src))
			assert.ErrorIs(t, err, row.err)
			assert.Equal(t, row.want, string(text))
		})
	}
}

func TestMarkdownSpells(t *testing.T) {
	for _, row := range []struct {
		name       string
		codec      codec.Codec
		src        string
		start, end int
		text, want string
	}{
		{"a base URL", MarkdownBare, "../b", 0, 2, "http://h/?a=1&b=2", "http://h/?a=1&b=2/b"},
		{"the source was empty", MarkdownBare, "", 0, 0, "http://h/", "http://h/"},
		{"the empty text", MarkdownBare, "a", 0, 1, "", "<>"},
		{"text instead of the empty text", MarkdownBare, "<>", 0, 0, "http://h/", "http://h/"},
		{"spaces and control characters", MarkdownBare, "x", 0, 0, "a b\n\t\x7F", "a&#32;b&#10;&#9;&#127;x"},
		{"a backslash", MarkdownBare, "x", 0, 0, `a\*`, `a\\*x`},
		{"text that would read as a reference", MarkdownBare, "x", 0, 0, "&copy;&copy=", "&amp;copy;&copy=x"},
		{"a bracket", MarkdownBare, "x", 0, 0, "<a>", `\<a&#62;x`},
		{"balanced parentheses stay", MarkdownBare, "x", 0, 0, "a(b)", "a(b)x"},
		{"unbalanced parentheses are escaped", MarkdownBare, "x", 0, 0, "a(b", `a\(bx`},
		{"the other parenthesis is deleted", MarkdownBare, "x(/../)y", 1, 6, "", `x\)y`},
		{"a bracket comes to the start", MarkdownBare, "a<b", 0, 1, "", `\<b`},
		{"a pipe might end a cell", MarkdownBare, "x", 0, 0, "a|", "a&#124;x"},
		{"in brackets", MarkdownPointy, "x", 0, 0, "a b(<>\n|", `a b(\<&#62;&#10;&#124;x`},
		{"a pipe in the source stays", codec.Nested(MarkdownCell, MarkdownBare), `a\|b`, 0, 0, "http://h/", `http://h/a\|b`},
		{"an autolink", MarkdownAutolink, "http:g", 0, 5, "http://h/", "http://h/g"},
		{"an address", MarkdownMail, "a@b.c", 7, 8, "x", "x@b.c"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := codectest.Lift(row.codec, []byte(row.src), []codec.Edit{{Span: codec.Span{Start: row.start, End: row.end}, New: []byte(row.text)}})
			require.NoError(t, err)
			assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
		})
	}
}

func TestMarkdownRefuses(t *testing.T) {
	for _, row := range []struct {
		name  string
		codec codec.Codec
		src   string
		text  string
	}{
		{"CommonMark 2.3: NUL", MarkdownBare, "a", "\x00"},
		{"CommonMark 6.5: a space in an autolink", MarkdownAutolink, "http:a", "b c"},
		{"CommonMark 6.5: a bracket in an autolink", MarkdownAutolink, "http:a", ">"},
		{"GFM 4.10: a pipe in an autolink", MarkdownAutolink, "http:a", "|"},
		{"CommonMark 2.5: text that would read as a reference", MarkdownAutolink, "http:a", "&copy;"},
		{"an empty autolink", MarkdownAutolink, "http:a", ""},
		{"a URL that is not a mail address", MarkdownMail, "a@b", "http://h/"},
	} {
		t.Run(row.name, func(t *testing.T) {
			text, err := row.codec.Decode([]byte(row.src))
			require.NoError(t, err)
			got, err := codectest.Lift(row.codec, []byte(row.src), []codec.Edit{{Span: codec.Span{Start: 0, End: len(text)}, New: []byte(row.text)}})
			assert.Nil(t, got)
			assert.ErrorIs(t, err, codec.ErrRefused)
		})
	}
}
