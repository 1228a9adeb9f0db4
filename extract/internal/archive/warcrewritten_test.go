package archive_test

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

func warc(src string) extract.Document {
	return extract.Document{Name: "c.warc", Bytes: []byte(src)}
}

func TestWARCRewritten(t *testing.T) {
	const info = "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Type: application/warc-fields\r\nContent-Length: 5\r\n\r\na: b\n\r\n\r\n"
	request := WARCRecord("request", "http://h/p/", "application/http; msgtype=request", "GET /p/ HTTP/1.1\r\nHost: h\r\nReferer: x\r\n\r\n", "")
	interim := func(page string, final bool) string {
		rest := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
		payload := rest
		if final {
			payload = page
		}
		return WARCRecord("response", "http://h/p/", "application/http", "HTTP/1.1 103 Early Hints\r\n\r\n"+rest, payload)
	}
	untyped := func(page string) string {
		return strings.Replace(WARCRecord("resource", "http://h/p/", "", page, page), "Content-Type: \r\n", "", 1)
	}
	cutOff := func(length int, page string) string {
		return fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/p/\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", length, page)
	}
	const segments = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/p/\r\nWARC-Segment-Number: 1\r\nContent-Type: application/http\r\nContent-Length: 74\r\n\r\n" +
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 14\r\n\r\n<a href=x>\r\n\r\n" +
		"WARC/1.1\r\nWARC-Type: continuation\r\nWARC-Target-URI: http://h/p/\r\nWARC-Segment-Number: 2\r\nWARC-Segment-Total-Length: 78\r\nContent-Length: 4\r\n\r\n</a>\r\n\r\n"
	for _, row := range []struct {
		name, src, want string
		links           []string
		problems        []extract.Code
	}{
		{"response", info + request + WARCResponse("http://h/p/", "<a href=x>"), info + request + WARCResponse("http://h/p/", "<a href=http://h/p/x>"),
			[]string{"record[3]/body http://h/p/x WARC-Target-URI"}, nil},
		{"target URI in brackets", WARCResponse("<http://h/p/>", "<a href=x>"), WARCResponse("<http://h/p/>", "<a href=http://h/p/x>"), []string{"record[1]/body http://h/p/x WARC-Target-URI"}, nil},
		{"the base of the page takes precedence", WARCResponse("http://h/", "<base href=http://b/><a href=x>"), WARCResponse("http://h/", "<base href=http://b/><a href=http://b/x>"),
			[]string{"record[1]/body http://b/x BASE element"}, nil},
		{"resource", WARCRecord("resource", "http://h/p/", "text/html", "<a href=x>", "<a href=x>"), WARCRecord("resource", "http://h/p/", "text/html", "<a href=http://h/p/x>", "<a href=http://h/p/x>"),
			[]string{"record[1] http://h/p/x WARC-Target-URI"}, nil},
		{"resource in a charset", WARCRecord("resource", "http://h/p/", "text/html; charset=koi8-r", "<a href=\xc1>", ""), WARCRecord("resource", "http://h/p/", "text/html; charset=koi8-r", "<a href=http://h/p/\xc1>", ""),
			[]string{"record[1] http://h/p/а WARC-Target-URI"}, nil},
		{"conversion", WARCRecord("conversion", "http://h/p/", "text/plain", "<URL:x>", ""), WARCRecord("conversion", "http://h/p/", "text/plain", "<URL:http://h/p/x>", ""),
			[]string{"record[1] http://h/p/x WARC-Target-URI"}, nil},
		{"revisit", WARCRecord("revisit", "http://h/p/", "application/http", "HTTP/1.1 200 OK\r\nLink: <s>; rel=x\r\n\r\n", "elsewhere"),
			WARCRecord("revisit", "http://h/p/", "application/http", "HTTP/1.1 200 OK\r\nLink: <http://h/p/s>; rel=x\r\n\r\n", "elsewhere"), []string{"record[1] http://h/p/s WARC-Target-URI"}, nil},
		{"an interim response before it (RFC 9110 15.2)", interim("<a href=x>", true), interim("<a href=http://h/p/x>", true), []string{"record[1]/body http://h/p/x WARC-Target-URI"}, nil},
		{"an interim response: the payload begins after the first header", interim("<a href=x>", false), interim("<a href=http://h/p/x>", false), []string{"record[1]/body http://h/p/x WARC-Target-URI"}, nil},
		{"no Content-Type: the type is detected in the bytes (ISO 28500 5.6)", untyped("<!DOCTYPE html><a href=x>"), untyped("<!DOCTYPE html><a href=http://h/p/x>"), []string{"record[1] http://h/p/x WARC-Target-URI"}, nil},
		{"a segment (ISO 28500 7)", segments, segments, []string{"record[1]/body http://h/p/x WARC-Target-URI"}, []extract.Code{extract.CodeRewriteRefused}},
		{"a lookup of a name", WARCRecord("response", "dns:h", "text/dns", "20200101\r\nh. 1 IN A 1.2.3.4\r\n", ""), WARCRecord("response", "dns:h", "text/dns", "20200101\r\nh. 1 IN A 1.2.3.4\r\n", ""), nil, nil},
		{"LF only", strings.ReplaceAll(WARCRecord("resource", "http://h/p/", "text/html", "<a href=x>", ""), "\r\n", "\n") + strings.ReplaceAll(info, "\r\n", "\n"),
			strings.ReplaceAll(WARCRecord("resource", "http://h/p/", "text/html", "<a href=http://h/p/x>", ""), "\r\n", "\n") + strings.ReplaceAll(info, "\r\n", "\n"), []string{"record[1] http://h/p/x WARC-Target-URI"}, nil},
		{"a length that is folded (ISO 28500 4)", strings.Replace(WARCResponse("http://h/p/", "<a href=x>"), "Length: ", "Length:\r\n\t", 1),
			strings.Replace(WARCResponse("http://h/p/", "<a href=http://h/p/x>"), "Length: ", "Length:\r\n\t", 1), []string{"record[1]/body http://h/p/x WARC-Target-URI"}, nil},
		{"a length that is too long", strings.Replace(WARCResponse("http://h/p/", "no link"), "\r\n\r\nHTTP", "9\r\n\r\nHTTP", 1) + WARCResponse("http://h/p/", "<a href=x>"),
			strings.Replace(WARCResponse("http://h/p/", "no link"), "\r\n\r\nHTTP", "9\r\n\r\nHTTP", 1) + WARCResponse("http://h/p/", "<a href=http://h/p/x>"),
			[]string{"record[2]/body http://h/p/x WARC-Target-URI"}, []extract.Code{extract.CodeRecordTruncated}},
		{"a length of 2^63", strings.Replace(info, ": 5", ": 9223372036854775808", 1) + WARCResponse("http://h/p/", "<a href=x>"),
			strings.Replace(info, ": 5", ": 9223372036854775808", 1) + WARCResponse("http://h/p/", "<a href=http://h/p/x>"), []string{"record[2]/body http://h/p/x WARC-Target-URI"}, []extract.Code{extract.CodeRecordTruncated}},
		{"a length longer than the limit and the file", strings.Replace(info, ": 5", ": 999999999999", 1) + WARCResponse("http://h/p/", "<a href=x>"),
			strings.Replace(info, ": 5", ": 999999999999", 1) + WARCResponse("http://h/p/", "<a href=http://h/p/x>"), []string{"record[2]/body http://h/p/x WARC-Target-URI"}, []extract.Code{extract.CodeRecordTruncated}},
		{"WARC-Truncated", strings.Replace(WARCResponse("http://h/p/", "<a href=x>"), "WARC-Type: r", "WARC-Truncated: length\r\nWARC-Type: r", 1),
			strings.Replace(WARCResponse("http://h/p/", "<a href=http://h/p/x>"), "WARC-Type: r", "WARC-Truncated: length\r\nWARC-Type: r", 1),
			[]string{"record[1]/body http://h/p/x WARC-Target-URI"}, []extract.Code{extract.CodeRecordTruncated}},
		{"truncated", info + WARCResponse("http://h/p/", "no link")[:300], info + WARCResponse("http://h/p/", "no link")[:300], nil, []extract.Code{extract.CodeRecordTruncated}},
		{"truncated after a link: the length grows, or the end would be lost", cutOff(20, "<a href=x>"), cutOff(31, "<a href=http://h/p/x>"),
			[]string{"record[1] http://h/p/x WARC-Target-URI"}, []extract.Code{extract.CodeRecordTruncated}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var problems []extract.Code
			w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
			out := Rewrite(t, &w, warc(row.src))
			assert.Equal(t, row.want, out)
			assert.Equal(t, row.problems, problems)
			w.OnProblem = nil
			assert.Equal(t, row.links, LinkLines(t, &w, warc(row.src)))
			assert.Equal(t, row.want, Rewrite(t, &w, warc(row.want)), "a second rewriting changes nothing")
		})
	}
}

// A problem of a record has its offset in the WARC, and names the WARC if that is in an archive.
func TestWARCProblems(t *testing.T) {
	first := WARCResponse("http://h/p/", "none")
	urn := WARCRecord("resource", "urn:x", "text/html", "<a href=x>", "")
	for name, row := range map[string]struct{ src, want string }{
		"the end of the file": {first[:len(first)-9], fmt.Sprintf("%d record-truncated", 2*len(first)-9)},
		"a rejected base":     {urn, fmt.Sprintf("%d base-unsuitable", len(first)+strings.Index(urn, "urn:x"))},
	} {
		t.Run(name, func(t *testing.T) {
			problems, _ := BagProblems(t, Walker{}, warc(first+row.src))
			require.NotEmpty(t, problems)
			assert.Equal(t, row.want, problems[0])
			problems, _ = BagProblems(t, Walker{}, extract.Document{Name: "t.zip", Bytes: []byte(Zip("c.warc", first+row.src))})
			require.NotEmpty(t, problems)
			assert.Equal(t, "c.warc "+row.want, problems[0], "in an archive")
		})
	}
}

// A digest keeps its algorithm and spelling (ISO 28500 5.8). One whose algorithm or spelling is unknown stays unchanged.
func TestWARCDigests(t *testing.T) {
	sha256Of := func(s string) []byte { sum := sha256.Sum256([]byte(s)); return sum[:] }
	md5Of := func(s string) []byte { sum := md5.Sum([]byte(s)); return sum[:] }
	for _, row := range []struct {
		name   string
		digest func(block string) string
	}{
		{"SHA-1, base 32", SHA1},
		{"SHA-1, base 32 in small letters", func(s string) string { return strings.ToLower(SHA1(s)) }},
		{"SHA-256, base 32", func(s string) string { return "sha256:" + base32.StdEncoding.EncodeToString(sha256Of(s)) }},
		{"SHA-256, base 32 without padding", func(s string) string {
			return "SHA-256:" + strings.TrimRight(base32.StdEncoding.EncodeToString(sha256Of(s)), "=")
		}},
		{"SHA-256, hexadecimal", func(s string) string { return fmt.Sprintf("sha256:%x", sha256Of(s)) }},
		{"MD5, hexadecimal in capitals", func(s string) string { return fmt.Sprintf("md5:%X", md5Of(s)) }},
		{"SHA-256, base 64", func(s string) string { return "sha256:" + base64.StdEncoding.EncodeToString(sha256Of(s)) }},
		{"SHA-256, base 64 for URLs", func(s string) string { return "sha256:" + base64.RawURLEncoding.EncodeToString(sha256Of(s)) }},
		{"nobody's", func(string) string { return "crc:0" }},
	} {
		record := func(block string) string {
			return fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/p/\r\nWARC-Block-Digest: %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", row.digest(block), len(block), block)
		}
		problems, out := BagProblems(t, Walker{}, warc(record("<a href=x>")))
		assert.Equal(t, record("<a href=http://h/p/x>"), out, row.name)
		var want []string
		if strings.HasPrefix(row.digest(""), "crc:") {
			want = []string{"80 digest-broken"}
		}
		assert.Equal(t, want, problems, row.name)
	}
}

func TestARCRewritten(t *testing.T) {
	const version = "filedesc://a.arc 0.0.0.0 20000101000000 text/plain 24\n1 0 Archive\nURL IP-addr\n\n"
	response := func(body string) string {
		block := "HTTP/1.0 200 OK\r\nContent-type: text/html\r\n\r\n" + body
		return fmt.Sprintf("http://h/p/ 1.2.3.4 20000101000000 text/html %d\n%s\n", len(block), block)
	}
	var w Walker
	d := extract.Document{Name: "a.arc", Bytes: []byte(version + response("<a href=x>") + response("<a href=y>"))}
	assert.Equal(t, version+response("<a href=http://h/p/x>")+response("<a href=http://h/p/y>"), Rewrite(t, &w, d))
	assert.Equal(t, []string{"record[2]/body http://h/p/x ARC record", "record[3]/body http://h/p/y ARC record"}, LinkLines(t, &w, d))
	d.Name = ""
	assert.Len(t, LinkLines(t, &w, d), 2, "by its first line")

	d.Bytes = []byte(version + "dns:h 1.2.3.4 20000101000000 text/dns 5\nh. 1\n\n")
	problems, _ := BagProblems(t, w, d)
	assert.Empty(t, problems, "a lookup of a name")

	d.Bytes = []byte(version + "http://h/p/ 1.2.3.4 20000101000000 text/html 20\n<a href=x>")
	assert.Equal(t, version+"http://h/p/ 1.2.3.4 20000101000000 text/html 31\n<a href=http://h/p/x>", Rewrite(t, &w, d), "cut off after a link")

	blanks := strings.Replace(response("<a href=x>"), "/p/", "/p q/r s", 1)
	d.Bytes = []byte(version + blanks + response("<a href=y>"))
	assert.Equal(t, []string{"record[2]/body http://h/p q/x ARC record", "record[3]/body http://h/p/y ARC record"}, LinkLines(t, &w, d), "spaces in a URL")

	d.Bytes = []byte(version + "http://h/p/ 1.2.3.4 20000101000000 no-type 27\n<script></script><a href=x>\n")
	assert.Equal(t, []string{"record[2] http://h/p/x ARC record"}, LinkLines(t, &w, d), "without a header")

	// The first record describes the archive, and is not read.
	about := "filedesc://a.arc 0.0.0.0 20000101000000 text/plain 29\n1 0 Archive\nURL <URL:x> IP\n\n" + response("none")
	d.Bytes = []byte(about)
	assert.Empty(t, LinkLines(t, &w, d))
	assert.Equal(t, about, Rewrite(t, &w, d))
}

func FuzzWARC(f *testing.F) {
	f.Add([]byte(WARCResponse("http://h/p/", "<a href=x>")+WARCRecord("resource", "x", "text/html", "<a href=x>", "")), 1000)
	f.Add([]byte("http://h/p/ 1.2.3.4 20000101000000 text/html 10\n<a href=x>\nhttp://h/p/ 1.2.3.4 20000101000000 text/html 4\nHTTP\n"), 10)
	f.Fuzz(func(t *testing.T, src []byte, limit int) {
		for _, kind := range []string{"application/warc", "application/x-internet-archive"} {
			w := Walker{Extractor: extract.Extractor{MaxRecord: max(limit, 0)}}
			d := extract.Document{Type: kind, Bytes: src}
			if Damaged(d) {
				return
			}
			edits := 0
			w.OnEdit = func(extract.Edit) { edits++ }
			if out := Rewrite(t, &w, d); edits == 0 {
				require.Equal(t, string(src), out)
			}
			_ = LinkLines(t, &w, d)
		}
	})
}

// The payload's digest stays correct in a long response, where the length before the body changes as well.
func TestWARCLongPayload(t *testing.T) {
	page := func(ref string) string {
		return "<a href=" + ref + ">" + strings.Repeat("<p>some words of a long page\n", 20_000)
	}
	var w Walker
	assert.True(t, WARCResponse("http://h/p/", page("http://h/p/x")) == Rewrite(t, &w, warc(WARCResponse("http://h/p/", page("x")))))
}
