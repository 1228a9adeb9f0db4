package extract_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
)

func enexOf(notes ...string) string {
	return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE en-export SYSTEM \"http://xml.evernote.com/pub/evernote-export4.dtd\">\n" +
		"<!-- <note> --><en-export application=\"Evernote\" version=\"10\">\n" + strings.Join(notes, "") + "</en-export>\n"
}

func enexNote(url, content string) string {
	return "  <note>\n    <title>t &amp; t</title>\n    <created>20240101T000000Z</created>\n" +
		"    <note-attributes>\n      <source-url>" + url + "</source-url>\n    </note-attributes>\n    <content>\n      " + content + "</content>\n" +
		"    <resource><data encoding=\"base64\">QUJD</data><resource-attributes><source-url>http://other/</source-url></resource-attributes></resource>\n  </note>\n"
}

func enml(body string) string {
	return "<![CDATA[<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?><!DOCTYPE en-note SYSTEM \"http://xml.evernote.com/pub/enml2.dtd\"><en-note>" + body + "</en-note>]]>"
}

func TestENEX(t *testing.T) {
	for _, row := range []struct{ name, url, content, want string }{
		{"a note", "http://h/p/", enml(`<div><a href="x">x</a><en-media hash="1"/></div>`), enml(`<div><a href="http://h/p/x">x</a><en-media hash="1"/></div>`)},
		{"the URL has a character reference", "http://h/p/?a&amp;b", enml(`<a href="?c"/>`), enml(`<a href="http://h/p/?c"/>`)},
		{"the URL in CDATA", "<![CDATA[http://h/p/?a&b]]>", enml(`<a href="?c"/>`), enml(`<a href="http://h/p/?c"/>`)},
		{"the URL on a line of its own", "\n  http://h/p/\n  ", enml(`<a href="x"/>`), enml(`<a href="http://h/p/x"/>`)},
		{"a note in the text of a note", "http://h/p/", enml(`</note><note><a href="x"/>`), enml(`</note><note><a href="http://h/p/x"/>`)},
		{"\"]]>\" in the text", "http://h/p/", strings.Replace(enml(`a]]>b<a href="x"/>`), "a]]>b", "a]]]]><![CDATA[>b", 1), strings.Replace(enml(`a]]>b<a href="http://h/p/x"/>`), "a]]>b", "a]]]]><![CDATA[>b", 1)},
		{"text with references", "http://h/p/", `&lt;en-note>&lt;a href="x"/>`, `&lt;en-note>&lt;a href="http://h/p/x"/>`},
		{"elements", "http://h/p/?a&amp;b", `<div>&lt;a href="x"/> <a href="#c">c</a></div>`, `<div>&lt;a href="x"/> <a href="http://h/p/?a&amp;b#c">c</a></div>`},
		{"nothing", "http://h/p/", "", ""},
		{"an empty CDATA section", "http://h/p/", "<![CDATA[]]>", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := enexOf(enexNote("http://i/", enml("")), enexNote(row.url, row.content))
			d := extract.Document{Name: "t.enex", Bytes: []byte(src)}
			problems, out := bagProblems(t, walker{}, d)
			assert.Empty(t, problems)
			if row.want == "" {
				assert.Equal(t, src, out)
			} else {
				assert.Equal(t, enexOf(enexNote("http://i/", enml("")), enexNote(row.url, row.want)), out)
				assert.Contains(t, bagLinks(t, d)[0], "note[2] a@href source-url http://h/p/")
			}
			stable(t, d, out)
			d.Bytes, d.Reader = nil, iotest.OneByteReader(strings.NewReader(src))
			var w walker
			assert.Equal(t, out, rewrite(t, &w, d), "as a stream")
		})
	}
	nowhere := enexOf(enexNote("", enml(`<a href="x"/>`)))
	everyPrefix(t, "t.enex", []byte(nowhere))
}

func TestENEXLimit(t *testing.T) {
	long := enexNote("http://h/p/", enml(strings.Repeat(`<a href="x"/>`, 20000)))
	next := enexNote("http://h/p/", enml(`<a href="x"/>`))
	src := enexOf(long, next)
	d := extract.Document{Name: "t.enex", Bytes: []byte(src)}
	problems, out := bagProblems(t, walker{Extractor: extract.Extractor{MaxRecord: 3000}}, d)
	assert.Equal(t, []string{"note[1] 0 size-limit"}, problems)
	assert.True(t, out == enexOf(long, strings.Replace(next, `"x"`, `"http://h/p/x"`, 1)))

	src = strings.TrimSuffix(enexOf(next, next, next), "  </note>\n</en-export>\n") // everything is read at once
	for _, limit := range []int{len(next), len(next) - 1, 60} {
		d.Bytes, d.Reader = []byte(src), nil
		problems, out = bagProblems(t, walker{Extractor: extract.Extractor{MaxRecord: limit}}, d)
		d.Bytes, d.Reader = nil, iotest.OneByteReader(strings.NewReader(src))
		inPieces, again := bagProblems(t, walker{Extractor: extract.Extractor{MaxRecord: limit}}, d)
		assert.Equal(t, problems, inPieces, "limit %d", limit)
		assert.Equal(t, out, again, "limit %d", limit)
		assert.Equal(t, limit == len(next), len(problems) == 2, "limit %d: the first has the head before it, the last has no end, which is told of what is read", limit)
	}
}

// A mixture of text and CDATA sections is not rewritten, but reported.
func TestENEXMixture(t *testing.T) {
	src := enexOf(enexNote("http://h/p/", "x "+enml(`<a href="x"/>`)), enexNote("http://h/p/", "<!-- x -->"+enml(`<a href="x"/>`)))
	problems, out := bagProblems(t, walker{}, extract.Document{Name: "t.enex", Bytes: []byte(src)})
	assert.Equal(t, []string{
		fmt.Sprintf("%d undecodable", strings.Index(src, "<content>")+len("<content>")),
		fmt.Sprintf("%d undecodable", strings.LastIndex(src, "<content>")+len("<content>")),
	}, problems)
	assert.Equal(t, src, out)
}

// A truncated note is read up to its last complete part.
func TestENEXTruncated(t *testing.T) {
	note := enexNote("http://h/p/", enml(`<a href="x"/>`))
	src := strings.TrimSuffix(enexOf(note), "  </note>\n</en-export>\n")
	problems, out := bagProblems(t, walker{}, extract.Document{Name: "t.enex", Bytes: []byte(src)})
	assert.Equal(t, []string{fmt.Sprintf("%d record-truncated", len(src))}, problems)
	assert.Equal(t, strings.Replace(src, `"x"`, `"http://h/p/x"`, 1), out)
}

// FuzzENEX: for any bytes, nothing is lost.
func FuzzENEX(f *testing.F) {
	f.Add([]byte(enexOf(enexNote("", enml(`<a href="x"/>`)))), 0)
	f.Add([]byte(enexOf(enexNote("http://h/", enml(`a]]]]><![CDATA[>b<a href="x"/>`)), enexNote("", "&lt;a href=x>"))), 600)
	f.Fuzz(func(t *testing.T, src []byte, limit int) { fuzzed(t, "application/enex+xml", src, limit) })
}
