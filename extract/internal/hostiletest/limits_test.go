package hostiletest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"
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
	for mega, levels := range map[int]int{1: 15, 8: 3} {
		src := "&lt;" + strings.Repeat("a", mega<<20)
		for range levels + 5 {
			src = `<a href=x><iframe srcdoc="` + strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(src) + `">`
		}
		src += `</iframe><iframe srcdoc="<a href='y&amp;z'>">`
		var problems []extract.Problem
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
		got := Links(t, &w, Page(src))
		assert.Len(t, got, 1+levels+1, "the page, nested pages of %d MB, and the sibling", mega)
		assert.Equal(t, "a@href http://h/p/y&z", got[len(got)-1])
		require.Len(t, problems, 1)
		assert.Equal(t, extract.CodeDepthLimit, problems[0].Code)
		assert.Equal(t, levels, strings.Count(problems[0].Entity, "iframe@srcdoc[1]"))
	}
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
	assert.Equal(t, []string{"http://h/p/x"}, URLs(t, &w, Page(src[:10])), "one link is below any limit")
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

// A record owns its bytes, which later records do not change in any kind of stream.
func TestRecordsOwn(t *testing.T) {
	var mbox, members, files strings.Builder
	for i := range 60 {
		page := fmt.Sprintf("<p>%d <a href=x%d>", i, i) + strings.Repeat("<b>text</b>\n", i%7*i*100) // to 400 kB
		if i%20 == 10 {
			page += strings.Repeat("<i>more</i>\n", 200_000) // and some longer than a block of memory
		}
		fmt.Fprintf(&mbox, "From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n%s\n\n", page)
		members.WriteString(Gzipped(t, WARCResponse("http://w/", page)))
		files.WriteString(TarFile(fmt.Sprintf("%d.html", i), page))
	}
	for name, src := range map[string]string{
		"a.mbox": mbox.String(), "a.mbox.gz": Gzipped(t, mbox.String()), "a.warc.gz": members.String(),
		"a.tar": files.String() + TarEnd, "a.html": "<a href=x>", "empty.html": "",
	} {
		d := func() extract.Document {
			return extract.Document{Name: name, URL: "http://h/", Reader: iotest.HalfReader(strings.NewReader(src))}
		}
		var want, kept []extract.Record
		var w, other Walker
		one, err := other.Open(d(), nil)
		require.NoError(t, err)
		for rec, err := range one.Records() {
			require.NoError(t, err)
			rec.Bytes = bytes.Clone(rec.Bytes)
			want = append(want, rec)
		}
		var out bytes.Buffer
		in, err := w.Open(d(), &out)
		require.NoError(t, err)
		for rec, err := range in.Records() {
			require.NoError(t, err)
			kept = append(kept, rec)
		}
		require.Len(t, kept, len(want), name)
		next, err := w.Open(extract.Document{Name: "next.html", Reader: strings.NewReader("<b>other</b>")}, nil)
		require.NoError(t, err)
		for _, err := range next.Records() {
			require.NoError(t, err)
		}
		for i, rec := range kept {
			assert.Equal(t, string(want[i].Bytes), string(rec.Bytes), name)
			var rewritten bytes.Buffer
			require.NoError(t, w.Rewrite(&rewritten, rec.Document()))
			require.NoError(t, in.Put(rec, rewritten.Bytes()))
		}
		require.NoError(t, in.Close())
		var whole bytes.Buffer
		require.NoError(t, new(Walker).Rewrite(&whole, d()))
		assert.Equal(t, whole.String(), out.String(), name)
	}
}

// No goroutine stays when the caller leaves a loop over a compressed document.
func TestNoGoroutineStays(t *testing.T) {
	page := strings.Repeat("<a href=x>some text\n", 20_000)
	var zst, gz bytes.Buffer
	z, err := zstd.NewWriter(&zst)
	require.NoError(t, err)
	_, err = z.Write([]byte(page))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	g := gzip.NewWriter(&gz)
	_, err = g.Write([]byte(page))
	require.NoError(t, err)
	require.NoError(t, g.Close())
	var x extract.Extractor
	before := runtime.NumGoroutine()
	for range 20 {
		for _, d := range []extract.Document{{Name: "a.html.zst", URL: "http://h/", Bytes: zst.Bytes()}, {Name: "a.txt.gz", URL: "http://h/", Bytes: gz.Bytes()},
			{Name: "a.mbox.zst", Bytes: zst.Bytes()}} {
			for _, err := range x.Links(t.Context(), d) {
				require.NoError(t, err)
				break
			}
			for _, err := range x.Records(t.Context(), d) {
				require.NoError(t, err)
				break
			}
		}
	}
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, time.Minute, 10*time.Millisecond, "%d goroutines, %d before", runtime.NumGoroutine(), before)
}
