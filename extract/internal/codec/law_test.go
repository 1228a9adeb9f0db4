package codec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/longtest"
)

// named is a codec with its name.
type named struct {
	name  string
	codec Codec // not embedded, because an embedded codec would hide its optional methods
}

// all has the codecs to test. FuzzLift stores their indexes in its corpus, so only append to the list.
var all = []named{
	{"Identity", Identity},
	{"AttrDouble", AttrDouble}, {"AttrSingle", AttrSingle}, {"AttrUnquoted", AttrUnquoted}, {"AttrBare", AttrBare}, {"AttrEmpty", AttrEmpty},
	{"URLDouble", URLDouble}, {"URLSingle", URLSingle}, {"URLUnquoted", URLUnquoted}, {"URLBare", URLBare}, {"URLEmpty", URLEmpty},
	{"CharData", CharData},
	{"CSSDouble", CSSDouble}, {"CSSSingle", CSSSingle}, {"CSSURL", CSSURL},
	charset("utf-8"), charset("windows-1252"), charset("windows-1253"), charset("koi8-r"), charset("x-user-defined"),
	charset("shift_jis"), charset("gbk"), charset("gb18030"), charset("big5"), charset("euc-jp"), charset("euc-kr"),
	charset("utf-16le"), charset("utf-16be"), charset("iso-2022-jp"), charset("replacement"),
	{"QuotedPrintable", QuotedPrintable}, {"QuotedPrintableLF", QuotedPrintableLF}, {"Base64", Base64}, {"Base64LF", Base64LF},
	{"FromQuoteRD", FromQuoteRD}, {"FromQuoteO", FromQuoteO},
	{"Chunked", Chunked}, {"gzip", Packed("gzip", 200)}, {"deflate", Packed("deflate", 200)},
	{"FromUnquoted", FromUnquoted},
	{"chunked gzip", Layers(Chunked, Packed("gzip", 200))},
	{"XMLDouble", XMLDouble}, {"XMLSingle", XMLSingle}, {"XMLText", XMLText}, {"XMLContent", XMLContent},
	{"XMLURLDouble", XMLURLDouble}, {"XMLURLSingle", XMLURLSingle}, {"XMLURLText", XMLURLText}, {"XMLURLContent", XMLURLContent},
	{"JSONString", JSONString}, {"Base64Line", Base64Line}, {"CDATA", CDATA},
	{"MarkdownBare", MarkdownBare}, {"MarkdownPointy", MarkdownPointy}, {"MarkdownAutolink", MarkdownAutolink},
	{"MarkdownMail", MarkdownMail}, {"MarkdownWWW", MarkdownWWW}, {"MarkdownCell", MarkdownCell},
	{"cell bare", Layers(MarkdownCell, MarkdownBare)}, {"cell autolink", Layers(MarkdownCell, MarkdownAutolink)},
	{"JSONScript", JSONScript},
	{"WrappedURL", WrappedURL{}}, {"WrappedURL in a full line", WrappedURL{Before: 70, After: 70, Scheme: true}}, {"UUEncode", UUEncode},
	{"SwappedLines", SwappedLines},
}

func charset(label string) named {
	c, name, _ := Charset(label)
	return named{name, c}
}

// sources are bytes that each codec must handle, even if they are unlikely there.
var sources = []string{
	"", "a", "http://h/p?a=1&b=2#f", " g ", "\t\n g\r\n", " ", "\r", "\r\n", "\r\r\n\n", "\x00", "a\x00b",
	"?a=1&amp;b=2", "&", "&&", "&am", "&amp", "&#", "&#x", "&#38", "&#x26;", "&#0;", "&#128;", "&#xD800;", "&#x110000;", "&#99999999999999999999;",
	"&copy=1", "&copy", "&copy;", "&copya", "&notit;", "&notin;", "&nosuch;", "&NotEqualTilde;", "&CounterClockwiseContourIntegral;",
	"&Tab;a&NewLine;b&#32;", "&#32; &#32;x&#32; &#32;", "a b", " a\tb ", "\"\"", "=\"\"", "=\"x\"", "\"x\"", "\"", "''", "a'b\"c", "<b>", "a/b/c",
	`\`, `\\`, `\6`, `\61`, `\61 b`, "\\61\r\nb", `\000061b`, `\0`, `\110000`, `\d800 x`, "a\\\nb", "a\\\r\nb", "a\\\fb", `\(`, `\é`, "\\\xff", "\f", "a(b)",
	"é", "Привет", "日本語", "\xe9", "\xcf\xf0\xe8\xe2\xe5\xf2", "\x93\xfa\x96\x7b", "\x81", "\x81<", "\x81\x40", "\xff", "\xef\xbb\xbfabc", "\xef\xbb\xbf", "\xef\xbb",
	"a\x00b\x00", "\x00a\x00b", "\xff\xfea\x00", "\xfe\xff\x00a", "\xff\xfe", "a\x00b", "\x3d\xd8\x00\xdea\x00", "\xff\xfea\x00b\x00\xe9\x00c\x00d\x00e\x00f\x00g\x00\x00\x00", "\xfe\xff\x00a\x00b\x00c\x00d\x00e\x00\xe9\x20\xac", "\x3d\xd8a\x00", "\xd8\x3d\xde\x00",
	"\x1b$B$\"$$\x1b(B", "a\x1b$BF|K\\\x1b(Bb", "\x1b$BF|K\\", "\x1b(B", "\x1b(Jx\\~\x1b(B", "\x1b", "\x1b$", "\x1b$B<<\x1b(B<", "\x0e", "\x1b(Ja\\b\x1bc~d", "a\x1b(J\x1b(Bb\x1b(J", "\x1b$BF|K\x1b(Jx\x1b(I1\x1b$BK", "\x1b$BF\n<<\x1b$@<<", "\x81\x30\x81\x30", "\x84\x31\xa4\x37", "\x80",
	"=", "=3D", "=3d=e9", "=4", "==", "=\n", "=\r\n", "=\r", "a= \t\r\nb", "a \t\r\nb", "a \n", "a  ", "a=20\n=09\n", "=C3=A9", "=zz", "= x", "a\r\r\nb", "a =\n b \r", "a=\r\r\nb= \r\r\n\r",
	">From a", "From a", ">>From a\n>From b\r\n>>>From c\nFrom d", "a\n>From b", "a\n>>From", ">", "a >From b\n>\n>From >From ",
	"a\n.b", "aFrom b", "a\n--b", strings.Repeat("0123456789", 7) + "12345\r\nx", strings.Repeat("0123456789", 7) + "123456\r\nx",
	strings.Repeat("0123456789", 7) + "1234567\nx", strings.Repeat("0123456789", 7) + "12345=\nx", strings.Repeat("=E9", 25) + "=\n=E9\n", strings.Repeat("x ", 100) + "=  \r\ny",
	"QUJD", "QUJDRA==", "QUJDREU=\r\n", "QUJD\nREVG\nRw==\n", "QUJ\nDRE\nVGR\nw=\n=", "QU JD", "QUJDR", "QUJDRE", "QQ==QUJD", "QQ==\r\n___\r\nfooter.", "Q=", "QQ=", "Q===", "QUJD=", "\r\n QQ==", "*Q*U*J*D*",
	"3\r\nabc\r\n0\r\n\r\n", "3;x=y\nabc\n1\nd\n00\nT: x\n\nmore", "0\r\n\r\n", "A\r\nshort", "2\r\nab\r\n2\r\nab\r\nzz", "1\r\nab\r\n", "ffffffffffffffff\r\n", "7fffffffffffffff\r\n",
	packedText("gzip"), packedText("deflate"), packedText("gzip")[:20],
	"<![CDATA[a&amp;]]>", " <![CDATA[ a\r\n ]]> ", "a&lt;<!-- b -->c<?d e?>f", "<![CDATA[]]>", "<![CDATA[a]]]]><![CDATA[>b]]>", "<![CDATA[a]b]c]>]]>", "<![CDATA[a]", "<![CDATA[]]", "<!-- a",
	"<!-->", "a<!---->b", "<![CDATA[]]]>", "<![CDATA[a]]b<![CDATA[]]>", "<?a", "]]>", "<![CDATA[ ]]> <!-- --> ", "&#X41;&#x0;&#x1F;&apos;&apos", "a<b", "&#xD;&#xA;x&#9;", "<![CDATA[x]]> y <![CDATA[z]]>",
	"a]]]]><![CDATA[>b", "a]]>b", "]]", "]]]", "]]><![CDATA[", "]]><![CDATA[]]><![CDATA[>",
	`\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00\ud83d`, `\ud83d\u0041`, `\ufffd`, `a\/b`, `http:\/\/h\/`, `\"\\\b\f\n\r\t`, `\u00`, `\x`, `\u0000`,
	"<>", "<a", "a(b)(c(d))", "a(b", ")(", strings.Repeat("(", 33) + strings.Repeat(")", 33), `a\(b`, `a\)(b)`, `\`, `\|`, `\\|`, "a|b", `a\`, "&lpar;", "&#40;(", "&#1234567;", "&#12345678;", "&#x1234567;", "&#xD800;", "&#x0;", "x@y.z",
	"\x88\x62", "\x88\x62a", "\xa4\x40", "\x8f\xa2\xaf", "\x8e\xb1", "\xb1",
}

// inserts are new texts for edits.
var inserts = []string{"", "a", "http://h/", "p;", ";", "&", "&amp;", "=1", "5", "\"'", " ", "a b", "<>", "\n", "\\", "b(c)", "é", "日", "¥~\\", "‾ｱ日", "−", "\x1b(J", "(B", "\x00", "\uFFFD", "]", "]>", "]]>", "\r", "|", "(", ")", "mailto:"}

// changed returns the Changes of all edits.
func changed(edits []Edit) string {
	var out strings.Builder
	for _, e := range edits {
		for c := e.Changes; c != nil; c = c.Next {
			fmt.Fprintln(&out, c.Of)
		}
	}
	return out.String()
}

// lawful checks everything that the package promises about one call of Lift. It reports whether Lift refused the edits.
func lawful(t assert.TestingT, c Codec, src []byte, edits []Edit) (refused bool) {
	before := string(src)
	text, err := c.Decode(src)
	mapped, atoms, mapErr := c.Map(src)
	same(t, string(text), string(mapped), "Decode and Map return the same text")
	into, intoErr := DecodeInto(new([]byte), c, src)
	same(t, string(text), string(into), "Decode and DecodeInto return the same text")
	holds(t, (err != nil) == (intoErr != nil), "DecodeInto fails as Decode does")
	holds(t, (err != nil) == (mapErr != nil), "Decode fails as Map does")
	tiled(t, src, text, atoms)
	if len(edits) == 0 {
		mappedAs(t, c, src, text, atoms)
	}
	edits = slices.Clone(edits)
	for i := range edits {
		edits[i].Changes = &Changes{N: 1, Of: i}
	}
	got, err := liftOf(c, src, edits)
	same(t, before, string(src), "the source is only read")
	if err != nil {
		holds(t, errors.Is(err, ErrRefused), "the error is an ErrRefused")
		holds(t, got == nil, "no edits are returned with an error")
		return true
	}
	holds(t, len(edits) > 0 || got == nil, "no edits for no edits")
	at := 0
	for _, e := range got {
		if !holds(t, at <= e.Start && e.Start <= e.End && e.End <= len(src), "sorted and in range") {
			return false
		}
		at = e.End
	}
	out, _ := c.Decode(Apply(nil, src, got))
	same(t, string(Apply(nil, text, edits)), string(out), "the law")
	made, _ := trim(text, edits)
	same(t, changed(made), changed(got), "the edits have the Changes of all edits of the text")
	if _, ok := c.(shortcut); ok {
		long, err := new(Replacer).lift(c, src, edits)
		holds(t, err == nil, "short and lift both succeed")
		same(t, string(Apply(nil, src, long)), string(Apply(nil, src, got)), "short and lift have the same result")
	}
	if len(edits) == 1 {
		var r Replacer
		whole := Apply(nil, text, edits)
		long, longErr := liftOf(c, src, []Edit{{Span: Span{0, len(text)}, New: whole}})
		short, err := r.Replace(nil, c, src, text, whole)
		holds(t, (err != nil) == (longErr != nil), "Replace fails as Lift does")
		same(t, string(Apply(nil, src, long)), string(Apply(nil, src, short)), "Replace and Lift have the same result")
	}
	return false
}

// mappedAs checks that a SourceMap returns the same spans as atoms.
func mappedAs(t assert.TestingT, c Codec, src, text []byte, atoms Atoms) {
	m := NewSourceMap(c, src, text)
	for start := range len(text) + 1 {
		for _, n := range []int{0, 1, 2, 3, len(text) - start} {
			span := Span{start, min(start+n, len(text))}
			holds(t, m.Span(span) == atoms.Span(span), "a SourceMap returns the same spans as the atoms")
		}
	}
}

// liftOf is Lift, with the text of src.
func liftOf(c Codec, src []byte, edits []Edit) ([]Edit, error) {
	text, _ := c.Decode(src)
	return Lift(c, src, text, edits)
}

// same and holds are assert.Equal and assert.True, but cheap enough for millions of calls.
func same(t assert.TestingT, want, got, msg string) bool {
	return want == got || assert.Equal(t, want, got, msg)
}

func holds(t assert.TestingT, ok bool, msg string) bool {
	return ok || assert.Fail(t, msg)
}

// tiled checks that atoms are sorted and in range, and that all bytes between them stand for themselves.
func tiled(t assert.TestingT, src, text []byte, atoms Atoms) {
	s, x := 0, 0
	for i, a := range atoms {
		ok := a.N > 0 && a.SrcLen > 0 && a.TextLen >= 0 && a.Src >= s && a.Src-s == a.Text-x && a.srcEnd() <= len(src) && a.textEnd() <= len(text)
		if !ok {
			assert.Fail(t, "atoms out of order", "%d of %+v", i, atoms)
			return
		}
		if !same(t, string(src[s:a.Src]), string(text[x:a.Text]), "between atoms") {
			return
		}
		s, x = a.srcEnd(), a.textEnd()
	}
	same(t, string(src[s:]), string(text[x:]), "after the atoms")
}

// insertsFor returns the inserts to test with the source i: all of them in a long test, and otherwise some. Each insert is for
// some sources.
func insertsFor(i int, all []string) (some []string) {
	step := longtest.Or(16, 1)
	for at := i % step; at < len(all); at += step {
		some = append(some, all[at])
	}
	return some
}

// TestLaw checks the law for each codec, each source and its inserts.
func TestLaw(t *testing.T) {
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c := c.codec
			for i, s := range sources {
				src := []byte(s)
				text, _ := c.Decode(src)
				lawful(t, c, src, nil)
				for _, ins := range insertsFor(i, inserts) {
					for at := 0; at <= len(text); at += 1 + len(text)/12 {
						for _, end := range []int{at, at + 1, len(text)} {
							if end > len(text) {
								continue
							}
							edits := []Edit{{Span: Span{at, end}, New: []byte(ins)}}
							lawful(t, c, src, edits)
							if end < len(text) && len(ins) == 1 {
								lawful(t, c, src, append(edits, Edit{Span: Span{end, end + 1}, New: []byte(ins)}))
								lawful(t, c, src, append(edits, Edit{Span: Span{len(text), len(text)}, New: []byte("z")}))
								middle := (end + len(text) + 1) / 2
								lawful(t, c, src, append(edits, Edit{Span: Span{middle, middle}, New: []byte("z")}))
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

// TestReplacerLift proves that a Replacer returns the results of Lift, and that a later call does not change a result.
func TestReplacerLift(t *testing.T) {
	var r Replacer
	for _, c := range all {
		var want, got [][]Edit
		for i, s := range sources {
			src := []byte(s)
			text, _ := c.codec.Decode(src)
			for _, ins := range insertsFor(i, inserts) {
				edits := []Edit{{Span: Span{len(text) / 2, len(text)/2 + min(1, len(text)/4)}, New: []byte(ins)}}
				once, _ := Lift(c.codec, src, text, edits)
				again, _ := r.Lift(c.codec, src, text, edits)
				want, got = append(want, once), append(got, again)
			}
		}
		assert.Equal(t, want, got, c.name)
	}
}

var zeros = strings.Repeat("0", 99)

// TestLiftLocal edits texts, and compares all bytes of the result.
func TestLiftLocal(t *testing.T) {
	for _, row := range []struct {
		name       string
		codec      Codec
		src        string
		start, end int
		text, want string
	}{
		{"a bare ampersand after the edit stays", URLDouble, "?a=1&b=2", 0, 0, "http://h/", "http://h/?a=1&b=2"},
		{"a reference after the edit stays", URLDouble, "?a=1&#38;b=2", 0, 0, "http://h/", "http://h/?a=1&#38;b=2"},
		{"equal start and end of old and new text stay", URLDouble, "a&amp;b&#x26;c", 0, 5, "a&x&c", "a&amp;x&#x26;c"},
		{"white space around stays: insertion at the start", URLDouble, " g ", 0, 0, "h/", " h/g "},
		{"white space around stays: insertion at the end", URLDouble, " g ", 1, 1, "/h", " g/h "},
		{"white space around stays: whole text", URLDouble, " g ", 0, 1, "x", " x "},
		{"white space around stays: only white space", URLDouble, "&#32; ", 0, 0, "x", "&#32; x"},
		{"a tab inside an edit is deleted", URLDouble, "a\tbc", 0, 2, "x", "xc"},
		{"quotes: double", AttrDouble, "", 0, 0, `a"b'c&<`, "a&quot;b'c&amp;&lt;"},
		{"quotes: single", AttrSingle, "", 0, 0, `a"b'c&<`, `a"b&#39;c&amp;&lt;`},
		{"quotes: none", AttrUnquoted, "x", 1, 1, "a b>", "xa&#32;b&gt;"},
		{"unquoted: the empty text", URLUnquoted, "x", 0, 1, "", `""`},
		{"unquoted: text instead of the empty text", URLUnquoted, `""`, 0, 0, "y", `"y"`},
		{"no value", URLBare, "", 0, 0, "http://h/", `="http://h/"`},
		{"no value, written before", URLBare, `="a"`, 1, 1, "b", `="ab"`},
		{"empty value", URLEmpty, "", 0, 0, "http://h/", `"http://h/"`},
		{"13.2.5.73: the name before would become longer", AttrDouble, "a&am", 4, 4, "p;", "a&amp;amp;"},
		{"13.2.5.73: only the edit that fails is widened", AttrDouble, "&#65;" + zeros + "&am", 103, 103, "p;", "&#65;" + zeros + "&amp;amp;"},
		{"13.2.5.75: the number before would become longer", AttrDouble, "a&#38", 2, 2, "5", "a&amp;5"},
		{"13.2.5.73: the legacy name before would end", AttrDouble, "&copy", 2, 2, "=1", "©=1"},
		{"CR in the text is a reference", AttrDouble, "ab", 1, 1, "\r", "a&#13;b"},
		{"an atom is replaced as a whole", AttrDouble, "a&eacute;b", 1, 3, "è", "aèb"},
		{"CharData", CharData, "a", 1, 1, "<&>", "a&lt;&amp;>"},
		{"RFC 8259 7: escapes", JSONString, "a", 1, 1, "\"<\x01\\", `a\"<\u0001\\`},
		{"RFC 8259 7: the solidus is escaped like the solidi nearby", JSONString, `a\/b`, 0, 0, "http://h/", `http:\/\/h\/a\/b`},
		{"HTML 4.12.1.3: no tag or comment in a script", JSONScript, "a", 1, 1, "</script><!--", `a\u003c/script\u003e\u003c!--`},
		{"escapes nearby stay in a script", JSONScript, `\u002e/a\u003cb<`, 0, 0, "http://h/", `http://h/\u002e/a\u003cb<`},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := liftOf(row.codec, []byte(row.src), []Edit{{Span: Span{row.start, row.end}, New: []byte(row.text)}})
			require.NoError(t, err)
			assert.Equal(t, row.want, string(Apply(nil, []byte(row.src), got)))
		})
	}
}

// TestLiftRefuses has edits that have no spelling, and invalid lists of edits.
func TestLiftRefuses(t *testing.T) {
	for _, row := range []struct {
		name   string
		codec  Codec
		src    string
		edits  []Edit
		reason error
	}{
		{"NUL has no spelling in HTML", AttrDouble, "a", []Edit{{Span: Span{0, 0}, New: []byte{0}}}, ErrCannotSpell},
		{"a newline would be removed from a URL", URLDouble, "a", []Edit{{Span: Span{0, 0}, New: []byte("x\ny")}}, ErrCannotSpell},
		{"a space at the end would be removed", URLDouble, "a", []Edit{{Span: Span{1, 1}, New: []byte(" ")}}, errLaw},
		{"edits out of order", Identity, "abc", []Edit{{Span: Span{2, 2}, New: []byte("x")}, {Span: Span{1, 1}, New: []byte("y")}}, errEdits},
		{"edits that overlap", AttrBare, "abc", []Edit{{Span: Span{0, 2}, New: nil}, {Span: Span{1, 3}, New: nil}}, errEdits},
		{"edits outside the text", AttrDouble, "&amp;", []Edit{{Span: Span{0, 5}, New: nil}}, errEdits},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := liftOf(row.codec, []byte(row.src), row.edits)
			assert.Nil(t, got)
			assert.ErrorIs(t, err, ErrRefused)
			assert.True(t, errors.Is(err, row.reason), "%v", err)
		})
	}
}
