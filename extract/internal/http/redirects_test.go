package http_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
	"absolink/resolve"
)

const (
	found    = "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 9\r\n\r\n"
	response = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>"
)

// The "last URL used" is that of the last redirect (RFC 1808 3.3). A Location is resolved against the URL of the request
// that it answers (RFC 9110 10.2.2).
func TestHTTPRedirected(t *testing.T) {
	hop := func(locations ...string) string {
		var all strings.Builder
		for _, l := range locations {
			fmt.Fprintf(&all, found, l)
		}
		return all.String()
	}
	answer := func(status string) string {
		return "HTTP/1.1 " + status + "\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=0>"
	}
	code := func(status, src string) string { return strings.Replace(src, "302 Found", status, 1) }
	for _, row := range []struct{ name, src, url, want, problems string }{
		{"the last of several", hop("http://one/", "http://two/"), "", "body http://two/x Location", ""},
		{"relative to the URL before it", hop("/b/", "c/d.html"), "http://h/a/", "body http://h/b/c/x Location", ""},
		{"begins with an absolute URL", hop("http://h/b/", "c/d.html"), "", "body http://h/b/c/x Location", ""},
		{"begins again with an absolute URL", hop("http://one/", "c/", "http://two/", "e/"), "http://h/", "body http://two/e/x Location", ""},
		{"another host, another scheme", hop("//two/b/", "https://three/"), "http://h/", "body https://three/x Location", ""},
		{"a query alone", hop("?q=1"), "http://h/a/b", "body http://h/a/x Location", ""},
		{"a fragment is not requested", hop("/b/#f", "#g"), "http://h/a/", "body http://h/b/x Location", ""},
		{"a loop", hop("/a", "/b/", "/a", "/b/"), "http://h/", "body http://h/b/x Location", ""},
		{"HTTP/2 by curl", strings.ReplaceAll(strings.ReplaceAll(hop("/b/"), "HTTP/1.1 302 Found", "HTTP/2 301 "), "Location", "location"), "http://h/a/", "body http://h/b/x Location", ""},
		{"interim responses", hop("/b/") + "HTTP/1.1 103 Early Hints\r\nLocation: /no/\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n", "http://h/a/", "body http://h/b/x Location", ""},
		{"the answer to CONNECT", code("200 Connection established", hop("/no/")) + hop("/b/") + "HTTP/1.1 200 Connection established\r\n\r\n", "https://h/", "body https://h/b/x Location", ""},
		{"201", code("201 Created", hop("/no/")), "http://h/a/", "body http://h/a/x retrieval URL", ""},
		{"a reason phrase of digits", code("200 3", hop("/no/")), "http://h/a/", "body http://h/a/x retrieval URL", ""},
		{"300", code("300 Multiple Choices", hop("/b/")), "http://h/a/", "body http://h/b/x Location", ""},
		{"304 without a Location", code("304 Not Modified", strings.Replace(hop(""), "Location: \r\n", "", 1)), "http://h/a/", "body http://h/a/x retrieval URL", ""},
		{"an empty Location", hop(""), "http://h/a/", "body http://h/a/x retrieval URL", ""},
		{"401, the same URL again", "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=a\r\n\r\n", "http://h/a/", "body http://h/a/x retrieval URL", ""},
		{"401 after a redirect", hop("/b/") + "HTTP/1.1 401 Unauthorized\r\n\r\n", "http://h/a/", "body http://h/b/x Location", ""},
		{"duplicate Location: first wins, as in curl", strings.Replace(hop("/b/"), "\r\nContent", "\r\nLocation: /no/\r\nContent", 1), "http://h/a/", "body http://h/b/x Location", ""},
		{"the first URL is unknown", hop("/b/", "c/"), "", "body  ", "30 no-base"},
		{"the first URL is unknown, and a later one is absolute", hop("/b/", "http://h/c/"), "", "body http://h/c/x Location", ""},
		{"a URL that cannot be a base", hop("mailto:a@b"), "http://h/", "body  ", "30 base-unsuitable"},
		{"a local file", hop("/b/", "file:///etc/"), "http://h/", "body  ", "86 base-unsuitable"},
		{"relative after a URL that cannot be a base", hop("mailto:a@b", "c/"), "http://h/", "body  ", "30 base-unsuitable"},
		{"absolute after a URL that cannot be a base", hop("mailto:a@b", "http://h/c/"), "http://h/", "body http://h/c/x Location", ""},
		{"another request, then a redirect", answer("200 OK") + hop("http://other/c/"), "http://h/a/", "body http://other/c/x Location", ""},
		{"another request, and a redirect relative to it", answer("200 OK") + hop("/b/"), "http://h/a/", "body  ", "74 no-base"},
		{"another request", hop("/b/") + answer("200 OK"), "http://h/a/", "body  ", "130 no-base"},
		{"another request after an error", answer("404 Not Found") + hop("/b/", "http://other/", "c/"), "http://h/a/", "body http://other/c/x Location", ""},
		{"the same request after an error", answer("503 Service Unavailable"), "http://h/a/", "body http://h/a/x retrieval URL", ""},
		{"the same request with a password", hop("/b/") + answer("401 Unauthorized"), "http://h/a/", "body http://h/b/x Location", ""},
		{"many requests", strings.Repeat(answer("200 OK"), 999), "http://h/a/", "body  ", "74 no-base"},
		{"no status line", "Location: /no/\r\nContent-Type: text/html\r\n\r\n", "http://h/a/", "body http://h/a/x retrieval URL", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := row.src + response
			if row.name == "no status line" {
				src = row.src + "<a href=x>"
			}
			var problems []string
			var w Walker
			w.OnProblem = func(p extract.Problem) {
				if strings.HasPrefix(p.Detail, "redirect") || strings.HasPrefix(p.Detail, "another request") {
					problems = append(problems, fmt.Sprint(p.Offset, " ", p.Code))
				}
			}
			d := extract.Document{Type: "message/http", URL: row.url, Bytes: []byte(src)}
			lines := LinkLines(t, &w, d)
			assert.Equal(t, row.want, lines[len(lines)-1])
			assert.Equal(t, row.problems, strings.Join(problems, "\n"))
			if row.problems == "" {
				again := extract.Document{Type: "message/http", URL: row.url, Bytes: []byte(Rewrite(t, &w, d))}
				assert.Equal(t, string(again.Bytes), Rewrite(t, &w, again), "nothing is left to rewrite")
			}
		})
	}
}

// A URL that the URL Standard cannot parse ends the chain of redirects, as in browsers and curl.
func TestHTTPRedirectMalformed(t *testing.T) {
	w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG}}
	problems, _ := BagProblems(t, w, extract.Document{Name: "a.http", URL: "http://h/", Bytes: []byte(fmt.Sprintf(found, "http://[/") + response)})
	assert.Contains(t, problems, "30 base-malformed")
	assert.Contains(t, problems, "body 8 no-base")
}

// The header and the body of a redirect have the URL of the request that it answers.
func TestHTTPRequests(t *testing.T) {
	const src = "HTTP/1.1 301 Moved Permanently\nLink: <s>; rel=a\nLocation: /b/\nContent-Type: text/html\nContent-Length: 10\n\n<a href=1>\n" +
		"HTTP/1.1 302 Found\nContent-Base: http://base/\nLocation: c/\nLink: <s>; rel=a\n\n" +
		"HTTP/1.1 302 Found\nContent-Type: text/html\nLink: <s>; rel=a\nContent-Base: http://own/\nLocation: z\n\n<a href=2>"
	var lines []string
	var w Walker
	assert.NoError(t, w.Links(extract.Document{Name: "a.http", URL: "http://h/a/", Bytes: []byte(src)}, func(l *extract.Link) error {
		lines = append(lines, fmt.Sprintf("%s %s %s %s", l.Entity.Path, l.Place(), l.URL, l.PageURL()))
		return nil
	}))
	assert.Equal(t, []string{
		" Link[1] http://h/a/s http://h/a/",
		" Location http://h/b/ http://h/a/",
		"response[1]/body a@href http://h/a/1 http://h/a/",
		" Content-Base http://base/ http://h/b/",
		" Location http://h/b/c/ http://h/b/", // with any Content-Base
		" Link[1] http://base/s http://h/b/",
		" Link[1] http://own/s http://h/b/c/",
		" Content-Base http://own/ http://h/b/c/",
		" Location http://h/b/c/z http://h/b/c/",
		"body a@href http://own/2 http://h/b/c/",
	}, lines)
}

// In a web archive, a chain of redirects begins at the URL of the record, and does not continue in another record.
func TestHTTPRedirectedInWARC(t *testing.T) {
	hop := fmt.Sprintf(found, "/b/")
	src := WARCRecord("response", "http://h/a/", "application/http", hop, "") +
		WARCRecord("response", "http://h/c/", "application/http", response, "") +
		WARCRecord("response", "http://h/d/", "application/http", hop+response, "")
	assert.Equal(t, []string{"record[1] http://h/b/ WARC-Target-URI", "record[2]/body http://h/c/x WARC-Target-URI",
		"record[3] http://h/b/ WARC-Target-URI", "record[3]/body http://h/b/x Location"},
		LinkLines(t, &Walker{}, extract.Document{Name: "a.warc", Bytes: []byte(src)}))
}

// An attribute of the file has the URL of the last request, so no chain of redirects begins at it.
func TestHTTPRedirectedEvidence(t *testing.T) {
	d := extract.Document{Name: "a.http", Bytes: []byte(fmt.Sprintf(found, "c/") + response), Evidence: []extract.Evidence{{By: "user.xdg.origin.url", URL: "http://h/c/"}}}
	var w Walker
	assert.Equal(t, []string{"  ", "body http://h/c/x user.xdg.origin.url"}, LinkLines(t, &w, d))
	d.URL = "http://h/"
	assert.Equal(t, []string{" http://h/c/ retrieval URL", "body http://h/c/x Location"}, LinkLines(t, &w, d))
}

// After more redirects than any client follows, the URL is unknown.
func TestHTTPRedirectLimits(t *testing.T) {
	for name, row := range map[string]struct {
		n        int
		location string
		want     string
	}{
		"most":                    {64, "a/", "body http://h/" + strings.Repeat("a/", 64) + "x Location"},
		"one more than the limit": {65, "a/", "body  "},
		"far more than the limit": {9999, "http://h/", "body  "},
		"a long URL":              {1, "http://h/" + strings.Repeat("a", 256<<10), "body  "},
	} {
		lines := LinkLines(t, new(Walker), extract.Document{Name: "a.http", URL: "http://h/", Bytes: []byte(strings.Repeat(fmt.Sprintf(found, row.location), row.n) + response)})
		assert.Equal(t, row.want, lines[len(lines)-1], name)
	}
}

func TestHTTPRedirectsLinear(t *testing.T) {
	const body = "Content-Type: text/html\nContent-Length: 10\n\n<a href=x>"
	for _, unit := range []string{
		"HTTP/1.1 302 Found\nLocation: a/\nLink: <x>\n\n",
		"HTTP/1.1 103 Early Hints\nContent-Base: b/\nContent-Location: c/\nLink: <x>\n\n",
		"HTTP/1.1 302 Found\nLocation: mailto:a@b\n\n",
		"HTTP/1.1 302 Found\nLocation: a/\n" + body,
		"HTTP/1.1 200 OK\n" + body,
	} {
		for _, head := range []string{"", strings.Repeat(fmt.Sprintf(found, "a/"), 60)} {
			longtest.Linear(t, fmt.Sprintf("%d bytes and many %q", len(head), unit), 1<<18/len(unit), func(n int) func() {
				d := extract.Document{Type: "message/http", URL: "http://h/", Bytes: []byte(head + strings.Repeat(unit, n) + response)}
				return func() {
					assert.NoError(t, new(Walker).Links(d, func(l *extract.Link) error { l.PageURL(); return nil }))
					assert.NoError(t, new(Walker).Rewrite(io.Discard, d))
				}
			})
		}
	}
}
