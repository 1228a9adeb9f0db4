package report

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	nethtml "golang.org/x/net/html"

	"absolink/extract"
)

func pageOf(t *testing.T, d extract.Document) (*Document, []byte) {
	t.Helper()
	page := NewDocument(d.Name)
	x := extract.Extractor{OnProblem: page.Problem}
	for e, err := range x.Bases(context.Background(), d) {
		require.NoError(t, err)
		page.Entity(e)
	}
	for l, err := range x.Links(context.Background(), d) {
		require.NoError(t, err)
		page.Link(l)
	}
	out, err := page.Append(nil, "absolink")
	require.NoError(t, err)
	return page, out
}

// marks returns the marked links of a page, each as "number class: text", and the text of all sources.
func marks(doc *nethtml.Node) (all []string, sources string) {
	for n := range doc.Descendants() {
		if n.Type != nethtml.ElementNode {
			continue
		}
		class := ""
		for _, a := range n.Attr {
			if a.Key == "class" {
				class = a.Val
			}
		}
		if mark, ok := strings.CutPrefix(class, "mark "); ok {
			all = append(all, mark+": "+textOf(n))
		}
		if n.Data == "pre" {
			sources += textOf(n) + "\n"
		}
	}
	return all, sources
}

func textOf(n *nethtml.Node) (text string) {
	for c := range n.Descendants() {
		if c.Type == nethtml.TextNode {
			text += c.Data
		}
	}
	return text
}

// TestMarks: each link and each base of a message is marked in the decoded source of its entity.
func TestMarks(t *testing.T) {
	message := "Content-Base: http://h/a\r\n b/\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" +
		"--x\r\nContent-Type: text/html; charset=koi8-r\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		"PG1ldGEgY2hhcnNldD1rb2k4LXI+PGEgaHJlZj0i0NXU2CI+PGlmcmFtZSBzcmNkb2M9IjxhIGhyZWY9J3gmYW1wO2FtcDt5Jz4iPjwvaWZyYW1lPg==\r\n" +
		"--x\r\nContent-Type: text/html\r\n\r\n<base href='http://o/?a&amp;b'><base href=2><noscript><img src=i></noscript>\r\n--x--\r\n"
	_, page := pageOf(t, extract.Document{Name: "m.eml", Type: "message/rfc822", Bytes: []byte(message)})
	all, sources := marks(checkSafe(t, page))
	assert.Equal(t, []string{
		"embedded base used: http://h/a\n b/",
		"encapsulating: путь",
		"encapsulating: x&amp;y",
		"base used: http://o/?a&amp;b", "base rejected: 2", "encapsulating: i",
	}, all)
	assert.Contains(t, sources, `<meta charset=koi8-r><a href="путь">`)
	requireText(t, string(page), "of the file, decoded")
}

// TestHostileDocument: names, bases, links and sources inject nothing.
func TestHostileDocument(t *testing.T) {
	quoted := strings.ReplaceAll(hostile, `"`, "&quot;")
	_, page := pageOf(t, extract.Document{Name: hostile, Type: "text/html", URL: "http://h/", Bytes: []byte(hostile +
		`<title>` + hostile + `</title><base href="` + quoted + `"><a href="` + quoted + `"><iframe srcdoc="` + quoted + `"></iframe><p style="a:url(` + quoted + `)">`)})
	checkSafe(t, page)
	requireText(t, string(page), "&lt;script&gt;alert(1)&lt;/script&gt;")
}

// TestLongDocument: the page of a long document has limits, and names the rest.
func TestLongDocument(t *testing.T) {
	var src strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&src, "<a href='<>&\"%d'>", i)
	}
	_, page := pageOf(t, extract.Document{Name: "long.html", Type: "text/html", URL: "http://h/", Bytes: []byte(src.String())})
	t.Logf("%d bytes", len(page))
	assert.Less(t, len(page), 5_000_000)
	requireText(t, string(page), "The page has 2,000 of 100,000 links. absolink links -f jsonl lists all of them.")
	assert.Regexp(t, `The source has [\d.]+ MB. The page shows the first 131 kB.`, string(page))

	many := strings.Repeat("<base href='http://h/"+strings.Repeat(`"&<`, 200)+"'>", 5000)
	_, page = pageOf(t, extract.Document{Name: "bases.html", Type: "text/html", Bytes: []byte(many)})
	t.Logf("%d bytes", len(page))
	assert.Less(t, len(page), 5_000_000)
	requireText(t, string(page), " more candidates")

	var mbox strings.Builder
	for i := range 400 {
		fmt.Fprintf(&mbox, "From a@h Thu Jan  1 00:00:00 1970\nSubject: %d\nContent-Type: text/html\n\n<a href=x>%s\n\n", i, strings.Repeat("<", 2000))
	}
	_, page = pageOf(t, extract.Document{Name: "a.mbox", Type: "application/mbox", Bytes: []byte(mbox.String())})
	t.Logf("%d bytes", len(page))
	assert.Less(t, len(page), 5_000_000)
	requireText(t, string(page), "The page has 300 of 800 entities.")
	requireText(t, string(page), "The page shows at most 131 kB of the source of an entity, and 524 kB of all sources.")
}
