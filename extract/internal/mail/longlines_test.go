package mail_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// An edit that makes a line longer than 998 bytes (RFC 5322 2.1.1) is made and reported. Nothing is reported if the line was
// too long before, or if its length does not matter to a mail server, because the body is encoded or binary.
func TestLongLines(t *testing.T) {
	const more = len("http://h/p/") // how much each link grows
	fill := func(line string, length int) string {
		return strings.Replace(line, "~", strings.Repeat("~", length-len(line)+1), 1)
	}
	link, text := "<a title=~ href=x>", "Content-Type: text/html\n\n"
	long := fill(link, 998)
	part := func(encoding, body string) string {
		return "Content-Type: text/html\nContent-Transfer-Encoding: " + encoding + "\n\n" + body
	}
	const inner = "Content-Type: message/rfc822\nContent-Transfer-Encoding: %s\n\n"
	for _, row := range []struct {
		name, mediaType, src string
		at                   []string // the first link of each line that is reported
	}{
		{"998 bytes", "", text + fill(link, 998-more), nil},
		{"998 bytes and CRLF", "", InLines(text+fill(link, 998-more)+"\n", "\r\n"), nil},
		{"999 bytes", "", text + fill(link, 999-more), []string{"x"}},
		{"999 bytes and CRLF", "", InLines(text+fill(link, 999-more)+"\n", "\r\n"), []string{"x"}},
		{"too long before", "", text + fill(link, 999), nil},
		{"two links in one line", "", text + "<a href=y>" + fill(link, 998-10), []string{"y"}},
		{"two links that fit alone", "", text + "<a href=y>" + fill(link, 998-10-2*more+1), []string{"y"}},
		{"three lines", "", text + long + "\n<a href=y>\n" + strings.Replace(long, "=x", "=z", 1) + "\n", []string{"x", "z"}},
		{"a line without a link", "", text + "<a href=x>\n" + fill("~", 999), nil},
		{"7bit", "", part("7bit", long), []string{"x"}},
		{"8bit", "", part("8bit", long), []string{"x"}},
		{"binary", "", part("binary", long), nil},
		{"quoted-printable", "", part("quoted-printable", strings.ReplaceAll(long, "=", "=3D")), nil},
		{"base64", "", part("base64", base64.StdEncoding.EncodeToString([]byte(long))), nil},
		{"a header field", "", fill("List-Help: <x> (~)", 998) + "\n\n", []string{"x"}},
		{"folds of a header field", "", "List-Help: <x>\n" + fill(" (~)", 900) + "\n" + fill(" (~)", 900) + "\n\n", nil},
		{"a fold of a header field", "", "List-Help:\n" + fill(" <x> (~)", 998) + "\n\n", []string{"x"}},
		{"parts", "", "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + part("binary", long) + "\n--b\n" + fill("List-Help: <y> (~)", 998) + "\n" + part("8bit", strings.Replace(long, "=x", "=z", 1)) + "\n--b--\n",
			[]string{"y", "z"}},
		{"a message in a message", "", fmt.Sprintf(inner, "8bit") + part("8bit", long), []string{"x"}},
		{"a message in base64", "", fmt.Sprintf(inner, "base64") + base64.StdEncoding.EncodeToString([]byte(fmt.Sprintf(inner, "8bit")+part("8bit", long))), nil},
		{"a message of an mbox", "application/mbox", "From a@b Mon Jan  1 00:00:00 2024\n" + text + long + "\n", []string{"x"}},
		{"a file of Apple Mail", "message/x-emlx", fmt.Sprintf("%d\n", len(text+long)) + text + long, []string{"x"}},
		{"a response", "message/http", "HTTP/1.1 200 OK\n" + text + long, nil},
		{"an edit that is not made", "", "Content-Type: multipart/signed; boundary=b\n\n--b\n" + part("7bit", long) + "\n--b--\n", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			var at []string
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) {
				if p.Code != extract.CodeLineTooLong {
					return
				}
				message := row.src
				if p.Entity != "" { // its first line is that of an mbox or of Apple Mail
					_, message, _ = strings.Cut(message, "\n")
				}
				at = append(at, message[p.Offset:p.Offset+1])
				assert.Equal(t, extract.SeverityWarning, p.Severity)
			}}}
			d := Message(row.src)
			d.URL = "http://h/p/"
			if row.mediaType != "" {
				d.Type = row.mediaType
			}
			assert.NoError(t, w.Links(d, func(*extract.Link) error { return nil }))
			assert.Empty(t, at, "the message is only read")
			Rewrite(t, &w, d)
			assert.Equal(t, row.at, at)
		})
	}
}
