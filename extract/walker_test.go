package extract_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
	"absolink/resolve"
)

// Other documents can be read while a Stream is open.
func TestStreams(t *testing.T) {
	of := func(name string) extract.Document {
		var mbox strings.Builder
		for i := range 20 {
			fmt.Fprintf(&mbox, "From a@b Thu Jan  1 00:00:00 1970\nBase: <URL:http://%s/>\nContent-Type: text/html\n\n<a href=%d>%s\n\n", name, i, strings.Repeat("x", 2000))
		}
		return extract.Document{Name: name + ".mbox", Reader: strings.NewReader(mbox.String())}
	}
	page := func() extract.Document {
		return extract.Document{Name: "a.html", URL: "http://page/", Reader: strings.NewReader("<a href=x>")}
	}

	var w Walker
	var links, meanwhile []string
	list := func(l *extract.Link) error { links = append(links, string(l.URL)); return nil }
	one, err := w.Open(of("one"), nil)
	require.NoError(t, err)
	two, err := w.Open(of("two"), nil)
	require.NoError(t, err)
	single, err := w.Open(page(), nil)
	require.NoError(t, err)
	for rec, err := range one.Records() {
		require.NoError(t, err)
		require.NoError(t, w.Links(page(), func(l *extract.Link) error { meanwhile = append(meanwhile, string(l.URL)); return nil }))
		require.NoError(t, w.Links(rec.Document(), list))
	}
	assert.Greater(t, len(meanwhile), 1)
	for _, s := range []*extract.Stream{two, single} {
		for rec, err := range s.Records() {
			require.NoError(t, err)
			require.NoError(t, w.Links(rec.Document(), list))
		}
	}
	var want []string
	for i := range 40 {
		want = append(want, fmt.Sprintf("http://%s/%d", []string{"one", "two"}[i/20], i%20))
	}
	assert.Equal(t, append(want, "http://page/x"), links)

	good := Gzipped(t, WARCResponse("http://w/", "<a href=x>"))
	rest := good[:len(good)-8] + strings.Repeat("damaged!", 1<<17)
	var out bytes.Buffer
	archive, err := w.Open(extract.Document{Name: "a.warc.gz", Reader: strings.NewReader(good + rest)}, &out)
	require.NoError(t, err)
	for rec, err := range archive.Records() {
		require.NoError(t, err)
		var rewritten bytes.Buffer
		require.NoError(t, w.Rewrite(&rewritten, rec.Document()))
		require.NoError(t, archive.Put(rec, rewritten.Bytes()))
	}
	require.NoError(t, w.Links(page(), list))
	require.NoError(t, archive.Close())
	assert.True(t, strings.HasSuffix(out.String(), rest))
}

// Each method calls OnRecord once for each record that is read.
func TestOnRecord(t *testing.T) {
	const absolute, relative = "From a Thu Jan  1 00:00:00 1970\n\nhttp://h/\n\n", "From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=x>\n\n"
	warc := WARCResponse("http://w/", "<a href=x>")
	for _, row := range []struct {
		name, src string
		want      int
	}{
		{"a.mbox", absolute + relative + absolute, 3},
		{"unchanged.mbox.gz", Gzipped(t, absolute+absolute), 2},
		{"changed.mbox.gz", Gzipped(t, absolute+relative+absolute), 3},
		{"damaged.warc.gz", Gzipped(t, warc) + Gzipped(t, warc)[:60] + "damaged", 1},
		{"a.warc.gz", Gzipped(t, warc) + Gzipped(t, warc), 2},
		{"a.tar", TarFile("a.html", "<a href=x>") + TarFile("a.png", "PNG") + TarEnd, 3}, // one is the end
		{"a.html", "<a href=x>", 0},
		{"a.html.gz", Gzipped(t, "<a href=x>"), 0},
	} {
		d := func() extract.Document {
			return extract.Document{Name: row.name, URL: "http://h/", Reader: strings.NewReader(row.src)}
		}
		n := 0
		x := extract.Extractor{OnRecord: func() { n++ }, OnLink: func(*extract.Link) {}, OnProblem: func(extract.Problem) {}}
		counted := func(method string) {
			assert.Equal(t, row.want, n, "%s: %s", row.name, method)
			n = 0
		}
		_, err := x.Rewrite(t.Context(), io.Discard, d())
		require.NoError(t, err, row.name)
		counted("Rewrite")
		for _, err := range x.Links(t.Context(), d()) {
			require.NoError(t, err, row.name)
		}
		counted("Links")
		for _, err := range x.Bases(t.Context(), d()) {
			require.NoError(t, err, row.name)
		}
		counted("Bases")
		for rec, err := range x.Records(t.Context(), d()) {
			require.NoError(t, err, row.name)
			_, err := x.Rewrite(t.Context(), io.Discard, rec.Document())
			require.NoError(t, err, row.name)
		}
		counted("Records")
	}
}

// A document begins at the current offset of its Reader, even if it is read twice.
func TestFromHere(t *testing.T) {
	first, second := Gzipped(t, "<a href=first>"), Gzipped(t, "<a href=second>")
	for _, front := range []string{first, "no gzip"} {
		in := bytes.NewReader([]byte(front + second))
		begin := func() extract.Document {
			_, err := in.Seek(int64(len(front)), io.SeekStart)
			require.NoError(t, err)
			return extract.Document{Name: "a.html.gz", URL: "http://h/", Reader: in}
		}
		var w Walker
		var out bytes.Buffer
		require.NoError(t, w.Rewrite(&out, begin()))
		assert.Equal(t, "<a href=http://h/second>", Gunzip(t, out.String()))

		d := begin()
		d.URL = "" // without a base nothing changes
		out.Reset()
		require.NoError(t, w.Rewrite(&out, d))
		assert.Equal(t, second, out.String())
	}
}

// A URLError says why a URL from the caller is refused.
func TestURLError(t *testing.T) {
	for _, row := range []struct {
		url, override, what string
		is                  error
	}{
		{url: "http://[x/", what: "retrieval URL", is: resolve.ErrMalformed},
		{url: "http://h/", override: "http://[x/", what: "override URL", is: resolve.ErrMalformed},
		{url: "p/q", what: "retrieval URL"},
		{url: "data:,x", what: "retrieval URL"},
	} {
		w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG, Override: row.override}}
		err := w.Links(extract.Document{Name: "a.html", URL: row.url}, func(*extract.Link) error { return nil })
		var refused *extract.URLError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, row.what, refused.What)
		if row.is != nil {
			assert.ErrorIs(t, err, row.is)
		}
	}
}

// A write error is returned wherever it occurs, so a truncated file is never taken for a complete one.
func TestWritingFails(t *testing.T) {
	page := "<a href=x>" + strings.Repeat("text ", 30)
	for _, row := range []struct {
		name, src string
		w         Walker
	}{
		{"a.html", page, Walker{}},
		{"long.html", page, Walker{Extractor: extract.Extractor{MaxRecord: 20}}}, // copied and not read
		{"a.html.gz", Gzipped(t, page), Walker{}},
		{"a.mbox", "From a@b Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n" + page, Walker{}},
		{"a.warc.gz", Gzipped(t, WARCResponse("http://w/", page)) + Gzipped(t, WARCResponse("http://w/", "no link")), Walker{}},
		{"b.warc.gz", Gzipped(t, WARCResponse("http://w/", "no link")) + Gzipped(t, WARCResponse("http://w/", page)), Walker{}},
		{"a.tar", TarFile("a.html", page) + TarEnd, Walker{}},
	} {
		d := extract.Document{Name: row.name, URL: "http://h/", Bytes: []byte(row.src)}
		whole := len(Rewrite(t, &row.w, d))
		for n := 0; n < whole; n += longtest.Or(3, 1) {
			d := d
			if n%2 == 1 {
				d.Bytes, d.Reader = nil, strings.NewReader(row.src)
			}
			err := row.w.Rewrite(&fullDisk{room: n}, d)
			require.ErrorIs(t, err, errDiskFull, "%s: %d of %d bytes were written", row.name, n, whole)
		}
		require.NoError(t, row.w.Rewrite(&fullDisk{room: whole}, d), row.name)
	}
}

var errDiskFull = errors.New("the disk is full")

type fullDisk struct{ room int }

func (f *fullDisk) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	if f.room -= n; n < len(b) {
		return n, errDiskFull
	}
	return n, nil
}

// A document that is not of its declared type is reported, because nothing can be found in it.
func TestOtherType(t *testing.T) {
	for mediaType, code := range map[string]extract.Code{
		"application/gzip": extract.CodeUndecodable, "application/zstd": extract.CodeUndecodable, "application/bzip2": extract.CodeUndecodable,
		"application/har+json": extract.CodeRecordTruncated, "application/x-webarchive": extract.CodeRecordTruncated,
		"application/zip": extract.CodeRecordTruncated, "application/x-tar": extract.CodeRecordTruncated, "application/warc": extract.CodeRecordTruncated,
	} {
		var problems []extract.Code
		w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		d := extract.Document{Type: mediaType, Bytes: []byte("hello world\n")}
		assert.Equal(t, string(d.Bytes), Rewrite(t, &w, d))
		assert.Equal(t, []extract.Code{code}, problems, mediaType)
	}
}

// The problems of a damaged document do not depend on what the walker has read before.
func TestDamagedIsRead(t *testing.T) {
	var problems []string
	w := Walker{Extractor: extract.Extractor{OnProblem: func(p extract.Problem) { problems = append(problems, p.Detail) }}}
	require.NoError(t, w.Rewrite(io.Discard, extract.Document{Name: "a.html", Bytes: []byte("<a href=x>"), URL: "http://h/"}))
	packed := Gzipped(t, "<a href=x>")
	in, err := w.Open(extract.Document{Name: "a.html.gz", Bytes: []byte(packed[:len(packed)-1])}, nil)
	require.NoError(t, err)
	for _, err := range in.Records() {
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"gzip: unexpected EOF; the rest is not read"}, problems)
}

// A read error is returned as a read error, wherever it occurs in a compressed file.
func TestReadingFails(t *testing.T) {
	packed := Gzipped(t, "<a href=x>")
	for name, src := range map[string]string{
		"cut off":    packed[:len(packed)-4],
		"damaged":    packed[:len(packed)-8] + "damaged!",
		"dictionary": "\x5D\x2A\x4D\x18\xFF\xFF\x00\x00", // of zstd, with a length that is more than the rest of the file
	} {
		failed := errors.New("the network is down")
		in := io.MultiReader(strings.NewReader(src+strings.Repeat(" ", 2000)), iotest.ErrReader(failed))
		var w Walker
		err := w.Links(extract.Document{Type: "text/html", Reader: in}, func(*extract.Link) error { return nil })
		assert.ErrorIs(t, err, failed, name)
	}
}

func TestPlaces(t *testing.T) {
	var w Walker
	d := Page("<p>\n<a href=x><iframe srcdoc='\n<img src=&quot;y&quot;>'>")
	var got []string
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		line, column := l.Position()
		start, end := l.DocumentSpan()
		got = append(got, fmt.Sprint(l.Entity.Path, " ", l.Offset, " ", line, ":", column, " ", start, "-", end, " ", string(l.Raw)))
		return nil
	}))
	assert.Equal(t, []string{" 12 2:9 12-13 x", "iframe@srcdoc[1] 11 2:11 46-47 y"}, got)
}

type countingWriter struct{ calls, bytes int }

func (c *countingWriter) Write(p []byte) (int, error) {
	c.calls, c.bytes = c.calls+1, c.bytes+len(p)
	return len(p), nil
}

// A page with many links takes few calls of Write.
func TestRewriteGathers(t *testing.T) {
	page := []byte(strings.Repeat("<a href=x>", 10_000) + "<p>" + strings.Repeat("text ", 100_000))
	var out countingWriter
	w := Walker{}
	require.NoError(t, w.Rewrite(&out, extract.Document{Name: "a.html", URL: "http://h/", Bytes: page}))
	assert.Equal(t, len(page)+10_000*len("http://h/"), out.bytes)
	assert.Less(t, out.calls, 10)
}

// A base that is also a link is listed with the base that it was resolved against.
func TestBaseAsLink(t *testing.T) {
	for _, row := range []struct{ typ, src, want string }{
		{"message/http", "HTTP/1.1 200 OK\nContent-Base: b/\nLink: <c>\n\n",
			"Content-Base b/ http://h/p/ retrieval http://h/p/b/\nLink[1] c http://h/p/b/ embedded http://h/p/b/c\n"},
		{"message/rfc822", "Content-Location: l\nContent-Base: b/\n\n",
			"Content-Location l http://h/p/b/ embedded http://h/p/b/l\nContent-Base b/ http://h/p/l embedded http://h/p/b/\n"},
		{"application/xml", `<x xml:base="b/" href="c"/>`,
			"x@xml:base b/ http://h/p/ retrieval http://h/p/b/\nx@href c http://h/p/b/ embedded http://h/p/b/c\n"},
	} {
		var w Walker
		got := ""
		require.NoError(t, w.Links(extract.Document{URL: "http://h/p/", Type: row.typ, Bytes: []byte(row.src)}, func(l *extract.Link) error {
			got += fmt.Sprintf("%s %s %s %s %s\n", l.Place(), l.Ref, l.Scope.Base(), l.Scope.Layer(), l.URL)
			return nil
		}))
		assert.Equal(t, row.want, got, row.typ)
		w.Places = []string{"Content-Base[1]", "Content-Location[1]", "x@xml:base[1]"}
		assert.Empty(t, Links(t, &w, extract.Document{URL: "http://h/p/", Type: row.typ, Bytes: []byte(row.src)}), "a base has no number")
	}
}
