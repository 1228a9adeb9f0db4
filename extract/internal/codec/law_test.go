package codec_test

import (
	"errors"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/codectest"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/codec/spell"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type named struct {
	name  string
	codec codec.Codec // not embedded, because an embedded codec would hide its optional methods
}

// all has the codecs to test. FuzzLift stores their indexes in its corpus, so only append to the list.
var all = []named{
	{"Identity", codec.Identity},
	{"AttrDouble", spell.AttrDouble}, {"AttrSingle", spell.AttrSingle}, {"AttrUnquoted", spell.AttrUnquoted}, {"AttrBare", spell.AttrBare}, {"AttrEmpty", spell.AttrEmpty},
	{"URLDouble", spell.URLDouble}, {"URLSingle", spell.URLSingle}, {"URLUnquoted", spell.URLUnquoted}, {"URLBare", spell.URLBare}, {"URLEmpty", spell.URLEmpty},
	{"CharData", spell.CharData},
	{"CSSDouble", spell.CSSDouble}, {"CSSSingle", spell.CSSSingle}, {"CSSURL", spell.CSSURL},
	charset("utf-8"), charset("windows-1252"), charset("windows-1253"), charset("koi8-r"), charset("x-user-defined"),
	charset("shift_jis"), charset("gbk"), charset("gb18030"), charset("big5"), charset("euc-jp"), charset("euc-kr"),
	charset("utf-16le"), charset("utf-16be"), charset("iso-2022-jp"), charset("replacement"),
	{"QuotedPrintable", spell.QuotedPrintable}, {"QuotedPrintableLF", spell.QuotedPrintableLF}, {"Base64", spell.Base64}, {"Base64LF", spell.Base64LF},
	{"FromQuoteRD", spell.FromQuoteRD}, {"FromQuoteO", spell.FromQuoteO},
	{"Chunked", spell.Chunked}, {"gzip", compress.Packed("gzip", 200)}, {"deflate", compress.Packed("deflate", 200)},
	{"FromUnquoted", spell.FromUnquoted},
	{"chunked gzip", codec.Nested(spell.Chunked, compress.Packed("gzip", 200))},
	{"XMLDouble", spell.XMLDouble}, {"XMLSingle", spell.XMLSingle}, {"XMLText", spell.XMLText}, {"XMLContent", spell.XMLContent},
	{"XMLURLDouble", spell.XMLURLDouble}, {"XMLURLSingle", spell.XMLURLSingle}, {"XMLURLText", spell.XMLURLText}, {"XMLURLContent", spell.XMLURLContent},
	{"JSONString", spell.JSONString}, {"Base64Line", spell.Base64Line}, {"CDATA", spell.CDATA},
	{"MarkdownBare", spell.MarkdownBare}, {"MarkdownPointy", spell.MarkdownPointy}, {"MarkdownAutolink", spell.MarkdownAutolink},
	{"MarkdownMail", spell.MarkdownMail}, {"MarkdownWWW", spell.MarkdownWWW}, {"MarkdownCell", spell.MarkdownCell},
	{"cell bare", codec.Nested(spell.MarkdownCell, spell.MarkdownBare)}, {"cell autolink", codec.Nested(spell.MarkdownCell, spell.MarkdownAutolink)},
	{"JSONScript", spell.JSONScript},
	{"WrappedURL", spell.WrappedURL},
	{"CDATASection", spell.CDATASection}, {"Comment", spell.Comment}, {"XMLComment", spell.XMLComment}, {"JSONCommented", spell.JSONCommented}, {"JSONBlock", spell.JSONBlock}, {"UnquotedParameter", spell.UnquotedParameter},
	{"Unescaped", &spell.Unescaped{Never: spell.WhiteSpace, First: ",", Last: ","}},
	{"BrokenURL", &spell.BrokenURL{Unescaped: spell.Unescaped{Never: ">" + spell.Breaks, First: spell.WhiteSpace, Last: spell.WhiteSpace}}},
	{"ReadOnly", codec.ReadOnly("a test")},
	{"br", compress.Packed("br", 200)}, {"zstd", compress.Packed("zstd", 200)}, {"bzip2", compress.Packed("bzip2", 200)}, {"deflated", compress.Deflated(1, 0xE8B7BE43)},
	{"HeaderURL", spell.HeaderURL}, {"HeaderBare", spell.HeaderBare}, {"HeaderFolds", spell.HeaderFolds}, {"HeaderLines", spell.HeaderLines},
	{"HeaderWords", spell.HeaderWords}, {"TextURL", spell.TextURL},
}

func charset(label string) named {
	c, name, _ := charsets.Of(label)
	return named{name, c}
}

func TestLaw(t *testing.T) {
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c := c.codec
			for i, s := range codectest.Sources {
				src := []byte(s)
				text, _ := c.Decode(src)
				codectest.Lawful(t, c, src, nil)
				for _, ins := range codectest.Some(i, codectest.Inserts) {
					for at := 0; at <= len(text); at += 1 + len(text)/12 {
						for _, end := range []int{at, at + 1, len(text)} {
							if end > len(text) {
								continue
							}
							edits := []codec.Edit{{Span: codec.Span{at, end}, New: []byte(ins)}}
							codectest.Lawful(t, c, src, edits)
							if end < len(text) && len(ins) == 1 {
								codectest.Lawful(t, c, src, append(edits, codec.Edit{Span: codec.Span{end, end + 1}, New: []byte(ins)}))
								codectest.Lawful(t, c, src, append(edits, codec.Edit{Span: codec.Span{len(text), len(text)}, New: []byte("z")}))
								middle := (end + len(text) + 1) / 2
								codectest.Lawful(t, c, src, append(edits, codec.Edit{Span: codec.Span{middle, middle}, New: []byte("z")}))
							}
							if t.Failed() {
								t.Fatalf("source %q, insert %q at [%d,%d)", s, ins, at, end)
							}
						}
					}
				}
			}
		})
	}
}

// A Replacer returns the results of Lift, and a later call does not change them, although it reuses the memory.
func TestReplacerLift(t *testing.T) {
	var r codec.Replacer
	for _, c := range all {
		var want, got [][]codec.Edit
		for i, s := range codectest.Sources {
			src := []byte(s)
			text, _ := c.codec.Decode(src)
			for _, ins := range codectest.Some(i, codectest.Inserts) {
				edits := []codec.Edit{{Span: codec.Span{len(text) / 2, len(text)/2 + min(1, len(text)/4)}, New: []byte(ins)}}
				once, _ := codec.Lift(c.codec, src, text, edits)
				again, _ := r.Lift(c.codec, src, text, edits)
				want, got = append(want, once), append(got, again)
			}
		}
		assert.Equal(t, want, got, c.name)
	}
}

var zeros = strings.Repeat("0", 99)

func TestLiftLocal(t *testing.T) {
	for _, row := range []struct {
		name       string
		codec      codec.Codec
		src        string
		start, end int
		text, want string
	}{
		{"a bare ampersand after the edit stays", spell.URLDouble, "?a=1&b=2", 0, 0, "http://h/", "http://h/?a=1&b=2"},
		{"a reference after the edit stays", spell.URLDouble, "?a=1&#38;b=2", 0, 0, "http://h/", "http://h/?a=1&#38;b=2"},
		{"equal start and end of old and new text stay", spell.URLDouble, "a&amp;b&#x26;c", 0, 5, "a&x&c", "a&amp;x&#x26;c"},
		{"white space around stays: insertion at the start", spell.URLDouble, " g ", 0, 0, "h/", " h/g "},
		{"white space around stays: insertion at the end", spell.URLDouble, " g ", 1, 1, "/h", " g/h "},
		{"white space around stays: whole text", spell.URLDouble, " g ", 0, 1, "x", " x "},
		{"white space around stays: only white space", spell.URLDouble, "&#32; ", 0, 0, "x", "&#32; x"},
		{"a tab inside an edit is deleted", spell.URLDouble, "a\tbc", 0, 2, "x", "xc"},
		{"quotes: double", spell.AttrDouble, "", 0, 0, `a"b'c&<`, "a&quot;b'c&amp;&lt;"},
		{"quotes: single", spell.AttrSingle, "", 0, 0, `a"b'c&<`, `a"b&#39;c&amp;&lt;`},
		{"quotes: none", spell.AttrUnquoted, "x", 1, 1, "a b>", "xa&#32;b&gt;"},
		{"unquoted: the empty text", spell.URLUnquoted, "x", 0, 1, "", `""`},
		{"unquoted: text instead of the empty text", spell.URLUnquoted, `""`, 0, 0, "y", `"y"`},
		{"unquoted: a double quote comes to the start", spell.URLUnquoted, `y"z`, 0, 1, "", "&quot;z"},
		{"unquoted: a single quote comes to the start", spell.AttrUnquoted, "y'z'", 0, 1, "", "&#39;z'"},
		{"no value", spell.URLBare, "", 0, 0, "http://h/", `="http://h/"`},
		{"no value, written before", spell.URLBare, `="a"`, 1, 1, "b", `="ab"`},
		{"empty value", spell.URLEmpty, "", 0, 0, "http://h/", `"http://h/"`},
		{"13.2.5.73: the name before would become longer", spell.AttrDouble, "a&am", 4, 4, "p;", "a&amp;amp;"},
		{"13.2.5.73: only the edit that fails is widened", spell.AttrDouble, "&#65;" + zeros + "&am", 103, 103, "p;", "&#65;" + zeros + "&amp;amp;"},
		{"13.2.5.75: the number before would become longer", spell.AttrDouble, "a&#38", 2, 2, "5", "a&amp;5"},
		{"13.2.5.73: the legacy name before would end", spell.AttrDouble, "&copy", 2, 2, "=1", "©=1"},
		{"CR in the text is a reference", spell.AttrDouble, "ab", 1, 1, "\r", "a&#13;b"},
		{"an atom is replaced as a whole", spell.AttrDouble, "a&eacute;b", 1, 3, "è", "aèb"},
		{"CharData", spell.CharData, "a", 1, 1, "<&>", "a&lt;&amp;>"},
		{"RFC 8259 7: escapes", spell.JSONString, "a", 1, 1, "\"<\x01\\", `a\"<\u0001\\`},
		{"RFC 8259 7: the solidus is escaped like the solidi nearby", spell.JSONString, `a\/b`, 0, 0, "http://h/", `http:\/\/h\/a\/b`},
		{"HTML 4.12.1.3: no tag or comment in a script", spell.JSONScript, "a", 1, 1, "</script><!--", `a\u003c/script\u003e\u003c!--`},
		{"WordPress: a double hyphen is escaped", spell.JSONBlock, `a\/b\u0026`, 0, 1, "http://x-y/--?a&<-", `http:\/\/x-y\/\u002d\u002d?a\u0026\u003c-\/b\u0026`},
		{"WordPress: a hyphen comes next to another one", spell.JSONBlock, `a-b-`, 2, 3, "-c-", `a-\u002dc\u002d-`},
		{"escapes nearby stay in a script", spell.JSONScript, `\u002e/a\u003cb<`, 0, 0, "http://h/", `http://h/\u002e/a\u003cb<`},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := codectest.Lift(row.codec, []byte(row.src), []codec.Edit{{Span: codec.Span{row.start, row.end}, New: []byte(row.text)}})
			require.NoError(t, err)
			assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
		})
	}
}

// If the neighbours of one edit must be spelled again, those of an edit far away stay.
func TestLiftFar(t *testing.T) {
	src, text := "a&am"+zeros+"&#65;b", "a&am"+zeros+"Ab"
	edits := []codec.Edit{{Span: codec.Span{4, 4}, New: []byte("p;" + zeros)}, {Span: codec.Span{len(text) - 1, len(text)}, New: []byte("c")}}
	got, err := codectest.Lift(spell.AttrDouble, []byte(src), edits)
	require.NoError(t, err)
	assert.Equal(t, "a&amp;amp;"+zeros+zeros+"&#65;c", string(codec.Apply(nil, []byte(src), got)))
}

func TestLiftRefuses(t *testing.T) {
	for _, row := range []struct {
		name   string
		codec  codec.Codec
		src    string
		edits  []codec.Edit
		reason error
	}{
		{"NUL has no spelling in HTML", spell.AttrDouble, "a", []codec.Edit{{Span: codec.Span{0, 0}, New: []byte{0}}}, codec.ErrCannotSpell},
		{"a newline would be removed from a URL", spell.URLDouble, "a", []codec.Edit{{Span: codec.Span{0, 0}, New: []byte("x\ny")}}, codec.ErrCannotSpell},
		{"a space at the end would be removed", spell.URLDouble, "a", []codec.Edit{{Span: codec.Span{1, 1}, New: []byte(" ")}}, codec.ErrLaw},
		{"a second byte order mark", charsets.UTF8, "a", []codec.Edit{{Span: codec.Span{0, 0}, New: []byte("\uFEFF")}}, codec.ErrLaw},
		{"edits out of order", codec.Identity, "abc", []codec.Edit{{Span: codec.Span{2, 2}, New: []byte("x")}, {Span: codec.Span{1, 1}, New: []byte("y")}}, codec.ErrEdits},
		{"edits that overlap", spell.AttrBare, "abc", []codec.Edit{{Span: codec.Span{0, 2}, New: nil}, {Span: codec.Span{1, 3}, New: nil}}, codec.ErrEdits},
		{"edits outside the text", spell.AttrDouble, "&amp;", []codec.Edit{{Span: codec.Span{0, 5}, New: nil}}, codec.ErrEdits},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := codectest.Lift(row.codec, []byte(row.src), row.edits)
			assert.Nil(t, got)
			assert.ErrorIs(t, err, codec.ErrRefused)
			assert.True(t, errors.Is(err, row.reason), "%v", err)
		})
	}
}
