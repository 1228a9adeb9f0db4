// Package hostiletest tests package extract with hostile and large documents: nothing is lost, the limits hold, and the time
// grows linearly. The fuzz target begins with these documents.
package hostiletest

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
	"absolink/resolve"
)

// hostileText is a text with a head, a piece that is repeated many times, and a tail. %d in the piece is the number of the
// repetition.
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

// hostile are inputs that make parsers slow. The first bytes of a web archive show its type.
var hostile = []struct {
	name, mediaType string
	piped           bool // the input is also read from a pipe, which returns it in pieces
	rows            []hostileText
}{
	{"page", "text/html", false, hostilePages},
	{"XML", "application/xml", false, hostileXML},
	{"message", "message/rfc822", true, hostileMail},
	{"mailbox", "application/mbox", true, hostileMboxes},
	{"web archive", "", true, hostileArchives},
}

// TestHostile checks that nothing of an input is lost, and that the time grows linearly with its size.
func TestHostile(t *testing.T) {
	var w Walker
	for _, kind := range hostile {
		for _, h := range kind.rows {
			t.Run(kind.name+": "+h.name, func(t *testing.T) {
				d := extract.Document{Type: kind.mediaType, Bytes: []byte(h.of(h.size / longtest.Or(100, 4)))}
				if !HasBase(t, &w, d) {
					require.True(t, Rewrite(t, &w, d) == string(d.Bytes))
				}
				Unharmed(t, &w, d)
				of := func(size int) []byte { return []byte(h.of(size)) }
				linear(t, h.name, h.size, of, func(src []byte) extract.Document {
					return extract.Document{Type: kind.mediaType, URL: MadeURL, Bytes: src}
				})
				if kind.piped {
					linear(t, h.name+", piped", h.size, of, func(src []byte) extract.Document {
						return extract.Document{Type: kind.mediaType, URL: MadeURL, Reader: Piped{Reader: strings.NewReader(string(src))}}
					})
				}
			})
		}
	}
}

// FuzzHostile is FuzzRewrite of package extract for hostile texts of two repetitions.
func FuzzHostile(f *testing.F) {
	n := uint16(0)
	for _, kind := range hostile {
		for _, h := range kind.rows {
			for range Standards {
				f.Add([]byte(h.of(2)), kind.mediaType, n%uint16(len(Standards)*len(FuzzBases)))
				n++ // the next text has another base
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, mediaType string, options uint16) {
		if extract.FormatOf(mediaType) == nil {
			t.Skip("the first bytes of the archives show their type; FuzzRewrite has archives")
		}
		w, url := FuzzOptions(options)
		Unharmed(t, &w, extract.Document{Type: mediaType, URL: url, Bytes: src})
	})
}

// hostileMore are hostile pages with places that need Extended or AddPlaces.
var hostileMore = []hostileText{
	{"conditional comments", "", "<!--[if mso]><v:a href=x><![endif]-->", "", 27_000},
	{"ends of a conditional comment", "<!--[if mso]>", "<![endif]", "-->", 110_000},
	{"a conditional comment without end", "", "<!--[if mso]>", "", 80_000},
	{"references in JSON-LD", "<script type=application/ld+json>[", `{"@id":"x"},`, "0]</script>", 80_000},
	{"lists in JSON-LD", "<script type=application/ld+json>", "[", "</script>", 1_000_000},
	{"added attributes", "<x-y ", "a%d=x ", ">", 100_000},
	{"added elements", "", "<x-y a=x>", "", 100_000},
}

func TestHostileMore(t *testing.T) {
	w := Walker{Extractor: extract.Extractor{Extended: true, AddPlaces: []string{"x-y@*"}}}
	for _, h := range hostileMore {
		t.Run(h.name, func(t *testing.T) {
			Unharmed(t, &w, extract.Document{Type: "text/html", Bytes: []byte(h.of(h.size / longtest.Or(100, 4)))})
			longtest.Linear(t, h.name, h.size, func(size int) func() {
				d := extract.Document{Type: "text/html", URL: MadeURL, Bytes: []byte(h.of(size))}
				return func() { require.NoError(t, w.Rewrite(io.Discard, d)) }
			})
		})
	}
}

// linear checks that the time for rewriting an input grows linearly with its size.
func linear(t *testing.T, name string, most int, of func(size int) []byte, document func(src []byte) extract.Document) {
	var w Walker
	longtest.Linear(t, name, most, func(size int) func() {
		src := of(size)
		return func() { require.NoError(t, w.Rewrite(io.Discard, document(src))) }
	})
}

// TestHostileBases removes many BASE elements from a page whose first bytes determine the format and the charset.
func TestHostileBases(t *testing.T) {
	x := extract.Extractor{Standard: resolve.WHATWG, BaseURLs: extract.BaseRemove}
	longtest.Linear(t, "BASE elements that are removed", 20_000, func(n int) func() {
		d := extract.Document{Name: "p.html", URL: "http://h/\u00E9/", Bytes: []byte("<p>caf\xE9</p>" + strings.Repeat("<base href=/b/>", n))}
		return func() {
			_, err := x.Rewrite(t.Context(), io.Discard, d)
			require.NoError(t, err)
		}
	})
}

// TestHostileLengths has many records whose lengths end before the same newlines, after which no record begins. The newlines
// are skipped once, not for each record, so the time grows linearly.
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
			linear(t, row.name, 20_000, of, document)
			inMember := func(records int) []byte { return []byte(Gzipped(t, string(of(records)))) } // all newlines are in memory at once
			linear(t, row.name+" in a member of gzip", 20_000, inMember, document)
		})
	}
}

var hostilePages = []hostileText{
	{"less-than signs", "", "<", "", 1_000_000},
	{"unclosed tags", "", "<a ", "", 350_000},
	{"unclosed elements", "", "<div><a href=x>", "", 80_000},
	{"a base element that is not closed", "", "<base href=", "", 100_000},
	{"bases", "", "<base href=x>", "", 80_000},
	{"bases after comments", "", "<!--<base href=x>--><base href=.>", "", 40_000},
	{"unclosed quotes", "", `<a href="`, "", 120_000},
	{"url(", "<style>", "url(", "", 250_000},
	{"url( in an attribute", `<p style="`, "url(", `">`, 250_000},
	{"@import", "<style>", "@import ", "", 130_000},
	{"ampersands", `<a href="`, "&", `">`, 1_000_000},
	{"character references without end", `<a href="`, "&#1", `">`, 330_000},
	{"references", `<a href="`, "&notin;", `">`, 150_000},
	{"white space in a value", `<a href="`, " \n", `x">`, 500_000},
	{"candidates", `<img srcset="`, "a 1x,", `">`, 100_000},
	{"commas", `<img srcset="`, ",", `">`, 1_000_000},
	{"open parentheses", `<img srcset="a `, "(", `">`, 1_000_000},
	{"comments", "", "<!--", "", 250_000},
	{"dashes", "<!--", "-", "", 1_000_000},
	{"end tags without a start tag", "<svg>", "</p></div>", "", 100_000},
	{"end tags of elements around svg", strings.Repeat("<b>", 1000) + "<svg>", "</i><g>", "", 140_000},
	{"svg in svg", "", "<svg><g>", "", 120_000},
	{"many svg elements", "<div>", "<svg></div></svg>", "", 60_000},
	{"breaking out of svg", "", "<svg><foreignObject><p>", "", 45_000},
	{"tags of an unknown name in svg", "<svg><desc>", "<x></y>", "", 140_000},
	{"xml:base", "", "<svg xml:base=a/ href=x>", "", 40_000},
	{"CDATA", "<svg>", "<![CDATA[", "", 110_000},
	{"CDATA without svg", "", "<![CDATA[", "", 110_000},
	{"templates", "", "<template>", "", 100_000},
	{"scripts in a script", "<script><!--", "<script>", "", 120_000},
	{"end tags in a textarea", "<textarea>", "</text", "", 160_000},
	{"noscripts", "", "<noscript><a href=x></noscript>", "", 32_000},
	{"srcdocs", "", "<iframe srcdoc='<a href=x>'>", "", 35_000},
	{"codebases", "", "<object codebase=x data=y>", "", 40_000},
	{"bases and codebases", "", "<base href=x><object codebase=x data=y>", "", 25_000},
	{"bases and srcdocs", "", `<base href=x><iframe srcdoc="<base href=y><a href=z>"></iframe>`, "", 15_000},
	{"metas that are bases", "", "<meta http-equiv=base content='<URL:(((((((a/>'>", "", 20_000},
	{"attributes", "<a ", "b=c ", ">", 250_000},
	{"the same attribute", "<a ", "href=x ", ">", 140_000},
	{"many names", "", "<x-%d style='url(x)'>", "", 45_000},
	{"a refresh", "<meta http-equiv=refresh content='0;", "url=", "'>", 250_000},
	{"a Link", "<meta http-equiv=link content='", "<x>;a=\"", "'>", 140_000},
	{"one line of text", "", "x", "<a href=x>", 1_000_000},
	{"non-ASCII characters", "<a href='", "\xe9", "'>", 1_000_000},
	{"marks of the web", "", "<!-- saved from url=about:internet -->", "<a href=x>", 27_000},
	{"mirrors", "<p>", "<!-- Mirrored from h by x -->  ", "", 32_000},
	{"scripts of an archive", "", "<script>__wm.init()</script>", "", 36_000},
	{"evidence and codebases", "", "<meta name=savepage-url content=h><object codebase=x data=y>", "", 16_000},
	{"escapes to kanji", "<meta charset=iso-2022-jp>", "\x1b$B<<\x1b(B", "<a href=x>", 100_000},
}

// hostileLong are documents with a long text that many places compare, copy or resolve against. long and each are both
// repeated.
var hostileLong = []struct {
	name, mediaType             string
	head, long, mid, each, tail string
	size                        int // the number of repetitions of each for about half a megabyte
}{
	{"lines that begin like a long boundary", "message/rfc822", "Content-Type: multipart/mixed; boundary=\"", "bbbb", "\"\n\n", "--b\n", "", 120_000},
	{"a boundary with newlines", "message/rfc822", "Content-Type: multipart/mixed; boundary*=''", "%0A--", "x\n\n", "\n--", "", 160_000},
	{"codebases under a long relative Content-Base", "message/rfc822", group + locations("a") + "--b\nContent-Base: ", "xxxxxxxxxxxxxxxxxxxxxxxxxx", "\nContent-Type: text/html\n\n",
		"<object codebase=a data=a>", "\n--b--\n", 20_000},
	{"codebases under a long base", "text/html", "<base href='http://h/", "xxxxxxxxxxxxxxxxxxxxxxxxxx", "'>", "<object codebase=x data=y>", "", 20_000},
	{"codebases that climb from a long base", "text/html", "<base href='http://h/", strings.Repeat("x", 50), "/1/2/3/4/5/6/7/8/9/'>", "<object codebase=../../../../../../../../../../x data=y>", "", 9_000},
	{"links outside ASCII under a long base", "text/html", "<base href='http://h/", "xxxxxxxxxxxx", "'>", "<a href='é '>", "", 40_000},
	{"xml:base on the root element", "text/xml", "<feed xmlns='http://www.w3.org/2005/Atom'", " xml:base='x/'", " xml:base='http://h/'>", "<link href='y'/>", "</feed>", 32_000},
	{"hrefs of an element with a long name", "text/xml", "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://h/'><", "xxxxxxxxx", "", " href='y'", "/></feed>", 55_000},
}

const group = "Content-Type: multipart/related; boundary=b\n\n"

// locations returns body parts with these Content-Locations.
func locations(urls ...string) string {
	return "--b\nContent-Location: " + strings.Join(urls, "\n\n--b\nContent-Location: ") + "\n\n"
}

func hostileLongText(i, size int) []byte {
	h := hostileLong[i]
	return []byte(h.head + strings.Repeat(h.long, size) + h.mid + strings.Repeat(h.each, size) + h.tail)
}

// TestHostileLong checks that nothing of a document is lost, and that the time grows linearly with its size. The URLs
// together may grow with the square of the size, so MaxRecord, which limits them, is small.
func TestHostileLong(t *testing.T) {
	for i, h := range hostileLong {
		t.Run(h.name, func(t *testing.T) {
			var w Walker
			Unharmed(t, &w, extract.Document{Type: h.mediaType, Bytes: hostileLongText(i, h.size/20)})
			for _, standard := range []resolve.Standard{resolve.RFC1808, resolve.WHATWG} {
				w := Walker{Extractor: extract.Extractor{Standard: standard, MaxRecord: 2 << 20, OnProblem: func(extract.Problem) {}}}
				longtest.Linear(t, h.name, h.size, func(size int) func() {
					d := extract.Document{Type: h.mediaType, Bytes: hostileLongText(i, size)}
					return func() { require.NoError(t, w.Rewrite(io.Discard, d)) }
				})
			}
		})
	}
}

// TestHostileName has many documents in a file of an archive with a long name. Their paths have only the start of the name,
// so the time grows linearly with the length of the name and the number of documents.
func TestHostileName(t *testing.T) {
	of := func(size int) []byte {
		return []byte(TarHead("@", fmt.Sprintf("%011o", 20*size), 'L') + TarData(strings.Repeat("x", 20*size)) +
			TarFile("p", "<p>"+strings.Repeat("<iframe srcdoc='<a href=x>'></iframe>", size)))
	}
	var w Walker
	documents := 0
	require.NoError(t, w.Bases(Tar(string(of(500))), func(e *extract.Entity) error {
		documents++
		assert.Less(t, len(e.Path), 5_000)
		return nil
	}))
	assert.Equal(t, 501, documents)
	linear(t, "a long name", 12_000, of, func(src []byte) extract.Document { return Tar(string(src)) })
}

// widest is the longest boundary (RFC 2046 5.1.1).
const widest = "0123456789012345678901234567890123456789012345678901234567890123456789"

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
	{"signed texts", "\n", "-----BEGIN PGP SIGNED MESSAGE-----\n<URL:x>\n-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n", "", 10_000},
	{"signed texts without end", "\n", "-----BEGIN PGP SIGNED MESSAGE-----\n<URL:x>\n", "", 24_000},
	{"signed parts", strings.Replace(Mixed, "mixed", "signed", 1), "--b\n\n<URL:x>\n", "", 80_000},
}

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

// hostileArchives are responses and web archives.
var hostileArchives = []hostileText{
	{"status lines", "", "HTTP/1.1 200\n", "", 80_000},
	{"redirections", "", "HTTP/1.1 301 M\nLocation: x\n\n", "", 35_000},
	{"status lines in a record", "WARC/1.0\nWARC-Type: response\nContent-Length: 1040000\n\n", "HTTP/1.1 200\n", "\n\n", 80_000},
	{"first lines", "", "WARC/1.0\n", "", 110_000},
	{"records of no length", "", "WARC/1.0\n\n", "", 100_000},
	{"wrong lengths of blocks", "", "WARC/1.0\nContent-Length: 99999999\n\n", "", 28_000},
}

var hostileXML = []hostileText{
	{"open tags", "", "<a>", "", 330_000},
	{"open tags with links", "", "<a href='x'>", "", 80_000},
	{"open tags and their end tags", strings.Repeat("<b>", 20_000), "</b>", "", 250_000},
	{"unclosed tags", "", "<a ", "", 330_000},
	{"unclosed end tags", "", "</a ", "", 250_000},
	{"end tags without a start tag", strings.Repeat("<b>", 4000), "</c>", "", 250_000},
	{"mismatched tags", "", "<b><c></b></c>", "", 70_000},
	{"a huge attribute", "<a href='", "x", "'/>", 1_000_000},
	{"a huge attribute of entities", "<a href='", "&a;", "'/>", 330_000},
	{"ampersands", "<a href='", "&", "'/>", 1_000_000},
	{"attributes", "<a ", "b='c' ", "/>", 160_000},
	{"unclosed quotes", "", `<a href="`, "", 110_000},
	{"no quotes", "<a ", "b=c ", "/>", 250_000},
	{"CDATA sections without end", "", "<![CDATA[", "", 110_000},
	{"comments without end", "", "<!--", "", 250_000},
	{"instructions without end", "", "<?a ", "", 250_000},
	{"style sheets", "", "<?xml-stylesheet href='a'?>", "", 35_000},
	{"a document type without end", "<!DOCTYPE a [", "<!ENTITY b 'c'>", "", 65_000},
	{"literals in a document type", "<!DOCTYPE a [", "<!ENTITY b \"'>]\">", "]><a href='x'/>", 60_000},
	{"brackets", "<!DOCTYPE a ", "[", "", 1_000_000},
	{"document types", "", "<!DOCTYPE", "", 100_000},
	{"namespaces of one element", "<a ", "xmlns:b%d='c' ", "><b1:x/></a>", 60_000},
	{"namespaces within namespaces", "", "<a xmlns:b%d='c'><z:y z:href='x'/>", "", 25_000},
	{"one namespace many times", "", "<a xmlns:b='c'>", "", 65_000},
	{"default namespaces", "", "<a xmlns='http://www.w3.org/1999/xhtml'><a href='x'/>", "", 20_000},
	{"xml:base in xml:base", "", "<a xml:base='b/' href='x'>", "", 40_000},
	{"xml:base beside xml:base", "<r>", "<a xml:base='b/' href='x'/>", "</r>", 35_000},
	{"nested absolute bases", "", "<a xml:base='http://b/' href='x'>", "", 30_000},
	{"sections in one element", "<rss><description>", "<![CDATA[<a href=x>]]>", "</description></rss>", 45_000},
	{"sections that an edit must split", "<rss><description>&lt;base href='http://h/]]>&amp;/'>", "<![CDATA[<a href=x>]]>", "</description></rss>", 45_000},
	{"brackets in a section", "<rss><description><![CDATA[<a href=x>", "]", "]]></description></rss>", 1_000_000},
	{"links in one section", "<rss><description><![CDATA[", "<a href=x>", "]]></description></rss>", 100_000},
	{"links in one text", "<rss><description>", "&lt;a href=x>", "</description></rss>", 80_000},
	{"descriptions", "<rss>", "<description>&lt;a href=x></description>", "</rss>", 25_000},
	{"white space around a link", "<rss><link>", " \n", "x</link></rss>", 500_000},
	{"sections in a link", "<rss><link>", "<![CDATA[x]]>", "</link></rss>", 75_000},
	{"names", "", "<a%d href='x'/>", "", 60_000},
	{"bases", "<html xmlns='http://www.w3.org/1999/xhtml'>", "<base href='x'/>", "</html>", 60_000},
	{"srcdocs", "<html xmlns='http://www.w3.org/1999/xhtml'>", "<iframe srcdoc='&lt;a href=x>'/>", "</html>", 30_000},
	{"styles", "<svg xmlns='http://www.w3.org/2000/svg'>", "<style>a{b:url(c)}</style>", "</svg>", 35_000},
}
