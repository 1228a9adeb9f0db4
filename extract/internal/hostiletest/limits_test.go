package hostiletest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/extract/internal/mark"
)

// 64 nested documents are read, and the 65th is reported.
func TestDepth(t *testing.T) {
	for _, depth := range []int{64, 65} {
		src := "<a href=x>"
		for range depth {
			src = `<iframe srcdoc="` + strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(src) + `">`
		}
		var problems []extract.Problem
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
		got := Links(t, &w, Page(src))
		out := Rewrite(t, &w, Page(src))
		if depth == 64 {
			assert.Equal(t, []string{"a@href http://h/p/x"}, got)
			assert.Contains(t, out, "http://h/p/x")
			assert.Empty(t, problems)
		} else {
			assert.Empty(t, got)
			assert.Equal(t, src, out)
			require.Len(t, problems, 2)
			assert.Equal(t, extract.CodeDepthLimit, problems[0].Code)
			assert.Equal(t, 64, strings.Count(problems[0].Entity, "iframe@srcdoc[1]"))
		}
	}
}

// MaxDepth bases may nest inside that of the root element. Deeper elements have the last of them, and the first base that is
// ignored is reported.
func TestDepthOfBases(t *testing.T) {
	for depth := 1; depth <= 6; depth++ {
		src, used := "", "http://h/p/"
		for i := range depth {
			src += fmt.Sprintf("<x xmlns:l='http://www.w3.org/1999/xlink' xml:base='%d/' l:href='y'>", i)
			if i <= 3 {
				used += fmt.Sprintf("%d/", i)
			}
		}
		src += strings.Repeat("</x>", depth)
		var problems []string
		w := Walker{Extractor: extract.Extractor{MaxDepth: 3, OnProblem: func(p extract.Problem) {
			if p.Code == extract.CodeDepthLimit {
				problems = append(problems, p.Setting+" "+src[p.Offset:][:2])
			}
		}}}
		got := URLs(t, &w, extract.Document{Name: "a.xml", URL: "http://h/p/", Bytes: []byte(src)})
		assert.Equal(t, used+"y", got[len(got)-1], "%d", depth)
		if depth <= 1+3 {
			assert.Empty(t, problems)
		} else {
			assert.Equal(t, []string{"MaxDepth 4/"}, problems)
		}
	}
}

// A page may have any number of BASE elements, but only the first of those that do not apply are listed.
func TestManyBases(t *testing.T) {
	for _, n := range []int{1, mark.ListedRefused, mark.ListedRefused + 1, mark.ListedRefused + 9} {
		d := Page("<base href=http://h/b/>" + strings.Repeat("<base href=http://h/c/>", n))
		require.NoError(t, new(Walker).Bases(d, func(e *extract.Entity) error {
			refused := 0
			for _, c := range e.Scope.Candidates() {
				if c.Refuse != "" {
					refused++
				}
			}
			assert.Equal(t, min(n, mark.ListedRefused), refused)
			return nil
		}))
	}
}

// Nested documents that must be decoded are read until together they are longer than both 16 MiB and 3 times the record.
// Their siblings are still read.
func TestDecodedLimit(t *testing.T) {
	const depth = 20
	src := "&lt;" + strings.Repeat("a", 1<<20)
	for range depth {
		src = `<a href=x><iframe srcdoc="` + strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(src) + `">`
	}
	src += `</iframe><iframe srcdoc="<a href='y&amp;z'>">`
	var problems []extract.Problem
	w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
	got := Links(t, &w, Page(src))
	assert.Len(t, got, 1+15+1, "the page, 15 nested pages of 1 MB, and the sibling")
	assert.Equal(t, "a@href http://h/p/y&z", got[len(got)-1])
	require.Len(t, problems, 1)
	assert.Equal(t, extract.CodeDepthLimit, problems[0].Code)
	assert.Equal(t, 15, strings.Count(problems[0].Entity, "iframe@srcdoc[1]"))
}

func TestLimits(t *testing.T) {
	var problems []extract.Problem
	w := Walker{Extractor: extract.Extractor{MaxRecord: 10, OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
	src := strings.Repeat("<a href=x>", 10)
	for _, d := range []extract.Document{Page(src), {Name: "page.html", URL: "http://h/p/", Reader: strings.NewReader(src)}} {
		problems = nil
		assert.Equal(t, src, Rewrite(t, &w, d), "copied unchanged")
		require.Len(t, problems, 1)
		assert.Equal(t, extract.CodeSizeLimit, problems[0].Code)
	}
}

// The greatest possible limits do not overflow.
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

// 16 MiB of decompressed text are always read. One byte more is too much for a short document.
func TestRatioFree(t *testing.T) {
	const link = "<a href=http://h/x>"
	for _, more := range []int{0, 1} {
		body := Gzipped(t, link+strings.Repeat(" ", 16<<20-len(link)+more))
		var problems []extract.Code
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		got := URLs(t, &w, extract.Document{Type: "message/http", Bytes: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + body)})
		assert.Equal(t, []string{"http://h/x"}, got, "the text before the limit")
		if more == 0 {
			assert.Empty(t, problems)
		} else {
			assert.Equal(t, []extract.Code{extract.CodeRatioLimit}, problems)
		}
	}
}

// A reference of more than 1 MiB is not resolved, unless it is itself the content, as a data: URL is.
func TestLongReference(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for ref, want := range map[string]string{long: "http://h/p/" + long, long + "b": "(link-limit)", "http://k/" + long: "(link-limit)", "data:," + long: "data:," + long, "JavaScript:" + long: "JavaScript:" + long} {
		var w Walker
		got := URLs(t, &w, Page("<a href="+ref+">"))
		require.Len(t, got, 1)
		assert.True(t, strings.EqualFold(want, got[0]), "%.20s: %.20s", ref, got[0])
		assert.True(t, strings.HasPrefix(want, "http://h") == (Rewrite(t, &w, Page("<a href="+ref+">")) != "<a href="+ref+">"))
	}
}
