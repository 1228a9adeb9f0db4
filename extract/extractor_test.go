package extract_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/httpx"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// all returns a line for each link of a document.
func all(t testing.TB, x extract.Extractor, d extract.Document) (lines []string) {
	t.Helper()
	for l, err := range x.Links(context.Background(), d) {
		require.NoError(t, err)
		lines = append(lines, fmt.Sprint(l.Entity.Path, " ", l.Place(), " ", string(l.URL)))
	}
	return lines
}

// Goroutines can share an Extractor.
func TestExtractorShared(t *testing.T) {
	x := extract.Extractor{Standard: resolve.WHATWG}
	var workers sync.WaitGroup
	for i := range 8 {
		workers.Go(func() {
			for n := range 50 {
				d := extract.Document{Name: "p.html", URL: fmt.Sprintf("http://h%d/%d/", i, n), Reader: strings.NewReader(`<a href=x><iframe srcdoc="<a href=y>">`)}
				want := []string{" a@href " + d.URL + "x", "iframe@srcdoc[1] a@href " + d.URL + "y"}
				assert.Equal(t, want, all(t, x, d))
				var out strings.Builder
				result, err := x.Rewrite(t.Context(), &out, extract.Document{Name: "p.html", URL: d.URL, Bytes: []byte("<a href=x>")})
				assert.NoError(t, err)
				assert.Equal(t, "<a href="+d.URL+"x>", out.String())
				assert.Equal(t, 1, result.Changed)
			}
		})
	}
	workers.Wait()
}

// The caller may leave a loop, and may read another document inside a loop.
func TestExtractorLoops(t *testing.T) {
	var x extract.Extractor
	page := extract.Document{Name: "p.html", URL: "http://h/", Bytes: []byte("<a href=1><a href=2><a href=3>")}
	var seen []string
	for l, err := range x.Links(t.Context(), page) {
		require.NoError(t, err)
		inner := all(t, x, extract.Document{Name: "q.html", URL: "http://i/", Bytes: []byte("<img src=longer/than/the/other>")})
		seen = append(seen, string(l.URL), inner[0])
		if string(l.Ref) == "2" {
			break
		}
	}
	assert.Equal(t, []string{"http://h/1", " img@src http://i/longer/than/the/other", "http://h/2", " img@src http://i/longer/than/the/other"}, seen)
	for e, err := range x.Bases(t.Context(), page) {
		require.NoError(t, err)
		assert.Equal(t, "http://h/", e.Scope.Base().String())
		break
	}
	for rec, err := range x.Records(t.Context(), extract.Document{Name: "a.mbox", Bytes: []byte("From a\n\n\nFrom b\n\n")}) {
		require.NoError(t, err)
		assert.NotEmpty(t, rec.Bytes)
		break
	}
}

// A Record stays valid after the loop.
func TestRecordsStay(t *testing.T) {
	var mailbox strings.Builder
	for i := range 500 {
		fmt.Fprintf(&mailbox, "From a@b Thu Jan  1 00:00:00 1970\nBase: <URL:http://h%d/>\nContent-Type: text/html\n\n<a href=x>%s\n\n", i, strings.Repeat("pad", i))
	}
	var x extract.Extractor
	var records []extract.Record
	for rec, err := range x.Records(t.Context(), extract.Document{Name: "a.mbox", Reader: strings.NewReader(mailbox.String())}) {
		require.NoError(t, err)
		records = append(records, rec)
	}
	require.Len(t, records, 500)
	for i, rec := range records {
		assert.Equal(t, []string{fmt.Sprintf("message[%d]/part[1] a@href http://h%d/x", i+1, i)}, all(t, x, rec.Document()))
	}
}

// A walk ends when its context is done: in a record, in a stream, and before the first byte.
func TestContext(t *testing.T) {
	var x extract.Extractor
	cause := errors.New("the reason")
	ended := func(err error, name string) {
		assert.ErrorIs(t, err, context.Canceled, name)
		assert.ErrorIs(t, err, cause, name)
	}
	links := strings.Repeat("<a href=x>", 100_000)
	for name, d := range map[string]extract.Document{
		"bytes":  {Name: "p.html", URL: "http://h/", Bytes: []byte(links)},
		"reader": {Name: "p.html", URL: "http://h/", Reader: strings.NewReader(links)},
		"mbox":   {Name: "a.mbox", Bytes: []byte(strings.Repeat("From a\nContent-Type: text/html\nBase: http://h/\n\n<a href=x>\n\n", 20_000))},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		seen := 0
		var last error
		for _, err := range x.Links(ctx, d) {
			if last = err; err == nil {
				seen++
			}
			cancel(cause)
		}
		ended(last, name)
		assert.Less(t, seen, 10_000, name)

		result, err := x.Rewrite(ctx, io.Discard, d)
		ended(err, name)
		assert.Zero(t, result.Changed, name)
		for _, err := range x.Records(ctx, d) {
			ended(err, name)
		}
	}
	// So does reading a Reader without end.
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	endless := &endlessReader{at: 1 << 20, reached: func() { cancel(cause) }}
	for _, err := range x.Links(ctx, extract.Document{Name: "a.txt", Reader: endless}) {
		ended(err, "endless")
	}
	without, cancelled := context.WithCancel(t.Context())
	cancelled()
	for _, err := range x.Links(without, extract.Document{Name: "a.txt", Bytes: []byte("x")}) {
		assert.Equal(t, context.Canceled, err, "without a cause")
	}
	assert.Less(t, endless.n, 4<<20)
}

// endlessReader calls reached after at bytes.
type endlessReader struct {
	n, at   int
	reached func()
}

func (r *endlessReader) Read(p []byte) (int, error) {
	if r.n += len(p); r.n > r.at {
		r.reached()
	}
	return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
}

// A Link is valid until the body of the loop ends, and a clone stays valid, even if all memory that a walker reuses is
// overwritten.
func TestCloneStays(t *testing.T) {
	const page = `<p title="p"><a href="a?x&amp;y" rel=next title="T &lt;">the <b>text</b></a>` + "\n" + `<iframe srcdoc="<img src='i&amp;amp;j' alt=alt>">`
	x := extract.Extractor{DescribeLinks: true}
	describe := func(l *extract.Link) string {
		line, column := l.Position()
		start, end := l.DocumentSpan()
		id, date, subject := l.Entity.Message()
		return fmt.Sprint(l.Entity.Document, "|", l.Entity.Path, "|", l.Entity.Type, "|", l.Place(), "|", l.Offset, "|", string(l.Raw), "|", string(l.Ref), "|", string(l.URL), "|",
			l.Status, "|", l.Scope.Base(), "|", l.PageURL(), "|", l.Entity.PageURL(), "|", string(l.Rel()), "|", string(l.Title()), "|", string(l.Text()), "|", line, ":", column, "|", start, "-", end, "|", l.InPlace(),
			"|", id, date, subject)
	}
	for name, src := range map[string]string{
		"p.html": page,
		"p.http": "HTTP/1.1 302 Found\nLocation: /b/\nLink: <c>\n\nHTTP/1.1 200 OK\nContent-Type: text/html\nLink: <d>\n\n" + page,
		"p.eml":  "Message-ID: <i@h>\nSubject: s\nContent-Location: http://l/\nContent-Type: text/html\n\n" + page,
	} {
		var want []string
		var clones, links []*extract.Link
		d := extract.Document{Name: name, URL: "http://h/p", Reader: strings.NewReader(src)}
		extract.Poison(func() {
			for l, err := range x.Links(t.Context(), d) {
				require.NoError(t, err)
				want = append(want, describe(l))
				clones = append(clones, l.Clone())
				links = append(links, l)
			}
		})
		require.GreaterOrEqual(t, len(clones), 2)
		for i, c := range clones {
			assert.Equal(t, want[i], describe(c))
			assert.Equal(t, want[i], describe(c.Clone()), "a clone of a clone")
			assert.Nil(t, c.Entity.Bytes, "a clone does not keep the document in memory")
		}
		assert.NotEqual(t, want[0], fmt.Sprint(string(links[0].URL)), "the link itself is no longer valid")
		assert.NotEqual(t, "http://h/a?x&y", string(links[0].URL))
	}
}

// After a redirect, the page of each link is the response that has it.
func TestPageURLAfterRedirect(t *testing.T) {
	var pages []string
	var x extract.Extractor
	src := "HTTP/1.1 302 Found\nLocation: /b/\nLink: <c>\n\nHTTP/1.1 200 OK\nContent-Type: text/html\nLink: <d>\n\n<a href=e>"
	for l, err := range x.Links(t.Context(), extract.Document{Name: "p.http", URL: "http://h/a", Bytes: []byte(src)}) {
		require.NoError(t, err)
		pages = append(pages, fmt.Sprint(string(l.Ref), " ", l.PageURL()))
	}
	assert.Equal(t, []string{"/b/ http://h/a", "c http://h/a", "d http://h/b/", "e http://h/b/"}, pages)
}

func TestAbsolute(t *testing.T) {
	page := []byte("<a href=x>")
	out, err := extract.Absolute(page, "http://h/")
	require.NoError(t, err)
	assert.Equal(t, "<a href=http://h/x>", string(out))
	assert.Equal(t, "<a href=x>", string(page))
	_, err = extract.Absolute(page, "h")
	var bad *extract.URLError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "h", bad.URL)
}

func TestExtractorErrors(t *testing.T) {
	none := func(*extract.Link) error { return nil }
	for _, row := range []struct {
		w    Walker
		d    extract.Document
		want string
	}{
		{Walker{}, extract.Document{URL: "x", Type: "text/html"}, `retrieval URL "x": not absolute; write it with its scheme, as in http://host/path`},
		{Walker{Extractor: extract.Extractor{Override: "/x"}}, extract.Document{Type: "text/html"}, `override URL "/x": not absolute; write it with its scheme, as in http://host/path`},
	} {
		assert.EqualError(t, row.w.Links(row.d, none), row.want)
	}
	stop := fmt.Errorf("stop")
	var w Walker
	assert.Equal(t, stop, w.Links(Page("<a href=x><a href=y>"), func(*extract.Link) error { return stop }))

	var x extract.Extractor
	_, err := x.Rewrite(t.Context(), io.Discard, extract.Document{Name: "p.html", URL: "http://[", Bytes: []byte{}})
	assert.NoError(t, err, "RFC 1808 has no brackets")

	var problems []error
	x = extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p) }}
	all(t, x, extract.Document{Name: "p.html", Bytes: []byte("<iframe srcdoc='<a href=x>'>")})
	require.Len(t, problems, 1)
	assert.EqualError(t, problems[0], `p.html > iframe@srcdoc[1]: no-base: "x": relative reference without a base (offset 8)`)
	assert.Equal(t, [2]string{"", ""}, [2]string{string(extract.Problem{}.Code), extract.Status(0).String()})
	assert.NotContains(t, []extract.Severity{extract.SeverityNote, extract.SeverityWarning, extract.SeverityError}, extract.Problem{}.Severity)
}

// A type or a constant that does not exist is an error of every method that reads a document or a record.
func TestWrongNames(t *testing.T) {
	page := []byte("<a href=x>")
	typed := func(mediaType string) extract.Document {
		return extract.Document{Type: mediaType, URL: "http://h/", Bytes: page}
	}
	for _, row := range []struct {
		x    extract.Extractor
		d    extract.Document
		want string // the error; "" for none
	}{
		{d: typed("html"), want: `"html" is not a media type: write "text/html"`},
		{d: typed(" HTML ; charset=a/b"), want: `" HTML ; charset=a/b" is not a media type: write "text/html"`},
		{d: typed("mbox"), want: `"mbox" is not a media type: write "application/mbox"`},
		{d: typed("text"), want: `"text" is not a media type, such as "text/html"`},
		{d: extract.Document{Type: "html"}, want: `"html" is not a media type: write "text/html"`},
		{d: extract.Document{Type: "html", Header: http.Header{}, Bytes: page}, want: `"html" is not a media type: write "text/html"`},
		{d: extract.Document{Header: http.Header{"Content-Type": {"html"}}, Bytes: page}}, // a server has sent it
		{d: typed("TEXT/HTML; charset=utf-8")},
		{d: typed("image/png")},
		{d: extract.Document{}},
		{d: extract.Document{Type: "text/html"}},
		{x: extract.Extractor{BaseURLs: 3}, d: typed("text/html"), want: "the Extractor has the BaseURLs 3; use BaseKeep, BaseEmpty or BaseRemove"},
		{x: extract.Extractor{Mbox: 5}, d: typed("text/html"), want: "the Extractor has the Mbox 5; use 0, MboxO, MboxRD, MboxCL or MboxCL2"},
		{x: extract.Extractor{MaxRatio: -1}, d: typed("text/html"), want: "the Extractor has a limit below zero; 0 means the default"},
		{x: extract.Extractor{Places: []string{"a@hrf"}}, d: typed("text/html"), want: `"a@hrf" is not the name of a place`},
	} {
		record := func() extract.Document {
			for rec, err := range new(extract.Extractor).Records(t.Context(), typed("text/html")) {
				require.NoError(t, err)
				d := rec.Document()
				d.Type = row.d.Type
				return d
			}
			return extract.Document{}
		}
		errs := map[string]error{}
		if strings.HasPrefix(row.d.Type, "text/html") {
			errs["Check"] = row.x.Check()
		}
		for from, d := range map[string]extract.Document{"": row.d, " of a record": record()} {
			for _, err := range row.x.Links(t.Context(), d) {
				errs["Links"+from] = err
			}
			for _, err := range row.x.Bases(t.Context(), d) {
				errs["Bases"+from] = err
			}
			var out bytes.Buffer
			_, errs["Rewrite"+from] = row.x.Rewrite(t.Context(), &out, d)
			if row.want != "" {
				assert.Empty(t, out.Bytes())
			}
		}
		for _, err := range row.x.Records(t.Context(), row.d) {
			errs["Records"] = err
		}
		_, errs["Open"] = row.x.Open(t.Context(), row.d, nil)
		for method, err := range errs {
			if row.want == "" {
				assert.NoError(t, err, method)
			} else {
				assert.EqualError(t, err, row.want, method)
			}
		}
	}
}

// Check also looks at the Override, of which a record needs none.
func TestCheckOverride(t *testing.T) {
	x := extract.Extractor{Override: "x"}
	assert.EqualError(t, x.Check(), `override URL "x": not absolute; write it with its scheme, as in http://host/path`)
	resp := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"image/png"}}, Request: httptest.NewRequest("GET", "/", nil), Body: http.NoBody}
	assert.Equal(t, x.Check(), httpx.ModifyResponse(&x)(resp), "an image fails, too, so that the fault is seen at once")
	x.Override = "http://h/"
	assert.NoError(t, x.Check())
	assert.NoError(t, httpx.ModifyResponse(&x)(resp))
}

// An error of the Reader is returned as it is, even from inside a compressed document.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	page := strings.Repeat("<a href=x>", 9999)
	packed := Gzipped(t, page)
	for name, content := range map[string]string{"a.html": page, "a.html.gz": packed, "a.html.gz.gz": Gzipped(t, packed), "a.mbox": "From a\n\n" + page, "a.bin": page} {
		for _, n := range []int{0, 5, len(content) / 2, len(content)} {
			d := func() extract.Document {
				return extract.Document{Name: name, Reader: io.MultiReader(strings.NewReader(content[:n]), iotest.ErrReader(broken))}
			}
			var x extract.Extractor
			_, err := x.Rewrite(t.Context(), io.Discard, d())
			assert.Same(t, broken, err, "%s, %d", name, n)
			if err = nil; name != "a.bin" { // Links does not read it
				for _, err = range x.Links(t.Context(), d()) {
				}
				assert.Same(t, broken, err, "%s, %d", name, n)
			}
		}
	}
}

// respond returns a response like those of package net/http.
func respond(body string, fields ...string) *http.Response {
	u, _ := url.Parse("http://h/p/q")
	resp := &http.Response{StatusCode: 200, Request: &http.Request{URL: u}, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	for i := 0; i < len(fields); i += 2 {
		resp.Header.Add(fields[i], fields[i+1])
	}
	return resp
}

func TestFromResponse(t *testing.T) {
	for name, row := range map[string]struct {
		resp    *http.Response
		links   []string
		rewrite string
		result  extract.Result
	}{
		"a page": {respond("<a href=x>", "Content-Type", "text/html"), []string{"body a@href http://h/p/x"}, "<a href=http://h/p/x>", extract.Result{Links: 1, Changed: 1}},
		"fields with links": {respond("<a href=x>", "Content-Type", "text/html", "Link", "<l>; rel=a, </m>", "Link", "<n>", "Refresh", "1; url=r"),
			[]string{" Link[1] http://h/p/l", " Link[2] http://h/m", " Link[1] http://h/p/n", " Refresh http://h/p/r", "body a@href http://h/p/x"}, "<a href=http://h/p/x>", extract.Result{Links: 5, Changed: 1}},
		"Content-Location is no base (RFC 9110 8.7)": {respond("<a href=x>", "Content-Type", "text/html", "Content-Location", "http://other/"),
			[]string{" Content-Location http://other/", "body a@href http://h/p/x"}, "<a href=http://h/p/x>", extract.Result{Links: 2, Changed: 1}},
		"a charset": {respond("<a href='\xe6'>", "Content-Type", "text/html; charset=koi8-r"), []string{"body a@href http://h/p/Ф"}, "<a href='http://h/p/\xe6'>", extract.Result{Links: 1, Changed: 1}},
		"no type":   {respond("<!DOCTYPE html><a href=x>"), []string{"body a@href http://h/p/x"}, "<!DOCTYPE html><a href=http://h/p/x>", extract.Result{Links: 1, Changed: 1}},
		"a body that looks like a response": {respond("HTTP/1.1 302 Found\r\nLocation: http://evil/\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<a href=x>", "Content-Type", "text/html"), []string{"body a@href http://h/p/x"},
			"HTTP/1.1 302 Found\r\nLocation: http://evil/\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<a href=http://h/p/x>", extract.Result{Links: 1, Changed: 1}},
		"a template":   {respond("<a href={{x}}>", "Content-Type", "text/html"), []string{"body a@href "}, "<a href={{x}}>", extract.Result{Links: 1, Unresolved: 1}},
		"no body":      {respond("", "Link", "<l>"), []string{" Link[1] http://h/p/l"}, "", extract.Result{Links: 1}},
		"many records": {respond("From a\nBase: http://b/\nContent-Type: text/html\n\n<a href=x>\n", "Content-Type", "application/mbox"), []string{"message[1]/part[1] a@href http://b/x"}, "From a\nBase: http://b/\nContent-Type: text/html\n\n<a href=http://b/x>\n", extract.Result{Links: 2, Changed: 1}},
		"a line end in a field": {respond("<a href=x>", "Content-Type", "text/html", "Link", "<l\r\n\r\n<a href=no>"),
			[]string{" Link[1] http://h/p/l    <a href=no", "body a@href http://h/p/x"}, "<a href=http://h/p/x>", extract.Result{Links: 2, Changed: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			body, err := io.ReadAll(row.resp.Body)
			require.NoError(t, err)
			again := func() extract.Document {
				row.resp.Body = io.NopCloser(bytes.NewReader(body))
				return httpx.FromResponse(row.resp)
			}
			var x extract.Extractor
			assert.Equal(t, row.links, all(t, x, again()))
			var out strings.Builder
			var edits []int64
			x.OnEdit = func(e extract.Edit) { edits = append(edits, e.Offset) }
			result, err := x.Rewrite(t.Context(), &out, again())
			require.NoError(t, err)
			assert.Equal(t, row.rewrite, out.String())
			assert.Equal(t, []int{row.result.Links, row.result.Changed, row.result.Refused, row.result.Unresolved},
				[]int{result.Links, result.Changed, result.Refused, result.Unresolved})
			for _, at := range edits {
				assert.Less(t, at, int64(len(body)+1), "offsets are those of the body")
				assert.GreaterOrEqual(t, at, int64(0))
			}
			x = extract.Extractor{MaxRecord: 9}
			out.Reset()
			_, err = x.Rewrite(t.Context(), &out, again())
			require.NoError(t, err)
			assert.Equal(t, string(body), out.String(), "longer than the limit")
		})
	}

	packed := respond(Gzipped(t, "<a href=x>"), "Content-Type", "text/html", "Content-Encoding", "gzip", "Link", "<l>")
	var x extract.Extractor
	var out strings.Builder
	result, err := x.Rewrite(t.Context(), &out, httpx.FromResponse(packed))
	require.NoError(t, err)
	assert.Equal(t, [2]int{2, 1}, [2]int{result.Links, result.Changed})
	assert.Equal(t, "<a href=http://h/p/x>", Gunzip(t, out.String()), "the body stays in its coding")
	assert.Equal(t, []string{"<l>"}, packed.Header["Link"])
}

func TestOptions(t *testing.T) {
	const src = `<BASE target=t href=/q/ ><a href=#x><base href=/r/><img data-src=i><meta property=og:image content=o>`
	for _, row := range []struct {
		name string
		w    Walker
		want string
	}{
		{"none", Walker{}, `<BASE target=t href=http://h/q/ ><a href=http://h/q/#x><base href=/r/><img data-src=i><meta property=og:image content=o>`},
		{"fragments kept", Walker{Extractor: extract.Extractor{KeepFragments: true}}, `<BASE target=t href=http://h/q/ ><a href=#x><base href=/r/><img data-src=i><meta property=og:image content=o>`},
		{"base emptied", Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseEmpty}}, `<BASE target=t href="" ><a href=http://h/q/#x><base href=""><img data-src=i><meta property=og:image content=o>`},
		{"base removed, but for its target", Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove}}, `<BASE target=t href="" ><a href=http://h/q/#x><img data-src=i><meta property=og:image content=o>`},
		{"extended", Walker{Extractor: extract.Extractor{Extended: true}}, `<BASE target=t href=http://h/q/ ><a href=http://h/q/#x><base href=/r/><img data-src=http://h/q/i><meta property=og:image content=http://h/q/o>`},
		{"override", Walker{Extractor: extract.Extractor{Override: "http://o/"}}, `<BASE target=t href=http://h/q/ ><a href=http://o/#x><base href=/r/><img data-src=i><meta property=og:image content=o>`},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, Rewrite(t, &row.w, Page(src)))
		})
	}
	fragments := Walker{Extractor: extract.Extractor{KeepFragments: true}}
	assert.Equal(t, `<a href="http://h/p/"><a href=#><a href=http://h/p/?#>`, Rewrite(t, &fragments, Page(`<a href=""><a href=#><a href=?#>`)))
}
