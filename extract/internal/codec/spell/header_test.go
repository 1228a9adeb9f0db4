package spell

import (
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var headerCodecs = []struct {
	name  string
	codec codec.Codec
}{{"HeaderURL", HeaderURL}, {"HeaderBare", HeaderBare}, {"HeaderFolds", HeaderFolds}, {"HeaderLines", HeaderLines}, {"HeaderWords", HeaderWords}, {"TextURL", TextURL}}

// TestHeader decodes values by HeaderURL (url), HeaderBare (bare) and HeaderLines (lines).
func TestHeader(t *testing.T) {
	for _, row := range []struct{ clause, src, url, bare, lines string }{
		{"plain", "http://h/?a=1", "http://h/?a=1", "http://h/?a=1", "http://h/?a=1"},
		{"RFC 1808 3.1: white space inside the brackets", "http://h/\r\n\t a b/ ", "http://h/ab/", "http://h/a b/ ", "http://h/\t a b/ "},
		{"RFC 2557 4.4.2: a folded URL", "http://h/a/\r\n b/\n c", "http://h/a/b/c", "http://h/a/b/c", "http://h/a/ b/ c"},
		{"RFC 5322 4.2: a fold of several lines", "a\r\n \r\n\t\r\n b", "ab", "ab", "a \t b"},
		{"RFC 2557 4.4.1: encoded word", "=?us-ascii?Q?a=20b=3F?=", "a b?", "a b?", "=?us-ascii?Q?a=20b=3F?="},
		{"RFC 2047 4.2 (2)", "=?US-ASCII?q?a_b?=", "a b", "a b", "=?US-ASCII?q?a_b?="},
		{"RFC 2047 4.1", "=?utf-8?b?w6kvw6g=?=", "é/è", "é/è", "=?utf-8?b?w6kvw6g=?="},
		{"RFC 2047 6.2: white space between words", "=?us-ascii?Q?a?= \r\n =?us-ascii?Q?b?= =?us-ascii?Q?c?=", "abc", "abc", "=?us-ascii?Q?a?=  =?us-ascii?Q?b?= =?us-ascii?Q?c?="},
		{"words without white space between", "=?us-ascii?Q?a?==?us-ascii?Q?b?=", "ab", "ab", "=?us-ascii?Q?a?==?us-ascii?Q?b?="},
		{"a word and text", "http://h/ =?us-ascii?Q?a=20b?=\r\n /c", "http://h/a b/c", "http://h/ a b/c", "http://h/ =?us-ascii?Q?a=20b?= /c"},
		{"RFC 2047 5 (1): no word inside text", "/=?us-ascii?Q?a?=", "/=?us-ascii?Q?a?=", "/=?us-ascii?Q?a?=", "/=?us-ascii?Q?a?="},
		{"RFC 2047 5 (1): no word before text", "=?us-ascii?Q?a?=b", "=?us-ascii?Q?a?=b", "=?us-ascii?Q?a?=b", "=?us-ascii?Q?a?=b"},
		{"RFC 2047 6.3: invalid word", "=?utf-8?B?w?=", "=?utf-8?B?w?=", "=?utf-8?B?w?=", "=?utf-8?B?w?="},
		{"RFC 2231 5: language", "=?windows-1251*ru?Q?=EF?=", "п", "п", "=?windows-1251*ru?Q?=EF?="},
		{"RFC 2557 4.4.1: unknown charset", "=?UNKNOWN-8BIT?Q?=E9?=", "\xe9", "\xe9", "=?UNKNOWN-8BIT?Q?=E9?="},
		{"charset", "=?windows-1251?Q?=EF?=", "п", "п", "=?windows-1251?Q?=EF?="},
		{"8-bit", "\xe9é", "\xe9é", "\xe9é", "\xe9é"},
	} {
		t.Run(row.clause, func(t *testing.T) {
			for _, c := range []struct {
				codec.Codec
				want string
			}{{HeaderURL, row.url}, {HeaderBare, row.bare}, {HeaderLines, row.lines}} {
				text, err := c.Decode([]byte(row.src))
				require.NoError(t, err)
				assert.Equal(t, c.want, string(text))
			}
		})
	}
	text, _ := HeaderFolds.Decode([]byte("<a>;\r\n rel=next, <b\r\n\tc>; x=\"=?us-ascii?Q?d?=\""))
	assert.Equal(t, `<a>;rel=next, <bc>; x="=?us-ascii?Q?d?="`, string(text))
	text, _ = HeaderWords.Decode([]byte("=?us-ascii?Q?=3Chttp=3A//h/=3E,?=\r\n =?us-ascii?Q?=20=3Cmailto=3Aa=40b=3E?= (x)"))
	assert.Equal(t, `<http://h/>, <mailto:a@b> (x)`, string(text))
}

func TestHeaderLift(t *testing.T) {
	long := strings.Repeat("a", 80) + " "
	for _, row := range []struct {
		clause     string
		codec      codec.Codec
		src        string
		start, end int
		text, want string
	}{
		{"folds stay", HeaderURL, "a\r\n b", 0, 0, "http://h/", "http://h/a\r\n b"},
		{"a fold inside an edit is deleted", HeaderURL, "a\r\n bc", 0, 2, "x", "xc"},
		{"white space at the start stays", HeaderURL, " a", 0, 0, "h/", " h/a"},
		{"empty value", HeaderURL, "", 0, 0, "http://h/", "http://h/"},
		{"8-bit stays", HeaderURL, "\xe9", 0, 0, "http://h/", "http://h/\xe9"},
		{"parentheses", HeaderBare, "x", 0, 0, "http://h/a_(b)", "http://h/a_(b)x"},
		{"RFC 2047 5 (1): text beside a word becomes a word", HeaderURL, "=?us-ascii?Q?a=20b?=", 0, 0, "http://h/", "=?us-ascii?Q?http://h/?= =?us-ascii?Q?a=20b?="},
		{"RFC 2047 5 (1): text beside a word in a bare URL", HeaderBare, "=?us-ascii?Q?a=20b?=", 0, 0, "http://h/", "=?us-ascii?Q?http://h/?= =?us-ascii?Q?a=20b?="},
		{"text after a word", HeaderBare, "=?us-ascii?Q?a?=", 1, 1, "b c", "=?us-ascii?Q?a?= =?us-ascii?Q?b=20c?="},
		{"inside a word", HeaderBare, "=?us-ascii?B?YS8uLyBi?=", 2, 4, "", "=?us-ascii?Q?a/=20b?="},
		{"characters outside ASCII in a word", HeaderURL, "=?iso-8859-1?Q?=e9?=", 0, 0, "é", "=?utf-8?Q?=C3=A9?= =?iso-8859-1?Q?=e9?="},
		{"text before a word in a bare URL", HeaderBare, "a =?us-ascii?Q?b?=", 2, 3, "c", "a =?us-ascii?Q?c?="},
		{"RFC 2047 2: words have at most 75 characters", HeaderURL, "=?us-ascii?Q?b?=", 0, 0, long, "=?us-ascii?Q?" + long[:60] + "?= =?us-ascii?Q?" + long[60:80] + "=20?= =?us-ascii?Q?b?="},
		{"characters outside ASCII in a text without words", TextURL, "=?us-ascii?Q?a?=\n b", 0, 0, "http://é/", "http://é/=?us-ascii?Q?a?=\n b"},
		{"a space is allowed in a grammar", HeaderLines, "5; url=a", 7, 7, "b c", "5; url=b ca"},
	} {
		t.Run(row.clause, func(t *testing.T) {
			got, err := codectest.Lift(row.codec, []byte(row.src), []codec.Edit{{Span: codec.Span{Start: row.start, End: row.end}, New: []byte(row.text)}})
			require.NoError(t, err)
			assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
		})
	}
	for _, row := range []struct {
		clause string
		codec  codec.Codec
		text   string
	}{
		{"bracket", HeaderURL, "a>"}, {"bracket", HeaderBare, "<a"}, {"quote", HeaderURL, `"`}, {"space", HeaderURL, "a b"}, {"space", HeaderBare, "a b"},
		{"control", HeaderLines, "\x00"}, {"newline", HeaderURL, "\n"}, {"newline", HeaderLines, "\r\n x"}, {"DEL", HeaderURL, "\x7f"},
		{"RFC 5322 2.2: ASCII only", HeaderURL, "é"}, {"RFC 5322 2.2: ASCII only", HeaderFolds, "\xff"},
		{"comment", HeaderBare, "(a"}, {"URL:", HeaderURL, "uRl:"}, {"would read as a word", HeaderURL, "=?us-ascii?Q?a?= "},
	} {
		got, err := codectest.Lift(row.codec, []byte("x"), []codec.Edit{{Span: codec.Span{Start: 0, End: 0}, New: []byte(row.text)}})
		assert.Nil(t, got, row.clause)
		assert.ErrorIs(t, err, codec.ErrCannotSpell, row.clause)
	}
}

func TestHeaderLinear(t *testing.T) {
	for _, unit := range []string{"=", "?", "=?", "?=", "=?a?q?", "=?a?q?b?=", "=?a?q?b?= ", "=?a?q?b ", " ", "\r", "\n ", " =?", "=?us-ascii?Q?", "=?us-ascii?B?Y?= "} {
		for _, c := range headerCodecs {
			codectest.Linear(t, c.name, c.codec, codectest.Repeated{"", unit}, codectest.Mega/8, codectest.AtEnds)
		}
	}
}
