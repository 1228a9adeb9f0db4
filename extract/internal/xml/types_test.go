package xml_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

func TestXMLCharset(t *testing.T) {
	wide := func(order unicode.Endianness, mark unicode.BOMPolicy, s string) string {
		out, err := unicode.UTF16(order, mark).NewEncoder().String(s)
		require.NoError(t, err)
		return out
	}
	const utf16, utf16want = `<?xml version="1.0" encoding="UTF-16"?><r href="xé"/>`, `<?xml version="1.0" encoding="UTF-16"?><r href="http://h/д/xé"/>`
	for _, row := range []struct{ name, charset, src, want string }{
		{"UTF-8, undeclared", "", "<r href='x\u00e9'/>", "<r href='http://h/\u0434/x\u00e9'/>"},
		{"declared", "", "<?xml version='1.0' encoding='KOI8-R'?><r href='\xc1'/>", "<?xml version='1.0' encoding='KOI8-R'?><r href='http://h/\xc4/\xc1'/>"},
		{"declared, with only ASCII characters", "", "<?xml version='1.0' encoding='KOI8-R'?><r href='x'/>", "<?xml version='1.0' encoding='KOI8-R'?><r href='http://h/\xc4/x'/>"},
		{"characters that the charset does not have", "", "<?xml version='1.0' encoding=\"iso-8859-1\"?><rss><link>\xe9</link><description>&lt;a href=x></description></rss>", "<?xml version='1.0' encoding=\"iso-8859-1\"?><rss><link>http://h/&#1076;/\xe9</link><description>&lt;a href=http://h/&amp;#1076;/x></description></rss>"},
		{"XML 4.3.3: US-ASCII has only ASCII characters", "", "<?xml version='1.0' encoding='US-ASCII'?><r xml:base='http://&#233;/' href='x'/>", "<?xml version='1.0' encoding='US-ASCII'?><r xml:base='http://&#233;/' href='http://&#233;/x'/>"},
		{"XML 4.3.3: US-ASCII, declared by the transport", "us-ascii", "<r xml:base='http://&#233;/' href='x'/>", "<r xml:base='http://&#233;/' href='http://&#233;/x'/>"},
		{"RFC 7303 3: the transport before the declaration", "koi8-r", "<?xml version='1.0' encoding='iso-8859-1'?><r href='\xc1'/>", "<?xml version='1.0' encoding='iso-8859-1'?><r href='http://h/\xc4/\xc1'/>"},
		{"RFC 7303 3: the mark before the transport", "koi8-r", "\uFEFF<r href='\u0430'/>", "\uFEFF<r href='http://h/\u0434/\u0430'/>"},
		{"UTF-16 with a mark", "", wide(unicode.LittleEndian, unicode.UseBOM, utf16), wide(unicode.LittleEndian, unicode.UseBOM, utf16want)},
		{"UTF-16 with a mark, big endian", "", wide(unicode.BigEndian, unicode.UseBOM, utf16), wide(unicode.BigEndian, unicode.UseBOM, utf16want)},
		{"RFC 7303 3: that mark before the transport", "koi8-r", wide(unicode.LittleEndian, unicode.UseBOM, utf16), wide(unicode.LittleEndian, unicode.UseBOM, utf16want)},
		{"UTF-16 without a mark", "", wide(unicode.BigEndian, unicode.IgnoreBOM, utf16), wide(unicode.BigEndian, unicode.IgnoreBOM, utf16want)},
		{"UTF-16 without a mark, little endian", "", wide(unicode.LittleEndian, unicode.IgnoreBOM, utf16), wide(unicode.LittleEndian, unicode.IgnoreBOM, utf16want)},
		{"a document that is not UTF-16", "", utf16, utf16want},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			d := extract.Document{URL: "http://h/\u0434/", Type: "text/xml", Bytes: []byte(row.src)}
			if row.charset != "" {
				d.Type += "; charset=" + row.charset
			}
			assert.Equal(t, row.want, Rewrite(t, &w, d))
		})
	}
	t.Run("a character that a CDATA section cannot contain", func(t *testing.T) {
		var problems []extract.Code
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		const src = "<?xml version='1.0' encoding='iso-8859-1'?><rss><link><![CDATA[\xe9]]></link></rss>"
		assert.Equal(t, src, Rewrite(t, &w, extract.Document{URL: "http://h/\u0434/", Type: "text/xml", Bytes: []byte(src)}))
		assert.Equal(t, []extract.Code{extract.CodeRewriteRefused}, problems)
	})
}

func TestXMLTypes(t *testing.T) {
	for _, row := range []struct{ mediaType, name, head, want string }{
		{"text/xml; charset=x", "", "", "application/xml"},
		{"Text/XML ; charset=", "", "", "application/xml"},
		{"application/xslt+xml; utf-8", "", "", "application/xml"},
		{"text/html, image/x+xml", "", "", ""},
		{"application/mathml+xml", "", "", "application/xml"},
		{"application/rss+xml", "", "", "application/rss+xml"},
		{"image/svg+xml", "", "<html>", "image/svg+xml"},
		{"", "x.xhtml", "", "application/xhtml+xml"},
		{"", "x.SVG", "", "image/svg+xml"},
		{"", "x.html", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">`, "text/html"},
		{"", "", `<?xml version="1.0"?><!-- x --><!DOCTYPE html PUBLIC "x" "y"><html lang="x" xmlns="http://www.w3.org/1999/xhtml">`, "application/xhtml+xml"},
		{"", "", `<?xml version="1.0"?><!DOCTYPE html><html lang="x">`, "text/html"},
		{"", "", `<?xml version="1.0"?><HTML xmlns="http://www.w3.org/1999/xhtml">`, "text/html"},
		{"", "", `<?xml version="1.0"?><html xmlns="http://x/">`, "text/html"},
		{"", "", `<html xmlns="http://www.w3.org/1999/xhtml">`, "text/html"},
		{"", "", `<!DOCTYPE html PUBLIC "x" "y"><html xmlns="http://www.w3.org/1999/xhtml">`, "text/html"},
		{"", "", `<?xml version="1.0"?><x/>`, "application/xml"},
		{"", "", "\uFEFF\r\n<?xml version='1.0'?>\n<?xml-stylesheet href='x'?>\n<rss version='2.0'>", "application/rss+xml"},
		{"", "", "<rdf:RDF\nxmlns='x'>", "application/rdf+xml"},
		{"", "", "<feed xmlns='x'>", "application/atom+xml"},
		{"", "", "<!DOCTYPE svg PUBLIC 'x' 'y' [<!ENTITY a '>'>]><svg>", "image/svg+xml"},
		{"", "", "<s:svg>", "image/svg+xml"},
		{"", "", "<urlset xmlns='x'>", "application/xml"},
		{"", "", "<opml version='2.0'>", "application/xml"},
		{"", "", "\xFF\xFE<\x00r\x00s\x00s\x00>\x00", "application/rss+xml"},
		{"", "", "\xFF\xFE\n\x00<\x00p\x00>\x00", "text/html"},
		{"", "", "\xFE\xFF\x00<\x00!\x00D\x00O\x00C\x00T\x00Y\x00P\x00E\x00 \x00h\x00t\x00m\x00l\x00>", "text/html"},
		{"", "", "<\x00p\x00>\x00", ""}, // only a byte order mark identifies UTF-16 (HTML 13.2.3.2)
		{"", "", "<!-- x --><svg>", "image/svg+xml"},
		{"", "", "<!-- x --><p>", "text/html"},
		{"", "", "<!-- x --><!DOCTYPE html><html xmlns='x'>", "text/html"},
		{"", "", "<?xmlish?>", ""},
		{"", "", "<rssx>", ""},
		{"", "", "rss", ""},
		{"", "", "", ""},
	} {
		got := ""
		if f := extract.Detect(row.mediaType, row.name, []byte(row.head)); f != nil {
			got = f.Name
		}
		assert.Equal(t, row.want, got, "%+v", row)
	}
}
