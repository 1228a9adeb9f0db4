// Package hostiletest tests package extract with hostile and large documents: nothing is lost, the limits hold, and the time
// grows linearly. The fuzz target begins with these documents.
package hostiletest

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

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
