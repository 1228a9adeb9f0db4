package spell

import (
	"encoding/xml"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestXML decodes attributes (attr) and content (content), and compares content with encoding/xml. Rows name sections of XML 1.0.
func TestXML(t *testing.T) {
	for _, row := range []struct{ clause, src, attr, content string }{
		{"4.6 predefined", "&lt;&gt;&amp;&quot;&apos;", `<>&"'`, `<>&"'`},
		{"4.6 predefined, once", "&amp;lt;", "&lt;", "&lt;"},
		{"4.1 other names are no references", "&nbsp;&copy;&copy", "&nbsp;&copy;&copy", "&nbsp;&copy;&copy"},
		{"4.1 case matters", "&AMP;&Lt;", "&AMP;&Lt;", "&AMP;&Lt;"},
		{"4.1 the semicolon is needed", "&amp &lt", "&amp &lt", "&amp &lt"},
		{"4.1 decimal and hex", "&#65;&#x41;&#x4a;&#x4A;", "AAJJ", "AAJJ"},
		{"4.1 x is lower case", "&#X41;", "&#X41;", "&#X41;"},
		{"4.1 no digits, no semicolon", "&#;&#x;&#65", "&#;&#x;&#65", "&#;&#x;&#65"},
		{"2.2 numbers that are no character", "&#0;&#x1F;&#xD800;&#xFFFE;&#x110000;&#99999999999;", "&#0;&#x1F;&#xD800;&#xFFFE;&#x110000;&#99999999999;", "&#0;&#x1F;&#xD800;&#xFFFE;&#x110000;&#99999999999;"},
		{"4.1 no windows-1252", "&#128;", "\u0080", "\u0080"},
		{"2.11 line ends, and 3.3.3 in attributes", "a\r\nb\rc\nd\te", "a b c d e", "a\nb\nc\nd\te"},
		{"3.3.3 references to white space stay", "&#9;&#10;&#13;", "\t\n\r", "\t\n\r"},
		{"2.7 a CDATA section", "a<![CDATA[<b>&amp;]]]>&amp;", "", "a<b>&amp;]&"},
		{"2.7 two adjacent CDATA sections", "<![CDATA[a]]]]><![CDATA[>b]]>", "", "a]]>b"},
		{"2.5 comments, 2.6 processing instructions", "a<!-- b ]]> -->c<?d -->?>e", "", "ace"},
		{"2.7 a CDATA section without an end", "a<![CDATA[b&amp;", "", "ab&amp;"},
	} {
		t.Run(row.clause, func(t *testing.T) {
			for _, c := range []codec.Codec{XMLDouble, XMLSingle} {
				text, err := c.Decode([]byte(row.src))
				require.NoError(t, err)
				if !strings.Contains(row.src, "<") {
					assert.Equal(t, row.attr, string(text))
				}
			}
			for _, c := range []codec.Codec{XMLText, XMLContent} {
				text, err := c.Decode([]byte(row.src))
				require.NoError(t, err)
				if c == XMLContent || !strings.Contains(row.src, "<") {
					assert.Equal(t, row.content, string(text))
				}
			}
			var got string
			if xml.Unmarshal([]byte("<a>"+row.src+"</a>"), &got) == nil {
				assert.Equal(t, row.content, got, "encoding/xml")
			}
		})
	}
}

// White space around a URL is not a part of it, however it is written.
func TestXMLURLSpace(t *testing.T) {
	for _, src := range []string{" x\n", "&#32;x&#9; ", "<![CDATA[ x ]]>", "<!--a--> x <!--b--> ", "x<![CDATA[ ]]>&#32;", " <?a?>&#10;x<!--b--><![CDATA[\t]]> "} {
		text, err := XMLURLContent.Decode([]byte(src))
		require.NoError(t, err)
		assert.Equal(t, "x", string(text), src)
	}
}

func TestXMLLift(t *testing.T) {
	eacutes := strings.Repeat("é", 30)
	for _, row := range []struct {
		name       string
		codec      codec.Codec
		src        string
		start, end int
		text, want string
	}{
		{"double quotes", XMLDouble, "x", 0, 0, `a"b'c&<>` + "\n", "a&quot;b'c&amp;&lt;&gt;&#10;x"},
		{"single quotes", XMLSingle, "x", 0, 0, `a"b'c&`, "a\"b&#39;c&amp;x"},
		{"text", XMLText, "x", 0, 0, "\"&<>\n\r", "\"&amp;&lt;&gt;\n&#13;x"},
		{"a bare ampersand stays", XMLURLDouble, "?a=1&b=2", 0, 0, "http://h/", "http://h/?a=1&b=2"},
		{"white space around stays", XMLURLText, "\n x \n", 0, 0, "http://h/", "\n http://h/x \n"},
		{"the name before would become longer; characters around stay whole", XMLText, "x" + eacutes + "&am", 64, 64, "p;", "x" + eacutes + "&amp;amp;"},
		{"in a CDATA section: unchanged", XMLContent, "<![CDATA[<a href='x'>]]>", 9, 9, "&<", "<![CDATA[<a href='&<x'>]]>"},
		{"before a CDATA section: references", XMLContent, "a<![CDATA[b]]>c", 0, 1, "&", "&amp;<![CDATA[b]]>c"},
		{"after a CDATA section: references", XMLContent, "a<![CDATA[b]]>c", 2, 3, "&", "a<![CDATA[b]]>&amp;"},
		{"2.7 text that would end the section", XMLContent, "<![CDATA[ab]]>", 1, 1, "]]>", "<![CDATA[a]]]]><![CDATA[>b]]>"},
		{"2.7 text that would not end the section", XMLContent, "<![CDATA[ab]]>", 1, 1, ">]>]]c", "<![CDATA[a>]>]]cb]]>"},
		{"2.7 brackets of the source before the text", XMLContent, "<![CDATA[a]]b]]>", 3, 3, ">", "<![CDATA[a]]]]><![CDATA[>b]]>"},
		{"2.7 brackets before a bracket of the source", XMLContent, "<![CDATA[a>]]>", 1, 1, "]]", "<![CDATA[a]]]]><![CDATA[>]]>"},
		{"2.7 one bracket before another", XMLContent, "<![CDATA[a]>]]>", 1, 1, "]", "<![CDATA[a]]]><![CDATA[]>]]>"},
		{"2.7 brackets at the end of the section", XMLContent, "<![CDATA[a]]>", 1, 1, "]]", "<![CDATA[a]]]]>"},
		{"2.11 CR in a section", XMLContent, "<![CDATA[ab]]>", 1, 1, "\r", "<![CDATA[a]]>&#13;<![CDATA[b]]>"},
		{"a URL in a section", XMLURLContent, "<![CDATA[ x ]]>", 0, 0, "http://h/", "<![CDATA[ http://h/x ]]>"},
		{"a URL between comments", XMLURLContent, "<!--a--> x <!--b-->", 0, 0, "http://h/", "<!--a--> http://h/x <!--b-->"},
		{"across the end of a section", XMLContent, "<![CDATA[ab]]>cd", 1, 3, "&", "<![CDATA[a&]]>d"},
		{"across the start of a section", XMLContent, "ab<![CDATA[cd]]>", 1, 3, "&", "a&amp;<![CDATA[d]]>"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := codectest.Lift(row.codec, []byte(row.src), []codec.Edit{{Span: codec.Span{Start: row.start, End: row.end}, New: []byte(row.text)}})
			require.NoError(t, err)
			assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
		})
	}
	for _, none := range []string{"\x01", "\uFFFE", "\uFFFF", "caf\xe9/", "\xed\xa0\x80", "é\x80"} {
		for _, c := range []codec.Codec{XMLDouble, XMLURLSingle, XMLText, XMLContent} {
			_, err := codectest.Lift(c, []byte("x"), []codec.Edit{{Span: codec.Span{Start: 0, End: 0}, New: []byte(none)}})
			assert.ErrorIs(t, err, codec.ErrCannotSpell, "2.2: no character: %q", none)
		}
	}
}
