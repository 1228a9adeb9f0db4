package spell

import (
	"bytes"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// TestNames compares all names of up to three characters with x/net/html, which has the same table.
func TestNames(t *testing.T) {
	const alnum = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	names := []string{""}
	for i := 0; i < len(names) && len(names[i]) < 3; i++ {
		for _, b := range alnum {
			names = append(names, names[i]+string(b))
		}
	}
	for _, name := range names {
		for _, src := range []string{"&" + name, "&" + name + ";"} {
			text, err := CharData.Decode([]byte(src))
			if want := html.UnescapeString(src); err != nil || string(text) != want {
				t.Errorf("%s is %q, not %q (%v)", src, text, want, err)
			}
		}
	}
}

// TestCharRef decodes references in attributes (attr) and in content (data). Each row names a state of the tokenizer.
func TestCharRef(t *testing.T) {
	for _, row := range []struct{ clause, src, attr, data string }{
		{"13.2.5.72 no name", "& &; &&", "& &; &&", "& &; &&"},
		{"13.2.5.73 longest match", "&notin;&not;in", "∉¬in", "∉¬in"},
		{"13.2.5.73 legacy name before a letter", "&notit;", "&notit;", "¬it;"},
		{"13.2.5.73 legacy name before an equals sign", "?a=1&copy=2", "?a=1&copy=2", "?a=1©=2"},
		{"13.2.5.73 legacy name before a digit", "&copy2", "&copy2", "©2"},
		{"13.2.5.73 legacy name before another character", "&copy-&copy", "©-©", "©-©"},
		{"13.2.5.73 not legacy", "&alpha &alpha;", "&alpha α", "&alpha α"},
		{"13.2.5.73 two code points", "&NotEqualTilde;&nLt;&nGt;", "≂̸≪⃒≫⃒", "≂̸≪⃒≫⃒"},
		{"13.2.5.73 the longest name", "&CounterClockwiseContourIntegral;", "∳", "∳"},
		{"13.2.5.73 the text is a semicolon", "&semi;;", ";;", ";;"},
		{"13.2.5.73 case matters", "&Eacute;&EACUTE;&AMP;", "É&EACUTE;&", "É&EACUTE;&"},
		{"13.2.5.73 a name after the last name of the table", "&zzz;", "&zzz;", "&zzz;"},
		{"13.2.5.72 a line end after the ampersand", "&\nb", "&\nb", "&\nb"},
		{"13.2.5.74 ambiguous ampersand", "&nosuch;", "&nosuch;", "&nosuch;"},
		{"13.2.5.75 no digits", "&#;&#x;&#xg;&#", "&#;&#x;&#xg;&#", "&#;&#x;&#xg;&#"},
		{"13.2.5.76 hex", "&#x41;&#X4a;&#x4A", "AJJ", "AJJ"},
		{"13.2.5.77 decimal", "&#65;&#066&#67x", "ABCx", "ABCx"},
		{"13.2.5.80 null", "&#0;", "\uFFFD", "\uFFFD"},
		{"13.2.5.80 out of range", "&#x110000;&#99999999999999999999;", "\uFFFD\uFFFD", "\uFFFD\uFFFD"},
		{"13.2.5.80 surrogate", "&#xD800;&#xDFFF;", "\uFFFD\uFFFD", "\uFFFD\uFFFD"},
		{"13.2.5.80 noncharacter stays", "&#xFFFF;", "\uFFFF", "\uFFFF"},
		{"13.2.5.80 control stays", "&#13;&#1;", "\r\x01", "\r\x01"},
		{"13.2.5.80 windows-1252", "&#128;&#x9f;&#129;", "€Ÿ\u0081", "€Ÿ\u0081"},
		{"13.2.3.5 newlines", "a\r\nb\rc\nd", "a\nb\nc\nd", "a\nb\nc\nd"},
		{"13.2.5.36 null", "a\x00b", "a\uFFFDb", "a\uFFFDb"},
	} {
		t.Run(row.clause, func(t *testing.T) {
			for _, c := range []codec.Codec{AttrDouble, AttrSingle, AttrUnquoted} {
				text, err := c.Decode([]byte(row.src))
				require.NoError(t, err)
				assert.Equal(t, row.attr, string(text))
			}
			text, err := CharData.Decode([]byte(row.src))
			require.NoError(t, err)
			assert.Equal(t, row.data, string(text))
		})
	}
}

// White space is removed from a URL (URL standard, 4.4).
func TestURLText(t *testing.T) {
	for _, row := range []struct{ name, src, text string }{
		{"white space at both ends", " \t\r\n\fhttp://h/ \t\r\n\f", "http://h/"},
		{"a space inside stays", " a b\fc ", "a b\fc"},
		{"tab and newlines inside go", "a\tb\nc\rd\r\ne", "abcde"},
		{"white space in references is removed too", "&#32;a&Tab;b&NewLine;c&#13;d&#32;&#32; ", "abcd"},
		{"only white space", " \t&#32;\n", ""},
		{"other spaces stay", "\u00A0a\v", "\u00A0a\v"},
		{"other controls stay", "\x01a\x01", "\x01a\x01"},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, c := range []codec.Codec{URLDouble, URLSingle, URLUnquoted} {
				text, err := c.Decode([]byte(row.src))
				require.NoError(t, err)
				assert.Equal(t, row.text, string(text))
			}
		})
	}
}

// A URL without references needs no memory.
func TestURLDecodeIsPartOfSource(t *testing.T) {
	for _, src := range []string{"http://h/p?a=1&b=2", " http://h/ \r\n", "\t&x\n", " "} {
		b := []byte(src)
		assert.Zero(t, testing.AllocsPerRun(10, func() { _, _ = URLDouble.Decode(b) }), "%q", src)
	}
}

// inTag parses the value with x/net/html. ok is false if the value ends early.
func inTag(quote, value string) (got string, ok bool) {
	z := html.NewTokenizer(strings.NewReader("<a href=" + quote + value + quote + "></a>"))
	if z.Next() != html.StartTagToken {
		return "", false
	}
	tok := z.Token()
	if len(tok.Attr) != 1 || tok.Attr[0].Key != "href" || z.Next() != html.EndTagToken {
		return "", false
	}
	return tok.Attr[0].Val, true
}

// TestCharRefDisagreements lists what x/net/html reads otherwise than the standard and this package.
func TestCharRefDisagreements(t *testing.T) {
	for _, row := range []struct{ clause, src, ours, theirs string }{
		{"13.2.5.2: NUL is U+FFFD", "a\x00b", "a\uFFFDb", "a\x00b"},
		{"13.2.3.5: UnescapeString does not normalize newlines", "a\r\nb", "a\nb", "a\r\nb"},
	} {
		text, _ := CharData.Decode([]byte(row.src))
		assert.Equal(t, row.ours, string(text), row.clause)
		assert.Equal(t, row.theirs, html.UnescapeString(row.src), row.clause)
	}
}

// FuzzCharRef compares this package with x/net/html, except for what TestCharRefDisagreements lists.
func FuzzCharRef(f *testing.F) {
	for _, s := range codectest.Sources {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if !bytes.ContainsAny(src, "\x00\r") {
			text, _ := CharData.Decode(src)
			assert.Equal(t, html.UnescapeString(string(src)), string(text), "data")
		}
		for _, place := range []struct {
			quote string
			codec.Codec
			never string
		}{{`"`, AttrDouble, `"`}, {"'", AttrSingle, "'"}, {"", AttrUnquoted, "\"'\t\n\f\r >"}} {
			if bytes.ContainsAny(src, place.never) || len(src) == 0 {
				continue
			}
			want, ok := inTag(place.quote, string(src))
			if !ok {
				continue
			}
			text, _ := place.Decode(src)
			assert.Equal(t, want, string(text), "attribute %s", place.quote)
		}
		// x/net/html reads the new spelling as the same text.
		text, _ := AttrDouble.Decode(src)
		for _, place := range []struct {
			quote string
			codec.Codec
		}{{`"`, AttrDouble}, {"'", AttrSingle}, {"", AttrUnquoted}} {
			spelled, err := place.Encode(nil, nil, codec.Span{}, text)
			require.NoError(t, err)
			if len(text) == 0 {
				continue
			}
			got, ok := inTag(place.quote, string(spelled))
			assert.True(t, ok, "%q", spelled)
			assert.Equal(t, string(text), got, "%q", spelled)
		}
		spelled, err := CharData.Encode(nil, nil, codec.Span{}, text)
		require.NoError(t, err)
		assert.Equal(t, string(text), html.UnescapeString(string(spelled)))
		assert.NotContains(t, string(spelled), "<")
	})
}
