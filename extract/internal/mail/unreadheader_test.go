package mail_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// A message whose lines end in CR is an error, and nothing is read. A stray CR is no line end.
func TestLinesInCR(t *testing.T) {
	const header, page = "From: a@b\nContent-Type: text/html\n\n", "<a href=http://h/x>\n<a href=http://h/y>"
	inCR := func(text string) string { return strings.ReplaceAll(text, "\n", "\r") }
	for _, row := range []struct {
		mediaType, src string
		links          int
	}{
		{"message/rfc822", inCR(header + page), 0},
		{"message/rfc822", inCR(header) + page, 0},
		{"message/rfc822", inCR("Content-Type: text/html\n\n" + page), 0},
		{"application/mbox", inCR("From a@b Thu Jan  1 00:00:00 2024\n" + header + page), 0},
		{"message/rfc822", "Content-Type: multipart/digest; boundary=b\n\n--b\n\n" + inCR(header+page) + "\n--b--", 0},
		{"message/rfc822", "Subject: a\rb\r\rc\n" + header + page, 2},
		{"message/rfc822", "Subject: a\rTo: b\n" + header + page, 2},
		{"message/rfc822", header + inCR(page), 2},
		{"message/rfc822", "see http://h/x\rhttp://h/y", 2},
	} {
		var problems []extract.Problem
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
		d := extract.Document{Type: row.mediaType, URL: "http://b/", Bytes: []byte(row.src)}
		assert.Len(t, LinkLines(t, &w, d), row.links, "%q", row.src)
		if row.links == 0 && assert.Len(t, problems, 1, "%q", row.src) {
			assert.Equal(t, extract.CodeHeaderMalformed, problems[0].Code, "%q", row.src)
			assert.Equal(t, extract.SeverityError, problems[0].Severity, "%q", row.src)
		}
	}
}

// A batch of rnews is an error, because each of its articles may have another base.
func TestBatchOfNews(t *testing.T) {
	const article = "#! rnews 42\nPath: a\nBase: <URL:http://b/>\n\nhttp://h/x\n"
	for _, mediaType := range []string{"", "message/rfc822", "application/mbox"} {
		var problems []extract.Problem
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
		assert.Empty(t, LinkLines(t, &w, extract.Document{Type: mediaType, Bytes: []byte(article + article)}), mediaType)
		require.Len(t, problems, 1, mediaType)
		assert.Equal(t, extract.CodeHeaderMalformed, problems[0].Code)
	}
}

// A header in UTF-16 is an error, and nothing is read. Text in UTF-16 without a header is a body, and nothing is reported.
func TestHeaderInUTF16(t *testing.T) {
	inUTF16 := map[string]func(c byte) string{
		"little endian": func(c byte) string { return string([]byte{c, 0}) },
		"big endian":    func(c byte) string { return string([]byte{0, c}) },
	}
	marks := map[string]string{"little endian": "\xFF\xFE", "big endian": "\xFE\xFF"}
	const page = "Content-Type: text/html\n\n<a href=http://h/x>"
	for order, spell := range inUTF16 {
		for _, row := range []struct{ mediaType, src string }{
			{"message/rfc822", "From: a@b\n" + page},
			{"message/rfc822", "From a@b Thu Jan  1 00:00:00 2024\nFrom: a@b\n" + page},
			{"application/mbox", "From a@b Thu Jan  1 00:00:00 2024\nFrom: a@b\n" + page},
			{"message/http", "HTTP/1.1 200 OK\n" + page},
		} {
			for _, mark := range []string{"", marks[order]} {
				var problems []extract.Problem
				w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
				text := mark
				for i := range len(row.src) {
					text += spell(row.src[i])
				}
				assert.Empty(t, LinkLines(t, &w, extract.Document{Type: row.mediaType, Bytes: []byte(text)}), row.src)
				require.Len(t, problems, 1, row.src)
				assert.Equal(t, extract.CodeHeaderMalformed, problems[0].Code)
				assert.Equal(t, extract.SeverityError, problems[0].Severity)
				problems = nil
				headless := mark
				for _, c := range []byte("see http://h/x") {
					headless += spell(c)
				}
				LinkLines(t, &w, extract.Document{Type: row.mediaType, Bytes: []byte(headless)})
				assert.Empty(t, problems, row.mediaType)
			}
		}
	}
}
