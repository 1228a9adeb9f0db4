package extract_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// The severity of a problem depends on its effect, not only on its code.
func TestSeverity(t *testing.T) {
	page := "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n"
	for _, row := range []struct {
		effect, name, src string
		code              extract.Code
		severity          extract.Severity
	}{
		{"handled by rule", "p.html", `<base href="d/"><a href="http://h/">`, extract.CodeBaseNotAbsolute, extract.SeverityNote},
		{"handled by rule", "p.html", `<base href="http://h/"><base href="http://i/">`, extract.CodeBaseRepeated, extract.SeverityNote},
		{"no URL", "p.html", `<a href="x">`, extract.CodeNoBase, extract.SeverityWarning},
		{"the next layer is used", "p.html", `<base href="http://h/"><object codebase="mailto:a@b" data=x>`, extract.CodeBaseUnsuitable, extract.SeverityWarning},
		{"no link", "p.html", `<base href="http://h/"><img srcset="a 1q">`, extract.CodeLinkMalformed, extract.SeverityWarning},
		{"another charset is used", "m.eml", "Content-Type: text/html; charset=nope\n\n<p>", extract.CodeCharsetUnknown, extract.SeverityWarning},
		{"undecodable characters are read as U+FFFD", "p.html", "<meta charset=euc-kr>\xff", extract.CodeUndecodable, extract.SeverityWarning},
		{"text after the data", "m.eml", page + "PGE+\n\n_____\nfooter\n", extract.CodeUndecodable, extract.SeverityWarning},
		{"an invalid escape is read literally", "m.eml", strings.Replace(page, "base64", "quoted-printable", 1) + "<a href=3Dhttp://h/x=ZZ>\n", extract.CodeUndecodable, extract.SeverityWarning},
		{"no padding", "m.eml", page + "PGE+PA\n", extract.CodeUndecodable, extract.SeverityWarning},
		{"a stray byte is skipped, and all is read", "m.eml", page + "P*GE+\n", extract.CodeUndecodable, extract.SeverityWarning},
		{"a character is lost", "m.eml", page + "P*E+PGE+\n", extract.CodeUndecodable, extract.SeverityError},
		{"no base64 at all", "m.eml", page + "<p>This is <b>text</b>, not data.\n", extract.CodeUndecodable, extract.SeverityError},
		{"a byte is cut off", "m.eml", page + "PGE+P\n", extract.CodeUndecodable, extract.SeverityError},
		{"an unknown encoding", "m.eml", "Content-Transfer-Encoding: x-rot13\n\nx\n", extract.CodeUndecodable, extract.SeverityError},
		{"all parts are read", "m.eml", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n", extract.CodeBoundaryUnterminated, extract.SeverityWarning},
		{"no part, and nothing to read", "m.eml", "Content-Type: multipart/mixed; boundary=b\n\n \n", extract.CodeBoundaryMissing, extract.SeverityWarning},
		{"the body is not read", "m.eml", "Content-Type: multipart/mixed; boundary=b\n\nx\n", extract.CodeBoundaryMissing, extract.SeverityError},
		{"the body is not read", "m.eml", "Content-Type: multipart/mixed\n\nx\n", extract.CodeBoundaryMissing, extract.SeverityError},
		{"the body is cut off", "r.http", "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<p>", extract.CodeRecordTruncated, extract.SeverityError},
		{"the record is cut off", "w.warc", "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 9\r\n\r\nx", extract.CodeRecordTruncated, extract.SeverityError},
	} {
		t.Run(string(row.code)+": "+row.effect, func(t *testing.T) {
			var all []extract.Problem
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { all = append(all, p) }}}
			require.NoError(t, w.Links(extract.Document{Name: row.name, Bytes: []byte(row.src)}, func(*extract.Link) error { return nil }))
			require.Len(t, all, 1)
			assert.Equal(t, row.code, all[0].Code)
			assert.Equal(t, row.severity.String(), all[0].Severity.String())
		})
	}
}

// In JSON, a severity is its name.
func TestSeverityNames(t *testing.T) {
	line, err := json.Marshal(extract.Problem{Severity: extract.SeverityError, Code: extract.CodeNoBase})
	require.NoError(t, err)
	assert.Equal(t, `{"document":"","entity":"","entity_offset":0,"severity":"error","code":"no-base","detail":""}`, string(line))
	assert.Equal(t, "", extract.Severity(0).String(), "not set")
}

// Each code is its name in lower case with hyphens, and has a section in docs/problems.md with its usual severity. Those
// of package mark are in problem.go, too.
func TestCodes(t *testing.T) {
	page, err := os.ReadFile("../docs/problems.md")
	require.NoError(t, err)
	line := regexp.MustCompile(`(?m)^\t(?:Code)?(\w+) +Code = "([a-z-]+)"`)
	read := func(file string) (codes [][2]string) {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range line.FindAllStringSubmatch(string(src), -1) {
			codes = append(codes, [2]string{m[1], m[2]})
			assert.Equal(t, strings.ToLower(m[1]), strings.ReplaceAll(m[2], "-", ""))
			assert.Contains(t, string(page), fmt.Sprintf("\n### `%s`\n\n*%s.* ", m[2], extract.Code(m[2]).Severity()))
		}
		return codes
	}
	assert.Greater(t, len(read("problem.go")), 25)
	assert.Subset(t, read("problem.go"), read("internal/mark/code.go"))
}

// The setting of a problem helps: with another value, the problem does not occur.
func TestSettings(t *testing.T) {
	base := func(x *extract.Extractor, _ *extract.Document) { x.Override = "http://h/" }
	depth := func(x *extract.Extractor, _ *extract.Document) { x.MaxDepth = 3 }
	record := func(x *extract.Extractor, _ *extract.Document) { x.MaxRecord = 64 << 20 }
	ratio := func(x *extract.Extractor, _ *extract.Document) { x.MaxRatio = 2000 }
	zeros := strings.Repeat(" ", 17<<20)
	html := map[string][]byte{}
	for _, name := range []string{"a.zip", "p.html.gz"} {
		html[name] = archiveOf(t, name, []txtar.File{{Name: "p.html", Data: []byte(zeros + `<a href="http://h/">`)}})
	}
	signed := "Content-Type: multipart/signed; boundary=b\n\n--b\n\n<URL:http://h/./>\n--b\nContent-Type: application/pgp-signature\n\n--b--\n"
	elements := `<a xml:base="http://h/">` + strings.Repeat(`<a xml:base="b/">`, 3) + `<b xlink:href="http://h/"/>` + strings.Repeat("</a>", 4)
	for _, row := range []struct {
		d       extract.Document
		x       extract.Extractor
		code    extract.Code
		setting string
		help    func(*extract.Extractor, *extract.Document)
	}{
		{extract.Document{Name: "p.html", Bytes: []byte(`<iframe srcdoc="<iframe srcdoc='<p>'>">`)}, extract.Extractor{MaxDepth: 1}, extract.CodeDepthLimit, "MaxDepth", depth},
		{extract.Document{Name: "f.xml", Bytes: []byte(elements)}, extract.Extractor{MaxDepth: 2}, extract.CodeDepthLimit, "MaxDepth",
			func(x *extract.Extractor, _ *extract.Document) { x.MaxDepth = 4 }},
		{extract.Document{Name: "p.html.gz", Bytes: []byte(Gzipped(t, Gzipped(t, "<p>")))}, extract.Extractor{MaxDepth: 1}, extract.CodeDepthLimit, "MaxDepth", depth},
		{extract.Document{Name: "p.html", Bytes: []byte(zeros)}, extract.Extractor{MaxRecord: 10}, extract.CodeSizeLimit, "MaxRecord", record},
		{extract.Document{Name: "a.zip", Bytes: html["a.zip"]}, extract.Extractor{MaxRecord: 1 << 20}, extract.CodeSizeLimit, "MaxRecord", record},
		{extract.Document{Name: "a.zip", Bytes: html["a.zip"]}, extract.Extractor{MaxRatio: 1}, extract.CodeRatioLimit, "MaxRatio", ratio},
		{extract.Document{Name: "p.html.gz", Bytes: html["p.html.gz"]}, extract.Extractor{MaxRatio: 1}, extract.CodeRatioLimit, "MaxRatio", ratio},
		{extract.Document{Name: "r.http", Bytes: []byte("HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Encoding: gzip\n\n" + string(html["p.html.gz"]))},
			extract.Extractor{MaxRecord: 1 << 20, MaxRatio: 2000}, extract.CodeRatioLimit, "MaxRecord", record},
		{extract.Document{Name: "r.http", Bytes: []byte("HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Encoding: gzip\n\n" + string(html["p.html.gz"]))},
			extract.Extractor{MaxRatio: 1}, extract.CodeRatioLimit, "MaxRatio", ratio},
		{extract.Document{Name: "p.html", Bytes: []byte(`<base href="http://h/"><a href="//[x/">`)}, extract.Extractor{BaseURLs: extract.BaseRemove, Standard: resolve.WHATWG},
			extract.CodeBaseNeeded, "BaseURLs", func(x *extract.Extractor, _ *extract.Document) { x.BaseURLs = extract.BaseKeep }},
		{extract.Document{Name: "m.eml", Bytes: []byte(strings.ReplaceAll(signed, "http://h/./", "x")), URL: "http://h/"}, extract.Extractor{}, extract.CodeSignatureWouldBreak, "BreakSignatures",
			func(x *extract.Extractor, _ *extract.Document) { x.BreakSignatures = true }},
		{extract.Document{Name: "m.eml", Bytes: []byte("DKIM-Signature: v=1\n\n<URL:x>"), URL: "http://h/"}, extract.Extractor{}, extract.CodeDKIMBroken, "KeepDKIM",
			func(x *extract.Extractor, _ *extract.Document) { x.KeepDKIM = true }},
		{extract.Document{Name: "m.eml", Bytes: []byte("DKIM-Signature: v=1\n\n<URL:x>"), URL: "http://h/"}, extract.Extractor{KeepDKIM: true}, extract.CodeSignatureWouldBreak, "KeepDKIM",
			func(x *extract.Extractor, _ *extract.Document) { x.KeepDKIM = false }},
		{extract.Document{Name: "p.html", URL: "http://h/", Bytes: []byte(`<a href="http:x">`)}, extract.Extractor{}, extract.CodeStandardDiffers, "Standard",
			func(x *extract.Extractor, _ *extract.Document) { x.Standard = resolve.WHATWG }},
		{extract.Document{Name: "p.html", URL: "http://h/", Bytes: []byte(`<a href="http:x">`)}, extract.Extractor{Unarchive: true}, extract.CodeStandardDiffers, "Standard",
			func(x *extract.Extractor, _ *extract.Document) { x.Standard = resolve.WHATWG }},
		{extract.Document{Name: "p.html", Bytes: []byte(`<!-- saved from url=(0009)http://h/ --><a href="http:x">`)}, extract.Extractor{}, extract.CodeStandardDiffers, "Standard",
			func(x *extract.Extractor, _ *extract.Document) { x.Standard = resolve.WHATWG }},
		{extract.Document{Name: "p.html", Type: "text/html; charset=nope", Bytes: []byte("<p>")}, extract.Extractor{}, extract.CodeCharsetUnknown, "Type",
			func(_ *extract.Extractor, d *extract.Document) { d.Type = "text/html; charset=koi8-r" }},
		{extract.Document{Name: "p.html", Bytes: []byte(`{"a":"<a href=x>"}`)}, extract.Extractor{}, extract.CodeContentMismatch, "Type",
			func(_ *extract.Extractor, d *extract.Document) { d.Type = "text/html" }},
		{extract.Document{Name: "p.html", Bytes: []byte("<a href=x>")}, extract.Extractor{}, extract.CodeNoBase, "URL",
			func(_ *extract.Extractor, d *extract.Document) { d.URL = "http://h/" }},
		{extract.Document{Name: "m.eml", Bytes: []byte("\n<URL:x>")}, extract.Extractor{}, extract.CodeNoBase, "URL",
			func(_ *extract.Extractor, d *extract.Document) { d.URL = "http://h/" }},
		{extract.Document{Name: "a.tar", Bytes: archiveOf(t, "a.tar", []txtar.File{{Name: "p.html", Data: []byte("<a href=x>")}})}, extract.Extractor{}, extract.CodeNoBase, "MemberURL",
			func(_ *extract.Extractor, d *extract.Document) {
				d.MemberURL = func(string) (url, by string) { return "http://h/", "" }
			}},
		{extract.Document{Name: "w.warc", Bytes: []byte("WARC/1.0\nWARC-Type: resource\nContent-Type: text/html\nContent-Length: 10\n\n<a href=x>\n\n")}, extract.Extractor{}, extract.CodeNoBase, "Override", base},
	} {
		t.Run(fmt.Sprint(row.d.Name, " ", row.code, " ", row.setting), func(t *testing.T) {
			settings := func() (all []string) {
				x := row.x
				x.OnProblem = func(p extract.Problem) {
					if p.Code == row.code {
						all = append(all, p.Setting)
					}
				}
				_, err := x.Rewrite(t.Context(), io.Discard, row.d)
				if refused := (*extract.LimitError)(nil); errors.As(err, &refused) {
					return append(all, refused.Setting)
				}
				require.NoError(t, err)
				return all
			}
			assert.Equal(t, []string{row.setting}, settings())
			row.help(&row.x, &row.d)
			assert.Empty(t, settings())
			var field bool
			for _, of := range []any{row.x, row.d} {
				_, has := reflect.TypeOf(of).FieldByName(row.setting)
				field = field || has
			}
			assert.True(t, field, "a setting is the name of a field")
		})
	}
}

// Values beyond the constants, and a document without a name.
func TestStrings(t *testing.T) {
	assert.Equal(t, []string{"", "note", "error", ""}, []string{extract.Severity(0).String(), extract.SeverityNote.String(), extract.SeverityError.String(), extract.Severity(9).String()})
	assert.Equal(t, []string{"", "absolute", "unresolved", ""}, []string{extract.Status(0).String(), extract.StatusAbsolute.String(), extract.StatusUnresolved.String(), extract.Status(9).String()})
	for where, p := range map[string]extract.Problem{"": {}, "a: ": {Document: "a"}, "b: ": {Entity: "b"}, "a > b: ": {Document: "a", Entity: "b"}} {
		p.Code, p.Detail = extract.CodeNoBase, "d"
		assert.Equal(t, where+"no-base: d (offset 0)", p.Error())
	}
	assert.Equal(t, "{Links:1 Changed:0 Relative:0 Unresolved:0 Refused:0}", fmt.Sprintf("%+v", extract.Result{Links: 1}))
}
