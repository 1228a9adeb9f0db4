package mail_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

func inCR(text string) string { return strings.ReplaceAll(text, "\n", "\r") }

// A message whose lines end in CR is rewritten like the same message with LF, keeps its line ends, and is reported.
func TestMessageInCR(t *testing.T) {
	var problems []extract.Problem
	w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
	read := 0
	for i, m := range madeMessages() {
		if i%11 > 0 || m.Newline != "\n" || strings.Contains(m.Src, "\r") {
			continue
		}
		read++
		d := Message(m.Src)
		d.URL = MadeURL
		problems = nil
		want, links := Rewrite(t, &w, d), LinkLines(t, &w, d)
		known := len(problems)
		d.Bytes, problems = []byte(inCR(m.Src)), nil
		require.Equal(t, inCR(want), Rewrite(t, &w, d), m.Name)
		require.Equal(t, links, LinkLines(t, &w, d), m.Name)
		require.Greater(t, len(problems), known, m.Name)
	}
	require.Greater(t, read, 30)

	problems = nil
	d := Message("Subject: a\rb\r\rc\nContent-Type: text/html\n\n<a href=http://h/>")
	assert.Equal(t, []string{"http://h/"}, targetsOf(linksOf(t, &w, d)), "a stray CR is no line end")
	assert.Empty(t, problems)
	d = Message("Content-Type: text/html\rSubject: a\r\r<a\nhref=x>\r<a href=y>\r\n")
	d.URL = "http://h/"
	assert.Equal(t, "Content-Type: text/html\rSubject: a\r\r<a\nhref=http://h/x>\r<a href=http://h/y>\r\n", Rewrite(t, &w, d), "an LF in the body")
	require.Len(t, problems, 1)
	assert.Equal(t, extract.CodeHeaderMalformed, problems[0].Code)
	assert.Equal(t, extract.SeverityWarning, problems[0].Severity)
}

// TestMboxInCR is TestMessageInCR for mboxes of each flavour, in memory and as a stream.
func TestMboxInCR(t *testing.T) {
	var messages []string
	for i, m := range madeMessages() {
		if i%31 == 0 && m.Newline == "\n" && !strings.Contains(m.Src, "\r") {
			messages = append(messages, m.Src)
		}
	}
	require.Greater(t, len(messages), 10)
	for _, flavour := range MboxFlavours {
		for _, format := range []extract.Mbox{0, flavour.Format} {
			w := Walker{Extractor: extract.Extractor{Mbox: format}}
			text := Mboxed(flavour.Name, "\n", messages...)
			d := extract.Document{Name: "in", URL: MadeURL, Bytes: []byte(text)}
			want, links := Rewrite(t, &w, d), LinkLines(t, &w, d)
			require.NotEqual(t, text, want)
			d.Bytes = []byte(inCR(text))
			require.Empty(t, FirstDifference(inCR(want), Rewrite(t, &w, d)), flavour.Name)
			require.Equal(t, links, LinkLines(t, &w, d), flavour.Name)
			d.Bytes, d.Reader = nil, iotest.HalfReader(strings.NewReader(inCR(text)))
			require.Empty(t, FirstDifference(inCR(want), Rewrite(t, &w, d)), flavour.Name)

			d.Reader = strings.NewReader(inCR(text))
			in, err := w.Open(d, nil)
			require.NoError(t, err)
			var all []byte
			for rec, err := range in.Records() {
				require.NoError(t, err)
				all = append(all, rec.Bytes...)
			}
			require.Equal(t, inCR(text), string(all), flavour.Name)
		}
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
