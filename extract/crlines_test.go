package extract_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// inCR returns a text with CR in place of LF.
func inCR(text string) string { return strings.ReplaceAll(text, "\n", "\r") }

// TestMessageInCR rewrites the corpus with CR as the only line ends. The result is that of the messages with LF, with the same
// line ends. A warning names the line ends.
func TestMessageInCR(t *testing.T) {
	var problems []extract.Problem
	w := walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
	read := 0
	for i, m := range madeMessages() {
		if i%11 > 0 || m.newline != "\n" || strings.Contains(m.src, "\r") {
			continue
		}
		read++
		d := mail(m.src)
		d.URL = madeURL
		problems = nil
		want, links := rewrite(t, &w, d), linkLines(t, &w, d)
		known := len(problems)
		d.Bytes, problems = []byte(inCR(m.src)), nil
		require.Equal(t, inCR(want), rewrite(t, &w, d), m.name)
		require.Equal(t, links, linkLines(t, &w, d), m.name)
		require.Greater(t, len(problems), known, m.name)
	}
	require.Greater(t, read, 30)

	problems = nil
	d := mail("Subject: a\rb\r\rc\nContent-Type: text/html\n\n<a href=http://h/>")
	assert.Equal(t, []string{"http://h/"}, targetsOf(linksOf(t, &w, d)), "a stray CR is no line end")
	assert.Empty(t, problems)
	d = mail("Content-Type: text/html\rSubject: a\r\r<a\nhref=x>\r<a href=y>\r\n")
	d.URL = "http://h/"
	assert.Equal(t, "Content-Type: text/html\rSubject: a\r\r<a\nhref=http://h/x>\r<a href=http://h/y>\r\n", rewrite(t, &w, d), "an LF in the body")
	require.Len(t, problems, 1)
	assert.Equal(t, extract.CodeHeaderMalformed, problems[0].Code)
	assert.Equal(t, extract.SeverityWarning, problems[0].Severity)
}

// TestMboxInCR is TestMessageInCR for mboxes of each flavour, in memory and as a stream.
func TestMboxInCR(t *testing.T) {
	var messages []string
	for i, m := range madeMessages() {
		if i%31 == 0 && m.newline == "\n" && !strings.Contains(m.src, "\r") {
			messages = append(messages, m.src)
		}
	}
	require.Greater(t, len(messages), 10)
	for _, flavour := range mboxFlavours {
		for _, format := range []extract.Mbox{0, flavour.format} {
			w := walker{Extractor: extract.Extractor{Mbox: format}}
			text := mboxed(flavour.name, "\n", messages...)
			d := extract.Document{Name: "in", URL: madeURL, Bytes: []byte(text)}
			want, links := rewrite(t, &w, d), linkLines(t, &w, d)
			require.NotEqual(t, text, want)
			d.Bytes = []byte(inCR(text))
			require.Empty(t, firstDifference(inCR(want), rewrite(t, &w, d)), flavour.name)
			require.Equal(t, links, linkLines(t, &w, d), flavour.name)
			d.Bytes, d.Reader = nil, iotest.HalfReader(strings.NewReader(inCR(text)))
			require.Empty(t, firstDifference(inCR(want), rewrite(t, &w, d)), flavour.name)

			d.Reader = strings.NewReader(inCR(text))
			in, err := w.Open(d, nil)
			require.NoError(t, err)
			var all []byte
			for rec, err := range in.RecordsIn(func(n int) []byte { return make([]byte, n) }) {
				require.NoError(t, err)
				all = append(all, rec.Bytes...)
			}
			require.Equal(t, inCR(text), string(all), flavour.name)
		}
	}
}

// TestHeaderInUTF16 reads messages, mailboxes and responses in UTF-16. The header is an error, and nothing is read. A text in UTF-16
// without a header is the body.
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
				w := walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
				text := mark
				for i := range len(row.src) {
					text += spell(row.src[i])
				}
				assert.Empty(t, linkLines(t, &w, extract.Document{Type: row.mediaType, Bytes: []byte(text)}), row.src)
				require.Len(t, problems, 1, row.src)
				assert.Equal(t, extract.CodeHeaderMalformed, problems[0].Code)
				assert.Equal(t, extract.SeverityError, problems[0].Severity)
				problems = nil
				headless := mark
				for _, c := range []byte("see http://h/x") {
					headless += spell(c)
				}
				linkLines(t, &w, extract.Document{Type: row.mediaType, Bytes: []byte(headless)})
				assert.Empty(t, problems, row.mediaType)
			}
		}
	}
}
