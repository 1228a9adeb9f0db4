package mail_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

const (
	mboxFirst  = "From a@b Mon Jan  1 00:00:00 2024\nBase: <URL:http://b/>\nContent-Type: text/html\n\n<a href=x>\n>From here 10:10\n\nFrom here on, this is no From_ line.\n\n"
	mboxSecond = "From c@d Tue Jan  2 00:00:00 2024\nContent-Type: text/html\n\n<a href=y>\n"
)

func mboxOf(src string) extract.Document {
	return extract.Document{Name: "m.mbox", URL: "http://h/p/", Bytes: []byte(src)}
}

func TestMailbox(t *testing.T) {
	var w Walker
	var got []string
	src := mboxFirst + mboxSecond
	require.NoError(t, w.Links(mboxOf(src), func(l *extract.Link) error {
		start, end := l.DocumentSpan()
		got = append(got, fmt.Sprint(l.Entity.Path, " ", string(l.URL), " ", src[start:end]))
		return nil
	}))
	assert.Equal(t, []string{"message[1]/part[1] http://b/x x", "message[2]/part[1] http://h/p/y y"}, got)
	want := strings.Replace(strings.Replace(src, "=x", "=http://b/x", 1), "=y", "=http://h/p/y", 1)
	assert.Equal(t, want, Rewrite(t, &w, mboxOf(src)))
	for _, newline := range []string{"\n", "\r\n"} {
		for _, src := range []string{src, src[:len(src)-1], mboxSecond, "From ", mboxFirst + "no message", "", "\n\n" + mboxFirst} {
			d := mboxOf(strings.ReplaceAll(src, "\n", newline))
			d.Bytes = bytes.ReplaceAll(d.Bytes, []byte("http://b/"), nil)
			d.URL = ""
			require.Equal(t, string(d.Bytes), Rewrite(t, &w, d), "nothing changes without a base")
		}
	}
	d := mboxOf(src)
	d.Bytes, d.Reader = nil, iotest.OneByteReader(strings.NewReader(src))
	assert.Equal(t, want, Rewrite(t, &w, d), "as a stream")
}

// A correct Content-Length is updated. A wrong one stays unchanged.
func TestMboxLength(t *testing.T) {
	const entry = "From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\nContent-Length: %d\n\n<a href=%s>\n\n"
	var w Walker
	assert.Equal(t, fmt.Sprintf(entry, 22, "http://h/p/x"), Rewrite(t, &w, mboxOf(fmt.Sprintf(entry, 11, "x"))))
	assert.Equal(t, fmt.Sprintf(entry, 5, "http://h/p/x"), Rewrite(t, &w, mboxOf(fmt.Sprintf(entry, 5, "x"))))
	assert.Equal(t, fmt.Sprintf(entry, 999, "http://h/p/x"), Rewrite(t, &w, mboxOf(fmt.Sprintf(entry, 999, "x"))))
}

// Only a small part of a message much longer than the limit is ever in memory.
func TestMboxPieces(t *testing.T) {
	const from, limit, most = "From a@b Mon Jan  1 00:00:00 2024\n", 1000, 256 << 10
	long := strings.Repeat("text ", 1<<20)
	lines := strings.Repeat("a line\n", 1<<19)
	for name, message := range map[string]string{
		"a line of the body": from + "Content-Type: text/html\n\n" + long + "\n\n", "lines of the body": from + "Content-Type: text/html\n\n" + lines + "\n",
		"the From_ line": "From 1:11 " + long + "\n\n", "a field": from + "Subject: " + long + "\n\nx\n\n", "the header": from + strings.Repeat("A: b\n", 1<<19) + "\nx\n\n",
		"a body with its length": from + fmt.Sprintf("Content-Length: %d\n\n", len(long)) + long + "\n\n",
	} {
		src := message + mboxSecond
		d := extract.Document{Name: "m.mbox", Reader: strings.NewReader(src)}
		var w Walker
		w.MaxRecord = limit
		in, err := w.Open(d, nil)
		require.NoError(t, err)
		var all []byte
		var rec extract.Record
		for rec, err = range in.Records() {
			require.NoError(t, err)
			require.Less(t, len(rec.Bytes), most, name)
			require.Equal(t, int64(len(all)), rec.Offset, name)
			all = append(all, rec.Bytes...)
		}
		require.True(t, src == string(all), name)
		assert.Equal(t, mboxSecond, string(rec.Bytes), "%s: the next message is whole", name)
		assert.NotEmpty(t, rec.Type, name)
	}
}

func FuzzMbox(f *testing.F) {
	f.Add([]byte(mboxFirst+mboxSecond), 100)
	f.Add([]byte("From x 1:11\n\nFrom y 2:22\n"), 10)
	f.Add([]byte("\x01\x01\x01\x01\nA: b\n\n<URL:x>\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nA: b\n\n<URL:y>\n\x01\x01\x01\x01\n"), 99)
	f.Add([]byte("From -1\nA: b\n\n<URL:x>\nFrom a@b 1673971200\n>From c\n\n<URL:y>"), 99)
	f.Add([]byte("From \nA: b\n\n<URL:x>\nFrom -\nA: b\n c\nB: <URL:z>\n\n<URL:y>"), 99)
	f.Fuzz(func(t *testing.T, src []byte, limit int) { Fuzzed(t, "application/mbox", src, limit) })
}

// TestMboxGuard removes a BASE element where that could turn text into a separator of messages, or a From_ line into one that
// starts a message.
func TestMboxGuard(t *testing.T) {
	const base, dated, bare, number = "<base href=/>", "From a@b Mon Jan  1 00:00:00 2024\n", "From \n", "From -12\n"
	const head = "Subject: x\nContent-Type: text/html\n\n<p>\n"
	for _, row := range []struct {
		name, src string
		refused   bool
	}{
		{"the line before is empty", dated + head + base + "\nFrom a@b\nA: 1\n", true},
		{"the line before is empty, CRLF", dated + head + base + "\r\nFrom \r\n", true},
		{"the line before is not empty", dated + head + base + " \nFrom a@b\nA: 1\n", false},
		{"the line before is empty, and no field follows", dated + head + base + "\nFrom a@b\nA\n", false},
		{"a field follows", dated + head + dated + base + "A: 1\n", true},
		{"a field follows a number", number + head + number + base + "A: 1\n", true},
		{"a field follows a number, in another mbox", dated + head + number + base + "A: 1\n", false},
		{"the second field follows", bare + head + bare + "A: 1\n 2\n" + base + "B: 2\n", true},
		{"only one field follows", bare + head + bare + base + "B: 2\n", false},
		{"it is no field", dated + head + dated + base + "A 1\n", false},
		{"a line of four ^A", "\x01\x01\x01\x01\n" + head + "\x01" + base + "\x01\x01\x01\nb\n", true},
		{"a line of four ^A, at its start", "\x01\x01\x01\x01\n" + head + base + "\x01\x01\x01\x01\nb\n", true},
		{"a line of three ^A", "\x01\x01\x01\x01\n" + head + base + "\x01\x01\x01\nb\n", false},
		{"a From_ line in MMDF", "\x01\x01\x01\x01\n" + head + base + "\n" + dated + "A: 1\n", false},
		{"the line starts a message already", dated + head + dated + "A: 1\n" + head + base + "B: 2\n", false},
	} {
		w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove}}
		want := row.src
		if !row.refused {
			want = strings.Replace(want, base, "", 1)
		}
		assert.Equal(t, want, Rewrite(t, &w, mboxOf(row.src)), row.name)
	}
}

// TestMboxFlavours has a row for each way to separate messages, by a detected flavour and by a given one.
func TestMboxFlavours(t *testing.T) {
	const from = "From a@b Mon Jan  1 00:00:00 2024\n"
	html := func(length int, body string) string {
		head := "Content-Type: text/html\n"
		if length >= 0 {
			head += fmt.Sprintf("Content-Length: %d\n", length)
		}
		return from + head + "\n" + body
	}
	const inner = "<a href=x>\n\nFrom c@d Tue Jan  2 00:00:00 2024\n<a href=y>\n"
	const quoted = "<a href=x>\n\n>From c@d Tue Jan  2 00:00:00 2024\n>>From <a href=y>\n"
	for _, row := range []struct {
		name, src string
		flavour   extract.Mbox
		messages  int
		text      string // the end of the part of the first message
	}{
		{"mboxcl2: a right length beats a From_ line", html(len(inner), inner) + "\n" + html(-1, "z\n"), 0, 2, "\nFrom c@d Tue Jan  2 00:00:00 2024\n<a href=y>\n\n"},
		{"mboxcl2, given", html(len(inner), inner) + "\n" + html(-1, "z\n"), extract.MboxCL2, 2, "\nFrom c@d Tue Jan  2 00:00:00 2024\n<a href=y>\n\n"},
		{"a wrong length is ignored", html(len(inner)-3, inner), 0, 2, "<a href=x>\n\n"},
		{"a right length at the end of the file", html(len(inner), inner), 0, 1, "\nFrom c@d Tue Jan  2 00:00:00 2024\n<a href=y>\n"},
		{"a length that ends at another line is ignored", html(2, "a\nb\n\n") + html(-1, "z\n"), 0, 2, "a\nb\n\n"},
		{"a number in another field is ignored", strings.Replace(html(-1, "<a href=x>\nFrom c@d Tue Jan  2 00:00:00 2024\n"), "Content", "Lines: 11\nContent", 1), 0, 1, "<a href=x>\nFrom c@d Tue Jan  2 00:00:00 2024\n"},
		{"duplicate length: first wins", strings.Replace(html(len(inner), inner), "Content-Length", "Content-Length: 11\nContent-Length", 1), 0, 2, "<a href=x>\n\n"},
		{"duplicate length: first wins, if it is correct", strings.Replace(html(11, inner), "Content-Length", fmt.Sprintf("Content-Length: %d\nContent-Length", len(inner)), 1), 0, 1, "\nFrom c@d Tue Jan  2 00:00:00 2024\n<a href=y>\n"},
		{"a length longer than the file is ignored", html(1<<30, inner), 0, 2, "<a href=x>\n\n"},
		{"mboxo ignores lengths", html(len(inner), inner), extract.MboxO, 2, "<a href=x>\n\n"},
		{"mboxrd removes one \">\"", html(-1, quoted), 0, 1, "\nFrom c@d Tue Jan  2 00:00:00 2024\n>From <a href=y>\n"},
		{"mboxo removes \">\" only before From", html(-1, quoted), extract.MboxO, 1, "\nFrom c@d Tue Jan  2 00:00:00 2024\n>>From <a href=y>\n"},
		{"mboxcl: a length over quoted text", html(len(quoted), quoted), extract.MboxCL, 1, "\nFrom c@d Tue Jan  2 00:00:00 2024\n>>From <a href=y>\n"},
		{"mboxcl2 quotes nothing", html(len(quoted), quoted), extract.MboxCL2, 1, quoted[10:]},
		{"no empty line before the next message, but a length", html(11, "<a href=x>\n") + html(-1, ""), 0, 2, "<a href=x>\n"},
		{"From_ lines without a date, as of Thunderbird", "From \nContent-Type: text/html\n\n<a href=x>\n\nFrom - \n\nFrom -x\n\nFrom here\n\nFrom\n\nFrom \n\nz\n", 0, 3, "<a href=x>\n\n"},
		{"the file ends without a newline", html(10, "<a href=x>"), 0, 1, "<a href=x>"},
	} {
		for _, newline := range []string{"\n", "\r\n"} {
			t.Run(fmt.Sprintf("%s %q", row.name, newline), func(t *testing.T) {
				src := row.src
				if newline == "\r\n" {
					if strings.Contains(src, "Content-Length") {
						t.Skip("its lengths count LF")
					}
					src = strings.ReplaceAll(src, "\n", newline)
				}
				w := Walker{Extractor: extract.Extractor{Mbox: row.flavour}}
				var texts []string
				require.NoError(t, w.Bases(mboxOf(src), func(e *extract.Entity) error {
					if e.Type == "text/html" {
						texts = append(texts, string(e.Bytes))
					}
					return nil
				}))
				messages := 0
				require.NoError(t, w.Bases(mboxOf(src), func(e *extract.Entity) error {
					if e.Type == "message/rfc822" {
						messages++
					}
					return nil
				}))
				assert.Equal(t, row.messages, messages)
				assert.Equal(t, strings.ReplaceAll(row.text, "\n", newline), texts[0][max(0, len(texts[0])-len(strings.ReplaceAll(row.text, "\n", newline))):])

				out := Rewrite(t, &w, mboxOf(src))
				again := 0
				require.NoError(t, w.Bases(mboxOf(out), func(e *extract.Entity) error {
					if e.Type == "message/rfc822" {
						again++
					}
					return nil
				}))
				assert.Equal(t, messages, again, "the same messages after a rewriting")
				assert.Equal(t, out, Rewrite(t, &w, mboxOf(out)))
			})
		}
	}
}

// A compressed mbox is read and written through its compression.
func TestMboxPacked(t *testing.T) {
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	gz.Name, gz.Comment = "inbox.mbox", "kept"
	_, err := gz.Write([]byte(mboxSecond))
	require.NoError(t, err)
	require.NoError(t, gz.Close())
	d := extract.Document{Name: "inbox.mbox.gz", Bytes: b.Bytes()}
	var w Walker
	assert.Equal(t, mboxSecond, Gunzip(t, Rewrite(t, &w, d)))

	d.URL = "http://h/p/"
	var edits []int64
	w.OnEdit = func(e extract.Edit) { edits = append(edits, e.Offset) }
	out := Rewrite(t, &w, d)
	assert.Equal(t, []int64{int64(strings.Index(mboxSecond, "=y") + 1)}, edits)
	unpacked, err := gzip.NewReader(strings.NewReader(out))
	require.NoError(t, err)
	assert.Equal(t, gz.Header, unpacked.Header)
	text, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	assert.Equal(t, strings.Replace(mboxSecond, "=y", "=http://h/p/y", 1), string(text))

	var problems []extract.Code
	w = Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
	d.Bytes = b.Bytes()[:b.Len()-4]
	links := 0
	require.NoError(t, w.Links(d, func(*extract.Link) error { links++; return nil }))
	assert.Equal(t, 1, links, "the readable part is read")
	assert.Equal(t, []extract.Code{extract.CodeUndecodable}, problems)
	d.URL = "http://h/"
	require.ErrorContains(t, w.Rewrite(io.Discard, d), "gzip: unexpected EOF", "the unreadable part would be lost")
}

// A correct Content-Length or Lines is updated. In an mbox the length includes the ">" of a quoted line.
func TestMessageCounts(t *testing.T) {
	for _, row := range []struct{ name, src, want string }{
		{"Lines", "Lines: 2\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("a", 60) + "<a href=3Dx>\n<p>\n",
			"Lines: 3\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("a", 60) + "<a href=3Dhttp:=\n//h/p/x>\n<p>\n"},
		{"wrong Lines", "Lines: 7\nContent-Type: text/html\n\n<a href=x>\n", "Lines: 7\nContent-Type: text/html\n\n<a href=http://h/p/x>\n"},
		{"Content-Length", "Content-Length: 11\nContent-Type: text/html\n\n<a href=x>\n", "Content-Length: 22\nContent-Type: text/html\n\n<a href=http://h/p/x>\n"},
		{"header links do not count", "Content-Length: 2\nList-Help: <x>\n\nx\n", "Content-Length: 2\nList-Help: <http://h/p/x>\n\nx\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := Message(row.src)
			d.URL = "http://h/p/"
			var w Walker
			assert.Equal(t, row.want, Rewrite(t, &w, d))
		})
	}
	const quoted = "From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\nContent-Length: %d\n\n>From <a href=%s>\n"
	var w Walker
	assert.Equal(t, fmt.Sprintf(quoted, 28, "http://h/p/x"), Rewrite(t, &w, mboxOf(fmt.Sprintf(quoted, 17, "x"))))
}
