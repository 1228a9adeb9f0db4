package xml

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/html"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/marktest"
	"absolink/internal/pagetest"
)

// marksOf returns the marks of a document in order, each as "place text", after its kind if it is not a link.
func marksOf(src string) []string {
	var m mark.Marks
	m.Formats = func(string) *mark.Format { return html.Format }
	XML.Mark([]byte(src), &m)
	var got []string
	for chunk := range m.All {
		for i := range chunk {
			at := &chunk[i]
			text, _ := at.Codec.Decode([]byte(src[at.Start:at.End]))
			line := at.Place.Name + " " + string(text)
			switch at.Kind {
			case mark.IsBase:
				line = "base " + line
			case mark.IsNested:
				line = "nested " + line
			case mark.IsInline:
				line = "inline " + line
			}
			if at.ScopeNumber > 0 {
				line += " in a scope"
			} else if at.ScopeNumber == mark.Outside {
				line += " outside"
			}
			got = append(got, line)
		}
	}
	if m.Notes.Opaque {
		got = append(got, "the base is not known")
	}
	return got
}

// The namespace of an element determines which values are links, bases and documents.
func TestMarks(t *testing.T) {
	const atom, svg, xlink = `xmlns="http://www.w3.org/2005/Atom"`, `xmlns="http://www.w3.org/2000/svg"`, `xmlns:l="http://www.w3.org/1999/xlink"`
	page := func(body string) string { return `<html xmlns="http://www.w3.org/1999/xhtml">` + body + `</html>` }
	for _, row := range []struct {
		name, src string
		want      []string
	}{
		{"attributes of any XML", `<r href="a" src='b' title="c"/>`, []string{"r@href a", "r@src b"}},
		{"links in the content of RSS", `<rss><link> a </link><guid isPermaLink="false">b</guid></rss>`, []string{"link a"}},
		{"a document in RSS", `<rss><description>&lt;a href=x></description></rss>`, []string{"nested description <a href=x>"}},
		{"a text without tags", `<rss><description>a &amp; b</description></rss>`, nil},
		{"the base of the document", `<feed ` + atom + ` xml:base="/b/"><logo>a</logo></feed>`, []string{"base feed@xml:base /b/", "logo a"}},
		{"the base of an element", `<feed ` + atom + `><entry xml:base="/b/"><icon>a</icon></entry><icon>c</icon></feed>`,
			[]string{"entry@xml:base /b/", "icon a in a scope", "icon c"}},
		{"a processing instruction", `<?xml-stylesheet href="a"?><r/>`, []string{"xml-stylesheet@href a outside"}},
		{"XHTML", page(`<base href="b"/><a href="c" title="d"/><A href="e"/>`), []string{"base base@href b", "a@href c"}},
		{"XHTML: a codebase is the base of the loaded URLs", page(`<object data="a" codebase="b" usemap="c"/>`),
			[]string{"object@data a in a scope", "object@codebase b", "object@usemap c"}},
		{"XHTML: content is a link only with http-equiv", page(`<meta content="5;url=a" http-equiv="refresh"/><meta content="b"/>`), []string{"inline meta@content 5;url=a"}},
		{"XHTML: duplicate attribute: first wins", page(`<q cite="a" cite="b"/>`), []string{"q@cite a"}},
		{"XHTML: an href of XLink", page(`<q l:href="a" cite="b" ` + xlink + `/>`), []string{"q@xlink:href a", "q@cite b"}},
		{"SVG", `<svg ` + svg + ` ` + xlink + `><use l:href="a" fill="url(b)" cite="c"/></svg>`, []string{"use@xlink:href a", "inline use@fill url(b)"}},
		{"SVG: a style sheet", `<svg ` + svg + `><style>a</style><style type="x">b</style></svg>`, []string{"inline style a"}},
		{"XSLT: only imports are links", `<s:stylesheet xmlns:s="http://www.w3.org/1999/XSL/Transform"><s:import href="a"/><a href="b"/></s:stylesheet>`, []string{"s:import@href a"}},
		{"an entity in a link", `<r><a href="&b;c"/><a href="d&amp;e"/></r>`, []string{"a@href d&e"}},
		{"an entity in a base", `<r xml:base="&b;"><a href="c"/></r>`, nil},
		{"an entity in a BASE element", page(`<base href="&b;"/><a href="c"/>`), []string{"a@href c", "the base is not known"}},
		{"an entity in a codebase", page(`<object data="a" codebase="&b;" xml:base="c"/><q cite="d"/>`), []string{"q@cite d"}},
		{"an entity in a refresh", page(`<meta http-equiv="refresh" content="5;url=&b;"/>`), nil},
		{"a comment, a CDATA section, a document type declaration", `<!DOCTYPE r [<!ENTITY a "<a href='x'/>">]><r><!--<a href="b"/>--><![CDATA[<a href="c"/>]]></r>`, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, marksOf(row.src))
		})
	}
}

func TestSniff(t *testing.T) {
	for _, row := range []struct{ head, want string }{
		{`<?xml version="1.0"?><x/>`, "application/xml"},
		{`<rss version="2.0">`, "application/rss+xml"},
		{`<!-- x --><s:svg>`, "image/svg+xml"},
		{`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">`, "application/xhtml+xml"},
		{`<?xml version="1.0"?><html>`, "text/html"},
		{`<html xmlns="http://www.w3.org/1999/xhtml">`, ""},
		{"\xFF\xFE<\x00r\x00s\x00s\x00>\x00", "application/rss+xml"},
		{`<?xmlish?>`, ""},
		{``, ""},
	} {
		assert.Equal(t, row.want, Sniff([]byte(row.head)), "%q", row.head)
	}
}

// The rows follow RFC 7303 3.
func TestCharset(t *testing.T) {
	for _, row := range []struct{ name, raw, transport, want string }{
		{"nothing declared", `<r/>`, "", "utf-8"},
		{"the declaration", `<?xml version="1.0" encoding="koi8-r"?>`, "", "koi8-r"},
		{"transport layer before XML declaration", `<?xml version="1.0" encoding="koi8-r"?>`, "iso-8859-1", "iso-8859-1"},
		{"byte order mark before transport layer", "\xEF\xBB\xBF<r/>", "koi8-r", "utf-8"},
		{"UTF-16 in a declaration in ASCII", `<?xml version="1.0" encoding="UTF-16"?>`, "", "utf-8"},
		{"UTF-16 without a byte order mark", "<\x00r\x00/\x00>\x00", "", "utf-16le"},
	} {
		assert.Equal(t, row.want, charset([]byte(row.raw), row.transport), row.name)
	}
}

func TestLinear(t *testing.T) {
	marktest.CheckLinear(t, XML, "<a", "<a>", "<a ", "<a b='", "<a b='c'>", "</a>", "<a xmlns:b='c'>", "<a xml:base='b'>", "<!--", "<![CDATA[", "<!DOCTYPE [", "<?", "&a;",
		"<svg xmlns='http://www.w3.org/2000/svg' fill='url(&a;)'>")
}

func FuzzMarks(f *testing.F) {
	for _, seed := range []string{`<rss><link>a</link></rss>`, `<html xmlns="http://www.w3.org/1999/xhtml"><object codebase="&b;" data="c"/></html>`, `<r xml:base="&b;">`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var m mark.Marks
		XML.Mark([]byte(src), &m)
		for chunk := range m.All {
			for _, at := range chunk {
				assert.True(t, 0 <= at.Start && at.Start <= at.End && at.End <= len(src), "%q", src)
			}
		}
	})
}

var update = flag.Bool("update", false, "write the tables of XML in docs/places.md")

// vocabularies has what docs/places.md calls the namespaces with elements in texts.
var vocabularies = map[space]string{
	spaceRSS: "RSS", spaceContent: "RSS: content", spaceAtom: "Atom", spaceMedia: "Media RSS", spaceITunes: "iTunes podcasts",
	spaceWFW: "Comment API", spaceFeedburner: "FeedBurner", spaceLicense: "Creative Commons", spaceTrackback: "TrackBack",
	spaceSparkle: "Sparkle", spaceOPML: "OPML", spaceSitemap: "sitemaps", spaceImage: "image sitemaps", spaceVideo: "video sitemaps",
	spaceXSPF: "XSPF", spaceWordPress: "WordPress exports", spaceExcerpt: "WordPress exports",
	spaceSearch: "OpenSearch", spaceMozilla: "OpenSearch: Mozilla",
}

// textKinds has what docs/places.md says about the content of an element.
var textKinds = map[textKind]string{
	textURL:       "a URL",
	textPermalink: "a URL, unless `isPermaLink` is `false`",
	textHTML:      "an HTML document, escaped or in CDATA sections",
	textConstruct: "an HTML document, if `type` is `html`",
	textMedia:     "an HTML document, if `type` is `html`",
}

// attributeRows are the rows of docs/places.md for attributes. Each example has one link, at the attribute.
var attributeRows = []struct{ attr, on, example string }{
	{"href", "any element", `<x href="1"/>`},
	{"src", "any element", `<x src="1"/>`},
	{"url", "any element", `<x url="1"/>`},
	{"uri", "any element", `<x uri="1"/>`},
	{"xmlUrl", "any element, such as `outline` of OPML", `<x xmlUrl="1"/>`},
	{"htmlUrl", "any element, such as `outline` of OPML", `<x htmlUrl="1"/>`},
	{"xlink:href", "any element", `<x xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="1"/>`},
	{"rdf:about", "any element", `<x xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="1"/>`},
	{"rdf:resource", "any element", `<x xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:resource="1"/>`},
	{"rdf:datatype", "any element", `<x xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:datatype="1"/>`},
	{"rdf:type", "any element", `<x xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:type="1"/>`},
	{"about", "elements of RSS and RDF", `<x xmlns="http://purl.org/rss/1.0/" about="1"/>`},
	{"resource", "elements of RSS and RDF", `<x xmlns="http://purl.org/rss/1.0/" resource="1"/>`},
	{"info", "elements of video sitemaps", `<x xmlns="http://www.google.com/schemas/sitemap-video/1.1" info="1"/>`},
	{"fileref", "elements of DocBook 4 and 5", `<x fileref="1"/>`},
	{"img", "elements of podcasts (`podcast:`)", `<x xmlns="https://podcastindex.org/namespace/1.0" img="1"/>`},
	{"srcset", "elements of podcasts (`podcast:`)", `<x xmlns="https://podcastindex.org/namespace/1.0" srcset="1"/>`},
	{"image", "elements of podcast chapters (`psc:`)", `<x xmlns="http://podlove.org/simple-chapters" image="1"/>`},
	{"source", "`thr:in-reply-to` of Atom", `<thr:in-reply-to source="1"/>`},
	{"template", "`Url` of OpenSearch", `<x xmlns="http://a9.com/-/spec/opensearch/1.1/" template="1"/>`},
	{"href", "`import` and `include` of XSLT", `<x:import xmlns:x="http://www.w3.org/1999/XSL/Transform" href="1"/>`},
	{"href", "the instruction `xml-stylesheet`", `<?xml-stylesheet href="1"?><x/>`},
}

// TestPlacesPage compares the tables of XML in docs/places.md with the tables of texts and attributes; -update writes
// them.
func TestPlacesPage(t *testing.T) {
	check := func(name string, head []string, rows [][]string) {
		pagetest.Check(t, "../../../docs/places.md", name, pagetest.Table(head, pagetest.Merge(rows)), "go test ./extract/internal/xml -run TestPlacesPage -update", *update)
	}

	var rows [][]string
	for _, row := range attributeRows {
		rows = append(rows, []string{pagetest.Code(" ", row.attr), row.on})
		marks := marksOf(row.example)
		assert.Len(t, marks, 1, row.example)
		assert.Contains(t, fmt.Sprint(marks), "@"+row.attr+" 1", row.example)
	}
	check("xml-attributes", []string{"attribute", "elements"}, rows)

	rows = nil
	for _, row := range texts {
		assert.NotEmpty(t, vocabularies[row.ns], "%s: write the name of the namespace in vocabularies", row.names)
		assert.NotEmpty(t, textKinds[row.as], "%s: write in textKinds what the content is", row.names)
		names := slices.Collect(strings.FieldsSeq(row.names))
		for i := range names {
			names[i] = row.prefix + names[i]
		}
		rows = append(rows, []string{vocabularies[row.ns], pagetest.Code(" ", names...), textKinds[row.as]})
	}
	check("xml-texts", []string{"vocabulary", "places", "content"}, rows)
}
