package extract_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// The tests in this file are for containers, which contain other documents: archives, messages, responses.

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
	src := TarFile("a.html.gz", Gzipped(t, long.String()))
	problems, out := BagProblems(t, Walker{Extractor: extract.Extractor{MaxRecord: 10000}}, Tar(src))
	assert.Equal(t, []string{"a.html.gz 0 ratio-limit", "a.html.gz 0 rewrite-refused"}, problems)
	assert.Equal(t, src, out)
	problems, out = BagProblems(t, Walker{}, Tar(src))
	assert.Empty(t, problems)
	assert.NotEqual(t, src, out)
}

// The highest possible limits do not overflow.
func TestNoLimits(t *testing.T) {
	body := Gzipped(t, strings.Repeat(" ", 17<<20)+"<object codebase=http://h/p/ data=x>")
	d := extract.Document{Type: "message/http", Bytes: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + body)}
	list := func(w Walker) (urls []string) {
		require.NoError(t, w.Links(d, func(l *extract.Link) error { urls = append(urls, string(l.URL)); return nil }))
		return urls
	}
	assert.Empty(t, list(Walker{}), "it is longer than 16 MiB and 200 times the compressed size")
	most := Walker{Extractor: extract.Extractor{MaxDepth: math.MaxInt, MaxRecord: math.MaxInt, MaxRatio: math.MaxInt}}
	assert.Equal(t, []string{"http://h/p/", "http://h/p/x"}, list(most))
}
