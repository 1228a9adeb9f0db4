package extract_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/internal/codec"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// TestCorpus checks the rules for any document with every one below testdata, or below ABSOLINK_CORPUS:
//
//	ABSOLINK_CORPUS=/usr/share/doc go test ./extract -run TestCorpus -v -timeout 1h
func TestCorpus(t *testing.T) {
	var sum figures
	Corpus(t, "../testdata", func(path string, src []byte) { sum.check(t, path, src) })
	require.NotZero(t, sum.documents)
	t.Logf("%d documents, %d bytes, %d links, %d edits", sum.documents, sum.bytes, sum.links, sum.edits)
}

type figures struct{ documents, bytes, links, edits int }

func (sum *figures) check(t *testing.T, path string, src []byte) {
	sum.documents++
	sum.bytes += len(src)
	var w Walker
	d := extract.Document{Name: path, Bytes: src}

	if !HasBase(t, &w, d) {
		require.True(t, Rewrite(t, &w, d) == string(src), "%s changes without a base", path)
	}

	for _, std := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
		w := Walker{Extractor: extract.Extractor{Standard: std, Extended: true}}
		d.URL = "http://corpus.example/a/b;p?q"
		var edits []codec.Edit
		w.OnEdit = func(e extract.Edit) {
			offset, old, new := e.Offset, e.Old, e.New
			require.True(t, bytes.Equal(old, src[offset:offset+int64(len(old))]), "%s: an edit's old bytes at %d", path, offset)
			edits = append(edits, codec.Edit{Span: codec.Span{Start: int(offset), End: int(offset) + len(old)}, New: bytes.Clone(new)})
		}
		var told []string
		w.OnLink = func(l *extract.Link) { told = append(told, LinkLine(l)) }
		out := Rewrite(t, &w, d)
		require.True(t, out == string(codec.Apply(nil, src, edits)), "%s: edits and output", path)
		sum.edits += len(edits)

		var want []string
		var spans []codec.Span
		require.NoError(t, w.Links(d, func(l *extract.Link) error {
			start, end := l.DocumentSpan()
			spans = append(spans, codec.Span{Start: int(start), End: int(end)})
			want = append(want, LinkLine(l))
			return nil
		}))
		require.Equal(t, want, told, "%s: the links that rewriting tells of", path)
		if extract.Detect("", path, src) != extract.FormatOf("message/rfc822") { // base64 is also encoded again after a link
			inside(t, path, src, edits, spans)
		}
		sum.links += len(want)

		d.Bytes, w.OnEdit, w.OnLink = []byte(out), nil, nil
		var got []string
		require.NoError(t, w.Links(d, func(l *extract.Link) error {
			got = append(got, LinkLine(l))
			return nil
		}))
		require.Equal(t, want, got, path)

		d.Bytes = src
		Changes(t, w.Extractor, d, out)
		d.Bytes = []byte(out)

		require.True(t, Rewrite(t, &w, d) == out, "%s changes when rewritten twice", path)
		d.Bytes = src
	}
}

// inside checks that every edit is inside a link, or inside a base that was made absolute.
func inside(t *testing.T, path string, src []byte, edits []codec.Edit, spans []codec.Span) {
	i := 0
	for _, e := range edits {
		for i < len(spans) && spans[i].End < e.End {
			i++
		}
		if i < len(spans) && spans[i].Start <= e.Start {
			continue
		}
		tag := src[bytes.LastIndexByte(src[:e.Start], '<'):e.Start]
		require.True(t, len(tag) > 5 && strings.EqualFold(string(tag[:5]), "<base"), "%s: the edit at %d lies in no link", path, e.Start)
	}
}
