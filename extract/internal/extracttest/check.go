package extracttest

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/internal/codec"
)

// Identical checks that a document without a base, and some truncated copies of it, stay unchanged, whether they are
// read from memory or from a stream.
func Identical(t *testing.T, name string, src []byte) {
	t.Helper()
	for n := len(src); n >= 0; n -= 1 + len(src)/50 {
		prefix(t, name, src[:n:n])
	}
}

// EveryPrefix is like Identical, but for all truncated copies.
func EveryPrefix(t *testing.T, name string, src []byte) {
	t.Helper()
	for n := len(src); n >= 0; n-- {
		prefix(t, name, src[:n:n])
	}
}

// EveryByte reads and rewrites the document with each byte changed in turn.
func EveryByte(t *testing.T, name string, src []byte) {
	t.Helper()
	var w Walker
	for i, was := range src {
		for _, src[i] = range []byte{0, 0x7F, 0xFF} {
			require.NoError(t, w.Rewrite(io.Discard, extract.Document{Name: name, Bytes: src, URL: "http://h/p/"}),
				"byte %d as %#x", i, src[i])
		}
		src[i] = was
	}
}

func prefix(t *testing.T, name string, src []byte) {
	t.Helper()
	var w Walker
	d := extract.Document{Name: name, Bytes: src}
	if out := Rewrite(t, &w, d); out != string(src) {
		require.Equal(t, string(src), out, "the first %d bytes", len(src))
	}
	d.Bytes, d.Reader = nil, bytes.NewReader(src)
	if out := Rewrite(t, &w, d); out != string(src) {
		require.Equal(t, string(src), out, "the first %d bytes, as a stream", len(src))
	}
	d = extract.Document{Name: name, Bytes: src, URL: "http://h/p/"}
	require.NoError(t, w.Rewrite(io.Discard, d))
}

// Stable checks that out, the rewritten d, is d with the reported edits and changes, and that a second rewriting
// changes nothing and finds the same links.
func Stable(t *testing.T, d extract.Document, out string) {
	t.Helper()
	var edits []codec.Edit
	first := Walker{Extractor: extract.Extractor{OnEdit: func(e extract.Edit) {
		offset, old, new := e.Offset, e.Old, e.New
		edits = append(edits, codec.Edit{Span: codec.Span{Start: int(offset), End: int(offset) + len(old)},
			New: bytes.Clone(new)})
	}}}
	require.NoError(t, first.Rewrite(io.Discard, d))
	assert.True(t, string(codec.Apply(nil, d.Bytes, edits)) == out, "edits and output")
	again := d
	again.Bytes = []byte(out)
	var w Walker
	assert.True(t, Rewrite(t, &w, again) == out, "a second rewriting changes nothing")
	was, now := BagLinks(t, d), BagLinks(t, again)
	require.Len(t, now, len(was))
	Changes(t, extract.Extractor{}, d, out)
	for i := range was {
		assert.Equal(t, was[i], now[i])
	}
}

// HasBase reports whether an entity or an element in a document has a base.
func HasBase(t *testing.T, w *Walker, d extract.Document) (has bool) {
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

// Damaged reports whether a document is compressed but cannot be decompressed, so that a rewriting fails.
func Damaged(d extract.Document) bool {
	_, packed := extract.DetectUnpacked(d.Type, d.Name, d.Bytes)
	return packed && new(Walker).Rewrite(io.Discard, d) != nil
}

// Fuzzed checks that any bytes can be rewritten, twice, and that without a base nothing changes.
func Fuzzed(t *testing.T, mediaType string, src []byte, limit int) {
	w := Walker{Extractor: extract.Extractor{MaxRecord: max(limit, 0)}}
	d := extract.Document{Type: mediaType, Bytes: src}
	if Damaged(d) {
		return
	}
	if out := Rewrite(t, &w, d); !HasBase(t, &w, d) {
		require.Equal(t, string(src), out)
	}
	d.URL = "http://h/p/"
	once := Rewrite(t, &w, d)
	d.Bytes, w.MaxRecord = []byte(once), w.MaxRecord*20+1000
	_ = Rewrite(t, &w, d)
}

// Changes checks that a rewriting to out reports a Change for each link with another reference in out, and otherwise
// only changes of bases.
func Changes(t *testing.T, options extract.Extractor, d extract.Document, out string) {
	t.Helper()
	told := map[extract.Change]int{}
	w := Walker{Extractor: options}
	w.OnChange = func(c extract.Change) { told[c]++ }
	require.NoError(t, w.Rewrite(io.Discard, d))
	w.OnChange = nil
	var was []extract.Change
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		was = append(was, extract.Change{Entity: l.Entity.Path, Offset: l.Offset, Place: l.Place(), Ref: string(l.Ref)})
		return nil
	}))
	after := d
	after.Bytes = []byte(out)
	require.NoError(t, w.Links(after, func(l *extract.Link) error {
		if c := was[0]; c.Ref != string(l.Ref) {
			c.NewRef, c.URL = string(l.Ref), string(l.Ref)
			told[c]--
		}
		was = was[1:]
		return nil
	}))
	require.NoError(t, w.Bases(d, func(e *extract.Entity) error {
		for _, c := range e.Scope.Own() {
			for change, n := range told {
				if n > 0 && change.Entity == e.Path && change.Ref == c.Value && change.NewRef == c.URL &&
					change.URL == c.URL {
					told[change]--
					break
				}
			}
		}
		return nil
	}))
	for c, n := range told {
		assert.Zero(t, n, "%s: %+v", d.Name, c)
	}
}
