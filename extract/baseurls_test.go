package extract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// A BASE element is removed or emptied with the other links in it, in chunks of any number of marks.
func TestBaseURLsInChunks(t *testing.T) {
	for _, n := range []int{1, 2, 3, 100} {
		restore := AtOnce(n)
		for bases, want := range map[extract.BaseURLs]string{
			extract.BaseKeep:   `<p><a href=http://h/a></a><base style="x:url(http://h/s)" href=http://h/><a href=http://h/b></a><base style="x:url(http://h/t)" href="c">`,
			extract.BaseEmpty:  `<p><a href=http://h/a></a><base style="x:url(http://h/s)" href=""><a href=http://h/b></a><base style="x:url(http://h/t)" href="">`,
			extract.BaseRemove: `<p><a href=http://h/a></a><a href=http://h/b></a>`,
		} {
			w := Walker{Extractor: extract.Extractor{BaseURLs: bases}}
			d := extract.Document{Name: "a.html", Bytes: []byte(`<p><a href=a></a><base style="x:url(s)" href=http://h/><a href=b></a><base style="x:url(t)" href="c">`)}
			assert.Equal(t, want, Rewrite(t, &w, d), "%d at once", n)
		}
		restore()
	}
}

// A BASE element is not removed if the document would no longer be a page by its first bytes.
func TestBaseMakesThePage(t *testing.T) {
	for src, want := range map[string]string{
		"<base href=http://h/>text <a href=x>":                  "<base href=http://h/>text <a href=http://h/x>",
		"<base style='x:url(s)' href=http://h/>text <a href=x>": "<base style='x:url(http://h/s)' href=http://h/>text <a href=http://h/x>",
		"<base href=http://h/><p>text <a href=x>":               "<p>text <a href=http://h/x>",
	} {
		codes := map[extract.Code]int{}
		w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove, OnProblem: func(p extract.Problem) { codes[p.Code]++ }}}
		assert.Equal(t, want, Rewrite(t, &w, extract.Document{Bytes: []byte(src)}))
		if strings.Contains(want, "<base") {
			assert.Equal(t, map[extract.Code]int{extract.CodeBaseNeeded: 1}, codes, src)
		}
	}
}

// The letters of a new URL are in the charset of the page, also before a BASE element that is removed.
func TestBaseAfterLetters(t *testing.T) {
	x := extract.Extractor{BaseURLs: extract.BaseRemove, Map: func(l *extract.Link) (string, bool) { return string(l.URL) + "é", true }}
	w := Walker{Extractor: x}
	const page = "<meta charset=windows-1252><a href=x></a><base href=http://h/><p>"
	want := strings.NewReplacer("=x", "=http://h/x\xe9", "<base href=http://h/>", "").Replace(page)
	assert.Equal(t, want, Rewrite(t, &w, extract.Document{Name: "a.html", Bytes: []byte(page)}))
}

// A BASE element is not removed between two bytes that would be one character without it: the page would be read in UTF-8.
func TestBaseBetweenBytes(t *testing.T) {
	for src, want := range map[string]string{
		"\xc3<base href=http://h/>\xa9<a href=x>":         "\xc3<base href=http://h/>\xa9<a href=http://h/x>",
		"\xc3<base href=http://h/><p>\xa9<a href=x>":      "\xc3<p>\xa9<a href=http://h/x>",
		"\xc3<base href=http://h/>\xa9<a href=x>\xff</a>": "\xc3\xa9<a href=http://h/x>\xff</a>",
	} {
		w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove, OnProblem: func(extract.Problem) {}}}
		assert.Equal(t, want, Rewrite(t, &w, extract.Document{Name: "a.html", Bytes: []byte(src)}))
	}
}
