package extract_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
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

// The tests in this file are for containers, which contain other documents: archives, messages, responses.

// bagPage is a document with a link. Its length is a prime number of bytes, so it never fits into blocks.
const bagPage = "<!DOCTYPE html><title>t</title><a href=x>x</a>\n"

// bagPageAfter is bagPage after rewriting with the base http://h/p/.
var bagPageAfter = strings.Replace(bagPage, "=x", "=http://h/p/x", 1)

// bagLinks returns a line for each link of a document.
func bagLinks(t *testing.T, d extract.Document) []string {
	var w walker
	var got []string
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		got = append(got, fmt.Sprintf("%s %s %s %s", l.Entity.Path, l.Place(), l.Scope.By(), target(l)))
		return nil
	}))
	return got
}

// target returns the URL of a link, or its problem if it has no URL.
func target(l *extract.Link) string {
	if l.Status == extract.StatusUnresolved {
		return "(" + string(l.Problem) + ")"
	}
	return string(l.URL)
}

// bagProblems returns a line for each problem of a document, and the rewritten document.
func bagProblems(t *testing.T, w walker, d extract.Document) (problems []string, out string) {
	w.OnProblem = func(p extract.Problem) {
		problems = append(problems, strings.TrimSpace(fmt.Sprintf("%s %d %s", p.Entity, p.Offset, p.Code)))
	}
	return problems, rewrite(t, &w, d)
}

// identical checks that a document without a base and some truncated copies of it stay unchanged, read from memory
// and from a stream.
func identical(t *testing.T, name string, src []byte) {
	t.Helper()
	for n := len(src); n >= 0; n -= 1 + len(src)/50 {
		prefix(t, name, src[:n:n])
	}
}

// everyPrefix is like identical, but for all truncated copies.
func everyPrefix(t *testing.T, name string, src []byte) {
	t.Helper()
	for n := len(src); n >= 0; n-- {
		prefix(t, name, src[:n:n])
	}
}

// everyByte reads and rewrites the document with each byte changed in turn.
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

// stable checks that the output is the document with the reported edits, and that a second rewriting changes nothing
// and finds the same links.
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
	assert.True(t, rewrite(t, &w, again) == out, "a second rewriting changes nothing")
	was, now := bagLinks(t, d), bagLinks(t, again)
	require.Len(t, now, len(was))
	changes(t, extract.Extractor{}, d, out)
	for i := range was {
		assert.Equal(t, was[i], now[i])
	}
}

// hasBase reports whether an entity or an element in a document has a base.
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

// damaged reports whether a document is compressed and cannot be decompressed, which is an error.
func damaged(d extract.Document) bool {
	_, packed := extract.DetectUnpacked(d.Type, d.Name, d.Bytes)
	return packed && new(walker).Rewrite(io.Discard, d) != nil
}

// fuzzed checks rules for any bytes: nothing is lost, and without a base nothing changes.
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

// python runs a Python program over standard input, as a second reader of a format.
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

// secondReader collects documents, and what a Python function reads in them. Python starts once for all of them.
type secondReader struct {
	function    string // the source of read(bytes), which returns a text
	names, want []string
	documents   bytes.Buffer
}

func (r *secondReader) add(t *testing.T, document, want string) {
	r.names, r.want = append(r.names, t.Name()), append(r.want, want)
	fmt.Fprintf(&r.documents, "%08x%s", len(document), document)
}

func (r *secondReader) check(t *testing.T) {
	out := python(t, r.documents.Bytes(), "-c", r.function+`
import sys, json
while size := sys.stdin.buffer.read(8):
    print(json.dumps(read(sys.stdin.buffer.read(int(size, 16)))))
`)
	texts := json.NewDecoder(strings.NewReader(out))
	for i, name := range r.names {
		var text string
		require.NoError(t, texts.Decode(&text), name)
		assert.Equal(t, r.want[i], text, name)
	}
}

func unhex(t *testing.T, s string) string {
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return string(b)
}

// Compressed data in a file is not decompressed to more than the limit of a record.
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

// The highest possible limits do not overflow.
func TestNoLimits(t *testing.T) {
	body := gzipped(t, strings.Repeat(" ", 17<<20)+"<object codebase=http://h/p/ data=x>")
	d := extract.Document{Type: "message/http", Bytes: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + body)}
	list := func(w walker) (urls []string) {
		require.NoError(t, w.Links(d, func(l *extract.Link) error { urls = append(urls, string(l.URL)); return nil }))
		return urls
	}
	assert.Empty(t, list(walker{}), "it is longer than 16 MiB and 200 times the compressed size")
	most := walker{Extractor: extract.Extractor{MaxDepth: math.MaxInt, MaxRecord: math.MaxInt, MaxRatio: math.MaxInt}}
	assert.Equal(t, []string{"http://h/p/", "http://h/p/x"}, list(most))
}
