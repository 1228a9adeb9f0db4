package extract_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/lineartest"
	"absolink/internal/longtest"
)

// hostileText is a text with a head, a piece that is repeated many times, and a tail. The verb %d in the piece is
// the number of the repetition.
type hostileText struct {
	name, head, each, tail string
	size                   int // the number of repetitions for about a megabyte
}

func (h hostileText) of(size int) string {
	if !strings.Contains(h.each, "%d") {
		return h.head + strings.Repeat(h.each, size) + h.tail
	}
	var b strings.Builder
	b.WriteString(h.head)
	for n := range size {
		b.WriteString(strings.ReplaceAll(h.each, "%d", fmt.Sprint(n)))
	}
	return b.String() + h.tail
}

const (
	widest  = "0123456789012345678901234567890123456789012345678901234567890123456789" // RFC 2046 5.1.1: 70 at most
	pgp     = "-----BEGIN PGP SIGNED MESSAGE-----\n"
	pgpSign = "-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n"
)

// hostileMail are messages that make parsers slow.
var hostileMail = []hostileText{
	{"nested multiparts", "", "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", "", 18_000},
	{"nested multiparts with one boundary", "", Mixed + "--b\n", "", 20_000},
	{"empty parts", Mixed, "--b\n\n", "", 200_000},
	{"only boundaries", Mixed, "--b\n", "", 250_000},
	{"parts with bases", Mixed, "--b\nContent-Base: <x/>\n\n<URL:y>\n", "", 30_000},
	{"siblings", strings.Replace(Mixed, "mixed", "related", 1), "--b\nContent-Location: %d.gif\nContent-Type: text/html\n\n<img src=%d.gif>\n", "--b--\n", 14_000},
	{"siblings that get a URL from a reference", strings.Replace(Mixed, "mixed", "related", 1), "--b\nContent-Location: %d.gif\n\n", "--b\nContent-Type: text/html\n\n<base href='http://b/'><img src=0.gif><img src=1.gif>\n--b--\n", 30_000},
	{"frames of a snapshot", "Snapshot-Content-Location: http://h/\n" + strings.Replace(Mixed, "mixed", "related", 1), "--b\nContent-ID: <%d>\nContent-Type: text/html\n\n<base href=%d/><iframe src=cid:1></iframe><iframe src=cid:%d0></iframe>\n", "--b--\n", 7_000},
	{"nested siblings", "", "Content-Type: multipart/related; boundary=b%d\n\n--b%d\nContent-Location: a%d\n", "Content-Type: text/html\n\n<img src=x>", 14_000},
	{"a boundary without line ends", "Content-Type: multipart/mixed; boundary=" + widest + "\n\n", "--" + widest, "", 14_000},
	{"lines that are almost a boundary", "Content-Type: multipart/mixed; boundary=" + widest + "\n\n", "--" + widest + "x\n", "", 14_000},
	{"white space after a boundary", Mixed, "--b \t\r", "", 160_000},
	{"short fields", "", "a:\n", "", 330_000},
	{"empty Link fields", "", "Link:\n", "", 160_000},
	{"short Link fields", "", "Link:<a>\n", "", 110_000},
	{"fields", "", "X-Y: z\n", "", 140_000},
	{"fields with links", "", "List-Help: <x>\n", "", 70_000},
	{"lines that are not fields", "", "x\n", "", 500_000},
	{"lines of white space", "A: b\n", " \n", "", 500_000},
	{"fields and lines of white space", "", "A: b\n \n", "", 140_000},
	{"a folded field without end", "Link: <", "\n x", "", 330_000},
	{"links in a field", "Link: ", "<a>,", "\n\n", 250_000},
	{"brackets in a field", "List-Help: ", "<", "\n\n", 1_000_000},
	{"comments in a field", "Content-Base: ", "(", "\n\n", 1_000_000},
	{"comments in a type", "Content-Type: ", "(x", "\n\n<URL:x>", 500_000},
	{"parameters", "Content-Type: text/html", "; a%d=b", "\n\n<a href=x>", 90_000},
	{"sections of a parameter", "Content-Type: multipart/mixed", "; boundary*%d=b", "\n\n--b\n", 55_000},
	{"quotes of a parameter", "Content-Type: multipart/mixed; boundary=", "\"\\", "\n\n--b\n", 500_000},
	{"bases", "", "Content-Base: <x/>\n", "", 50_000},
	{"bases of a part", Mixed + "--b\n", "Content-Base: <x/>\n", "Content-Type: text/html\n\n<a href=x>", 50_000},
	{"nested messages", "", "Content-Type: message/rfc822\n\n", "", 33_000},
	{"a digest", "Content-Type: multipart/digest; boundary=b\n\n", "--b\n\nBase: a/\n\n<URL:x>\n", "", 40_000},
	{"quoted-printable", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n", "<a href=3Dx>", "", 83_000},
	{"soft breaks", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"x", "=\n", "\">", 500_000},
	{"base64", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n", "PGEgaHJlZj14Pjxh\n", "", 58_000},
	{"base64 in pieces", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n", "PA==", "", 250_000},
	{"junk in base64", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj1", "-", "4Pg==", 1_000_000},
	{"URLs in text", "\n", "<URL:", "", 200_000},
	{"colons in text", "\n", "a://", "", 250_000},
	{"signed texts", "\n", pgp + "<URL:x>\n" + pgpSign, "", 10_000},
	{"signed texts without end", "\n", pgp + "<URL:x>\n", "", 24_000},
	{"signed parts", strings.Replace(Mixed, "mixed", "signed", 1), "--b\n\n<URL:x>\n", "", 80_000},
}

// hostileMboxes are mailboxes that make parsers slow.
var hostileMboxes = []hostileText{
	{"wrong lengths", "", MadeFrom + "\nContent-Length: 99999999\nContent-Type: text/html\n\n<a href=x>\n\n", "", 9_000},
	{"slightly wrong lengths", "", MadeFrom + "\nContent-Length: 5000\n\n<URL:x>\n\n", "", 13_000},
	{"lengths with growing errors", "", MadeFrom + "\nContent-Length: 1%d\n\n<URL:x>\n\n", "", 13_000},
	{"From_ lines", "", MadeFrom + "\n", "", 30_000},
	{"empty messages", "", MadeFrom + "\n\n", "", 29_000},
	{"almost From_ lines", MadeFrom + "\n\n", "\nFrom here\n", "", 90_000},
	{"a From_ line without end", "From a@b 10:10", " x", "", 500_000},
	{"empty lines", "", "\n", MadeFrom + "\n\n<URL:x>\n", 1_000_000},
	{"a header without end", MadeFrom + "\n", "x", "", 1_000_000},
	{"quoted From_ lines", MadeFrom + "\nContent-Type: text/html\n\n", ">From <a href=x>\n", "", 60_000},
	{"marks of quoting", MadeFrom + "\n\n", ">", "From <URL:x>\n", 1_000_000},
}

// hostileArchives are responses and web archives that make parsers slow.
var hostileArchives = []hostileText{
	{"status lines", "", "HTTP/1.1 200\n", "", 80_000},
	{"redirections", "", "HTTP/1.1 301 M\nLocation: x\n\n", "", 35_000},
	{"status lines in a record", "WARC/1.0\nWARC-Type: response\nContent-Length: 1040000\n\n", "HTTP/1.1 200\n", "\n\n", 80_000},
	{"first lines", "", "WARC/1.0\n", "", 110_000},
	{"records of no length", "", "WARC/1.0\n\n", "", 100_000},
	{"wrong lengths of blocks", "", "WARC/1.0\nContent-Length: 99999999\n\n", "", 28_000},
}

// archive is a document whose type is detected by its first bytes.
func archive(src string) extract.Document { return extract.Document{Bytes: []byte(src)} }

// TestHostileMail reads and rewrites each input at a part of its size. It checks that nothing is lost, and that
// the time grows linearly with the size, also if a pipe returns the input in pieces.
func TestHostileMail(t *testing.T) {
	var w Walker
	for _, kind := range []struct {
		rows     []hostileText
		document func(src string) extract.Document
	}{{hostileMail, Message}, {hostileMboxes, Mailbox}, {hostileArchives, archive}} {
		for _, h := range kind.rows {
			t.Run(h.name, func(t *testing.T) {
				Unharmed(t, &w, kind.document(h.of(h.size/longtest.Or(100, 4))))
				of := func(size int) []byte { return []byte(h.of(size)) }
				Linear(t, h.name, h.size, of, func(src []byte) extract.Document {
					d := kind.document("")
					d.Bytes, d.URL = src, MadeURL
					return d
				})
				Linear(t, h.name+", piped", h.size, of, func(src []byte) extract.Document {
					d := kind.document("")
					d.Bytes, d.Reader, d.URL = nil, Piped{Reader: bytes.NewReader(src)}, MadeURL
					return d
				})
			})
		}
	}
}

// BenchmarkHostileMail doubles each input three times; the throughput must stay the same. Mailboxes are read in
// pieces, as from a pipe.
func BenchmarkHostileMail(b *testing.B) {
	run := func(h hostileText, document func(src []byte) extract.Document) {
		Doubled(b, h.name, h.size, func(size int) []byte { return []byte(h.of(size)) }, document)
	}
	for _, h := range hostileMail {
		run(h, func(src []byte) extract.Document {
			return extract.Document{Type: "message/rfc822", URL: MadeURL, Bytes: src}
		})
	}
	for _, h := range hostileMboxes {
		run(h, func(src []byte) extract.Document {
			return extract.Document{Type: "application/mbox", URL: MadeURL, Reader: Piped{Reader: bytes.NewReader(src)}}
		})
	}
	for _, h := range hostileArchives {
		run(h, func(src []byte) extract.Document { return extract.Document{URL: MadeURL, Bytes: src} })
	}
}

// TestHostileMembers reads a record whose header is in many gzip members. The header is not read again with each
// member: the time grows linearly with the number of members.
func TestHostileMembers(t *testing.T) {
	var w Walker
	lineartest.Check(t, "members", 20_000, func(n int) func() {
		src := archive(Gzipped(t, "WARC/1.0\n") + strings.Repeat(Gzipped(t, "A: b\n"), n))
		return func() { require.NoError(t, w.Links(src, func(*extract.Link) error { return nil })) }
	})
}

// TestHostileLengths reads many records whose lengths end before the same newlines. No record begins after the
// newlines. The newlines are skipped once: the time grows linearly with the number of records and newlines.
func TestHostileLengths(t *testing.T) {
	for _, row := range []struct {
		name, mediaType, each string
	}{
		{"WARC", "application/warc", "WARC/1.0\r\nContent-Length: %09d\r\n\r\n"},
		{"ARC", "application/x-internet-archive", "http://h/ 1.2.3.4 20200101000000 text/html %09d\n"},
		{"mbox", "application/mbox", MadeFrom + "\nContent-Length: %09d\n\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			of := func(records int) []byte {
				var src bytes.Buffer
				length := len(fmt.Sprintf(row.each, 0))
				for n := range records {
					fmt.Fprintf(&src, row.each, (records-1-n)*length)
				}
				src.Write(bytes.Repeat([]byte("\n"), 50*records))
				src.WriteString("x")
				return src.Bytes()
			}
			document := func(src []byte) extract.Document { return extract.Document{Type: row.mediaType, Bytes: src} }
			var w Walker
			Unharmed(t, &w, document(of(longtest.Or(100, 5_000))))
			Linear(t, row.name, 20_000, of, document)
			inMember := func(records int) []byte { return []byte(Gzipped(t, string(of(records)))) } // all newlines are in memory at once
			Linear(t, row.name+" in a member of gzip", 20_000, inMember, document)
		})
	}
}

// TestMailLimits: a part that is nested too deep is reported with its position, and stays unchanged.
func TestMailLimits(t *testing.T) {
	const n = 10_000
	for _, row := range []struct {
		name, each, last string
		problem          extract.Problem
		unread           int // the offset of the part that is not read
	}{
		{"multiparts", "Content-Type: multipart/mixed; boundary=b%d\nLink: <l>\n\n--b%d\n", "\n<URL:x>",
			extract.Problem{Document: "m.eml", Code: extract.CodeDepthLimit, Setting: extract.SettingMaxDepth, Detail: "skipped: the multipart is nested more than 64 levels deep"}, 65},
		{"messages", "Content-Type: message/rfc822\nLink: <l>\n\n", "\n<URL:x>",
			extract.Problem{Document: "m.eml", Entity: strings.TrimSuffix(strings.Repeat("part[1]/", 64), "/"), Code: extract.CodeDepthLimit, Setting: extract.SettingMaxDepth, Detail: "more than 64 nested documents; deeper documents are not read"}, 65},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := hostileText{each: row.each, tail: row.last}
			src := h.of(n)
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
				return len(strings.TrimSuffix(hostileText{each: row.each}.of(i), "--b"+fmt.Sprint(i-1)+"\n"))
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

// TestHostileHeaders reads headers of many megabytes. The allocated memory is small, and does not grow with the
// header, except for a URL, which is kept. In a plain test the headers are shorter, and the memory is not compared.
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

// rich is a message with every kind of content.
func rich(newline string) string {
	leaf := func(page int, charset, letter, encoding string) string {
		return MadeLeaf(MadePages[page].MediaType, MadePages[page].Text, newline, charset, letter, encoding)
	}
	src := leaf(0, "utf-8", "\u00e9", "quoted-printable")
	for level := range 2 {
		src = MadeAround(level, 1, newline, src)
	}
	src = InLines("Content-Type: multipart/related; boundary*0=\"=_\"; boundary*1=rich; start=\"<s@h>\"\n\n--=_rich\nContent-ID: <s@h>\nContent-MD5: AAAA\n", newline) + leaf(3, "shift_jis", "\u304b", "base64") +
		InLines("--=_rich\nContent-Location: (c (d)) \"i.\n gif\"\n", newline) + src +
		InLines("\n--=_rich\nContent-Type: text/plain\n\n"+pgp+"\n<URL:x>\n"+pgpSign+"\n--=_rich\nContent-Type: message/external-body; access-type=URL; url=\"a\n b\"\n\n--=_rich--\n", newline)
	return InLines(MadeHeaders[1]+MadeHeaders[2]+"Lines: 100\nContent-Length: 4000\nDKIM-Signature: v=1\nRefresh: 0; url=r\n", newline) + src
}

// TestMailPrefixes reads and rewrites all truncated copies of a message: alone, in an mbox, and as the body of a
// response.
func TestMailPrefixes(t *testing.T) {
	for _, newline := range []string{"\n", "\r\n"} {
		src := rich(newline)
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
