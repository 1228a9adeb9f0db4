package codectest

import (
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"

	"absolink/internal/longtest"
)

// Sources are bytes that every codec must handle, even one for which they are unlikely.
var Sources = []string{
	"", "a", "http://h/p?a=1&b=2#f", " g ", "\t\n g\r\n", " ", "\r", "\r\n", "\r\r\n\n", "\x00", "a\x00b",
	"?a=1&amp;b=2", "&", "&&", "&am", "&amp", "&#", "&#x", "&#38", "&#x26;", "&#0;", "&#128;", "&#xD800;", "&#x110000;",
	"&#99999999999999999999;", "&copy=1", "&copy", "&copy;", "&copya", "&notit;", "&notin;", "&nosuch;",
	"&NotEqualTilde;", "&CounterClockwiseContourIntegral;", "&Tab;a&NewLine;b&#32;", "&#32; &#32;x&#32; &#32;", "a b",
	" a\tb ", "\"\"", "=\"\"", "=\"x\"", "\"x\"", "\"", "''", "a'b\"c", "<b>", "a/b/c",
	`\`, `\\`, `\6`, `\61`, `\61 b`, "\\61\r\nb", `\000061b`, `\0`, `\110000`, `\d800 x`, "a\\\nb", "a\\\r\nb",
	"a\\\fb", `\(`, `\é`, "\\\xff", "\f", "a(b)", "é", "Привет", "日本語", "\xe9", "\xcf\xf0\xe8\xe2\xe5\xf2",
	"\x93\xfa\x96\x7b", "\x81", "\x81<", "\x81\x40", "\xff", "\xef\xbb\xbfabc", "\xef\xbb\xbf", "\xef\xbb",
	"a\x00b\x00", "\x00a\x00b", "\xff\xfea\x00", "\xfe\xff\x00a", "\xff\xfe", "a\x00b", "\x3d\xd8\x00\xdea\x00",
	"\xff\xfea\x00b\x00\xe9\x00c\x00d\x00e\x00f\x00g\x00\x00\x00", "\xfe\xff\x00a\x00b\x00c\x00d\x00e\x00\xe9\x20\xac",
	"\x3d\xd8a\x00", "\xd8\x3d\xde\x00", "\x1b$B$\"$$\x1b(B", "a\x1b$BF|K\\\x1b(Bb", "\x1b$BF|K\\", "\x1b(B",
	"\x1b(Jx\\~\x1b(B", "\x1b", "\x1b$", "\x1b$B<<\x1b(B<", "\x0e", "\x1b(Ja\\b\x1bc~d", "a\x1b(J\x1b(Bb\x1b(J",
	"\x1b$BF|K\x1b(Jx\x1b(I1\x1b$BK", "\x1b$BF\n<<\x1b$@<<", "\x81\x30\x81\x30", "\x84\x31\xa4\x37", "\x80", "=", "=3D",
	"=3d=e9", "=4", "==", "=\n", "=\r\n", "=\r", "a= \t\r\nb", "a \t\r\nb", "a \n", "a  ", "a=20\n=09\n", "=C3=A9",
	"=zz", "= x", "a\r\r\nb", "a =\n b \r", "a=\r\r\nb= \r\r\n\r", ">From a", "From a",
	">>From a\n>From b\r\n>>>From c\nFrom d", "a\n>From b", "a\n>>From", ">", "a >From b\n>\n>From >From ", "a\n.b",
	"aFrom b", "a\n--b", strings.Repeat("0123456789", 7) + "12345\r\nx",
	strings.Repeat("0123456789", 7) + "123456\r\nx",
	strings.Repeat("0123456789", 7) + "1234567\nx", strings.Repeat("0123456789", 7) + "12345=\nx",
	strings.Repeat("=E9", 25) + "=\n=E9\n", strings.Repeat("x ", 100) + "=  \r\ny",
	"QUJD", "QUJDRA==", "QUJDREU=\r\n", "QUJD\nREVG\nRw==\n", "QUJ\nDRE\nVGR\nw=\n=", "QU JD", "QUJDR", "QUJDRE",
	"QQ==QUJD", "QQ==\r\n___\r\nfooter.", "Q=", "QQ=", "Q===", "QUJD=", "\r\n QQ==", "*Q*U*J*D*",
	"3\r\nabc\r\n0\r\n\r\n", "3;x=y\nabc\n1\nd\n00\nT: x\n\nmore", "0\r\n\r\n", "A\r\nshort",
	"2\r\nab\r\n2\r\nab\r\nzz", "1\r\nab\r\n", "ffffffffffffffff\r\n", "7fffffffffffffff\r\n",
	zipped, deflated, zipped[:20],
	"<![CDATA[a&amp;]]>", " <![CDATA[ a\r\n ]]> ", "a&lt;<!-- b -->c<?d e?>f", "<![CDATA[]]>",
	"<![CDATA[a]]]]><![CDATA[>b]]>", "<![CDATA[a]b]c]>]]>", "<![CDATA[a]", "<![CDATA[]]", "<!-- a", "<!-->",
	"a<!---->b", "<![CDATA[]]]>", "<![CDATA[a]]b<![CDATA[]]>", "<?a", "]]>", "<![CDATA[ ]]> <!-- --> ",
	"&#X41;&#x0;&#x1F;&apos;&apos", "a<b", "&#xD;&#xA;x&#9;", "<![CDATA[x]]> y <![CDATA[z]]>", "a]]]]><![CDATA[>b",
	"a]]>b", "]]", "]]]", "]]><![CDATA[", "]]><![CDATA[]]><![CDATA[>",
	`\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00\ud83d`, `\ud83d\u0041`, `\ufffd`, `a\/b`, `http:\/\/h\/`,
	`\"\\\b\f\n\r\t`, `\u00`, `\x`, `\u0000`,
	"<>", "<a", "a(b)(c(d))", "a(b", ")(", strings.Repeat("(", 33) + strings.Repeat(")", 33), `a\(b`, `a\)(b)`, `\`,
	`\|`, `\\|`, "a|b", `a\`, "&lpar;", "&#40;(", "&#1234567;", "&#12345678;", "&#x1234567;", "&#xD800;", "&#x0;",
	"x@y.z", "http://h/a\r\n b", "http://h/a\n\t b\n ", " a\r\n \r\n b ", "a\rb\r", "\n \n ",
	"=?us-ascii?Q?a=20b?=", "=?us-ascii?Q?a?= =?us-ascii?Q?b?=", "=?us-ascii?Q?a?=\r\n\t=?us-ascii?Q?b?=",
	"=?us-ascii?Q?a?==?us-ascii?Q?b?=", "http://h/ =?utf-8?Q?=C3=A9?= x", "=?utf-8?B?w6k=?=", "=?utf-8?B?w6?=",
	"=?utf-8?Q?=C3?=", "=?x?Q?a=FF?=", "=?us-ascii*en?q?a?=", "=?iso-8859-1?Q?=e9?=", "a=?us-ascii?Q?b?=",
	"=?us-ascii?Q?b?=c", "=?us-ascii?Q?b", "=?us-ascii?Q?b?", "=?us-ascii?X?b?=", "=????=", "=?", "=?=?=?",
	"=?us-ascii?Q??=", "=?us-ascii?Q?a?= \t", "url:x", "(x", "<x>", "a\";\r\n x*1=\"b\"; x*2=\"\"; x*3=\" c",
	`"" a`, `";x*1="a"`,
	"&#65;&#32;", "\x88\x62", "\x88\x62a", "\xa4\x40", "\x8f\xa2\xaf", "\x8e\xb1", "\xb1",
}

// page is the text of zipped and deflated.
const page = "<a href=x>text, text, text, text"

var (
	zipped   = compressed(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	deflated = compressed(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
)

func compressed(packer func(io.Writer) io.WriteCloser) string {
	var b strings.Builder
	w := packer(&b)
	io.WriteString(w, page)
	w.Close()
	return b.String()
}

// Inserts are new texts for edits.
var Inserts = []string{"", "a", "http://h/", "p;", ";", "&", "&amp;", "=1", "5", "\"'", " ", "a b", "<>", "\n", "\\",
	"b(c)", "é", "日", "¥~\\", "‾ｱ日", "−", "\x1b(J", "(B", "\x00", "\uFFFD", "]", "]>", "]]>", "\r", "|", "(", ")",
	"mailto:", "=?us-ascii?Q?a?=", "?=", "=?", "url:"}

// Some returns the inserts to test with the source i. A long test has all of them for each source, and a plain test
// takes turns.
func Some(i int, all []string) (some []string) {
	step := longtest.Or(32, 1)
	for at := i % step; at < len(all); at += step {
		some = append(some, all[at])
	}
	return some
}
