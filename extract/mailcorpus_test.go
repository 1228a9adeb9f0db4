package extract_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/htmlindex"

	"absolink/extract"
	"absolink/internal/longtest"
)

// made is one message of the corpus. It declares no base.
type made struct{ name, src, newline, encoding string }

const madeURL = "http://base.example/d/m?q"

// madePages are the pages in the messages. "@" stands for a non-ASCII character of the charset. Some pages have
// lines that an mbox must quote.
var madePages = []struct{ mediaType, text string }{
	{"text/html", "<html><body><a href=\"x?a=1&amp;b=@\">a line that is long enough to be broken when it is spelled as quoted-printable</a>\n<img src='i.png'>\n<p>@@@@\n</body></html>\n"},
	{"text/html", "<p>no links, but an end = of @</p>  \n.\n\n--\n"},
	{"text/html", "<a href=x>@</a>\nFrom here 10:10\n>From <a href=y>there</a>\n\nFrom <a href=z>c@d</a> Tue Jan  2 00:00:00 2024\n>>From @\n"},
	{"text/html", "<iframe srcdoc=\"<a href='deep?&amp;amp;@'>\"></iframe>\n<img srcset=\"a 1x,\n b@ 2x\">\n<p style=\"background: url(&quot;c.png&quot;)\">\n<meta http-equiv=refresh content='0; url=r'>\n"},
	{"text/plain", "See <URL:x\n y> and http://site.example/, <URL: z >. @\n\n>From <URL:q>\n-- \nno signature\n"},
}

var madeLetters = []struct{ charset, letter string }{
	{"utf-8", "\u00e9"}, {"windows-1252", "\u00e9"}, {"iso-8859-15", "\u20ac"}, {"koi8-r", "\u0434"}, {"shift_jis", "\u304b"},
	{"iso-2022-jp", "\u304b"}, {"utf-16le", "\u65e5"},
}

// madeHeaders are the beginnings of messages. Some have links without a base.
var madeHeaders = []string{
	"Subject: =?utf-8?q?=C3=A9?=\nMIME-Version: 1.0\n",
	"Received: from a by b; Mon, 1 Jan 2024 00:00:00 +0000\nList-Help: <help> (the help),\n <mailto:help@h>\nMime-Version:1.0 (made)\n",
	"From: a@h\nLink: <l>; rel=x,\n\t<m>; rel=\"y\"\nComments: see <URL:c\n d>\nMIME-VERSION: 1.0\n",
	"Message-ID: <1@h>\nX-Mailer:\n folded\nArchived-At: <\n archive/1>\nMIME-Version: 1.0\n",
}

// madeMessages returns the corpus, which is always the same: every line end, charset, transfer encoding, page,
// depth, and kind of nesting. A plain test has only one of seven messages, and still each of these values.
var madeMessages = sync.OnceValue(func() []made {
	var all []made
	for _, newline := range []string{"\n", "\r\n"} {
		for _, c := range madeLetters {
			for _, encoding := range []string{"7bit", "8bit", "binary", "quoted-printable", "base64"} {
				if c.charset == "utf-16le" && encoding != "base64" {
					continue // its bytes are not lines
				}
				for i, page := range madePages {
					leaf := madeLeaf(page.mediaType, page.text, newline, c.charset, c.letter, encoding)
					for depth := range 5 {
						for turn, header := range madeHeaders {
							src := leaf
							for level := range depth {
								src = madeAround(level, turn, newline, src)
							}
							all = append(all, made{fmt.Sprintf("%q %s %s, page %d, depth %d, turn %d", newline, c.charset, encoding, i, depth, turn),
								inLines(header, newline) + src, newline, encoding})
						}
					}
				}
			}
		}
	}
	if longtest.On() {
		return all
	}
	var some []made
	for i := 0; i < len(all); i += 7 {
		some = append(some, all[i])
	}
	return some
})

// madeLeaf returns an entity that contains no other entities.
func madeLeaf(mediaType, text, newline, charset, letter, encoding string) string {
	if encoding == "7bit" && charset != "iso-2022-jp" {
		letter = "e"
	}
	enc, err := htmlindex.Get(charset)
	if err != nil {
		panic(err)
	}
	body, err := enc.NewEncoder().String(inLines(strings.ReplaceAll(text, "@", letter), newline))
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	switch encoding {
	case "quoted-printable":
		q := quotedprintable.NewWriter(&b)
		_, _ = io.WriteString(q, body) // a Builder returns no error
		_ = q.Close()
		body = inLines(strings.ReplaceAll(b.String(), "\r\n", "\n"), newline)
	case "base64":
		for s := base64.StdEncoding.EncodeToString([]byte(body)); s != ""; {
			n := min(len(s), 72)
			b.WriteString(s[:n] + newline)
			s = s[n:]
		}
		body = b.String()
	}
	return inLines("Content-Type: "+mediaType+"; charset=\""+charset+"\"\nContent-Transfer-Encoding: "+encoding+"\n\n", newline) + body
}

// madeAround returns an entity that contains the given entity. It uses each kind of nesting in turn.
func madeAround(level, turn int, newline, inner string) string {
	boundary := fmt.Sprintf("=_%d.%d", level, turn)
	multipart := func(kind, first, last string) string {
		return inLines("Content-Type: multipart/"+kind+";\n\tboundary=\""+boundary+"\"\n\npreamble\n--"+boundary+first+"\n--"+boundary+"\n", newline) +
			inner + inLines("\n--"+boundary+last+"\n--"+boundary+"--\nepilogue\n", newline)
	}
	switch (level + turn) % 4 {
	case 0:
		return multipart("mixed", " \t\nContent-Type: text/plain\n\ntext", "\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\nAAEC/v8=\n")
	case 1:
		return multipart("related", "\nContent-Type: image/gif\nContent-Location: (c) other.gif\nContent-ID: <i@h>\nContent-Transfer-Encoding: BASE64\n\nR0lGODlh\n", "\n\n")
	case 2:
		return inLines("Content-Type: message/rfc822\nContent-Description: forwarded\n\n"+madeHeaders[turn], newline) + inner
	default:
		return multipart("alternative", "\n\n<URL:plain>", "\nContent-Type: text/css\n\n@import \"a.css\";")
	}
}

func inLines(text, newline string) string { return strings.ReplaceAll(text, "\n", newline) }

// mboxFlavours are the flavours in which the tests write and read a mailbox.
var mboxFlavours = []struct {
	name   string
	format extract.Mbox
}{{"mboxo", extract.MboxO}, {"mboxrd", extract.MboxRD}, {"mboxcl", extract.MboxCL}, {"mboxcl2", extract.MboxCL2}}

const madeFrom = "From a@b Mon Jan  1 00:00:00 2024"

// mboxed writes messages, which end with a newline, as a mailbox of a flavour.
func mboxed(flavour, newline string, messages ...string) string {
	var b strings.Builder
	for _, m := range messages {
		header, body, _ := strings.Cut(quotedFrom(flavour, m), newline+newline)
		if strings.HasPrefix(flavour, "mboxcl") {
			header += newline + "Content-Length: " + strconv.Itoa(len(body))
		}
		b.WriteString(madeFrom + newline + header + newline + newline + body + newline)
	}
	return b.String()
}

// quotedFrom returns a message in which the lines are quoted that would be From_ lines in the flavour.
func quotedFrom(flavour, m string) string {
	lines := strings.SplitAfter(m, "\n")
	for i, line := range lines {
		from := line
		if flavour == "mboxrd" {
			from = strings.TrimLeft(line, ">")
		}
		if flavour != "mboxcl2" && strings.HasPrefix(from, "From ") {
			lines[i] = ">" + line
		}
	}
	return strings.Join(lines, "")
}

// TestMadeMessages: without a base, a message stays unchanged. With a base, a mailbox becomes the mailbox of the
// messages that are rewritten alone.
func TestMadeMessages(t *testing.T) {
	all := madeMessages()
	require.GreaterOrEqual(t, len(all), longtest.Or(800, 5000))
	var w walker
	rewritten := map[string][]string{}
	messages := map[string][]string{}
	for _, m := range all {
		require.Equal(t, m.src, rewrite(t, &w, mail(m.src)), m.name)
		d := mail(m.src)
		d.URL = madeURL
		out := rewrite(t, &w, d)
		d.Bytes = []byte(out)
		require.Equal(t, out, rewrite(t, &w, d), "%s, twice", m.name)
		d.Bytes = []byte(m.src)
		changes(t, w.Extractor, d, out)
		if m.encoding == "quoted-printable" {
			for _, line := range strings.Split(out, "\n") {
				require.LessOrEqual(t, len(strings.TrimSuffix(line, "\r")), 76, m.name)
			}
		}
		messages[m.newline], rewritten[m.newline] = append(messages[m.newline], m.src), append(rewritten[m.newline], out)
	}
	t.Logf("%d messages", len(all))

	for newline := range messages {
		for _, flavour := range mboxFlavours {
			t.Run(fmt.Sprintf("%s %q", flavour.name, newline), func(t *testing.T) {
				t.Parallel()
				src := mboxed(flavour.name, newline, messages[newline]...)
				want := mboxed(flavour.name, newline, rewritten[newline]...)
				for _, format := range []extract.Mbox{0, flavour.format} {
					w := walker{Extractor: extract.Extractor{Mbox: format}}
					assert.True(t, src == rewrite(t, &w, mailbox(src)), "without a base")
					d := mailbox(src)
					d.URL = madeURL
					assert.Equal(t, firstDifference(want, rewrite(t, &w, d)), "", "with a base")
				}
				assert.Equal(t, len(messages[newline]), countMessages(t, &walker{}, src))

				n := len(messages[newline]) / 20
				src = mboxed(flavour.name, newline, messages[newline][:n]...)
				want = mboxed(flavour.name, newline, rewritten[newline][:n]...)
				packed := gzipped(t, src)
				w := walker{Extractor: extract.Extractor{Mbox: flavour.format}}
				d := extract.Document{Name: "m.mbox.gz", Bytes: []byte(packed)}
				assert.True(t, packed == rewrite(t, &w, d), "compressed, without a change")
				d.URL = madeURL
				assert.True(t, want == gunzip(t, rewrite(t, &w, d)), "compressed again")
				d.URL, w.Unpacked = "", true
				assert.True(t, src == rewrite(t, &w, d), "unpacked")
			})
		}
	}
}

func mailbox(src string) extract.Document {
	return extract.Document{Name: "m.mbox", Bytes: []byte(src)}
}

// firstDifference returns the texts around the first difference of two long texts, or "" if they are equal.
func firstDifference(want, got string) string {
	if want == got {
		return ""
	}
	n := 0
	for n < len(want) && n < len(got) && want[n] == got[n] {
		n++
	}
	near := func(s string) string { return s[max(0, n-200):min(n+100, len(s))] }
	return fmt.Sprintf("at %d, wanted:\n%q\ngot:\n%q", n, near(want), near(got))
}

// countMessages returns the number of messages of a mailbox, without embedded messages.
func countMessages(t *testing.T, w *walker, src string) int {
	n := 0
	require.NoError(t, w.Bases(mailbox(src), func(e *extract.Entity) error {
		if e.Type == "message/rfc822" && !strings.Contains(e.Path, "/") {
			n++
		}
		return nil
	}))
	return n
}

// TestForeignMessages checks every message below a folder that ABSOLINK_MESSAGES names, such as test_email/data of
// the Debian package libpython3.11-testsuite. It reads each message alone, and in mailboxes.
func TestForeignMessages(t *testing.T) {
	root := os.Getenv("ABSOLINK_MESSAGES")
	if root == "" {
		t.Skip("ABSOLINK_MESSAGES names no folder of messages")
	}
	n := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		n++
		var w walker
		d := extract.Document{Name: path, Type: "message/rfc822", Bytes: src}
		based := hasBase(t, &w, d)
		assert.True(t, based || rewrite(t, &w, d) == string(src), path)
		d.URL = madeURL
		once := rewrite(t, &w, d)
		d.Bytes = []byte(once)
		assert.True(t, rewrite(t, &w, d) == once, "%s, twice", path)
		for _, flavour := range mboxFlavours {
			box := mboxed(flavour.name, "\n", string(src)+"\n")
			for _, w.Mbox = range []extract.Mbox{0, flavour.format} {
				assert.True(t, based || rewrite(t, &w, mailbox(box)) == box, "%s in %s", path, flavour.name)
			}
		}
		return nil
	}))
	require.NotZero(t, n)
	t.Logf("%d messages", n)
}
