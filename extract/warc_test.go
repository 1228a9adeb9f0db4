package extract_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	neturl "net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

func sha1Base32(s string) string {
	sum := sha1.Sum([]byte(s))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// warcRecord is a record with the digests of its block and payload.
func warcRecord(kind, uri, contentType, block, payload string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Block-Digest: %s\r\nWARC-Payload-Digest: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, uri, sha1Base32(block), sha1Base32(payload), contentType, len(block), block)
}

func warcResponse(uri, body string) string {
	return warcRecord("response", uri, "application/http; msgtype=response",
		fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(body), body), body)
}

func gzipMembers(t *testing.T, records ...string) string {
	var b strings.Builder
	for _, r := range records {
		b.WriteString(gzipped(t, r))
	}
	return b.String()
}

func gunzip(t *testing.T, src string) string {
	r, err := gzip.NewReader(strings.NewReader(src))
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(text)
}

func warc(src string) extract.Document {
	return extract.Document{Name: "c.warc", Bytes: []byte(src)}
}

func linkLines(t *testing.T, w *extract.Walker, d extract.Document) (found []string) {
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		found = append(found, l.Entity.Path+" "+string(l.URL)+" "+l.Scope.By())
		return nil
	}))
	return found
}

func TestWARC(t *testing.T) {
	const info = "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Type: application/warc-fields\r\nContent-Length: 5\r\n\r\na: b\n\r\n\r\n"
	request := warcRecord("request", "http://h/p/", "application/http; msgtype=request", "GET /p/ HTTP/1.1\r\nHost: h\r\nReferer: x\r\n\r\n", "")
	interim := func(page string, final bool) string {
		rest := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
		payload := rest
		if final {
			payload = page
		}
		return warcRecord("response", "http://h/p/", "application/http", "HTTP/1.1 103 Early Hints\r\n\r\n"+rest, payload)
	}
	untyped := func(page string) string {
		return strings.Replace(warcRecord("resource", "http://h/p/", "", page, page), "Content-Type: \r\n", "", 1)
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
		{"response", info + request + warcResponse("http://h/p/", "<a href=x>"), info + request + warcResponse("http://h/p/", "<a href=http://h/p/x>"),
			[]string{"record[3]/body http://h/p/x WARC-Target-URI"}, nil},
		{"target URI in brackets", warcResponse("<http://h/p/>", "<a href=x>"), warcResponse("<http://h/p/>", "<a href=http://h/p/x>"), []string{"record[1]/body http://h/p/x WARC-Target-URI"}, nil},
		{"the page's base is nearer", warcResponse("http://h/", "<base href=http://b/><a href=x>"), warcResponse("http://h/", "<base href=http://b/><a href=http://b/x>"),
			[]string{"record[1]/body http://b/x BASE element"}, nil},
		{"resource", warcRecord("resource", "http://h/p/", "text/html", "<a href=x>", "<a href=x>"), warcRecord("resource", "http://h/p/", "text/html", "<a href=http://h/p/x>", "<a href=http://h/p/x>"),
			[]string{"record[1] http://h/p/x WARC-Target-URI"}, nil},
		{"resource in a charset", warcRecord("resource", "http://h/p/", "text/html; charset=koi8-r", "<a href=\xc1>", ""), warcRecord("resource", "http://h/p/", "text/html; charset=koi8-r", "<a href=http://h/p/\xc1>", ""),
			[]string{"record[1] http://h/p/а WARC-Target-URI"}, nil},
		{"conversion", warcRecord("conversion", "http://h/p/", "text/plain", "<URL:x>", ""), warcRecord("conversion", "http://h/p/", "text/plain", "<URL:http://h/p/x>", ""),
			[]string{"record[1] http://h/p/x WARC-Target-URI"}, nil},
		{"revisit", warcRecord("revisit", "http://h/p/", "application/http", "HTTP/1.1 200 OK\r\nLink: <s>; rel=x\r\n\r\n", "elsewhere"),
			warcRecord("revisit", "http://h/p/", "application/http", "HTTP/1.1 200 OK\r\nLink: <http://h/p/s>; rel=x\r\n\r\n", "elsewhere"), []string{"record[1] http://h/p/s WARC-Target-URI"}, nil},
		{"an interim response before it (RFC 9110 15.2)", interim("<a href=x>", true), interim("<a href=http://h/p/x>", true), []string{"record[1]/body http://h/p/x WARC-Target-URI"}, nil},
		{"whose payload begins behind the first header", interim("<a href=x>", false), interim("<a href=http://h/p/x>", false), []string{"record[1]/body http://h/p/x WARC-Target-URI"}, nil},
		{"no Content-Type: the bytes tell (ISO 28500 5.6)", untyped("<!DOCTYPE html><a href=x>"), untyped("<!DOCTYPE html><a href=http://h/p/x>"), []string{"record[1] http://h/p/x WARC-Target-URI"}, nil},
		{"a segment (ISO 28500 7)", segments, segments, []string{"record[1]/body http://h/p/x WARC-Target-URI"}, []extract.Code{extract.RewriteRefused}},
		{"a lookup of a name", warcRecord("response", "dns:h", "text/dns", "20200101\r\nh. 1 IN A 1.2.3.4\r\n", ""), warcRecord("response", "dns:h", "text/dns", "20200101\r\nh. 1 IN A 1.2.3.4\r\n", ""), nil, nil},
		{"LF only", strings.ReplaceAll(warcRecord("resource", "http://h/p/", "text/html", "<a href=x>", ""), "\r\n", "\n") + strings.ReplaceAll(info, "\r\n", "\n"),
			strings.ReplaceAll(warcRecord("resource", "http://h/p/", "text/html", "<a href=http://h/p/x>", ""), "\r\n", "\n") + strings.ReplaceAll(info, "\r\n", "\n"), []string{"record[1] http://h/p/x WARC-Target-URI"}, nil},
		{"a length that is folded (ISO 28500 4)", strings.Replace(warcResponse("http://h/p/", "<a href=x>"), "Length: ", "Length:\r\n\t", 1),
			strings.Replace(warcResponse("http://h/p/", "<a href=http://h/p/x>"), "Length: ", "Length:\r\n\t", 1), []string{"record[1]/body http://h/p/x WARC-Target-URI"}, nil},
		{"a length that is too long", strings.Replace(warcResponse("http://h/p/", "no link"), "\r\n\r\nHTTP", "9\r\n\r\nHTTP", 1) + warcResponse("http://h/p/", "<a href=x>"),
			strings.Replace(warcResponse("http://h/p/", "no link"), "\r\n\r\nHTTP", "9\r\n\r\nHTTP", 1) + warcResponse("http://h/p/", "<a href=http://h/p/x>"),
			[]string{"record[2]/body http://h/p/x WARC-Target-URI"}, []extract.Code{extract.RecordTruncated}},
		{"a length of 2^63", strings.Replace(info, ": 5", ": 9223372036854775808", 1) + warcResponse("http://h/p/", "<a href=x>"),
			strings.Replace(info, ": 5", ": 9223372036854775808", 1) + warcResponse("http://h/p/", "<a href=http://h/p/x>"), []string{"record[2]/body http://h/p/x WARC-Target-URI"}, []extract.Code{extract.RecordTruncated}},
		{"a length beyond the limit, and the file", strings.Replace(info, ": 5", ": 999999999999", 1) + warcResponse("http://h/p/", "<a href=x>"),
			strings.Replace(info, ": 5", ": 999999999999", 1) + warcResponse("http://h/p/", "<a href=http://h/p/x>"), []string{"record[2]/body http://h/p/x WARC-Target-URI"}, []extract.Code{extract.RecordTruncated}},
		{"cut off", info + warcResponse("http://h/p/", "no link")[:300], info + warcResponse("http://h/p/", "no link")[:300], nil, []extract.Code{extract.RecordTruncated}},
		{"cut off behind a link: its length grows, or the end would be lost", cutOff(20, "<a href=x>"), cutOff(31, "<a href=http://h/p/x>"),
			[]string{"record[1] http://h/p/x WARC-Target-URI"}, []extract.Code{extract.RecordTruncated}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var problems []extract.Code
			w := extract.Walker{Hooks: extract.Hooks{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
			out := rewrite(t, &w, warc(row.src))
			assert.Equal(t, row.want, out)
			assert.Equal(t, row.problems, problems)
			w.OnProblem = nil
			assert.Equal(t, row.links, linkLines(t, &w, warc(row.src)))
			assert.Equal(t, row.want, rewrite(t, &w, warc(row.want)), "twice is once")
		})
	}
}

// What is wrong with a record is told by its place in the document, which is what its entity names.
func TestWARCProblems(t *testing.T) {
	first := warcResponse("http://h/p/", "none")
	urn := warcRecord("resource", "urn:x", "text/html", "none", "")
	for name, row := range map[string]struct{ src, want string }{
		"the end of the file": {first[:len(first)-9], fmt.Sprintf("%d record-truncated", 2*len(first)-9)},
		"a base that is none": {urn, fmt.Sprintf("%d base-unsuitable", len(first)+strings.Index(urn, "urn:x"))},
	} {
		t.Run(name, func(t *testing.T) {
			problems, _ := bagProblems(t, extract.Walker{}, warc(first+row.src))
			assert.Equal(t, []string{row.want}, problems)
			problems, _ = bagProblems(t, extract.Walker{}, extract.Document{Name: "t.zip", Bytes: []byte(zipOf("", false, "", zipEntry{name: "c.warc", data: first + row.src}))})
			assert.Equal(t, []string{"c.warc " + row.want}, problems, "in an archive")
		})
	}
}

// A digest stays true in the algorithm and the spelling that it has, and one of which neither is
// known stays as it is (ISO 28500 5.8).
func TestWARCDigests(t *testing.T) {
	sha256Of := func(s string) []byte { sum := sha256.Sum256([]byte(s)); return sum[:] }
	md5Of := func(s string) []byte { sum := md5.Sum([]byte(s)); return sum[:] }
	for _, row := range []struct {
		name   string
		digest func(block string) string
	}{
		{"SHA-1, base 32", sha1Base32},
		{"SHA-1, base 32 in small letters", func(s string) string { return strings.ToLower(sha1Base32(s)) }},
		{"SHA-256, base 32", func(s string) string { return "sha256:" + base32.StdEncoding.EncodeToString(sha256Of(s)) }},
		{"SHA-256, base 32 without padding", func(s string) string {
			return "SHA-256:" + strings.TrimRight(base32.StdEncoding.EncodeToString(sha256Of(s)), "=")
		}},
		{"SHA-256, hexadecimal", func(s string) string { return fmt.Sprintf("sha256:%x", sha256Of(s)) }},
		{"MD5, hexadecimal in capitals", func(s string) string { return fmt.Sprintf("md5:%X", md5Of(s)) }},
		{"nobody's", func(string) string { return "crc:0" }},
	} {
		record := func(block string) string {
			return fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/p/\r\nWARC-Block-Digest: %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", row.digest(block), len(block), block)
		}
		problems, out := bagProblems(t, extract.Walker{}, warc(record("<a href=x>")))
		assert.Equal(t, record("<a href=http://h/p/x>"), out, row.name)
		var want []string
		if strings.HasPrefix(row.digest(""), "crc:") {
			want = []string{"80 digest-broken"}
		}
		assert.Equal(t, want, problems, row.name)
	}
}

// begins gives the first bytes of a document in memory, for Splits.
func begins(d extract.Document) func() ([]byte, error) {
	return func() ([]byte, error) { return d.Bytes, nil }
}

// In a .warc.gz each record is a member; those without a change are copied as they are.
func TestWARCMembers(t *testing.T) {
	records := []string{warcResponse("http://h/1", "<p>none"), warcResponse("http://h/2", "<a href=x>"), warcResponse("http://h/3", strings.Repeat("<p>none ", 100000))}
	src := gzipMembers(t, records...)
	var w extract.Walker
	d := extract.Document{Name: "c.warc.gz", Bytes: []byte(src)}
	out := rewrite(t, &w, d)
	records[1] = warcResponse("http://h/2", "<a href=http://h/x>")
	assert.Equal(t, strings.Join(records, ""), gunzip(t, out))
	assert.True(t, strings.HasPrefix(out, gzipped(t, records[0])))
	assert.True(t, strings.HasSuffix(out, gzipped(t, records[2])))
	assert.Equal(t, 3, strings.Count(out, "\x1f\x8b\x08"))
	assert.Equal(t, []string{"gzip/record[2]/body http://h/x WARC-Target-URI"}, linkLines(t, &w, d))

	// As one member: the records come out each on its own.
	assert.True(t, w.Splits(d, begins(d), true))
	d.Bytes = []byte(gzipped(t, gunzip(t, src)))
	assert.Equal(t, strings.Join(records, ""), gunzip(t, rewrite(t, &w, d)))

	// Without anything to change it stays, however many workers there are, and so does one that is cut
	// into members anywhere.
	for _, unchanged := range []string{gzipped(t, records[0]+records[2]), gzipMembers(t, records[0][:50], records[0][50:]+records[2])} {
		d.Bytes = []byte(unchanged)
		assert.True(t, rewrite(t, &w, d) == unchanged)
		assert.False(t, w.Splits(d, begins(d), true))
		assert.True(t, w.Splits(d, begins(d), false))
	}
	const empty = "\x28\xB5\x2F\xFD\x00\x00\x01\x00\x00" // a frame of zstd
	for _, unchanged := range []string{gzipped(t, ""), empty, gzipped(t, empty), gzipped(t, gzipMembers(t, records[0], records[2]))} {
		d := extract.Document{Type: extract.WARC.Name, Bytes: []byte(unchanged)}
		assert.True(t, rewrite(t, &w, d) == unchanged)
		assert.False(t, w.Splits(d, begins(d), true))
	}

	// So does one in which a record is in several members, or one holds nothing, or is too long to be
	// read as a whole.
	noise := make([]byte, 9<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	long := warcRecord("resource", "http://h/", "video/mp4", string(noise), "")
	for name, members := range map[string][]string{
		"two members":         {records[0], records[2][:50], records[2][50:], records[0]},
		"empty members":       {"", records[0], "", records[2], ""},
		"long members":        {records[0], records[2] + records[0], long, long, records[2]},
		"the first long":      {long, records[2]},
		"several in a member": {records[0], records[2] + records[0] + records[2], records[0]},
		"several in some":     {records[0], records[2] + records[0][:50], "", records[0][50:] + records[0], records[2]},
	} {
		d.Bytes = []byte(gzipMembers(t, members...))
		assert.True(t, rewrite(t, &w, d) == string(d.Bytes), name)
		out := rewrite(t, &w, extract.Document{Name: d.Name, Reader: iotest.HalfReader(bytes.NewBuffer(d.Bytes))})
		assert.True(t, out == string(d.Bytes), name+", from a pipe")
		d.Bytes = append(d.Bytes, make([]byte, 10<<10)...)
		assert.True(t, rewrite(t, &w, d) == string(d.Bytes), name+", and zeros that fill up a block")
	}

	d.Bytes = []byte(src[:len(src)-20])
	assert.Len(t, linkLines(t, &w, d), 1, "a damaged one is read as far as it goes")
	assert.Equal(t, out[:len(out)-20], rewrite(t, &w, d), "and the rest stays")
	for _, damage := range []func(b []byte){
		func(b []byte) { b[len(gzipped(t, records[0]))+30] ^= 0xFF },      // of the data
		func(b []byte) { b[len(src)-len(gzipped(t, records[2]))-3] ^= 1 }, // of a checksum
		func(b []byte) { b[len(gzipped(t, records[0]))] ^= 1 },            // of a header
	} {
		d.Bytes = []byte(src)
		damage(d.Bytes)
		assert.True(t, rewrite(t, &w, d) == string(d.Bytes))
	}
	d.Bytes = []byte(src + "junk")
	assert.Equal(t, out+"junk", rewrite(t, &w, d))

	// A record beyond the limit is copied in pieces.
	w.MaxRecord = 1000
	d.Bytes = []byte(src)
	problems, _ := bagProblems(t, extract.Walker{Options: extract.Options{MaxRecord: 1000}}, d)
	assert.Contains(t, strings.Join(problems, "\n"), "size-limit")
	assert.Equal(t, strings.Join(records, ""), gunzip(t, rewrite(t, &w, d)))
}

// Records may be cut into members anywhere. Those that share members with others are copied as they were
// packed, too, if none of them changes, and stay together if one does.
func TestWARCSharedMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var src, want []string
		first := warcResponse("http://h/", "<p>")
		members := []string{first}
		changes := rng.IntN(3) > 0
		for range 1 + rng.IntN(8) {
			body := "<p>" + strings.Repeat("text ", rng.IntN(500))
			src, want = append(src, warcResponse("http://h/", body)), append(want, warcResponse("http://h/", body))
			if changes && rng.IntN(4) == 0 {
				src[len(src)-1], want[len(want)-1] = warcResponse("http://h/", body+"<a href=x>"), warcResponse("http://h/", body+"<a href=http://h/x>")
			}
		}
		member := ""
		for _, rec := range src {
			cut := rng.IntN(len(rec)) // in this one a member ends, or behind it, or neither
			switch rng.IntN(3) {
			case 0:
				members, member = append(members, member+rec[:cut]), rec[cut:]
			case 1:
				members, member = append(members, member+rec), ""
			default:
				member += rec
			}
		}
		packed := gzipMembers(t, append(members, member)...)
		d := extract.Document{Name: "c.warc.gz", Bytes: []byte(packed)}
		if rng.IntN(2) == 0 {
			d.Bytes, d.Reader = nil, iotest.HalfReader(strings.NewReader(packed))
		}
		var w extract.Walker
		w.MaxRecord = rng.IntN(4) * 1000
		for i := range want {
			if w.MaxRecord > 0 && len(src[i]) > w.MaxRecord {
				want[i] = src[i]
			}
		}
		out := rewrite(t, &w, d)
		require.Equal(t, first+strings.Join(want, ""), gunzip(t, out))
		require.True(t, strings.HasPrefix(out, gzipped(t, first)))
		if !changes && w.MaxRecord == 0 {
			require.True(t, out == packed)
		}
	}

	none, link := warcResponse("http://h/", "<p>"), warcResponse("http://h/", "<a href=x>")
	out := rewrite(t, &extract.Walker{}, extract.Document{Name: "c.warc.gz", Bytes: []byte(gzipMembers(t, none, none+link, none+none))})
	out, ok := strings.CutSuffix(strings.TrimPrefix(out, gzipped(t, none)), gzipped(t, none+none))
	require.True(t, ok)
	z, err := gzip.NewReader(strings.NewReader(out))
	require.NoError(t, err)
	z.Multistream(false)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	assert.Equal(t, none+warcResponse("http://h/", "<a href=http://h/x>"), string(text))
}

// A member that changes keeps its own header (RFC 1952 2.3.1), not that of the first.
func TestWARCMemberHeaders(t *testing.T) {
	var src bytes.Buffer
	for i, name := range []string{"a", "b", "c"} {
		z := gzip.NewWriter(&src)
		z.Name, z.Comment, z.ModTime = name, "no. "+name, time.Unix(int64(1e9+i), 0)
		if i == 0 {
			z.Extra = []byte("LX\x00\x00")
		}
		_, err := io.WriteString(z, warcResponse("http://h/", "<a href=x>"))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	out := rewrite(t, &extract.Walker{}, extract.Document{Name: "c.warc.gz", Bytes: src.Bytes()})
	in := bufio.NewReader(strings.NewReader(out))
	z, err := gzip.NewReader(in)
	for i, name := range []string{"a", "b", "c"} {
		require.NoError(t, err)
		z.Multistream(false)
		assert.Equal(t, []any{name, "no. " + name, int64(1e9 + i), i == 0}, []any{z.Name, z.Comment, z.ModTime.Unix(), z.Extra != nil})
		text, err := io.ReadAll(z)
		require.NoError(t, err)
		assert.Equal(t, warcResponse("http://h/", "<a href=http://h/x>"), string(text))
		if i < 2 {
			require.NoError(t, z.Reset(in))
		}
	}
}

// In a .warc.zst each record is a frame, and a dictionary may stand before them.
func TestWARCFrames(t *testing.T) {
	var samples [][]byte
	for i := range 50 {
		samples = append(samples, []byte(warcResponse(fmt.Sprintf("http://h/%d", i), strings.Repeat(fmt.Sprintf("<p>text %d", i*i), i))))
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
	records := []string{warcResponse("http://h/1", "<p>none"), warcResponse("http://h/2", "<a href=x>")}
	after := records[0] + warcResponse("http://h/2", "<a href=http://h/x>")
	for _, row := range []struct {
		name, first string
		packer      *zstd.Encoder
	}{
		{"without a dictionary", "", plain},
		{"with one", skippable(dictionary), with},
		{"with one that is packed", skippable(plain.EncodeAll(dictionary, nil)), with},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := row.first
			for _, r := range records {
				src += string(row.packer.EncodeAll([]byte(r), nil))
			}
			var w extract.Walker
			d := extract.Document{Name: "c.warc.zst", Bytes: []byte(src)}
			assert.Equal(t, []string{"zstd/record[2]/body http://h/x WARC-Target-URI"}, linkLines(t, &w, d))
			out := rewrite(t, &w, d)
			require.True(t, strings.HasPrefix(out, row.first))
			assert.Equal(t, 2, strings.Count(out[len(row.first):], "\x28\xB5\x2F\xFD"), "frames")
			read, err := zstd.NewReader(nil, zstd.WithDecoderDicts(dictionary))
			require.NoError(t, err)
			defer read.Close()
			text, err := read.DecodeAll([]byte(out), nil)
			require.NoError(t, err)
			assert.Equal(t, after, string(text))
			d.Bytes = []byte(out)
			assert.Equal(t, out, rewrite(t, &w, d), "twice is once")
		})
	}
	// A Walker keeps a packer for the next document, which may be packed otherwise.
	link := []byte(records[1])
	plainly, withOne := string(plain.EncodeAll(link, nil)), skippable(dictionary)+string(with.EncodeAll(link, nil))
	var one extract.Walker
	for i, src := range []string{gzipped(t, records[1]), plainly, withOne, plainly, gzipped(t, records[1]), withOne, withOne} {
		d := extract.Document{Name: "c.warc", Bytes: []byte(src)}
		assert.True(t, rewrite(t, &extract.Walker{}, d) == rewrite(t, &one, d), "document %d", i)
	}
	for _, damaged := range []string{skippable(dictionary)[:100], skippable([]byte("none")), "\x5D\x2A\x4D\x18\xff\xff\xff\xff"} {
		var w extract.Walker
		require.Error(t, w.Links(extract.Document{Name: "c.warc.zst", Bytes: []byte(damaged)}, func(*extract.Link) error { return nil }))
	}
}

func TestARC(t *testing.T) {
	const version = "filedesc://a.arc 0.0.0.0 20000101000000 text/plain 24\n1 0 Archive\nURL IP-addr\n\n"
	response := func(body string) string {
		block := "HTTP/1.0 200 OK\r\nContent-type: text/html\r\n\r\n" + body
		return fmt.Sprintf("http://h/p/ 1.2.3.4 20000101000000 text/html %d\n%s\n", len(block), block)
	}
	var w extract.Walker
	d := extract.Document{Name: "a.arc", Bytes: []byte(version + response("<a href=x>") + response("<a href=y>"))}
	assert.Equal(t, version+response("<a href=http://h/p/x>")+response("<a href=http://h/p/y>"), rewrite(t, &w, d))
	assert.Equal(t, []string{"record[2]/body http://h/p/x ARC record", "record[3]/body http://h/p/y ARC record"}, linkLines(t, &w, d))
	d.Name = ""
	assert.Len(t, linkLines(t, &w, d), 2, "by its first line")

	d.Bytes = []byte(version + "dns:h 1.2.3.4 20000101000000 text/dns 5\nh. 1\n\n")
	problems, _ := bagProblems(t, w, d)
	assert.Empty(t, problems, "a lookup of a name")

	d.Bytes = []byte(version + "http://h/p/ 1.2.3.4 20000101000000 text/html 20\n<a href=x>")
	assert.Equal(t, version+"http://h/p/ 1.2.3.4 20000101000000 text/html 31\n<a href=http://h/p/x>", rewrite(t, &w, d), "cut off behind a link")

	blanks := strings.Replace(response("<a href=x>"), "/p/", "/p q/r s", 1)
	d.Bytes = []byte(version + blanks + response("<a href=y>"))
	assert.Equal(t, []string{"record[2]/body http://h/p q/x ARC record", "record[3]/body http://h/p/y ARC record"}, linkLines(t, &w, d), "blanks in a URL")

	d.Bytes = []byte(version + "http://h/p/ 1.2.3.4 20000101000000 no-type 27\n<script></script><a href=x>\n")
	assert.Equal(t, []string{"record[2] http://h/p/x ARC record"}, linkLines(t, &w, d), "without a header")

	// The first record tells of the archive, and was retrieved from nowhere.
	about := "filedesc://a.arc 0.0.0.0 20000101000000 text/plain 29\n1 0 Archive\nURL <URL:x> IP\n\n" + response("none")
	d.Bytes = []byte(about)
	assert.Empty(t, linkLines(t, &w, d))
	assert.Equal(t, about, rewrite(t, &w, d))
}

// TestWARCCorpus makes a .warc.gz of all pages below ABSOLINK_CORPUS, or those of testdata,
// with a request and a response for each. The links are those of the pages as files; after a
// rewriting a reader that shares no code with ours finds every length and digest true, in
// the responses the rewritten pages, and all else as it was.
func TestWARCCorpus(t *testing.T) {
	root := os.Getenv("ABSOLINK_CORPUS")
	if root == "" {
		root = "../testdata"
	}
	archive, err := os.Create(filepath.Join(t.TempDir(), "c.warc.gz"))
	require.NoError(t, err)
	defer archive.Close()
	var pages []string
	raw := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".html" {
			return err
		}
		page, err := os.ReadFile(path)
		require.NoError(t, err)
		url := "http://corpus.example" + (&neturl.URL{Path: "/" + path}).EscapedPath()
		for _, record := range []string{warcRecord("request", url, "application/http; msgtype=request", "GET "+url+" HTTP/1.1\r\nReferer: x\r\n\r\n", ""), warcResponse(url, string(page))} {
			_, err = archive.WriteString(gzipped(t, record))
			require.NoError(t, err)
			raw += len(record)
		}
		pages = append(pages, path)
		return nil
	}))
	rewind := func() extract.Document {
		_, err := archive.Seek(0, io.SeekStart)
		require.NoError(t, err)
		return extract.Document{Name: "c.warc.gz", Reader: archive}
	}
	var w extract.Walker
	alone := extract.Walker{Options: extract.Options{NoEvidence: true}} // it is of files
	page, links := -1, 0
	var want []string
	last := ""
	require.NoError(t, w.Links(rewind(), func(l *extract.Link) error {
		if at := l.Entity.Path; !strings.HasPrefix(at, last+"/") || last == "" {
			for {
				require.Empty(t, want)
				page++
				src, err := os.ReadFile(pages[page])
				require.NoError(t, err)
				want = want[:0]
				url := "http://corpus.example" + (&neturl.URL{Path: "/" + pages[page]}).EscapedPath()
				require.NoError(t, alone.Links(extract.Document{Type: "text/html", URL: url, Bytes: src}, func(l *extract.Link) error {
					want = append(want, l.Place()+" "+string(l.URL))
					return nil
				}))
				if len(want) > 0 {
					break
				}
			}
			last = fmt.Sprintf("gzip/record[%d]", 2*page+2)
			require.True(t, strings.HasPrefix(at, last), at)
		}
		require.Equal(t, want[0], l.Place()+" "+string(l.URL), pages[page])
		want = want[1:]
		links++
		return nil
	}))
	require.Empty(t, want)

	var out bytes.Buffer
	require.NoError(t, w.Rewrite(&out, rewind()))
	z, err := gzip.NewReader(&out)
	require.NoError(t, err)
	in := bufio.NewReaderSize(z, 1<<20)
	for _, path := range pages {
		url := "http://corpus.example" + (&neturl.URL{Path: "/" + path}).EscapedPath()
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		readWARC(t, in, "request", url, "GET "+url+" HTTP/1.1\r\nReferer: x\r\n\r\n", "")
		page := rewrite(t, &alone, extract.Document{Type: "text/html", URL: url, Bytes: src})
		readWARC(t, in, "response", url, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(page), page), page)
	}
	_, err = in.ReadByte()
	require.Equal(t, io.EOF, err)
	t.Logf("%d pages, %d bytes, %d links", len(pages), raw, links)
}

// readWARC reads one record and checks all of it.
func readWARC(t *testing.T, in *bufio.Reader, kind, url, block, payload string) {
	header := map[string]string{}
	line, err := in.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "WARC/1.1\r\n", line)
	for {
		line, err := in.ReadString('\n')
		require.NoError(t, err)
		if line == "\r\n" {
			break
		}
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\r\n"), ": ")
		require.True(t, ok, line)
		header[name] = value
	}
	require.Equal(t, kind+" "+url, header["WARC-Type"]+" "+header["WARC-Target-URI"])
	n, err := strconv.Atoi(header["Content-Length"])
	require.NoError(t, err)
	got := make([]byte, n+4)
	_, err = io.ReadFull(in, got)
	require.NoError(t, err)
	require.True(t, string(got) == block+"\r\n\r\n", url)
	require.Equal(t, sha1Base32(block), header["WARC-Block-Digest"], url)
	require.Equal(t, sha1Base32(payload), header["WARC-Payload-Digest"], url)
}

// FuzzWARC: nothing is lost, whatever the bytes.
func FuzzWARC(f *testing.F) {
	f.Add([]byte(warcResponse("http://h/p/", "<a href=x>")+warcRecord("resource", "x", "text/html", "<a href=x>", "")), 1000)
	f.Add([]byte("http://h/p/ 1.2.3.4 20000101000000 text/html 10\n<a href=x>\nhttp://h/p/ 1.2.3.4 20000101000000 text/html 4\nHTTP\n"), 10)
	f.Fuzz(func(t *testing.T, src []byte, limit int) {
		for _, kind := range []string{"application/warc", "application/x-internet-archive"} {
			w := extract.Walker{Options: extract.Options{MaxRecord: max(limit, 0)}}
			d := extract.Document{Type: kind, Bytes: src}
			if damaged(d) {
				return
			}
			edits := 0
			w.OnEdit = func(int64, []byte, []byte) { edits++ }
			if out := rewrite(t, &w, d); edits == 0 {
				require.Equal(t, string(src), out)
			}
			_ = linkLines(t, &w, d)
		}
	})
}
