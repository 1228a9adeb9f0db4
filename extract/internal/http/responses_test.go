package http_test

import (
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

func TestHTTP(t *testing.T) {
	const url = "http://h/p/"
	for _, row := range []struct{ name, src, want string }{
		{"curl -i", "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 10\r\nLink: <s.css>; rel=stylesheet\r\n\r\n<a href=x>",
			"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 21\r\nLink: <http://h/p/s.css>; rel=stylesheet\r\n\r\n<a href=http://h/p/x>"},
		{"HTTP/2, LF only", "HTTP/2 200\nContent-Type: text/html\n\n<a href=x>", "HTTP/2 200\nContent-Type: text/html\n\n<a href=http://h/p/x>"},
		{"Content-Location is a link and no base", "HTTP/1.1 200 OK\nContent-Location: en/\nContent-Type: text/html\n\n<a href=x>",
			"HTTP/1.1 200 OK\nContent-Location: http://h/p/en/\nContent-Type: text/html\n\n<a href=http://h/p/x>"},
		{"Content-Base is a base", "HTTP/1.1 200 OK\nContent-Base: http://b/\nContent-Type: text/html\n\n<a href=x>",
			"HTTP/1.1 200 OK\nContent-Base: http://b/\nContent-Type: text/html\n\n<a href=http://b/x>"},
		{"curl -iL: a redirection before it", "HTTP/1.1 302 Found\nLocation: y\nContent-Length: 0\n\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<a href=x>",
			"HTTP/1.1 302 Found\nLocation: http://h/p/y\nContent-Length: 0\n\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<a href=http://h/p/x>"},
		{"a Location with a space", "HTTP/1.1 302 Found\nLocation: my page.html\n\n", "HTTP/1.1 302 Found\nLocation: http://h/p/my page.html\n\n"},
		{"chunked", "HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked\n\nA\r\n<a href=x>\r\n0\r\n\r\n",
			"HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked\n\n15\r\n<a href=http://h/p/x>\r\n0\r\n\r\n"},
		{"links in one chunk", "HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked\n\n1E\r\n<a href=x><a href=y><a href=z>\r\n0\r\n\r\n",
			"HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked\n\n3f\r\n<a href=http://h/p/x><a href=http://h/p/y><a href=http://h/p/z>\r\n0\r\n\r\n"},
		{"a link across chunks", "HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked\n\n8\r\n<a href=\r\n2\r\nx>\r\n0\r\n\r\n",
			"HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked\n\n13\r\n<a href=http://h/p/\r\n2\r\nx>\r\n0\r\n\r\n"},
		{"the client has decoded both codings", "HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked\nContent-Encoding: gzip\n\n<a href=x>",
			"HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked\nContent-Encoding: gzip\n\n<a href=http://h/p/x>"},
		{"no type: the type is detected in the bytes", "HTTP/1.0 200 OK\n\n<!DOCTYPE html><a href=x>", "HTTP/1.0 200 OK\n\n<!DOCTYPE html><a href=http://h/p/x>"},
		{"a coding that is not valid", "HTTP/1.0 200 OK\nContent-Type: text/html\nContent-Encoding: utf-8\n\n<a href=x>", "HTTP/1.0 200 OK\nContent-Type: text/html\nContent-Encoding: utf-8\n\n<a href=http://h/p/x>"},
		{"identity and an empty element are ignored (RFC 9110 8.4.1, 5.6.1)", "HTTP/1.0 200 OK\nContent-Type: text/html\nContent-Encoding: identity, ,\n\n<a href=x>", "HTTP/1.0 200 OK\nContent-Type: text/html\nContent-Encoding: identity, ,\n\n<a href=http://h/p/x>"},
		{"an unknown coding", "HTTP/1.0 200 OK\nContent-Type: text/html\nContent-Encoding: compress\n\n\x1F\x9D<a href=x>", "HTTP/1.0 200 OK\nContent-Type: text/html\nContent-Encoding: compress\n\n\x1F\x9D<a href=x>"},
		{"a range (RFC 9110 14.4)", "HTTP/1.1 206 Partial Content\nContent-Type: text/html\nContent-Range: bytes 0-9/99\n\n<a href=x>", "HTTP/1.1 206 Partial Content\nContent-Type: text/html\nContent-Range: bytes 0-9/99\n\n<a href=x>"},
		{"ranges (RFC 9110 14.6)", "HTTP/1.1 206 Partial Content\nContent-Type: multipart/byteranges; boundary=b\n\n--b\nContent-Type: text/html\nContent-Range: bytes 0-9/99\n\n<a href=x>\n--b--\n", "HTTP/1.1 206 Partial Content\nContent-Type: multipart/byteranges; boundary=b\n\n--b\nContent-Type: text/html\nContent-Range: bytes 0-9/99\n\n<a href=x>\n--b--\n"},
		{"a Content-Range that does not apply (RFC 9110 14.4)", "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Range: bytes 0-9/10\n\n<a href=x>", "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Range: bytes 0-9/10\n\n<a href=http://h/p/x>"},
		{"a range that is not satisfiable", "HTTP/1.1 416 Range Not Satisfiable\nContent-Type: text/html\nContent-Range: bytes */99\n\n<a href=x>", "HTTP/1.1 416 Range Not Satisfiable\nContent-Type: text/html\nContent-Range: bytes */99\n\n<a href=http://h/p/x>"},
		{"a length that was wrong", "HTTP/1.0 200 OK\nContent-Type: text/html\nContent-Length: 5\n\n<a href=x>", "HTTP/1.0 200 OK\nContent-Type: text/html\nContent-Length: 5\n\n<a href=http://h/p/x>"},
		{"no body", "HTTP/1.1 304 Not Modified\nContent-Type: text/html\n\n", "HTTP/1.1 304 Not Modified\nContent-Type: text/html\n\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var w Walker
			d := extract.Document{Name: "saved", Bytes: []byte(row.src)}
			if !strings.Contains(row.src, "http://") {
				assert.Equal(t, row.src, Rewrite(t, &w, d), "nothing changes without a base")
			}
			d.URL = url
			assert.Equal(t, row.want, Rewrite(t, &w, d))
			d.Bytes = []byte(row.want)
			assert.Equal(t, row.want, Rewrite(t, &w, d), "a second rewriting changes nothing")
		})
	}
}

// A server can send an MHTML file as multipart/related, with the header of the file in the body.
func TestHTTPMHTML(t *testing.T) {
	const header, body = "Content-Type: multipart/related; boundary=b\n\n", "--b\nContent-Type: text/html\n\n<a href=x>\n--b\nContent-Type: text/html\n\n<a href=y>\n--b--\n"
	for src, paths := range map[string][]string{
		"HTTP/1.1 200 OK\n" + header + body:                                     {"part[1]", "part[2]"},
		"HTTP/1.1 200 OK\n" + header + "MIME-Version: 1.0\n" + header + body:    {"body/part[1]", "body/part[2]"},
		"HTTP/1.1 200 OK\nContent-Type: multipart/related\n\n" + header + body:  {"body/part[1]", "body/part[2]"},
		"HTTP/1.1 200 OK\nContent-Type: message/rfc822\n\n" + header + body:     {"body/part[1]", "body/part[2]"},
		strings.Replace("HTTP/1.1 200 OK\n"+header+body, "related", "mixed", 1): {"part[1]", "part[2]"},
	} {
		var w Walker
		assert.Equal(t, []string{paths[0] + " http://h/x Base", paths[1] + " http://h/y Base"},
			LinkLines(t, &w, extract.Document{Name: "a.http", Bytes: []byte(strings.Replace(src, "OK\n", "OK\nBase: <URL:http://h/>\n", 1))}), src)
	}
	links := LinkLines(t, new(Walker), extract.Document{Type: "multipart/related", URL: "http://h/", Bytes: []byte(header + body)})
	assert.Equal(t, []string{"part[1] http://h/x retrieval URL", "part[2] http://h/y retrieval URL"}, links)
}

// A fault in a response is reported, as is a digest that a rewriting makes wrong.
func TestHTTPProblems(t *testing.T) {
	for _, row := range []struct{ name, header, body, problem string }{
		{"an unknown coding", "Content-Type: text/html\nContent-Encoding: compress\n", "\x1F\x9D<a href=x>", "68 undecodable"},
		{"an unknown coding inside gzip", "Content-Type: text/html\nContent-Encoding: compress, gzip\n", Gzipped(t, "\x1F\x9D<a href=x>"), "74 undecodable"},
		{"a type that is not read", "Content-Type: image/png\nContent-Encoding: compress\n", "\x1F\x9D<a href=x>", ""},
		{"RFC 9112 8: the body is cut off", "Content-Length: 5000\nContent-Type: text/html\n", "<a href=x>", "72 record-truncated"},
		{"Content-Length with the coding identity", "Content-Encoding: identity\nContent-Length: 11\n", "<a href=x>", "73 record-truncated"},
		{"a type that is not read", "Content-Type: image/png\nContent-Length: 5000\n", "x", ""},
		{"a body without its coding", "Content-Encoding: br\nContent-Length: 11\n", "<a href=x>", ""},
		{"a body without its chunks (RFC 9112 6.3)", "Transfer-Encoding: chunked\nContent-Length: 11\n", "<a href=x>", ""},
		{"no body: the answer to HEAD (RFC 9110 9.3.2)", "Content-Length: 11\n", "", ""},
		{"CRLF was replaced by LF", "Content-Length: 15\n", "<a href=x>\n<p>\n", ""},
		{"CRLF was replaced by LF, truncated", "Content-Length: 18\n", "<a href=x>\n<p>\n", "51 record-truncated"},
		{"CRLF", "Content-Length: 15\r\n\r\n<p>\n", "", "43 record-truncated"},
		{"RFC 9112 8: the first chunk is cut off", "Transfer-Encoding: chunked\n", "1000\r\n<a href=x>", "44 record-truncated"},
		{"RFC 9112 8: a link in the first chunk, which is cut off", "Content-Type: text/html\nTransfer-Encoding: chunked\n", "1000\r\n<a href=x>", "68 record-truncated\n82 rewrite-refused"},
		{"RFC 9112 7.1: the first chunk has no line end", "Content-Type: text/html\nTransfer-Encoding: chunked\n", "A\r\n<a href=x>", "68 record-truncated\n79 rewrite-refused"},
		{"RFC 9112 7.1: the first chunk has half a line end", "Content-Type: text/html\nTransfer-Encoding: chunked\n", "A\r\n<a href=x>\r", "68 record-truncated\n79 rewrite-refused"},
		{"RFC 9112 8: the second chunk is cut off", "Transfer-Encoding: chunked\n", "A\r\n<a href=x>\r\n1000\r\n<a href=y>", "44 undecodable"},
		{"no chunk", "Transfer-Encoding: chunked\n", "cafe <a href=x>", ""},
		{"RFC 9530", "Content-Type: text/html\nContent-Digest: sha-256=:x:\n", "<a href=x>", "56 digest-broken"},
		{"two digests", "Content-Type: text/html\nContent-MD5: x\nContent-MD5: x\n", "<a href=x>", "68 digest-broken"},
		{"RFC 9530, nothing changed", "Content-Type: text/html\nRepr-Digest: sha-256=:x:\n", "<p>", ""},
		{"RFC 9530, the header alone changed", "Location: x\nContent-Type: text/html\nContent-Digest: sha-256=:x:\n", "<p>", ""},
		{"RFC 3230", "Content-Type: text/html\nDigest: unixsum=1\n", "<a href=x>", "48 digest-broken"},
	} {
		t.Run(row.name, func(t *testing.T) {
			problems, _ := BagProblems(t, Walker{}, extract.Document{Name: "saved", URL: "http://h/p/", Bytes: []byte("HTTP/1.1 200 OK\n" + row.header + "\n" + row.body)})
			assert.Equal(t, row.problem, strings.Join(problems, "\n"))
		})
	}
}

// Another chunked coding around the body takes only a name in the header and a few bytes. Without a limit on the codings,
// the work would grow with the square of their number.
func TestHTTPCodingsLimit(t *testing.T) {
	inChunks := func(body string, n int) string {
		tail := strings.Repeat("\r\n0\r\n\r\n", n)
		length := len(body)
		var head []byte
		var sizes []string
		for range n {
			size := fmt.Sprintf("%x\r\n", length)
			sizes = append(sizes, size)
			length += len(size) + len("\r\n0\r\n\r\n")
		}
		for _, size := range slices.Backward(sizes) {
			head = append(head, size...)
		}
		return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked" + strings.Repeat(", chunked", n-1) + "\r\n\r\n" + string(head) + body + tail
	}
	d := extract.Document{Name: "saved", URL: "http://h/p/", Bytes: []byte(inChunks("<a href=x>", 5))}
	problems, out := BagProblems(t, Walker{}, d)
	assert.Empty(t, problems)
	assert.Equal(t, inChunks("<a href=http://h/p/x>", 5), out)
	d.Bytes = []byte(inChunks(strings.Repeat("<a href=x>", 100_000), 50_000))
	problems, out = BagProblems(t, Walker{}, d)
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0], "depth-limit")
	assert.True(t, string(d.Bytes) == out)
}

// A body is read and written through its codings, and Content-Length is the length of the encoded body.
func TestHTTPCodings(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s"
	packed := Gzipped(t, "<a href=x>")
	d := extract.Document{Name: "saved", URL: "http://h/p/", Bytes: fmt.Appendf(nil, head, len(packed), packed)}
	var w Walker
	out := Rewrite(t, &w, d)
	again := Gzipped(t, "<a href=http://h/p/x>")
	header, body, _ := strings.Cut(out, "\r\n\r\n")
	assert.True(t, strings.HasSuffix(header, fmt.Sprintf("Content-Length: %d", len(body))), header)
	d.Bytes = []byte(out)
	assert.Equal(t, []string{"body http://h/p/x retrieval URL"}, LinkLines(t, &w, d))
	rewritten := func(src string) {
		d.Bytes = []byte(src)
		d.Bytes = []byte(Rewrite(t, &w, d))
		require.NoError(t, w.Links(d, func(l *extract.Link) error {
			assert.Equal(t, "http://h/p/x", string(l.Raw), "%q", src)
			return nil
		}))
		assert.Len(t, LinkLines(t, &w, d), 1, "%q", src)
	}
	assert.InDelta(t, len(again), len(body), 20)

	chunked := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(packed), packed)
	rewritten("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked)

	// The first chunk may be too short to show the coding.
	rewritten(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n",
		packed[:1], len(packed)-1, packed[1:]))

	// RFC 9112 7.2: a transfer coding, with and without chunks around it.
	for _, body := range []string{"gzip, chunked\r\n\r\n" + chunked, "gzip\r\n\r\n" + packed} {
		rewritten("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: " + body)
	}

	var problems []extract.Code
	w.OnProblem = func(p extract.Problem) { problems = append(problems, p.Code) }
	d.Bytes = fmt.Appendf(nil, head, len(packed), packed[:len(packed)-4])
	assert.Equal(t, string(d.Bytes), Rewrite(t, &w, d), "a truncated body stays unchanged")
	assert.Equal(t, []extract.Code{extract.CodeUndecodable, extract.CodeRewriteRefused}, problems)
}

// `wget --save-headers` leaves a response in a file with the name of the page.
func TestHTTPName(t *testing.T) {
	for _, row := range []struct{ name, src, want string }{
		{"index.html", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nLink: <s>\r\n\r\n<a href=x>", "HTTP/1.1 200 OK\r\nContent-Length: 21\r\nLink: <http://h/p/s>\r\n\r\n<a href=http://h/p/x>"},
		{"status.txt", "HTTP/1.1 200 OK\nis a status line, see <URL:x>", "HTTP/1.1 200 OK\nis a status line, see <URL:http://h/p/x>"},
		{"one.txt", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK"},
		{"proxy.html", "HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 200 \r\ncontent-length: 10\r\n\r\n<a href=x>", "HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 200 \r\ncontent-length: 21\r\n\r\n<a href=http://h/p/x>"},
		{"continue.html", "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nContent-Length: 10\n\n<a href=x>", "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nContent-Length: 21\n\n<a href=http://h/p/x>"},
		{"two.txt", "HTTP/1.1 200 OK\nHTTP/1.1 200 OK\nA: <URL:x>", "HTTP/1.1 200 OK\nHTTP/1.1 200 OK\nA: <URL:http://h/p/x>"},
		{"apart.txt", "HTTP/1.1 200 OK\n\nHTTP/1.1 200 OK\n\n<URL:x>", "HTTP/1.1 200 OK\n\nHTTP/1.1 200 OK\n\n<URL:http://h/p/x>"},
	} {
		d := extract.Document{Name: row.name, URL: "http://h/p/", Bytes: []byte(row.src)}
		assert.Equal(t, row.want, Rewrite(t, &Walker{}, d), row.name)
	}
}

// A Content-MD5 is the digest of the body with its content codings, but without its transfer codings (RFC 2616 14.15). A
// digest that was wrong stays wrong.
func TestHTTPContentMD5(t *testing.T) {
	sum := func(body string) string {
		sum := md5.Sum([]byte(body))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	const before, after = "<a href=x>", "<a href=http://h/p/x>"
	for _, row := range []struct {
		name, fields string
		body         func(page string) string
		digest       func(page string) string
	}{
		{"the body", "", func(page string) string { return page }, sum},
		{"in chunks", "Transfer-Encoding: chunked\r\n", func(page string) string { return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(page), page) }, sum},
		{"a wrong digest", "", func(page string) string { return page }, func(string) string { return sum("") }},
	} {
		response := func(page string) string {
			return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + row.fields + "Content-MD5: " + row.digest(page) + " \r\n\r\n" + row.body(page)
		}
		var w Walker
		d := extract.Document{Name: "saved", URL: "http://h/p/", Bytes: []byte(response(before))}
		assert.Equal(t, response(after), Rewrite(t, &w, d), row.name)
	}
	packed := Gzipped(t, before)
	d := extract.Document{Name: "saved", URL: "http://h/p/", Bytes: []byte("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-MD5: " + sum(packed) + "\n\n" + packed)}
	header, body, _ := strings.Cut(Rewrite(t, &Walker{}, d), "\n\n")
	assert.NotEqual(t, packed, body)
	assert.True(t, strings.HasSuffix(header, ": "+sum(body)), header)
}

// Headers have more links than a block of marks, and Content-Length, which depends on the body, comes before them.
func TestManyHTTPLinks(t *testing.T) {
	links := longtest.Or(20_000, 60_000) // more than a block of marks
	response := func(host, body string) string {
		fields := strings.Repeat("Link: <"+host+"p>\r\n", links)
		return "HTTP/1.1 302 Found\r\nLocation: http://h/\r\n" + fields + "\r\n" +
			"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n" + fields + "\r\n" + body
	}
	d := extract.Document{Name: "x.http", URL: "http://h/", Bytes: []byte(response("", "<a href=x>"))}
	assert.True(t, response("http://h/", "<a href=http://h/x>") == Rewrite(t, &Walker{}, d))
}
