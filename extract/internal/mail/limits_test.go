package mail_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

// A part that is nested too deep is reported at its offset, and stays unchanged.
func TestMailLimits(t *testing.T) {
	const n = 10_000
	for _, row := range []struct {
		name, each, last string
		problem          extract.Problem
		unread           int // the offset of the part that is not read
	}{
		{"multiparts", "Content-Type: multipart/mixed; boundary=b%d\nLink: <l>\n\n--b%d\n", "\n<URL:x>",
			extract.Problem{Document: "m.eml", Code: extract.CodeDepthLimit, Setting: "MaxDepth", Detail: "skipped: the multipart is nested more than 64 levels deep"}, 65},
		{"messages", "Content-Type: message/rfc822\nLink: <l>\n\n", "\n<URL:x>",
			extract.Problem{Document: "m.eml", Entity: strings.TrimSuffix(strings.Repeat("part[1]/", 64), "/"), Code: extract.CodeDepthLimit, Setting: "MaxDepth", Detail: "more than 64 nested documents; deeper documents are not read"}, 65},
	} {
		t.Run(row.name, func(t *testing.T) {
			nested := func(levels int) string {
				var b strings.Builder
				for i := range levels {
					b.WriteString(strings.ReplaceAll(row.each, "%d", fmt.Sprint(i)))
				}
				return b.String()
			}
			src := nested(n) + row.last
			var deep []extract.Problem
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) {
				if p.Code == extract.CodeDepthLimit {
					deep = append(deep, p)
				}
			}}}
			d := Message(src)
			d.URL = MadeURL
			out := Rewrite(t, &w, d)
			level := func(i int) int {
				return len(strings.TrimSuffix(nested(i), "--b"+fmt.Sprint(i-1)+"\n"))
			}
			row.problem.Offset, row.problem.Severity = level(row.unread), extract.SeverityError
			if row.problem.Entity != "" {
				row.problem.Offset -= level(row.unread - 1) // in the innermost message that was read
			}
			require.Equal(t, []extract.Problem{row.problem}, deep)
			link := "Link: <http://base.example/d/l>"
			assert.Equal(t, row.unread, strings.Count(out, link))
			assert.Equal(t, src, strings.ReplaceAll(out, link, "Link: <l>"), "deeper parts stay unchanged")
		})
	}
}

// A long header must not cost memory in proportion, except for a URL, which is kept. Without the long tests the headers
// are shorter, and the memory is not compared.
func TestHostileHeaders(t *testing.T) {
	const long = 20 << 20
	size := longtest.Or(1<<18, long)
	for _, row := range []struct {
		name, head, each string
		most             uint64
	}{
		{"one field", "Subject: ", "x", 1 << 20},
		{"one folded field", "Subject: x", "\n x", 1 << 20},
		{"fields", "", "a:\n", 64 << 20},
		{"fields without links", "", "Link:\n", 160 << 20},
		{"no fields", "", "x\n", 1 << 20},
		{"blanks", "A: b\n", " \n", 1 << 20},
		{"one URL", "Content-Location: ", "x", 8 * long},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := []byte(row.head + strings.Repeat(row.each, size/len(row.each)))
			var before, after runtime.MemStats
			var w Walker
			var out bytes.Buffer
			out.Grow(len(src))
			runtime.ReadMemStats(&before)
			require.NoError(t, w.Rewrite(&out, extract.Document{Type: "message/rfc822", Bytes: src}))
			require.NoError(t, w.Bases(extract.Document{Type: "message/rfc822", Bytes: src}, func(*extract.Entity) error { return nil }))
			runtime.ReadMemStats(&after)
			allocated := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d KB for %d KB", allocated>>10, len(src)>>10)
			assert.True(t, bytes.Equal(src, out.Bytes()), "nothing changes")
			if longtest.On() {
				assert.Less(t, allocated, row.most)
			}
		})
	}
}

// TestMailPrefixes reads a truncated message alone, in an mbox, and as the body of a response.
func TestMailPrefixes(t *testing.T) {
	rich, err := os.ReadFile("../../../testdata/message/rich.eml") // it has every kind of content
	require.NoError(t, err)
	for _, newline := range []string{"\n", "\r\n"} {
		src := InLines(string(rich), newline)
		var w Walker
		for n := 0; n <= len(src); n += longtest.Or(16, 1) {
			Unharmed(t, &w, Message(src[:n]))
			if n%8 == 0 {
				Unharmed(t, &w, Mailbox(MadeFrom+newline+src[:n]))
				Unharmed(t, &w, extract.Document{Type: "message/http", Bytes: []byte("HTTP/1.1 200 OK" + newline + src[:n])})
			}
		}
	}
}

// Neither the number of fields that declare the type or the encoding of a body nor the number of edits beside a boundary
// makes the time more than linear.
func TestDeclarationsLinear(t *testing.T) {
	for name, row := range map[string]struct{ head, field, body string }{
		"types":     {"", "Content-Type: multipart/mixed; boundary=c", "--b\n"},
		"encodings": {"Content-Type: text/html\n", "Content-Transfer-Encoding: quoted-printable;", "=4\n="},
		"edits":     {"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n", "", "<a href=x>"},
	} {
		longtest.Linear(t, name, 1<<14, func(n int) func() {
			src := row.head
			for i := 0; i < n && row.field != ""; i++ {
				src += row.field + strconv.Itoa(i) + "\n"
			}
			d := extract.Document{Type: "message/rfc822", URL: "http://h/--b--/", Bytes: []byte(src + "\n" + strings.Repeat(row.body, n))}
			var w Walker
			return func() { assert.NoError(t, w.Rewrite(io.Discard, d)) }
		})
	}
}

// A long boundary with many edits, or with many places that look like it, takes linear time. A boundary longer than a line
// of mail may be (RFC 5322 2.1.1) is not read.
func TestBoundaryLinear(t *testing.T) {
	for name, row := range map[string]struct{ boundary, body string }{
		"edits":  {"x-", "<a href=x>"},
		"dashes": {"--", "----"},
	} {
		message := func(n, bodies int) extract.Document {
			boundary := strings.Repeat(row.boundary, n)
			return Message("Content-Base: http://b/\nContent-Type: multipart/mixed; boundary=\"" + boundary + "\"\n\n--" + boundary +
				"\nContent-Type: text/html\n\n<a href=y>" + strings.Repeat(row.body, bodies) + "\n--" + boundary + "--\n")
		}
		longtest.Linear(t, name, 1<<16, func(n int) func() {
			d := message(n, n)
			var w Walker
			return func() { assert.NoError(t, w.Rewrite(io.Discard, d)) }
		})
		for n, want := range map[int]int{499: 1, 500: 0} {
			var w Walker
			assert.Equal(t, want, strings.Count(Rewrite(t, &w, message(n, 0)), "http://b/y"), "%s: a boundary of %d bytes", name, 2*n)
		}
	}
}

// Of very many parts, links find only the first by their Content-IDs.
func TestManyContentIDs(t *testing.T) {
	const most = 1 << 16
	src := fmt.Appendf(nil, "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n"+
		"<img src=cid:0><img src=cid:%d><img src=cid:%d>\n", most-1, most)
	for n := range most + 2 {
		src = fmt.Appendf(src, "--b\nContent-ID: <%d>\n\n", n)
	}
	var parts, problems []string
	x := extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, fmt.Sprint(p.Severity, " ", p.Code)) }}
	for l, err := range x.Links(t.Context(), Message(string(src)+"--b--\n")) {
		require.NoError(t, err)
		parts = append(parts, l.Part)
	}
	assert.Equal(t, []string{"part[2]", fmt.Sprintf("part[%d]", most+1), ""}, parts)
	assert.Equal(t, []string{"warning link-limit"}, problems)
}
