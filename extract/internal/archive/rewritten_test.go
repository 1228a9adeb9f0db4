package archive_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

func harOf(entries ...string) string {
	return `{"log": {"version": "1.2", "creator": {"name": "b", "n": [1, {"x": "]}\""}]}, "entries": [` + strings.Join(entries, ",\n") + `], "comment": ""}}` + "\n"
}

func harEntry(url, content string) string {
	return `{"request": {"method": "GET", "url": "` + url + `", "headers": []}, "response": {"status": 200, "content": {` + content + `}, "redirectURL": "", "bodySize": -1}}`
}

func TestHARRewritten(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString([]byte(BagPage))
	after := base64.StdEncoding.EncodeToString([]byte(BagPageAfter))
	const html = `"mimeType": "text/html; charset=iso-8859-1", `
	for _, row := range []struct{ name, src, want string }{
		{"text", harEntry("http://h/p/", `"size": 10, `+html+`"text": "<a href=x>"`), harEntry("http://h/p/", `"size": 21, `+html+`"text": "<a href=http://h/p/x>"`)},
		{"the text before its type", harEntry("http://h/p/", `"text": "<a href=x>", "mimeType": "text/html"`), harEntry("http://h/p/", `"text": "<a href=http://h/p/x>", "mimeType": "text/html"`)},
		{"a size that was wrong", harEntry("http://h/p/", `"size": 11, `+html+`"text": "<a href=x>"`), harEntry("http://h/p/", `"size": 11, `+html+`"text": "<a href=http://h/p/x>"`)},
		{"escapes stay", harEntry("http://h/p/", html+`"text": "\u003ca\thref=\"x\">\u00e9\ud83d\ude00\/", "size": 1`), harEntry("http://h/p/", html+`"text": "\u003ca\thref=\"http:\/\/h\/p\/x\">\u00e9\ud83d\ude00\/", "size": 1`)},
		{"the size counts bytes, not characters", harEntry("http://h/p/", html+`"text": "é<a href=x>", "size": 12`), harEntry("http://h/p/", html+`"text": "é<a href=http://h/p/x>", "size": 23`)},
		{"base64", harEntry("http://h/p/", fmt.Sprintf(`"size": %d, %s"encoding": "base64", "text": "%s"`, len(BagPage), html, encoded)),
			harEntry("http://h/p/", fmt.Sprintf(`"size": %d, %s"encoding": "base64", "text": "%s"`, len(BagPageAfter), html, after))},
		{"all characters are escaped", harEntry(`http://h/\u0070/`, html+`"text": "\u003ca href=\u0078\u003e \u00e9", "size": 1`), harEntry(`http://h/\u0070/`, html+`"text": "\u003ca href=http://h/p/\u0078\u003e \u00e9", "size": 1`)},
		{"base64 with escapes", harEntry("http://h/p/", html+`"encoding": "base64", "text": "\u0050`+encoded[1:]+`"`), harEntry("http://h/p/", html+`"encoding": "base64", "text": "\u0050`+after[1:]+`"`)},
		{"an unknown type", harEntry("http://h/p/", `"mimeType": "image/png", "text": "<a href=x>"`), ""},
		{"no type: the type is detected in the text", harEntry("http://h/p/", `"mimeType": "", "text": "<!DOCTYPE html><a href=x>"`), harEntry("http://h/p/", `"mimeType": "", "text": "<!DOCTYPE html><a href=http://h/p/x>"`)},
		{"no text", harEntry("http://h/p/", html+`"size": 0`), ""},
		{"the URL with escapes", harEntry(`http:\/\/h\/p\/`, html+`"text": "<a href=x>"`), harEntry(`http:\/\/h\/p\/`, html+`"text": "<a href=http://h/p/x>"`)},
		{"a page with a base", harEntry("http://i/", html+`"text": "<base href=http://h/p/><a href=x>"`), harEntry("http://i/", html+`"text": "<base href=http://h/p/><a href=http://h/p/x>"`)},
		{"a name in a value", harEntry("http://h/p/", html+`"x": {"text": "no \\\" \\"}, "text": "<a href=x>"`), harEntry("http://h/p/", html+`"x": {"text": "no \\\" \\"}, "text": "<a href=http://h/p/x>"`)},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.want == "" {
				row.want = row.src
			}
			d := extract.Document{Name: "t.har", Bytes: []byte(harOf(harEntry("http://i/", ""), row.src))}
			problems, out := BagProblems(t, Walker{}, d)
			assert.Empty(t, problems)
			assert.Equal(t, harOf(harEntry("http://i/", ""), row.want), out)
			assert.True(t, json.Valid([]byte(out)))
			if row.want != row.src {
				assert.True(t, strings.HasPrefix(BagLinks(t, d)[0], "entry[2] "), BagLinks(t, d)[0])
				assert.Contains(t, BagLinks(t, d)[0], " http://h/p/x")
			}
			Stable(t, d, out)
		})
	}
}

func TestHARRedirect(t *testing.T) {
	src := harOf(strings.Replace(harEntry("http://h/p/", ""), `"redirectURL": ""`, `"redirectURL": "y"`, 1))
	d := extract.Document{Name: "t.har", Bytes: []byte(src)}
	assert.Equal(t, []string{" response.redirectURL request.url http://h/p/y"}, BagLinks(t, d))
	var w Walker
	assert.Equal(t, strings.Replace(src, `"y"`, `"http://h/p/y"`, 1), Rewrite(t, &w, d))

	src = harOf(strings.Replace(harEntry("http://h/p/", `"mimeType": "text/html", "text": "<a href=x>"`), `"redirectURL": ""`, `"redirectURL": "y"`, 1))
	d.Bytes = []byte(src)
	assert.Equal(t, []string{"entry[1] a@href request.url http://h/p/x", " response.redirectURL request.url http://h/p/y"}, BagLinks(t, d), "in the order of the bytes")
	assert.Equal(t, strings.NewReplacer(`"y"`, `"http://h/p/y"`, "=x", "=http://h/p/x").Replace(src), Rewrite(t, &w, d))
}

// The caller's URL wins over the URL in the archive, which is listed as shadowed.
func TestHARBase(t *testing.T) {
	d := extract.Document{Type: "application/har+json", URL: "http://u/", Bytes: []byte(harOf(harEntry("http://h/p/", `"mimeType": "text/html", "text": "<a href=x>"`)))}
	var w Walker
	var got []string
	require.NoError(t, w.Bases(d, func(e *extract.Entity) error {
		for _, c := range e.Scope.Candidates() {
			got = append(got, strings.TrimSpace(fmt.Sprint(e.Path, " ", c.Layer, " ", c.By, " ", c.URL, ": ", c.String())))
		}
		return nil
	}))
	assert.Equal(t, []string{"entry[1] retrieval retrieval URL http://u/: used", "entry[1] retrieval request.url http://h/p/: shadowed", "entry[1] default  : shadowed"}, got)
}

// cutText removes the closing quote of the last text, and everything after it.
func cutText(src string) string { return src[:strings.LastIndex(src, `>"`)+1] }

// Under the URL Standard an empty action means the URL of the document, which is that of the request.
func TestHAROwnURL(t *testing.T) {
	d := extract.Document{Name: "t.har", Bytes: []byte(harOf(harEntry("http://h/p/", `"mimeType": "text/html", "text": "<base href=http://b/><form action=''>"`)))}
	w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG}}
	assert.Contains(t, Rewrite(t, &w, d), "<form action='http://h/p/'>")
}

func TestHARMalformed(t *testing.T) {
	good := harEntry("http://h/p/", `"mimeType": "text/html", "text": "<a href=x>"`)
	after := strings.Replace(good, "=x", "=http://h/p/x", 1)
	for _, row := range []struct{ name, src, want string }{
		{"truncated in an entry", harOf(good, good)[:len(harOf(good))+20], harOf(after, good)[:len(harOf(after))+20]},
		{"truncated in a text", cutText(harOf(good, good)), cutText(harOf(after, good))},
		{"a comma is missing", harOf(good + good), harOf(after + good)},
		{"not an object", "[]", "[]"},
		{"nothing", "", ""},
		{"unclosed brackets", strings.Repeat("[", 200000), strings.Repeat("[", 200000)},
		{"unclosed objects", strings.Repeat(`{"log":`, 200000), strings.Repeat(`{"log":`, 200000)},
		{"brackets in entries", harOf(good, strings.Repeat("[", 200000)), harOf(after, strings.Repeat("[", 200000))},
	} {
		t.Run(row.name, func(t *testing.T) {
			problems, out := BagProblems(t, Walker{}, extract.Document{Type: "application/har+json", Bytes: []byte(row.src)})
			assert.True(t, row.want == out)
			if row.name != "no object" {
				assert.Len(t, problems, 1)
			}
		})
	}
	nowhere := strings.ReplaceAll(harOf(good, good), "http://h/p/", "")
	EveryPrefix(t, "t.har", []byte(nowhere))
}

func FuzzHAR(f *testing.F) {
	f.Add([]byte(harOf(harEntry("", `"size": 10, "mimeType": "text/html", "text": "<a href=x>"`))), 0)
	f.Add([]byte(harOf(harEntry("http://h/p/", `"encoding": "base64", "text": "PGEgaHJlZj14Pg=="`))), 0)
	f.Fuzz(func(t *testing.T, src []byte, limit int) { Fuzzed(t, "application/har+json", src, limit) })
}

func TestENEXRewritten(t *testing.T) {
	for _, row := range []struct{ name, url, content, want string }{
		{"a note", "http://h/p/", ENML(`<div><a href="x">x</a><en-media hash="1"/></div>`), ENML(`<div><a href="http://h/p/x">x</a><en-media hash="1"/></div>`)},
		{"the URL has a character reference", "http://h/p/?a&amp;b", ENML(`<a href="?c"/>`), ENML(`<a href="http://h/p/?c"/>`)},
		{"the URL in CDATA", "<![CDATA[http://h/p/?a&b]]>", ENML(`<a href="?c"/>`), ENML(`<a href="http://h/p/?c"/>`)},
		{"the URL on a line of its own", "\n  http://h/p/\n  ", ENML(`<a href="x"/>`), ENML(`<a href="http://h/p/x"/>`)},
		{"\"]]>\" in the text", "http://h/p/", strings.Replace(ENML(`a]]>b<a href="x"/>`), "a]]>b", "a]]]]><![CDATA[>b", 1), strings.Replace(ENML(`a]]>b<a href="http://h/p/x"/>`), "a]]>b", "a]]]]><![CDATA[>b", 1)},
		{"text with references", "http://h/p/", `&lt;en-note>&lt;a href="x"/>`, `&lt;en-note>&lt;a href="http://h/p/x"/>`},
		{"elements", "http://h/p/?a&amp;b", `<div>&lt;a href="x"/> <a href="#c">c</a></div>`, `<div>&lt;a href="x"/> <a href="http://h/p/?a&amp;b#c">c</a></div>`},
		{"nothing", "http://h/p/", "", ""},
		{"an empty CDATA section", "http://h/p/", "<![CDATA[]]>", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := ENEX(ENEXNote("http://i/", ENML("")), ENEXNote(row.url, row.content))
			d := extract.Document{Name: "t.enex", Bytes: []byte(src)}
			problems, out := BagProblems(t, Walker{}, d)
			assert.Empty(t, problems)
			if row.want == "" {
				assert.Equal(t, src, out)
			} else {
				assert.Equal(t, ENEX(ENEXNote("http://i/", ENML("")), ENEXNote(row.url, row.want)), out)
				assert.Contains(t, BagLinks(t, d)[0], "note[2] a@href source-url http://h/p/")
			}
			Stable(t, d, out)
			d.Bytes, d.Reader = nil, iotest.OneByteReader(strings.NewReader(src))
			var w Walker
			assert.Equal(t, out, Rewrite(t, &w, d), "as a stream")
		})
	}
	nowhere := ENEX(ENEXNote("", ENML(`<a href="x"/>`)))
	EveryPrefix(t, "t.enex", []byte(nowhere))
}

func TestENEXLimit(t *testing.T) {
	next := ENEXNote("http://h/p/", ENML(`<a href="x"/>`))
	d := extract.Document{Name: "t.enex"}
	src := strings.TrimSuffix(ENEX(next, next, next), "  </note>\n</en-export>\n") // short enough for one read
	for _, limit := range []int{len(next), len(next) - 1, 60} {
		d.Bytes, d.Reader = []byte(src), nil
		problems, out := BagProblems(t, Walker{Extractor: extract.Extractor{MaxRecord: limit}}, d)
		d.Bytes, d.Reader = nil, iotest.OneByteReader(strings.NewReader(src))
		inPieces, again := BagProblems(t, Walker{Extractor: extract.Extractor{MaxRecord: limit}}, d)
		assert.Equal(t, problems, inPieces, "limit %d", limit)
		assert.Equal(t, out, again, "limit %d", limit)
		assert.Equal(t, limit == len(next), len(problems) == 2, "limit %d: the first has the head before it, the last has no end, which is told of what is read", limit)
	}
}

// A mixture of text and CDATA sections is reported, and not rewritten.
func TestENEXMixture(t *testing.T) {
	src := ENEX(ENEXNote("http://h/p/", "x "+ENML(`<a href="x"/>`)), ENEXNote("http://h/p/", "<!-- x -->"+ENML(`<a href="x"/>`)))
	problems, out := BagProblems(t, Walker{}, extract.Document{Name: "t.enex", Bytes: []byte(src)})
	assert.Equal(t, []string{
		fmt.Sprintf("%d undecodable", strings.Index(src, "<content>")+len("<content>")),
		fmt.Sprintf("%d undecodable", strings.LastIndex(src, "<content>")+len("<content>")),
	}, problems)
	assert.Equal(t, src, out)
}

// A truncated note is read up to its last complete part.
func TestENEXTruncated(t *testing.T) {
	note := ENEXNote("http://h/p/", ENML(`<a href="x"/>`))
	src := strings.TrimSuffix(ENEX(note), "  </note>\n</en-export>\n")
	problems, out := BagProblems(t, Walker{}, extract.Document{Name: "t.enex", Bytes: []byte(src)})
	assert.Equal(t, []string{fmt.Sprintf("%d record-truncated", len(src))}, problems)
	assert.Equal(t, strings.Replace(src, `"x"`, `"http://h/p/x"`, 1), out)
}

func FuzzENEX(f *testing.F) {
	f.Add([]byte(ENEX(ENEXNote("", ENML(`<a href="x"/>`)))), 0)
	f.Add([]byte(ENEX(ENEXNote("http://h/", ENML(`a]]]]><![CDATA[>b<a href="x"/>`)), ENEXNote("", "&lt;a href=x>"))), 600)
	f.Fuzz(func(t *testing.T, src []byte, limit int) { Fuzzed(t, "application/enex+xml", src, limit) })
}

// TestRead has unusual and damaged archives, with the URLs of their links and their only problem. Truncated anywhere, or read
// with any limit, they lose nothing.
func TestRead(t *testing.T) {
	const arc = "filedesc://a.arc 0.0.0.0 20000101000000 text/plain 4\n1 0\n\n"
	const source = "<note-attributes><source-url>http://h/</source-url></note-attributes>"
	record := func(length int, text string) string {
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", length, text)
	}
	x, y := record(10, "<a href=x>"), record(10, "<a href=y>")
	har := func(entry string) string { return `{"log": {"version": "1.2", "entries": [` + entry + `]}}` }
	enex := func(notes string) string { return "<?xml version=\"1.0\"?><en-export>" + notes + "</en-export>" }
	page := "<key>WebMainResource</key><dict><key>WebResourceURL</key><string>http://h/</string><key>WebResourceMIMEType</key><string>text/html</string><key>WebResourceData</key><data>PGEgaHJlZj14Pg==</data></dict>"
	plist := func(members string) string {
		return "<?xml version=\"1.0\"?><plist><dict>" + members + "</dict></plist>"
	}
	for _, row := range []struct {
		name, mediaType, src string
		urls                 string
		problem              extract.Code
	}{
		{"case is ignored", "application/warc", strings.Replace(x, "WARC-Type: resource", "warc-type: RESOURCE", 1), "http://h/x", ""},
		{"a length that is too short", "application/warc", record(5, "<a href=x>") + y, "http://h/y", extract.CodeRecordTruncated},
		{"no length", "application/warc", strings.Replace(x, "Content-Length: 10\r\n", "", 1) + y, "http://h/x http://h/y", extract.CodeRecordTruncated},
		{"text before the first record", "application/warc", "text\n" + x, "http://h/x", extract.CodeRecordTruncated},
		{"a wrong length", "application/x-internet-archive", arc + "http://h/ 192.0.2.1 20000101000000 text/html 5\n<a href=x>\n\nhttp://h/ 192.0.2.1 20000101000000 text/html 10\n<a href=y>\n",
			"http://h/y", extract.CodeRecordTruncated},
		{"the content before the source, and after it", "application/enex+xml", enex("<note><content>&lt;a href=x></content>" + source + "</note><note>" + source + "<content>&lt;a href=y></content></note>"), "http://h/x http://h/y", ""},
		{"the source of an attachment", "application/enex+xml", enex("<note><content>&lt;a href=x></content><resource><source-url>http://i/</source-url></resource></note>"), "(no-base)", extract.CodeNoBase},
		{"a tag in a comment", "application/enex+xml", enex("<!-- <note> --><note><content>&lt;a href=x></content>" + source + "</note>"), "http://h/x", ""},
		{"a text with the tag of a note, which ENML has not", "application/enex+xml", enex("<note><content><![CDATA[</note>]]></content></note>"), "", extract.CodeRecordTruncated},
		{"a text with the tag of its content", "application/enex+xml", enex("<note><content><![CDATA[<content></content><a href=x>]]></content>" + source + "</note>"), "http://h/x", ""},
		{"an unknown encoding", "application/har+json", har(`{"response": {"content": {"mimeType": "text/html", "encoding": "x", "text": "<a href=x>"}}}`), "", extract.CodeUndecodable},
		{"a member twice: the last one is read", "application/har+json", har(`{"request": {"url": "http://h/"}, "response": {"content": {"mimeType": "text/html", "text": "<a href=x>", "text": "<a href=y>"}}}`), "http://h/y", ""},
		{"the response before the request", "application/har+json", har(`{"response": {"content": {"mimeType": "text/html", "text": "<a href=x>"}}, "request": {"url": "http://h/"}}`), "http://h/x", ""},
		{"no URL", "application/har+json", har(`{"response": {"content": {"mimeType": "text/html", "text": "<a href=x>"}}}`), "(no-base)", extract.CodeNoBase},
		{"no entries", "application/har+json", `{"log": {}}`, "", extract.CodeRecordTruncated},
		{"base64 in several lines", "application/x-webarchive", plist(strings.Replace(page, "PGEgaHJl", "\n\tPGEga\n\tHJl\n", 1)), "http://h/x", ""},
		{"a value in a CDATA section is not read", "application/x-webarchive", plist(strings.Replace(page, "PGEgaHJlZj14Pg==", "<![CDATA[PGEgaHJlZj14Pg==]]>", 1)), "", extract.CodeRecordTruncated},
		{"no page", "application/x-webarchive", plist(""), "", extract.CodeRecordTruncated},
		{"no end", "application/x-webarchive", strings.TrimSuffix(plist(page), "</dict></plist>"), "http://h/x", extract.CodeRecordTruncated},
		{"no end of a comment", "application/x-webarchive", plist(page + "<!--"), "http://h/x", extract.CodeRecordTruncated},
		{"no end of a tag", "application/x-webarchive", strings.TrimSuffix(plist(page), "></plist>"), "http://h/x", extract.CodeRecordTruncated},
		{"no end of an element", "application/x-webarchive", strings.TrimSuffix(plist(page), "</dict></plist>") + "<key>x", "http://h/x", extract.CodeRecordTruncated},
	} {
		t.Run(row.mediaType+": "+row.name, func(t *testing.T) {
			var problems []extract.Code
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
			urls := URLs(t, &w, extract.Document{Type: row.mediaType, Bytes: []byte(row.src)})
			assert.Equal(t, row.urls, strings.Join(urls, " "))
			var want []extract.Code
			if row.problem != "" {
				want = []extract.Code{row.problem}
			}
			assert.Equal(t, want, problems)
			for n := range row.src {
				Fuzzed(t, row.mediaType, []byte(row.src[:n]), 0)
			}
			for _, limit := range []int{1, 40, 90} {
				Fuzzed(t, row.mediaType, []byte(row.src), limit)
			}
		})
	}
}
