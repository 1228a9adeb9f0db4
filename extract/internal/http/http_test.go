package http

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/mark"
	"absolink/internal/longtest"
)

const ok = "HTTP/1.1 200 OK\r\n"

// TestStatusLine has a row for each part of a status line (RFC 9112 4).
func TestStatusLine(t *testing.T) {
	for _, row := range []struct {
		name, src string
		want      bool
	}{
		{"RFC 9112 4", "HTTP/1.1 200 OK\r\n", true},
		{"RFC 9112 4: no reason phrase", "HTTP/1.1 200 \r\n", true},
		{"RFC 1945 6.1", "HTTP/1.0 404 Not Found\n", true},
		{"RFC 9113 8.3.1, as curl writes it", "HTTP/2 200\r\n", true},
		{"no newline", "HTTP/1.1 200 OK", true},
		{"empty lines first", "\r\n \r\n\uFEFFHTTP/1.1 200 OK", true},
		{"two digits", "HTTP/1.1 20 OK\r\n", false},
		{"no code", "HTTP/1.1 OK\r\n", false},
		{"no version", "HTTP 200 OK\r\n", false},
		{"a request", "GET / HTTP/1.1\r\n", false},
		{"lower case", "http/1.1 200 OK\r\n", false},
		{"an empty text", "", false},
	} {
		assert.Equal(t, row.want, SniffHTTP([]byte(row.src)), row.name)
	}
	assert.Equal(t, len("x"+ok), StatusLine([]byte("x"+ok+"y"), 1))
}

// TestNextResponse checks that another response begins only after an empty line.
func TestNextResponse(t *testing.T) {
	for _, row := range []struct {
		name, before string
		want         bool
	}{
		{"an empty line", "HTTP/1.1 100 Continue\r\n\r\n", true},
		{"a line of white space", "HTTP/1.1 100 Continue\r\n \t\r\n", true},
		{"no empty line", "HTTP/1.1 100 Continue\r\nA: 1\r\n", false},
	} {
		assert.Equal(t, row.want, NextResponse([]byte(row.before+ok), len(row.before)) > 0, row.name)
	}
}

func TestIsResponse(t *testing.T) {
	for _, row := range []struct {
		name, src string
		want      bool
	}{
		{"a status line and a field", ok + "A: 1\r\n", true},
		{"an interim response without fields", "HTTP/1.1 100 Continue\r\n\r\n" + ok + "A: 1\r\n", true},
		{"only a status line", ok, false},
		{"a status line and text", ok + "hello\r\n", false},
		{"text", "A: 1\r\n", false},
	} {
		assert.Equal(t, row.want, IsResponse([]byte(row.src)), row.name)
	}
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// marked has the marks of Format in a response.
type marked struct {
	bases  []string // "place=text", or "place=text is refused"
	links  []string
	bodies []string // decoded
	faults []mark.Code
}

var html = &mark.Format{Name: "text/html"}

func markedIn(t *testing.T, src string) (found marked, m *mark.Marks) {
	t.Helper()
	m = &mark.Marks{Settings: mark.Settings{
		Limits: mark.Limits{Depth: 2, Ratio: 1000},
		Formats: func(mediaType string) *mark.Format {
			if mediaType == "text/html" {
				return html
			}
			return nil
		},
	}}
	Format.Extract([]byte(src), m)
	for chunk := range m.All {
		for _, at := range chunk {
			text, err := at.Codec.Decode([]byte(src[at.Start:at.End]))
			require.NoError(t, err)
			line := at.Name() + "=" + string(text)
			switch {
			case at.Kind == mark.IsBase && at.Base.Refuse != "":
				found.bases = append(found.bases, line+" is refused")
			case at.Kind == mark.IsBase:
				found.bases = append(found.bases, line)
			case at.Kind == mark.IsNested:
				found.bodies = append(found.bodies, string(text))
			default:
				found.links = append(found.links, line)
			}
		}
	}
	for _, f := range m.Notes.Faults {
		found.faults = append(found.faults, f.Code)
	}
	return found, m
}

// TestFormat has a row for each part of a response.
func TestFormat(t *testing.T) {
	const page = "Content-Type: text/html\r\n"
	for _, row := range []struct {
		name, src string
		want      marked
	}{
		{"RFC 9112 2.1", ok + page + "\r\n<p>", marked{bodies: []string{"<p>"}}},
		{"no status line", page + "\r\n<p>", marked{bodies: []string{"<p>"}}},
		{"no body", ok + page + "\r\n", marked{}},
		{"a type without a format", ok + "Content-Type: image/gif\r\n\r\nx", marked{}},
		{"no media type: the format is detected", ok + "\r\n<p>", marked{bodies: []string{"<p>"}}},
		{"RFC 9110 15.2: an interim response", "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n" + ok + page + "\r\n<p>", marked{bodies: []string{"<p>"}, links: []string{"Link=<a>"}}},
		{"RFC 2110 4.2: bases", ok + "Content-Base: http://h/\r\n\r\n", marked{bases: []string{"Content-Base=http://h/"}}},
		{"RFC 7231 B: Content-Location is not a base", ok + "Content-Location: p\r\n\r\n", marked{bases: []string{"Content-Location=p is refused"}}},
		{"RFC 9110 10.2.2: a Location with a space", "HTTP/1.1 302 Found\r\nLocation: a b\r\n\r\n", marked{links: []string{"Location=a b"}}},
		{"RFC 9110 8.4: a coding", ok + page + "Content-Encoding: gzip\r\n\r\n" + gzipped(t, "<p>"), marked{bodies: []string{"<p>"}}},
		{"a coding that the client has removed", ok + page + "Content-Encoding: gzip\r\n\r\n<p>", marked{bodies: []string{"<p>"}}},
		{"an unknown coding", ok + page + "Content-Encoding: x-secret\r\n\r\n\x00\x01", marked{faults: []mark.Code{mark.Undecodable}}},
		{"RFC 9112 7.1: chunks", ok + page + "Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n\r\n", marked{bodies: []string{"<p>"}}},
		{"RFC 9112 7.1: chunks of a coding", ok + page + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n1b\r\n" + gzipped(t, "<p>") + "\r\n0\r\n\r\n", marked{bodies: []string{"<p>"}}},
		{"as many codings as the limit", ok + page + "Content-Encoding: gzip, gzip, gzip, gzip, gzip\r\n\r\n" + gzipped(t, gzipped(t, gzipped(t, gzipped(t, gzipped(t, "<p>"))))), marked{bodies: []string{"<p>"}}},
		{"more codings than the limit", ok + page + "Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip\r\n\r\n" + gzipped(t, ""), marked{faults: []mark.Code{mark.DepthLimit}}},
		{"RFC 9110 14.6: parts", ok + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nBase: c\r\n" + page + "\r\n<p>\r\n--b--\r\n", marked{bases: []string{"Base=c"}, bodies: []string{"<p>"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, _ := markedIn(t, row.src)
			assert.Equal(t, row.want, got)
			for n := range row.src {
				Format.Extract([]byte(row.src[:n]), &mark.Marks{})
			}
		})
	}
}

// TestRedirects checks that the Location of a redirect is marked, and the Location of another response is not
// (RFC 9110 10.2.2).
func TestRedirects(t *testing.T) {
	const moved, location = "HTTP/1.1 301 Moved Permanently\r\n", "Location: "
	src := moved + location + "http://h/a\r\n\r\n" + "HTTP/1.1 201 Created\r\n" + location + "/c\r\n\r\n" + moved + "\r\n" +
		moved + location + "b\r\nContent-Length: 2\r\n\r\nHI\r\n" + moved + location + "own\r\n\r\n<p>"
	found, m := markedIn(t, src)
	var urls []string
	for _, r := range m.Notes.Redirects {
		urls = append(urls, src[r.Start:r.End])
	}
	assert.Equal(t, []string{"http://h/a", "b"}, urls)
	assert.Equal(t, []string{"HI", "<p>"}, found.bodies)
}

// TestDependents has a row for each field that depends on the bytes of the body.
func TestDependents(t *testing.T) {
	for _, row := range []struct {
		name, field     string
		menders, breaks int
	}{
		{"RFC 9110 8.6", "Content-Length: 3", 1, 0},
		{"RFC 2616 14.15", "Content-MD5: x", 1, 0},
		{"a second digest", "Content-MD5: x\r\nContent-MD5: x\r\nContent-MD5: x", 1, 1},
		{"RFC 9530 2", "Content-Digest: sha-256=:x:", 0, 1},
		{"RFC 9530 3", "Repr-Digest: sha-256=:x:", 0, 1},
		{"RFC 3230 4.3.2", "Digest: md5=x", 0, 1},
		{"another field", "ETag: x", 0, 0},
	} {
		_, m := markedIn(t, ok+row.field+"\r\n\r\n<p>")
		assert.Len(t, m.Notes.Menders, row.menders, row.name)
		assert.Len(t, m.Notes.Breaks, row.breaks, row.name)
		assert.Equal(t, row.menders+row.breaks > 0, m.Notes.Late, row.name)
	}
}

func TestLinear(t *testing.T) {
	for _, unit := range []string{"a", "\n", ok, ok + "\r\n", ok + "Location: a\r\n\r\n", "A: 1\r\n", "Link: <a>\r\n", "Content-Encoding: gzip\r\n", "gzip,"} {
		for _, head := range []string{"", ok + "Content-Encoding: "} {
			longtest.Linear(t, head+" and many "+unit, 1<<19/len(unit), func(n int) func() {
				src := []byte(head + strings.Repeat(unit, n))
				var m mark.Marks
				return func() {
					m.Clear()
					Format.Extract(src, &m)
				}
			})
		}
	}
}
