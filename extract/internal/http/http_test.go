package http

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/mark"
	"absolink/internal/longtest"
)

const ok = "HTTP/1.1 200 OK\r\n"

// The rows are the parts of a status line (RFC 9112 4).
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

// Another response begins only after an empty line.
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

func TestLinear(t *testing.T) {
	for _, unit := range []string{"a", "\n", ok, ok + "\r\n", ok + "Location: a\r\n\r\n", "A: 1\r\n", "Link: <a>\r\n", "Content-Encoding: gzip\r\n", "gzip,"} {
		for _, head := range []string{"", ok + "Content-Encoding: "} {
			longtest.Linear(t, head+" and many "+unit, 1<<19/len(unit), func(n int) func() {
				src := []byte(head + strings.Repeat(unit, n))
				var m mark.Marks
				return func() {
					m.Clear()
					Format.Mark(src, &m)
				}
			})
		}
	}
}
