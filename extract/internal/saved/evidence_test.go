package saved_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// retrievals returns the candidates for the retrieval URL (RFC 1808 3.3) of the document itself, as "by: url" or
// "by: rejected ...".
func retrievals(t *testing.T, w *Walker, d extract.Document) (lines []string) {
	require.NoError(t, w.Bases(d, func(e *extract.Entity) error {
		if e.Path != "" {
			return nil
		}
		for _, c := range e.Scope.Candidates() {
			if c.Layer.Section() == "3.3" {
				what := c.URL
				if what == "" {
					what = c.String()
				}
				lines = append(lines, c.By+": "+what)
			}
		}
		return nil
	}))
	return lines
}

// Each row is a form of evidence, or a similar text that is not evidence.
func TestEvidence(t *testing.T) {
	const (
		page   = "<html><head></head></html>"
		wombat = `<script type="text/javascript">` + "\n  " + `__wm.init("https://web.archive.org/web");` + "\n" + `  __wm.wombat(%s,"20020120142510","https://web.archive.org/","web","/_static/",` + "\n" + `"1011536710");` + "\n</script>"
	)
	wayback := func(url string) string { return "<html><head>" + fmt.Sprintf(wombat, url) + "</head></html>" }
	none := []string(nil)
	for _, row := range []struct {
		name, html string
		want       []string
	}{
		{"mark of the web", "<!DOCTYPE html>\n<!-- saved from url=(0011)http://h/p/ -->\n" + page, []string{"mark of the web: http://h/p/"}},
		{"the number is wrong", "<!-- saved from url=(9999)http://h/p/?a=(b) -->" + page, []string{"mark of the web: http://h/p/?a=(b)"}},
		{"the number is missing", "<!-- saved from url=http://h/p/ -->" + page, []string{"mark of the web: http://h/p/"}},
		{"ignoring case, without white space", "<!--SAVED FROM URL=(0011)http://h/p/-->" + page, []string{"mark of the web: http://h/p/"}},
		{"before the doctype", "<!-- saved from url=(0011)http://h/p/ --><!DOCTYPE html>" + page, []string{"mark of the web: http://h/p/"}},
		{"after an XML declaration", "<?xml version='1.0'?><!-- saved from url=(0011)http://h/p/ -->" + page, []string{"mark of the web: http://h/p/"}},
		{"inside html", "<!DOCTYPE html><html lang=en>\r\n<!-- saved from url=(0011)http://h/p/ -->\r\n<head>", []string{"mark of the web: http://h/p/"}},
		{"inside head", "<HTML><HEAD>\n<!-- saved from url=(0011)http://h/p/ -->", []string{"mark of the web: http://h/p/"}},
		{"after conditional comments", "<!--[if IE 8]><html class=ie8><![endif]--><!--[if !IE]><!--><html><!--<![endif]--><!-- saved from url=(0011)http://h/p/ -->", []string{"mark of the web: http://h/p/"}},
		{"about:internet is rejected", "<!-- saved from url=(0014)about:internet -->" + page, []string{"mark of the web: rejected: only marks the file as downloaded"}},
		{"Outlook's comment is not evidence", "<!-- saved from url=(0022)http://internet.e-mail -->" + page, []string{"mark of the web: rejected: only marks the file as downloaded"}},
		{"Chromium's dashes", "<!-- saved from url=(0016)http://h/a-%2Db-c/ -->" + page, []string{"mark of the web: http://h/a--b-c/"}},
		{"rejected: a local file", "<!-- saved from url=(0026)file:///C:/x/page.html -->" + page, []string{"mark of the web: rejected: the URL of a local file"}},
		{"rejected: a relative URL", "<!-- saved from url=(0026)game/ -->" + page, []string{"mark of the web: rejected: not an absolute URL"}},
		{"rejected: an unsuitable URL", "<!-- saved from url=(0026)data:text/html,x -->" + page, []string{"mark of the web: rejected: pages are not retrieved from data: URLs"}},
		{"rejected: an empty URL", "<!-- saved from url=(0000) -->" + page, []string{"mark of the web: rejected: empty, so the next layer decides"}},
		{"not in the body", "<html><head></head><body><!-- saved from url=(0011)http://h/p/ -->", none},
		{"not in the head", "<html><head><title></title><!-- saved from url=(0011)http://h/p/ -->", none},
		{"not after text", "saved: <!-- saved from url=(0011)http://h/p/ -->" + page, none},
		{"not a comment to the end of the file", "<!-- saved from url=(0011)http://h/p/", none},
		{"not in a bogus comment", "<! saved from url=(0011)http://h/p/ >" + page, none},
		{"not in a title", "<title><!-- saved from url=(0011)http://h/p/ --></title>", none},
		{"not in a srcdoc", `<iframe srcdoc="<!-- saved from url=(0011)http://h/p/ -->"></iframe>`, none},
		{"two savers: the last one wrote its comment first", "<!-- saved from url=(0011)http://new/ --><!-- saved from url=(0011)http://old/ -->" + page,
			[]string{"mark of the web: http://new/", "mark of the web: http://old/"}},
		{"two savers: the first URL is rejected", "<!-- saved from url=(0014)about:internet --><!-- saved from url=(0011)http://old/ -->" + page,
			[]string{"mark of the web: rejected: only marks the file as downloaded", "mark of the web: http://old/"}},

		{"SingleFile", "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://h/p/?q=1 \n saved date: Wed Jan 01 2025 10:00:00 GMT+0100\n--><head>", []string{"SingleFile: https://h/p/?q=1"}},
		{"without its date", "<html><!--\n Page saved with SingleFile \n url: https://h/p/ \n--><head>", []string{"SingleFile: https://h/p/"}},
		{"without its URL", "<html><!--\n Page saved with SingleFile \n saved date: url: x\n--><head>", none},
		{"with CRLF", "<html><!--\r\n Page saved with SingleFile \r\n url: https://h/p/ \r\n saved date: x\r\n--><head>", []string{"SingleFile: https://h/p/"}},
		{"by the old name of the program", "<html><!--\n Archive processed by SingleFile \n url: https://h/p/ \n saved date: x\n--><head>", []string{"SingleFile: https://h/p/"}},

		{"monolith", "<!-- Saved from https://h/p at 2025-01-01T00:00:00Z using monolith v2.10.1 -->\n<!DOCTYPE html>" + page, []string{"monolith: https://h/p"}},
		{"rejected: a local source", "<!-- Saved from local source at 2025-01-01T00:00:00Z using monolith v2.8.3 -->" + page, []string{"monolith: rejected: it was saved from a local file"}},
		{"not by monolith", "<!-- Saved from https://h/p at night -->" + page, none},

		{"HTTrack", "<html>\n\n<!-- Mirrored from h/p/x.html by HTTrack Website Copier/3.x [XR&CO'2014], Mon, 01 Jan 2024 00:00:00 GMT -->\n<head>", []string{"HTTrack: http://h/p/x.html"}},
		{"with a scheme", "<html><!-- Mirrored from https://h/p/ by HTTrack Website Copier/3.x [XR&CO'2014] --><head>", []string{"HTTrack: https://h/p/"}},
		{"without a scheme, and a URL in the query", "<html><!-- Mirrored from h:81/p?u=http://q/ by HTTrack Website Copier/3.x [XR&CO'2014] --><head>", []string{"HTTrack: http://h:81/p?u=http://q/"}},
		{"HTTrack at the end", "<html><body>x</body>\n\n<!-- Mirrored from h/p/ by HTTrack Website Copier/3.x [XR&CO'2014] -->\n</html>\n", []string{"HTTrack: http://h/p/"}},
		{"HTTrack at the end of a page without an end tag", "<p>x<!-- Mirrored from h/p/ by HTTrack Website Copier/3.x [XR&CO'2014] -->\n", []string{"HTTrack: http://h/p/"}},
		{"HTTrack at both ends", "<html><!-- Mirrored from h/p/ by HTTrack Website Copier/3.x -->x<!-- Mirrored from h/p/ by HTTrack Website Copier/3.x --></html>", []string{"HTTrack: http://h/p/"}},
		{"not in the body", "<html><body><!-- Mirrored from h/p/ by HTTrack Website Copier/3.x [XR&CO'2014] --><p>", none},
		{"not by another program", "<html><!-- Mirrored from h/p/ by hand --><head>", none},

		{"Save Page WE", `<head><base href="http://b/"><meta name="savepage-url" content="http://h/p/?a&amp;b">`, []string{"Save Page WE: http://h/p/?a&b"}},
		{"its other meta elements are not evidence", `<meta name="savepage-from" content="http://h/p/">`, none},
		{"not in a template", `<template><meta name="savepage-url" content="http://h/p/"></template>`, none},
		{"not in a noscript", `<noscript><meta name="savepage-url" content="http://h/p/"></noscript>`, none},

		{"WebScrapBook", `<html lang=en data-scrapbook-source="http://h/p/?a&amp;b" data-scrapbook-create="20200101000000000">`, []string{"WebScrapBook: http://h/p/?a&b"}},
		{"on the html element alone", `<body data-scrapbook-source="http://h/p/">`, none},

		{"Wayback Machine", wayback(`"http://h/p/"`), []string{"Wayback Machine: http://h/p/"}},
		{"Wayback Machine, port 80", wayback(`"http://h:80/p?x:80"`), []string{"Wayback Machine: http://h/p?x:80"}},
		{"Wayback Machine, port 443", wayback(`"https://h:443"`), []string{"Wayback Machine: https://h"}},
		{"Wayback Machine, another port", wayback(`"http://h:8080/p/"`), []string{"Wayback Machine: http://h:8080/p/"}},
		{"escaped as JavaScript", wayback(`"http:\/\/h\/p\/?a\u0026b\x26c"`), []string{"Wayback Machine: http://h/p/?a&b&c"}},
		{"escaped as HTML", wayback(`"http://h/?a=b&amp;gl=US&amp;amp;c"`), []string{"Wayback Machine: http://h/?a=b&gl=US&amp;c"}},
		{"escaped as a URL", wayback(`'http%3A%2F%2Fh%2Fp%2F'`), []string{"Wayback Machine: http://h/p/"}},
		{"with white space", wayback(` "http://h/p/" `), []string{"Wayback Machine: http://h/p/"}},
		{"not a string", wayback(`location.href`), none},
		{"in other scripts", `<script>f('__wm.wombat("http://h/p/")')</script>`, none},
		{"in a comment", `<!-- __wm.wombat("http://h/p/","20020120142510") -->`, none},
		{"saved by a browser", "<!-- saved from url=(0011)https://web.archive.org/web/20020120142510/http://h:80/p/ -->" + wayback(`"http://h:80/p/"`),
			[]string{"mark of the web: https://web.archive.org/web/20020120142510/http://h:80/p/", "Wayback Machine: http://h/p/"}},

		{"pywb", `<script> wbinfo = {};` + "\n" + `wbinfo.prefix = decodeURI("http://r/c/"); wbinfo.url = "https://h:443/p\u0026\"\u003c";</script>`, []string{`pywb: https://h/p&"<`}},
		{"pywb without its prefix", `<script>wbinfo.url = "http://h/p";</script>`, none},
		{"pywb without a URL", `<script>wbinfo.url = wbinfo.prefix = "http://r/c/";</script>`, none},
		{"another script", `<script>x = 1; wbinfo.url = "http://h/p"; wbinfo.prefix = "http://r/c/";</script>`, none},
		{"archive.today", `<link rel="bookmark" href="http://archive.today/20171216074022/https://h/p/?a&amp;b"/>`, []string{"archive.today: https://h/p/?a&b"}},
		{"by another name", `<link rel=bookmark href=https://archive.ph/2017.12.16-074022/https://h/p/>`, []string{"archive.today: https://h/p/"}},
		{"a bookmark of a page", `<link rel="bookmark" href="http://h/20171216074022/https://h/p/">`, none},
		{"not a bookmark", `<link rel="alternate" href="http://archive.today/20171216074022/https://h/p/">`, none},
		{"not an a", `<a rel="bookmark" href="http://archive.today/20171216074022/https://h/p/">`, none},
		{"without a time", `<link rel="bookmark" href="http://archive.today/https://h/p/">`, none},

		{"canonical needs Extractor.Canonical", `<link rel="canonical" href="http://h/p/">`, none},
		{"in another charset", "\xFF\xFE" + UTF16("<!-- saved from url=(0011)http://h/é -->"+page), []string{"mark of the web: http://h/é"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := extract.Document{Name: "page.html", Bytes: []byte(row.html)}
			assert.Equal(t, row.want, retrievals(t, &Walker{}, d))
			assert.Empty(t, retrievals(t, &Walker{Extractor: extract.Extractor{NoEvidence: true, Canonical: true}}, d))
			assert.Equal(t, row.html, Rewrite(t, &Walker{}, d), "evidence is not changed")
			for n := range row.html {
				d.Bytes = []byte(row.html[:n])
				Rewrite(t, &Walker{}, d)
			}
		})
	}
}

// The URL of the caller wins, then the content of the file, its attributes, and the canonical URL.
func TestEvidenceOrder(t *testing.T) {
	const html = "<!-- saved from url=(0011)http://mark/ --><html data-scrapbook-source=http://book/>" +
		"<link rel=canonical href=http://canonical/>"
	attributes := []extract.Evidence{{By: "user.xdg.origin.url", URL: "http://xattr/"}, {By: "Zone.Identifier", URL: "about:internet"}}
	d := extract.Document{Name: "page.html", URL: "http://user/", URLBy: "--url", Bytes: []byte(html), Evidence: attributes}
	assert.Equal(t, []string{
		"--url: http://user/", "mark of the web: http://mark/", "WebScrapBook: http://book/",
		"user.xdg.origin.url: http://xattr/", "Zone.Identifier: rejected: only marks the file as downloaded",
		"LINK rel=canonical: http://canonical/",
	}, retrievals(t, &Walker{Extractor: extract.Extractor{Canonical: true}}, d))
	assert.Equal(t, []string{"--url: http://user/"}, retrievals(t, &Walker{Extractor: extract.Extractor{Canonical: true, NoEvidence: true}}, d))

	require.NoError(t, new(Walker).Bases(d, func(e *extract.Entity) error {
		for _, c := range e.Scope.Candidates() {
			assert.GreaterOrEqual(t, c.Offset, -1, c.By)
		}
		return nil
	}))

	// In the content, the first evidence wins.
	book := extract.Document{Name: "page.html", Bytes: []byte("<html data-scrapbook-source=http://book/><!-- saved from url=(0011)http://mark/ -->")}
	assert.Equal(t, []string{"WebScrapBook: http://book/", "mark of the web: http://mark/"}, retrievals(t, &Walker{}, book))

	// A BASE element wins over all evidence, and is resolved against the best.
	d.URL, d.Bytes = "", []byte("<!-- saved from url=(0011)http://mark/ --><base href=/q/><a href=x>")
	assert.Equal(t, []string{"http://mark/q/x"}, URLs(t, &Walker{}, d))

	// A file of any type can have attributes.
	for name, text := range map[string]string{"a.css": "@import 'x';", "a.txt": "<URL:x>", "a.eml": "Link: <x>\n\n"} {
		got := URLs(t, &Walker{}, extract.Document{Name: name, Bytes: []byte(text), Evidence: attributes})
		assert.Equal(t, []string{"http://xattr/x"}, got, name)
	}
}

// An attribute of a web archive has the URL of the archive, not of the documents in it.
func TestEvidenceOfArchives(t *testing.T) {
	for name, src := range map[string]string{
		"c.warc": "WARC/1.0\nWARC-Type: resource\nContent-Type: text/html\nContent-Length: 10\n\n<a href=x>\n\n",
		"n.enex": "<en-export><note><content>&lt;a href='x'/></content></note></en-export>",
		"n.har":  `{"log":{"entries":[{"response":{"content":{"mimeType":"text/html","text":"<a href=x>"}}}]}}`,
	} {
		d := extract.Document{Name: name, Bytes: []byte(src), Evidence: []extract.Evidence{{By: "user.xdg.origin.url", URL: "http://h/" + name}}}
		assert.Equal(t, []string{"(no-base)"}, URLs(t, &Walker{}, d), name)
	}
}

// Browsers save XHTML and SVG with the same comments.
func TestEvidenceInXML(t *testing.T) {
	const mark, page = "<!-- saved from url=(0011)http://h/p/ -->", "<html xmlns='http://www.w3.org/1999/xhtml'>"
	none := []string(nil)
	for _, row := range []struct {
		name, xml string
		want      []string
	}{
		{"a.xhtml", "<?xml version='1.0'?>" + mark + page + "<head/></html>", []string{"mark of the web: http://h/p/"}},
		{"a.xhtml", page + "<!--\n Page saved with SingleFile \n url: http://h/q \n--><head/></html>", []string{"SingleFile: http://h/q"}},
		{"a.xhtml", page + "<head>\n<!-- Mirrored from h/p by HTTrack Website Copier/3.x --></head></html>", []string{"HTTrack: http://h/p"}},
		{"a.xhtml", page + "<head><script>\n__wm.init('x');\n__wm.wombat('http://h:80/p/?a&amp;b','20200101000000');</script></head></html>", []string{"Wayback Machine: http://h/p/?a&b"}},
		{"a.xhtml", page + "<head><script/>__wm.wombat('http://h/p/','20200101000000')</head></html>", none},
		{"a.xhtml", page + "<template><script>__wm.wombat('http://h/p/','20200101000000')</script></template></html>", none},
		{"a.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>__wm.wombat('http://h/p/','20200101000000')</script></svg>", none},
		{"a.svg", mark + "<svg xmlns='http://www.w3.org/2000/svg'/>", []string{"mark of the web: http://h/p/"}},
		{"a.xhtml", page + "<head/><body>" + mark + "</body></html>", none},
		{"a.xhtml", page + "<head><title/>" + mark + "</head></html>", none},
		{"a.xhtml", "<!DOCTYPE html [" + mark + "]>" + page + "</html>", none},
		{"a.xhtml", page + "<![CDATA[" + mark + "]]></html>", none},
		{"a.xhtml", mark[:len(mark)-3] + page + "</html>", none},
	} {
		d := extract.Document{Name: row.name, Bytes: []byte(row.xml)}
		assert.Equal(t, row.want, retrievals(t, &Walker{}, d), row.xml)
		assert.Empty(t, retrievals(t, &Walker{Extractor: extract.Extractor{NoEvidence: true}}, d))
	}
}

// Some URLs outside the document, and some canonical URLs, cannot be that of the page, and are rejected.
func TestEvidenceRefused(t *testing.T) {
	for _, row := range []struct{ name, document, url, want string }{
		{"the page", "page.html", "http://h/page.html", "http://h/page.html"},
		{"the zip file that contained the page", "page.html", "http://h/all.zip", "rejected: the URL of an archive that contained the file"},
		{"with a query", "page.html", "http://h/all.ZIP?x=1", "rejected: the URL of an archive that contained the file"},
		{"a zip itself", "page.html.gz", "http://h/page.html.gz", "http://h/page.html.gz"},
		{"a name that contains \"zip\"", "page.html", "http://h/all.zip/page.html", "http://h/all.zip/page.html"},
		{"a file", "page.html", "file:///C:/x.html", "rejected: the URL of a local file"},
		{"a path", "page.html", `C:\Users\x\all.zip`, "rejected: pages are not retrieved from C: URLs"},
		{"nothing", "page.html", "", "rejected: empty, so the next layer decides"},
	} {
		d := extract.Document{Name: row.document, Type: "text/html", Bytes: []byte(" "), Evidence: []extract.Evidence{{By: "x", URL: row.url}}}
		assert.Equal(t, []string{"x: " + row.want}, retrievals(t, &Walker{}, d), row.name)
	}
	for _, row := range []struct{ name, html, want string }{
		{"canonical", "<link rel='x Canonical' href=http://h/>", "http://h/"},
		{"not another rel", "<link rel=stylesheet href=http://s/><link rel=canonical href=http://h/>", "http://h/"},
		{"the first of two", "<link rel=canonical href=http://h/><link rel=canonical href=http://i/>", "http://h/"},
		{"a relative URL", "<link rel=canonical href=/p/>", "rejected: not an absolute URL"},
		{"a URL of archive.today", "<link rel=canonical href=https://archive.is/YWPHo>", "rejected: a URL of the web archive"},
	} {
		d := extract.Document{Type: "text/html", Bytes: []byte(row.html)}
		assert.Equal(t, "LINK rel=canonical: "+row.want, retrievals(t, &Walker{Extractor: extract.Extractor{Canonical: true}}, d)[0], row.name)
	}
	// A browser would use about:internet as a base.
	d := extract.Document{Type: "text/html", Bytes: []byte("<!-- saved from url=(0014)about:internet --><a href=#x>")}
	assert.Equal(t, []string{"(no-base)"}, URLs(t, &Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG}}, d))
}

// The URL of a body part is in its header. A comment in the part is ignored.
func TestEvidenceOfParts(t *testing.T) {
	const message = "MIME-Version: 1.0\nContent-Type: text/html\n\n<!-- saved from url=(0011)http://mark/ --><a href=x>"
	assert.Equal(t, []string{"(no-base)"}, URLs(t, &Walker{}, extract.Document{Name: "a.eml", Bytes: []byte(message)}))
	const response = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<!-- saved from url=(0011)http://mark/ --><a href=x>"
	assert.Equal(t, []string{"(no-base)"}, URLs(t, &Walker{}, extract.Document{Name: "a.http", Bytes: []byte(response)}))
}

// The URL that a container records for a document wins over an attribute of the file, which does not apply to files in an
// archive at all.
func TestEvidenceOfContainers(t *testing.T) {
	attributes := []extract.Evidence{{By: "user.xdg.origin.url", URL: "http://xattr/"}}
	for name, text := range map[string]string{
		"a.har":        `{"log":{"entries":[{"request":{"url":"http://in/"},"response":{"content":{"text":"<a href=x>","mimeType":"text/html"}}}]}}`,
		"a.enex":       ENEX(ENEXNote("http://in/", ENML("<a href='x'/>"))),
		"a.webarchive": "<plist><dict><key>WebMainResource</key><dict><key>WebResourceData</key><data>PGEgaHJlZj14Pg==</data><key>WebResourceURL</key><string>http://in/</string></dict></dict></plist>",
		"a.mht":        "Snapshot-Content-Location: http://in/\nContent-Type: text/html\n\n<a href=x>",
		"a.warc":       "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://in/\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=x>\r\n\r\n",
	} {
		got := URLs(t, &Walker{}, extract.Document{Name: name, Bytes: []byte(text), Evidence: attributes})
		assert.Equal(t, "http://in/x", got[len(got)-1], name)
	}
	zip := extract.Document{Name: "t.zip", Bytes: []byte(Zip("a.html", "<a href=x>")), Evidence: attributes}
	assert.Equal(t, []string{"(no-base)"}, URLs(t, &Walker{}, zip))
}

// A file in an archive has the same evidence as in a directory.
func TestEvidenceInArchives(t *testing.T) {
	const page = "<!-- saved from url=(0012)http://h/p/q --><a href=x><img src=page_files/a.png>"
	want := []string{"http://h/p/x", "(local-copy)"}
	tape := TarFile("d/page.html", page) + TarEnd
	for name, src := range map[string]string{
		"t.zip":          Zip("d/page.html", page),
		"t.tar":          tape,
		"tar in zip.zip": Zip("t.tar", tape),
		"zip in zip.zip": Zip("t.zip", Zip("page.html", page)),
	} {
		d := extract.Document{Name: name, Bytes: []byte(src)}
		assert.Equal(t, want, URLs(t, &Walker{}, d), name)
		assert.Equal(t, []string{"(no-base)", "(no-base)"}, URLs(t, &Walker{Extractor: extract.Extractor{NoEvidence: true}}, d), name)
		d.MemberURL = func(string) (url, by string) { return "http://user/", "--site" }
		assert.Equal(t, []string{"http://user/x", "(local-copy)"}, URLs(t, &Walker{}, d), name)
	}
}
