package html

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// TestHTMLCharset: rows by the steps of HTML 13.2.3.2.
func TestHTMLCharset(t *testing.T) {
	pad := func(n int) string { return strings.Repeat(" ", n) }
	for _, row := range []struct{ name, transport, src, want string }{
		{"nothing tells", "", "<p>x", "windows-1252"},
		{"empty", "", "", "windows-1252"},
		{"a mark", "koi8-r", "\xEF\xBB\xBF<meta charset=koi8-r>", "UTF-8"},
		{"a mark, big", "koi8-r", "\xFE\xFF\x00<", "UTF-16BE"},
		{"a mark, little", "", "\xFF\xFE<\x00", "UTF-16LE"},
		{"the transport layer", "koi8-r", "<meta charset=windows-1251>", "KOI8-R"},
		{"letters of UTF-8", "", "<p>\u00e9", "UTF-8"},
		{"behind byte 1024", "", pad(1024) + "\u00e9", "UTF-8"},
		{"not all there", "", pad(1024) + "\u00e9t\xe9t", "windows-1252"},
		{"one that is cut off", "", "<p>\u00e9" + strings.Repeat("x", 1018) + "\u00e9", "UTF-8"},
		{"the end of a letter of UTF-8 alone", "", "\x80", "windows-1252"},
		{"letters of something else", "", "<p>\xe9t\xe9", "windows-1252"},

		{"charset", "", "<meta charset=koi8-r>", "KOI8-R"},
		{"in quotes", "", "<META CHARSET = 'koi8-r' >", "KOI8-R"},
		{"in double quotes", "", `<meta/charset="koi8-r">`, "KOI8-R"},
		{"blanks around the label", "", `<meta charset=" koi8-r ">`, "KOI8-R"},
		{"no label", "", `<meta charset=klingon>` + `<meta charset=koi8-r>`, "KOI8-R"},
		{"UTF-16 could not be read as ASCII", "", "<meta charset=utf-16be>", "UTF-8"},
		{"x-user-defined", "", "<meta charset=x-user-defined>", "windows-1252"},
		{"no space behind the name", "", "<metal charset=koi8-r><meta>", "windows-1252"},
		{"an element of that name only", "", "<p charset=koi8-r>", "windows-1252"},
		{"the first that tells", "", "<meta name=x><meta charset=koi8-r><meta charset=windows-1251>", "KOI8-R"},
		{"the first of its name", "", "<meta charset=koi8-r charset=windows-1251>", "KOI8-R"},
		{"an end of file in the tag", "", "<meta charset=koi8-r", "windows-1252"},
		{"an end of file in quotes", "", "<meta charset='koi8-r>", "windows-1252"},
		{"up to byte 1024", "", pad(1003) + "<meta charset=koi8-r>", "KOI8-R"},
		{"and no further", "", pad(1004) + "<script><meta charset=koi8-r></script>", "windows-1252"},
		{"what the parser comes to, 13.2.3.5", "", pad(1004) + "<meta charset=koi8-r>", "KOI8-R"},
		{"in the body, 13.2.6.4.7", "", "<body><p>\u00e9" + pad(1024) + "</p></body><META/http-equiv=content-type content='text/html; charset=koi8-r'>", "KOI8-R"},
		{"its first that tells", "", pad(1024) + "<meta name=x><meta charset=klingon><meta charset=koi8-r><meta charset=windows-1251>", "KOI8-R"},
		{"behind what is empty in svg, 13.2.6.5", "", pad(1024) + "<svg><style/><script href=x /></svg><meta charset=koi8-r>", "KOI8-R"},
		{"but not in HTML", "", pad(1024) + "<style/><svg></svg><meta charset=koi8-r>", "windows-1252"},
		{"it is in no comment", "", pad(1024) + "<!--<meta charset=koi8-r>-->", "windows-1252"},
		{"its end is there", "", pad(1024) + "<meta charset=koi8-r", "windows-1252"},
		{"it changes what the first 1024 bytes tell", "", "<script><meta charset=koi8-r></script><meta charset=windows-1251>", "windows-1251"},
		{"but not what is certain", "koi8-r", pad(1024) + "<meta charset=windows-1251>", "KOI8-R"},

		{"a pragma", "", `<meta http-equiv=Content-Type content="text/html; charset=koi8-r">`, "KOI8-R"},
		{"the other way round", "", `<meta content="text/html; charset=koi8-r" http-equiv=content-type>`, "KOI8-R"},
		{"another pragma", "", `<meta http-equiv=refresh content="text/html; charset=koi8-r">`, "windows-1252"},
		{"no pragma", "", `<meta content="text/html; charset=koi8-r">`, "windows-1252"},
		{"charset before content", "", `<meta http-equiv=content-type charset=windows-1251 content="charset=koi8-r">`, "windows-1251"},
		{"charset behind content", "", `<meta content="charset=koi8-r" charset=windows-1251>`, "windows-1251"},
		{"a charset that is none before content, 13.2.6.4.4", "", `<meta http-equiv=content-type charset=klingon content="charset=koi8-r">`, "KOI8-R"},
		{"a charset that is none behind content, 13.2.6.4.4", "", `<meta http-equiv=content-type content="charset=koi8-r" charset>`, "KOI8-R"},
		{"it hides the content from the prescan", "", `<script><meta http-equiv=content-type charset=klingon content="charset=koi8-r"></script>`, "windows-1252"},
		{"character references, 13.2.6.4.4", "", `<meta charset=koi8&#45;r>`, "KOI8-R"},
		{"in content too", "", `<meta http-equiv=Content&#x2D;Type content="text/html; charset&equals;koi8-r">`, "KOI8-R"},
		{"but not for the prescan", "", `<script><meta charset=koi8&#45;r></script>`, "windows-1252"},
		{"quotes in content", "", `<meta http-equiv=content-type content="charset = 'koi8-r' x">`, "KOI8-R"},
		{"a quote left open in content", "", `<meta http-equiv=content-type content="charset='koi8-r">`, "windows-1252"},
		{"a word before an equals sign", "", `<meta http-equiv=content-type content="charset charsetcharset=koi8-r;x">`, "KOI8-R"},
		{"nothing behind the equals sign", "", `<meta http-equiv=content-type content="charset=">`, "windows-1252"},

		{"in double quotes in content", "", `<meta http-equiv=content-type content='charset="koi8-r"x'>`, "KOI8-R"},
		{"a blank behind it in content", "", `<meta http-equiv=content-type content="charset=koi8-r x">`, "KOI8-R"},
		{"the word alone in content", "", `<meta http-equiv=content-type content="charset">`, "windows-1252"},
		{"to the prescan, too: a slash behind the name", "", `<script><meta/charset=koi8-r></script>`, "KOI8-R"},
		{"the first http-equiv", "", `<script><meta http-equiv=x http-equiv=content-type content="charset=koi8-r"></script>`, "windows-1252"},
		{"the first content", "", `<script><meta http-equiv=content-type content="charset=koi8-r" content="charset=windows-1251"></script>`, "KOI8-R"},
		{"the first charset", "", `<script><meta charset=koi8-r charset=windows-1251></script>`, "KOI8-R"},
		{"an attribute before it", "", `<script><meta name=x charset=koi8-r></script>`, "KOI8-R"},
		{"another pragma", "", `<script><meta http-equiv=x content="charset=koi8-r"></script>`, "windows-1252"},

		{"in a comment", "", "<!--<meta charset=koi8-r>--><meta charset=windows-1251>", "windows-1251"},
		{"the shortest comment", "", "<!--><meta charset=koi8-r>", "KOI8-R"},
		{"a comment left open", "", "<!--<meta charset=koi8-r>", "windows-1252"},
		{"in raw text it counts", "", "<script><meta charset=koi8-r></script>", "KOI8-R"},
		{"in an attribute", "", "<a title='<meta charset=koi8-r>'><meta charset=windows-1251>", "windows-1251"},
		{"in an end tag", "", "</a title='<meta charset=koi8-r>'><meta charset=windows-1251>", "windows-1251"},
		{"in a doctype", "", "<!doctype '<meta charset=koi8-r>'><meta charset=windows-1251>", "windows-1251"},
		{"in a doctype, up to its end", "", "<!doctype '><meta charset=koi8-r>'>", "KOI8-R"},
		{"in a bogus end tag", "", "</ <meta charset=koi8-r>", "windows-1252"},
		{"an equals sign begins a name", "", "<meta =charset=koi8-r><meta a==b charset=windows-1251>", "windows-1251"},
		{"a slash ends a name", "", "<meta charset/=koi8-r>", "windows-1252"},

		{"an XML declaration", "", `<?xml version="1.0" encoding="koi8-r"?>`, "KOI8-R"},
		{"a meta element is better", "", `<?xml version="1.0" encoding="koi8-r"?><meta charset=windows-1251>`, "windows-1251"},
		{"blanks in it", "", "<?xml encoding \t=\n'koi8-r'?>", "KOI8-R"},
		{"UTF-16 in it", "", "<?xml encoding='utf-16'?>", "UTF-8"},
		{"UTF-16BE in it", "", "<?xml encoding='utf-16be'?>", "UTF-8"},
		{"no equals sign", "", "<?xml encoding 'koi8-r'?>", "windows-1252"},
		{"a quote left open in it", "", "<?xml encoding='koi8-r?>", "windows-1252"},
		{"blanks in the label", "", "<?xml encoding='koi8-r '?>", "windows-1252"},
		{"no quotes", "", "<?xml encoding=xkoi8-rx?>", "windows-1252"},
		{"no end", "", "<?xml encoding='koi8-r'", "windows-1252"},
		{"not at the beginning", "", " <?xml encoding='koi8-r'?>", "windows-1252"},
		{"behind a comment left open", "", "<?xml encoding='koi8-r'?><!--", "KOI8-R"},
		{"in UTF-16LE", "", "<\x00?\x00x\x00m\x00l\x00", "UTF-16LE"},
		{"in UTF-16BE", "", "\x00<\x00?\x00x\x00m\x00l", "UTF-16BE"},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, charsetName(charset([]byte(row.src), row.transport)))
			for n := range row.src {
				assert.NotEmpty(t, charsetName(charset([]byte(row.src[:n]), row.transport)), "the first %d bytes", n)
			}
		})
	}
}

// TestHTMLCharsetPages: the pages of the Web Platform Tests that package charset of x/net
// carries. All but those without a declaration are in ISO-8859-15.
func TestHTMLCharsetPages(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	require.NoError(t, err)
	for _, row := range []struct{ file, transport, want string }{
		{"HTTP-charset", "iso-8859-15", "ISO-8859-15"},
		{"HTTP-vs-UTF-8-BOM", "iso-8859-15", "UTF-8"},
		{"HTTP-vs-meta-charset", "iso-8859-15", "ISO-8859-15"},
		{"HTTP-vs-meta-content", "iso-8859-15", "ISO-8859-15"},
		{"No-encoding-declaration", "", "UTF-8"},
		{"UTF-16BE-BOM", "", "UTF-16BE"},
		{"UTF-16LE-BOM", "", "UTF-16LE"},
		{"UTF-8-BOM-vs-meta-charset", "", "UTF-8"},
		{"UTF-8-BOM-vs-meta-content", "", "UTF-8"},
		{"meta-charset-attribute", "", "ISO-8859-15"},
		{"meta-content-attribute", "", "ISO-8859-15"},
	} {
		src, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "html/charset/testdata", row.file+".html"))
		require.NoError(t, err)
		assert.Equal(t, row.want, charsetName(charset(src, row.transport)), row.file)
	}
}

func charsetName(label string) string {
	_, name, _ := codec.Charset(label)
	return name
}

func FuzzHTMLCharset(f *testing.F) {
	for _, seed := range []string{"<meta charset=koi8-r>", "<?xml encoding='koi8-r'?>", "<!--><a b='c' d/e=f><meta http-equiv=content-type content='x; charset=y'"} {
		f.Add([]byte(seed), "")
	}
	f.Fuzz(func(t *testing.T, src []byte, transport string) {
		name := charset(src, transport)
		assert.NotEmpty(t, charsetName(name), name)
		head := src[:min(len(src), 1024)]
		if bytes.Contains(ascii.Fold(nil, src), []byte("<meta")) { // else see 13.2.3.5
			return
		}
		if of := charset(head, transport); of != name {
			assert.Equal(t, []string{"windows-1252", "UTF-8"}, []string{of, name}, "more tells only where letters are first met")
			assert.True(t, ascii.IsASCII(head))
		}
	})
}
