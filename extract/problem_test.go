package extract_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// The severity depends on the effect of a problem, not only on its code.
func TestSeverity(t *testing.T) {
	page := "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n"
	for _, row := range []struct {
		effect, name, src string
		code              extract.Code
		severity          extract.Severity
	}{
		{"handled by rule", "p.html", `<base href="d/"><a href="http://h/">`, extract.BaseNotAbsolute, extract.Note},
		{"handled by rule", "p.html", `<base href="http://h/"><base href="http://i/">`, extract.BaseRepeated, extract.Note},
		{"no URL", "p.html", `<a href="x">`, extract.NoBase, extract.Warning},
		{"the next rung is used", "p.html", `<base href="http://h/"><object codebase="mailto:a@b" data=x>`, extract.BaseUnsuitable, extract.Warning},
		{"no link", "p.html", `<base href="http://h/"><img srcset="a 1q">`, extract.LinkMalformed, extract.Warning},
		{"another charset is used", "m.eml", "Content-Type: text/html; charset=nope\n\n<p>", extract.CharsetUnknown, extract.Warning},
		{"undecodable characters are read as U+FFFD", "p.html", "<meta charset=euc-kr>\xff", extract.Undecodable, extract.Warning},
		{"text after the data", "m.eml", page + "PGE+\n\n_____\nfooter\n", extract.Undecodable, extract.Warning},
		{"an invalid escape is read literally", "m.eml", strings.Replace(page, "base64", "quoted-printable", 1) + "<a href=3Dhttp://h/x=ZZ>\n", extract.Undecodable, extract.Warning},
		{"no padding", "m.eml", page + "PGE+PA\n", extract.Undecodable, extract.Warning},
		{"a stray byte is skipped, and all is read", "m.eml", page + "P*GE+\n", extract.Undecodable, extract.Warning},
		{"a character is lost", "m.eml", page + "P*E+PGE+\n", extract.Undecodable, extract.Error},
		{"no base64 at all", "m.eml", page + "<p>This is <b>text</b>, not data.\n", extract.Undecodable, extract.Error},
		{"a byte is cut off", "m.eml", page + "PGE+P\n", extract.Undecodable, extract.Error},
		{"an unknown encoding", "m.eml", "Content-Transfer-Encoding: x-rot13\n\nx\n", extract.Undecodable, extract.Error},
		{"all parts are read", "m.eml", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n", extract.BoundaryOpen, extract.Warning},
		{"no part, and nothing to read", "m.eml", "Content-Type: multipart/mixed; boundary=b\n\n \n", extract.BoundaryMissing, extract.Warning},
		{"the body is not read", "m.eml", "Content-Type: multipart/mixed; boundary=b\n\nx\n", extract.BoundaryMissing, extract.Error},
		{"the body is not read", "m.eml", "Content-Type: multipart/mixed\n\nx\n", extract.BoundaryMissing, extract.Error},
		{"the body is cut off", "r.http", "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<p>", extract.RecordTruncated, extract.Error},
		{"the record is cut off", "w.warc", "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 9\r\n\r\nx", extract.RecordTruncated, extract.Error},
	} {
		t.Run(string(row.code)+": "+row.effect, func(t *testing.T) {
			var all []extract.Problem
			w := walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { all = append(all, p) }}}
			require.NoError(t, w.Links(extract.Document{Name: row.name, Bytes: []byte(row.src)}, func(*extract.Link) error { return nil }))
			require.Len(t, all, 1)
			assert.Equal(t, row.code, all[0].Code)
			assert.Equal(t, row.severity.String(), all[0].Severity.String())
		})
	}
}

// In JSON, a severity is its name.
func TestSeverityNames(t *testing.T) {
	line, err := json.Marshal(extract.Problem{Severity: extract.Error, Code: extract.NoBase})
	require.NoError(t, err)
	assert.Equal(t, `{"document":"","entity":"","offset":0,"severity":"error","code":"no-base","detail":""}`, string(line))
	assert.Equal(t, "", extract.Severity(0).String(), "not set")
}

// Formats report the codes of package mark. Package extract has the same strings, so that its documentation shows them.
func TestCodesOfFormats(t *testing.T) {
	source, err := os.ReadFile("internal/mark/code.go")
	require.NoError(t, err)
	codes := map[string]string{}
	page, err := os.ReadFile("problem.go")
	require.NoError(t, err)
	constant := regexp.MustCompile(`(?m)^\t(\w+) +Code += "([a-z-]+)"`)
	for _, m := range constant.FindAllStringSubmatch(string(page), -1) {
		codes[m[1]] = m[2]
	}
	found := constant.FindAllStringSubmatch(string(source), -1)
	require.NotEmpty(t, found)
	for _, m := range found {
		assert.Equal(t, m[2], codes[m[1]], m[1])
	}
}

// docs/problems.md has a row for each code, with its usual severity.
func TestProblemsPage(t *testing.T) {
	page, err := os.ReadFile("../docs/problems.md")
	require.NoError(t, err)
	listed := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([a-z]+)").FindAllStringSubmatch(string(page), -1) {
		listed[m[1]] = m[2]
	}
	usual := map[string]string{}
	for _, file := range []string{"problem.go", "internal/mark/code.go"} {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`Code += "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1) {
			usual[m[1]] = extract.Code(m[1]).Severity().String()
		}
	}
	require.NotEmpty(t, usual)
	assert.Equal(t, usual, listed)
}
