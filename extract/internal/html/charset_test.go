package html

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/source"
	"absolink/internal/commandtest"
)

// The rows follow the steps of HTML 13.2.3.2, which is the clause of every row that cites no other.
func TestHTMLCharset(t *testing.T) {
	pad := func(n int) string { return strings.Repeat(" ", n) }
	for _, row := range []struct{ name, transport, src, want string }{
		{"no declaration, only ASCII", "", "<p>x", "windows-1252"},
		{"empty", "", "", "windows-1252"},
		{"byte order mark: UTF-8", "koi8-r", "\xEF\xBB\xBF<meta charset=koi8-r>", "UTF-8"},
		{"byte order mark: UTF-16BE", "koi8-r", "\xFE\xFF\x00<", "UTF-16BE"},
		{"byte order mark: UTF-16LE", "", "\xFF\xFE<\x00", "UTF-16LE"},
		{"transport layer before meta", "koi8-r", "<meta charset=windows-1251>", "KOI8-R"},
		{"UTF-8 without a declaration", "", "<p>\u00e9", "UTF-8"},
		{"a truncated character at the end", "", "<p>caf\xe9", "windows-1252"},
		{"a truncated character at byte 1024", "", pad(1023) + "\xe9t\xe9", "windows-1252"},
		{"UTF-8 after byte 1024", "", pad(1024) + "\u00e9", "UTF-8"},
		{"UTF-8 and invalid bytes after byte 1024", "", pad(1024) + "\u00e9t\xe9t", "windows-1252"},
		{"a character that byte 1024 cuts", "", "<p>\u00e9" + strings.Repeat("x", 1018) + "\u00e9", "UTF-8"},
		{"a continuation byte alone is not UTF-8", "", "\x80", "windows-1252"},
		{"invalid UTF-8", "", "<p>\xe9t\xe9", "windows-1252"},

		{"meta charset", "", "<meta charset=koi8-r>", "KOI8-R"},
		{"meta charset in quotes", "", "<META CHARSET = 'koi8-r' >", "KOI8-R"},
		{"meta charset in double quotes", "", `<meta/charset="koi8-r">`, "KOI8-R"},
		{"white space around the label", "", `<meta charset=" koi8-r ">`, "KOI8-R"},
		{"unknown label: the next meta applies", "", `<meta charset=klingon>` + `<meta charset=koi8-r>`, "KOI8-R"},
		{"UTF-16 in a meta is UTF-8", "", "<meta charset=utf-16be>", "UTF-8"},
		{"x-user-defined is windows-1252", "", "<meta charset=x-user-defined>", "windows-1252"},
		{"an element whose name begins with meta", "", "<metal charset=koi8-r><meta>", "windows-1252"},
		{"only meta has a charset", "", "<p charset=koi8-r>", "windows-1252"},
		{"several metas: first with an encoding wins", "", "<meta name=x><meta charset=koi8-r><meta charset=windows-1251>", "KOI8-R"},
		{"duplicate charset: first wins", "", "<meta charset=koi8-r charset=windows-1251>", "KOI8-R"},
		{"the file ends in the tag", "", "<meta charset=koi8-r", "windows-1252"},
		{"the file ends in quotes", "", "<meta charset='koi8-r>", "windows-1252"},
		{"meta ends at byte 1024", "", pad(1003) + "<meta charset=koi8-r>", "KOI8-R"},
		{"meta in raw text after byte 1024", "", pad(1004) + "<script><meta charset=koi8-r></script>", "windows-1252"},
		{"meta after byte 1024, 13.2.3.5", "", pad(1004) + "<meta charset=koi8-r>", "KOI8-R"},
		{"meta in the body, 13.2.6.4.7", "", "<body><p>\u00e9" + pad(1024) + "</p></body><META/http-equiv=content-type content='text/html; charset=koi8-r'>", "KOI8-R"},
		{"after byte 1024: first with an encoding wins", "", pad(1024) + "<meta name=x><meta charset=klingon><meta charset=koi8-r><meta charset=windows-1251>", "KOI8-R"},
		{"after empty elements in svg, 13.2.6.5", "", pad(1024) + "<svg><style/><script href=x /></svg><meta charset=koi8-r>", "KOI8-R"},
		{"in HTML, style is never empty", "", pad(1024) + "<style/><svg></svg><meta charset=koi8-r>", "windows-1252"},
		{"in a comment after byte 1024", "", pad(1024) + "<!--<meta charset=koi8-r>-->", "windows-1252"},
		{"the file ends in the tag after byte 1024", "", pad(1024) + "<meta charset=koi8-r", "windows-1252"},
		{"parser before prescan, 13.2.3.5", "", "<script><meta charset=koi8-r></script><meta charset=windows-1251>", "windows-1251"},
		{"transport layer before parser, 13.2.3.5", "koi8-r", pad(1024) + "<meta charset=windows-1251>", "KOI8-R"},

		{"content with http-equiv=content-type", "", `<meta http-equiv=Content-Type content="text/html; charset=koi8-r">`, "KOI8-R"},
		{"http-equiv after content", "", `<meta content="text/html; charset=koi8-r" http-equiv=content-type>`, "KOI8-R"},
		{"content with another http-equiv", "", `<meta http-equiv=refresh content="text/html; charset=koi8-r">`, "windows-1252"},
		{"content without http-equiv", "", `<meta content="text/html; charset=koi8-r">`, "windows-1252"},
		{"charset before content", "", `<meta http-equiv=content-type charset=windows-1251 content="charset=koi8-r">`, "windows-1251"},
		{"charset after content", "", `<meta content="charset=koi8-r" charset=windows-1251>`, "windows-1251"},
		{"unknown charset before content, 13.2.6.4.4", "", `<meta http-equiv=content-type charset=klingon content="charset=koi8-r">`, "KOI8-R"},
		{"empty charset after content, 13.2.6.4.4", "", `<meta http-equiv=content-type content="charset=koi8-r" charset>`, "KOI8-R"},
		{"character references in charset, 13.2.6.4.4", "", `<meta charset=koi8&#45;r>`, "KOI8-R"},
		{"character references in content, 13.2.6.4.4", "", `<meta http-equiv=Content&#x2D;Type content="text/html; charset&equals;koi8-r">`, "KOI8-R"},
		{"quotes in content", "", `<meta http-equiv=content-type content="charset = 'koi8-r' x">`, "KOI8-R"},
		{"unclosed quote in content", "", `<meta http-equiv=content-type content="charset='koi8-r">`, "windows-1252"},
		{"charset without an equals sign, then with it", "", `<meta http-equiv=content-type content="charset charsetcharset=koi8-r;x">`, "KOI8-R"},
		{"no label after the equals sign", "", `<meta http-equiv=content-type content="charset=">`, "windows-1252"},

		{"double quotes in content", "", `<meta http-equiv=content-type content='charset="koi8-r"x'>`, "KOI8-R"},
		{"white space after the label in content", "", `<meta http-equiv=content-type content="charset=koi8-r x">`, "KOI8-R"},
		{"only the word charset in content", "", `<meta http-equiv=content-type content="charset">`, "windows-1252"},
		{"prescan: slash after the name", "", `<script><meta/charset=koi8-r></script>`, "KOI8-R"},
		{"prescan: duplicate http-equiv: first wins", "", `<script><meta http-equiv=x http-equiv=content-type content="charset=koi8-r"></script>`, "windows-1252"},
		{"prescan: duplicate content: first wins", "", `<script><meta http-equiv=content-type content="charset=koi8-r" content="charset=windows-1251"></script>`, "KOI8-R"},
		{"prescan: duplicate charset: first wins", "", `<script><meta charset=koi8-r charset=windows-1251></script>`, "KOI8-R"},
		{"prescan: another attribute before charset", "", `<script><meta name=x charset=koi8-r></script>`, "KOI8-R"},
		{"prescan: another http-equiv", "", `<script><meta http-equiv=x content="charset=koi8-r"></script>`, "windows-1252"},

		{"in a comment", "", "<!--<meta charset=koi8-r>--><meta charset=windows-1251>", "windows-1251"},
		{"the shortest comment", "", "<!--><meta charset=koi8-r>", "KOI8-R"},
		{"unclosed comment", "", "<!--<meta charset=koi8-r>", "windows-1252"},
		{"prescan: raw text applies", "", "<script><meta charset=koi8-r></script>", "KOI8-R"},
		{"in an attribute", "", "<a title='<meta charset=koi8-r>'><meta charset=windows-1251>", "windows-1251"},
		{"in an end tag", "", "</a title='<meta charset=koi8-r>'><meta charset=windows-1251>", "windows-1251"},
		{"in a doctype", "", "<!doctype '<meta charset=koi8-r>'><meta charset=windows-1251>", "windows-1251"},
		{"a doctype ends at the first >", "", "<!doctype '><meta charset=koi8-r>'>", "KOI8-R"},
		{"in a bogus end tag", "", "</ <meta charset=koi8-r>", "windows-1252"},
		{"an equals sign begins a name", "", "<meta =charset=koi8-r><meta a==b charset=windows-1251>", "windows-1251"},
		{"a slash ends a name", "", "<meta charset/=koi8-r>", "windows-1252"},

		{"an XML declaration", "", `<?xml version="1.0" encoding="koi8-r"?>`, "KOI8-R"},
		{"meta before XML declaration", "", `<?xml version="1.0" encoding="koi8-r"?><meta charset=windows-1251>`, "windows-1251"},
		{"white space around the equals sign", "", "<?xml encoding \t=\n'koi8-r'?>", "KOI8-R"},
		{"UTF-16 in an XML declaration", "", "<?xml encoding='utf-16'?>", "UTF-8"},
		{"UTF-16BE in an XML declaration", "", "<?xml encoding='utf-16be'?>", "UTF-8"},
		{"no equals sign", "", "<?xml encoding 'koi8-r'?>", "windows-1252"},
		{"unclosed quote in an XML declaration", "", "<?xml encoding='koi8-r?>", "windows-1252"},
		{"white space in the label", "", "<?xml encoding='koi8-r '?>", "windows-1252"},
		{"no quotes", "", "<?xml encoding=xkoi8-rx?>", "windows-1252"},
		{"the file ends in the XML declaration", "", "<?xml encoding='koi8-r'", "windows-1252"},
		{"XML declaration not at the start", "", " <?xml encoding='koi8-r'?>", "windows-1252"},
		{"XML declaration before an unclosed comment", "", "<?xml encoding='koi8-r'?><!--", "KOI8-R"},
		{"XML declaration in UTF-16LE", "", "<\x00?\x00x\x00m\x00l\x00", "UTF-16LE"},
		{"XML declaration in UTF-16BE", "", "\x00<\x00?\x00x\x00m\x00l", "UTF-16BE"},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, charsetName(labelOf([]byte(row.src), row.transport)))
			for n := range row.src {
				assert.NotEmpty(t, charsetName(labelOf([]byte(row.src[:n]), row.transport)), "the first %d bytes", n)
			}
		})
	}
}

// The pages are from the Web Platform Tests, and come with the package charset of golang.org/x/net. They declare ISO-8859-15.
func TestHTMLCharsetPages(t *testing.T) {
	dir := commandtest.Module(t, "golang.org/x/net", "html/charset/testdata")
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
		src, err := os.ReadFile(filepath.Join(dir, row.file+".html"))
		require.NoError(t, err)
		assert.Equal(t, row.want, charsetName(labelOf(src, row.transport)), row.file)
	}
}

func labelOf(raw []byte, transport string) string {
	return source.EncodingOf(Format, raw, transport).Name
}

func charsetName(label string) string {
	_, name, _ := charsets.Of(label)
	return name
}

func FuzzHTMLCharset(f *testing.F) {
	for _, seed := range []string{"<meta charset=koi8-r>", "<?xml encoding='koi8-r'?>", "<!--><a b='c' d/e=f><meta http-equiv=content-type content='x; charset=y'"} {
		f.Add([]byte(seed), "")
	}
	f.Fuzz(func(t *testing.T, src []byte, transport string) {
		name := labelOf(src, transport)
		assert.NotEmpty(t, charsetName(name), name)
		head := src[:min(len(src), 1024)]
		if bytes.Contains(ascii.Fold(nil, src), []byte("<meta")) { // a meta element after byte 1024 may apply (13.2.3.5)
			return
		}
		if of := labelOf(head, transport); of != name {
			assert.Equal(t, []string{"windows-1252", "UTF-8"}, []string{of, name}, "bytes after 1024 count only if the first 1024 bytes are ASCII")
			assert.True(t, ascii.IsASCII(head))
		}
	})
}
