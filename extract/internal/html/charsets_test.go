package html_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// Undecodable bytes are reported with their offset, and a URL with such bytes is not changed.
func TestHTMLUndecodable(t *testing.T) {
	for _, row := range []struct{ charset, src, want, problems string }{
		{"shift_jis", "<p>\x83\x5c</p><a href='\x81 x'><a href=y>", "<p>\x83\x5c</p><a href='\x81 x'><a href=http://h/p/y>", "18 undecodable, 18 rewrite-refused"},
		{"utf-8", "<a href='caf\xe9'><a href=y>", "<a href='caf\xe9'><a href=http://h/p/y>", "9 rewrite-refused"},
		{"utf-8", "<a href='\uFFFD'>", "<a href='http://h/p/%EF%BF%BD'>", ""},
		{"koi8-r", "<a href='&#0;'><a href='&#xFFFD;\x00'>", "<a href='http://h/p/%EF%BF%BD'><a href='http://h/p/%EF%BF%BD%EF%BF%BD'>", ""},
	} {
		var problems []string
		w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG, OnProblem: func(p extract.Problem) { problems = append(problems, fmt.Sprint(p.Offset, " ", p.Code)) }}}
		d := Page(row.src)
		d.Type = "text/html; charset=" + row.charset
		assert.Equal(t, row.want, Rewrite(t, &w, d))
		assert.Equal(t, row.problems, strings.Join(problems, ", "))
	}
}

// The page keeps its charset.
func TestCharsets(t *testing.T) {
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("<a href=\"x\">\u00e9\r\n<a href=y>")
	require.NoError(t, err)
	utf16want, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("<a href=\"http://h/p/x\">\u00e9\r\n<a href=http://h/p/y>")
	require.NoError(t, err)
	kanji, err := japanese.ISO2022JP.NewEncoder().String("\u793a\u6b21\u3042") // bytes that look like tags
	require.NoError(t, err)
	require.Contains(t, kanji, "<")

	for _, row := range []struct{ name, charset, src, want string }{
		{"UTF-16 with a mark", "", utf16, utf16want},
		{"ISO-2022-JP with < in kanji", "iso-2022-jp", kanji + "<a href=x>" + kanji + "</a>", kanji + "<a href=http://h/p/x>" + kanji + "</a>"},
		{"ISO-2022-JP from the page itself", "", "<meta charset=iso-2022-jp>" + kanji + "<a href='" + kanji + "'>", "<meta charset=iso-2022-jp>" + kanji + "<a href='http://h/p/" + kanji + "'>"},
		{"windows-1252, undeclared", "", "\xe9<a href='\xe9\x81'>\xff", "\xe9<a href='http://h/p/\xe9\x81'>\xff"},
		{"Shift_JIS: a backslash byte in a character", "shift_jis", "<p style=\"background:url('\x83\x5c.png')\">", "<p style=\"background:url('http://h/p/\x83\x5c.png')\">"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			d := Page(row.src)
			if row.charset != "" {
				d.Type = "text/html; charset=" + row.charset
			}
			assert.Equal(t, row.want, Rewrite(t, &w, d))
			require.NoError(t, w.Links(d, func(l *extract.Link) error {
				assert.Equal(t, string(l.Raw), row.src[l.Offset:l.Offset+len(l.Raw)])
				return nil
			}))
		})
	}
	t.Run("characters that the charset does not have", func(t *testing.T) {
		for _, row := range []struct{ typ, src, want string }{
			{"text/html", "<meta charset=latin1><a href=x><style>p{background:url(y)}</style>", "<meta charset=latin1><a href=http://h/&#1076;\xe9/x><style>p{background:url(http://h/\\434 \xe9/y)}</style>"},
			{"text/html", "<meta charset=windows-1252><a href=x>", "<meta charset=windows-1252><a href=http://h/&#1076;&#233;/x>"},
			{"text/html", "<meta charset=koi8-r><a href=x>", "<meta charset=koi8-r><a href=http://h/&#1076;&#233;/x>"},
			{"text/html", "<meta charset=utf-8><a href=x>", "<meta charset=utf-8><a href=http://h/\u0434\u00e9/x>"},
			{"text/html", "<meta charset=latin1><noscript><a href='x'></noscript>", "<meta charset=latin1><noscript><a href='http://h/&#1076;\xe9/x'></noscript>"},
			{"text/html", "<meta charset=latin1><iframe srcdoc='<a href=x>'>", "<meta charset=latin1><iframe srcdoc='<a href=http://h/&amp;#1076;\xe9/x>'>"},
			{"text/html", "<meta charset=latin1><img srcset='x 1x'>", "<meta charset=latin1><img srcset='http://h/&#1076;\xe9/x 1x'>"},
			{"text/css", "@charset \"windows-1252\";a{b:url(\xe9)}", "@charset \"windows-1252\";a{b:url(http://h/\\434 \xe9/\xe9)}"},
		} {
			var w Walker
			got := Rewrite(t, &w, extract.Document{Type: row.typ, URL: "http://h/\u0434\u00e9/", Bytes: []byte(row.src)})
			if row.src[0] == '<' { // the page was ASCII; the character may be literal or a character reference
				row.want = strings.ReplaceAll(row.want, "&#233;", "\xe9")
				row.want = strings.ReplaceAll(row.want, "koi8-r><a href=http://h/&#1076;\xe9", "koi8-r><a href=http://h/\xc4&#233;")
			}
			assert.Equal(t, row.want, got)
		}
	})
	t.Run("ISO-2022-JP: a refused link does not prevent other links", func(t *testing.T) {
		const esc = "\x1b"
		for _, row := range []struct {
			name, url, src, want string
			problems             []string // the bytes at the offset of each refused link
		}{
			{"yen in a page that ends in JIS-Roman", "http://h/", "日\x1b(J<a href=x\\>\\<a href=y>", "日\x1b(J<a href=http://h/x\\>\\<a href=http://h/y>", nil},
			{"yen and overline in the base", "http://h/¥‾/", "日<a href=x><a href='日'>", "日<a href=http://h/\x1b(J\\~/\x1b(Bx><a href='http://h/\x1b(J\\~/日'>", nil},
			{"an escape character in one link", "http://h/", "日<a href='x\x1by'>日<a href=z>", "日<a href='http://h/x\x1by'>日<a href=http://h/z>", nil},
			{"an escape character in JIS-Roman", "http://h/", "日\x1b(J<a href='x\x1b'>\\<a href=y>", "日\x1b(J<a href='http://h/x\x1b'>\\<a href=http://h/y>", nil},
			{"an escape character in the base", "http://h/\x1b(Jx/", "日<img srcset='u 1x'><a href=/v>日<a href=w>", "日<img srcset='http://h/&#27;(Jx/u 1x'><a href=http://h/v>日<a href=http://h/&#27;(Jx/w>", nil},
			{"an escape character in the base of an ASCII page", "http://h/\x1b(Jx/", "<meta charset=iso-2022-jp><img srcset='u 1x'><a href=/v><a href=w>", "<meta charset=iso-2022-jp><img srcset='http://h/&#27;(Jx/u 1x'><a href=http://h/v><a href=http://h/&#27;(Jx/w>", nil},
			{"an escape character in the base, and links without character references", "http://h/\x1b(Jx/", "日<URL:x>日<URL:/y>\x1b(J\\", "日<URL:x>日<URL:http://h/y>\x1b(J\\", []string{"x>\x1b$"}},
			{"U+2212 in the base, and links without character references", "http://h/−/", "日<URL:x>日<URL:/y>\x1b", "日<URL:x>日<URL:http://h/y>\x1b", []string{"x>\x1b$"}},
			{"U+2212 in the base", "http://h/−/", "日<img srcset='u 1x'><a href=w>", "日<img srcset='http://h/&#8722;/u 1x'><a href=http://h/&#8722;/w>", nil},
			{"an escape character in the base element", "http://h/", "日<base href='\x1bb/'><a href=x><a href=/y>", "日<base href='http://h/\x1bb/'><a href=http://h/&#65533;b/x><a href=http://h/y>", nil},
		} {
			t.Run(row.name, func(t *testing.T) {
				const kanji = "\x1b$BF|\x1b(B" // the character of the row
				src, want := strings.ReplaceAll(row.src, "日", kanji), strings.ReplaceAll(row.want, "日", kanji)
				var refused []string
				w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) {
					if p.Code == extract.CodeRewriteRefused {
						refused = append(refused, src[p.Offset:p.Offset+4])
					}
				}}}
				d := extract.Document{Type: "text/html; charset=iso-2022-jp", URL: row.url, Bytes: []byte(src)}
				if strings.Contains(src, "<URL") {
					d.Type = "text/plain; charset=iso-2022-jp"
				} else if strings.Contains(src, "<meta") {
					d.Type = "text/html"
				}
				assert.Equal(t, want, Rewrite(t, &w, d))
				assert.Equal(t, row.problems, refused)
			})
		}
		d := extract.Document{Type: "text/html", URL: "http://h/" + esc + "(Jx/", Bytes: []byte("<meta charset=utf-8><img srcset=u>")}
		var w Walker
		assert.Equal(t, "<meta charset=utf-8><img srcset=http://h/\x1b(Jx/u>", Rewrite(t, &w, d), "UTF-8 can spell all of these")
	})
	t.Run("characters without an escape", func(t *testing.T) {
		for _, row := range []struct{ url, src, want string }{
			{"http://h/\u0085/", "\xe9<a href=x><style>p{background:url(y)}</style>", "\xe9<a href=x><style>p{background:url(http://h/\\85 /y)}</style>"},
			{"http://h/\xe9/", "\xe9<a href=x><style>p{background:url(y)}</style>", "\xe9<a href=x><style>p{background:url(y)}</style>"},
			// One link of a style sheet that cannot be written does not prevent the others.
			{"http://h/\xe9/", "\xe9<style>p{background:url(y),url(//c/1),url(z),url(//c/2)}</style>", "\xe9<style>p{background:url(y),url(http://c/1),url(z),url(http://c/2)}</style>"},
		} {
			var problems []extract.Code
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
			d := extract.Document{Type: "text/html; charset=koi8-r", URL: row.url, Bytes: []byte(row.src)}
			assert.Equal(t, row.want, Rewrite(t, &w, d))
			assert.Contains(t, problems, extract.CodeRewriteRefused)
		}
	})
	t.Run("bytes that are invalid in the charset", func(t *testing.T) {
		for _, mediaType := range []string{"text/html; charset=shift_jis",
			`text/html; charset="shift_jis`, "text/html;q;charset=shift_jis;charset=utf-8", // as some servers send it
		} {
			var problems []extract.Code
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
			d := Page("\x81<a href='x\x81y'>")
			d.Type = mediaType
			assert.Equal(t, "\x81<a href='http://h/p/x\x81y'>", Rewrite(t, &w, d), "stay")
			assert.Equal(t, []extract.Code{extract.CodeUndecodable}, problems, mediaType)
		}
	})
	t.Run("an unknown charset", func(t *testing.T) {
		var problems []extract.Code
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		d := Page("<a href=x>")
		d.Type = "text/html; charset=klingon"
		assert.Equal(t, "<a href=http://h/p/x>", Rewrite(t, &w, d))
		assert.Equal(t, []extract.Code{extract.CodeCharsetUnknown}, problems)
	})
}
