package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/resolve"
)

// exampleHead is what the examples of both RFCs begin with.
const exampleHead = "From: foo1@bar.net\nTo: foo2@bar.net\nSubject: A simple example\nMime-Version: 1.0\n"

const logo = "Content-Type: IMAGE/GIF\nContent-Transfer-Encoding: BASE64\n\nR0lGODlhGAGgAPEAAP/////ZRaCgoAAAACH+\n\n"

// related is a multipart/related of parts, each with its header.
func related(boundary, parameters string, parts ...string) string {
	var b strings.Builder
	b.WriteString("Content-Type: multipart/related; boundary=\"" + boundary + "\";\n        type=\"text/html\"" + parameters + "\n\n")
	for _, part := range parts {
		b.WriteString("--" + boundary + "\n" + part)
	}
	return b.String() + "--" + boundary + "--\n"
}

func exampleHTML(header, body string) string {
	return "Content-Type: text/html; charset=\"US-ASCII\"\n" + header + "\n<HTML><BODY>" + body + "</BODY></HTML>\n\n"
}

// TestMHTML has the examples of RFC 2110 section 9 and RFC 2557 section 9, by their
// numbers. Each link is given with the rung of its base, what declares that, its URL, and
// the part that it names; those of a part's own header stand at the message.
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
		{"RFC 2110 9.2: an absolute URI to an embedded GIF", exampleHead + related("boundary-example-1", "; start=\"<foo3*foo1@bar.net>\"",
			"Content-ID: <foo3*foo1@bar.net>\n"+exampleHTML("", "<IMG SRC=\""+site+"images/ietflogo.gif\" ALT=\"IETF logo\">"),
			"Content-Location:\n   \""+site+"images/ietflogo.gif\"\n"+logo), []string{
			"part[1] img@src default : " + site + "images/ietflogo.gif = part[2]",
			"Content-Location default : " + site + "images/ietflogo.gif",
		}},
		{"RFC 2110 9.3: a relative URI to an embedded GIF", exampleHead + "Content-Base: " + site + "\n" + related("boundary-example-1", "",
			exampleHTML("Content-Transfer-Encoding: QUOTED-PRINTABLE\n", "<IMG SRC=3D\"/images/ietflogo.gif\" ALT=3D\"IETF logo\">=A9"),
			"Content-Location: \"/images/ietflogo.gif\"\n"+logo), []string{
			"Content-Base embedded Content-Base: " + site,
			"part[1] img@src encapsulating Content-Base: " + site + "images/ietflogo.gif = part[2]",
			"Content-Location embedded Content-Base: " + site + "images/ietflogo.gif",
		}},
		{"RFC 2110 9.4: a CID", exampleHead + related("boundary-example-1", "",
			exampleHTML("", "<IMG SRC=\"cid:foo4*foo1@bar.net\" ALT=\"IETF logo\">"),
			"Content-ID: <foo4*foo1@bar.net>\n"+logo), []string{
			"part[1] img@src default : cid:foo4*foo1@bar.net = part[2]",
		}},
		{"RFC 2557 9.1: no linked objects", exampleHead + "Content-Type: text/html; charset=\"iso-8859-1\"\nContent-Transfer-Encoding: 8bit\n\n" +
			"<HTML>\xC9 is &Eacute;.<p>Try clicking <a href=\"" + site + "\">here.</a></HTML>\n", []string{
			"part[1] a@href default : " + site,
		}},
		{"RFC 2557 9.2: an absolute URI to an embedded GIF", exampleHead + related("boundary-example", "; start=\"<foo3@foo1@bar.net>\"",
			exampleHTML("Content-ID: <foo3@foo1@bar.net>\n", "<IMG SRC=\""+site+"images/ietflogo.gif\" ALT=\"IETF logo\">"),
			"Content-Location:\n   "+site+"images/ietflogo.gif\n"+logo), []string{
			"part[1] img@src default : " + site + "images/ietflogo.gif = part[2]",
			"Content-Location default : " + site + "images/ietflogo.gif",
		}},
		{"RFC 2557 9.3: relative URIs to embedded GIFs", exampleHead + "Content-Location: " + site + "\n" + related("boundary-example", "",
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
		{"RFC 2557 9.4: a relative URI and no base", exampleHead + related("boundary-example", "",
			exampleHTML("Content-Transfer-Encoding: QUOTED-PRINTABLE\n", "<IMG SRC=3D\"ietflogo.gif\" ALT=3D\"IETF logo\">"),
			"Content-Location: ietflogo.gif\n"+logo), []string{
			"part[1] img@src default : (no-base) = part[2]",
			"Content-Location default : (no-base)",
		}},
		{"RFC 2557 9.5: a CID", exampleHead + related("boundary-example", "",
			exampleHTML("", "<IMG SRC=\"cid:foo4@foo1@bar.net\" ALT=\"IETF logo\">"),
			"Content-Location: CID:something@else\nContent-ID: <foo4@foo1@bar.net>\n"+logo), []string{
			"part[1] img@src default : cid:foo4@foo1@bar.net = part[2]",
			"Content-Location default : CID:something@else",
		}},
		{"RFC 2557 9.6: references between nested parts", exampleHead + related("boundary-example-1", "",
			exampleHTML("Content-Location: "+site+"images/page.html\n", "<IMG SRC=\"outer.gif\">\n<IMG SRC=\"inner.gif\">\n<FRAME SRC=\"frame.html\">\n<A HREF=\"root.html\">"),
			"Content-Location: "+site+"images/outer.gif\n"+logo,
			"Content-Location: "+site+"images/frame.html\n"+related("boundary-example-2", "",
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
				var w extract.Walker
				d := mail(inLines(row.src, newline))
				assert.Equal(t, row.links, linksOf(t, &w, d))
				assert.Equal(t, row.links, linksRewritten(t, extract.Walker{}, d))
				d.Bytes = []byte(rewrite(t, &w, d))
				after := linksOf(t, &w, d)
				assert.Equal(t, targetsOf(row.links), targetsOf(after), "rewritten they match as before")

				// With a URL from outside, what was without a base gets one, and matches too.
				d = mail(inLines(row.src, newline))
				d.URL = "http://outside.example/"
				d.Bytes = []byte(rewrite(t, &w, d))
				d.URL = ""
				for i, link := range linksOf(t, &w, d) {
					assert.Equal(t, partOf(row.links[i]), partOf(link))
					assert.NotContains(t, link, "no-base")
				}
			})
		}
	}
}

// linksOf lists the links of a document.
func linksOf(t *testing.T, w *extract.Walker, d extract.Document) (links []string) {
	require.NoError(t, w.Links(d, func(l *extract.Link) error { links = append(links, describe(l)); return nil }))
	return links
}

// linksRewritten lists those that a rewriting tells of.
func linksRewritten(t *testing.T, w extract.Walker, d extract.Document) (links []string) {
	w.OnLink = func(l *extract.Link) { links = append(links, describe(l)) }
	rewrite(t, &w, d)
	return links
}

func describe(l *extract.Link) string {
	link := strings.TrimSpace(fmt.Sprintf("%s %s %s %s: %s", l.Entity.Path, l.Place(), l.Scope.Rung(), l.Scope.By(), target(l)))
	if l.Part != "" {
		link += " = " + l.Part
	}
	return link
}

// targetsOf leaves of links what they point at.
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

// TestMHTMLDialects has what browsers and Word save.
func TestMHTMLDialects(t *testing.T) {
	part := func(header, mediaType, body string) string {
		return header + "Content-Type: " + mediaType + "\nContent-Transfer-Encoding: 8bit\n\n" + body + "\n"
	}
	const page = "http://site.example/a/page.html"
	snapshot := "Snapshot-Content-Location: " + page + "\n" + related("x", "",
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
		changes        []string // pairs: what differs in the output
		problems       []extract.Code
	}{
		{name: "Blink", src: "From: <Saved by Blink>\nSnapshot-Content-Location: " + page + "\nSubject: x\nMIME-Version: 1.0\n" + related("----MultipartBoundary--x----", "",
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
			changes:  []string{`"../b"`, `"http://site.example/b"`, `"i.png"`, `"http://site.example/a/i.png"`, `"g"`, `"http://frame.example/f/g"`},
			problems: []extract.Code{extract.BaseUnsuitable}},
		{name: "Blink: what had no URL of its own has the base of the page that it was within", src: snapshot, links: inSnapshot, changes: ofSnapshot,
			problems: []extract.Code{extract.BaseUnsuitable, extract.BaseUnsuitable, extract.BaseNotAbsolute}},
		{name: "Blink: what had no URL of its own has the base of the page that it was within, under any standard", std: resolve.WHATWG, src: snapshot,
			links: strings.Split(strings.Replace(strings.Join(inSnapshot, "\n"), "CID:", "cid:", 1), "\n"), changes: ofSnapshot},
		{name: "Blink before it named parts that way: a sheet has the location of its page", src: "Snapshot-Content-Location: " + page + "\n" + related("x", "",
			part("Content-Location: "+page+"\n", "text/html", `<link rel=stylesheet href="s/s.css">`),
			part("Content-Location: http://site.example/a/s/s.css\n", "text/css", `a { background: url("i.png") }`)),
			links: []string{
				"Content-Location retrieval Snapshot-Content-Location: " + page,
				"part[1] link@href encapsulating Content-Location: http://site.example/a/s/s.css = part[2]",
				"Content-Location retrieval Snapshot-Content-Location: http://site.example/a/s/s.css",
				"part[2] url() encapsulating Content-Location: http://site.example/a/s/i.png",
			},
			changes: []string{`"s/s.css"`, `"http://site.example/a/s/s.css"`, `"i.png"`, `"http://site.example/a/s/i.png"`}},
		{name: "Word: a path of Windows is no base", url: "http://site.example/d/", src: "MIME-Version: 1.0\n" + related("x", "",
			part("Content-Location: file://d:\\x.htm\n", "text/html", `<img src="x_files/i.gif"><a href="y.htm">`),
			part("Content-Location: file://d:\\x_files\\i.gif\n", "image/gif", "x")),
			links: []string{
				"Content-Location retrieval --url: file://d:\\x.htm",
				"part[1] img@src retrieval --url: http://site.example/d/x_files/i.gif",
				"part[1] a@href retrieval --url: http://site.example/d/y.htm",
				"Content-Location retrieval --url: file://d:\\x_files\\i.gif",
			},
			changes:  []string{`"x_files/i.gif"`, `"http://site.example/d/x_files/i.gif"`, `"y.htm"`, `"http://site.example/d/y.htm"`},
			problems: []extract.Code{extract.BaseUnsuitable, extract.BaseUnsuitable}},
		{name: "RFC 1808 2.1: the scheme of a path of Windows is in any case", url: "http://site.example/d/", src: "MIME-Version: 1.0\n" + related("x", "",
			part("Content-Location: FILE://D:\\x.htm\n", "text/html", `<a href="y.htm">`)),
			links: []string{
				"Content-Location retrieval --url: FILE://D:\\x.htm",
				"part[1] a@href retrieval --url: http://site.example/d/y.htm",
			},
			changes:  []string{`"y.htm"`, `"http://site.example/d/y.htm"`},
			problems: []extract.Code{extract.BaseUnsuitable}},
		{name: "Word: a file URL is one", url: "http://site.example/d/", src: "MIME-Version: 1.0\n" + related("x", "",
			part("Content-Location: file:///C:/b/x.htm\n", "text/html", `<img src="x_files/i.gif"><a href="y.htm">`),
			part("Content-Location: file:///C:/b/x_files/i.gif\n", "image/gif", "x")),
			links: []string{
				"Content-Location retrieval --url: file:///C:/b/x.htm",
				"part[1] img@src encapsulating Content-Location: file:///C:/b/x_files/i.gif = part[2]",
				"part[1] a@href encapsulating Content-Location: file:///C:/b/y.htm",
				"Content-Location retrieval --url: file:///C:/b/x_files/i.gif",
			},
			changes: []string{`"x_files/i.gif"`, `"file:///C:/b/x_files/i.gif"`, `"y.htm"`, `"file:///C:/b/y.htm"`}},
		{name: "Word, as a browser reads it: a path of Windows is one, too", std: resolve.WHATWG, src: "MIME-Version: 1.0\n" + related("x", "",
			part("Content-Location: file:///d:\\b\\x.htm\n", "text/html", `<img src="x_files/i.gif">`),
			part("Content-Location: file:///d:\\b\\x_files\\i.gif\n", "image/gif", "x")),
			links: []string{
				"Content-Location default : file:///d:/b/x.htm",
				"part[1] img@src encapsulating Content-Location: file:///d:/b/x_files/i.gif = part[2]",
				"Content-Location default : file:///d:/b/x_files/i.gif",
			},
			changes: []string{`"x_files/i.gif"`, `"file:///d:/b/x_files/i.gif"`}},
		{name: "RFC 2045 7: a Content-ID with a comment; RFC 2387 3.2: a start without brackets", src: "MIME-Version: 1.0\n" + related("x", "",
			part("", "text/html", `<img src="cid:i@h"><img src="cid:j@h"><iframe src="cid:r@h">`),
			part("Content-ID: (one) <i@h> (two)\n", "image/gif", "x"),
			part("Content-ID: j@h (two)\n", "image/gif", "x"),
			"Content-ID: <r@h>\n"+related("y", "; start=\"q@h\"", part("", "image/gif", "x"), part("Content-ID: <q@h> (root)\n", "text/html", ""), part("", "image/gif", "y"))),
			links: []string{
				"part[1] img@src default : cid:i@h = part[2]",
				"part[1] img@src default : cid:j@h = part[3]",
				"part[1] iframe@src default : cid:r@h = part[4.2]",
			}},
		{name: "a backslash in what is no path of Windows", src: "MIME-Version: 1.0\n" + related("x", "", part("Content-Location: http://h/a\\b/\n", "text/html", `<img src="i.gif">`)),
			links:   []string{"Content-Location default : http://h/a\\b/", "part[1] img@src encapsulating Content-Location: http://h/a\\b/i.gif"},
			changes: []string{`"i.gif"`, `"http://h/a\b/i.gif"`}},
		{name: "RFC 2045 7: of two parts with one Content-ID the first is named", src: "MIME-Version: 1.0\n" + related("x", "",
			part("", "text/html", `<img src="cid:i@h">`), part("Content-ID: <i@h>\n", "image/gif", "x"), part("Content-ID: <i@h>\n", "image/gif", "y")),
			links: []string{"part[1] img@src default : cid:i@h = part[2]"}},
		{name: "RFC 2557 4.2: of two Content-Locations the first names the part", src: "MIME-Version: 1.0\n" + related("x", "",
			part("", "text/html", `<img src="http://h/i.gif"><img src="http://h/j.gif">`),
			part("Content-Location: http://h/i.gif\nContent-Location: http://h/j.gif\n", "image/gif", "x")),
			links: []string{
				"part[1] img@src default : http://h/i.gif = part[2]",
				"part[1] img@src default : http://h/j.gif",
				"Content-Location default : http://h/i.gif", "Content-Location embedded Content-Location: http://h/j.gif",
			},
			problems: []extract.Code{extract.BaseRepeated}},
		{name: "RFC 2557 5: names without a base, in folders of the message", src: "MIME-Version: 1.0\n" + related("x", "",
			part("Content-Location: sub/p.html\n", "text/html", `<img src="i.gif"><img src="../i.gif"><img src="p.html">`),
			part("Content-Location: i.gif\n", "image/gif", "x"),
			part("Content-Location: sub/i.gif\n", "image/gif", "x")),
			links: []string{
				"Content-Location default : (no-base)",
				"part[1] img@src default : (no-base) = part[3]",
				"part[1] img@src default : (no-base) = part[2]",
				"part[1] img@src default : (no-base) = part[1]",
				"Content-Location default : (no-base)", "Content-Location default : (no-base)",
			}},
		{name: "RFC 2557 5: thismessage:/ is written as well, and names nothing for a reference with a base", src: "MIME-Version: 1.0\n" + related("x", "",
			part("", "text/html", `<img src="i.gif"><img src="thismessage:/i.gif">`),
			part("", "text/html", `<base href="http://site.example/"><img src=i.gif>`),
			part("Content-Location: thismessage:/i.gif\n", "image/gif", "x")),
			links: []string{
				"part[1] img@src default : (no-base) = part[3]",
				"part[1] img@src default : thismessage:/i.gif = part[3]",
				"part[2] img@src embedded BASE element: http://site.example/i.gif",
				"Content-Location default : thismessage:/i.gif",
			},
			changes: []string{"src=i.gif", "src=http://site.example/i.gif"}},
		{name: "RFC 2557 5: a name without a base goes with the reference that has one", src: "MIME-Version: 1.0\n" + related("x", "",
			part("", "text/html", `<base href="http://site.example/d/"><img src="i.gif"><img src="./j.gif"><img src="k.gif">`),
			part("Content-Location: i.gif\n", "image/gif", "x"), part("Content-Location: j.gif\n", "image/gif", "x"), part("Content-Location: l.gif\n", "image/gif", "x")),
			links: []string{
				"part[1] img@src embedded BASE element: http://site.example/d/i.gif = part[2]",
				"part[1] img@src embedded BASE element: http://site.example/d/j.gif = part[3]",
				"part[1] img@src embedded BASE element: http://site.example/d/k.gif",
				"Content-Location default : (no-base)", "Content-Location default : (no-base)", "Content-Location default : (no-base)",
			},
			changes: []string{`"i.gif"`, `"http://site.example/d/i.gif"`, `"./j.gif"`, `"http://site.example/d/j.gif"`, `"k.gif"`, `"http://site.example/d/k.gif"`,
				": i.gif", ": http://site.example/d/i.gif", ": j.gif", ": http://site.example/d/j.gif"}},
		{name: "RFC 1847 2.1: a name without a base that is signed stays", src: "MIME-Version: 1.0\n" + related("x", "",
			part("", "text/html", `<base href="http://site.example/d/"><img src="i.gif">`),
			"Content-Type: multipart/signed; boundary=y\n\n--y\n"+part("Content-Location: i.gif\n", "image/gif", "x")+"--y--\n"),
			links: []string{
				"part[1] img@src embedded BASE element: http://site.example/d/i.gif = part[2.1]",
				"Content-Location default : (no-base)",
			},
			changes:  []string{`"i.gif"`, `"http://site.example/d/i.gif"`},
			problems: []extract.Code{extract.SignatureWouldBreak}},
		{name: "RFC 2110 4.2: a name without a base has no base in the Content-Base that gets one from it", src: "MIME-Version: 1.0\n" + related("x", "",
			part("", "text/html", `<base href="http://site.example/d/"><img src="i.gif">`),
			part("Content-Base: s/\nContent-Location: i.gif\n", "text/css", `a { background: url(j.gif) }`)),
			links: []string{
				"part[1] img@src embedded BASE element: http://site.example/d/i.gif = part[2]",
				"Content-Base default : (no-base)", "Content-Location default : (no-base)", "part[2] url() default : (no-base)",
			},
			changes: []string{`"i.gif"`, `"http://site.example/d/i.gif"`, ": s/", ": http://site.example/d/s/", ": i.gif", ": http://site.example/d/i.gif",
				"(j.gif)", "(http://site.example/d/s/j.gif)"},
			problems: []extract.Code{extract.BaseNotAbsolute}},
		{name: "RFC 2387 3.2: the root stands behind the parts that it names, and one of these behind another", src: "MIME-Version: 1.0\n" + related("x", "; start=\"<r@h>\"",
			part("Content-Location: t/t.css\n", "text/css", `a { background: url(../s/i.gif) }`),
			part("Content-Location: s/i.gif\n", "image/gif", "x"),
			part("Content-Location: s/s.css\n", "text/css", `@import "../t/t.css";`),
			part("Content-ID: <r@h>\n", "text/html", `<base href="http://site.example/d/"><link rel=stylesheet href="s/s.css">`)),
			links: []string{
				"Content-Location default : (no-base)", "part[1] url() default : (no-base) = part[2]",
				"Content-Location default : (no-base)", "Content-Location default : (no-base)", "part[3] @import default : (no-base) = part[1]",
				"part[4] link@href embedded BASE element: http://site.example/d/s/s.css = part[3]",
			},
			changes: []string{": t/t.css", ": http://site.example/d/t/t.css", "(../s/i.gif)", "(http://site.example/d/s/i.gif)", ": s/i.gif", ": http://site.example/d/s/i.gif",
				": s/s.css", ": http://site.example/d/s/s.css", `"../t/t.css"`, `"http://site.example/d/t/t.css"`, `"s/s.css"`, `"http://site.example/d/s/s.css"`}},
		{name: "RFC 2557 4.2: what stands in a part that has got a name with a base has that base", src: "MIME-Version: 1.0\n" + related("x", "",
			part("", "text/html", `<base href="http://site.example/d/"><link rel=stylesheet href="s/s.css"><img src="s/i.gif">`),
			part("Content-Location: s/s.css\n", "text/css", `a { background: url(i.gif), url(../j.gif), url(k.gif) }`),
			part("Content-Location: s/i.gif\n", "image/gif", "x"), part("Content-Location: j.gif\n", "image/gif", "x")),
			links: []string{
				"part[1] link@href embedded BASE element: http://site.example/d/s/s.css = part[2]",
				"part[1] img@src embedded BASE element: http://site.example/d/s/i.gif = part[3]",
				"Content-Location default : (no-base)",
				"part[2] url() default : (no-base) = part[3]", "part[2] url() default : (no-base) = part[4]", "part[2] url() default : (no-base)",
				"Content-Location default : (no-base)", "Content-Location default : (no-base)",
			},
			changes: []string{`"s/s.css"`, `"http://site.example/d/s/s.css"`, `"s/i.gif"`, `"http://site.example/d/s/i.gif"`,
				"(i.gif)", "(http://site.example/d/s/i.gif)", "(../j.gif)", "(http://site.example/d/j.gif)", "(k.gif)", "(http://site.example/d/s/k.gif)",
				": s/s.css", ": http://site.example/d/s/s.css", ": s/i.gif", ": http://site.example/d/s/i.gif", ": j.gif", ": http://site.example/d/j.gif"}},
		{name: "RFC 2557 5: a reference without a base goes with the name that one with a base has given", src: "MIME-Version: 1.0\n" + related("x", "",
			part("", "text/html", `<img src="i.gif#f"><img src="j.gif">`),
			part("Content-Location: i.gif\n", "image/gif", "x"), part("Content-Location: j.gif\n", "image/gif", "x"),
			part("", "text/html", `<base href="http://site.example/d/"><img src='i.gif'>`)),
			links: []string{
				"part[1] img@src default : (no-base) = part[2]", "part[1] img@src default : (no-base) = part[3]",
				"Content-Location default : (no-base)", "Content-Location default : (no-base)",
				"part[4] img@src embedded BASE element: http://site.example/d/i.gif = part[2]",
			},
			changes: []string{`"i.gif#f"`, `"http://site.example/d/i.gif#f"`, `'i.gif'`, `'http://site.example/d/i.gif'`, ": i.gif", ": http://site.example/d/i.gif"}},
		{name: "RFC 2557 8: a field that is a base gives no part a name", src: "MIME-Version: 1.0\n" + related("x", "",
			part("Content-Location: i.gif\n", "message/rfc822", related("y", "",
				part("Content-Base: i.gif\nContent-Location: ./i.gif\n", "text/html", `<base href="http://site.example/d/"><img src='i.gif'>`)))),
			links: []string{
				"Content-Location default : (no-base)", "part[1] Content-Base default : (no-base) = part[1]", "part[1] Content-Location default : (no-base) = part[1]",
				"part[1]/part[1] img@src embedded BASE element: http://site.example/d/i.gif = part[1]/part[1]",
			},
			changes: []string{"Content-Base: i.gif", "Content-Base: http://site.example/d/i.gif", ": ./i.gif", ": http://site.example/d/i.gif",
				`'i.gif'`, `'http://site.example/d/i.gif'`},
			problems: []extract.Code{extract.BaseNotAbsolute}},
		{name: "two references give one part two names: it has the first", src: "MIME-Version: 1.0\n" + related("x", "",
			part("Content-Base: http://one.example/\n", "text/html", `<img src="i.gif">`),
			part("Content-Base: http://two.example/\n", "text/html", `<img src='i.gif'>`),
			part("Content-Location: i.gif\n", "image/gif", "x")),
			links: []string{
				"Content-Base default : http://one.example/",
				"part[1] img@src encapsulating Content-Base: http://one.example/i.gif = part[3]",
				"Content-Base default : http://two.example/",
				"part[2] img@src encapsulating Content-Base: http://two.example/i.gif = part[3]",
				"Content-Location default : (no-base)",
			},
			changes:  []string{`"i.gif"`, `"http://one.example/i.gif"`, `'i.gif'`, `'http://two.example/i.gif'`, ": i.gif", ": http://one.example/i.gif"},
			problems: []extract.Code{extract.RewriteRefused}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := extract.Walker{Options: extract.Options{Standard: row.std}}
			d := mail(row.src)
			d.URL, d.URLBy = row.url, "--url"
			assert.Equal(t, row.links, linksOf(t, &w, d))
			for i, link := range linksRewritten(t, extract.Walker{Options: extract.Options{Standard: row.std}}, d) {
				assert.Equal(t, partOf(row.links[i]), partOf(link), "the part that %s names", row.links[i])
			}
			var problems []extract.Code
			w.OnProblem = func(p extract.Problem) { problems = append(problems, p.Code) }
			out := rewrite(t, &w, d)
			assert.Equal(t, row.problems, problems)
			assert.Equal(t, strings.NewReplacer(row.changes...).Replace(row.src), out)
			d.Bytes, w.OnProblem = []byte(out), nil
			assert.Equal(t, out, rewrite(t, &w, d), "twice")
		})
	}
}

// TestMHTMLParentheses: a Content-Location without brackets may have parentheses and blanks in it.
func TestMHTMLParentheses(t *testing.T) {
	for _, row := range []struct {
		name, location, image, want string
	}{
		{"a file name", "http://h/d/a (1).gif", "a (1).gif", "http://h/d/a (1).gif = part[2]"},
		{"a file name before a comment", "http://h/d/a (1).gif (saved)", "a (1).gif", "http://h/d/a (1).gif = part[2]"},
		{"a relative name", "a (1).gif", "a (1).gif", "http://h/d/a (1).gif = part[2]"},
		{"a relative name that begins with a parenthesis", "(1).gif", "(1).gif", "http://h/d/(1).gif = part[2]"},
		{"a comment", "http://h/d/a.gif (1)", "a.gif", "http://h/d/a.gif = part[2]"},
		{"a comment is no part of the name", "http://h/d/a.gif (1)", "a.gif (1)", "http://h/d/a.gif (1)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := exampleHead + "Content-Location: http://h/d/p.htm\n" + related("b", "",
				exampleHTML("", `<IMG SRC="`+row.image+`">`), "Content-Location: "+row.location+"\n"+logo)
			var w extract.Walker
			const image = "part[1] img@src encapsulating Content-Location: "
			assert.Contains(t, linksOf(t, &w, mail(src)), image+row.want)
			after := linksOf(t, &w, mail(rewrite(t, &w, mail(src))))
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
		assert.Equal(t, want, rewrite(t, &extract.Walker{}, mail(src)), row.root)
	}
}

// What is signed stays, and its links name what they named.
func TestMHTMLSigned(t *testing.T) {
	src := "Content-Base: http://h/\nContent-Type: multipart/signed; boundary=s\n\n--s\n" + related("b", "",
		"Content-Type: text/html\n\n<img src=cid:i><img src=i.gif><iframe srcdoc='<img src=i.gif>'></iframe>\n",
		"Content-ID: <i>\nContent-Location: i.gif\n"+logo) + "--s--\n"
	var w extract.Walker
	assert.Equal(t, src, rewrite(t, &w, mail(src)))
	links := linksOf(t, &w, mail(src))
	assert.Equal(t, []string{"", "part[1.2]", "part[1.2]", "part[1.2]", ""}, []string{partOf(links[0]), partOf(links[1]), partOf(links[2]), partOf(links[3]), partOf(links[4])})
	assert.Equal(t, links, linksRewritten(t, w, mail(src)))
}

// The document that a form of a part sends to is the part (RFC 2557 4.2).
func TestMHTMLOwnURL(t *testing.T) {
	form := "Content-Type: text/html\n\n<base href=http://b/><form action=''>\n"
	w := extract.Walker{Options: extract.Options{Standard: resolve.WHATWG}}
	d := mail("Snapshot-Content-Location: http://top/p?q\n" + related("b", "", form, "Content-Location: http://frame/f?g\n"+form))
	assert.Equal(t, []string{"http://top/p?q", "http://frame/f?g", "http://frame/f?g = part[2]"}, targetsOf(linksOf(t, &w, d)))
	d = mail("Content-Location: http://single/c\n" + form)
	d.URL = "http://h/"
	assert.Equal(t, []string{"http://single/c", "http://single/c"}, targetsOf(linksOf(t, &w, d)))
}

// The bases of parts that are within others are no longer all together than those of elements.
func TestMHTMLLongBase(t *testing.T) {
	page := "Content-Type: text/html\n\n<base href=http://h/" + strings.Repeat("b", 2000) + "/>"
	parts := []string{""}
	for i := range 8 {
		page += fmt.Sprintf("<iframe src=cid:f%d></iframe>", i)
		parts = append(parts, fmt.Sprintf("Content-ID: <f%d>\nContent-Type: text/html\n\n<img srcset=x>\n", i))
	}
	parts[0] = page + "\n"
	var problems []extract.Code
	w := extract.Walker{Options: extract.Options{MaxRecord: 4000}, Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
	links := targetsOf(linksOf(t, &w, mail("Snapshot-Content-Location: http://h/\n"+related("b", "", parts...))))
	assert.Len(t, links[len(links)-8], 2011)
	assert.Equal(t, "(no-base)", links[len(links)-1])
	assert.Contains(t, problems, extract.SizeLimit)
}

// More parts than are kept at once, each named by the one before it, which has a base: the names are as
// known as those of few.
func TestManyNamedParts(t *testing.T) {
	const parts = 40_000
	message := func(location func(i int) string, link string) string {
		var b strings.Builder
		b.WriteString("Content-Type: multipart/related; boundary=b\n\n")
		for i := range parts {
			fmt.Fprintf(&b, "--b\nContent-Type: text/html\nContent-Location: %s\n\n<base href=http://b/><a href=%sp%d>\n", location(i), link, i+1)
		}
		return b.String() + "--b--\n"
	}
	in := message(func(i int) string { return fmt.Sprint("p", i) }, "")
	want := message(func(i int) string {
		if i == 0 {
			return "p0" // which nothing names
		}
		return fmt.Sprint("http://b/p", i)
	}, "http://b/")
	var w extract.Walker
	assert.True(t, want == rewrite(t, &w, extract.Document{Name: "x.mht", Bytes: []byte(in)}))
}

// A reference that a signature covers gives a part without a base no URL, since it is not rewritten (RFC 1847 2.1).
func TestMHTMLSignedReference(t *testing.T) {
	const signed, base = "Content-Type: multipart/signed; boundary=y\n\n--y\n", `<base href="http://%s.example/d/"><img src="i.gif">`
	part := func(header, mediaType, body string) string {
		return header + "Content-Type: " + mediaType + "\n\n" + body + "\n\n"
	}
	page := func(host string) string { return part("", "text/html", fmt.Sprintf(base, host)) }
	image := func(name string) string { return part("Content-Location: "+name+"\n", "image/gif", "x") }
	inner := signed + part("", "message/rfc822", "MIME-Version: 1.0\n"+related("z", "", page("one"), page("two"), image("i.gif"))) + "--y--\n"
	for _, row := range []struct {
		name   string
		breaks bool
		parts  [2]string
		want   []string // the names of the images
		codes  []extract.Code
	}{
		{"a signed reference", false, [2]string{signed + page("one") + "--y--\n", image("i.gif")}, []string{"i.gif"}, []extract.Code{extract.SignatureWouldBreak}},
		{"a signed reference, and the signature may break", true, [2]string{signed + page("one") + "--y--\n", image("i.gif")}, []string{"http://one.example/d/i.gif"}, nil},
		{"the references of a message that is signed", false, [2]string{inner, ""}, []string{"i.gif"}, []extract.Code{extract.SignatureWouldBreak}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var codes []extract.Code
			w := extract.Walker{Options: extract.Options{BreakSignatures: row.breaks}, Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { codes = append(codes, p.Code) }}}
			out := rewrite(t, &w, mail("MIME-Version: 1.0\n"+related("x", "", row.parts[:]...)))
			var names []string
			for line := range strings.Lines(out) {
				if name, ok := strings.CutPrefix(strings.TrimSpace(line), "Content-Location: "); ok {
					names = append(names, name)
				}
			}
			assert.Equal(t, row.want, names)
			assert.Equal(t, row.codes, codes)
		})
	}
}
