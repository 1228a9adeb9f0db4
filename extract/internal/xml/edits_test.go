package xml_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
	"absolink/resolve"
)

// feed returns an XML document that was retrieved from http://h/p/.
func feed(src string) extract.Document {
	return extract.Document{Type: "application/xml", URL: "http://h/p/", Bytes: []byte(src)}
}

// xhtml returns an XHTML page with a body.
func xhtml(body string) string {
	return `<html xmlns="http://www.w3.org/1999/xhtml"><body>` + body + `</body></html>`
}

// xmlEdits are the kinds of markup that other programs damage or miss.
var xmlEdits = []struct{ name, src, want string }{
	{"RSS", `<rss><channel><link>x</link><item><link> y
</link><guid>g</guid><guid isPermaLink="false">i</guid><enclosure url='e'/><source url="s">n</source><comments>c</comments></item></channel></rss>`,
		`<rss><channel><link>http://h/p/x</link><item><link> http://h/p/y
</link><guid>http://h/p/g</guid><guid isPermaLink="false">i</guid><enclosure url='http://h/p/e'/><source url="http://h/p/s">n</source><comments>http://h/p/c</comments></item></channel></rss>`},
	{"description, escaped", `<rss><description>&lt;a href="x?a&amp;amp;b"&gt;</description></rss>`, `<rss><description>&lt;a href="http://h/p/x?a&amp;amp;b"&gt;</description></rss>`},
	{"description, in CDATA", `<rss><description> <![CDATA[<a href="x?a&amp;b">]]></description></rss>`, `<rss><description> <![CDATA[<a href="http://h/p/x?a&amp;b">]]></description></rss>`},
	{"Atom with xml:base", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b/"><link href="x"/><entry xml:base="e/"><link href="y"/><content type="html" xml:base="/c/">&lt;img src=z&gt;</content></entry><id>i</id></feed>`,
		`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b/"><link href="http://b/x"/><entry xml:base="http://b/e/"><link href="http://b/e/y"/><content type="html" xml:base="http://b/c/">&lt;img src=http://b/c/z&gt;</content></entry><id>http://b/i</id></feed>`},
	{"RSS 2.0: guid is a permalink unless isPermaLink is false", `<rss><guid isPermaLink="true">g</guid><guid isPermaLink='false'>h</guid><guid isPermaLink="f&#97;lse">i</guid></rss>`, `<rss><guid isPermaLink="true">http://h/p/g</guid><guid isPermaLink='false'>h</guid><guid isPermaLink="f&#97;lse">i</guid></rss>`},
	{"escaped as feeds write it", `<rss><guid isPermaLink="True">g</guid><guid isPermaLink="False">h</guid><guid ispermalink='no'>i</guid><guid isPermalink="true">j</guid></rss>`, `<rss><guid isPermaLink="True">http://h/p/g</guid><guid isPermaLink="False">h</guid><guid ispermalink='no'>i</guid><guid isPermalink="true">http://h/p/j</guid></rss>`},
	{"RSS 2.0: image, textInput, docs, comments, category", `<rss><channel><image><url>i</url><link>l</link></image><textInput><link>t</link></textInput><docs>d</docs><comments>c</comments><category domain="x">y</category></channel></rss>`, `<rss><channel><image><url>http://h/p/i</url><link>http://h/p/l</link></image><textInput><link>http://h/p/t</link></textInput><docs>http://h/p/d</docs><comments>http://h/p/c</comments><category domain="x">y</category></channel></rss>`},
	{"RSS 1.0", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="c"><link>l</link><items><rdf:Seq><rdf:li rdf:resource="i"/><rdf:li resource="j"/></rdf:Seq></items></channel><item rdf:about="i" rdf:ID="k"/></rdf:RDF>`,
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="http://h/p/c"><link>http://h/p/l</link><items><rdf:Seq><rdf:li rdf:resource="http://h/p/i"/><rdf:li resource="http://h/p/j"/></rdf:Seq></items></channel><item rdf:about="http://h/p/i" rdf:ID="k"/></rdf:RDF>`},
	{"RDF/XML 6.1.4: about and resource without the prefix", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:x="http://x/"><channel about="c"><image resource="i"/></channel><x:item x:about="no" about="no"/></rdf:RDF>`,
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:x="http://x/"><channel about="http://h/p/c"><image resource="http://h/p/i"/></channel><x:item x:about="no" about="no"/></rdf:RDF>`},
	{"RDF/XML 5.3, 7.2.11: datatype and type", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:type="t" type="no"><x rdf:datatype="d">1</x></rdf:Description></rdf:RDF>`,
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:type="http://h/p/t" type="no"><x rdf:datatype="http://h/p/d">1</x></rdf:Description></rdf:RDF>`},
	{"RSS modules, with any prefix", `<rss xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:w="http://wellformedweb.org/CommentAPI/"><c:encoded>&lt;a href=x></c:encoded><w:commentRss>r</w:commentRss></rss>`, `<rss xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:w="http://wellformedweb.org/CommentAPI/"><c:encoded>&lt;a href=http://h/p/x></c:encoded><w:commentRss>http://h/p/r</w:commentRss></rss>`},
	{"CommentAPI: commentRSS, as it was first called", `<rss><wfw:commentRSS>r</wfw:commentRSS></rss>`, `<rss><wfw:commentRSS>http://h/p/r</wfw:commentRSS></rss>`},
	{"an appcast of Sparkle, which may be relative", `<rss xmlns:s="http://www.andymatuschak.org/xml-namespaces/sparkle"><item><s:releaseNotesLink> n.html </s:releaseNotesLink><s:fullReleaseNotesLink>f.html</s:fullReleaseNotesLink><s:version>2</s:version><enclosure url="a.zip"/></item></rss>`, `<rss xmlns:s="http://www.andymatuschak.org/xml-namespaces/sparkle"><item><s:releaseNotesLink> http://h/p/n.html </s:releaseNotesLink><s:fullReleaseNotesLink>http://h/p/f.html</s:fullReleaseNotesLink><s:version>2</s:version><enclosure url="http://h/p/a.zip"/></item></rss>`},
	{"RSS modules by namespaces with a small difference", `<rss xmlns:c="https://purl.org/rss/1.0/modules/content" xmlns:i="http://www.itunes.com/DTDs/Podcast-1.0.dtd"><c:encoded>&lt;a href=x></c:encoded><i:summary>&lt;a href=y></i:summary></rss>`, `<rss xmlns:c="https://purl.org/rss/1.0/modules/content" xmlns:i="http://www.itunes.com/DTDs/Podcast-1.0.dtd"><c:encoded>&lt;a href=http://h/p/x></c:encoded><i:summary>&lt;a href=http://h/p/y></i:summary></rss>`},
	{"Atom by such a namespace; XHTML and XLink have only one", `<feed xmlns="https://www.w3.org/2005/Atom" xmlns:l="https://www.w3.org/1999/xlink"><logo>l</logo><q xmlns="https://www.w3.org/1999/xhtml" cite="no" l:href="no"/></feed>`, `<feed xmlns="https://www.w3.org/2005/Atom" xmlns:l="https://www.w3.org/1999/xlink"><logo>http://h/p/l</logo><q xmlns="https://www.w3.org/1999/xhtml" cite="no" l:href="no"/></feed>`},
	{"RSS modules whose prefix is not declared", `<rss><content:encoded>&lt;a href=x></content:encoded><media:thumbnail url="t"/><my:link>l</my:link></rss>`, `<rss><content:encoded>&lt;a href=http://h/p/x></content:encoded><media:thumbnail url="http://h/p/t"/><my:link>l</my:link></rss>`},
	{"a prefix that means another namespace", `<rss xmlns:content="http://x/"><content:encoded>&lt;a href=x></content:encoded></rss>`, `<rss xmlns:content="http://x/"><content:encoded>&lt;a href=x></content:encoded></rss>`},
	{"Media RSS", `<rss xmlns:media="http://search.yahoo.com/mrss/"><media:group><media:content url="a"/><media:player url="b"/></media:group><media:description type="html">&lt;a href=x></media:description><media:description>&lt;a href=x></media:description></rss>`, `<rss xmlns:media="http://search.yahoo.com/mrss/"><media:group><media:content url="http://h/p/a"/><media:player url="http://h/p/b"/></media:group><media:description type="html">&lt;a href=http://h/p/x></media:description><media:description>&lt;a href=x></media:description></rss>`},
	{"Atom with a type in capitals, as feedparser reads it", `<feed xmlns="http://www.w3.org/2005/Atom"><summary type="HTML">&lt;a href=x></summary></feed>`, `<feed xmlns="http://www.w3.org/2005/Atom"><summary type="HTML">&lt;a href=http://h/p/x></summary></feed>`},
	{"RFC 4287 4.1.3.3: text, html, xhtml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>&lt;a href=x></title><title type="text">&lt;a href=x></title><title type="html">&lt;a href=x></title><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="x"><img src="y"/></a></div></content></feed>`,
		`<feed xmlns="http://www.w3.org/2005/Atom"><title>&lt;a href=x></title><title type="text">&lt;a href=x></title><title type="html">&lt;a href=http://h/p/x></title><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="http://h/p/x"><img src="http://h/p/y"/></a></div></content></feed>`},
	{"RFC 4287 4.1.3.1: a media type may have parameters", `<feed xmlns="http://www.w3.org/2005/Atom"><content type="Text/HTML; charset=utf-8">&lt;a href=x></content><content type="text/html5">&lt;a href=x></content></feed>`,
		`<feed xmlns="http://www.w3.org/2005/Atom"><content type="Text/HTML; charset=utf-8">&lt;a href=http://h/p/x></content><content type="text/html5">&lt;a href=x></content></feed>`},
	{"RFC 4287: icon, logo, uri, content@src, generator", `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:icon>i</a:icon><a:logo> l </a:logo><a:author><a:uri>u</a:uri></a:author><a:content src="s" type="image/png"/><a:generator uri="g"/></a:feed>`,
		`<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:icon>http://h/p/i</a:icon><a:logo> http://h/p/l </a:logo><a:author><a:uri>http://h/p/u</a:uri></a:author><a:content src="http://h/p/s" type="image/png"/><a:generator uri="http://h/p/g"/></a:feed>`},
	{"RFC 4287 4.2.6: an id that is absolute", `<feed xmlns="http://www.w3.org/2005/Atom"><id>tag:h,2005:x</id><id>HTTP://h/../x</id></feed>`, `<feed xmlns="http://www.w3.org/2005/Atom"><id>tag:h,2005:x</id><id>HTTP://h/../x</id></feed>`},
	{"Atom 0.3: escaped", `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><content type="text/html" mode="escaped">&lt;a href=x></content><author><url>u</url></author></feed>`, `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><content type="text/html" mode="escaped">&lt;a href=http://h/p/x></content><author><url>http://h/p/u</url></author></feed>`},
	{"Atom 0.3: escaped XHTML", `<feed xmlns="http://purl.org/atom/ns#"><content type="application/xhtml+xml" mode="escaped">&lt;a href="x"/></content><content type="application/xhtml+xml">&lt;a href="x"/></content></feed>`, `<feed xmlns="http://purl.org/atom/ns#"><content type="application/xhtml+xml" mode="escaped">&lt;a href="http://h/p/x"/></content><content type="application/xhtml+xml">&lt;a href="x"/></content></feed>`},
	{"Atom 0.3: base64", `<feed xmlns="http://purl.org/atom/ns#"><title type="text/html" mode="base64"> PHA+PGEgaHJlZj14Pg== </title><title type="text/plain" mode="base64">PHA+PGEgaHJlZj14Pg==</title><title type="text/html" mode="base64">PGI+PC9i&#61;</title><summary type="application/xhtml+xml" mode="base64">
PHA+QSBwYXJhZ3JhcGgg
b2YgdGV4dC48L3A+PGEg
aHJlZj14Pg==
</summary></feed>`, `<feed xmlns="http://purl.org/atom/ns#"><title type="text/html" mode="base64"> PHA+PGEgaHJlZj1odHRwOi8vaC9wL3g+ </title><title type="text/plain" mode="base64">PHA+PGEgaHJlZj14Pg==</title><title type="text/html" mode="base64">PGI+PC9i&#61;</title><summary type="application/xhtml+xml" mode="base64">
PHA+QSBwYXJhZ3JhcGgg
b2YgdGV4dC48L3A+PGEg
aHJlZj1odHRwOi8vaC9w
L3g+
</summary></feed>`},
	{"RSS in another namespace", `<rss xmlns="https://h/rss" xmlns:a="http://a/"><link>x</link><a:link>y</a:link></rss>`, `<rss xmlns="https://h/rss" xmlns:a="http://a/"><link>http://h/p/x</link><a:link>y</a:link></rss>`},
	{"a sitemap in another namespace", `<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>x</loc></url></urlset>`, `<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://h/p/x</loc></url></urlset>`},
	{"RSS in the namespace of Atom", `<rss xmlns="http://www.w3.org/2005/Atom"><link>x</link><guid>y</guid></rss>`, `<rss xmlns="http://www.w3.org/2005/Atom"><link>http://h/p/x</link><guid>http://h/p/y</guid></rss>`},
	{"a default namespace beside the namespace of the root", `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns="http://www.google.com/schemas/sitemap-video/1.1"><s:loc>a</s:loc><player_loc>b</player_loc></s:urlset>`, `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns="http://www.google.com/schemas/sitemap-video/1.1"><s:loc>http://h/p/a</s:loc><player_loc>http://h/p/b</player_loc></s:urlset>`},
	{"not in the namespace of another root", `<feed xmlns="http://a/"><id>x</id></feed>`, `<feed xmlns="http://a/"><id>x</id></feed>`},
	{"an id element of another namespace", `<r><id>1</id><link>x</link></r>`, `<r><id>1</id><link>x</link></r>`},
	{"sitemap", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>
  a </loc><image:image><image:loc>b</image:loc></image:image></url></urlset>`, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>
  http://h/p/a </loc><image:image><image:loc>http://h/p/b</image:loc></image:image></url></urlset>`},
	{"the links of a video", `<urlset xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"><video:player_loc>a</video:player_loc><video:gallery_loc title="no">b</video:gallery_loc><video:uploader info="c">no</video:uploader><x info="no"/></urlset>`,
		`<urlset xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"><video:player_loc>http://h/p/a</video:player_loc><video:gallery_loc title="no">http://h/p/b</video:gallery_loc><video:uploader info="http://h/p/c">no</video:uploader><x info="no"/></urlset>`},
	{"pictures and videos by the names that sitemaps often give them", `<urlset xmlns:i="https://www.google.com/schemas/sitemap-image/1.1" xmlns:v="https://www.google.com/schemas/sitemap-video/1.1"><i:loc>a</i:loc><v:content_loc>b</v:content_loc></urlset>`,
		`<urlset xmlns:i="https://www.google.com/schemas/sitemap-image/1.1" xmlns:v="https://www.google.com/schemas/sitemap-video/1.1"><i:loc>http://h/p/a</i:loc><v:content_loc>http://h/p/b</v:content_loc></urlset>`},
	{"pictures and videos by other names", `<urlset xmlns:i="http://www.sitemaps.org/schemas/sitemap-image/1.1" xmlns:v="http://www.sitemaps.org/schemas/sitemap-video/1.1"><i:loc>a</i:loc><v:content_loc>b</v:content_loc></urlset>`,
		`<urlset xmlns:i="http://www.sitemaps.org/schemas/sitemap-image/1.1" xmlns:v="http://www.sitemaps.org/schemas/sitemap-video/1.1"><i:loc>http://h/p/a</i:loc><v:content_loc>http://h/p/b</v:content_loc></urlset>`},
	{"sitemap index", `<sitemapindex><sitemap><loc>a</loc></sitemap></sitemapindex>`, `<sitemapindex><sitemap><loc>http://h/p/a</loc></sitemap></sitemapindex>`},
	{"sitemap index in another namespace", `<sitemapindex xmlns="http://x/"><sitemap><loc>a</loc></sitemap></sitemapindex>`, `<sitemapindex xmlns="http://x/"><sitemap><loc>http://h/p/a</loc></sitemap></sitemapindex>`},
	{"OPML", `<opml version="2.0"><head><docs>d</docs></head><body><outline xmlUrl="x" htmlUrl="h" text="t"/><outline type="link" url="u"/></body></opml>`, `<opml version="2.0"><head><docs>http://h/p/d</docs></head><body><outline xmlUrl="http://h/p/x" htmlUrl="http://h/p/h" text="t"/><outline type="link" url="http://h/p/u"/></body></opml>`},
	{"XSPF 1: playlists, with xml:base", `<playlist version="1" xmlns="http://xspf.org/ns/0/"><location>l</location><license>c</license><identifier>no</identifier><trackList xml:base="t/"><track><location>a.mp3</location><location>b.mp3</location><image> i </image><info>n</info><link rel="http://r/">k</link></track></trackList></playlist>`,
		`<playlist version="1" xmlns="http://xspf.org/ns/0/"><location>http://h/p/l</location><license>http://h/p/c</license><identifier>no</identifier><trackList xml:base="http://h/p/t/"><track><location>http://h/p/t/a.mp3</location><location>http://h/p/t/b.mp3</location><image> http://h/p/t/i </image><info>http://h/p/t/n</info><link rel="http://r/">http://h/p/t/k</link></track></trackList></playlist>`},
	{"XML: href, src, url, uri, xlink:href", `<r xmlns:l="http://www.w3.org/1999/xlink" xmlns:m="http://m/"><a href="1" src="2" url="3" uri="4" l:href="5" m:href="6" HREF="7" hrefs="8"/></r>`, `<r xmlns:l="http://www.w3.org/1999/xlink" xmlns:m="http://m/"><a href="http://h/p/1" src="http://h/p/2" url="http://h/p/3" uri="http://h/p/4" l:href="http://h/p/5" m:href="6" HREF="7" hrefs="8"/></r>`},
	{"SVG", `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xl="http://www.w3.org/1999/xlink"><style>@import "a";b{c:url(d)}</style><image xl:href="e"/><use href="#f"/><a href="#g"/><rect fill="url(h#i)" style="fill:url(j)"/><script href="k"/></svg>`,
		`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xl="http://www.w3.org/1999/xlink"><style>@import "http://h/p/a";b{c:url(http://h/p/d)}</style><image xl:href="http://h/p/e"/><use href="#f"/><a href="http://h/p/#g"/><rect fill="url(http://h/p/h#i)" style="fill:url(http://h/p/j)"/><script href="http://h/p/k"/></svg>`},
	{"SVG with a prefix, and without its namespace", `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:image href="e"/></s:svg><svg><image href="f"/></svg>`, `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:image href="http://h/p/e"/></s:svg><svg><image href="http://h/p/f"/></svg>`},
	{"CSS in CDATA and in pieces", `<svg xmlns="http://www.w3.org/2000/svg"><style><![CDATA[a>b{c:url("d&e")}]]><!-- f{g:url(h)} --> i{j:url(k)}</style></svg>`, `<svg xmlns="http://www.w3.org/2000/svg"><style><![CDATA[a>b{c:url("http://h/p/d&e")}]]><!-- f{g:url(h)} --> i{j:url(http://h/p/k)}</style></svg>`},
	{"XHTML: the places of HTML", xhtml(`<img srcset="a 1x, b 2x" longdesc='c'/><p style="d:url(e)"/><form action="f"/><iframe srcdoc="&lt;a href='g'>"/><object codebase="h/" data="i"/><meta http-equiv="refresh" content="0;url=j"/><q cite="k"/>`),
		xhtml(`<img srcset="http://h/p/a 1x, http://h/p/b 2x" longdesc='http://h/p/c'/><p style="d:url(http://h/p/e)"/><form action="http://h/p/f"/><iframe srcdoc="&lt;a href='http://h/p/g'>"/><object codebase="http://h/p/h/" data="http://h/p/h/i"/><meta http-equiv="refresh" content="0;url=http://h/p/j"/><q cite="http://h/p/k"/>`)},
	{"XHTML: names in lower case only", xhtml(`<A href="x"/><a HREF="x"/><Base href="/y/"/>`), xhtml(`<A href="x"/><a HREF="x"/><Base href="/y/"/>`)},
	{"XHTML: noscript, title and textarea are ordinary elements", xhtml(`<noscript><a href="x"/></noscript><title><a href="y"/></title><textarea><a href="z"/></textarea>`), xhtml(`<noscript><a href="http://h/p/x"/></noscript><title><a href="http://h/p/y"/></title><textarea><a href="http://h/p/z"/></textarea>`)},
	{"XHTML: xml:base on an XHTML element", xhtml(`<p xml:base="b/"><a href="x" xml:base="c/" style="d:url(e)"/><object xml:base="f/" codebase="g/" data="i"/></p><a href="h"/>`), xhtml(`<p xml:base="http://h/p/b/"><a href="http://h/p/b/c/x" xml:base="http://h/p/b/c/" style="d:url(http://h/p/b/c/e)"/><object xml:base="http://h/p/b/f/" codebase="http://h/p/b/f/g/" data="http://h/p/b/f/g/i"/></p><a href="http://h/p/h"/>`)},
	{"XHTML with a prefix; an element without the prefix is not XHTML", `<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:img longdesc="x"/><img longdesc="y"/></h:html>`, `<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:img longdesc="http://h/p/x"/><img longdesc="y"/></h:html>`},
	{"Namespaces 5.1: a scope ends with its element", `<r xmlns:h="http://www.w3.org/1999/xhtml"><h:q cite="a"/><r xmlns:h="http://x/"><h:q cite="b"/></r><h:q cite="c"/></r>`, `<r xmlns:h="http://www.w3.org/1999/xhtml"><h:q cite="http://h/p/a"/><r xmlns:h="http://x/"><h:q cite="b"/></r><h:q cite="http://h/p/c"/></r>`},
	{"Namespaces 6.2: the default namespace, undeclared", xhtml(`<x xmlns=""><q cite="a"/></x><q cite="b"/>`), xhtml(`<x xmlns=""><q cite="a"/></x><q cite="http://h/p/b"/>`)},
	{"Namespaces 6.2: attributes have no default namespace", xhtml(`<x:q xmlns:x="http://x/" cite="a" href="b"/>`), xhtml(`<x:q xmlns:x="http://x/" cite="a" href="http://h/p/b"/>`)},
	{"a namespace with character references", `<q xmlns="http://www.w3.org/1999/&#x78;html" cite="a"/>`, `<q xmlns="http://www.w3.org/1999/&#x78;html" cite="http://h/p/a"/>`},
	{"XML Base 4: inner against outer, links on the element itself", `<r xml:base="/a/"><b xml:base="c/" href="d"><e href="f"/></b><g href="i"/></r>`, `<r xml:base="http://h/a/"><b xml:base="http://h/a/c/" href="http://h/a/c/d"><e href="http://h/a/c/f"/></b><g href="http://h/a/i"/></r>`},
	{"a base in another namespace is not a base", `<r xmlns:x="http://x/" x:base="/a/" base="/b/" href="d"/>`, `<r xmlns:x="http://x/" x:base="/a/" base="/b/" href="http://h/p/d"/>`},
	{"an empty xml:base is the base around it", `<r xml:base="/a/"><b xml:base="" href="d"/></r>`, `<r xml:base="http://h/a/"><b xml:base="" href="http://h/a/d"/></r>`},
	{"an xml:base that is not a base", `<r xml:base="mailto:x"><b href="d"/></r>`, `<r xml:base="mailto:x"><b href="http://h/p/d"/></r>`},
	{"xml-stylesheet 3: pseudo-attributes, outside of any xml:base", `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="a?b&amp;c"?><?xml-stylesheet href='#d'?><?xml-stylesheets href="e"?><r xml:base="/f/"><?xml-stylesheet href="g"?></r>`, `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="http://h/p/a?b&amp;c"?><?xml-stylesheet href='#d'?><?xml-stylesheets href="e"?><r xml:base="http://h/f/"><?xml-stylesheet href="g"?></r>`},
	{"xml-stylesheet 3: outside of the BASE element", `<?xml-stylesheet href="a"?>` + xhtml(`<base href="/f/"/><a href="b"/>`), `<?xml-stylesheet href="http://h/p/a"?>` + xhtml(`<base href="http://h/f/"/><a href="http://h/f/b"/>`)},
	{"XML 2.7: a CDATA section is no markup", `<r><![CDATA[<a href="x"/>]]><a href="y"/><![CDATA[]]]]></r>`, `<r><![CDATA[<a href="x"/>]]><a href="http://h/p/y"/><![CDATA[]]]]></r>`},
	{"XML 2.5, 2.6: comments and processing instructions are not links", `<r><!-- <a href="x"/> - -- > --><?php <a href="x"/> ?><a href="y"/></r>`, `<r><!-- <a href="x"/> - -- > --><?php <a href="x"/> ?><a href="http://h/p/y"/></r>`},
	{"XML 2.8: the internal subset", `<!DOCTYPE r SYSTEM "x>" [ <!ENTITY a "]><a href='x'/>"> <!-- ' ]> --> <?p ' ]> ?> <!ATTLIST r href CDATA 'x'> ]><r href="y"/>`, `<!DOCTYPE r SYSTEM "x>" [ <!ENTITY a "]><a href='x'/>"> <!-- ' ]> --> <?p ' ]> ?> <!ATTLIST r href CDATA 'x'> ]><r href="http://h/p/y"/>`},
	{"XML 4.1: entities of the document are not expanded", `<!DOCTYPE rss [<!ENTITY b "http://b/">]><rss><link>&b;x</link><enclosure url="&b;x"/><enclosure url="?a&b=c;&amp;d"/><link>y</link></rss>`, `<!DOCTYPE rss [<!ENTITY b "http://b/">]><rss><link>&b;x</link><enclosure url="&b;x"/><enclosure url="http://h/p/?a&b=c;&amp;d"/><link>http://h/p/y</link></rss>`},
	{"XML 4.1: entity references in an xml:base", `<r xml:base="&b;"><a href="x" xml:base="/c/"/></r>`, `<r xml:base="&b;"><a href="x" xml:base="/c/"/></r>`},
	{"XML 4.1: entity references in a BASE element or a codebase", xhtml(`<a href="x"/><object codebase="&b;" data="y"/><base href="&b;"/><base href="/c/"/><p xml:base="/d/"><a href="z"/></p>`), xhtml(`<a href="x"/><object codebase="&b;" data="y"/><base href="&b;"/><base href="/c/"/><p xml:base="/d/"><a href="z"/></p>`)},
	{"a BASE element that is not a base", xhtml(`<object data="y" codebase="&b;"/><base href="/c/"/><base href="&b;"/><template><base href="&b;"/></template><a href="x"/>`), xhtml(`<object data="y" codebase="&b;"/><base href="http://h/c/"/><base href="&b;"/><template><base href="&b;"/></template><a href="http://h/c/x"/>`)},
	{"XML 4.1: entity references beside a CDATA section", `<rss><link>&b;<![CDATA[x]]></link><link><![CDATA[y]]><!-- &b; -->&b;</link><link><![CDATA[&b;z]]>&amp;</link></rss>`, `<rss><link>&b;<![CDATA[x]]></link><link><![CDATA[y]]><!-- &b; -->&b;</link><link><![CDATA[http://h/p/&b;z]]>&amp;</link></rss>`},
	{"XML 4.1: entity references in a list, a srcset or a style", xhtml(`<img srcset="&b;x 1x"/><a ping="&b;x y"/><p style="a:url(&b;x)"/><p style="&b;"/><p x:href="&b;x" xmlns:x="http://www.w3.org/1999/xlink"/><img srcset="x&amp;y"/>`), xhtml(`<img srcset="&b;x 1x"/><a ping="&b;x y"/><p style="a:url(&b;x)"/><p style="&b;"/><p x:href="&b;x" xmlns:x="http://www.w3.org/1999/xlink"/><img srcset="http://h/p/x&amp;y"/>`)},
	{"XML 4.1: entity references where other attributes make a link", xhtml(`<meta http-equiv="refresh" content="5;url=&b;x"/><param valuetype="ref" value="&b;x"/><meta name="d" content="&b;"/><meta content="5;url=x&amp;y" http-equiv="refresh"/>`), xhtml(`<meta http-equiv="refresh" content="5;url=&b;x"/><param valuetype="ref" value="&b;x"/><meta name="d" content="&b;"/><meta content="5;url=http://h/p/x&amp;y" http-equiv="refresh"/>`)},
	{"XML 4.1: entity references in the base of a meta element", xhtml(`<a href="x"/><meta http-equiv="base" content="&b;"/>`), xhtml(`<a href="x"/><meta http-equiv="base" content="&b;"/>`)},
	{"XML 4.1: entity references in a style sheet", `<!DOCTYPE svg [<!ENTITY b "http://b/">]><svg xmlns="http://www.w3.org/2000/svg"><style>a{b:url(&b;x)}</style><style>a{b:url(x)}/*<![CDATA[&b;]]>*/<!--&b;--></style></svg>`,
		`<!DOCTYPE svg [<!ENTITY b "http://b/">]><svg xmlns="http://www.w3.org/2000/svg"><style>a{b:url(&b;x)}</style><style>a{b:url(http://h/p/x)}/*<![CDATA[&b;]]>*/<!--&b;--></style></svg>`},
	{"XML 4.1: entity references in HTML, except the entities of HTML", `<!DOCTYPE rss [<!ENTITY b "http://b/"><!ENTITY nbsp "&#160;">]><rss><description>&lt;a href="&b;x"></description><description>&nbsp;&lt;a href="x&eacute;"></description><description><![CDATA[<a href="&b;x">]]></description><r xmlns="http://www.w3.org/1999/xhtml"><iframe srcdoc="&lt;a href='&b;x'>"/><iframe srcdoc="&lt;a href='&amp;b;x'>"/></r></rss>`,
		`<!DOCTYPE rss [<!ENTITY b "http://b/"><!ENTITY nbsp "&#160;">]><rss><description>&lt;a href="&b;x"></description><description>&nbsp;&lt;a href="http://h/p/x&eacute;"></description><description><![CDATA[<a href="http://h/p/&b;x">]]></description><r xmlns="http://www.w3.org/1999/xhtml"><iframe srcdoc="&lt;a href='&b;x'>"/><iframe srcdoc="&lt;a href='http://h/p/&amp;b;x'>"/></r></rss>`},
	{"HTML in a document that declares no entities", `<rss><description>&lt;a href="x">&b;</description></rss>`, `<rss><description>&lt;a href="http://h/p/x">&b;</description></rss>`},
	{"XML 4.1: a namespace in an entity, as Illustrator writes it", `<!DOCTYPE svg [<!ENTITY s "http://www.w3.org/2000/svg"><!ENTITY x "http://www.w3.org/1999/xlink">]><svg xmlns="&s;" xmlns:xlink="&x;"><style>a{b:url(c)}</style><image xlink:href="d"/></svg>`,
		`<!DOCTYPE svg [<!ENTITY s "http://www.w3.org/2000/svg"><!ENTITY x "http://www.w3.org/1999/xlink">]><svg xmlns="&s;" xmlns:xlink="&x;"><style>a{b:url(http://h/p/c)}</style><image xlink:href="http://h/p/d"/></svg>`},
	{"an entity of HTML in a description", `<rss><description>&nbsp;&lt;a href=x>&nbsp;</description></rss>`, `<rss><description>&nbsp;&lt;a href=http://h/p/x>&nbsp;</description></rss>`},
	{"a CDATA section as a link", `<rss><link><![CDATA[ a?b&c ]]></link><link> <!-- d --> e</link></rss>`, `<rss><link><![CDATA[ http://h/p/a?b&c ]]></link><link> <!-- d --> http://h/p/e</link></rss>`},
	{"an element without content", `<rss><link/><link></link><link> </link><link><![CDATA[ ]]></link><link><!-- --></link></rss>`, `<rss><link/><link></link><link> </link><link><![CDATA[ ]]></link><link><!-- --></link></rss>`},
	{"an empty attribute in RSS", `<rss xmlns:media="http://search.yahoo.com/mrss/"><enclosure url=""/><source url=' '>s</source><media:thumbnail url=""/><media:peerLink href="  "/><itunes:image href=""/><atom:link href=""/></rss>`, `<rss xmlns:media="http://search.yahoo.com/mrss/"><enclosure url=""/><source url=' '>s</source><media:thumbnail url=""/><media:peerLink href="  "/><itunes:image href=""/><atom:link href="http://h/p/"/></rss>`},
	{"an empty attribute in OPML", `<opml><outline htmlUrl="" xmlUrl="x"/></opml>`, `<opml><outline htmlUrl="" xmlUrl="http://h/p/x"/></opml>`},
	{"an element with elements in it", `<rss><link>a<b/></link><description>&lt;a href=x><b/></description></rss>`, `<rss><link>a<b/></link><description>&lt;a href=x><b/></description></rss>`},
	{"mixed sections and text", `<rss><description>&lt;a href="x"&gt;<![CDATA[<a href="y">]]>&lt;<![CDATA[a href=]]>z&gt;</description></rss>`, `<rss><description>&lt;a href="http://h/p/x"&gt;<![CDATA[<a href="http://h/p/y">]]>&lt;<![CDATA[a href=http://h/p/]]>z&gt;</description></rss>`},
	{"a base in a description governs only the description", `<rss><description>&lt;base href=/d/>&lt;a href=x></description><link>y</link></rss>`, `<rss><description>&lt;base href=http://h/d/>&lt;a href=http://h/d/x></description><link>http://h/p/y</link></rss>`},
	{"XInclude 3.1: an empty href is the document itself", `<r xmlns:xi="http://www.w3.org/2001/XInclude" xml:base="/b/"><xi:include href="" xpointer="x"/><xi:include href="y"/></r>`, `<r xmlns:xi="http://www.w3.org/2001/XInclude" xml:base="http://h/b/"><xi:include href="" xpointer="x"/><xi:include href="http://h/b/y"/></r>`},
	{"XSLT: only what a stylesheet imports", `<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:import href="a"/><xsl:include href='b'/><xsl:template><a href="{$x}"><img src="c" xmlns="http://www.w3.org/1999/xhtml"/></a></xsl:template></xsl:stylesheet>`, `<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:import href="http://h/p/a"/><xsl:include href='http://h/p/b'/><xsl:template><a href="{$x}"><img src="c" xmlns="http://www.w3.org/1999/xhtml"/></a></xsl:template></xsl:stylesheet>`},
	{"XSLT 7.1.1 and 7.6.2: xml:base, and the base of the result", `<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xml:base="b/"><xsl:import href="a"/><xsl:import href="c" xml:base="/d/"/><xsl:template><feed xml:base="{$x}"><e xml:base="f/"/></feed></xsl:template></xsl:stylesheet>`, `<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xml:base="http://h/p/b/"><xsl:import href="http://h/p/b/a"/><xsl:import href="http://h/d/c" xml:base="http://h/d/"/><xsl:template><feed xml:base="{$x}"><e xml:base="f/"/></feed></xsl:template></xsl:stylesheet>`},
	{"XSLT: no other href", `<s:stylesheet xmlns:s="http://www.w3.org/1999/XSL/Transform"><s:import href="a"/><s:result-document href="{x}"/></s:stylesheet>`, `<s:stylesheet xmlns:s="http://www.w3.org/1999/XSL/Transform"><s:import href="http://h/p/a"/><s:result-document href="{x}"/></s:stylesheet>`},
	{"XSLT 2.3: a literal result element", `<html xsl:version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns="http://www.w3.org/1999/xhtml"><a href="{x}"/></html>`, `<html xsl:version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns="http://www.w3.org/1999/xhtml"><a href="{x}"/></html>`},
	{"SVG 6.2: the type of a style element", `<svg xmlns="http://www.w3.org/2000/svg"><style type="Text/CSS">a{b:url(c)}</style><style type="text/less">a{b:url(c)}</style></svg>`, `<svg xmlns="http://www.w3.org/2000/svg"><style type="Text/CSS">a{b:url(http://h/p/c)}</style><style type="text/less">a{b:url(c)}</style></svg>`},
	{"XLink 4.1: an href of another namespace", `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://x/" xmlns:l="http://www.w3.org/1999/xlink"><image x:href="a" l:href="b"/></svg>`, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://x/" xmlns:l="http://www.w3.org/1999/xlink"><image x:href="a" l:href="http://h/p/b"/></svg>`},
	{"a version of another namespace", `<r x:version="1.0" xmlns:x="http://x/" href="y"/>`, `<r x:version="1.0" xmlns:x="http://x/" href="http://h/p/y"/>`},
	{"quotes and white space in tags", "<r\n><a\thref\n=\r\n'x\"y' /><a href = \"x'y\"></a\n></r>", "<r\n><a\thref\n=\r\n'http://h/p/x\"y' /><a href = \"http://h/p/x'y\"></a\n></r>"},
	{"XML 3.3.3: a line end in a value is a space", "<a href=' x\r\ny\n'/>", "<a href=' http://h/p/x\r\ny\n'/>"},
	{"a > in a value", `<a title="/>" href="x>y"/>`, `<a title="/>" href="http://h/p/x>y"/>`},
	{"not well-formed: < in a value", `<a title="<b href='x'>" href="y"/>`, `<a title="<b href='x'>" href="http://h/p/y"/>`},
	{"not well-formed: no quotes, no value", `<a href=x title href="y"/>`, `<a href=x title href="http://h/p/y"/>`},
	{"not well-formed: a tag in a tag", `<a href="x" <b src="y"/>`, `<a href="http://h/p/x" <b src="http://h/p/y"/>`},
	{"not well-formed: markup in text", `<rss><link>x</b></link><link>y<!z></link><link>a < b</link></rss>`, `<rss><link>x</b></link><link>y<!z></link><link>http://h/p/a < b</link></rss>`},
	{"not well-formed: text that looks like markup", `a < b <1 </> <> <!x> <a href="y"/>`, `a < b <1 </> <> <!x> <a href="http://h/p/y"/>`},
	{"not well-formed: an end tag that skips an element", `<r><b xml:base="/b/"><c></b><a href="x"/></r>`, `<r><b xml:base="http://h/b/"><c></b><a href="http://h/p/x"/></r>`},
	{"not well-formed: an end tag of nothing", `<r xml:base="/b/"></c><a href="x"/></r>`, `<r xml:base="http://h/b/"></c><a href="http://h/b/x"/></r>`},
	{"not well-formed: no quote that closes", `<a href="y"/><a href="x>`, `<a href="http://h/p/y"/><a href="x>`},
	{"not well-formed: the same attribute again", xhtml(`<a href="x" href="y"/>`), xhtml(`<a href="http://h/p/x" href="y"/>`)},
	{"bytes that are not UTF-8", "<a href='x\xffy'/>\xfe", "<a href='http://h/p/x\xffy'/>\xfe"},
	{"a byte order mark", "\uFEFF<?xml version='1.0'?>\r\n<a href='x'/>", "\uFEFF<?xml version='1.0'?>\r\n<a href='http://h/p/x'/>"},
	{"names with non-ASCII letters", "<été href='x'><b:été:x href='y'/></été>", "<été href='http://h/p/x'><b:été:x href='http://h/p/y'/></été>"},
}

func TestXMLEdits(t *testing.T) {
	for _, row := range xmlEdits {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			got := Rewrite(t, &w, feed(row.src))
			assert.Equal(t, row.want, got)
			assert.Equal(t, row.want, Rewrite(t, &w, feed(got)), "a second rewriting changes nothing")
			d := feed(row.src)
			if d.URL = ""; !strings.Contains(row.src, `xml:base="http://`) {
				assert.Equal(t, row.src, Rewrite(t, &w, d), "nothing changes without a base")
			}
			for n := range row.src {
				require.NoError(t, w.Rewrite(io.Discard, feed(row.src[:n])), "the first %d bytes", n)
			}
		})
	}
}

func FuzzXML(f *testing.F) {
	n := uint16(0)
	for _, row := range xmlEdits {
		for range Standards {
			f.Add([]byte(row.src), n%uint16(len(Standards)*len(FuzzBases)))
			n++ // the next document has another base
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, options uint16) {
		w, url := FuzzOptions(options)
		Unharmed(t, &w, extract.Document{Type: "application/xml", URL: url, Bytes: src})
	})
}

func TestXHTMLBase(t *testing.T) {
	const used, not = "http://b/", "http://h/p/"
	b := `<base href="http://b/"/>`
	for _, row := range []struct{ name, src, base string }{
		{"plain", xhtml(b), used},
		{"the first with an href", xhtml(`<base target="x"/><base href="http://b/"></base><base href="http://c/"/>`), used},
		{"in another namespace", xhtml(`<base xmlns="http://x/" href="http://c/"/>`), not},
		{"in capitals", xhtml(`<BASE href="http://c/"/>`), not},
		{"with a prefix", `<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:base href="http://b/"/></h:html>`, used},
		{"in noscript, which is an ordinary element", xhtml(`<noscript>` + b + `</noscript>`), used},
		{"in a title", xhtml(`<title>` + b + `</title>`), used},
		{"in a script", xhtml(`<script>` + b + `</script>`), used},
		{"in a template", xhtml(`<template>` + b + `</template>`), not},
		{"after a template", xhtml(`<template/><template></template>` + b), used},
		{"in a comment", xhtml(`<!--` + b + `-->`), not},
		{"in a CDATA section", xhtml(`<![CDATA[` + b + `]]>`), not},
		{"in svg", xhtml(`<svg xmlns="http://www.w3.org/2000/svg">` + b + `</svg>`), not},
		{"in an SVG document", `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject xmlns:h="http://www.w3.org/1999/xhtml"><h:base href="http://b/"/></foreignObject></svg>`, used},
		{"in the XHTML of a feed", `<feed xmlns="http://www.w3.org/2005/Atom"><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">` + b + `</div></content></feed>`, not},
		{"under xml:base of the root", `<html xmlns="http://www.w3.org/1999/xhtml" xml:base="http://b/">` + xhtml(`<base href="http://c/"/>`) + `</html>`, used},
		{"xml:base of the root, against a BASE element", `<html xmlns="http://www.w3.org/1999/xhtml" xml:base="/"><base href="http://b/x"/></html>`, used},
		{"xml:base within is not the document's", xhtml(`<p xml:base="http://c/"/>`), not},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			require.NoError(t, w.Bases(feed(row.src), func(e *extract.Entity) error {
				assert.Equal(t, row.base, e.Scope.Base().String())
				return nil
			}))
		})
	}
	for _, row := range []struct {
		how       extract.BaseURLs
		src, want string
	}{
		{extract.BaseKeep, `<base href="q/"/><a href="x"/>`, `<base href="http://h/p/q/"/><a href="http://h/p/q/x"/>`},
		{extract.BaseEmpty, `<base href="q/"/><a href="x"/>`, `<base href=""/><a href="http://h/p/q/x"/>`},
		{extract.BaseRemove, `<base href="q/"/><a href="x"/>`, `<a href="http://h/p/q/x"/>`},
		{extract.BaseRemove, `<base href="q/"> </base ><a href="x"/>`, `<a href="http://h/p/q/x"/>`},
		{extract.BaseRemove, `<base href="q/"><a href="x"/></base>`, `<base href=""><a href="http://h/p/q/x"/></base>`},
	} {
		w := Walker{Extractor: extract.Extractor{BaseURLs: row.how}}
		assert.Equal(t, xhtml(row.want), Rewrite(t, &w, feed(xhtml(row.src))))
	}
}

// Browsers have removed support for xml:base; feed readers support it.
func TestXMLBaseWHATWG(t *testing.T) {
	w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG}}
	assert.Equal(t, []string{"p@xml:base http://h/p/b/", "a@href http://h/p/x"}, Links(t, &w, feed(xhtml(`<p xml:base="b/"><a href="x"/></p>`))))
	assert.Equal(t, []string{"g@xml:base http://h/p/b/", "a@href http://h/p/x"}, Links(t, &w, feed(`<svg xmlns="http://www.w3.org/2000/svg"><g xml:base="b/"><a href="x"/></g></svg>`)))
	assert.Equal(t, []string{"entry@xml:base http://h/p/b/", "link@href http://h/p/b/x", "a@href http://h/p/b/y"},
		Links(t, &w, feed(`<feed xmlns="http://www.w3.org/2005/Atom"><entry xml:base="b/"><link href="x"/><content type="html">&lt;a href=y></content></entry></feed>`)))
}

// Characters of the base URL are escaped as the place of the link requires.
func TestXMLEscaping(t *testing.T) {
	for _, row := range []struct{ name, src, want string }{
		{"double quotes", `<a href="x"/>`, `<a href="http://h/a b&quot;c'd&amp;e]]&gt;f/x"/>`},
		{"single quotes", `<a href='x'/>`, `<a href='http://h/a b"c&#39;d&amp;e]]&gt;f/x'/>`},
		{"text", `<rss><link>x</link></rss>`, `<rss><link>http://h/a b"c'd&amp;e]]&gt;f/x</link></rss>`},
		{"a CDATA section", `<rss><link><![CDATA[x]]></link></rss>`, `<rss><link><![CDATA[http://h/a b"c'd&e]]]]><![CDATA[>f/x]]></link></rss>`},
		{"a processing instruction", `<?xml-stylesheet href="x"?><a/>`, `<?xml-stylesheet href="http://h/a b&quot;c'd&amp;e]]&gt;f/x"?><a/>`},
		{"HTML, escaped", `<rss><description>&lt;a href="x"></description></rss>`, `<rss><description>&lt;a href="http://h/a b&amp;quot;c'd&amp;amp;e]]&gt;f/x"></description></rss>`},
		{"HTML in a CDATA section", `<rss><description><![CDATA[<a href="x">]]></description></rss>`, `<rss><description><![CDATA[<a href="http://h/a b&quot;c'd&amp;e]]]]><![CDATA[>f/x">]]></description></rss>`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			d := feed(row.src)
			d.URL = `http://h/a b"c'd&e]]>f/`
			got := Rewrite(t, &w, d)
			assert.Equal(t, row.want, got)
			d.Bytes = []byte(got)
			assert.Equal(t, row.want, Rewrite(t, &w, d), "a second rewriting changes nothing")
		})
	}
}

// An element that is nested deeper than the limit still has its own base.
func TestXMLDepth(t *testing.T) {
	var problems []extract.Problem
	w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
	src := `<r><r xml:base="/b/">` + strings.Repeat("<a>", 5000) + `<x xml:base="c/" href="y"/>` + strings.Repeat("</a>", 5000) + `<z xml:base="d/" href="y"/></r><q href="y"/></r>`
	assert.Equal(t, []string{"r@xml:base http://h/b/", "x@xml:base http://h/b/c/", "x@href http://h/b/c/y", "z@xml:base http://h/b/d/", "z@href http://h/b/d/y", "q@href http://h/p/y"}, Links(t, &w, feed(src)))
	require.NotEmpty(t, problems)
	assert.Equal(t, extract.CodeDepthLimit, problems[0].Code)
	assert.Len(t, problems, 4, "and three bases that are not absolute")
}

// The bases of many elements inside an element with a long base would together grow with the square of the size of the
// document, so only some are made. The links of the other elements stay unchanged.
func TestElementBasesLimit(t *testing.T) {
	const elements = 1000
	long := "http://h/" + strings.Repeat("a", 990) + "/"
	element := `<e xml:base="b/" href="x"/>`
	src := `<r xml:base="` + long + `">` + strings.Repeat(element, elements) + `</r>`
	var limits []extract.Problem
	w := Walker{Extractor: extract.Extractor{MaxRecord: 200_000, OnProblem: func(p extract.Problem) {
		if p.Code == extract.CodeLinkLimit {
			limits = append(limits, p)
		}
	}}}
	kept := map[string]int{}
	require.NoError(t, w.Links(feed(src), func(l *extract.Link) error {
		if l.Place() == "e@href" {
			kept[string(l.URL)]++
		}
		return nil
	}))
	room := w.MaxRecord + 2*len(src)
	n := room/len("b/"+long+"b/") + 1 // the last one may exceed the limit
	assert.Equal(t, map[string]int{long + "b/x": n, "": elements - n}, kept)
	require.Len(t, limits, 1)
	assert.Equal(t, len(src)-len("</r>")-(elements-n)*len(element)+len(`<e xml:base="`), limits[0].Offset)
	w.MaxRecord = 0
	resolved := strings.Count(strings.Join(Links(t, &w, feed(src)), "\n"), " "+long+"b/x")
	assert.Equal(t, elements, resolved, "the default limit resolves all")
}

// For elements with an absolute base, the long base around them is not read again.
func TestElementBasesInLong(t *testing.T) {
	const elements = 20_000
	src := `<r xml:base="http://h/` + strings.Repeat("a", 2<<20) + `/">` + strings.Repeat(`<e xml:base="http://b/" href="x"/>`, elements) + `</r>`
	out := Rewrite(t, new(Walker), feed(src))
	assert.Equal(t, elements, strings.Count(out, ` href="http://b/x"`))
}

// A text is an embedded document only if it has a tag.
func TestXMLTexts(t *testing.T) {
	var w Walker
	var got []string
	src := `<rss><description>a &amp; b</description><description><![CDATA[a & b]]></description><description>&#60;b></description><description><![CDATA[<b>]]></description><description>&lt;b></description><content:encoded>&lt;b></content:encoded></rss>`
	require.NoError(t, w.Bases(feed(src), func(e *extract.Entity) error {
		got = append(got, e.Path+" "+e.Type+" "+string(e.Bytes))
		return nil
	}))
	assert.Equal(t, []string{" application/xml " + src, "description[1] text/html <b>", "description[2] text/html <b>", "description[3] text/html <b>", "content:encoded[1] text/html <b>"}, got)
}

// A document has more links than a block of marks, with bases and embedded documents among them.
func TestManyXMLLinks(t *testing.T) {
	units := longtest.Or(10_000, 40_000) // more than a block of marks
	const each = `<entry xml:base="e/"><link href="x"/><content type="html">&lt;a href=y></content></entry>`
	const want = `<entry xml:base="http://h/b/e/"><link href="http://h/b/e/x"/><content type="html">&lt;a href=http://h/b/e/y></content></entry>`
	const head, tail = `<?xml-stylesheet href="s"?><feed xmlns="http://www.w3.org/2005/Atom" xml:base="`, `</feed>`
	var w Walker
	last := int64(-1)
	w.OnEdit = func(e extract.Edit) {
		offset := e.Offset
		require.Greater(t, offset, last)
		last = offset
	}
	got := Rewrite(t, &w, feed(head+`/b/">`+strings.Repeat(each, units)+tail))
	assert.True(t, strings.Replace(head, `"s"`, `"http://h/p/s"`, 1)+`http://h/b/">`+strings.Repeat(want, units)+tail == got)
}

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
