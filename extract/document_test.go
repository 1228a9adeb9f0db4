package extract_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/httpx"
	. "absolink/extract/internal/extracttest"
)

// A Document is no more than its exported fields, whoever returned it: each can be replaced.
func TestDocumentFields(t *testing.T) {
	record := func(d extract.Document) (rec extract.Document) {
		s, err := new(extract.Extractor).Open(t.Context(), d, nil)
		require.NoError(t, err)
		for r, err := range s.Records() {
			require.NoError(t, err)
			rec = r.Document()
		}
		return rec
	}
	plain := func(page string) string { return page }
	message := func(page string) string { return "From a\nContent-Type: text/html\n\n" + page }
	archived := func(page string) string { return WARCResponse("http://h/p/", page) }
	// set changes the document before it goes through the constructor.
	for name, of := range map[string]struct {
		content func(page string) string
		from    func(content string, set func(*extract.Document)) extract.Document
	}{
		"by hand": {plain, func(content string, set func(*extract.Document)) extract.Document {
			d := extract.Document{Type: "text/html", Bytes: []byte(content)}
			set(&d)
			return d
		}},
		"FromResponse": {plain, func(content string, set func(*extract.Document)) extract.Document {
			d := httpx.FromResponse(respond(content, "Content-Type", "text/html"))
			set(&d)
			return d
		}},
		"a record that is a page": {plain, func(content string, set func(*extract.Document)) extract.Document {
			d := extract.Document{Type: "text/html; charset=utf-8", Bytes: []byte(content)}
			set(&d)
			return record(d)
		}},
		"a record that is a response": {plain, func(content string, set func(*extract.Document)) extract.Document {
			d := httpx.FromResponse(respond(content, "Content-Type", "text/html", "Link", "<http://l/>"))
			set(&d)
			return record(d)
		}},
		"a record of an mbox": {message, func(content string, set func(*extract.Document)) extract.Document {
			d := extract.Document{Name: "a.mbox", Bytes: []byte(content)}
			set(&d)
			return record(d)
		}},
		"a compressed record of an archive": {archived, func(content string, set func(*extract.Document)) extract.Document {
			d := extract.Document{Name: "a.warc.gz", Bytes: []byte(Gzipped(t, content))}
			set(&d)
			return record(d)
		}},
	} {
		with := func(set func(*extract.Document)) extract.Document {
			return of.from(of.content("<a href=o>"), func(d *extract.Document) { d.URL = "http://h/p/"; set(d) })
		}
		nothing := func(*extract.Document) {}
		replace := func(set func(*extract.Document)) extract.Document {
			d := with(nothing)
			set(&d)
			return d
		}
		seen := func(d extract.Document) string {
			s := ""
			for l, err := range new(extract.Extractor).Links(t.Context(), d) {
				require.NoError(t, err)
				s += fmt.Sprintln(l.Entity.Document, l.Entity.Path, l.Place(), string(l.URL), l.Scope.Layer(), l.Scope.By())
			}
			return s
		}
		rewritten := func(d extract.Document) string {
			var out bytes.Buffer
			_, err := new(extract.Extractor).Rewrite(t.Context(), &out, d)
			require.NoError(t, err)
			if bytes.HasPrefix(out.Bytes(), []byte("\x1f\x8b")) {
				return Gunzip(t, out.String())
			}
			return out.String()
		}
		replaced := of.content("<a href=n>")
		tested := map[string]bool{}
		for field, set := range map[string]func(*extract.Document){
			"Name":  func(d *extract.Document) { d.Name = "replaced" + path.Ext(d.Name) },
			"URL":   func(d *extract.Document) { d.URL = "http://replaced/" },
			"URLBy": func(d *extract.Document) { d.URLBy = "replaced" },
			"Evidence": func(d *extract.Document) {
				d.Evidence = []extract.Evidence{{URL: "http://replaced/", By: "evidence"}}
				d.URL = ""
			},
			"FileURL": func(d *extract.Document) {
				d.FileURL = func(string) (string, string, bool) { return "http://replaced/", "replaced", true }
			},
			"RecordedURL": func(d *extract.Document) { d.RecordedURL = func(string) string { return "http://replaced/" } },
			"MemberURL": func(d *extract.Document) {
				d.MemberURL = func(string) (string, string) { return "http://replaced/", "member" }
				d.URL = ""
			},
			"Beside": func(d *extract.Document) { d.Beside = func(string) bool { return true } },
			"Local":  func(d *extract.Document) { d.Local = extract.LocalFiles(slices.Values([]string{d.Name})) },
		} {
			tested[field] = true
			got := seen(replace(set))
			assert.Equal(t, seen(with(set)), got, "%s: %s", name, field)
			if field == "Name" || field == "URL" {
				assert.Contains(t, got, "replaced", name)
			}
		}
		for field, set := range map[string]func(*extract.Document){
			"Bytes":  func(d *extract.Document) { d.Bytes = []byte(replaced) },
			"Reader": func(d *extract.Document) { d.Bytes, d.Reader = nil, iotest.OneByteReader(strings.NewReader(replaced)) },
		} {
			tested[field] = true
			assert.Equal(t, of.content("<a href=http://h/p/n>"), rewritten(replace(set)), "%s: %s", name, field)
		}
		assert.Empty(t, rewritten(replace(func(d *extract.Document) { d.Bytes, d.Reader = nil, nil })), "%s: without content", name)
		tested["Type"], tested["Header"] = true, true
		require.Contains(t, seen(with(nothing)), "a@href", name)
		assert.NotContains(t, seen(replace(func(d *extract.Document) { d.Type = "text/css" })), "a@href", name)
		got := seen(replace(func(d *extract.Document) {
			d.Type = "" // the type of many records has no header
			d.Header = http.Header{"Content-Type": {"text/html"}, "Link": {"<replaced>"}}
		}))
		assert.Contains(t, got, " Link[1] http://h/p/replaced ", name)
		assert.NotContains(t, got, "http://l/", name)
		got = seen(replace(func(d *extract.Document) { d.Header, d.Type = nil, "text/html" }))
		assert.Contains(t, got, "a@href", name)
		assert.NotContains(t, got, "Link[1]", name)
		for l, err := range new(extract.Extractor).Links(t.Context(), replace(func(d *extract.Document) { d.Header, d.Type = nil, "image/png" })) {
			assert.Fail(t, "a link in a picture", "%s: %v, %v", name, l, err)
		}
		for _, field := range reflect.VisibleFields(reflect.TypeFor[extract.Document]()) {
			assert.True(t, !field.IsExported() || tested[field.Name], field.Name)
		}
	}
}

// shortWriter writes at most n bytes of each write, and returns no error, which an io.Writer must not do.
type shortWriter struct{ n int }

func (w shortWriter) Write(p []byte) (int, error) { return min(len(p), w.n), nil }

// Writing less than was given is an error. Without a writer, nothing is read.
func TestWriters(t *testing.T) {
	var x extract.Extractor
	response := WARCResponse("http://h/", "<a href=x>")
	for _, d := range []extract.Document{
		{Name: "a.html", URL: "http://h/", Bytes: []byte("<a href=x>")},
		{Name: "a.html", URL: "http://h/", Bytes: []byte("<p>" + strings.Repeat("<a href=x>", 1<<15))},
		{Name: "a.html.gz", URL: "http://h/", Bytes: []byte(Gzipped(t, "<a href=x>"))},
		{Name: "unchanged.html.gz", Bytes: []byte(Gzipped(t, "<p>"))},
		{Name: "a.warc", Bytes: []byte(response)},
		{Name: "a.warc.gz", Bytes: []byte(Gzipped(t, response))},
		{Name: "a.tar", URL: "http://h/", Bytes: []byte(TarFile("a.html", "<a href=x>") + TarEnd)},
	} {
		_, err := x.Rewrite(t.Context(), shortWriter{1}, d)
		assert.ErrorIs(t, err, io.ErrShortWrite, d.Name)

		src := bytes.NewReader(d.Bytes)
		d.Bytes, d.Reader = nil, src
		_, err = x.Rewrite(t.Context(), nil, d)
		assert.ErrorContains(t, err, "the writer is nil", d.Name)
		assert.EqualValues(t, src.Size(), src.Len(), "nothing is read")

		for dst, want := range map[io.Writer]string{nil: "the writer is nil", shortWriter{1}: io.ErrShortWrite.Error()} {
			src.Seek(0, io.SeekStart)
			s, err := x.Open(t.Context(), d, dst)
			for rec := range s.Records() {
				if err == nil && rec.Type != "" {
					err = s.Put(rec, rec.Bytes)
				}
			}
			if err == nil {
				err = s.Close() // a compressor writes at the end
			}
			assert.ErrorContains(t, err, want, d.Name)
		}
	}
}

// A record that is lost or written twice is an error.
func TestStreamIncomplete(t *testing.T) {
	const mbox = "From a Thu Jan  1 00:00:00 1970\n\nhttp://h/1\n\nFrom a Thu Jan  1 00:00:00 1970\n\nhttp://h/2\n"
	for _, row := range []struct {
		name string
		puts []int // how often each record is put; a record without a number ends the loop
		want string
	}{
		{"whole", []int{1, 1}, ""},
		{"nothing is read", nil, "not every record was put"},
		{"the loop is left", []int{1}, "not every record was put"},
		{"the last is missing", []int{1, 0}, "not every record was put"},
		{"the first is missing", []int{0, 1}, "record 2 cannot be put: the next one is 1"},
		{"one twice", []int{2, 1}, "record 1 cannot be put: the next one is 2"},
	} {
		var out strings.Builder
		s, err := new(extract.Extractor).Open(t.Context(), extract.Document{Name: "a.mbox", Bytes: []byte(mbox)}, &out)
		require.NoError(t, err)
		puts := row.puts
		if puts != nil {
			for rec := range s.Records() {
				for range puts[0] {
					err = cmp.Or(err, s.Put(rec, rec.Bytes))
				}
				if puts = puts[1:]; len(puts) == 0 && len(row.puts) < 2 {
					break
				}
			}
		}
		if err = cmp.Or(err, s.Close()); row.want == "" {
			assert.NoError(t, err)
			assert.Equal(t, mbox, out.String())
		} else {
			assert.ErrorContains(t, err, row.want, row.name)
		}
	}
}

// A pattern of Places that no link can fit is an error before anything is read.
func TestPlacesOfNothing(t *testing.T) {
	src := strings.NewReader("<a href=x>")
	d := extract.Document{Name: "a.html", Reader: src}
	rec := extract.Document{}
	for r, err := range new(extract.Extractor).Records(t.Context(), extract.Document{Name: "a.html", Bytes: []byte("<a href=x>")}) {
		require.NoError(t, err)
		rec = r.Document()
	}
	x := extract.Extractor{Places: []string{"a@href", "img@hreff"}}
	for range 2 { // the second time, the kept result of the check
		for name, read := range map[string]func() error{
			"Links": func() (last error) {
				for _, err := range x.Links(t.Context(), d) {
					last = err
				}
				return last
			},
			"Bases": func() (last error) {
				for _, err := range x.Bases(t.Context(), rec) {
					last = err
				}
				return last
			},
			"Records": func() (last error) {
				for _, err := range x.Records(t.Context(), d) {
					last = err
				}
				return last
			},
			"Rewrite":             func() error { _, err := x.Rewrite(t.Context(), io.Discard, d); return err },
			"Rewrite of a record": func() error { _, err := x.Rewrite(t.Context(), io.Discard, rec); return err },
			"Open":                func() error { _, err := x.Open(t.Context(), d, nil); return err },
		} {
			assert.EqualError(t, read(), `"img@hreff" is not the name of a place`, name)
			assert.EqualValues(t, src.Size(), src.Len(), name)
		}
	}
	x.Places = x.Places[:1]
	assert.Equal(t, []string{" a@href http://h/x"}, all(t, x, extract.Document{Name: "a.html", URL: "http://h/", Bytes: []byte("<a href=x>")}))
}

// With KeepDKIM, a message with a DKIM signature or an ARC seal stays unchanged with all that it contains. Others do not.
func TestKeepDKIM(t *testing.T) {
	const dkim = "DKIM-Signature: v=1\n"
	message := func(fields, mediaType, body string) string {
		return fields + "Content-Type: " + mediaType + "\n\n" + body
	}
	page := func(fields, ref string) string { return message(fields, "text/html", "<a href="+ref+">") }
	const most, base = "<base href=o/>", "<base href=http://h/o/>"
	for name, row := range map[string]struct {
		src, want string
		problems  []string
	}{
		"no signature":                {page("", "x"), page("", "http://h/x"), nil},
		"a signature":                 {page(dkim, "x"), page(dkim, "x"), []string{""}},
		"a seal of ARC":               {page("ARC-Seal: i=1\n", "x"), page("ARC-Seal: i=1\n", "x"), []string{""}},
		"only a fragment that stays":  {message(dkim, "text/html", "<img usemap=#x>"), message(dkim, "text/html", "<img usemap=#x>"), nil},
		"nothing to rewrite":          {page(dkim, "http://h/x"), page(dkim, "http://h/x"), nil},
		"a field and a base":          {page(dkim+"Content-Base: b/\nLink: <l>\n", "x"), page(dkim+"Content-Base: b/\nLink: <l>\n", "x"), []string{""}},
		"a message inside it":         {message(dkim, "message/rfc822", page("", "x")), message(dkim, "message/rfc822", page("", "x")), []string{""}},
		"a signed message inside it":  {message(dkim, "message/rfc822", page(dkim, "x")), message(dkim, "message/rfc822", page(dkim, "x")), []string{""}},
		"an mbox inside it":           {message(dkim, "application/mbox", "From a\n"+page("", "x")), message(dkim, "application/mbox", "From a\n"+page("", "x")), []string{""}},
		"it is in another message":    {message("Link: <l>\n", "message/rfc822", page(dkim, "x")), message("Link: <http://h/l>\n", "message/rfc822", page(dkim, "x")), []string{"part[1]"}},
		"a BASE element stays":        {message(dkim, "text/html", most+"<a href=x>"), message(dkim, "text/html", most+"<a href=x>"), []string{""}},
		"a BASE element is rewritten": {message("", "text/html", most+"<a href=x>"), message("", "text/html", base+"<a href=http://h/o/x>"), nil},
	} {
		var problems, links, mapped []string
		x := extract.Extractor{KeepDKIM: true,
			OnProblem: func(p extract.Problem) {
				if p.Code == extract.CodeSignatureWouldBreak {
					problems = append(problems, p.Entity)
					assert.Equal(t, extract.SeverityNote, p.Severity)
				}
			},
			OnLink: func(l *extract.Link) {
				links = append(links, fmt.Sprint(l.Entity.Path, " ", l.Place(), " ", string(l.URL)))
			}}
		d := extract.Document{Name: "a.eml", URL: "http://h/", Bytes: []byte(row.src)}
		var out strings.Builder
		_, err := x.Rewrite(t.Context(), &out, d)
		require.NoError(t, err)
		assert.Equal(t, row.want, out.String(), name)
		assert.Equal(t, row.problems, problems, name)
		assert.Equal(t, all(t, x, d), links, name)

		// Map is called even if the message stays. If it would change no link, there is nothing to report.
		for _, maps := range []bool{true, false} {
			problems, mapped = nil, nil
			x.Map = func(l *extract.Link) (string, bool) {
				mapped = append(mapped, string(l.URL))
				return string(l.URL), maps
			}
			out.Reset()
			_, err = x.Rewrite(t.Context(), &out, d)
			require.NoError(t, err)
			assert.Equal(t, name != "only a fragment that stays", len(mapped) > 0, name)
			if !maps {
				assert.Equal(t, row.src, out.String(), name)
				assert.Empty(t, problems, name)
				continue
			}
			assert.Equal(t, row.want, out.String(), name)
			assert.Equal(t, row.problems, problems, name)
		}
	}
}
