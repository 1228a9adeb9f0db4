package extract_test

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/internal/css"
	. "absolink/extract/internal/extracttest"
	"absolink/extract/internal/mark"
)

// A style sheet is detected by its media type, and by the names that wget writes.
func TestDetectCSS(t *testing.T) {
	style, page := extract.FormatOf("text/css; charset=utf-8"), extract.FormatOf("text/html")
	assert.NotNil(t, style)
	assert.Same(t, style, extract.Detect("", "main.CSS", nil))
	assert.Same(t, style, extract.Detect("", "h/main.css?ver=5.1", nil), "the name that wget writes")
	assert.Same(t, style, extract.Detect("", "h/main.css@ver=5.1", nil), "the name that wget writes on Windows")
	assert.Same(t, page, extract.Detect("", "h/main.css?ver=5.1.html", nil))
	assert.Nil(t, extract.Detect("", "h.css?x/main?ver=5.1", nil))
	assert.Nil(t, extract.FormatOf(css.StyleAttribute.Name))
	assert.Nil(t, extract.FormatOf("application+xml"), "no media type")
}

// A text that begins like an archive of Pipermail is an mbox. With other From_ lines or a declared type, it stays a text.
func TestDetectPipermail(t *testing.T) {
	const line, field = "From a at h.example  Tue Jan 17 16:00:00 2023\n", "From: a@h.example\n"
	mbox, text := extract.FormatOf("application/mbox"), extract.FormatOf("text/plain")
	for _, row := range []struct {
		mediaType, name, head string
		want                  *extract.Format
	}{
		{"", "2023-January.txt", line + field, mbox},
		{"", "2023-January.TXT", strings.ReplaceAll(line+field, "\n", "\r\n"), mbox},
		{"", "2023-January.txt", line + ">From b Tue Jan 17 16:00:00 2023\n" + field, mbox},
		{"", "2023-January.txt", line + "\n" + field, text},
		{"", "2023-January.txt", line + "http://h/\n", text},
		{"", "2023-January.txt", line, text},
		{"", "2023-January.txt", "\n" + line + field, text},
		{"", "2023-January.txt", "Text\n" + line + field, text},
		{"", "2023-January.txt", "From a@h.example\n" + field, text},
		{"", "2023-January.txt", "From 1673971200\n" + field, text},
		{"", "2023-January.txt", "From \n" + field, text},
		{"", "1.txt", "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n" + field, text},
		{"text/plain", "2023-January.txt", line + field, text},
	} {
		assert.Same(t, row.want, extract.Detect(row.mediaType, row.name, []byte(row.head)), "%+v", row)
	}
}

// No two formats have the same media type or extension.
func TestFormatsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range extract.Formats() {
		for _, name := range slices.Concat([]string{f.Name}, f.Types, f.Exts) {
			assert.False(t, seen[name], name)
			seen[name] = true
		}
	}
}

// TestSplit reads each format with records: a long one, which fits neither in the bytes that detect the format nor in a small
// MaxRecord, and a short one.
func TestSplit(t *testing.T) {
	const limit, most = 4096, 256 << 10
	samples := map[string]struct {
		head, tail string
		record     func(page string) string
	}{
		"application/x-internet-archive": {"filedesc://a.arc 0.0.0.0 20000101000000 text/plain 4\n1 0\n\n", "", func(page string) string {
			return fmt.Sprintf("http://h/p/ 0.0.0.0 20000101000000 text/html %d\n%s\n", len(page), page)
		}},
		"application/mbox":     {"", "", func(page string) string { return MadeFrom + "\nContent-Type: text/html\n\n" + page + "\n\n" }},
		"application/enex+xml": {strings.TrimSuffix(ENEX(), "</en-export>\n"), "</en-export>\n", func(page string) string { return ENEXNote("http://h/p/", ENML(page)) }},
		"application/x-tar":    {"", TarEnd, func(page string) string { return TarFile("a.html", page) }},
		"application/warc":     {"", "", func(page string) string { return WARCResponse("http://h/p/", page) }},
	}
	for _, f := range extract.Formats() {
		if !f.Records {
			continue
		}
		s, ok := samples[f.Name]
		require.True(t, ok, "%s: add a record to the table", f.Name)
		made := func(ref, next string) string {
			filler, link := strings.Repeat("text\n", 60_000), "<a href='"+ref+"'>x</a>"
			return s.head + s.record(link+filler+link) + s.record("<a href='"+next+"'>y</a>") + s.tail
		}
		src := made("x", "y")
		require.Same(t, f, extract.Detect("", "", []byte(src[:mark.SniffLen])), f.Name)
		for _, row := range []struct {
			limit    int
			want     string
			problems int
		}{{0, made("http://h/p/x", "http://h/p/y"), 0}, {limit, made("x", "http://h/p/y"), 1}, {1, src, 1}} {
			for _, in := range []io.Reader{nil, strings.NewReader(src), iotest.HalfReader(strings.NewReader(src))} {
				w, d := Walker{Extractor: extract.Extractor{MaxRecord: row.limit}}, extract.Document{URL: "http://h/p/", Reader: in}
				if in == nil {
					d.Bytes = []byte(src)
				}
				problems, out := BagProblems(t, w, d)
				assert.True(t, row.want == out, "%s, limit %d", f.Name, row.limit)
				assert.GreaterOrEqual(t, len(problems), row.problems, "%s, limit %d", f.Name, row.limit)
				for i, p := range problems {
					assert.Contains(t, p, " 0 size-limit", "%s, limit %d", f.Name, row.limit)
					assert.True(t, i == 0 || row.limit != limit, "%s: the next record is read: %s", f.Name, p)
				}
			}
			in, err := new(Walker{Extractor: extract.Extractor{MaxRecord: row.limit}}).Open(extract.Document{Reader: strings.NewReader(src)}, nil)
			require.NoError(t, err)
			var pieces []byte
			for rec, err := range in.Records() {
				require.NoError(t, err)
				assert.Equal(t, int64(len(pieces)), rec.Offset, f.Name)
				assert.True(t, row.limit == 0 || len(rec.Bytes) <= most, "%s: not all of a long record is in memory", f.Name)
				pieces = append(pieces, rec.Bytes...)
			}
			assert.True(t, src == string(pieces), "%s, limit %d", f.Name, row.limit)
		}
	}
}

// TestOtherContent has bodies whose content may not be of their type, in a response with fields in its header or in that of
// its record.
func TestOtherContent(t *testing.T) {
	const (
		page   = "<!DOCTYPE html>\n<a href=/x>x</a>\n"
		object = `{"html": "<a href=\"/x\">"}` + "\n"
		script = "var s = '<a href=/x>';\n"
		rss    = "<?xml version='1.0'?>\n<rss version='2.0'><channel><link>/x</link><item><description>&lt;a href=/y></description></item></channel></rss>\n"
		feed   = `{"version":"https://jsonfeed.org/version/1.1","items":[{"url":"/x","content_html":"<a href=/y>"}]}`
		other  = `{"version":"1","items":[{"url":"/x","content_html":"<a href=/y>"}],"home_page_url":"jsonfeed.org"}`

		readAs   = "content-mismatch: the content looks like %s, but its type is %s: it is read as %[2]s"
		linkless = "content-mismatch: documents whose content looks like HTML, XML or JSON Feed, but whose type has no links: 1; they are not read, and stay unchanged"
		isNot    = "content-mismatch: the type is text/html, but the content is %s: it is not read, and stays unchanged"
		tags     = "a script or JSON, and all its tags are inside JSON"
	)
	x, y := " a@href http://h/x", " a@href http://h/y"
	feedLinks := " items.url http://h/x items.content_html[1] a@href http://h/y"
	for _, row := range []struct{ mediaType, fields, body, links, problem string }{
		{"text/plain", "", page, "", fmt.Sprintf(readAs, "HTML", "text/plain")},
		{"application/octet-stream", "", page, "", linkless},
		{"application/json", "", page, "", linkless},
		{"image/png", "", page, "", linkless},
		{"*/*", "", page, x, ""}, // some types mean "unknown"
		{"application/unknown", "", page, x, ""},
		{"unknown/unknown", "", page, x, ""},
		{"text/css", "", page, "", fmt.Sprintf(readAs, "HTML", "text/css")},
		{"text/html", "", "a { b: url(/x) }", "", ""},
		{"text/html", "", rss, " link http://h/x description[1]" + y, ""},
		{"text/html", "X-Content-Type-Options: nosniff\r\n", rss, " link http://h/x description[1]" + y, ""},
		{"text/html", "", "<feed xmlns='http://www.w3.org/2005/Atom'><link href='/x'/></feed>", " link@href http://h/x", ""},
		{"text/html", "", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><item><link>/x</link></item></rdf:RDF>", " link http://h/x", ""},
		{"text/html", "", "<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/x</loc></url></urlset>", "", fmt.Sprintf(readAs, "XML", "text/html")},
		{"text/html", "", "<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'><a href='/x'/></html>", x, ""},
		{"text/html", "", "<svg xmlns='http://www.w3.org/2000/svg'><a href='/x'/></svg>", x, ""},
		{"application/octet-stream", "", "words", "", ""},
		{"application/json", "", object, "", ""},
		{"text/plain", "", rss, "", fmt.Sprintf(readAs, "XML", "text/plain")},
		{"application/octet-stream", "", rss, "", linkless},
		{"application/json", "", rss, "", linkless},
		{"application/json", "", "<a href=x>jsonfeed.org", "", linkless},
		{"text/plain", "", feed, " text https://jsonfeed.org/version/1.1", fmt.Sprintf(readAs, "a JSON Feed", "text/plain")},
		{"application/octet-stream", "", feed, "", linkless},
		{"text/json", "", feed, feedLinks, ""},
		{"application/json; charset=utf-8", "", feed, feedLinks, ""},
		{"application/feed+json", "", feed, feedLinks, ""},
		{"application/json", "Content-Length: 999\r\n", other, "", ""},
		{"application/json", "Content-Encoding: x-none\r\n", other, "", ""},
		{"application/feed+json", "", other, "", "record-truncated: the document is not a JSON Feed: it has no version URL"},
		{"text/html", "", object, "", fmt.Sprintf(isNot, "JSON")},
		{"text/html", "", ")]}',\n" + object, "", fmt.Sprintf(isNot, tags)},
		{"text/html", "", `"<a href=\"\/x\">"`, "", fmt.Sprintf(isNot, "a string of JSON")},
		{"text/html", "", script, x, ""},
		{"text/html", "WARC-Identified-Payload-Type: application/javascript\r\n", script, "", fmt.Sprintf(isNot, "application/javascript, as the archive has identified it")},
		{"text/html", "WARC-Identified-Payload-Type: application/json; charset=utf-8\r\n", script, "", fmt.Sprintf(isNot, "application/json, as the archive has identified it")},
		{"text/html", "WARC-Identified-Payload-Type: image/png\r\n", script, "", fmt.Sprintf(isNot, "image/png, as the archive has identified it")},
		{"text/html", "WARC-Identified-Payload-Type: application/pdf\r\n", " \n<a href=/x>", x, ""}, // it begins with "<"
		{"text/html", "WARC-Identified-Payload-Type: text/plain\r\n", script, x, ""},                // these have links, or mean "unknown"
		{"text/html", "WARC-Identified-Payload-Type: text/html\r\n", script, x, ""},
		{"text/html", "WARC-Identified-Payload-Type: application/xhtml+xml\r\n", script, x, ""},
		{"text/html", "WARC-Identified-Payload-Type: application/octet-stream\r\n", script, x, ""},
		{"text/html", "WARC-Identified-Payload-Type: \r\n", script, x, ""},
		{"text/css", "WARC-Identified-Payload-Type: text/javascript\r\n", "a{b:url(/x)}", " url() http://h/x", ""},
	} {
		httpFields, warcFields := row.fields, ""
		if strings.HasPrefix(row.fields, "WARC-") {
			httpFields, warcFields = "", row.fields
		}
		response := "HTTP/1.1 200 OK\r\nContent-Type: " + row.mediaType + "\r\n" + httpFields + "\r\n" + row.body
		records := []string{WARCRecord("response", "http://h/", "application/http", response, row.body)}
		if warcFields != "" {
			records = append(records, WARCRecord("resource", "http://h/", row.mediaType, row.body, row.body))
		}
		for _, src := range records {
			src = strings.Replace(src, "WARC-Type", warcFields+"WARC-Type", 1)
			links, problems := "", []string(nil)
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, string(p.Code)+": "+p.Detail) }}}
			require.NoError(t, w.Links(extract.Document{Name: "a.warc", Bytes: []byte(src)}, func(l *extract.Link) error {
				path := regexp.MustCompile(`^record\[1\](/body)?/?`).ReplaceAllString(l.Entity.Path, "")
				links += strings.TrimRight(" "+path, " ") + " " + l.Place() + " " + string(l.URL)
				return nil
			}))
			assert.Equal(t, row.links, links, src)
			assert.Equal(t, row.problem, strings.Join(problems, "\n"), src)
		}
	}
}
