package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// exampleHead is how the examples of both RFCs begin.
const exampleHead = "From: foo1@bar.net\nTo: foo2@bar.net\nSubject: A simple example\nMime-Version: 1.0\n"

const logo = "Content-Type: IMAGE/GIF\nContent-Transfer-Encoding: BASE64\n\nR0lGODlhGAGgAPEAAP/////ZRaCgoAAAACH+\n\n"

func exampleHTML(header, body string) string {
	return "Content-Type: text/html; charset=\"US-ASCII\"\n" + header + "\n<HTML><BODY>" + body + "</BODY></HTML>\n\n"
}

// TestMHTML has the examples of RFC 2110 section 9 and RFC 2557 section 9, by their numbers. A line has a link's entity and
// place, the layer and the declaration of its base, its URL, and the part that it names. A link in the header of a part is a
// link of the message.
func TestMHTML(t *testing.T) {
	const site = "http://www.ietf.cnri.reston.va.us/"
	for _, row := range []struct {
		name, src string
		links     []string
	}{
		{"RFC 2110 9.1: no linked file", exampleHead + "Content-Base: " + site + "\nContent-Type: text/html; charset=ISO-8859-1\nContent-Transfer-Encoding: 8BIT\n\n" +
			"<HTML><h1>Acute accents</h1>\n\xC9 is &Eacute;.<p>Try clicking <a href=\"" + site + "\">here.</a></HTML>\n", []string{
			"Content-Base embedded Content-Base: " + site,
			"part[1] a@href encapsulating Content-Base: " + site,
		}},
		{"RFC 2110 9.2: an absolute URI to an embedded GIF", exampleHead + Related("boundary-example-1", "; start=\"<foo3*foo1@bar.net>\"",
			"Content-ID: <foo3*foo1@bar.net>\n"+exampleHTML("", "<IMG SRC=\""+site+"images/ietflogo.gif\" ALT=\"IETF logo\">"),
			"Content-Location:\n   \""+site+"images/ietflogo.gif\"\n"+logo), []string{
			"part[1] img@src default : " + site + "images/ietflogo.gif = part[2]",
			"Content-Location default : " + site + "images/ietflogo.gif",
		}},
		{"RFC 2110 9.3: a relative URI to an embedded GIF", exampleHead + "Content-Base: " + site + "\n" + Related("boundary-example-1", "",
			exampleHTML("Content-Transfer-Encoding: QUOTED-PRINTABLE\n", "<IMG SRC=3D\"/images/ietflogo.gif\" ALT=3D\"IETF logo\">=A9"),
			"Content-Location: \"/images/ietflogo.gif\"\n"+logo), []string{
			"Content-Base embedded Content-Base: " + site,
			"part[1] img@src encapsulating Content-Base: " + site + "images/ietflogo.gif = part[2]",
			"Content-Location embedded Content-Base: " + site + "images/ietflogo.gif",
		}},
		{"RFC 2110 9.4: a CID", exampleHead + Related("boundary-example-1", "",
			exampleHTML("", "<IMG SRC=\"cid:foo4*foo1@bar.net\" ALT=\"IETF logo\">"),
			"Content-ID: <foo4*foo1@bar.net>\n"+logo), []string{
			"part[1] img@src default : cid:foo4*foo1@bar.net = part[2]",
		}},
		{"RFC 2557 9.1: no linked objects", exampleHead + "Content-Type: text/html; charset=\"iso-8859-1\"\nContent-Transfer-Encoding: 8bit\n\n" +
			"<HTML>\xC9 is &Eacute;.<p>Try clicking <a href=\"" + site + "\">here.</a></HTML>\n", []string{
			"part[1] a@href default : " + site,
		}},
		{"RFC 2557 9.2: an absolute URI to an embedded GIF", exampleHead + Related("boundary-example", "; start=\"<foo3@foo1@bar.net>\"",
			exampleHTML("Content-ID: <foo3@foo1@bar.net>\n", "<IMG SRC=\""+site+"images/ietflogo.gif\" ALT=\"IETF logo\">"),
			"Content-Location:\n   "+site+"images/ietflogo.gif\n"+logo), []string{
			"part[1] img@src default : " + site + "images/ietflogo.gif = part[2]",
			"Content-Location default : " + site + "images/ietflogo.gif",
		}},
		{"RFC 2557 9.3: relative URIs to embedded GIFs", exampleHead + "Content-Location: " + site + "\n" + Related("boundary-example", "",
			exampleHTML("Content-Transfer-Encoding: QUOTED-PRINTABLE\n", "<IMG SRC=3D\""+site+"images/ietflogo1.gif\" ALT=3D\"1\">\n<IMG SRC=3D\"images/ietflogo2.gif\" ALT=3D\"2\">\n<IMG SRC=3D\"/images/ietflogo3.gif\" ALT=3D\"3\">\n=A9 &copy;"),
			"Content-Location:\n   "+site+"images/ietflogo1.gif\n"+logo,
			"Content-Location: images/ietflogo2.gif\n"+logo,
			"Content-Location:\n   "+site+"images/ietflogo3.gif\n"+logo), []string{
			"Content-Location embedded Content-Location: " + site,
			"part[1] img@src encapsulating Content-Location: " + site + "images/ietflogo1.gif = part[2]",
			"part[1] img@src encapsulating Content-Location: " + site + "images/ietflogo2.gif = part[3]",
			"part[1] img@src encapsulating Content-Location: " + site + "images/ietflogo3.gif = part[4]",
			"Content-Location embedded Content-Location: " + site + "images/ietflogo1.gif",
			"Content-Location embedded Content-Location: " + site + "images/ietflogo2.gif",
			"Content-Location embedded Content-Location: " + site + "images/ietflogo3.gif",
		}},
		{"RFC 2557 9.4: a relative URI and no base", exampleHead + Related("boundary-example", "",
			exampleHTML("Content-Transfer-Encoding: QUOTED-PRINTABLE\n", "<IMG SRC=3D\"ietflogo.gif\" ALT=3D\"IETF logo\">"),
			"Content-Location: ietflogo.gif\n"+logo), []string{
			"part[1] img@src default : (local-copy) = part[2]",
			"Content-Location default : (no-base)",
		}},
		{"RFC 2557 9.5: a CID", exampleHead + Related("boundary-example", "",
			exampleHTML("", "<IMG SRC=\"cid:foo4@foo1@bar.net\" ALT=\"IETF logo\">"),
			"Content-Location: CID:something@else\nContent-ID: <foo4@foo1@bar.net>\n"+logo), []string{
			"part[1] img@src default : cid:foo4@foo1@bar.net = part[2]",
			"Content-Location default : CID:something@else",
		}},
		{"RFC 2557 9.6: references between nested parts", exampleHead + Related("boundary-example-1", "",
			exampleHTML("Content-Location: "+site+"images/page.html\n", "<IMG SRC=\"outer.gif\">\n<IMG SRC=\"inner.gif\">\n<FRAME SRC=\"frame.html\">\n<A HREF=\"root.html\">"),
			"Content-Location: "+site+"images/outer.gif\n"+logo,
			"Content-Location: "+site+"images/frame.html\n"+Related("boundary-example-2", "",
				exampleHTML("Content-Location: "+site+"images/root.html\n", "<IMG SRC=\"inner.gif\">\n<IMG SRC=\"outer.gif\">\n<A HREF=\"page.html\">"),
				"Content-Location: "+site+"images/inner.gif\n"+logo)), []string{
			"Content-Location default : " + site + "images/page.html",
			"part[1] img@src encapsulating Content-Location: " + site + "images/outer.gif = part[2]",
			"part[1] img@src encapsulating Content-Location: " + site + "images/inner.gif", // forbidden
			"part[1] frame@src encapsulating Content-Location: " + site + "images/frame.html = part[3.1]",
			"part[1] a@href encapsulating Content-Location: " + site + "images/root.html", // forbidden
			"Content-Location default : " + site + "images/outer.gif",
			"Content-Location default : " + site + "images/frame.html",
			"Content-Location embedded Content-Location: " + site + "images/root.html",
			"part[3.1] img@src encapsulating Content-Location: " + site + "images/inner.gif = part[3.2]",
			"part[3.1] img@src encapsulating Content-Location: " + site + "images/outer.gif = part[2]",
			"part[3.1] a@href encapsulating Content-Location: " + site + "images/page.html = part[1]",
			"Content-Location embedded Content-Location: " + site + "images/inner.gif",
		}},
	} {
		for _, newline := range []string{"\n", "\r\n"} {
			t.Run(fmt.Sprintf("%s %q", row.name, newline), func(t *testing.T) {
				var w Walker
				d := Message(InLines(row.src, newline))
				assert.Equal(t, row.links, linksOf(t, &w, d))
				assert.Equal(t, row.links, linksRewritten(t, Walker{}, d))
				d.Bytes = []byte(Rewrite(t, &w, d))
				after := linksOf(t, &w, d)
				assert.Equal(t, targetsOf(row.links), targetsOf(after), "rewritten they match as before")

				// References that had no base are resolved with the caller's URL, and still name the same parts.
				d = Message(InLines(row.src, newline))
				d.URL = "http://outside.example/"
				d.Bytes = []byte(Rewrite(t, &w, d))
				d.URL = ""
				for i, link := range linksOf(t, &w, d) {
					assert.Equal(t, partOf(row.links[i]), partOf(link))
					assert.NotContains(t, link, "no-base")
				}
			})
		}
	}
}

func linksOf(t *testing.T, w *Walker, d extract.Document) (links []string) {
	require.NoError(t, w.Links(d, func(l *extract.Link) error { links = append(links, describe(l)); return nil }))
	return links
}

func linksRewritten(t *testing.T, w Walker, d extract.Document) (links []string) {
	w.OnLink = func(l *extract.Link) { links = append(links, describe(l)) }
	Rewrite(t, &w, d)
	return links
}

func describe(l *extract.Link) string {
	link := strings.TrimSpace(fmt.Sprintf("%s %s %s %s: %s", l.Entity.Path, l.Place(), l.Scope.Layer(), l.Scope.By(), Target(l)))
	if l.Part != "" {
		link += " = " + l.Part
	}
	return link
}

func targetsOf(links []string) (targets []string) {
	for _, link := range links {
		_, target, _ := strings.Cut(link, ": ")
		targets = append(targets, target)
	}
	return targets
}

func partOf(link string) string {
	_, part, _ := strings.Cut(link, " = ")
	return part
}

// TestMHTMLDialects has MHTML as browsers and Word save it.
func TestMHTMLDialects(t *testing.T) {
	part := func(header, mediaType, body string) string {
		return header + "Content-Type: " + mediaType + "\nContent-Transfer-Encoding: 8bit\n\n" + body + "\n"
	}
	const page = "http://site.example/a/page.html"
	snapshot := "Snapshot-Content-Location: " + page + "\n" + Related("x", "",
		part("Content-ID: <frame-0A@mhtml.blink>\nContent-Location: "+page+"\n", "text/html", `<iframe src="cid:frame-0B@mhtml.blink"></iframe><base href="http://base.example/b/">`),
		part("Content-ID: <frame-0B@mhtml.blink>\n", "text/html", `<link rel=stylesheet href="cid:css-1@mhtml.blink"><iframe src="cid:frame-0C@mhtml.blink"></iframe><iframe src="CID:frame-0D%40mhtml.blink"></iframe><img srcset="i.png">`),
		part("Content-Location: cid:css-1@mhtml.blink\n", "text/css", `a { background: url("j.png") }`),
		part("Content-ID: <frame-0C@mhtml.blink>\nContent-Location: http://frame.example/f/\n", "text/html", `<style>@import "cid:css-1@mhtml.blink";</style><link rel=stylesheet href="cid:css-2@mhtml.blink">`),
		part("Content-Location: cid:css-2@mhtml.blink\n", "text/css", `@import "k.css";`),
		part("Content-ID: <frame-0D@mhtml.blink>\n", "text/html", `<base href="c/"><img srcset="l.png">`),
		part("Content-ID: <frame-0E@mhtml.blink>\n", "text/html", `<img srcset="m.png">`))
	inSnapshot := []string{
		"Content-Location retrieval Snapshot-Content-Location: " + page,
		"part[1] iframe@src embedded BASE element: cid:frame-0B@mhtml.blink = part[2]",
		"part[2] link@href encapsulating iframe@src: cid:css-1@mhtml.blink = part[3]",
		"part[2] iframe@src encapsulating iframe@src: cid:frame-0C@mhtml.blink = part[4]",
		"part[2] iframe@src encapsulating iframe@src: CID:frame-0D%40mhtml.blink = part[6]",
		"part[2] img@srcset[1] encapsulating iframe@src: http://base.example/b/i.png",
		"Content-Location retrieval Snapshot-Content-Location: cid:css-1@mhtml.blink",
		"part[3] url() encapsulating link@href: http://base.example/b/j.png",
		"Content-Location retrieval Snapshot-Content-Location: http://frame.example/f/",
		"part[4] style[1] encapsulating Content-Location: cid:css-1@mhtml.blink = part[3]",
		"part[4] link@href encapsulating Content-Location: cid:css-2@mhtml.blink = part[5]",
		"Content-Location retrieval Snapshot-Content-Location: cid:css-2@mhtml.blink",
		"part[5] @import encapsulating link@href: http://frame.example/f/k.css",
		"part[6] img@srcset[1] embedded BASE element: http://base.example/b/c/l.png",
		"part[7] img@srcset[1] retrieval Snapshot-Content-Location: http://site.example/a/m.png",
	}
	ofSnapshot := []string{`"i.png"`, `"http://base.example/b/i.png"`, `"j.png"`, `"http://base.example/b/j.png"`, `"k.css"`, `"http://frame.example/f/k.css"`,
		`"c/"`, `"http://base.example/b/c/"`, `"l.png"`, `"http://base.example/b/c/l.png"`, `"m.png"`, `"http://site.example/a/m.png"`}
	for _, row := range []struct {
		name, url, src string
		std            resolve.Standard
		links          []string
		changes        []string // pairs of texts: before and after rewriting
		problems       []extract.Code
	}{
		{name: "Blink", src: "From: <Saved by Blink>\nSnapshot-Content-Location: " + page + "\nSubject: x\nMIME-Version: 1.0\n" + Related("----MultipartBoundary--x----", "",
			part("Content-ID: <frame-0A@mhtml.blink>\nContent-Location: "+page+"\n", "text/html", `<link rel=stylesheet href="cid:css-1@mhtml.blink"><iframe src="cid:frame-0B@mhtml.blink"></iframe><img src="http://cdn.example/i.png"><a href="../b">`),
			part("Content-Location: cid:css-1@mhtml.blink\n", "text/css", `@import "http://cdn.example/x.css"; a { background: url("i.png") }`),
			part("Content-ID: <frame-0B@mhtml.blink>\nContent-Location: http://frame.example/f/\n", "text/html", `<a href="g">`),
			part("Content-Location: http://cdn.example/i.png\n", "image/png", "x"),
			part("Content-Location: http://cdn.example/x.css\n", "text/css", "a {}")),
			links: []string{
				"Content-Location retrieval Snapshot-Content-Location: " + page,
				"part[1] link@href encapsulating Content-Location: cid:css-1@mhtml.blink = part[2]",
				"part[1] iframe@src encapsulating Content-Location: cid:frame-0B@mhtml.blink = part[3]",
				"part[1] img@src encapsulating Content-Location: http://cdn.example/i.png = part[4]",
				"part[1] a@href encapsulating Content-Location: http://site.example/b",
				"Content-Location retrieval Snapshot-Content-Location: cid:css-1@mhtml.blink",
				"part[2] @import encapsulating link@href: http://cdn.example/x.css = part[5]",
				"part[2] url() encapsulating link@href: http://site.example/a/i.png",
				"Content-Location retrieval Snapshot-Content-Location: http://frame.example/f/",
				"part[3] a@href encapsulating Content-Location: http://frame.example/f/g",
				"Content-Location retrieval Snapshot-Content-Location: http://cdn.example/i.png",
				"Content-Location retrieval Snapshot-Content-Location: http://cdn.example/x.css",
			},
			changes: []string{`"../b"`, `"http://site.example/b"`, `"i.png"`, `"http://site.example/a/i.png"`, `"g"`, `"http://frame.example/f/g"`}},
		{name: "Blink: a part without a URL has the base of the page that contained it", src: snapshot, links: inSnapshot, changes: ofSnapshot,
			problems: []extract.Code{extract.CodeBaseNotAbsolute}},
		{name: "Blink: a part without a URL has the base of the page that contained it, under any standard", std: resolve.WHATWG, src: snapshot,
			links: strings.Split(strings.Replace(strings.Join(inSnapshot, "\n"), "CID:", "cid:", 1), "\n"), changes: ofSnapshot},
		{name: "Blink before it named parts that way: a sheet has the location of its page", src: "Snapshot-Content-Location: " + page + "\n" + Related("x", "",
			part("Content-Location: "+page+"\n", "text/html", `<link rel=stylesheet href="s/s.css">`),
			part("Content-Location: http://site.example/a/s/s.css\n", "text/css", `a { background: url("i.png") }`)),
			links: []string{
				"Content-Location retrieval Snapshot-Content-Location: " + page,
				"part[1] link@href encapsulating Content-Location: http://site.example/a/s/s.css = part[2]",
				"Content-Location retrieval Snapshot-Content-Location: http://site.example/a/s/s.css",
				"part[2] url() encapsulating Content-Location: http://site.example/a/s/i.png",
			},
			changes: []string{`"s/s.css"`, `"http://site.example/a/s/s.css"`, `"i.png"`, `"http://site.example/a/s/i.png"`}},
		{name: "Word: a path of Windows is no base", url: "http://site.example/d/", src: "MIME-Version: 1.0\n" + Related("x", "",
			part("Content-Location: file://d:\\x.htm\n", "text/html", `<img src="x_files/i.gif"><a href="y.htm">`),
			part("Content-Location: file://d:\\x_files\\i.gif\n", "image/gif", "x")),
			links: []string{
				"Content-Location retrieval --url: file://d:\\x.htm",
				"part[1] img@src retrieval --url: http://site.example/d/x_files/i.gif",
				"part[1] a@href retrieval --url: http://site.example/d/y.htm",
				"Content-Location retrieval --url: file://d:\\x_files\\i.gif",
			},
			changes:  []string{`"x_files/i.gif"`, `"http://site.example/d/x_files/i.gif"`, `"y.htm"`, `"http://site.example/d/y.htm"`},
			problems: []extract.Code{extract.CodeBaseUnsuitable}},
		{name: "RFC 1808 2.1: the scheme of a path of Windows is in any case", url: "http://site.example/d/", src: "MIME-Version: 1.0\n" + Related("x", "",
			part("Content-Location: FILE://D:\\x.htm\n", "text/html", `<a href="y.htm">`)),
			links: []string{
				"Content-Location retrieval --url: FILE://D:\\x.htm",
				"part[1] a@href retrieval --url: http://site.example/d/y.htm",
			},
			changes:  []string{`"y.htm"`, `"http://site.example/d/y.htm"`},
			problems: []extract.Code{extract.CodeBaseUnsuitable}},
		{name: "Word: a file URL is a base", url: "http://site.example/d/", src: "MIME-Version: 1.0\n" + Related("x", "",
			part("Content-Location: file:///C:/b/x.htm\n", "text/html", `<img src="x_files/i.gif"><a href="y.htm">`),
			part("Content-Location: file:///C:/b/x_files/i.gif\n", "image/gif", "x")),
			links: []string{
				"Content-Location retrieval --url: file:///C:/b/x.htm",
				"part[1] img@src encapsulating Content-Location: file:///C:/b/x_files/i.gif = part[2]",
				"part[1] a@href encapsulating Content-Location: file:///C:/b/y.htm",
				"Content-Location retrieval --url: file:///C:/b/x_files/i.gif",
			},
			changes: []string{`"x_files/i.gif"`, `"file:///C:/b/x_files/i.gif"`, `"y.htm"`, `"file:///C:/b/y.htm"`}},
		{name: "Word, by the URL Standard: a Windows path is a base, too", std: resolve.WHATWG, src: "MIME-Version: 1.0\n" + Related("x", "",
			part("Content-Location: file:///d:\\b\\x.htm\n", "text/html", `<img src="x_files/i.gif">`),
			part("Content-Location: file:///d:\\b\\x_files\\i.gif\n", "image/gif", "x")),
			links: []string{
				"Content-Location default : file:///d:/b/x.htm",
				"part[1] img@src encapsulating Content-Location: file:///d:/b/x_files/i.gif = part[2]",
				"Content-Location default : file:///d:/b/x_files/i.gif",
			},
			changes: []string{`"x_files/i.gif"`, `"file:///d:/b/x_files/i.gif"`}},
		{name: "RFC 2045 7: a Content-ID with a comment; RFC 2387 3.2: a start without brackets", src: "MIME-Version: 1.0\n" + Related("x", "",
			part("", "text/html", `<img src="cid:i@h"><img src="cid:j@h"><iframe src="cid:r@h">`),
			part("Content-ID: (one) <i@h> (two)\n", "image/gif", "x"),
			part("Content-ID: j@h (two)\n", "image/gif", "x"),
			"Content-ID: <r@h>\n"+Related("y", "; start=\"q@h\"", part("", "image/gif", "x"), part("Content-ID: <q@h> (root)\n", "text/html", ""), part("", "image/gif", "y"))),
			links: []string{
				"part[1] img@src default : cid:i@h = part[2]",
				"part[1] img@src default : cid:j@h = part[3]",
				"part[1] iframe@src default : cid:r@h = part[4.2]",
			}},
		{name: "a backslash in a path that is not a Windows path", src: "MIME-Version: 1.0\n" + Related("x", "", part("Content-Location: http://h/a\\b/\n", "text/html", `<img src="i.gif">`)),
			links:   []string{"Content-Location default : http://h/a\\b/", "part[1] img@src encapsulating Content-Location: http://h/a\\b/i.gif"},
			changes: []string{`"i.gif"`, `"http://h/a\b/i.gif"`}},
		{name: "RFC 2045 7: duplicate Content-ID: a reference names the first part", src: "MIME-Version: 1.0\n" + Related("x", "",
			part("", "text/html", `<img src="cid:i@h">`), part("Content-ID: <i@h>\n", "image/gif", "x"), part("Content-ID: <i@h>\n", "image/gif", "y")),
			links: []string{"part[1] img@src default : cid:i@h = part[2]"}},
		{name: "RFC 2557 4.2: of two Content-Locations the first names the part", src: "MIME-Version: 1.0\n" + Related("x", "",
			part("", "text/html", `<img src="http://h/i.gif"><img src="http://h/j.gif">`),
			part("Content-Location: http://h/i.gif\nContent-Location: http://h/j.gif\n", "image/gif", "x")),
			links: []string{
				"part[1] img@src default : http://h/i.gif = part[2]",
				"part[1] img@src default : http://h/j.gif",
				"Content-Location default : http://h/i.gif", "Content-Location embedded Content-Location: http://h/j.gif",
			},
			problems: []extract.Code{extract.CodeBaseRepeated}},
		{name: "RFC 2557 5: names without a base, in folders of the message", src: "MIME-Version: 1.0\n" + Related("x", "",
			part("Content-Location: sub/p.html\n", "text/html", `<img src="i.gif"><img src="../i.gif"><img src="p.html">`),
			part("Content-Location: i.gif\n", "image/gif", "x"),
			part("Content-Location: sub/i.gif\n", "image/gif", "x")),
			links: []string{
				"Content-Location default : (no-base)",
				"part[1] img@src default : (local-copy) = part[3]",
				"part[1] img@src default : (local-copy) = part[2]",
				"part[1] img@src default : (local-copy) = part[1]",
				"Content-Location default : (no-base)", "Content-Location default : (no-base)",
			},
			problems: []extract.Code{extract.CodeLocalCopy, extract.CodeLocalCopy, extract.CodeLocalCopy}},
		{name: "RFC 2557 5: thismessage:/ is written as well, and names nothing for a reference with a base", src: "MIME-Version: 1.0\n" + Related("x", "",
			part("", "text/html", `<img src="i.gif"><img src="thismessage:/i.gif">`),
			part("", "text/html", `<base href="http://site.example/"><img src=i.gif>`),
			part("Content-Location: thismessage:/i.gif\n", "image/gif", "x")),
			links: []string{
				"part[1] img@src default : (local-copy) = part[3]",
				"part[1] img@src default : thismessage:/i.gif = part[3]",
				"part[2] img@src embedded BASE element: http://site.example/i.gif",
				"Content-Location default : thismessage:/i.gif",
			},
			changes:  []string{"src=i.gif", "src=http://site.example/i.gif"},
			problems: []extract.Code{extract.CodeLocalCopy}},
		{name: "RFC 2557 9.4: a reference with a base stays if it is the name of a part without a base", src: "MIME-Version: 1.0\n" + Related("x", "",
			part("", "text/html", `<base href="http://site.example/d/"><img src="i.gif#f"><img src="./j.gif"><img src="k.gif">`),
			part("Content-Location: i.gif\n", "image/gif", "x"), part("Content-Location: j.gif\n", "image/gif", "x"), part("Content-Location: l.gif\n", "image/gif", "x")),
			links: []string{
				"part[1] img@src embedded BASE element: (local-copy) = part[2]",
				"part[1] img@src embedded BASE element: http://site.example/d/j.gif",
				"part[1] img@src embedded BASE element: http://site.example/d/k.gif",
				"Content-Location default : (no-base)", "Content-Location default : (no-base)", "Content-Location default : (no-base)",
			},
			changes:  []string{`"./j.gif"`, `"http://site.example/d/j.gif"`, `"k.gif"`, `"http://site.example/d/k.gif"`},
			problems: []extract.Code{extract.CodeLocalCopy}},
		{name: "RFC 2387 3.2: the root is after the parts that it names", src: "MIME-Version: 1.0\n" + Related("x", "; start=\"<r@h>\"",
			part("Content-Location: t/t.css\n", "text/css", `a { background: url(../s/i.gif) }`),
			part("Content-Location: s/i.gif\n", "image/gif", "x"),
			part("Content-Location: s/s.css\n", "text/css", `@import "../t/t.css";`),
			part("Content-ID: <r@h>\n", "text/html", `<base href="http://site.example/d/"><link rel=stylesheet href="s/s.css">`)),
			links: []string{
				"Content-Location default : (no-base)", "part[1] url() default : (local-copy) = part[2]",
				"Content-Location default : (no-base)", "Content-Location default : (no-base)", "part[3] @import default : (local-copy) = part[1]",
				"part[4] link@href embedded BASE element: (local-copy) = part[3]",
			},
			problems: []extract.Code{extract.CodeLocalCopy, extract.CodeLocalCopy, extract.CodeLocalCopy}},
		{name: "RFC 2557 8: a field that declares a base does not name a part", src: "MIME-Version: 1.0\n" + Related("x", "",
			part("", "message/rfc822", Related("y", "", part("Content-Location: http://site.example/d/p\nContent-Location: i.gif\n", "text/html", ""))),
			part("Content-Location: i.gif\n", "image/gif", "x")),
			links: []string{
				"part[1] Content-Location default : http://site.example/d/p", "part[1] Content-Location embedded Content-Location: http://site.example/d/i.gif",
				"Content-Location default : (no-base)",
			},
			changes:  []string{"p\nContent-Location: i.gif", "p\nContent-Location: http://site.example/d/i.gif"},
			problems: []extract.Code{extract.CodeBaseRepeated}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := Walker{Extractor: extract.Extractor{Standard: row.std}}
			d := Message(row.src)
			d.URL, d.URLBy = row.url, "--url"
			assert.Equal(t, row.links, linksOf(t, &w, d))
			for i, link := range linksRewritten(t, Walker{Extractor: extract.Extractor{Standard: row.std}}, d) {
				assert.Equal(t, partOf(row.links[i]), partOf(link), "the part that %s names", row.links[i])
			}
			var problems []extract.Code
			w.OnProblem = func(p extract.Problem) { problems = append(problems, p.Code) }
			out := Rewrite(t, &w, d)
			assert.Equal(t, row.problems, problems)
			assert.Equal(t, strings.NewReplacer(row.changes...).Replace(row.src), out)
			d.Bytes, w.OnProblem = []byte(out), nil
			assert.Equal(t, out, Rewrite(t, &w, d), "twice")
		})
	}
}

// A Content-Location without brackets may contain parentheses and spaces.
func TestMHTMLParentheses(t *testing.T) {
	for _, row := range []struct {
		name, location, image, want string
	}{
		{"a file name", "http://h/d/a (1).gif", "a (1).gif", "http://h/d/a (1).gif = part[2]"},
		{"a file name before a comment", "http://h/d/a (1).gif (saved)", "a (1).gif", "http://h/d/a (1).gif = part[2]"},
		{"a relative name", "a (1).gif", "a (1).gif", "http://h/d/a (1).gif = part[2]"},
		{"a relative name that begins with a parenthesis", "(1).gif", "(1).gif", "http://h/d/(1).gif = part[2]"},
		{"a comment", "http://h/d/a.gif (1)", "a.gif", "http://h/d/a.gif = part[2]"},
		{"a comment is not part of the name", "http://h/d/a.gif (1)", "a.gif (1)", "http://h/d/a.gif (1)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := exampleHead + "Content-Location: http://h/d/p.htm\n" + Related("b", "",
				exampleHTML("", `<IMG SRC="`+row.image+`">`), "Content-Location: "+row.location+"\n"+logo)
			var w Walker
			const image = "part[1] img@src encapsulating Content-Location: "
			assert.Contains(t, linksOf(t, &w, Message(src)), image+row.want)
			after := linksOf(t, &w, Message(Rewrite(t, &w, Message(src))))
			assert.Contains(t, after, image+row.want, "rewritten it names the same part")
		})
	}
	for _, row := range []struct{ root, want string }{
		{"file:///C:/My Documents (old)/p.htm", "file:///C:/My Documents (old)/a.gif"},
		{"http://h/a (1)/x.htm", "http://h/a (1)/a.gif"},
		{"http://h/d/x.htm (saved on a Monday)", "http://h/d/a.gif"},
	} {
		src := "Content-Location: " + row.root + "\nContent-Type: text/html\n\n<img src=\"a.gif\">"
		want := strings.Replace(src, `"a.gif"`, `"`+row.want+`"`, 1)
		assert.Equal(t, want, Rewrite(t, &Walker{}, Message(src)), row.root)
	}
}

// A signed part stays unchanged, and its links name the same parts as before.
func TestMHTMLSigned(t *testing.T) {
	src := "Content-Base: http://h/\nContent-Type: multipart/signed; boundary=s\n\n--s\n" + Related("b", "",
		"Content-Type: text/html\n\n<img src=cid:i><img src=i.gif><iframe srcdoc='<img src=i.gif>'></iframe>\n",
		"Content-ID: <i>\nContent-Location: i.gif\n"+logo) + "--s--\n"
	var w Walker
	assert.Equal(t, src, Rewrite(t, &w, Message(src)))
	links := linksOf(t, &w, Message(src))
	assert.Equal(t, []string{"", "part[1.2]", "part[1.2]", "part[1.2]", ""}, []string{partOf(links[0]), partOf(links[1]), partOf(links[2]), partOf(links[3]), partOf(links[4])})
	assert.Equal(t, links, linksRewritten(t, w, Message(src)))
}

// An empty action of a form in a part means the URL of the part (RFC 2557 4.2).
func TestMHTMLOwnURL(t *testing.T) {
	form := "Content-Type: text/html\n\n<base href=http://b/><form action=''>\n"
	w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG}}
	d := Message("Snapshot-Content-Location: http://top/p?q\n" + Related("b", "", form, "Content-Location: http://frame/f?g\n"+form))
	assert.Equal(t, []string{"http://top/p?q", "http://frame/f?g", "http://frame/f?g = part[2]"}, targetsOf(linksOf(t, &w, d)))
	d = Message("Content-Location: http://single/c\n" + form)
	d.URL = "http://h/"
	assert.Equal(t, []string{"http://single/c", "http://single/c"}, targetsOf(linksOf(t, &w, d)))
}

// The bases of nested parts share the limit of total length that the bases of elements have.
func TestMHTMLLongBase(t *testing.T) {
	page := "Content-Type: text/html\n\n<base href=http://h/" + strings.Repeat("b", 2000) + "/>"
	parts := []string{""}
	for i := range 8 {
		page += fmt.Sprintf("<iframe src=cid:f%d></iframe>", i)
		parts = append(parts, fmt.Sprintf("Content-ID: <f%d>\nContent-Type: text/html\n\n<img srcset=x>\n", i))
	}
	parts[0] = page + "\n"
	var problems []extract.Code
	w := Walker{Extractor: extract.Extractor{MaxRecord: 4000, OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
	links := targetsOf(linksOf(t, &w, Message("Snapshot-Content-Location: http://h/\n"+Related("b", "", parts...))))
	assert.Len(t, links[len(links)-8], 2011)
	assert.Equal(t, "(no-base)", links[len(links)-1])
	assert.Contains(t, problems, extract.CodeLinkLimit)
}

// A BASE element stays if a reference below it stays relative, because the reference names a part.
func TestMHTMLNameKeepsBase(t *testing.T) {
	var codes []extract.Code
	w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove, OnProblem: func(p extract.Problem) { codes = append(codes, p.Code) }}}
	d := Message(Related("b", "", "Content-Type: text/html\n\n<base href=http://h/><img src=i>\n", "Content-Type: image/gif\nContent-Location: i\n\nGIF\n"))
	assert.Equal(t, string(d.Bytes), Rewrite(t, &w, d))
	assert.Equal(t, []extract.Code{extract.CodeLocalCopy, extract.CodeBaseNeeded}, codes)
}
