package extract_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/internal/codec"
)

// What is said here of one kind of file that holds others is said of each.

// bagPage is a document with a link, of a length that is no multiple of anything.
const bagPage = "<!DOCTYPE html><title>t</title><a href=x>x</a>\n"

// bagPageAfter is it with the base http://h/p/.
var bagPageAfter = strings.Replace(bagPage, "=x", "=http://h/p/x", 1)

// bagLinks gives what is listed of a document, a line for each link.
func bagLinks(t *testing.T, d extract.Document) []string {
	var w walker
	var got []string
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		got = append(got, fmt.Sprintf("%s %s %s %s", l.Entity.Path, l.Place(), l.Scope.By(), target(l)))
		return nil
	}))
	return got
}

// target is the URL of a link, or the problem of one that has none.
func target(l *extract.Link) string {
	if l.Status == extract.StatusUnresolved {
		return "(" + string(l.Problem) + ")"
	}
	return string(l.URL)
}

// bagProblems gives the problems of a document, a line for each, and what rewriting makes of it.
func bagProblems(t *testing.T, w walker, d extract.Document) (problems []string, out string) {
	w.OnProblem = func(p extract.Problem) {
		problems = append(problems, strings.TrimSpace(fmt.Sprintf("%s %d %s", p.Entity, p.Offset, p.Code)))
	}
	return problems, rewrite(t, &w, d)
}

// identical checks that a document comes out as it is where no base is known, and so do some of its beginnings, from
// memory and from a stream.
func identical(t *testing.T, name string, src []byte) {
	t.Helper()
	for n := len(src); n >= 0; n -= 1 + len(src)/50 {
		prefix(t, name, src[:n:n])
	}
}

// everyPrefix is identical for all beginnings.
func everyPrefix(t *testing.T, name string, src []byte) {
	t.Helper()
	for n := len(src); n >= 0; n-- {
		prefix(t, name, src[:n:n])
	}
}

// everyByte reads and rewrites a document in which one byte, be it any, is another.
func everyByte(t *testing.T, name string, src []byte) {
	t.Helper()
	var w walker
	for i, was := range src {
		for _, src[i] = range []byte{0, 0x7F, 0xFF} {
			require.NoError(t, w.Rewrite(io.Discard, extract.Document{Name: name, Bytes: src, URL: "http://h/p/"}), "byte %d as %#x", i, src[i])
		}
		src[i] = was
	}
}

func prefix(t *testing.T, name string, src []byte) {
	t.Helper()
	var w walker
	d := extract.Document{Name: name, Bytes: src}
	if out := rewrite(t, &w, d); out != string(src) {
		require.Equal(t, string(src), out, "the first %d bytes", len(src))
	}
	d.Bytes, d.Reader = nil, bytes.NewReader(src)
	if out := rewrite(t, &w, d); out != string(src) {
		require.Equal(t, string(src), out, "the first %d bytes, as a stream", len(src))
	}
	d = extract.Document{Name: name, Bytes: src, URL: "http://h/p/"}
	require.NoError(t, w.Rewrite(io.Discard, d))
}

// stable checks that what was rewritten is the document with the edits that were told of, and has nothing left to
// change, and the same links.
func stable(t *testing.T, d extract.Document, out string) {
	t.Helper()
	var edits []codec.Edit
	first := walker{Extractor: extract.Extractor{OnEdit: func(e extract.Edit) {
		offset, old, new := e.Offset, e.Old, e.New
		edits = append(edits, codec.Edit{Span: codec.Span{Start: int(offset), End: int(offset) + len(old)}, New: bytes.Clone(new)})
	}}}
	require.NoError(t, first.Rewrite(io.Discard, d))
	assert.True(t, string(codec.Apply(nil, d.Bytes, edits)) == out, "edits and output")
	again := d
	again.Bytes = []byte(out)
	var w walker
	assert.True(t, rewrite(t, &w, again) == out, "twice is once")
	was, now := bagLinks(t, d), bagLinks(t, again)
	require.Len(t, now, len(was))
	changes(t, extract.Extractor{}, d, out)
	for i := range was {
		assert.Equal(t, was[i], now[i])
	}
}

// hasBase reports whether something in a document has a base, be it an element alone.
func hasBase(t *testing.T, w *walker, d extract.Document) (has bool) {
	require.NoError(t, w.Bases(d, func(e *extract.Entity) error {
		has = has || e.Scope.Base().String() != ""
		return nil
	}))
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		has = has || l.Scope.Base().String() != ""
		return nil
	}))
	return has
}

// damaged reports whether a document is packed and cannot be unpacked, which is an error.
func damaged(d extract.Document) bool {
	_, packed := extract.DetectUnpacked(d.Type, d.Name, d.Bytes)
	return packed && new(walker).Rewrite(io.Discard, d) != nil
}

// fuzzed checks what holds for any bytes: nothing is lost, and without a base nothing changes.
func fuzzed(t *testing.T, mediaType string, src []byte, limit int) {
	w := walker{Extractor: extract.Extractor{MaxRecord: max(limit, 0)}}
	d := extract.Document{Type: mediaType, Bytes: src}
	if damaged(d) {
		return
	}
	if out := rewrite(t, &w, d); !hasBase(t, &w, d) {
		require.Equal(t, string(src), out)
	}
	d.URL = "http://h/p/"
	once := rewrite(t, &w, d)
	d.Bytes, w.MaxRecord = []byte(once), w.MaxRecord*20+1000
	_ = rewrite(t, &w, d)
}

// python runs a program over standard input, as a second reader of a format.
func python(t *testing.T, in []byte, args ...string) string {
	t.Helper()
	name, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("the second reader is Python's, and there is no python3 here")
	}
	cmd := exec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(in)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	require.NoError(t, err, errors.String())
	return string(out)
}

func unhex(t *testing.T, s string) string {
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return string(b)
}

// What is packed in a file is not unpacked beyond the limit of a record.
func TestPackedLimit(t *testing.T) {
	var long strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&long, "<a href=%d>", i)
	}
	src := tarFile("a.html.gz", gzipped(t, long.String()))
	problems, out := bagProblems(t, walker{Extractor: extract.Extractor{MaxRecord: 10000}}, tarOf(src))
	assert.Equal(t, []string{"a.html.gz 0 ratio-limit", "a.html.gz 0 rewrite-refused"}, problems)
	assert.Equal(t, src, out)
	problems, out = bagProblems(t, walker{}, tarOf(src))
	assert.Empty(t, problems)
	assert.NotEqual(t, src, out)
}

// Limits that are as high as there are numbers are none.
func TestNoLimits(t *testing.T) {
	body := gzipped(t, strings.Repeat(" ", 17<<20)+"<object codebase=http://h/p/ data=x>")
	d := extract.Document{Type: "message/http", Bytes: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + body)}
	list := func(w walker) (urls []string) {
		require.NoError(t, w.Links(d, func(l *extract.Link) error { urls = append(urls, string(l.URL)); return nil }))
		return urls
	}
	assert.Empty(t, list(walker{}), "it is longer than 16 MiB and 200 times what is packed")
	most := walker{Extractor: extract.Extractor{MaxDepth: math.MaxInt, MaxRecord: math.MaxInt, MaxRatio: math.MaxInt}}
	assert.Equal(t, []string{"http://h/p/", "http://h/p/x"}, list(most))
}
