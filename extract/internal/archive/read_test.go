package archive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

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
