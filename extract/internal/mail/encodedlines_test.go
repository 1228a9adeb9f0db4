package mail_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/internal/codec"
	. "absolink/extract/internal/extracttest"
)

// TestEncodedLines has a row for each encoding of a link. Only lines marked with * may change, and want has what they become.
func TestEncodedLines(t *testing.T) {
	for _, row := range []struct{ name, src, want string }{
		{"7bit", "Content-Type: text/html\n\n<p>one\n*<p>two <a href=x>\n<p>three", "<p>two <a href=http://h/p/x>\n"},
		{"8bit, with non-ASCII characters on the line", "Content-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n\xe9\n*\xe9<a href=x>\xe9\n\xe9", "\xe9<a href=http://h/p/x>\xe9\n"},
		{"quoted-printable, needless escapes left", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n=41=\n*=42 <a href=3Dx> =43=20\n=44 =\n\n",
			"=42 <a href=3Dhttp://h/p/x> =43=20\n"},
		{"quoted-printable, a line that gets too long", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\none\n*" + strings.Repeat("a", 60) + "<a href=3Dx>b\nthree\n",
			strings.Repeat("a", 60) + "<a href=3Dhttp:=\n//h/p/x>b\n"},
		{"quoted-printable, a link on two lines", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\none=\n*<a href=3D\"x?a=\n=26b\">\nfour=\n",
			"<a href=3D\"http://h/p/x?a=\n"},
		{"srcdoc in quoted-printable", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>=3D\n<iframe srcdoc=3D\"=\n<p>\n*<a href=3D'x?a&amp;amp;b'>=\n</p>\">\n<p>=3D\n",
			"<a href=3D'http://h/p/x?a&amp;amp;b'>=\n"},
		// "<p>one</p> <a h", "ref=x> <p>two</", "p>" and the text before it, by quanta.
		{"base64, from the first quantum on", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPHA+b25lPC9wPiA8YSBo\n*cmVmPXg+IDxwPnR3bzwv\n*cD4=\n--\n",
			"cmVmPWh0dHA6Ly9oL3Av\neD4gPHA+dHdvPC9wPg==\n"},
		{"a message in a message", "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n*List-Help: <x>\nContent-Type: text/html\n\none\n*<a href=y>\n--b--\n<a href=z>",
			"List-Help: <http://h/p/x>\n\x00<a href=http://h/p/y>\n"},
		{"a header on several lines", "*Link: <x>; rel=a,\n <http://site.example/>,\n*\t<y>; rel=b\nSubject: x\n\n", "Link: <http://h/p/x>; rel=a,\n\x00\t<http://h/p/y>; rel=b\n"},
	} {
		for _, newline := range []string{"\n", "\r\n"} {
			t.Run(row.name+" "+newline, func(t *testing.T) {
				var src, want strings.Builder
				replaced, marked := strings.Split(row.want, "\x00"), false
				for _, line := range strings.SplitAfter(row.src, "\n") {
					if line, ok := strings.CutPrefix(line, "*"); ok {
						if src.WriteString(line); !marked {
							want.WriteString(replaced[0])
							replaced = replaced[1:]
						}
						marked = true
						continue
					}
					marked = false
					src.WriteString(line)
					want.WriteString(line)
				}
				d := Message(InLines(src.String(), newline))
				d.URL = "http://h/p/"
				assert.Equal(t, InLines(want.String(), newline), onlyLinkLines(t, d))
			})
		}
	}
}

func TestMadeLines(t *testing.T) {
	for i, m := range madeMessages() {
		if i%3 != 0 {
			continue
		}
		d := Message(m.Src)
		d.URL = MadeURL
		onlyLinkLines(t, d)
		d = Mailbox(Mboxed("mboxrd", m.Newline, m.Src))
		d.URL = MadeURL
		onlyLinkLines(t, d)
	}
}

// onlyLinkLines rewrites a document, and checks that only lines with a changed link differ. In base64 all lines after such
// a line may differ as well, up to the end of the data.
func onlyLinkLines(t *testing.T, d extract.Document) string {
	src := d.Bytes
	var edits []codec.Edit
	w := Walker{Extractor: extract.Extractor{OnEdit: func(e extract.Edit) {
		offset, old, new := e.Offset, e.Old, e.New
		edits = append(edits, codec.Edit{Span: codec.Span{Start: int(offset), End: int(offset) + len(old)}, New: bytes.Clone(new)})
	}}}
	out := Rewrite(t, &w, d)
	require.Equal(t, string(codec.Apply(nil, src, edits)), out)

	changes := make([]bool, len(src)+1) // for each byte, in whole lines
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		if l.Status != extract.StatusResolved {
			return nil
		}
		start, end := l.DocumentSpan()
		from := bytes.LastIndexByte(src[:start], '\n') + 1
		to := lineEnd(src, int(end))
		for isBase64(src[from:lineEnd(src, from)]) && to < len(src) && isBase64(src[to:lineEnd(src, to)]) {
			to = lineEnd(src, to)
		}
		for i := from; i < to; i++ {
			changes[i] = true
		}
		return nil
	}))
	for _, e := range edits {
		for i := e.Start; i < e.End || i == e.Start; i++ {
			require.True(t, changes[i], "%q for %q at %d of\n%s", e.New, src[e.Start:e.End], e.Start, src)
		}
	}

	// The edits could be reported wrongly, so the texts are compared as well: the other lines are there, in their order.
	rest := out
	for i := 0; i < len(src); {
		end := i
		for end < len(src) && changes[end] == changes[i] {
			end++
		}
		if !changes[i] {
			at := strings.Index(rest, string(src[i:end]))
			if end == len(src) {
				at = strings.LastIndex(rest, string(src[i:]))
			}
			require.True(t, at == 0 || at > 0 && i > 0, "%q has gone from\n%s", src[i:end], out)
			rest = rest[at+end-i:]
		}
		i = end
	}
	require.True(t, rest == "" || changes[len(src)-1], "%q is new in\n%s", rest, out)
	return out
}

func lineEnd(src []byte, i int) int {
	if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(src)
}

func isBase64(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	for _, c := range line {
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '+' && c != '/' && c != '=' {
			return false
		}
	}
	return len(line) > 0
}

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
