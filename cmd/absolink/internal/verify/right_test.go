package verify_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/verify"
	"absolink/extract"
	"absolink/resolve"
)

// proves asserts that a rewritten document is proved by all standards, and that a link in it changed.
func proves(t *testing.T, mediaType, text string) {
	for _, standard := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
		s := sample{name: text, config: verify.Config{Standard: standard.String(), Base: "keep"}, x: extract.Extractor{Standard: standard},
			d: extract.Document{Type: mediaType, URL: "http://h.example/d/p", Bytes: []byte(text)}}
		r := s.config.Check(s.rewritten(t))
		assert.Nil(t, r.Failed, "%s: %s", standard, text)
		assert.Empty(t, r.Unable, "%s: %s", standard, text)
		assert.Positive(t, r.Links, "%s: %s", standard, text)
	}
}

// TestEmptyUnquoted: an empty value without quotes gets quotes.
func TestEmptyUnquoted(t *testing.T) {
	for _, tag := range []string{"a href=", "a href= ", "a href\t=\n", "a class=x href=", "a HREF=", "a/href/", "a href title=x", "area href=", "form\naction="} {
		for _, standard := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
			s := sample{name: tag, config: verify.Config{Standard: standard.String()}, x: extract.Extractor{Standard: standard},
				d: extract.Document{Type: "text/html", URL: "http://h.example/d/p", Bytes: []byte("<svg/><" + tag + ">x")}}
			r := s.config.Check(s.rewritten(t))
			assert.Equal(t, verify.Result{Links: 1}, r, "%s: %s", standard, tag)
		}
	}
}

// TestHiddenBase: a header Base is completed with the base that --override-base hides, which the proof does not work out.
func TestHiddenBase(t *testing.T) {
	const over = "http://over.example/x/"
	s := sample{name: "Base", config: verify.Config{Standard: "rfc1808", Override: over}, x: extract.Extractor{Override: over},
		d: extract.Document{Type: "message/rfc822", URL: "http://h.example/d/p", Bytes: []byte("Base: b/\nContent-Type: text/html\n\n<a href=x>")}}
	r := s.config.Check(s.rewritten(t))
	assert.Nil(t, r.Failed)
	assert.Len(t, r.Unable, 1)
	assert.Equal(t, 1, r.Links)
}

// TestOddNames: the name of an attribute may contain quotes, as in templates.
func TestOddNames(t *testing.T) {
	for _, tag := range []string{`<img src="a" alt="b" {{ with "x" "y" }}title="c" {{ end }}>`, `<a href=x "a" "a" 'b='b'>`, `<a href=x a"b=c d"b=e>`, `<a href=x =a =a==b>`} {
		proves(t, "text/html", tag)
	}
}

// TestOddValues: a refresh may have no URL or an empty one, and a candidate of a srcset may be invalid.
func TestOddValues(t *testing.T) {
	for _, tag := range []string{
		"<meta http-equiv=refresh content=300>", "<meta http-equiv=refresh content=' 5 ; '>", "<meta http-equiv=refresh content='.5,'>", "<meta http-equiv=refresh content='5;url='>",
		"<meta http-equiv=refresh content='5; URL = '>", "<meta http-equiv=refresh content='5;url=\"\"'>", "<meta http-equiv=refresh content='5;\" '>", "<meta http-equiv=refresh content='5,;x'>",
		"<meta http-equiv=refresh content='5;url=x'>", "<meta http-equiv=refresh content='0 url=\" x \" y'>", "<meta http-equiv=refresh content=\"5;'x\">",
		"<meta http-equiv=' refresh ' content='5;url=x'>", "<meta http-equiv='base ' content='/b/'>",
		"<img srcset='a 0w'>", "<img srcset='a 1.5w, b 2w'>", "<img srcset='a 1.5x, b 02w'>", "<img srcset='a 640, a 2x'>", "<img srcset='a 1q, b 1x, a 1q, a 2x, a 1q'>",
	} {
		proves(t, "text/html", tag+"<a href=z>")
	}
	for _, value := range []string{"300", "5;", "5;url=", "5;url=x", `5; URL="x"`} {
		proves(t, "message/http", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nRefresh: "+value+"\r\n\r\n<a href=x>")
	}
}

// TestEmptyIgnored: browsers ignore an empty src, so it is no link under the URL Standard.
func TestEmptyIgnored(t *testing.T) {
	for _, tag := range []string{`<img src="">`, "<img src=''>", `<iframe src=""></iframe>`, `<video src="" poster="">`, `<object data="">x</object>`, `<link href="">`, `<td background="">`, `<a href="">`, `<q cite="">`} {
		proves(t, "text/html", "<table>"+tag+"</table><a href=z>")
	}
	proves(t, "application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><img src=""/><link href=""/><a href="x"/></html>`)
}

// TestForeign: an element of SVG or MathML with a name of HTML has no links of HTML, and HTML inside it may declare the base.
func TestForeign(t *testing.T) {
	const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:s="http://www.w3.org/2000/svg">`
	for _, text := range []string{`<svg><audio src="x"/><iframe src="y"/><form action=""/></svg>`, `<math><td background="x">c</td></math>`, `<base href="/b/"><svg><base href="x"/></svg>`} {
		proves(t, "text/html", text+"<a href=z>")
	}
	for _, text := range []string{`<s:a ping="x"/>`, `<image src="x"/>`, `<s:audio src="x"/>`, `<s:iframe srcdoc="&lt;a href='x'>"/>`} {
		proves(t, "application/xhtml+xml", xhtml+text+`<a href="z"/></html>`)
	}
	for kind, text := range map[string]string{
		"text/html": `<svg><foreignObject><base href="/b/"></foreignObject></svg><a href=x>`, "application/xhtml+xml": xhtml + `<template><base href="/b/"/></template><a href="x"/></html>`,
	} {
		s := sample{config: verify.Config{Standard: "whatwg", Base: "keep"}, x: extract.Extractor{Standard: resolve.WHATWG}, d: extract.Document{Type: kind, URL: "http://h.example/d/p", Bytes: []byte(text)}}
		r := s.config.Check(s.rewritten(t))
		assert.Nil(t, r.Failed, text)
	}
}

// TestOddTypes: a header may name no media type, or one that no program knows, and content may not be of its type.
func TestOddTypes(t *testing.T) {
	const page, feed = "<html><a href=x>", `<rss version="2.0"><channel><link>/x</link></channel></rss>`
	for _, name := range []string{"html", "html; charset=utf-8", "text/html charset=utf-8", " TEXT/HTML ;", ""} {
		proves(t, "message/http", "HTTP/1.1 200 OK\r\nContent-Type: "+name+"\r\n\r\n"+page)
	}
	proves(t, "message/http", "HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Base: q/\r\nContent-Type: text/html\r\n\r\n"+page+"\r\n--b--\r\n")
	proves(t, "message/http", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"+page)
	for _, start := range []string{"", "\uFEFF", "\n<!-- a --><!DOCTYPE rss>", "\uFEFF<?xml version='1.0'?>"} {
		proves(t, "message/http", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+start+feed)
	}
}

// TestUndecoded: the body of a response is not proved if the standard library does not decode it.
func TestUndecoded(t *testing.T) {
	const page = "<a href=x>"
	for _, row := range []string{
		"text/html\r\nTransfer-Encoding: chunked\r\n\r\na\r\n" + page + "\r\nno chunk",
		"text/html\r\nTransfer-Encoding: gzip\r\n\r\n" + page,
		"text/html\r\nContent-Encoding: br\r\n\r\n" + page,
	} {
		s := sample{name: row, config: verify.Config{Standard: "rfc3986", Base: "keep"}, x: extract.Extractor{Standard: resolve.RFC3986},
			d: extract.Document{Type: "message/http", URL: "http://h.example/d/p", Bytes: []byte("HTTP/1.1 200 OK\r\nContent-Type: " + row)}}
		r := s.config.Check(s.rewritten(t))
		assert.Nil(t, r.Failed, row)
		assert.NotEmpty(t, r.Unable, row)
	}
}

// TestCharsets: a link with characters outside ASCII is proved in each charset, whether or not its bytes are UTF-8 by chance.
// The query of a URL in a page is the exception, because the URL library does not know the charset of the page.
func TestCharsets(t *testing.T) {
	for _, row := range []struct{ name, kind, text string }{
		{"a text", "message/rfc822", "Content-Type: text/plain; charset=LABEL\n\n<URL:é>\n"},
		{"a link", "text/html", `<meta charset=LABEL><a href="é">`},
		{"a host", "text/html", `<meta charset=LABEL><a href="//é.example/">`},
		{"a page in a page", "text/html", `<meta charset=LABEL><iframe srcdoc="<a href=//é.example/>">`},
		{"a BASE element", "text/html", `<meta charset=LABEL><base href="//é.example/"><a href=x>`},
		{"a style element", "text/html", `<meta charset=LABEL><style>a{b:url(é)}</style>`},
		{"@charset", "text/css", `@charset "LABEL"; a{b:url(é)}`},
		{"@import", "text/css", `@charset "LABEL"; @import "//é.example/";`},
		{"a style sheet in a message", "message/rfc822", "Content-Type: text/css; charset=LABEL\n\na{b:url(é)}"},
		{"a style sheet in a response", "message/http", "HTTP/1.1 200 OK\r\nContent-Type: text/css; charset=LABEL\r\n\r\na{b:url(é)}"},
		{"XML", "application/xml", `<?xml version="1.0" encoding="LABEL"?><a href="é"/>`},
		{"xml:base", "application/xml", `<?xml version="1.0" encoding='LABEL'?><r xml:base="é/"><a href="x"/></r>`},
		{"XHTML", "application/xhtml+xml", `<?xml version="1.0" encoding="LABEL"?><html xmlns="http://www.w3.org/1999/xhtml"><base href="é/"/><a href="x"/></html>`},
		{"a page in a feed", "application/rss+xml", `<?xml version="1.0" encoding="LABEL"?><rss><channel><description>&lt;a href="é"></description></channel></rss>`},
	} {
		proves(t, row.kind, strings.ReplaceAll(row.text, "LABEL", "utf-8"))
		for _, letter := range []string{"é", "\xE9"} {
			text := strings.NewReplacer("LABEL", "iso-8859-1", "é", letter).Replace(row.text)
			s := sample{config: verify.Config{Standard: "whatwg", Base: "keep"}, x: extract.Extractor{Standard: resolve.WHATWG},
				d: extract.Document{Type: row.kind, URL: "http://h.example/d/p", Bytes: []byte(text)}}
			r := s.config.Check(s.rewritten(t))
			assert.Nil(t, r.Failed, "%s: %q", row.name, letter)
			assert.Empty(t, r.Unable, "%s: %q", row.name, letter)
			assert.Positive(t, r.Links, "%s: %q", row.name, letter)
		}
	}
	proves(t, "text/html", strings.Repeat("<p>", 400)+"<a href=é>")
	proves(t, "text/html", `<?xml version="1.0" encoding="iso-8859-1"?><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><a href="é">`)
}

// TestWideCharsets: XML in UTF-16 needs no byte order mark, and a label of UTF-16 that can be read as ASCII is wrong.
func TestWideCharsets(t *testing.T) {
	for _, text := range []string{`<?xml version="1.0" encoding="LABEL"?><r><a href="é"/></r>`, `<r xml:base="é/"><a href="x"/></r>`} {
		for label, order := range map[string]binary.AppendByteOrder{"utf-16le": binary.LittleEndian, "utf-16be": binary.BigEndian} {
			var wide []byte
			for _, unit := range utf16.Encode([]rune(strings.ReplaceAll(text, "LABEL", label))) {
				wide = order.AppendUint16(wide, unit)
			}
			proves(t, "application/xml", string(wide))
		}
		proves(t, "application/xml", strings.ReplaceAll(text, "LABEL", "UTF-16"))
	}
	proves(t, "text/css", `@charset "utf-16be";a{b:url("é")}`)
}

// TestRobots: a line of a robots.txt may end with CR, and the first one may follow a byte order mark.
func TestRobots(t *testing.T) {
	for _, text := range []string{"\uFEFFSitemap: x\n", "User-agent: *\rSitemap: x\rSitemap: y\r\nsitemap:z"} {
		s := sample{config: verify.Config{Standard: "rfc3986", Base: "keep"}, x: extract.Extractor{Standard: resolve.RFC3986}, d: extract.Document{Name: "robots.txt", URL: "http://h.example/robots.txt", Bytes: []byte(text)}}
		r := s.config.Check(s.rewritten(t))
		assert.Nil(t, r.Failed, text)
		assert.Empty(t, r.Unable, text)
		assert.Positive(t, r.Links, text)
	}
}

// TestStylesheets: what a stylesheet makes is another document, and has no links.
func TestStylesheets(t *testing.T) {
	const names = ` version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns="http://www.w3.org/1999/xhtml" `
	proves(t, "application/xml", `<xsl:stylesheet`+names+`xml:base="b/"><xsl:import href="x"/><xsl:template match="/"><html xml:base="/c/"><head><base href="d/"/><style>a{b:url("x")}</style></head><a href="x"/><a href="{x}"/></html></xsl:template></xsl:stylesheet>`)
	proves(t, "text/xsl", `<?xml-stylesheet href="x"?><html xsl:`+strings.TrimSpace(names)+`><a href="x"/><xsl:include href="x"/></html>`)
}

// TestExports: what programs export is proved: the JSON of WordPress, the HTML of Jira, OpenSearch, and mail with damaged declarations.
func TestExports(t *testing.T) {
	proves(t, "text/html", `<!-- wp:image {"id":1,"url":"\/a\u002d\u002db.png","href":"https:\/\/h\/?a\u0026b"} --><img src="x"><!-- /wp:image -->`)
	proves(t, "application/xml", `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><Url template="/s?q={searchTerms}"/><Image>i</Image></OpenSearchDescription>`)
	proves(t, "application/rss+xml", `<rss><channel><item><environment>&lt;a href="x"&gt;</environment><comments><comment>&lt;a href="y"&gt;</comment></comments></item></channel></rss>`)
	proves(t, "application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><in-reply-to xmlns="http://purl.org/syndication/thread/1.0" source="x"/></entry></feed>`)
	proves(t, "application/mbox", "From a@h\nTo: a\nContent-Base: http://p/\n\n<URL:x>\nFrom b@h\nTo: b\nContent-Base: http://q/\n\n<URL:x>\n")
	proves(t, "message/rfc822", "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n{\\rtf1 <a href=\"x\">}\n--b\nContent-Type: text/html; charset=cp932\n\n<a href=\"x\">\x93\xfa</a>\n--b--\n")
}

// TestSameText: the text of a link may also occur before it, even in another URL, and a quoted URL may have several lines.
func TestSameText(t *testing.T) {
	proves(t, "text/html", `<meta http-equiv=refresh content="0; url=r">`)
	proves(t, "text/html", `<a href=x ping="xx x">`)
	proves(t, "text/html", `<img srcset="http://p.example/c 1x, c 2x">`)
	proves(t, "message/rfc822", "Comments: see <URL:R>\nLink: <http://p.example/l>; rel=x, <l>; rel=x\n\n")
	proves(t, "text/plain", "<http://p.example/a/\nb>\n<URL:a/\nb>\n")
	proves(t, "text/plain", "> <http://p.example/a/\n> b>\nx <URL:x> x <URL:x>\n")
}

// TestOddMessages: the parts of a digest are messages (RFC 2046, 5.1.5), and a From_ line may precede a message.
func TestOddMessages(t *testing.T) {
	const from, header, page = "From a@b Thu Jan  1 00:00:00 2024\n", "From: a@b\nContent-Type: text/html\n\n", "<html><a href=x>\n"
	for _, start := range []string{from, "\n\n" + from, from + "\n", "\uFEFF\n" + from + " \n"} {
		proves(t, "message/rfc822", start+header+page)
	}
	const digest = "Content-Type: multipart/digest; boundary=b\n\n--b\n\n"
	proves(t, "message/rfc822", digest+header+page+"--b--\n")
	proves(t, "message/rfc822", digest+strings.ReplaceAll(digest, "=b", "=c")[:len(digest)-len("--b\n\n")]+"--c\n\n"+header+page+"--c--\n--b--\n")
	proves(t, "message/rfc822", digest+"From: a@b\n\n<URL:x>\n--b--\n")
	proves(t, "application/mbox", from+"Content-Length: 120\n"+header+page)
	proves(t, "application/mbox", "\x01\x01\x01\x01\n"+header+page)
	proves(t, "message/rfc822", "Content-Base: q/\nContent-Base: r/\nContent-Location: ../s\n"+header+page)
	proves(t, "message/rfc822", "Content-Location: q/\nContent-Base: r/\n"+header+page)
	inUTF16 := base64.StdEncoding.EncodeToString([]byte("<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00x\x00>\x00\xe5\x65"))
	proves(t, "message/rfc822", "From: a@b\nContent-Type: text/html; charset=utf-16le\nContent-Transfer-Encoding: base64\n\n"+inUTF16+"\n")
}

// TestAttributeSpaces: a line end in an XML attribute is a space, but a character reference to one is not (XML 1.0, 3.3.3).
func TestAttributeSpaces(t *testing.T) {
	for _, value := range []string{"x\r\ny", " x\ty\n", "x&#10;y", "x &quot;'\n"} {
		proves(t, "application/xml", `<a href='`+strings.ReplaceAll(value, "'", "&apos;")+`'/>`)
	}
}

// TestWayback: only some paths in a page of the Wayback Machine are those of the archive.
func TestWayback(t *testing.T) {
	const page = `<script>__wm.wombat("http://h/p","20200101000000","https://web.archive.org/","web")</script>`
	for _, path := range []string{"/_static/a.css", "/web/20200101000000/b", "/web/20200101000000cs_/http://k/", "/web/2020/http://k/", "/web/2020/", "/web/2020/c", "/web/20200101000000//x", "/web/", "/web/2020*/http://k/", "/web/20200101000000/http://", "/save/http://k/", "/website"} {
		proves(t, "text/html", page+"<img src="+path+">")
	}
}

// TestReplay: a page from pywb, or from archive.today, leads into its archive.
func TestReplay(t *testing.T) {
	const pywb = `<script> wbinfo = {}; wbinfo.url = "http://h/p?a\u0026b"; wbinfo.prefix = decodeURI("http://r:8080/c/");</script>`
	const today = `<link rel="bookmark" href="http://archive.today/20171216074022/http://h/p?a">`
	const other = `<link href="https://archive.ph/2017.12.16-074022/http://h/p" rel="x BOOKMARK">`
	const without = `<script>wbinfo = {}; wbinfo.prefix = "http://r:8080/c/";</script>`
	const quoted = `<script>window.wbinfo = {}; wbinfo.prefix = 'http://r:8080/c'; wbinfo.url =  'http://h/p';</script>`
	for _, page := range []string{pywb, today, other, without, quoted} {
		for _, path := range []string{"/c/20200101000000mp_/http://k/", "/c/mp_/http://k/", "/c/mp_///k/x", "//r:8080/c/20200101000000///k/", "https://r:8080/c/2020/http://k/", "/c/", "/c", "/cx", "/XvEff/x", "/", "x", "//k/c/x", "#f"} {
			for _, unarchive := range []bool{false, true} {
				s := sample{config: verify.Config{Standard: "rfc1808", Base: "keep", Unarchive: unarchive}, x: extract.Extractor{Unarchive: unarchive}, d: extract.Document{Type: "text/html", URL: "http://h/d/q", Bytes: []byte(page + `<a href="` + path + `">`)}}
				d := s.rewritten(t)
				r := s.config.Check(d)
				assert.Nil(t, r.Failed, path)
				assert.Empty(t, r.Unable, path)
				d.New = append(d.Old[:len(d.Old)-2:len(d.Old)-2], `wrong">`...)
				assert.NotNil(t, s.config.Check(d).Failed, path)
			}
		}
	}
}

// TestUnarchive: with Unarchive, the archive's own paths stay in it, in every format that records a URL in the archive.
func TestUnarchive(t *testing.T) {
	const html = `<img src="/_static/x.png"><a href="/web/2020*/y"><a href="/web/20200101000000/http://k/"><a href="/web/20200101000000/http://"><a href="z"><a href="/z">` +
		`<a href="/web/2020/http://k"><a href="/web/2020/http:/k/"><a href="/web/20200101000000///k/"><a href="/web/2020/https://web.archive.org/web/2019/http://k/"><a href="https://web.archive.org/web/2019/k/">`
	for _, url := range []string{"https://web.archive.org/web/20200101000000/http://h/p", "http://web.archive.org/web/20200101000000/http://h:80/p", "https://web.archive.org/web/20200101000000id_/http://h/p"} {
		for mediaType, text := range map[string]string{
			"text/html":        html,
			"message/rfc822":   "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\nContent-Location: " + url + "\n\n" + html + "\n--b--\n",
			"application/warc": strings.Replace(warcRecord("response", "application/http", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+html), "http://h.example/d/p", url, 1),
		} {
			for _, standard := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
				s := sample{config: verify.Config{Standard: standard.String(), Base: "keep", Unarchive: true}, x: extract.Extractor{Standard: standard, Unarchive: true},
					d: extract.Document{Type: mediaType, Bytes: []byte(text)}}
				if mediaType == "text/html" {
					s.d.URL = url
				}
				r := s.config.Check(s.rewritten(t))
				assert.Nil(t, r.Failed, "%s %s %s", mediaType, standard, url)
				assert.Empty(t, r.Unable, "%s %s %s", mediaType, standard, url)
				assert.GreaterOrEqual(t, r.Links, 10, "%s %s %s", mediaType, standard, url)
			}
		}
	}
}

// TestOwnURL: a form without an action is sent to the URL of the page, as the URL Standard spells it.
func TestOwnURL(t *testing.T) {
	s := sample{config: verify.Config{Standard: "whatwg", Base: "keep"}, x: extract.Extractor{Standard: resolve.WHATWG},
		d: extract.Document{Type: "text/html", URL: "http://H.example/é", Bytes: []byte(`<form action="">`)}}
	assert.Equal(t, verify.Result{Links: 1}, s.config.Check(s.rewritten(t)))
}

// TestPartsWithoutBase: a relative Content-Location without a base stays, and so do the links in the part. A link that has a
// base may stay.
func TestPartsWithoutBase(t *testing.T) {
	message := func(first, location, second string) string {
		return "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<base href=http://h/d/><a href=" + first + "><a href=http://h/d/x>\n" +
			"--b\nContent-Type: text/html\nContent-Location: " + location + "\n\n<a href=" + second + ">\n--b--\n"
	}
	old := strings.Replace(message("m", "m", "o"), "http://h/d/x", "x", 1)
	for _, row := range []struct {
		name, new string
		fails     bool
	}{
		{"the link stays", message("m", "m", "o"), false},
		{"the link has another URL", message("http://h/m", "m", "o"), true},
		{"the part gets a URL", message("http://h/d/m", "http://h/d/m", "o"), true},
		{"a link in the part gets a URL", message("m", "m", "http://h/d/o"), true},
	} {
		c := verify.Config{Standard: "rfc3986", Base: "keep"}
		r := c.Check(verify.Document{Type: "message/rfc822", Old: []byte(old), New: []byte(row.new), TypeOf: typeOf,
			Links: linksOf(extract.Extractor{}, extract.Document{Type: "message/rfc822", Bytes: []byte(old)})})
		assert.Equal(t, row.fails, r.Failed != nil, "%s: %v", row.name, r.Failed)
		assert.True(t, row.fails || len(r.Unable) == 0 && r.Links == 1, "%s: %+v", row.name, r)
	}
}

// TestTemplates: a reference that begins with a placeholder of a template, or has one in its authority, stays, and such a base
// is not followed. Any other rewriting is refused.
func TestTemplates(t *testing.T) {
	const page = `<base href="{{ base }}/x/"><a href="{{ x }}"><a href="https://{{ h }}/"><a href="%x%"><a href="[[x]y]]/z"><a href="###x###"><a href="::x::"><a href="__X_Y__/z"><a href="{x}"><a href="[X]"><a href="$X"><a href=":/0123456789abcdef0123456789abcdef"><a href="%%x%y%%"><a href="{!! x !!}"><a href="[% x %]"><a href="%%=x=%%"><a href="$!{x}"><a href="/v/{{ x }}"><a href="%a%b%">`
	for _, standard := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
		s := sample{name: page, config: verify.Config{Standard: standard.String(), Base: "keep"}, x: extract.Extractor{Standard: standard},
			d: extract.Document{Type: "text/html", URL: "http://h.example/d/p", Bytes: []byte(page)}}
		right := s.rewritten(t)
		r := s.config.Check(right)
		assert.Nil(t, r.Failed, standard)
		if standard == resolve.WHATWG {
			continue
		}
		assert.Equal(t, verify.Result{Links: 2}, r, standard)
		for _, old := range []string{`"{{ x`, `"%x`, `"[[`, `"%%x`, `"{!`, `"[%`, `"%%=`, `"$!`, `"###`, `"::`, `"__`, `"{x}`, `"[X`, `"$X`, `":/`} {
			wrong := right
			wrong.New = bytes.Replace(right.New, []byte(old), []byte(`"http://h.example/d/`+old[1:]), 1)
			assert.NotNil(t, s.config.Check(wrong).Failed, "%s: %s", standard, old)
		}
	}
}

// TestForeignText: elements whose text is raw in HTML have ordinary text in SVG and MathML, and can be self-closing there.
func TestForeignText(t *testing.T) {
	for _, name := range strings.Fields("title style script textarea xmp iframe noembed noframes noscript plaintext desc") {
		for _, page := range []string{"<svg><NAME /></svg><p>", "<svg><g><NAME/><a href=y /></g></svg>", "<math><NAME /></math><p>", "<svg><NAME>t</NAME></svg>",
			"<svg><NAME><b></b></NAME></svg>", "<svg><NAME>t</svg><p>", "<svg><foreignObject><NAME /><a href=r></NAME></foreignObject></svg>", "<NAME /><a href=r></NAME>"} {
			proves(t, "text/html", "<!DOCTYPE html><a href=x></a>"+strings.ReplaceAll(page, "NAME", name)+`<a href="n">`)
		}
	}
	for _, page := range []string{
		`<math><annotation-xml><style><a href=r></style></annotation-xml></math>`,
		`<math><style>url(/)</style></math>`,
		`<math><annotation-xml encoding=text/html><style><a href=r></style></annotation-xml></math>`,
		`<svg><font color=red><style><a href=r></style>`,
		`<svg><font><style><a href=r></style>`,
		`<svg></p><style><a href=r></style>`,
		`<svg><foreignObject><svg><p><style><a href=r></style>`,
		`<svg><style>a { b: url(&quot;c&quot;) }</style><style><![CDATA[a { b: url(c) }]]></style>`,
		`<svg><script><![CDATA[<a href=r>]]></script></svg>`,
	} {
		proves(t, "text/html", "<!DOCTYPE html><a href=x></a>"+page+`<a href=n>`)
	}
}

// TestFeedTexts: the type or mode of a text in a feed says how it is read (RFC 4287, 3.1; Atom 0.3).
func TestFeedTexts(t *testing.T) {
	const page, escaped = `<p><a href="/n">x</a> and text</p>`, `&lt;a href="/n"&gt;x&lt;/a&gt;`
	inBase64 := base64.StdEncoding.EncodeToString([]byte(page))
	for _, name := range strings.Fields("content summary title tagline info copyright") {
		for _, text := range []string{`mode="base64" type="text/html">` + inBase64, `mode="base64" type="TEXT/HTML; charset=utf-8">` + inBase64[:20] + "\n" + inBase64[20:] + "\n",
			`mode="base64" type="application/xhtml+xml">` + inBase64, `mode="escaped" type="text/html">` + escaped, `mode="escaped" type="application/xhtml+xml">` + escaped,
			`type="html"><![CDATA[` + page + `]]>`, `type="text">` + escaped, `type="application/octet-stream">` + inBase64, `>` + escaped} {
			entry := "<" + name + " " + text + "</" + name + `><link href="/l"/>`
			for _, feed := range []string{`<feed xmlns="http://purl.org/atom/ns#">`, `<feed xmlns="http://www.w3.org/2005/Atom">`, `<feed>`} {
				proves(t, "application/atom+xml", feed+entry+"</feed>")
			}
		}
	}
}

// TestAttachedArchive: the files in an attached archive have the base of the message.
func TestAttachedArchive(t *testing.T) {
	var out strings.Builder
	z := zip.NewWriter(&out)
	file, err := z.Create("a/page.html")
	require.NoError(t, err)
	_, err = file.Write([]byte("<a href=x>"))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	for _, mediaType := range []string{"application/zip", "application/octet-stream"} {
		proves(t, "message/rfc822", "Content-Type: "+mediaType+"\nContent-Disposition: attachment; filename=site.zip\nContent-Transfer-Encoding: base64\n\n"+
			base64.StdEncoding.EncodeToString([]byte(out.String()))+"\n")
	}
}

// warcRecord returns a record. fields are more lines of its header.
func warcRecord(kind, mediaType, block string, fields ...string) string {
	return "WARC/1.0\r\nWARC-Type: " + kind + "\r\nWARC-Target-URI: http://h.example/d/p\r\nContent-Type: " + mediaType + "\r\n" +
		strings.Join(append(fields, fmt.Sprintf("Content-Length: %d", len(block))), "\r\n") + "\r\n\r\n" + block + "\r\n\r\n"
}

// TestDigests: a digest that was right before the rewriting is right afterwards, and a wrong one may stay.
func TestDigests(t *testing.T) {
	const page, head = `<a href="/x">x</a>`, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	const response, chunks, wrong = head + "\r\n" + page, "12\r\n" + page + "\r\n0\r\n\r\n", "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	of := func(s string) string {
		sum := sha1.Sum([]byte(s))
		return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
	}
	chunked := head + "Transfer-Encoding: chunked\r\n\r\n" + chunks
	for _, row := range []struct{ kind, mediaType, block, payload, digest string }{
		{"response", "application/http", response, of(page), of(response)},
		{"response", "application/http", response, wrong, of(response)},
		{"response", "application/http", response, of(page), wrong},
		{"response", "application/http", response, of(response), of(response)},
		{"response", "application/http", response, of(strings.Replace(page, "/x", "http://h.example/x", 1)), wrong},
		{"response", "application/http", chunked, of(chunks), of(chunked)},
		{"response", "application/http", chunked, of(page), of(chunked)},
		{"response", "application/http", chunked, wrong, wrong},
		{"response", "text/html", page, of(page), of(page)},
		{"revisit", "application/http", head + "Link: </z>; rel=x\r\n\r\n", of(page), of(head + "Link: </z>; rel=x\r\n\r\n")},
		{"resource", "text/html", page, of(page), of(page)},
		{"metadata", "text/html", page, wrong, of(page)},
		{"conversion", "text/html", page, of(page), wrong},
	} {
		proves(t, "application/warc", warcRecord(row.kind, row.mediaType, row.block, "WARC-Payload-Digest: "+row.payload, "WARC-Block-Digest: "+row.digest, "X-Digest: sha1:x"))
	}
	a, b, c, d := md5.Sum([]byte(page)), sha1.Sum([]byte(page)), sha256.Sum256([]byte(page)), sha512.Sum512([]byte(page))
	for name, sum := range map[string][]byte{"md5": a[:], "sha1": b[:], "SHA-1": b[:], "sha256": c[:], "sha-256": c[:], "sha512": d[:]} {
		inBase32 := base32.StdEncoding.EncodeToString(sum)
		for _, value := range []string{hex.EncodeToString(sum), fmt.Sprintf("%X", sum), inBase32, strings.ToLower(inBase32), strings.TrimRight(inBase32, "="),
			base64.StdEncoding.EncodeToString(sum), base64.RawURLEncoding.EncodeToString(sum)} {
			proves(t, "application/warc", warcRecord("resource", "text/html", page, "WARC-Payload-Digest: "+name+":"+value))
		}
	}
}

// TestStaleDigest: a digest that was right fails if it is still that of the old text, or that of neither.
func TestStaleDigest(t *testing.T) {
	const old, new = `<a href="/x">x</a>`, `<a href="http://h.example/x">x</a>`
	digest := func(name, text string) string {
		sum := sha512.Sum512([]byte(text))
		return name + ": sha512:" + hex.EncodeToString(sum[:])
	}
	for _, name := range []string{"WARC-Payload-Digest", "WARC-Block-Digest"} {
		for _, row := range []struct {
			was, is string
			fails   bool
		}{{old, new, false}, {old, old, true}, {old, "z", true}, {"y", "y", false}, {"y", "z", true}, {"y", new, false}} {
			c := verify.Config{Standard: "rfc1808"}
			was := []byte(warcRecord("resource", "text/html", old, digest(name, row.was)))
			r := c.Check(verify.Document{Type: "application/warc", TypeOf: typeOf, Old: was, Links: linksOf(extract.Extractor{}, extract.Document{Type: "application/warc", Bytes: was}),
				New: []byte(warcRecord("resource", "text/html", new, digest(name, row.is)))})
			assert.Equal(t, row.fails, r.Failed != nil, "%s: %+v", name, row)
		}
	}
}

// TestSelfExtracting: a page that is also a zip archive of a page stays unchanged, even if a base around it changes.
func TestSelfExtracting(t *testing.T) {
	const before = "Content-Base: %s\r\nContent-Type: text/html\r\n\r\n"
	for _, row := range []struct {
		name, change string
		files        int
		fails        bool
	}{
		{"unchanged", "", 1, false},
		{"a link of the loader changed", "http://h/x", 1, true},
		{"an archive without a page", "", 0, true},
	} {
		var zipped bytes.Buffer
		z := zip.NewWriter(&zipped)
		for range row.files {
			_, err := z.Create("index.html")
			require.NoError(t, err)
		}
		require.NoError(t, z.Close())
		page := "<!DOCTYPE html><a href=../x><!--" + zipped.String() + "-->"
		changed := page
		if row.change != "" {
			changed = strings.Replace(page, "../x", row.change, 1)
		}
		c := verify.Config{Standard: "rfc3986", Base: "keep", Rules: verify.NewRules([]verify.Rule{{Old: "http://h/d/", New: "http://h/e/f/"}})}
		old := []byte(fmt.Sprintf(before, "http://h/d/") + page)
		links := linksOf(extract.Extractor{}, extract.Document{Type: "message/rfc822", Bytes: old})
		r := c.Check(verify.Document{Type: "message/rfc822", TypeOf: typeOf, Links: links, Old: old, New: []byte(fmt.Sprintf(before, "http://h/e/f/") + changed)})
		assert.Equal(t, row.fails, r.Failed != nil, "%s: %v", row.name, r.Failed)
	}
}

// TestKinds: documents that programs read differently never fail, whatever the standard, with or without a map.
func TestKinds(t *testing.T) {
	const page, fields = "<a href=\"x\">x</a> <a href=\"http://h.example/d/y\">y</a>\n", "From: a@b.example\nSubject: s\n"
	const from = "From a@b Thu Jan  1 00:00:00 2024\n"
	multipart := func(boundary, delimiter string) string {
		return fields + "Content-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + delimiter + "\nContent-Type: text/html\n\n" + page + "--" + delimiter + "--\n"
	}
	in := func(head string) string { return fields + head + "\n\n" + page }
	utf16 := func(order binary.AppendByteOrder, s string) (out string) {
		for _, u := range utf16.Encode([]rune("\uFEFF" + s)) {
			out += string(order.AppendUint16(nil, u))
		}
		return out
	}
	for _, row := range []struct{ kind, text string }{
		{"message/rfc822", in("Content-Type: text/html\nList-Post: NO")},
		{"message/rfc822", in("Content-Type: text/html\nList-Post:\nList-Help: NONE\nList-Owner: a@b.example\nLink: =<>, <l>\nList-Archive: <>")},
		{"message/rfc822", in("Content-Type: text/html\nBase: <URL:x")},
		{"message/rfc822", in("Content-Type: text/html\nList-Archive: <http")},
		{"message/rfc822", "\n\nhttp://h.example\n"},
		{"message/rfc822", in("Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj0iNSI+.x")},
		{"application/xhtml+xml", `<p xmlns="http://www.w3.org/1999/xhtml"><base href="/" g>`},
		{"text/html", "<base href=\"/\"><base href=\"k/\">" + page},
		{"application/rss+xml", "<channel><link>b<!--<<<<---><??></link"},
		{"message/http", "HTTP/1.1 301 Moved\nLocation: http:\n\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n" + page},
		{"message/rfc822", in("Content-Type: text/html\nBase: a<URL:http://p.example/>")},
		{"message/rfc822", in("Content-Type: text/html\nBase: http://p.example (home)\nX:")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Location: http://p.example/a b/\nLink: <l>; rel=x")},
		{"message/rfc822", in("Content-Type: message/partial; id=x; number=1; total=2\n\nContent-Type: text/html")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable;")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Transfer-Encoding: \"quoted-printable\"")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable (a comment)")},
		{"message/rfc822", in("Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"=?utf-8?B?cGFnZS5odG1s?=\"")},
		{"message/rfc822", in("Content-Type: application/octet-stream\nContent-Disposition: attachment; filename*0=page; filename*1=.html")},
		{"message/rfc822", in("Content-Type: application/octet-stream\nContent-Disposition: filename=page.html")},
		{"message/rfc822", fields + "\nSee http://h.example for it. http://p.example\nhttp://p.example.\n"},
		{"application/x-emlx", "97\nContent-Type: text/html\n\n" + page + "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>\n"},
		{"application/x-webloc", "<plist version=\"1.0\"><array><dict><key>URL</key><string>x</string></dict><dict><key>URL</key><string>y</string></dict></array></plist>"},
		{"application/warc", strings.Replace(warcRecord("resource", "text/html", page), "example/d/p", "example/a b/\tp", 1)},
		{"application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><script src="a" src="m"></script></html>`},
		{"application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://p.example/o/"><entry><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p xml:base="sub/"><a href="x">x</a></p></div></content></entry></feed>`},
		{"application/atom+xml", `<feed xmlns="urn:x"><title>&lt;a href="x"></title><link href="/l"/></feed>`},
		{"application/rss+xml", `<rss><channel><link>/x<p></link><link>/y</channel></rss>`},
		{"text/css", "p{background:url(a.png\\ )} q{background:url(b.png\\)"},
		{"text/html", "<meta charset=iso-2022-jp><a href=\x1B$B\x1B(B>"},
		{"text/html", "<base href=\"k/\"><div href=\"no\">x</div><textarea><a href=\"no\"></textarea>" + page},
		{"message/rfc822", multipart("a=b", "a=b")},
		{"message/rfc822", multipart("----=_a/b:c", "----=_a/b:c")},
		{"message/rfc822", multipart(`"b";; charset=x`, "b")},
		{"message/rfc822", multipart(`"b" (a comment)`, "b")},
		{"message/rfc822", multipart(`"\b\c"`, "bc")},
		{"message/rfc822", multipart(`b; boundary=c`, "b")},
		{"message/rfc822", multipart(`b`, "c")},
		{"message/rfc822", in("Content-Type: text/html (HTML); charset=\"us\\-ascii\" (x)")},
		{"message/rfc822", in("Content-Type: text/plain, text/html")},
		{"message/rfc822", in("Content-Type: text/plain\nContent-Type: text/html")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\nContent-Transfer-Encoding: 7bit")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Location: =?us-ascii?Q?http://p.example/a/p?=")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Location: =?utf-8?B?aHR0cDovL3A=?= =?utf-8?B?LmV4YW1wbGUvYS9w?=")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Location: http://p.example/a/very/\n long/page.html")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Base: <URL:http://p.example/a/>")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Base: \"http://p.example/a/\" (a comment)")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Location: cid:1@p.example")},
		{"message/rfc822", in("Content-Type: text/html; charset=iso-8859-1\nX: \xE9\nContent-Location: caf\xE9/")},
		{"message/rfc822", "Snapshot-Content-Location: http://p.example/a/\n" + strings.NewReplacer("text/html\n", "text/html\nContent-Location: http://p.example/a/\n",
			"--b--", "<iframe src=cid:f@x></iframe>\n--b\nContent-Type: text/html\nContent-ID: <f@x>\n\n"+page+"--b--").Replace(multipart("b", "b"))},
		{"message/rfc822", in("Content-Type: text/html\nContent-Location: My page.htm")},
		{"message/rfc822", in("Content-Type: text/html\n--b\nList-Archive: <http://h.example/d/z>")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Base: URL:http://p.example/a/")},
		{"message/rfc822", in("Content-Type: text/html\nContent-Transfer-Encoding: base64") + base64.StdEncoding.EncodeToString([]byte(page+" ")) + "\n" + base64.StdEncoding.EncodeToString([]byte(page))},
		{"application/mbox", from + "Content-Length: 44\nContent-Type: text/plain\n\n>From here on\n<URL:x>\n\"http://h.example/d/y\"\n"},
		{"application/mbox", from + "Content-Length: 87\nContent-Type: text/plain\n\n>From here on\n\n" + from + "A: b\n\n<URL:x>\n\"http://h.example/d/y\"\n"},
		{"application/warc", strings.Replace(warcRecord("resource", "text/html", page), "example/d", "example\r\n /d", 1)},
		{"text/html", `<a href="URL:x">` + page},
		{"text/html", `<html manifest="m"><base href="/b/">` + page},
		{"text/html", "<style>a { background: url(\"x\x00y\") }</style>" + page},
		{"text/html", "<a href=\"x\x00y\">" + page},
		{"message/http", "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<a \r\n9\r\nhref=\"a\">\r\n0\r\n\r\n"},
		{"message/http", "HTTP/1.1 200 OK\r\nContent-Type: text/html, text/plain\r\n\r\n" + page},
		{"message/http", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Location: /z/\r\nContent-Base: http://p.example/\r\n\r\n" + page},
		{"text/html", "<meta charset=euc-jp><a href=\"\xC3\xA4\xC3\xB6.html\">" + page},
		{"text/html", "<meta charset=iso-8859-1><a href=\"?\xE9\"><a href=\"\xE9#\xE9\">" + page},
		{"text/plain; charset=iso-8859-1", "<URL:\xE9> http://h.example/d/\xE9 (http://h.example/d/z)\n"},
		{"text/plain", "caf\xE9 <URL:\xE9>\n"},
		{"text/html", "<a href=\"//\u00E9.example/\"><a href=\"//xn--9ca.example/x\"><a href=\"//fa\u00DF.example/\"><a href=\"//a%62.example/\">" + page},
		{"text/html", "<meta charset=shift_jis><a href=\"\x83\x5C\\x\"><a href=\"a\\b\"><style>a { background: url(\"\x83\x5C.png\") }</style>" + page},
		{"text/css; charset=shift_jis", "a { background: url(\"\x83\x5C.png\") } /* \x83\x5C */ b { background: url(\"\\\x83\x5C\") }"},
		{"text/html", utf16(binary.LittleEndian, "<a href=\"\u00E9\">"+page)},
		{"text/html", utf16(binary.BigEndian, "<a href=\"\u00E9\">"+page)},
		{"text/css", utf16(binary.BigEndian, "a { background: url(\"\u00E9\") }")},
		{"application/xml", utf16(binary.LittleEndian, "<?xml version=\"1.0\" encoding=\"utf-16\"?><a href=\"\u00E9\"/>")},
		{"text/css", "@charset \"iso-8859-1\"; @import \"\xE9.css\"; a { background: url(\xE9) }"},
		{"text/html", "<meta charset=iso-2022-jp><p>\x1B$B$\"\x1B(B<a href=\"\x1B$B$\"\x1B(B.html\">" + page},
		{"text/html", "<a href=\"a^b|c\"><a href=\"http://[\"><a href=\"http://a b/\"><a href=\"x:y \">" + page},
		{"text/html", "<a href=\"{{ x }}\"><a href=\"%%x%%\"><a href=\"*|X|*\"><a href=\"/v/{{ id }}?n={{name}}\">" + page},
		{"text/html", "<!--[if mso]><v:fill src=\"f.png\"/><a href=\"g\">x</a><![endif]--><!--><a href=\"h\">--><!-- -- ><a href=\"i\"> -->" + page},
	} {
		for _, standard := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
			for _, mapped := range []bool{false, true} {
				s := sample{name: row.text, x: extract.Extractor{Standard: standard}, config: verify.Config{Standard: standard.String(), Base: "keep"},
					d: extract.Document{Type: row.kind, URL: "http://h.example/d/p", Bytes: []byte(row.text)}}
				if mapped {
					s.use(t, verify.Rule{Old: "http://h.example/d/", New: "https://n.example/"}, verify.Rule{Old: "http://p.example/", New: "https://m.example/q"})
				}
				r := s.config.Check(s.rewritten(t))
				assert.Nil(t, r.Failed, "%s, map %v: %q", standard, mapped, row.text)
			}
		}
	}
}

// TestLenient: encoding/xml reads a bare "&" as text, so the feed is proved.
func TestLenient(t *testing.T) {
	proves(t, "application/rss+xml", `<rss version="2.0"><channel><item><title>Q & A</title><link><![CDATA[/a/b]]></link></item></channel></rss>`)
	proves(t, "application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p xml:base="sub/"><a href="x">x</a></p></div></content></entry></feed>`)
}

// TestFaultOfProof: a proof that breaks off fails the document, of which nothing counts as proved.
func TestFaultOfProof(t *testing.T) {
	old, new := []byte("Content-Type: text/html\n\n<a href=x>"), []byte("Content-Type: text/html\n\n<a href=http://h/x>")
	c := verify.Config{Standard: "rfc1808", Base: "keep"}
	d := verify.Document{Type: "message/rfc822", URL: "http://h/", TypeOf: typeOf, Links: linksOf(extract.Extractor{}, extract.Document{Type: "message/rfc822", URL: "http://h/", Bytes: old}), Old: old, New: new}
	assert.Equal(t, verify.Result{Links: 1}, c.Check(d))
	d.Type, d.Old, d.New, d.TypeOf = "", gzipOf(t, "a"), gzipOf(t, "b"), nil // a call of TypeOf panics
	assert.ErrorContains(t, c.Check(d).Failed, "report it")
}

func gzipOf(t *testing.T, text string) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

// TestOverread: a document fails if absolink reads a link where plainly none is, or misses one, whatever the value.
func TestOverread(t *testing.T) {
	for _, row := range []struct{ kind, old, new, base string }{
		{"text/html", `<div href="x"></div>`, `<div href="http://h/x"></div>`, "keep"},
		{"application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><p src="x"/></html>`, `<html xmlns="http://www.w3.org/1999/xhtml"><p src="http://h/x"/></html>`, "keep"},
		{"text/html", `<textarea><a href="x"></textarea>`, `<textarea><a href="http://h/x"></textarea>`, "keep"},
		{"text/html", `<base href="http://b/"><a href="#top">`, `<a href="#top">`, "remove"},
		{"text/html", `<base href="http://b/"><area href="#top">`, `<area href="#top">`, "remove"},
		{"application/epub+zip", book(t, `<a href="q.html">`), book(t, `<a href="http://h/p/q.html">`), "keep"},
	} {
		at := strings.Index(row.old, `"x"`) + 1
		c := verify.Config{Standard: "rfc1808", Base: row.base}
		d := extract.Document{Type: row.kind, Bytes: []byte(row.old), MemberURL: func(name string) (string, string) { return "http://h/" + name, "--site" }}
		v := verify.Document{Type: row.kind, Old: d.Bytes, New: []byte(row.new), TypeOf: typeOf, MemberURL: func(name string) string { return "http://h/" + name }}
		if !strings.HasSuffix(row.kind, "zip") {
			d.URL, v.URL = "http://h/", "http://h/"
		}
		if v.Links = linksOf(extract.Extractor{}, d); at > 0 && row.base == "keep" {
			v.Links[""] = append(v.Links[""], verify.Link{Start: at, End: at + 1, Ref: "x", Base: "http://h/", Place: "planted"})
		}
		assert.NotNil(t, c.Check(v).Failed, row.old)
	}
}

// TestArchivedBook: the links of a book to its own files stay, also if its URL contains another one.
func TestArchivedBook(t *testing.T) {
	s := sample{name: "book", config: verify.Config{Standard: "rfc1808", Base: "keep"}, d: extract.Document{Name: "a.epub", Bytes: []byte(book(t, `<a href="q.html"><a href="r.html">`)),
		MemberURL: func(name string) (string, string) {
			return "https://web.archive.org/web/20200101000000/http://h/" + name, "--site"
		}}}
	assert.Equal(t, verify.Result{Links: 1, All: 3, Unit: "files"}, s.config.Check(s.rewritten(t)))
}

// book returns an EPUB of two pages. One of them has a text.
func book(t *testing.T, text string) string {
	var out strings.Builder
	z := zip.NewWriter(&out)
	for _, row := range [][2]string{{"mimetype", "application/epub+zip"}, {"p/p.html", text}, {"p/q.html", "q"}} {
		file, err := z.CreateHeader(&zip.FileHeader{Name: row[0]})
		require.NoError(t, err)
		_, err = file.Write([]byte(row[1]))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return out.String()
}

// TestPartsByName: only parts of a vague type are read by their names.
func TestPartsByName(t *testing.T) {
	const part = "--b\nContent-Type: application/%s\nContent-Disposition: attachment; filename=%s\n\n%s\n"
	parts := fmt.Sprintf(part, "octet-stream", "a.html", "<p><a href=x>") + fmt.Sprintf(part, "x-foo", "b.html", "<p><a href=no>") +
		fmt.Sprintf(part, "internet-shortcut", "c.url", "[InternetShortcut]\nURL=no") + "--b--\n"
	proves(t, "message/rfc822", "Content-Type: multipart/mixed; boundary=b\n\n"+parts)
}

// TestShortcutCharsets: a Windows bookmark may be UTF-16, or begin with a byte order mark.
func TestShortcutCharsets(t *testing.T) {
	const text = "\uFEFF[InternetShortcut]\r\nURL=x/\r\n"
	proves(t, "application/x-mswinurl", text)
	var wide []byte
	for _, c := range utf16.Encode([]rune(text)) {
		wide = binary.LittleEndian.AppendUint16(wide, c)
	}
	proves(t, "application/x-mswinurl", string(wide))
}

// TestFileNames: without the flag for UTF-8 a name in a zip archive is in code page 437, unless an extra field has another.
func TestFileNames(t *testing.T) {
	const raw = "\x82/p.html"
	field := append(binary.LittleEndian.AppendUint32([]byte{0x75, 0x70, 14, 0, 1}, crc32.ChecksumIEEE([]byte(raw))), "ж/p.html"...)
	for name, extra := range map[string][]byte{"é/p.html": nil, "ж/p.html": field} {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		file, err := z.CreateHeader(&zip.FileHeader{Name: raw, NonUTF8: true, Extra: extra})
		require.NoError(t, err)
		_, err = file.Write([]byte("<a href=x>"))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		s := sample{name: name, config: verify.Config{Standard: "rfc1808"}, d: extract.Document{Type: "application/zip", Bytes: out.Bytes(),
			MemberURL: func(file string) (url, by string) {
				assert.Equal(t, name, file)
				return "http://h/p/", "--site"
			}}}
		assert.Equal(t, verify.Result{Links: 1, All: 1, Unit: "files"}, s.config.Check(s.rewritten(t)), name)
	}
}

// TestTargetURI: white space in the URL of a record is a part of it, except in brackets.
func TestTargetURI(t *testing.T) {
	for _, uri := range []string{"http://h.example/a b/p", "<http://h.example/a b/p>"} {
		text := strings.Replace(warcRecord("resource", "text/html", "<a href=x>"), "http://h.example/d/p", uri, 1)
		s := sample{name: uri, config: verify.Config{Standard: "rfc1808"}, d: extract.Document{Type: "application/warc", Bytes: []byte(text)}}
		assert.Equal(t, verify.Result{Links: 1, All: 1, Unit: "records"}, s.config.Check(s.rewritten(t)), uri)
	}
}
