package archive_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
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

// In a .warc.gz each record is a member. Members without a change are copied.
func TestWARCMembers(t *testing.T) {
	records := []string{WARCResponse("http://h/1", "<p>none"), WARCResponse("http://h/2", "<a href=x>"), WARCResponse("http://h/3", strings.Repeat("<p>none ", 100000))}
	src := GzipMembers(t, records...)
	var w Walker
	d := extract.Document{Name: "c.warc.gz", Bytes: []byte(src)}
	out := Rewrite(t, &w, d)
	records[1] = WARCResponse("http://h/2", "<a href=http://h/x>")
	assert.Equal(t, strings.Join(records, ""), Gunzip(t, out))
	assert.True(t, strings.HasPrefix(out, Gzipped(t, records[0])))
	assert.True(t, strings.HasSuffix(out, Gzipped(t, records[2])))
	assert.Equal(t, 3, strings.Count(out, "\x1f\x8b\x08"))
	assert.Equal(t, []string{"gzip/record[2]/body http://h/x WARC-Target-URI"}, LinkLines(t, &w, d))

	// If all records are in one member, each becomes a member of its own.
	d.Bytes = []byte(Gzipped(t, Gunzip(t, src)))
	assert.Equal(t, strings.Join(records, ""), Gunzip(t, Rewrite(t, &w, d)))

	// A file without a change stays as it is, however it is divided into members.
	for _, unchanged := range []string{Gzipped(t, records[0]+records[2]), GzipMembers(t, records[0][:50], records[0][50:]+records[2])} {
		d.Bytes = []byte(unchanged)
		assert.True(t, Rewrite(t, &w, d) == unchanged)
	}
	const empty = "\x28\xB5\x2F\xFD\x00\x00\x01\x00\x00" // a frame of zstd
	for _, unchanged := range []string{Gzipped(t, ""), empty} {
		d := extract.Document{Type: "application/warc", Bytes: []byte(unchanged)}
		assert.True(t, Rewrite(t, &w, d) == unchanged)
	}
	inner := GzipMembers(t, records[0], records[2])
	twice := Rewrite(t, &w, extract.Document{Type: "application/warc", Bytes: []byte(Gzipped(t, inner))})
	assert.True(t, Gunzip(t, twice) == inner, "only the outer compression is made again")

	// The same is true if a record is in several members, or if a member is empty or too long to be read as a whole.
	noise := make([]byte, 9<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	long := WARCRecord("resource", "http://h/", "video/mp4", string(noise), "")
	for name, members := range map[string][]string{
		"two members":         {records[0], records[2][:50], records[2][50:], records[0]},
		"empty members":       {"", records[0], "", records[2], ""},
		"long members":        {records[0], records[2] + records[0], long, long, records[2]},
		"the first long":      {long, records[2]},
		"several in a member": {records[0], records[2] + records[0] + records[2], records[0]},
		"several in some":     {records[0], records[2] + records[0][:50], "", records[0][50:] + records[0], records[2]},
	} {
		d.Bytes = []byte(GzipMembers(t, members...))
		assert.True(t, Rewrite(t, &w, d) == string(d.Bytes), name)
		out := Rewrite(t, &w, extract.Document{Name: d.Name, Reader: iotest.HalfReader(bytes.NewBuffer(d.Bytes))})
		assert.True(t, out == string(d.Bytes), name+", from a pipe")
		d.Bytes = append(d.Bytes, make([]byte, 10<<10)...)
		assert.True(t, Rewrite(t, &w, d) == string(d.Bytes), name+", and zeros that fill up a block")
	}

	d.Bytes = []byte(src[:len(src)-20])
	assert.Len(t, LinkLines(t, &w, d), 1, "a damaged member is read up to the damage")
	assert.Equal(t, out[:len(out)-20], Rewrite(t, &w, d), "the rest stays unchanged")
	for _, damage := range []func(b []byte){
		func(b []byte) { b[len(Gzipped(t, records[0]))+30] ^= 0xFF },      // of the data
		func(b []byte) { b[len(src)-len(Gzipped(t, records[2]))-3] ^= 1 }, // of a checksum
		func(b []byte) { b[len(Gzipped(t, records[0]))] ^= 1 },            // of a header
	} {
		d.Bytes = []byte(src)
		damage(d.Bytes)
		assert.True(t, Rewrite(t, &w, d) == string(d.Bytes))
	}
	d.Bytes = []byte(src + "junk")
	assert.Equal(t, out+"junk", Rewrite(t, &w, d))

	// A record longer than the limit is copied in pieces.
	w.MaxRecord = 1000
	d.Bytes = []byte(src)
	problems, _ := BagProblems(t, Walker{Extractor: extract.Extractor{MaxRecord: 1000}}, d)
	assert.Contains(t, strings.Join(problems, "\n"), "size-limit")
	assert.Equal(t, strings.Join(records, ""), Gunzip(t, Rewrite(t, &w, d)))
}

// In a .warc.gz in another archive, members without a change keep their bytes as well, even if the records are long.
func TestWARCMembersInside(t *testing.T) {
	resource := func(body string) string { return WARCRecord("resource", "http://h/", "text/html", body, body) }
	for _, filler := range []string{"", strings.Repeat("<p>text ", 1<<18)} {
		members := []string{resource(filler), resource("<a href=x>" + filler + "<a href=y>"), resource(filler)}
		d := Tar(TarFile("c.warc.gz", GzipMembers(t, members...)) + TarEnd)
		var w Walker
		out := Rewrite(t, &w, d)
		inside := out[512:]
		first, last := Gzipped(t, members[0]), Gzipped(t, members[2])
		require.True(t, strings.HasPrefix(inside, first))
		second, _, _ := strings.Cut(inside[len(first):], last)
		assert.Less(t, len(second), len(inside)-len(first)-len(last), "the last member is there")
		assert.Equal(t, resource("<a href=http://h/p/x>"+filler+"<a href=http://h/p/y>"), Gunzip(t, second))
	}
}

// Records may be divided into members at any byte. If none of the records that share members changes, their compressed
// bytes are copied; if one does, these records are compressed together.
func TestWARCSharedMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range longtest.Or(50, 300) {
		var src, want []string
		first := WARCResponse("http://h/", "<p>")
		members := []string{first}
		changes := rng.IntN(3) > 0
		for range 1 + rng.IntN(8) {
			body := "<p>" + strings.Repeat("text ", rng.IntN(500))
			src, want = append(src, WARCResponse("http://h/", body)), append(want, WARCResponse("http://h/", body))
			if changes && rng.IntN(4) == 0 {
				src[len(src)-1], want[len(want)-1] = WARCResponse("http://h/", body+"<a href=x>"), WARCResponse("http://h/", body+"<a href=http://h/x>")
			}
		}
		member := ""
		for _, rec := range src {
			cut := rng.IntN(len(rec)) // a member ends in this record, or after it, or neither
			switch rng.IntN(3) {
			case 0:
				members, member = append(members, member+rec[:cut]), rec[cut:]
			case 1:
				members, member = append(members, member+rec), ""
			default:
				member += rec
			}
		}
		packed := GzipMembers(t, append(members, member)...)
		d := extract.Document{Name: "c.warc.gz", Bytes: []byte(packed)}
		if rng.IntN(2) == 0 {
			d.Bytes, d.Reader = nil, iotest.HalfReader(strings.NewReader(packed))
		}
		var w Walker
		w.MaxRecord = rng.IntN(4) * 1000
		for i := range want {
			if w.MaxRecord > 0 && len(src[i]) > w.MaxRecord {
				want[i] = src[i]
			}
		}
		out := Rewrite(t, &w, d)
		require.Equal(t, first+strings.Join(want, ""), Gunzip(t, out))
		require.True(t, strings.HasPrefix(out, Gzipped(t, first)))
		if !changes && w.MaxRecord == 0 {
			require.True(t, out == packed)
		}
	}

	none, link := WARCResponse("http://h/", "<p>"), WARCResponse("http://h/", "<a href=x>")
	out := Rewrite(t, &Walker{}, extract.Document{Name: "c.warc.gz", Bytes: []byte(GzipMembers(t, none, none+link, none+none))})
	out, ok := strings.CutSuffix(strings.TrimPrefix(out, Gzipped(t, none)), Gzipped(t, none+none))
	require.True(t, ok)
	z, err := gzip.NewReader(strings.NewReader(out))
	require.NoError(t, err)
	z.Multistream(false)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	assert.Equal(t, none+WARCResponse("http://h/", "<a href=http://h/x>"), string(text))
}

// A member that changes keeps its own header (RFC 1952 2.3.1), not the header of the first member.
func TestWARCMemberHeaders(t *testing.T) {
	var src bytes.Buffer
	for i, name := range []string{"a", "b", "c"} {
		z := gzip.NewWriter(&src)
		z.Name, z.Comment, z.ModTime = name, "no. "+name, time.Unix(int64(1e9+i), 0)
		if i == 0 {
			z.Extra = []byte("LX\x00\x00")
		}
		_, err := io.WriteString(z, WARCResponse("http://h/", "<a href=x>"))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	out := Rewrite(t, &Walker{}, extract.Document{Name: "c.warc.gz", Bytes: src.Bytes()})
	in := bufio.NewReader(strings.NewReader(out))
	z, err := gzip.NewReader(in)
	for i, name := range []string{"a", "b", "c"} {
		require.NoError(t, err)
		z.Multistream(false)
		assert.Equal(t, []any{name, "no. " + name, int64(1e9 + i), i == 0}, []any{z.Name, z.Comment, z.ModTime.Unix(), z.Extra != nil})
		text, err := io.ReadAll(z)
		require.NoError(t, err)
		assert.Equal(t, WARCResponse("http://h/", "<a href=http://h/x>"), string(text))
		if i < 2 {
			require.NoError(t, z.Reset(in))
		}
	}
}

// In a .warc.zst each record is a frame, and a dictionary may come before the frames.
func TestWARCFrames(t *testing.T) {
	var samples [][]byte
	for i := range 50 {
		samples = append(samples, []byte(WARCResponse(fmt.Sprintf("http://h/%d", i), strings.Repeat(fmt.Sprintf("<p>text %d", i*i), i))))
	}
	dictionary, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 7, Contents: samples, History: samples[49], Offsets: [3]int{1, 4, 8}})
	require.NoError(t, err)
	plain, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	with, err := zstd.NewWriter(nil, zstd.WithEncoderDict(dictionary))
	require.NoError(t, err)
	skippable := func(b []byte) string {
		return string(append(binary.LittleEndian.AppendUint32([]byte("\x5D\x2A\x4D\x18"), uint32(len(b))), b...))
	}
	records := []string{WARCResponse("http://h/1", "<p>none"), WARCResponse("http://h/2", "<a href=x>")}
	after := records[0] + WARCResponse("http://h/2", "<a href=http://h/x>")
	for _, row := range []struct {
		name, first string
		packer      *zstd.Encoder
	}{
		{"without a dictionary", "", plain},
		{"with a dictionary", skippable(dictionary), with},
		{"with a compressed dictionary", skippable(plain.EncodeAll(dictionary, nil)), with},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := row.first
			for _, r := range records {
				src += string(row.packer.EncodeAll([]byte(r), nil))
			}
			var w Walker
			d := extract.Document{Name: "c.warc.zst", Bytes: []byte(src)}
			assert.Equal(t, []string{"zstd/record[2]/body http://h/x WARC-Target-URI"}, LinkLines(t, &w, d))
			out := Rewrite(t, &w, d)
			require.True(t, strings.HasPrefix(out, row.first))
			assert.Equal(t, 2, strings.Count(out[len(row.first):], "\x28\xB5\x2F\xFD"), "frames")
			read, err := zstd.NewReader(nil, zstd.WithDecoderDicts(dictionary))
			require.NoError(t, err)
			defer read.Close()
			text, err := read.DecodeAll([]byte(out), nil)
			require.NoError(t, err)
			assert.Equal(t, after, string(text))
			d.Bytes = []byte(out)
			assert.Equal(t, out, Rewrite(t, &w, d), "a second rewriting changes nothing")
		})
	}
	// A walker reuses its compressor, although the next document may be compressed differently.
	link := []byte(records[1])
	plainly, withOne := string(plain.EncodeAll(link, nil)), skippable(dictionary)+string(with.EncodeAll(link, nil))
	var one Walker
	for i, src := range []string{Gzipped(t, records[1]), plainly, withOne, plainly, Gzipped(t, records[1]), withOne, withOne} {
		d := extract.Document{Name: "c.warc", Bytes: []byte(src)}
		assert.True(t, Rewrite(t, &Walker{}, d) == Rewrite(t, &one, d), "document %d", i)
	}
	for _, damaged := range []string{skippable(dictionary)[:100], skippable([]byte("none")), "\x5D\x2A\x4D\x18\xff\xff\xff\xff"} {
		var w Walker
		d := extract.Document{Name: "c.warc.zst", Bytes: []byte(damaged)}
		problems, out := BagProblems(t, w, d)
		require.Len(t, problems, 1)
		assert.Contains(t, problems[0], "undecodable")
		assert.Equal(t, damaged, out)
	}
}

// A header that is spread over many members is not parsed again with each, so the time is linear in their number.
func TestWARCManyMembers(t *testing.T) {
	var w Walker
	longtest.Linear(t, "members", 20_000, func(n int) func() {
		src := extract.Document{Bytes: []byte(Gzipped(t, "WARC/1.0\n") + strings.Repeat(Gzipped(t, "A: b\n"), n))}
		return func() { require.NoError(t, w.Links(src, func(*extract.Link) error { return nil })) }
	})
}
