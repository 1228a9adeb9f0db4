package css

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/mark"
	"absolink/extract/internal/marktest"
)

var rows = []marktest.GrammarRow{
	// css-syntax-3 4.3.6, consume a url token.
	{Name: "4.3.6 plain", Src: `a{background:url(a.png)}`, Want: marktest.Texts("a.png")},
	{Name: "4.3.6 white space around", Src: "a{background:url( \t\r\n\fa.png\n )}", Want: marktest.Texts("a.png")},
	{Name: "4.3.6 at end of file", Src: `a{background:url(a.png`, Want: marktest.Texts("a.png")},
	{Name: "4.3.6 white space at end of file", Src: `a{background:url(a.png  `, Want: marktest.Texts("a.png")},
	{Name: "4.3.6 white space inside is bad", Src: `a{background:url(a b.png) url(c.png)}`, Want: marktest.Texts("c.png")},
	{Name: "4.3.6 quote inside is bad", Src: `url(a"b) url(c)`, Want: marktest.Texts("c")},
	{Name: "4.3.6 apostrophe inside is bad", Src: `url(a'b) url(c)`, Want: marktest.Texts("c")},
	{Name: "4.3.6 parenthesis inside is bad", Src: `url(a(b) url(c)`, Want: marktest.Texts("c")},
	{Name: "4.3.6 control inside is bad", Src: "url(a\x01b) url(\x7F) url(\x0B) url(c)", Want: marktest.Texts("c")},
	{Name: "3.3 NUL is a character", Src: "url(a\x00b)", Want: marktest.Texts("a\uFFFDb")},
	{Name: "4.3.6 escaped parenthesis", Src: `url(a\)b.png)`, Want: marktest.Texts("a)b.png")},
	{Name: "4.3.6 hex escape", Src: `url(a\29.png)`, Want: marktest.Texts("a).png")},
	{Name: "4.3.6 white space after a hex escape", Src: `url(a\29 b.png)`, Want: marktest.Texts("a)b.png")},
	{Name: "4.3.6 white space after a hex escape, at the end", Src: `url(a\29 )`, Want: marktest.Texts("a)")},
	{Name: "4.3.6 hex escape, then CRLF twice", Src: "url(a\\29\r\n\r\n)", Want: marktest.Texts("a)")},
	{Name: "4.3.6 hex escape of six digits", Src: `url(\0000411)`, Want: marktest.Texts("A1")},
	{Name: "4.3.6 escaped space", Src: `url(a\ b)`, Want: marktest.Texts("a b")},
	{Name: "4.3.6 escaped space at the end", Src: `url(a\ )`, Want: marktest.Texts("a ")},
	{Name: "4.3.6 escaped newline is bad", Src: "url(a\\\nb) url(c)", Want: marktest.Texts("c")},
	{Name: "4.3.6 backslash at end of file", Src: `url(a\`, Want: marktest.Texts("a\uFFFD")},
	{Name: "4.3.6 not ASCII", Src: `url(é.png)`, Want: marktest.Texts("é.png")},
	{Name: "4.3.6 not UTF-8", Src: "url(\xe9\xff.png)", Want: marktest.Texts("\xe9\xff.png")},
	{Name: "4.3.6 data URL", Src: `url(data:image/png;base64,AA+/==)`, Want: marktest.Texts("data:image/png;base64,AA+/==")},
	{Name: "4.3.6 no comments in an unquoted URL", Src: `url(/*a*/)`, Want: marktest.Texts("/*a*/")},
	{Name: "4.3.6 comment before a quote is bad", Src: `url(/**/"a") url(c)`, Want: marktest.Texts("c")},
	{Name: "4.3.14 remnants up to the parenthesis", Src: `url(a b;c{d}"e) url(f)`, Want: marktest.Texts("f")},
	{Name: "4.3.14 remnants with an escape", Src: `url(a b\) url(c) url(d)`, Want: marktest.Texts("d")},
	{Name: "4.3.14 remnants to the end", Src: `url(a b url("c"`, Want: nil},

	// 4.3.4, consume an ident-like token.
	{Name: "4.3.4 double quotes", Src: `url("a.png")`, Want: marktest.Texts("a.png")},
	{Name: "4.3.4 single quotes", Src: `url('a.png')`, Want: marktest.Texts("a.png")},
	{Name: "4.3.4 white space before and after quotes", Src: "url( \n\t'a.png' \n)", Want: marktest.Texts("a.png")},
	{Name: "4.3.4 quote at end of file", Src: `url("a.png`, Want: marktest.Texts("a.png")},
	{Name: "4.3.4 parenthesis at end of file", Src: `url("a.png"`, Want: marktest.Texts("a.png")},
	{Name: "4.3.4 bad string", Src: "url(\"a\nb\") url(c)", Want: nil},
	{Name: "4.3.4 bad string of one line", Src: "url(\"a\n) url(c)", Want: marktest.Texts("c")},
	{Name: "4.3.4 case", Src: `URL(a) Url("b") uRl('c')`, Want: marktest.Texts("a", "b", "c")},
	{Name: "4.3.4 escapes in the name", Src: `\75rl(a) u\72l(b) ur\6c(c) ur\00006C (d) \u\r\l(e) u\52 l("f")`, Want: marktest.Texts("a", "b", "c", "d", "e", "f")},
	{Name: "4.3.4 newline that ends an escape", Src: "ur\\6c\r\n(a) ur\\6c\n\n(b)", Want: marktest.Texts("a")},
	{Name: "4.3.4 escapes in the name, but no parenthesis", Src: `\75rl "a"; u\72l "b"`, Want: nil},
	{Name: "4.3.7 an escape has six digits at most", Src: `-\000077ebkit-image-set("a" 1x)`, Want: marktest.Texts("a")},
	{Name: "4.3.4 escape of a letter outside ASCII", Src: `\175rl(a)`, Want: nil},
	{Name: "4.3.4 escape of another letter", Src: `\0075rm(a) u\72 m(b)`, Want: nil},
	{Name: "4.3.4 space before the parenthesis", Src: `url (a) url/**/(b)`, Want: nil},
	{Name: "4.3.4 longer names", Src: `curl(a) _url(b) -url(c) --url(d) urls(e) éurl(f)` + " \x00url(g)", Want: nil},
	{Name: "4.3.4 longer names with escapes", Src: `c\75rl(a) \63url(b) -\75rl(c) verylongprefixbefore-\75rl(d) u\72lx(e)`, Want: nil},
	{Name: "4.3.3 units", Src: `2url(a) 2.5url(b) 1e3url(c) -1url(d) +.5url(e) 1-url(f) 2\75rl(g)`, Want: nil},
	{Name: "4.3.3 signs and delimiters", Src: `+url(a) .url(b) 1.url(c) 5%url(d) 1+url(e) ,url(f)/url(g)`, Want: marktest.Texts("a", "b", "c", "d", "e", "f", "g")},
	{Name: "4.3.1 hashes", Src: `#url(a) #u\72l(b) #aurl(c)`, Want: nil},
	{Name: "4.3.1 at-keywords", Src: `@url(a) @u\72l(b) @-url(c)`, Want: nil},
	{Name: "4.3.1 at and a number", Src: `@1url(a) @ url(b)`, Want: marktest.Texts("b")},
	{Name: "4.3.1 after CDC", Src: `<!-- -->url(d)`, Want: marktest.Texts("d")},
	{Name: "4.3.1 after CDO", Src: `<!--url(a) <!--\75rl(b) <!---webkit-image-set("c") <!---webkit-image-se\74("d") a<!--src("e")`, Want: marktest.Texts("a", "b", "c", "d", "e")},
	{Name: "4.3.1 dashes that are no CDO", Src: `\<!--\75rl(a) <!-\75rl(b) <!---\75rl(c) "<"!--url(d) #<!---url(e)`, Want: nil},
	{Name: "4.3.1 an identifier with dashes", Src: `<!-url(a) <--url(b) !--url(c) <!---url(d) \<!--url(e)`, Want: nil},
	{Name: "4.3.1 backslash and newline", Src: "\\\nurl(a) \\", Want: marktest.Texts("a")},
	{Name: "4.3.1 escaped quote is a name", Src: `\"url(a) \" url(b) \'c url(d)`, Want: marktest.Texts("b", "d")},
	{Name: "modifiers after the string", Src: `url("a" crossorigin("anonymous") integrity("sha384-b"))`, Want: marktest.Texts("a")},
	{Name: "one string in a url()", Src: `url("a" "b")`, Want: marktest.Texts("a")},

	// 4.3.2, comments, and 4.3.5, strings.
	{Name: "4.3.2 comment", Src: `/* url(a) */ url(b) /* @import "c"; */`, Want: marktest.Texts("b")},
	{Name: "4.3.2 comment splits a name", Src: `ur/**/l(a)`, Want: nil},
	{Name: "4.3.2 comment right before", Src: `/**/url(a)/*/*/url(b)/***/url(c)`, Want: marktest.Texts("a", "b", "c")},
	{Name: "4.3.2 unclosed comment", Src: `url(a) /* url(b) "`, Want: marktest.Texts("a")},
	{Name: "4.3.2 slashes are not comments", Src: `a/b//url(c)`, Want: marktest.Texts("c")},
	{Name: "4.3.5 string of another property", Src: `content: "url(a)" 'url(b)' url(c)`, Want: marktest.Texts("c")},
	{Name: "4.3.5 escaped quotes", Src: `content: "\"url(a)" '\'url(b)' url(c)`, Want: marktest.Texts("c")},
	{Name: "4.3.5 other quotes", Src: `content: "'" url(a) '"' url(b)`, Want: marktest.Texts("a", "b")},
	{Name: "4.3.5 comment in a string", Src: `content: "/*" url(a) "*/"`, Want: marktest.Texts("a")},
	{Name: "4.3.5 bare newline", Src: "content: \"a\nurl(b) \"c\rurl(d) 'e\furl(f)", Want: marktest.Texts("b", "d", "f")},
	{Name: "4.3.5 escaped newlines", Src: "content: \"a\\\nurl(b)\\\r\nurl(c)\\\furl(d)\" url(e)", Want: marktest.Texts("e")},
	{Name: "4.3.5 newline that ends an escape", Src: "content: \"\\61\nurl(b)\" url(c)", Want: marktest.Texts("c")},
	{Name: "4.3.5 escaped newline in a URL", Src: "url(\"a\\\nb\\\r\nc\")", Want: marktest.Texts("abc")},
	{Name: "4.3.5 escapes in a URL", Src: `url("a\"b\27\000026 c") url('d\'e')`, Want: marktest.Texts(`a"b'&c`, "d'e")},
	{Name: "4.3.5 backslash at end of file", Src: `url("a\`, Want: marktest.Texts("a")},
	{Name: "4.3.5 backslash alone at end of file", Src: `url("\`, Want: nil},

	// css-values-4 4.5.
	{Name: "empty", Src: `url() url( ) url("") url('') src("") @import ""; @import url();`, Want: nil},
	{Name: "only escaped newlines is empty", Src: "url(\"\\\n\\\r\n\")", Want: nil},
	{Name: "only white space is empty", Src: `url(" ")`, Want: nil},
	{Name: "empty at end of file", Src: `url(`, Want: nil},
	{Name: "white space inside quotes", Src: `url(" a b.png	")`, Want: marktest.Texts("a b.png")},
	{Name: "white space after a hex escape inside quotes", Src: `url("a\29 ")`, Want: marktest.Texts("a)")},
	{Name: "white space after the white space of an escape, and after a letter", Src: "url(\"a\\29  \") url('\\29 b ') url('c\\\\ \t') url('d\\29 \\\n ')", Want: marktest.Texts("a)", ")b", `c\`, "d)")},
	{Name: "escaped white space inside quotes", Src: `url(" a\ ")`, Want: marktest.Texts("a ")},
	{Name: "fragments", Src: `fill:url(#a);filter:url("#b")`, Want: marktest.Texts("#a", "#b")},
	{Name: "src()", Src: `src("a") SRC('b') s\72 c("c") src( /**/ "d" )`, Want: marktest.Texts("a", "b", "c", "d")},
	{Name: "src() needs a string", Src: `src(a) src(var(--x)) src( ) src(`, Want: nil},
	{Name: "src() and one string", Src: `src("a" "b")`, Want: marktest.Texts("a")},
	{Name: "src descriptor", Src: `@font-face{src:local("a"),url(b.woff)format("woff"),url('c.ttf')}`, Want: marktest.Texts("b.woff", "c.ttf")},
	{Name: "custom property", Src: `--x:url(a);--y: {"b" url("c")}`, Want: marktest.Texts("a", "c")},
	{Name: "selectors and supports", Src: `a[href="url(a)"]{} @supports (b:url(c)){}`, Want: marktest.Texts("c")},
	{Name: "AlphaImageLoader is no src()", Src: `filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='a.png')`, Want: nil},
	{Name: "many at once", Src: `a{background:url(a),url("b"),url('c')}b{cursor:url(d) 1 2,auto}`, Want: marktest.Texts("a", "b", "c", "d")},

	// css-images-4, image-set().
	{Name: "image-set() of strings", Src: `image-set("a" 1x, 'b' 2x)`, Want: marktest.Texts("a", "b")},
	{Name: "image-set() with a prefix, in any case", Src: `-webkit-image-set("a" 1x) IMAGE-SET("b") -WebKit-Image-Set("c")`, Want: marktest.Texts("a", "b", "c")},
	{Name: "image-set() with escapes", Src: `im\61ge-set("a") \2dwebkit-image-set("b") -webkit-image-se\74("c")`, Want: marktest.Texts("a", "b", "c")},
	{Name: "image-set() of url()", Src: `image-set(url(a) 1x, url("b") 2x, src("c") 3x, "d" 4x)`, Want: marktest.Texts("a", "b", "c", "d")},
	{Name: "image-set() and type()", Src: `image-set("a" type("image/png") 1x, type("image/avif") "b")`, Want: marktest.Texts("a", "b")},
	{Name: "image-set() and other functions", Src: `image-set(linear-gradient(red, (calc(1)), blue) 1x, foo("a") 2x, ("b"), "c")`, Want: marktest.Texts("c")},
	{Name: "image-set() and a bad url()", Src: `image-set(url(a b), "c")`, Want: marktest.Texts("c")},
	{Name: "image-set() and comments", Src: `image-set(/*"a"*/"b"/*)*/"c")"d"`, Want: marktest.Texts("b", "c")},
	{Name: "image-set() and strings after it", Src: `image-set("a"); content:"b"; image-set("c")`, Want: marktest.Texts("a", "c")},
	{Name: "image-set() inside a function", Src: `cross-fade(image-set("a" 1x), "b")`, Want: marktest.Texts("a")},
	{Name: "image-set() inside image-set() is not allowed", Src: `image-set(image-set("a"), "b")`, Want: marktest.Texts("b")},
	{Name: "image-set() at end of file", Src: `image-set("a" 1x, "b`, Want: marktest.Texts("a", "b")},
	{Name: "unclosed image-set()", Src: `a{b:image-set("a" 1x, c("d";} e{content:"f"} image-set("g")`, Want: marktest.Texts("a", "g")},
	{Name: "image-set() and a bad string", Src: "image-set(\"a\n, \"b\")", Want: marktest.Texts("b")},
	{Name: "other sets", Src: `my-image-set("a") image-sets("b") -moz-image-set("c") #image-set("d") webkit-image-set("e")`, Want: nil},

	// css-cascade-5 2, @import.
	{Name: "@import string", Src: `@import "a.css";@import 'b.css' screen;`, Want: marktest.Texts("a.css", "b.css")},
	{Name: "@import url()", Src: `@import url(a);@import url("b") print;@import	URL('c')`, Want: marktest.Texts("a", "b", "c")},
	{Name: "@import src()", Src: `@import src("a");`, Want: marktest.Texts("a")},
	{Name: "@import without white space", Src: `@import"a";@import/**/"b"; @importurl(c);`, Want: marktest.Texts("a", "b")},
	{Name: "@import in any case, with escapes", Src: `@IMPORT "a"; @\69mport "b"; @im\70ort "c"; @impor\74 "d"; @import u\72l(e);`, Want: marktest.Texts("a", "b", "c", "d", "e")},
	{Name: "@import and comments", Src: `@import /* "a" */ "b"; @import/*'*/url(/**/c);`, Want: marktest.Texts("b", "/**/c")},
	{Name: "@import with layer and supports", Src: `@import "a" layer(b) supports(content: "c") url("d");`, Want: marktest.Texts("a", "d")},
	{Name: "@import at end of file", Src: `@import "a`, Want: marktest.Texts("a")},
	{Name: "@import bad string", Src: "@import \"a\n; @import \"b\";", Want: marktest.Texts("b")},
	{Name: "@import of something else", Src: `@import a "b"; @import (url(c)); @import image-set("d"); @import`, Want: marktest.Texts("c", "d")},
	{Name: "@import and nothing", Src: `@import /*`, Want: nil},
	{Name: "@import in a place where browsers ignore it", Src: `a{} @import "b"; c{@import "d"}`, Want: marktest.Texts("b", "d")},
	{Name: "@import between HTML comments", Src: "<!-- @import \"a\"; -->", Want: marktest.Texts("a")},
	{Name: "@import in a comment or string", Src: `/*@import "a";*/ b{content:"@import 'c'"}`, Want: nil},
	{Name: "other at-rules", Src: `@charset "a"; @imports "b"; @-import "c"; @font-feature-values "d" {} @media "e"`, Want: nil},

	// css-namespaces-3 2.
	{Name: "@namespace", Src: `@namespace "a"; @namespace url(b); @namespace url("c");`, Want: nil},
	{Name: "@namespace with a prefix", Src: `@namespace svg "a"; @namespace s\76g url(b); @namespace/**/url/**/url(c);`, Want: nil},
	{Name: "@namespace in any case, with escapes", Src: `@NameSpace url(a); @n\61mespace u\72l(b);`, Want: nil},
	{Name: "@namespace and a URL after it", Src: `@namespace a url(b);url(c)`, Want: marktest.Texts("c")},
	{Name: "@namespace bad url", Src: `@namespace a url(b c);url(d)`, Want: marktest.Texts("d")},
}

func TestCSS(t *testing.T) { marktest.RunRows(t, Format, rows) }

func TestStyleAttr(t *testing.T) {
	marktest.RunRows(t, StyleAttribute, []marktest.GrammarRow{
		{Name: "declarations", Src: `background:url(a.png);list-style:URL("b") 'url(c)'`, Want: marktest.Texts("a.png", "b")},
		{Name: "image-set()", Src: `background:image-set("a" 1x)`, Want: marktest.Texts("a")},
		{Name: "unclosed string", Src: `background:url('a`, Want: marktest.Texts("a")},
		{Name: "no at-rules", Src: `@import "a"; @import url(b); @\69mport url("c"); d:url(e)`, Want: marktest.Texts("e")},
		{Name: "empty", Src: ``, Want: nil},
	})
}

func TestCSSPlaces(t *testing.T) {
	src := `@import "a"; @import url(b); @import src("c"); d{e:url(f) url("g") src("h") image-set("i" 1x, url(j) 2x)}`
	var got []string
	for _, l := range marktest.Found(t, Format, src) {
		got = append(got, l.Place.Name+" "+src[l.Start:l.End])
		assert.True(t, l.Place.Names, l.Place.Name)
	}
	assert.Equal(t, []string{"@import a", "@import b", "@import c", "url() f", "url() g", "src() h", "image-set() i", "url() j"}, got)
}

func TestCSSCharset(t *testing.T) {
	for _, row := range []struct{ name, raw, transport, want string }{
		{"3.2 no declaration", "a{}", "", "utf-8"},
		{"3.2 transport", `@charset "koi8-r";`, "ISO-8859-1", "windows-1252"},
		{"3.2 transport unknown", `@charset "koi8-r";`, "nonsense", "KOI8-R"},
		{"3.2 byte order mark before transport", "\xEF\xBB\xBFa", "koi8-r", "utf-8"},
		{"3.2 byte order mark: UTF-16BE", "\xFE\xFF\x00a", "koi8-r", "utf-16be"},
		{"3.2 byte order mark: UTF-16LE", "\xFF\xFEa\x00", "", "utf-16le"},
		{"3.2 @charset", `@charset "Shift_JIS";`, "", "Shift_JIS"},
		{"3.2 @charset of UTF-16", `@charset "utf-16";`, "", "utf-8"},
		{"3.2 @charset of UTF-16BE", `@charset "utf-16be";`, "", "utf-8"},
		{"3.2 @charset unknown", `@charset "nonsense";`, "", "utf-8"},
		{"3.2 @charset with apostrophes", `@charset 'koi8-r';`, "", "utf-8"},
		{"3.2 @charset in upper case", `@CHARSET "koi8-r";`, "", "utf-8"},
		{"3.2 @charset with two spaces", `@charset  "koi8-r";`, "", "utf-8"},
		{"3.2 @charset with a space after it", `@charset "koi8-r" ;`, "", "utf-8"},
		{"3.2 @charset not first", ` @charset "koi8-r";`, "", "utf-8"},
		{"3.2 @charset without a semicolon", `@charset "koi8-r"`, "", "utf-8"},
		{"3.2 @charset too long", `@charset "koi8-r` + strings.Repeat(" ", 1024) + `";`, "", "utf-8"},
	} {
		assert.Equal(t, row.want, Format.Charset([]byte(row.raw), row.transport), row.name)
	}
}

func TestCSSLinear(t *testing.T) {
	marktest.CheckLinear(t, Format, `url(`, `url("`, `url( `, `url(a`, `url(a) `, `(`, `image-set(`, `image-set("a"`, `image-set("a");`, `"\`+"\n", `"`, `'"`, "\"\n'\n",
		`\`, `\75`, `a`, `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\`+"\n", `\a(`, `-`, `<!--`, `@`, `@import`, `@import `, `@import/*`, `@import/**/ `, `@namespace a `,
		`@namespace `, `/*`, `/**/`, `/`, `@a/*(`, `src(`, `src( `, `src(/*`, `#a`, "a\\\n(", `url("a\29 " `)
}

func TestCSSAllocs(t *testing.T) {
	src := bytes.Repeat([]byte(`a{b:url(c) u\72l("d") image-set("e")}@import "f";`), 100)
	var m mark.Marks
	Format.Mark(src, &m)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		m.Clear()
		Format.Mark(src, &m)
	}))
}

func FuzzCSS(f *testing.F)       { marktest.FuzzGrammar(f, Format, rows) }
func FuzzStyleAttr(f *testing.F) { marktest.FuzzGrammar(f, StyleAttribute, rows) }
