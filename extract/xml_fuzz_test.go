package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

// hostileXML are inputs that make XML parsers slow. size is the number of times that a piece is repeated, for about
// a megabyte.
var hostileXML = []struct {
	name       string
	head, each string
	size       int
	tail       string
}{
	{"open tags", "", "<a>", 330_000, ""},
	{"open tags with links", "", "<a href='x'>", 80_000, ""},
	{"open tags and their end tags", strings.Repeat("<b>", 20_000), "</b>", 250_000, ""},
	{"unclosed tags", "", "<a ", 330_000, ""},
	{"unclosed end tags", "", "</a ", 250_000, ""},
	{"end tags without a start tag", strings.Repeat("<b>", 4000), "</c>", 250_000, ""},
	{"mismatched tags", "", "<b><c></b></c>", 70_000, ""},
	{"a huge attribute", "<a href='", "x", 1_000_000, "'/>"},
	{"a huge attribute of entities", "<a href='", "&a;", 330_000, "'/>"},
	{"ampersands", "<a href='", "&", 1_000_000, "'/>"},
	{"attributes", "<a ", "b='c' ", 160_000, "/>"},
	{"unclosed quotes", "", `<a href="`, 110_000, ""},
	{"no quotes", "<a ", "b=c ", 250_000, "/>"},
	{"CDATA sections without end", "", "<![CDATA[", 110_000, ""},
	{"comments without end", "", "<!--", 250_000, ""},
	{"instructions without end", "", "<?a ", 250_000, ""},
	{"style sheets", "", "<?xml-stylesheet href='a'?>", 35_000, ""},
	{"a document type without end", "<!DOCTYPE a [", "<!ENTITY b 'c'>", 65_000, ""},
	{"literals in a document type", "<!DOCTYPE a [", "<!ENTITY b \"'>]\">", 60_000, "]><a href='x'/>"},
	{"brackets", "<!DOCTYPE a ", "[", 1_000_000, ""},
	{"document types", "", "<!DOCTYPE", 100_000, ""},
	{"namespaces of one element", "<a ", "xmlns:b%d='c' ", 60_000, "><b1:x/></a>"},
	{"namespaces within namespaces", "", "<a xmlns:b%d='c'><z:y z:href='x'/>", 25_000, ""},
	{"one namespace many times", "", "<a xmlns:b='c'>", 65_000, ""},
	{"default namespaces", "", "<a xmlns='http://www.w3.org/1999/xhtml'><a href='x'/>", 20_000, ""},
	{"xml:base in xml:base", "", "<a xml:base='b/' href='x'>", 40_000, ""},
	{"xml:base beside xml:base", "<r>", "<a xml:base='b/' href='x'/>", 35_000, "</r>"},
	{"nested absolute bases", "", "<a xml:base='http://b/' href='x'>", 30_000, ""},
	{"sections in one element", "<rss><description>", "<![CDATA[<a href=x>]]>", 45_000, "</description></rss>"},
	{"sections that an edit must split", "<rss><description>&lt;base href='http://h/]]>&amp;/'>", "<![CDATA[<a href=x>]]>", 45_000, "</description></rss>"},
	{"brackets in a section", "<rss><description><![CDATA[<a href=x>", "]", 1_000_000, "]]></description></rss>"},
	{"links in one section", "<rss><description><![CDATA[", "<a href=x>", 100_000, "]]></description></rss>"},
	{"links in one text", "<rss><description>", "&lt;a href=x>", 80_000, "</description></rss>"},
	{"descriptions", "<rss>", "<description>&lt;a href=x></description>", 25_000, "</rss>"},
	{"white space around a link", "<rss><link>", " \n", 500_000, "x</link></rss>"},
	{"sections in a link", "<rss><link>", "<![CDATA[x]]>", 75_000, "</link></rss>"},
	{"names", "", "<a%d href='x'/>", 60_000, ""},
	{"bases", "<html xmlns='http://www.w3.org/1999/xhtml'>", "<base href='x'/>", 60_000, "</html>"},
	{"srcdocs", "<html xmlns='http://www.w3.org/1999/xhtml'>", "<iframe srcdoc='&lt;a href=x>'/>", 30_000, "</html>"},
	{"styles", "<svg xmlns='http://www.w3.org/2000/svg'>", "<style>a{b:url(c)}</style>", 35_000, "</svg>"},
}

func hostileDocument(i, size int) []byte {
	h := hostileXML[i]
	var b strings.Builder
	b.WriteString(h.head)
	for n := range size {
		if strings.Contains(h.each, "%d") {
			fmt.Fprintf(&b, h.each, n)
		} else {
			b.WriteString(h.each)
		}
	}
	b.WriteString(h.tail)
	return []byte(b.String())
}

// TestHostileXML reads and rewrites each input at a tenth of its size. It checks that only links change, and that
// the time grows linearly with the size.
func TestHostileXML(t *testing.T) {
	for i, h := range hostileXML {
		t.Run(h.name, func(t *testing.T) {
			var w Walker
			d := extract.Document{Type: "text/xml", Bytes: hostileDocument(i, h.size/longtest.Or(100, 10))}
			if !strings.Contains(string(d.Bytes), "'http://") {
				assert.True(t, Rewrite(t, &w, d) == string(d.Bytes))
			}
			d.URL = "http://h/p/"
			d.Bytes = []byte(Rewrite(t, &w, d))
			assert.True(t, Rewrite(t, &w, d) == string(d.Bytes))
			Linear(t, h.name, h.size, func(size int) []byte { return hostileDocument(i, size) }, func(src []byte) extract.Document {
				return extract.Document{Type: "text/xml", URL: "http://h/p/", Bytes: src}
			})
		})
	}
}

// BenchmarkHostileXML doubles each input three times; the throughput must stay the same.
func BenchmarkHostileXML(b *testing.B) {
	for i, h := range hostileXML {
		Doubled(b, h.name, h.size, func(size int) []byte { return hostileDocument(i, size) }, func(src []byte) extract.Document {
			return extract.Document{Type: "text/xml", URL: "http://h/p/", Bytes: src}
		})
	}
}
