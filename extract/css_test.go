package extract

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/lineartest"
)

// grammarRow is a source in some grammar, and the links in it as their codecs read them.
type grammarRow struct {
	name, src string
	want      []string
}

func texts(s ...string) []string { return s }

// found runs an extractor, and checks that its regions lie in src, in order and apart. It returns the links.
func found(t testing.TB, format *Format, src string) []finding {
	var f Finder
	format.Extract([]byte(src), &f)
	var all []finding
	for chunk := range f.all {
		all = append(all, chunk...)
	}
	at, links := 0, all[:0]
	for _, l := range all {
		require.LessOrEqual(t, at, l.start, "sorted and apart in %q", src)
		require.LessOrEqual(t, l.start, l.end, "the right way round in %q", src)
		require.LessOrEqual(t, l.end, len(src), "inside %q", src)
		require.NotNil(t, l.place)
		require.NotNil(t, l.codec)
		at = l.end
		if l.kind != isDropped {
			require.Equal(t, isLink, l.kind)
			links = append(links, l)
		}
	}
	return links
}

func refsIn(t testing.TB, format *Format, src string) []string {
	refs := []string{}
	for _, l := range found(t, format, src) {
		text, _ := l.codec.Decode([]byte(src)[l.start:l.end])
		refs = append(refs, string(text))
	}
	return refs
}

func runRows(t *testing.T, format *Format, rows []grammarRow) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			want := row.want
			if want == nil {
				want = []string{}
			}
			assert.Equal(t, want, refsIn(t, format, row.src), "%q", row.src)
			checkInserts(t, format, row.src)
			for n := range row.src {
				found(t, format, row.src[:n])
			}
		})
	}
}

// checkInserts puts the common edit in front of every link that takes it: the result has
// the same links, those with the edit in front.
func checkInserts(t testing.TB, format *Format, src string) {
	const insert = "http://h/p/"
	var edits []codec.Edit
	want := []string{}
	for _, l := range found(t, format, src) {
		region := []byte(src)[l.start:l.end]
		text, _ := l.codec.Decode(region)
		lifted, err := codec.Lift(l.codec, region, text, []codec.Edit{{New: []byte(insert)}})
		if err == nil {
			text = append([]byte(insert), text...)
		}
		for _, e := range lifted {
			edits = append(edits, codec.Edit{Span: codec.Span{Start: l.start + e.Start, End: l.start + e.End}, New: e.New})
		}
		want = append(want, string(text))
	}
	after := codec.Apply(nil, []byte(src), edits)
	assert.Equal(t, want, refsIn(t, format, string(after)), "%q is %q with inserts", after, src)
}

// checkLinear checks that the time of an extractor grows with how often each unit is repeated.
func checkLinear(t *testing.T, format *Format, units ...string) {
	var f Finder
	for _, unit := range units {
		lineartest.Check(t, fmt.Sprintf("%s %q", format.Name, unit), 1<<20/len(unit), func(n int) func() {
			src := bytes.Repeat([]byte(unit), n)
			return func() {
				f.clear()
				format.Extract(src, &f)
			}
		})
	}
}

func fuzzGrammar(f *testing.F, format *Format, rows ...[]grammarRow) {
	for _, table := range rows {
		for _, row := range table {
			f.Add(row.src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		checkInserts(t, format, src)
	})
}

var cssRows = []grammarRow{
	// css-syntax-3 4.3.6, Consume a url token.
	{"4.3.6 plain", `a{background:url(a.png)}`, texts("a.png")},
	{"4.3.6 white space around", "a{background:url( \t\r\n\fa.png\n )}", texts("a.png")},
	{"4.3.6 at end of file", `a{background:url(a.png`, texts("a.png")},
	{"4.3.6 white space at end of file", `a{background:url(a.png  `, texts("a.png")},
	{"4.3.6 white space inside is bad", `a{background:url(a b.png) url(c.png)}`, texts("c.png")},
	{"4.3.6 quote inside is bad", `url(a"b) url(c)`, texts("c")},
	{"4.3.6 apostrophe inside is bad", `url(a'b) url(c)`, texts("c")},
	{"4.3.6 parenthesis inside is bad", `url(a(b) url(c)`, texts("c")},
	{"4.3.6 control inside is bad", "url(a\x01b) url(\x7F) url(\x0B) url(c)", texts("c")},
	{"3.3 NUL is a character", "url(a\x00b)", texts("a\uFFFDb")},
	{"4.3.6 escaped parenthesis", `url(a\)b.png)`, texts("a)b.png")},
	{"4.3.6 hex escape", `url(a\29.png)`, texts("a).png")},
	{"4.3.6 hex escape and its blank", `url(a\29 b.png)`, texts("a)b.png")},
	{"4.3.6 hex escape and its blank at the end", `url(a\29 )`, texts("a)")},
	{"4.3.6 hex escape, its CRLF and more", "url(a\\29\r\n\r\n)", texts("a)")},
	{"4.3.6 hex escape of six digits", `url(\0000411)`, texts("A1")},
	{"4.3.6 escaped blank", `url(a\ b)`, texts("a b")},
	{"4.3.6 escaped blank at the end", `url(a\ )`, texts("a ")},
	{"4.3.6 escaped newline is bad", "url(a\\\nb) url(c)", texts("c")},
	{"4.3.6 backslash at end of file", `url(a\`, texts("a\uFFFD")},
	{"4.3.6 beyond ASCII", `url(é.png)`, texts("é.png")},
	{"4.3.6 not UTF-8", "url(\xe9\xff.png)", texts("\xe9\xff.png")},
	{"4.3.6 data URL", `url(data:image/png;base64,AA+/==)`, texts("data:image/png;base64,AA+/==")},
	{"4.3.6 comment is none", `url(/*a*/)`, texts("/*a*/")},
	{"4.3.6 comment before a quote is bad", `url(/**/"a") url(c)`, texts("c")},
	{"4.3.14 remnants up to the parenthesis", `url(a b;c{d}"e) url(f)`, texts("f")},
	{"4.3.14 remnants with an escape", `url(a b\) url(c) url(d)`, texts("d")},
	{"4.3.14 remnants to the end", `url(a b url("c"`, nil},

	// 4.3.4, Consume an ident-like token.
	{"4.3.4 double quotes", `url("a.png")`, texts("a.png")},
	{"4.3.4 single quotes", `url('a.png')`, texts("a.png")},
	{"4.3.4 white space before and behind quotes", "url( \n\t'a.png' \n)", texts("a.png")},
	{"4.3.4 quote at end of file", `url("a.png`, texts("a.png")},
	{"4.3.4 parenthesis at end of file", `url("a.png"`, texts("a.png")},
	{"4.3.4 bad string", "url(\"a\nb\") url(c)", nil},
	{"4.3.4 bad string of one line", "url(\"a\n) url(c)", texts("c")},
	{"4.3.4 case", `URL(a) Url("b") uRl('c')`, texts("a", "b", "c")},
	{"4.3.4 escapes in the name", `\75rl(a) u\72l(b) ur\6c(c) ur\00006C (d) \u\r\l(e) u\52 l("f")`, texts("a", "b", "c", "d", "e", "f")},
	{"4.3.4 newline that ends an escape", "ur\\6c\r\n(a) ur\\6c\n\n(b)", texts("a")},
	{"4.3.4 escapes in the name, and no parenthesis", `\75rl "a"; u\72l "b"`, nil},
	{"4.3.7 an escape has six digits at most", `-\000077ebkit-image-set("a" 1x)`, texts("a")},
	{"4.3.4 escape of a letter beyond ASCII", `\175rl(a)`, nil},
	{"4.3.4 escape of another letter", `\0075rm(a) u\72 m(b)`, nil},
	{"4.3.4 blank before the parenthesis", `url (a) url/**/(b)`, nil},
	{"4.3.4 longer names", `curl(a) _url(b) -url(c) --url(d) urls(e) éurl(f)` + " \x00url(g)", nil},
	{"4.3.4 longer names with escapes", `c\75rl(a) \63url(b) -\75rl(c) verylongprefixbefore-\75rl(d) u\72lx(e)`, nil},
	{"4.3.3 units", `2url(a) 2.5url(b) 1e3url(c) -1url(d) +.5url(e) 1-url(f) 2\75rl(g)`, nil},
	{"4.3.3 signs and delimiters", `+url(a) .url(b) 1.url(c) 5%url(d) 1+url(e) ,url(f)/url(g)`, texts("a", "b", "c", "d", "e", "f", "g")},
	{"4.3.1 hashes", `#url(a) #u\72l(b) #aurl(c)`, nil},
	{"4.3.1 at-keywords", `@url(a) @u\72l(b) @-url(c)`, nil},
	{"4.3.1 at and a number", `@1url(a) @ url(b)`, texts("b")},
	{"4.3.1 CDO in front", `<!--url(a)<!--u\72l(b)<!--\75rl(c)-->url(d)`, texts("a", "b", "c", "d")},
	{"4.3.1 not quite CDO", `<!-url(a) <--url(b) !--url(c) <!---url(d) \<!--url(e)`, nil},
	{"4.3.1 backslash and newline", "\\\nurl(a) \\", texts("a")},
	{"4.3.1 escaped quote is a name", `\"url(a) \" url(b) \'c url(d)`, texts("b", "d")},
	{"modifiers behind the string", `url("a" crossorigin("anonymous") integrity("sha384-b"))`, texts("a")},
	{"one string in a url()", `url("a" "b")`, texts("a")},

	// 4.3.2, comments, and 4.3.5, strings.
	{"4.3.2 comment", `/* url(a) */ url(b) /* @import "c"; */`, texts("b")},
	{"4.3.2 comment splits a name", `ur/**/l(a)`, nil},
	{"4.3.2 comment right before", `/**/url(a)/*/*/url(b)/***/url(c)`, texts("a", "b", "c")},
	{"4.3.2 comment without an end", `url(a) /* url(b) "`, texts("a")},
	{"4.3.2 slashes are none", `a/b//url(c)`, texts("c")},
	{"4.3.5 string of another property", `content: "url(a)" 'url(b)' url(c)`, texts("c")},
	{"4.3.5 escaped quotes", `content: "\"url(a)" '\'url(b)' url(c)`, texts("c")},
	{"4.3.5 other quotes", `content: "'" url(a) '"' url(b)`, texts("a", "b")},
	{"4.3.5 comment in a string", `content: "/*" url(a) "*/"`, texts("a")},
	{"4.3.5 bare newline", "content: \"a\nurl(b) \"c\rurl(d) 'e\furl(f)", texts("b", "d", "f")},
	{"4.3.5 escaped newlines", "content: \"a\\\nurl(b)\\\r\nurl(c)\\\furl(d)\" url(e)", texts("e")},
	{"4.3.5 newline that ends an escape", "content: \"\\61\nurl(b)\" url(c)", texts("c")},
	{"4.3.5 escaped newline in a URL", "url(\"a\\\nb\\\r\nc\")", texts("abc")},
	{"4.3.5 escapes in a URL", `url("a\"b\27\000026 c") url('d\'e')`, texts(`a"b'&c`, "d'e")},
	{"4.3.5 backslash at end of file", `url("a\`, texts("a")},
	{"4.3.5 backslash alone at end of file", `url("\`, nil},

	// css-values-4 4.5.
	{"empty", `url() url( ) url("") url('') src("") @import ""; @import url();`, nil},
	{"empty but for escaped newlines", "url(\"\\\n\\\r\n\")", nil},
	{"empty but for white space", `url(" ")`, nil},
	{"empty at end of file", `url(`, nil},
	{"white space inside quotes", `url(" a b.png	")`, texts("a b.png")},
	{"white space behind an escape inside quotes", `url("a\29 ")`, texts("a)")},
	{"white space behind an escape's own, and behind a letter", "url(\"a\\29  \") url('\\29 b ') url('c\\\\ \t') url('d\\29 \\\n ')", texts("a)", ")b", `c\`, "d)")},
	{"escaped white space inside quotes", `url(" a\ ")`, texts("a ")},
	{"fragments", `fill:url(#a);filter:url("#b")`, texts("#a", "#b")},
	{"src()", `src("a") SRC('b') s\72 c("c") src( /**/ "d" )`, texts("a", "b", "c", "d")},
	{"src() wants a string", `src(a) src(var(--x)) src( ) src(`, nil},
	{"src() and one string", `src("a" "b")`, texts("a")},
	{"src descriptor", `@font-face{src:local("a"),url(b.woff)format("woff"),url('c.ttf')}`, texts("b.woff", "c.ttf")},
	{"custom property", `--x:url(a);--y: {"b" url("c")}`, texts("a", "c")},
	{"selectors and supports", `a[href="url(a)"]{} @supports (b:url(c)){}`, texts("c")},
	{"AlphaImageLoader is no src()", `filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='a.png')`, nil},
	{"many at once", `a{background:url(a),url("b"),url('c')}b{cursor:url(d) 1 2,auto}`, texts("a", "b", "c", "d")},

	// css-images-4, image-set().
	{"image-set() of strings", `image-set("a" 1x, 'b' 2x)`, texts("a", "b")},
	{"image-set() with a prefix, in any case", `-webkit-image-set("a" 1x) IMAGE-SET("b") -WebKit-Image-Set("c")`, texts("a", "b", "c")},
	{"image-set() with escapes", `im\61ge-set("a") \2dwebkit-image-set("b") -webkit-image-se\74("c")`, texts("a", "b", "c")},
	{"image-set() of url()", `image-set(url(a) 1x, url("b") 2x, src("c") 3x, "d" 4x)`, texts("a", "b", "c", "d")},
	{"image-set() and type()", `image-set("a" type("image/png") 1x, type("image/avif") "b")`, texts("a", "b")},
	{"image-set() and other functions", `image-set(linear-gradient(red, (calc(1)), blue) 1x, foo("a") 2x, ("b"), "c")`, texts("c")},
	{"image-set() and a bad url()", `image-set(url(a b), "c")`, texts("c")},
	{"image-set() and comments", `image-set(/*"a"*/"b"/*)*/"c")"d"`, texts("b", "c")},
	{"image-set() and strings behind it", `image-set("a"); content:"b"; image-set("c")`, texts("a", "c")},
	{"image-set() inside a function", `cross-fade(image-set("a" 1x), "b")`, texts("a")},
	{"image-set() twice deep is not allowed", `image-set(image-set("a"), "b")`, texts("b")},
	{"image-set() at end of file", `image-set("a" 1x, "b`, texts("a", "b")},
	{"image-set() without an end", `a{b:image-set("a" 1x, c("d";} e{content:"f"} image-set("g")`, texts("a", "g")},
	{"image-set() and a bad string", "image-set(\"a\n, \"b\")", texts("b")},
	{"other sets", `my-image-set("a") image-sets("b") -moz-image-set("c") #image-set("d") webkit-image-set("e")`, nil},

	// css-cascade-5 2, @import.
	{"@import string", `@import "a.css";@import 'b.css' screen;`, texts("a.css", "b.css")},
	{"@import url()", `@import url(a);@import url("b") print;@import	URL('c')`, texts("a", "b", "c")},
	{"@import src()", `@import src("a");`, texts("a")},
	{"@import without a blank", `@import"a";@import/**/"b"; @importurl(c);`, texts("a", "b")},
	{"@import in any case, with escapes", `@IMPORT "a"; @\69mport "b"; @im\70ort "c"; @impor\74 "d"; @import u\72l(e);`, texts("a", "b", "c", "d", "e")},
	{"@import and comments", `@import /* "a" */ "b"; @import/*'*/url(/**/c);`, texts("b", "/**/c")},
	{"@import with layer and supports", `@import "a" layer(b) supports(content: "c") url("d");`, texts("a", "d")},
	{"@import at end of file", `@import "a`, texts("a")},
	{"@import bad string", "@import \"a\n; @import \"b\";", texts("b")},
	{"@import of something else", `@import a "b"; @import (url(c)); @import image-set("d"); @import`, texts("c", "d")},
	{"@import and nothing", `@import /*`, nil},
	{"@import where browsers drop it", `a{} @import "b"; c{@import "d"}`, texts("b", "d")},
	{"@import between HTML comments", "<!-- @import \"a\"; -->", texts("a")},
	{"@import in a comment or string", `/*@import "a";*/ b{content:"@import 'c'"}`, nil},
	{"other at-rules", `@charset "a"; @imports "b"; @-import "c"; @font-feature-values "d" {} @media "e"`, nil},

	// css-namespaces-3 2.
	{"@namespace", `@namespace "a"; @namespace url(b); @namespace url("c");`, nil},
	{"@namespace with a prefix", `@namespace svg "a"; @namespace s\76g url(b); @namespace/**/url/**/url(c);`, nil},
	{"@namespace in any case, with escapes", `@NameSpace url(a); @n\61mespace u\72l(b);`, nil},
	{"@namespace and what follows", `@namespace a url(b);url(c)`, texts("c")},
	{"@namespace bad url", `@namespace a url(b c);url(d)`, texts("d")},
}

func TestCSS(t *testing.T) { runRows(t, CSS, cssRows) }

func TestStyleAttr(t *testing.T) {
	runRows(t, styleAttr, []grammarRow{
		{"declarations", `background:url(a.png);list-style:URL("b") 'url(c)'`, texts("a.png", "b")},
		{"image-set()", `background:image-set("a" 1x)`, texts("a")},
		{"no end", `background:url('a`, texts("a")},
		{"no at-rules", `@import "a"; @import url(b); @\69mport url("c"); d:url(e)`, texts("e")},
		{"empty", ``, nil},
	})
}

func TestCSSPlaces(t *testing.T) {
	src := `@import "a"; @import url(b); @import src("c"); d{e:url(f) url("g") src("h") image-set("i" 1x, url(j) 2x)}`
	var got []string
	for _, l := range found(t, CSS, src) {
		got = append(got, l.place.Name+" "+src[l.start:l.end])
		assert.True(t, l.place.names, l.place.Name)
	}
	assert.Equal(t, []string{"@import a", "@import b", "@import c", "url() f", "url() g", "src() h", "image-set() i", "url() j"}, got)
}

func TestCSSCharset(t *testing.T) {
	for _, row := range []struct{ name, raw, transport, want string }{
		{"3.2 nothing", "a{}", "", "utf-8"},
		{"3.2 transport", `@charset "koi8-r";`, "ISO-8859-1", "windows-1252"},
		{"3.2 transport unknown", `@charset "koi8-r";`, "nonsense", "KOI8-R"},
		{"3.2 mark before transport", "\xEF\xBB\xBFa", "koi8-r", "utf-8"},
		{"3.2 mark of UTF-16", "\xFE\xFF\x00a", "koi8-r", "utf-16be"},
		{"3.2 mark of UTF-16, little", "\xFF\xFEa\x00", "", "utf-16le"},
		{"3.2 @charset", `@charset "Shift_JIS";`, "", "Shift_JIS"},
		{"3.2 @charset of UTF-16", `@charset "utf-16";`, "", "utf-8"},
		{"3.2 @charset of UTF-16BE", `@charset "utf-16be";`, "", "utf-8"},
		{"3.2 @charset unknown", `@charset "nonsense";`, "", "utf-8"},
		{"3.2 @charset with apostrophes", `@charset 'koi8-r';`, "", "utf-8"},
		{"3.2 @charset in upper case", `@CHARSET "koi8-r";`, "", "utf-8"},
		{"3.2 @charset with two blanks", `@charset  "koi8-r";`, "", "utf-8"},
		{"3.2 @charset with a blank behind", `@charset "koi8-r" ;`, "", "utf-8"},
		{"3.2 @charset not first", ` @charset "koi8-r";`, "", "utf-8"},
		{"3.2 @charset without an end", `@charset "koi8-r"`, "", "utf-8"},
		{"3.2 @charset too long", `@charset "koi8-r` + strings.Repeat(" ", 1024) + `";`, "", "utf-8"},
	} {
		assert.Equal(t, row.want, CSS.Charset([]byte(row.raw), row.transport), row.name)
	}
}

func TestCSSIsRegistered(t *testing.T) {
	assert.Same(t, CSS, FormatOf("text/css; charset=utf-8"))
	assert.Same(t, CSS, Detect("", "main.CSS", nil))
	assert.Same(t, CSS, Detect("", "h/main.css?ver=5.1", nil), "as wget names it")
	assert.Same(t, CSS, Detect("", "h/main.css@ver=5.1", nil), "as on Windows")
	assert.Same(t, HTML, Detect("", "h/main.css?ver=5.1.html", nil))
	assert.Nil(t, Detect("", "h.css?x/main?ver=5.1", nil))
	assert.Nil(t, FormatOf(styleAttr.Name))
}

func TestCSSLinear(t *testing.T) {
	checkLinear(t, CSS, `url(`, `url("`, `url( `, `url(a`, `url(a) `, `(`, `image-set(`, `image-set("a"`, `image-set("a");`, `"\`+"\n", `"`, `'"`, "\"\n'\n",
		`\`, `\75`, `a`, `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\`+"\n", `\a(`, `-`, `<!--`, `@`, `@import`, `@import `, `@import/*`, `@import/**/ `, `@namespace a `,
		`@namespace `, `/*`, `/**/`, `/`, `@a/*(`, `src(`, `src( `, `src(/*`, `#a`, "a\\\n(", `url("a\29 " `)
}

func TestCSSAllocs(t *testing.T) {
	src := bytes.Repeat([]byte(`a{b:url(c) u\72l("d") image-set("e")}@import "f";`), 100)
	var f Finder
	CSS.Extract(src, &f)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		f.clear()
		CSS.Extract(src, &f)
	}))
}

func FuzzCSS(f *testing.F)       { fuzzGrammar(f, CSS, cssRows) }
func FuzzStyleAttr(f *testing.F) { fuzzGrammar(f, styleAttr, cssRows) }

// Common style sheets: rules with few URLs, and almost none.
func BenchmarkCSS(b *testing.B) {
	rule := `.navbar-brand > .icon:hover { color: rgba(12, 34, 56, .5); margin: 0 calc(100% - 2px) var(--gap); content: "\f101"; transition: all .2s ease-in-out }` + "\n"
	b.Run("few", func(b *testing.B) {
		benchmarkGrammar(b, CSS, strings.Repeat(strings.Repeat(rule, 9)+".a{background:url(../img/a.png) no-repeat}\n", 800))
	})
	b.Run("dense", func(b *testing.B) {
		benchmarkGrammar(b, CSS, strings.Repeat(".a{background:url(../img/a.png)}\n", 30000))
	})
	b.Run("data", func(b *testing.B) {
		benchmarkGrammar(b, CSS, ".a{background:url(data:image/png;base64,"+strings.Repeat("iVBORw0KGgo", 100000)+")}")
	})
}

func benchmarkGrammar(b *testing.B, format *Format, s string) {
	src := []byte(s)
	var f Finder
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		f.clear()
		format.Extract(src, &f)
	}
}
