package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
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
