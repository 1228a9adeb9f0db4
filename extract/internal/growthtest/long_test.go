package growthtest

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	surrogates "unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
	"absolink/resolve"
)

// longTexts are documents with some thousand links in a text that is lifted through a codec.
func longTexts(t *testing.T) map[string]extract.Document {
	const links = 3_000
	numbered := func(format string) string {
		var b strings.Builder
		for i := range links {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	in16 := func(text string, order binary.AppendByteOrder) []byte {
		var b []byte
		for _, unit := range surrogates.Encode([]rune("\uFEFF" + text)) {
			b = order.AppendUint16(b, unit)
		}
		return b
	}
	encoded := func(b []byte, err error) []byte {
		require.NoError(t, err)
		return b
	}
	page, kanji := numbered("<a href=x%d>x</a>\n"), numbered("<a href=x%d>日本</a>")
	line := strings.ReplaceAll(page, "\n", " ")
	quoted := func(s string) string { return strings.ReplaceAll(s, "=", "=3D") }
	in64 := func(b []byte, width int) string {
		var lines []string
		for part := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(b)), width) {
			lines = append(lines, string(part))
		}
		return strings.Join(lines, "\r\n")
	}
	mail := "MIME-Version: 1.0\r\nContent-Type: %s\r\nContent-Transfer-Encoding: %s\r\n\r\n%s"
	har := `{"log":{"version":"1.2","entries":[{"request":{"url":"http://h/"},"response":{"bodySize":%d,"content":{"size":%d,"mimeType":"text/html","text":"%s"}}}]}}`
	escaped := numbered(`<a href=\"x%d\">\u00e9<\/a>`)
	size := len(numbered(`<a href="x%d">é</a>`))
	response := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n%s\r\n%s"
	documents := map[string]extract.Document{
		"UTF-16LE":                 {Type: "text/html", Bytes: in16(page, binary.LittleEndian)},
		"UTF-16BE":                 {Type: "text/html", Bytes: in16(kanji, binary.BigEndian)},
		"ISO-2022-JP":              {Type: "text/html; charset=iso-2022-jp", Bytes: encoded(japanese.ISO2022JP.NewEncoder().Bytes([]byte(kanji)))},
		"Shift_JIS":                {Type: "text/html; charset=shift_jis", Bytes: encoded(japanese.ShiftJIS.NewEncoder().Bytes([]byte(kanji)))},
		"windows-1251":             {Type: "text/html; charset=windows-1251", Bytes: encoded(charmap.Windows1251.NewEncoder().Bytes([]byte(numbered("<a href=x%d>Привет</a>"))))},
		"UTF-8 with a mark":        {Type: "text/html", Bytes: []byte("\uFEFF" + page)},
		"quoted-printable":         {Type: "message/rfc822", Bytes: fmt.Appendf(nil, mail, "text/html", "quoted-printable", quoted(page))},
		"quoted-printable, a line": {Type: "message/rfc822", Bytes: fmt.Appendf(nil, mail, "text/html", "quoted-printable", quoted(line)+"\r\n")},
		"base64":                   {Type: "message/rfc822", Bytes: fmt.Appendf(nil, mail, "text/html", "base64", in64([]byte(page), 76)+"\r\n")},
		"base64, a line":           {Type: "message/rfc822", Bytes: fmt.Appendf(nil, mail, "text/html", "base64", in64([]byte(page), 1<<30))},
		"base64 of UTF-16":         {Type: "message/rfc822", Bytes: fmt.Appendf(nil, mail, "text/html; charset=utf-16le", "base64", in64(in16(page, binary.LittleEndian), 60))},
		"srcdoc in quoted-printable": {Type: "message/rfc822", Bytes: fmt.Appendf(nil, mail, "text/html", "quoted-printable",
			quoted(`<a href=first>`+"\n"+`<iframe srcdoc="`+strings.ReplaceAll(page, "<", "&lt;")+`"></iframe><a href=last>`))},
		"a mailbox":          {Type: "application/mbox", Bytes: fmt.Appendf(nil, "From a@b Mon Jan  1 00:00:00 2024\n"+strings.ReplaceAll(mail, "\r", ""), "text/html", "8bit", line+"\n>From x\n<a href=y>\n")},
		"HAR":                {Name: "x.har", Bytes: fmt.Appendf(nil, har, size, size, escaped)},
		"CDATA":              {Type: "application/rss+xml", Bytes: []byte("<rss><channel><item><description>" + numbered("<![CDATA[<a href=x%d>]]>&lt;/a>") + "</description></item></channel></rss>")},
		"one CDATA section":  {Type: "application/rss+xml", Bytes: []byte("<rss><channel><item><description><![CDATA[" + page + "]]></description></item></channel></rss>")},
		"escaped HTML":       {Type: "application/rss+xml", Bytes: []byte("<rss><channel><item><description>" + strings.ReplaceAll(page, "<", "&lt;") + "</description></item></channel></rss>")},
		"Link":               {Type: "message/http", Name: "x.http", Bytes: fmt.Appendf(nil, response, 0, "Link: "+strings.TrimSuffix(numbered("<x%d>; rel=x, "), ", ")+"\r\n", "")},
		"body with a length": {Type: "message/http", Name: "x.http", Bytes: fmt.Appendf(nil, response, len(page), "", page)},
		"srcset":             {Type: "text/html", Bytes: []byte(`<a href=first><img srcset="` + strings.TrimSuffix(numbered("x%d 1x, "), ", ") + `"><a href=last>`)},
		"style":              {Type: "text/html", Bytes: []byte(`<p style="` + numbered("a:url(x%d);") + `"><a href=last>`)},
	}
	return documents
}

// A long text is rewritten like a short one, in every codec.
func TestLongTexts(t *testing.T) {
	for name, d := range longTexts(t) {
		for _, standard := range longtest.Or([]resolve.Standard{resolve.WHATWG}, []resolve.Standard{resolve.RFC3986, resolve.WHATWG}) {
			t.Run(fmt.Sprint(name, " ", standard), func(t *testing.T) {
				if d.Name != "x.har" {
					d.URL = "http://h/p/"
				}
				want, _ := urlsIn(t, extract.Extractor{Standard: standard}, d)
				require.Greater(t, len(want), 2_900)

				var edited, out bytes.Buffer
				at := 0
				var changes []string
				x := extract.Extractor{Standard: standard}
				x.OnProblem = func(p extract.Problem) { t.Error(p.Error()) }
				x.OnEdit = func(e extract.Edit) {
					require.LessOrEqual(t, int64(at), e.Offset)
					edited.Write(d.Bytes[at:e.Offset])
					edited.Write(e.New)
					at = int(e.Offset) + len(e.Old)
				}
				x.OnChange = func(c extract.Change) { changes = append(changes, c.URL) }
				result, err := x.Rewrite(context.Background(), &out, d)
				require.NoError(t, err)
				edited.Write(d.Bytes[at:])
				assert.True(t, edited.String() == out.String(), "the edits make the output")
				assert.Equal(t, want, changes, "the changes are the links")
				assert.Equal(t, len(want), result.Changed)

				got, relative := urlsIn(t, extract.Extractor{Standard: standard}, extract.Document{Name: d.Name, Type: d.Type, Bytes: out.Bytes()})
				assert.Equal(t, want, got, "the links of the output")
				assert.Zero(t, relative)

				x = extract.Extractor{Standard: standard}
				var again bytes.Buffer
				_, err = x.Rewrite(context.Background(), &again, extract.Document{Name: d.Name, Type: d.Type, URL: d.URL, Bytes: out.Bytes()})
				require.NoError(t, err)
				assert.True(t, again.String() == out.String(), "a second rewriting changes nothing")
			})
		}
	}
}

// urlsIn returns the URLs of all links, and the number of links that are not absolute in the document.
func urlsIn(t *testing.T, x extract.Extractor, d extract.Document) (urls []string, relative int) {
	for l, err := range x.Links(context.Background(), d) {
		require.NoError(t, err)
		urls = append(urls, string(l.URL))
		if l.Status != extract.StatusAbsolute {
			relative++
		}
	}
	return urls, relative
}

// A page has more links than a block of marks, a base at its end, and embedded documents with bases.
func TestManyLinks(t *testing.T) {
	units, links := longtest.Or(2_000, 40_000), longtest.Or(5_000, 70_000) // more than a block of marks
	const each = `<a href=x></a><object codebase=c/ data=y></object><iframe srcdoc="<a href=z>"></iframe>`
	const want = `<a href=http://b/x></a><object codebase=http://b/c/ data=http://b/c/y></object><iframe srcdoc="<a href=http://b/z>"></iframe>`
	for _, head := range []string{"", "\uFEFF", "\xe9<img srcset='"} {
		var w Walker
		edits, last := 0, int64(-1)
		w.OnEdit = func(e extract.Edit) {
			offset := e.Offset
			assert.Greater(t, offset, last)
			edits, last = edits+1, offset
		}
		in, out := head, head
		if strings.HasSuffix(head, "'") {
			in += strings.Repeat("s 1x,", links) + "'>"
			out += strings.Repeat("http://b/s 1x,", links) + "'>"
		}
		in += strings.Repeat(each, units) + "<base href=http://b/>" + strings.Repeat(each, 10)
		out += strings.Repeat(want, units) + "<base href=http://b/>" + strings.Repeat(want, 10)
		assert.True(t, out == Rewrite(t, &w, Page(in)))
		n, entity := 0, ""
		require.NoError(t, w.Links(Page(in), func(l *extract.Link) error {
			n, entity = n+1, l.Entity.Path
			return nil
		}))
		assert.Equal(t, n, edits)
		assert.Equal(t, fmt.Sprintf("iframe@srcdoc[%d]", units+10), entity)
	}

	// The text of a body part is in the message: its edits are written after the edits of the header.
	part := func(href, location string) string {
		return "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n" + strings.Repeat("<a href="+href+">\n", links) +
			"--b\nContent-Location: " + location + "\n\n--b--\n"
	}
	d := extract.Document{Name: "x.eml", URL: "http://h/", Bytes: []byte(part("x", "y"))}
	assert.True(t, part("http://h/x", "http://h/y") == Rewrite(t, &Walker{}, d))
}

// A long body part is rewritten like a short one: its Content-MD5 follows, and a signature keeps it unchanged.
func TestLongParts(t *testing.T) {
	numbered := func(href string) string {
		var b strings.Builder
		for i := range 3_000 {
			fmt.Fprintf(&b, "<a href="+href+">x</a>\r\nsome words of a long page\r\n", i)
		}
		return b.String()
	}
	digest := func(s string) string {
		sum := md5.Sum([]byte(s))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	was, now := numbered("x%d"), numbered("http://h/x%d")
	quoted := func(s string) string { return strings.ReplaceAll(s, "=", "=3D") }
	part := func(page, spelled, encoding string) string {
		return "Content-Type: text/html\r\nContent-Transfer-Encoding: " + encoding + "\r\nContent-MD5: " + digest(page) + "\r\n\r\n" + spelled
	}
	signed := func(part, href string) string {
		return "Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\nContent-Type: text/html\r\n\r\n<a href=" + href + ">\r\n--a\r\n" +
			"Content-Type: multipart/signed; boundary=b; protocol=\"application/pgp-signature\"\r\n\r\n--b\r\n" + part + "\r\n--b\r\nContent-Type: application/pgp-signature\r\n\r\n-\r\n--b--\r\n--a--\r\n"
	}
	rewrite := func(x extract.Extractor, src string) (string, extract.Result) {
		var out strings.Builder
		result, err := x.Rewrite(t.Context(), &out, extract.Document{Name: "a.eml", URL: "http://h/", Bytes: []byte(src)})
		require.NoError(t, err)
		return out.String(), result
	}
	plain := func(part string) string {
		return strings.Replace(strings.Replace(part, "Content-MD5", "X-MD5", 1), "MD5: "+digest(was), "MD5: "+digest(now), 1)
	}
	for encoding, spell := range map[string]func(string) string{"8bit": func(s string) string { return s }, "quoted-printable": quoted} {
		before, after := part(was, spell(was), encoding), part(now, spell(now), encoding)
		got, result := rewrite(extract.Extractor{}, before)
		assert.True(t, after == got, "%s: the digest follows", encoding)
		assert.Equal(t, 3_000, result.Changed)
		for _, row := range [][2]string{{before, after}, {plain(before), plain(after)}} {
			got, result = rewrite(extract.Extractor{}, signed(row[0], "x"))
			assert.True(t, signed(row[0], "http://h/x") == got, "%s: a signed part stays", encoding)
			assert.Equal(t, 1, result.Changed)
			got, result = rewrite(extract.Extractor{BreakSignatures: true}, signed(row[0], "x"))
			assert.True(t, signed(row[1], "http://h/x") == got, "%s: with BreakSignatures", encoding)
			assert.Equal(t, 3_001, result.Changed)
		}
	}
}

// In a long text, a new URL has the spelling of its place, in the charset of the document. One that cannot be spelled there is
// reported at its own offset, and the others are written.
func TestLongTextsSpell(t *testing.T) {
	long := strings.NewReplacer("~", strings.Repeat("some words of a long text in a line\n", 20_000))
	for _, row := range []struct{ name, src, odd, want string }{
		{"a.rss", "<rss><channel><item><description>&lt;a href=x>~&lt;a href=odd>~~&lt;a href=y></description></item></channel></rss>", "\x01",
			"<rss><channel><item><description>&lt;a href=http://h/x>~&lt;a href=odd>~~&lt;a href=http://h/y></description></item></channel></rss>"},
		{"b.rss", "<rss><channel><item><description><![CDATA[<a href=x>~<a href=odd>~~<a href=y>]]></description></item></channel></rss>", "\x01",
			"<rss><channel><item><description><![CDATA[<a href=http://h/x>~<a href=odd>~~<a href=http://h/y>]]></description></item></channel></rss>"},
		{"multipart.eml", "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x>~<a href=\"\nodd\n\">~~<a href=y>\n--b--\n", "--b",
			"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=http://h/x>~<a href=\"\nodd\n\">~~<a href=http://h/y>\n--b--\n"},
		{"srcdoc.html", `<meta charset=windows-1252><iframe srcdoc="<a href=x>~<a href=odd>~~<a href=y>">`, "é日",
			"<meta charset=windows-1252><iframe srcdoc=\"<a href=http://h/x>~<a href=\xe9&amp;#26085;>~~<a href=http://h/y>\">"},
		{"style.html", `<meta charset=windows-1252><style>a{b:url(x);~c:url(odd);~~d:url(y)}</style>`, "é日",
			"<meta charset=windows-1252><style>a{b:url(http://h/x);~c:url(\xe9\\65e5 );~~d:url(http://h/y)}</style>"},
		{"one.html", `<p style="~x:url(odd);~">`, "http://k/", `<p style="~x:url(http://k/);~">`},
	} {
		src := long.Replace(row.src)
		var offsets []int
		x := extract.Extractor{OnProblem: func(p extract.Problem) {
			assert.Equal(t, extract.CodeRewriteRefused, p.Code, row.name)
			offsets = append(offsets, p.Offset)
		}}
		x.Map = func(l *extract.Link) (string, bool) {
			if string(l.Ref) == "odd" {
				return row.odd, true
			}
			return string(l.URL), true
		}
		w := Walker{Extractor: x}
		assert.True(t, long.Replace(row.want) == Rewrite(t, &w, extract.Document{Name: row.name, URL: "http://h/", Bytes: []byte(src)}), row.name)
		if strings.Contains(row.want, "odd") {
			assert.Equal(t, []int{strings.Index(src, "odd")}, offsets, row.name)
		} else {
			assert.Empty(t, offsets, row.name)
		}
	}
}

// In a long page without a declared charset, the links in the first bytes stay if one of them would change the charset, even far
// before the other bytes that decide.
func TestLongTextsGuess(t *testing.T) {
	links := strings.Repeat("<a href=x>a link of a long page, in a line with some words</a>\n", 3_000)
	src := "<a href=\"\xff\"></a>" + links + "é"
	var problems []string
	w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG, OnProblem: func(p extract.Problem) { problems = append(problems, fmt.Sprint(p.Offset, " ", p.Code)) }}}
	got := Rewrite(t, &w, extract.Document{Name: "a.html", URL: "http://h/", Bytes: []byte(src)})
	assert.True(t, src[:1024]+strings.ReplaceAll(src[1024:], "=x>", "=http://h/x>") == got)
	assert.Equal(t, []string{"9 rewrite-refused"}, problems)
}
