package xml

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/internal/pagetest"
)

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

// TestPlacesPage compares the tables of XML in docs/places.md with the tables of texts and attributes; -update writes them.
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
