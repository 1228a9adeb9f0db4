package verify_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/mapping"
	"absolink/cmd/absolink/internal/verify"
	"absolink/extract"
	"absolink/internal/commandtest"
	"absolink/resolve"
)

// sample is a document and the settings with which it is rewritten.
type sample struct {
	name   string
	x      extract.Extractor
	d      extract.Document
	config verify.Config
}

// samples returns the documents of testdata: its cases and its other files.
func samples(t *testing.T) (all []sample) {
	files, err := filepath.Glob("../../../../testdata/*/*")
	require.NoError(t, err)
	for _, file := range files {
		folder := filepath.Base(filepath.Dir(file))
		if folder == "script" || strings.HasSuffix(file, ".py") {
			continue
		}
		s := sample{name: folder + "/" + filepath.Base(file), config: verify.Config{Standard: "rfc1808", Base: "keep"}}
		if filepath.Ext(file) == ".txtar" {
			c, err := txtar.ParseFile(file)
			require.NoError(t, err)
			s.read(t, c)
		} else {
			s.d.Name = file
			s.d.Bytes, err = os.ReadFile(file)
			require.NoError(t, err)
			if folder != "saved" {
				s.d.URL = "http://h.example/p/q.html"
			}
		}
		all = append(all, s)
	}
	return all
}

// read reads a case: see testdata/README.md.
func (s *sample) read(t *testing.T, c *txtar.Archive) {
	for _, line := range strings.Split(string(c.Comment), "\n") {
		switch name, value, _ := strings.Cut(line, ": "); name {
		case "add":
			s.x.AddPlaces = strings.Split(value, ",")
			s.config.Added = verify.NewPlaces(s.x.AddPlaces)
		case "archive":
			s.d.Name = "input." + value
		case "site":
			s.d.MemberURL = func(name string) (url, by string) { return value + name, "--site" }
		case "url":
			s.d.URL = value
		case "type":
			s.d.Type = value
		case "standard":
			s.x.Standard, _ = resolve.Lookup(value)
			s.config.Standard = value
		case "extended":
			s.x.Extended, s.config.Extended = value == "yes", value == "yes"
		}
	}
	for _, f := range c.Files {
		if strings.HasPrefix(f.Name, "input.") {
			s.d.Name, s.d.Bytes = f.Name, f.Data
		}
	}
	if s.d.Bytes == nil {
		s.d.Bytes = archiveOf(t, s.d.Name, c)
	}
}

// archiveOf makes the archive of a case with the standard library.
func archiveOf(t *testing.T, name string, c *txtar.Archive) []byte {
	var out bytes.Buffer
	z, w := zip.NewWriter(&out), tar.NewWriter(&out)
	for _, f := range c.Files {
		file, ok := strings.CutPrefix(f.Name, "files/")
		if !ok {
			continue
		}
		var in io.Writer
		var err error
		switch path.Ext(name) {
		case ".tar":
			in, err = w, w.WriteHeader(&tar.Header{Name: file, Mode: 0o644, Size: int64(len(f.Data))})
		case ".gz":
			g := gzip.NewWriter(&out)
			g.Name = file
			in = g
			defer g.Close()
			_, err = g.Write(f.Data)
			require.NoError(t, err)
			require.NoError(t, g.Close())
			continue
		default:
			in, err = z.Create(file)
		}
		require.NoError(t, err)
		_, err = in.Write(f.Data)
		require.NoError(t, err)
	}
	switch path.Ext(name) {
	case ".tar":
		require.NoError(t, w.Close())
	case ".gz":
	default:
		require.NoError(t, z.Close())
	}
	return out.Bytes()
}

// rewritten returns both versions of a sample.
func (s *sample) rewritten(t *testing.T) verify.Document {
	var out bytes.Buffer
	_, err := s.x.Rewrite(context.Background(), &out, s.d)
	require.NoError(t, err, s.name)
	d := verify.Document{Type: s.d.Type, URL: s.d.URL, Old: s.d.Bytes, New: out.Bytes(), TypeOf: typeOf, Links: linksOf(s.x, s.d)}
	if d.Type == "" {
		d.Type = typeOf(s.d.Name, s.d.Bytes)
	}
	if s.d.MemberURL != nil {
		d.MemberURL = func(name string) string { url, _ := s.d.MemberURL(name); return url }
	}
	return d
}

// use sets the rules of --map.
func (s *sample) use(t *testing.T, all ...verify.Rule) {
	var rules mapping.Rules
	for _, r := range all {
		require.NoError(t, rules.Set(r.Old+"="+r.New))
	}
	s.config.Rules = verify.NewRules(all)
	table, err := mapping.New(rules, nil)
	require.NoError(t, err)
	s.x.Map = func(l *extract.Link) (string, bool) {
		out, _, ok := table.Map(nil, l.URL)
		if !ok {
			out = l.URL
		}
		return string(out), true
	}
}

// linksOf returns the links of a document, as the command reads them.
func linksOf(x extract.Extractor, d extract.Document) map[string][]verify.Link {
	links := map[string][]verify.Link{}
	for l, err := range x.Links(context.Background(), d) {
		if err != nil {
			break
		}
		link := verify.Link{Start: l.Offset, End: l.Offset + len(l.Raw), Ref: string(l.Ref), Place: l.Place(), Unresolved: l.Status == extract.StatusUnresolved && l.Part == ""}
		if b := l.Scope.Base(); b != nil {
			link.Base = b.String()
		}
		links[l.Entity.Path] = append(links[l.Entity.Path], link)
	}
	return links
}

func typeOf(name string, head []byte) string {
	if f := extract.Detect("", name, head); f != nil {
		return f.Name
	}
	return ""
}

// unread are the samples with links or documents that no independent parser or resolver can judge.
var unread = strings.Fields("arc/records.txtar emlx/long.txtar emlx/nolength.txtar emlx/short.txtar emlx/truncated.txtar enex/enex.txtar " +
	"har/har.txtar har/headers.txtar har/omitted.txtar html/scriptjson-whatwg.txtar message/encodedlevels.txtar " +
	"http/beforefield.txtar http/headless.txtar http/requests.txtar " +
	"http/types.txtar jsonfeed/feed.txtar jsonfeed/invalid.txtar jsonfeed/late.txtar " +
	"mbox/bare.txtar markdown/around.txtar markdown/html.txtar markdown/message.txtar markdown/readme.txtar " +
	"markdown/spelling.txtar mbox/undated.txtar message/beforeheader.txtar " +
	"message/footer.txtar message/headless.txtar message/lines.txtar message/repeated.txtar message/rich.eml " +
	"message/separator.txtar tar/site.txtar text/lines.txtar " +
	"webarchive/xml.txtar xml/atom.txtar zip/saved.txtar")

// TestNoFalseAlarm: no rewritten document of testdata fails, and only those of unread have a part that is not proved.
func TestNoFalseAlarm(t *testing.T) {
	for _, s := range samples(t) {
		r := s.config.Check(s.rewritten(t))
		if r.Failed != nil {
			t.Errorf("%s: %s", s.name, r.Failed)
		}
		assert.Equal(t, slices.Contains(unread, s.name), len(r.Unable) > 0, "%s: %v", s.name, r.Unable)
	}
}

// TestSettings: nor does one fail when it is rewritten with other settings.
func TestSettings(t *testing.T) {
	for name, set := range map[string]func(s *sample){
		"rfc3986":     func(s *sample) { s.x.Standard, s.config.Standard = resolve.RFC3986, "rfc3986" },
		"whatwg":      func(s *sample) { s.x.Standard, s.config.Standard = resolve.WHATWG, "whatwg" },
		"empty":       func(s *sample) { s.x.BaseURLs, s.config.Base = extract.BaseEmpty, "empty" },
		"remove":      func(s *sample) { s.x.BaseURLs, s.config.Base = extract.BaseRemove, "remove" },
		"keep":        func(s *sample) { s.x.KeepFragments, s.config.KeepFragments = true, true },
		"override":    func(s *sample) { s.x.Override, s.config.Override = "http://over.example/x/", "http://over.example/x/" },
		"extended":    func(s *sample) { s.x.Extended, s.config.Extended = true, true },
		"no-evidence": func(s *sample) { s.x.NoEvidence, s.config.NoEvidence = true, true },
		"canonical":   func(s *sample) { s.x.Canonical, s.config.Canonical = true, true },
		"unarchive":   func(s *sample) { s.x.Unarchive, s.config.Unarchive = true, true },
		"map": func(s *sample) {
			s.use(t, verify.Rule{Old: "http://h", New: "https://n/"}, verify.Rule{Old: "http://h/p/", New: "https://m/q"}, verify.Rule{Old: "http://saved.example/docs", New: "https://s/?p="})
		},
	} {
		links := 0
		for _, s := range samples(t) {
			set(&s)
			r := s.config.Check(s.rewritten(t))
			if links += r.Links; r.Failed != nil {
				t.Errorf("%s: %s: %s", name, s.name, r.Failed)
			}
		}
		assert.Positive(t, links, name)
	}
}

// TestMovedBase: an unchanged link fails if its base changed.
func TestMovedBase(t *testing.T) {
	for _, row := range []struct{ kind, old, new string }{
		{"text/html", `<base href="http://b/"><a href=x>`, `<a href=x>`},
		{"text/html", `<base href="http://b/"><img srcset="x 2x">`, `<img srcset="x 2x">`},
		{"text/html", `<base href="http://b/"><p style="background: url(x)">`, `<p style="background: url(x)">`},
		{"text/html", `<base href="http://b/"><style>@import "x";</style>`, `<style>@import "x";</style>`},
		{"text/html", `<base href="http://b/"><noscript><img src=x></noscript>`, `<noscript><img src=x></noscript>`},
		{"text/html", `<base href="http://b/"><iframe srcdoc="<a href=x>">`, `<iframe srcdoc="<a href=x>">`},
		{"application/xml", `<r xml:base="http://b/"><a href="x"/></r>`, `<r xml:base=""><a href="x"/></r>`},
		{"message/rfc822", "Content-Base: http://b/\nContent-Type: text/html\n\n<a href=x>", "Content-Base: http://c/\nContent-Type: text/html\n\n<a href=x>"},
	} {
		c := verify.Config{Standard: "rfc1808", Base: "remove"}
		d := extract.Document{Type: row.kind, URL: "http://h/", Bytes: []byte(row.old)}
		r := c.Check(verify.Document{Type: row.kind, URL: "http://h/", Old: []byte(row.old), New: []byte(row.new), TypeOf: typeOf, Links: linksOf(extract.Extractor{}, d)})
		assert.NotNil(t, r.Failed, "%s: %+v", row.old, r)
	}
}

// TestLinesOfMail has mailboxes and messages that go-mbox and go-message read differently, with "From " in a text.
// A right rewriting of them is proved, and a wrong one fails.
func TestLinesOfMail(t *testing.T) {
	const from, html = "From a@b Thu Jan  1 00:00:00 2024\n", "Content-Type: text/html\n\n"
	for _, row := range []struct{ kind, old, wrong string }{
		{"application/mbox", from + html + "<a href=x>\n\nFrom here on <a href=y>\n\n" + from + html + "<a href=z>\n", "\n\nFrom here"},
		{"application/mbox", from + "Content-Length: 66\n" + html + "<a href=x>\n\n" + from + "Subject: text\n\n<p>\n" + from + html + "<a href=z>\n", "<p>"},
	} {
		x := extract.Extractor{Standard: resolve.RFC1808}
		s := sample{x: x, d: extract.Document{Type: row.kind, URL: "http://h/", Bytes: []byte(row.old)}}
		d, c := s.rewritten(t), verify.Config{Standard: "rfc1808", Base: "keep"}
		r := c.Check(d)
		assert.Nil(t, r.Failed, row.old)
		assert.Empty(t, r.Unable, row.old)
		assert.Positive(t, r.Links, row.old)
		require.Contains(t, string(d.New), row.wrong)
		d.New = bytes.Replace(d.New, []byte(row.wrong), []byte(">"+row.wrong[1:]), 1)
		assert.NotNil(t, c.Check(d).Failed, row.old)
	}
}

// TestLinksInComments: a document fails if absolink reads a link in a comment.
func TestLinksInComments(t *testing.T) {
	for kind, src := range map[string]string{
		"text/css":      "a{b:url(y)} /* url(x) */",
		"text/html":     "<style>a{b:url(y)} /* url(x) */</style><a href=z>",
		"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'><!-- url(x) --><a href='y'/></svg>",
	} {
		x := extract.Extractor{Standard: resolve.RFC1808}
		s := sample{x: x, d: extract.Document{Type: kind, URL: "http://h/", Bytes: []byte(src)}}
		d, c := s.rewritten(t), verify.Config{Standard: "rfc1808", Base: "keep"}
		assert.Nil(t, c.Check(d).Failed, kind)
		at := strings.Index(src, "x)")
		d.Links[""] = append(d.Links[""], verify.Link{Start: at, End: at + 1, Ref: "x", Base: "http://h/", Place: "url()"})
		d.New = bytes.Replace(d.New, []byte("(x)"), []byte("(http://h/x)"), 1)
		assert.ErrorContains(t, c.Check(d).Failed, "in a comment", kind)
	}
}

// TestAround: what is around the content of files and bodies must stay, too.
func TestAround(t *testing.T) {
	const head, page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", `<a href="/x">x</a>`
	var zipped, tarred bytes.Buffer
	z, w := zip.NewWriter(&zipped), tar.NewWriter(&tarred)
	file, err := z.Create("p.html")
	require.NoError(t, err)
	_, err = file.Write([]byte(page))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, w.WriteHeader(&tar.Header{Name: "p.html", Mode: 0o644, Size: int64(len(page))}))
	_, err = w.Write([]byte(page))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	record := warcRecord("resource", "text/html", page)
	crawl := string(gzipOf(t, record)) + string(gzipOf(t, record))
	replace := func(old, new string) func(s string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	for _, row := range []struct {
		name, old string
		damage    func(s string) string
	}{
		{"a.http", head + "Transfer-Encoding: chunked\r\n\r\n12\r\n" + page + "\r\n0\r\nX: y\r\n\r\n", replace("X: y", "X: z")},
		{"a.http", head + "Content-Encoding: gzip\r\n\r\n" + string(gzipOf(t, page)), replace("\x1F\x8B\x08\x00\x00", "\x1F\x8B\x08\x00\x01")},
		{"a.zip", "program" + zipped.String(), replace("program", "progrem")},
		{"a.zip", zipped.String(), replace("p.html", "P.html")},
		{"a.tar", tarred.String(), func(s string) string { return s + "junk" }},
		{"a.tar", tarred.String(), func(s string) string { return s[:1024] }},
		{"a.warc.gz", crawl, func(s string) string {
			in, err := gzip.NewReader(strings.NewReader(s))
			require.NoError(t, err)
			text, err := io.ReadAll(in)
			require.NoError(t, err)
			return string(gzipOf(t, string(text[:20]))) + string(gzipOf(t, string(text[20:])))
		}},
	} {
		s := sample{config: verify.Config{Standard: "rfc1808", Base: "keep"}, d: extract.Document{Name: row.name, Bytes: []byte(row.old)}}
		if row.name == "a.http" {
			s.d.URL = "http://h/"
		} else {
			s.d.MemberURL = func(name string) (url, by string) { return "http://h/" + name, "--site" }
		}
		d := s.rewritten(t)
		r := s.config.Check(d)
		assert.Nil(t, r.Failed, row.name)
		assert.Empty(t, r.Unable, row.name)
		assert.Positive(t, r.Links, row.name)
		old := string(d.New)
		d.New = []byte(row.damage(old))
		assert.NotEqual(t, old, string(d.New), row.name)
		assert.NotNil(t, s.config.Check(d).Failed, "%s: %q", row.name, d.New)
	}
}

// TestHTML5Lib: no page from the html5lib tests fails, malformed as they are.
func TestHTML5Lib(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(commandtest.Module(t, "golang.org/x/net", "html/testdata/html5lib-tests/tree-construction"), "*.dat"))
	require.NoError(t, err)
	proved, unable := 0, 0
	for _, file := range files {
		tests, err := os.ReadFile(file)
		require.NoError(t, err)
		for test := range strings.SplitSeq("\n"+string(tests), "\n#data\n") {
			text, _, ok := strings.Cut(test, "\n#errors")
			if !ok {
				continue
			}
			for _, page := range []string{text + "<a href=x>y</a><img src=z>", "<base href=q/>" + text + "<a href=x>"} {
				s := sample{name: filepath.Base(file), config: verify.Config{Standard: "rfc1808"}}
				s.d = extract.Document{Type: "text/html", URL: "http://h.example/a/b", Bytes: []byte(page)}
				r := s.config.Check(s.rewritten(t))
				if r.Failed != nil {
					t.Errorf("%s: %s: %s", s.name, page, r.Failed)
				}
				proved, unable = proved+r.Links, unable+len(r.Unable)
			}
		}
	}
	assert.Greater(t, proved, 5000)
	assert.Zero(t, unable)
}
