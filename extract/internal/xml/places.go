package xml

import (
	"strings"
	"sync"

	"absolink/extract/internal/mark"
)

// The tables: namespaces, roots, and the elements whose content is a link or a document. The attributes of XHTML, SVG
// and MathML are in the tables of package html, and those of other elements in links.go.

// space is a namespace that this package uses.
type space uint8

const (
	spaceNone space = iota // no namespace
	spaceOther
	spaceXHTML
	spaceSVG
	spaceMathML
	spaceXLink
	spaceXSL
	spaceXInclude
	spaceRDF
	spaceDocBook
	spaceAtom
	spaceRSS
	spaceOPML
	spaceContent
	spaceMedia
	spaceITunes
	spaceWFW
	spaceFeedburner
	spaceLicense
	spaceTrackback
	spaceSparkle
	spaceSitemap
	spaceImage
	spaceVideo
	spaceXSPF
	spacePodcast
	spaceChapters
	spaceWordPress
	spaceExcerpt
	spaceThread
	spaceSearch
	spaceMozilla
	spaceCount

	firstFeedSpace = spaceAtom
)

// isPage reports whether browsers show the elements of a namespace.
func (ns space) isPage() bool { return ns == spaceXHTML || ns == spaceSVG || ns == spaceMathML }

const xhtmlNamespace = "http://www.w3.org/1999/xhtml"

// spaces has the namespaces by their names. RSS has several, most of them in no standard; RSS 0.91 to 2.0 has none.
var spaces = sync.OnceValue(func() map[string]space {
	return map[string]space{
		xhtmlNamespace:                                spaceXHTML,
		"http://www.w3.org/2000/svg":                  spaceSVG,
		"http://www.w3.org/1998/Math/MathML":          spaceMathML,
		"http://www.w3.org/1999/xlink":                spaceXLink,
		"http://www.w3.org/1999/XSL/Transform":        spaceXSL,
		"http://www.w3.org/2001/XInclude":             spaceXInclude,
		"http://www.w3.org/1999/02/22-rdf-syntax-ns#": spaceRDF,
		"http://docbook.org/ns/docbook":               spaceDocBook, // DocBook 4 has no namespace

		"http://www.w3.org/2005/Atom": spaceAtom,
		"http://purl.org/atom/ns#":    spaceAtom, // 0.3

		"http://purl.org/rss/1.0/":                                                    spaceRSS,
		"http://my.netscape.com/rdf/simple/0.9/":                                      spaceRSS,
		"http://channel.netscape.com/rdf/simple/0.9/":                                 spaceRSS,
		"http://purl.org/net/rss1.1#":                                                 spaceRSS,
		"http://backend.userland.com/rss2":                                            spaceRSS,
		"http://blogs.law.harvard.edu/tech/rss":                                       spaceRSS,
		"http://cyber.law.harvard.edu/rss/rss.html":                                   spaceRSS,
		"http://purl.org/rss/1.0/modules/content/":                                    spaceContent,
		"http://search.yahoo.com/mrss/":                                               spaceMedia,
		"http://www.itunes.com/dtds/podcast-1.0.dtd":                                  spaceITunes,
		"http://wellformedweb.org/CommentAPI/":                                        spaceWFW,
		"http://rssnamespace.org/feedburner/ext/1.0":                                  spaceFeedburner,
		"http://backend.userland.com/creativeCommonsRssModule":                        spaceLicense,
		"http://madskills.com/public/xml/rss/module/trackback/":                       spaceTrackback,
		"http://www.andymatuschak.org/xml-namespaces/sparkle":                         spaceSparkle,
		"http://www.sitemaps.org/schemas/sitemap/0.9":                                 spaceSitemap,
		"http://www.google.com/schemas/sitemap/0.84":                                  spaceSitemap,
		"http://www.google.com/schemas/sitemap-image/1.1":                             spaceImage,
		"http://www.google.com/schemas/sitemap-video/1.1":                             spaceVideo,
		"http://www.sitemaps.org/schemas/sitemap-image/1.1":                           spaceImage,
		"http://www.sitemaps.org/schemas/sitemap-video/1.1":                           spaceVideo,
		"http://xspf.org/ns/0/":                                                       spaceXSPF,
		"https://podcastindex.org/namespace/1.0":                                      spacePodcast,
		"https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": spacePodcast,
		"http://podlove.org/simple-chapters":                                          spaceChapters,
		"http://wordpress.org/export/1.0/":                                            spaceWordPress,
		"http://wordpress.org/export/1.1/":                                            spaceWordPress,
		"http://wordpress.org/export/1.2/":                                            spaceWordPress,
		"http://wordpress.org/export/1.0/excerpt/":                                    spaceExcerpt,
		"http://wordpress.org/export/1.1/excerpt/":                                    spaceExcerpt,
		"http://wordpress.org/export/1.2/excerpt/":                                    spaceExcerpt,
		"http://purl.org/syndication/thread/1.0":                                      spaceThread,
		"http://a9.com/-/spec/opensearch/1.1/":                                        spaceSearch,
		"http://www.mozilla.org/2006/browser/search/":                                 spaceMozilla,
	}
})

// usualPrefixes has the namespaces of prefixes that a document uses without declaring them.
var usualPrefixes = sync.OnceValue(func() map[string]space {
	return map[string]space{
		"xhtml": spaceXHTML, "svg": spaceSVG, "xlink": spaceXLink, "xsl": spaceXSL, "rdf": spaceRDF, "atom": spaceAtom,
		"content": spaceContent, "media": spaceMedia, "itunes": spaceITunes, "wfw": spaceWFW,
		"feedburner":      spaceFeedburner,
		"creativeCommons": spaceLicense, "trackback": spaceTrackback, "image": spaceImage, "video": spaceVideo,
		"podcast": spacePodcast, "psc": spaceChapters, "wp": spaceWordPress, "excerpt": spaceExcerpt,
		"thr": spaceThread,
	}
})

// unnamedRoot returns the namespace of names without one, by the name of such a root. RSS and OPML have no namespace;
// other documents should declare theirs, but some do not.
func unnamedRoot(name []byte) space {
	switch string(name) {
	case "rss", "channel", "RDF":
		return spaceRSS
	case "opml":
		return spaceOPML
	case "feed":
		return spaceAtom
	case "svg":
		return spaceSVG
	case "urlset", "sitemapindex":
		return spaceSitemap
	}
	return spaceNone
}

// rootType returns the media type that the local name of the root stands for, or "".
func rootType(name []byte) string {
	switch string(name) {
	case "html":
		return "application/xhtml+xml"
	case "svg":
		return "image/svg+xml"
	case "feed":
		return "application/atom+xml"
	case "rss":
		return "application/rss+xml"
	case "RDF":
		return "application/rdf+xml"
	case "opml", "urlset", "sitemapindex":
		return "application/xml"
	}
	return ""
}

// textKind is what the content of an element is.
type textKind uint8

const (
	noText        textKind = iota
	textURL                // one URL
	textHTML               // an HTML document, escaped or in CDATA sections
	textInline             // text that has links: a style sheet, the JSON of a script
	textPermalink          // a URL, unless isPermaLink="false" (RSS 2.0)
	textConstruct          // HTML if the type is HTML (RFC 4287 3.1 and 4.1.3; mode="escaped" and "base64" of Atom 0.3)
	textBase64             // an HTML document in base64 (Atom 0.3)
	textMedia              // HTML if the type is "html" (Media RSS)
)

// texts has the elements whose content is a link or a document. Feed readers recognize an entry by its Atom id (RFC
// 4287 4.2.6) or its RSS guid, so neither rewriting nor Map changes an absolute one. A relative one is a link like any
// other.
var texts = []struct {
	ns     space
	prefix string // in the names of nested documents
	as     textKind
	names  string
}{
	{spaceRSS, "", textURL, "link comments docs url"},
	{spaceRSS, "", textPermalink, "guid"},
	{spaceRSS, "", textHTML, "description comment environment customfieldvalue"},
	{spaceContent, "content:", textHTML, "encoded"},
	{spaceAtom, "", textURL, "id icon logo uri url"},
	{spaceAtom, "", textConstruct, "content summary title subtitle rights tagline info copyright"},
	{spaceMedia, "media:", textMedia, "description text title"},
	{spaceITunes, "itunes:", textURL, "new-feed-url"},
	{spaceITunes, "itunes:", textHTML, "summary"},
	{spaceWFW, "wfw:", textURL, "comment commentRss commentRSS"},
	{spaceFeedburner, "feedburner:", textURL, "origLink origEnclosureLink"},
	{spaceLicense, "creativeCommons:", textURL, "license"},
	{spaceTrackback, "trackback:", textURL, "ping about"},
	{spaceSparkle, "sparkle:", textURL, "releaseNotesLink fullReleaseNotesLink"},
	{spaceOPML, "", textURL, "docs ownerId"},
	{spaceSitemap, "", textURL, "loc"},
	{spaceImage, "image:", textURL, "loc license"},
	{spaceVideo, "video:", textURL, "thumbnail_loc content_loc player_loc gallery_loc"},
	{spaceXSPF, "", textURL, "location info image link license"},
	{spaceWordPress, "wp:", textURL, "attachment_url base_site_url base_blog_url comment_author_url"},
	{spaceWordPress, "wp:", textHTML, "comment_content"},
	{spaceExcerpt, "excerpt:", textHTML, "encoded"},
	{spaceSearch, "", textURL, "Image"},
	{spaceMozilla, "", textURL, "SearchForm"},
}

type textPlace struct {
	as    textKind
	place *mark.Place
}

var textsOf = sync.OnceValue(func() *[spaceCount]map[string]textPlace {
	var of [spaceCount]map[string]textPlace
	for _, row := range texts {
		if of[row.ns] == nil {
			of[row.ns] = map[string]textPlace{}
		}
		for _, name := range strings.Fields(row.names) {
			of[row.ns][name] = textPlace{row.as, &mark.Place{
				Name:      row.prefix + name,
				Permanent: row.as == textPermalink || row.ns == spaceAtom && name == "id",
				Absolute: row.ns == spaceSitemap || row.ns == spaceImage || row.ns == spaceVideo ||
					row.ns >= spaceSearch, // sitemaps.org, OpenSearch 1.1
			}}
		}
	}
	return &of
})

// attributePlaces are the forms of the places that otherElement and pageLinks mark. The prefix may be any name.
const attributePlaces = "*@href *@src *@url *@uri *@xmlUrl *@htmlUrl *@info *@about *@resource *@*:href *@*:about " +
	"*@*:resource *@*:datatype *@*:type *@xml:base *@fileref *@img *@srcset *@image *@source *@template " +
	"xml-stylesheet@href"

// attributeElements are the elements of feeds and other XML that often have links, but no row in texts.
const attributeElements = "category channel enclosure entry generator import include item outline source textinput " +
	"xml-stylesheet"

func placeNames() []string {
	names := append(strings.Fields(attributePlaces), strings.Fields(attributeElements)...)
	for _, row := range texts {
		for _, name := range strings.Fields(row.names) {
			names = append(names, row.prefix+name)
		}
	}
	return names
}
