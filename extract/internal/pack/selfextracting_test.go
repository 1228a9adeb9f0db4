package pack_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

const (
	sfxManifest = `{"originalUrl": "http://h/p/", "title": "t", "indexFilename": "index.html"}`
	sfxPage     = "<!DOCTYPE html><img src=0.png><a href=x>"
)

// selfExtracting returns a page with an archive between before and after, whose offsets start at the page. comment is the
// comment of the archive.
func selfExtracting(t *testing.T, before, after, comment string, files ...zipEntry) string {
	var b bytes.Buffer
	b.WriteString(before)
	w := zip.NewWriter(&b)
	w.SetOffset(int64(b.Len()))
	require.NoError(t, w.SetComment(comment))
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Flags: f.flags}
		if f.deflate {
			h.Method = zip.Deflate
		}
		in, err := w.CreateHeader(h)
		require.NoError(t, err)
		_, err = io.WriteString(in, f.data)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.String() + after
}

func sfxFiles(dir string) []zipEntry {
	return []zipEntry{{name: dir + "index.html", data: sfxPage, deflate: true}, {name: dir + "manifest.json", data: sfxManifest, deflate: true}, {name: dir + "0.png", data: "PNG"}}
}

// TestSelfExtracting has the forms of a self-extracting page. Its bytes make it one, not its name.
func TestSelfExtracting(t *testing.T) {
	const start, end = "<!DOCTYPE html><html data-sfz><meta charset=windows-1252><link rel=canonical href=c><body hidden><script></script>", "</body></html>"
	plain := strings.Replace(start, " data-sfz", "", 1)
	const extra = "<sfz-extra-data>Y2Bg</sfz-extra-data>"
	long := strings.Repeat("x", 65535-len(end))
	pdf := selfExtracting(t, start+"<!--", "--><a href=z><!--", "", zipEntry{name: "page.pdf", data: "%PDF-1.7"})
	pdf = pdf[:strings.Index(pdf, "PK\x01\x02")] + "--><a href=z><!--"
	inside := []string{"index.html img@src (local-copy)", "index.html a@href http://h/p/x"}
	around := []string{" link@href http://u/c"}
	for _, row := range []struct {
		name, src string
		want      []string
		problem   string // besides the notes not-read and local-copy
	}{
		{"in a comment", selfExtracting(t, start+"<!--", "-->"+end, "", sfxFiles("")...), inside, ""},
		{"universal", selfExtracting(t, start+"<!--sfz-data", "-->"+extra+end, "", sfxFiles("")...), inside, ""},
		{"universal, with long recovery data before the archive", selfExtracting(t, start+extra+strings.Repeat(" ", 1<<17)+"<!--", "-->"+end, "", sfxFiles("")...), inside, ""},
		{"in noscript", selfExtracting(t, start+"<noscript>", "</noscript>"+extra+end, "", sfxFiles("")...), inside, ""},
		{"in plaintext, at the end", selfExtracting(t, start+extra+"<plaintext>", "", "", sfxFiles("")...), inside, ""},
		{"the end is the comment of the archive", selfExtracting(t, start+"<!--", "", "-->"+extra+end, sfxFiles("")...), inside, ""},
		{"the longest end", selfExtracting(t, start+"<!--", long+end, "", sfxFiles("")...), inside, ""},
		{"a byte order mark", selfExtracting(t, "\uFEFF"+start+"<!--", "-->"+end, "", sfxFiles("")...), inside, ""},
		{"offsets that count from the archive", start + "<!--" + selfExtracting(t, "", "-->"+end, "", sfxFiles("")...), inside, ""},
		{"another loader", selfExtracting(t, "<title>x</title><script></script><!--", "-->"+end, "", sfxFiles("")...), inside, ""},
		{"in a PNG", selfExtracting(t, "\x89PNG\r\n\x1a\n\x00\x00\x00\x0DIHDR0123456789abc\x00\x00\x00\xFFtEXtPNG\x00<html data-sfz><meta charset=windows-1252><body hidden><!--", "-->"+extra+"\x00\x00\x00\x00IEND\xAE\x42\x60\x82", "", sfxFiles("")...), inside, ""},
		{"with a PDF", selfExtracting(t, pdf, "-->"+end, "", sfxFiles("")...), inside, ""},
		{"in a folder", selfExtracting(t, start+"<!--", "-->"+end, "", sfxFiles("1577836800000_0/")...), []string{"1577836800000_0/index.html img@src (local-copy)", "1577836800000_0/index.html a@href http://h/p/x"}, ""},
		{"several pages", selfExtracting(t, start+"<!--", "-->"+end, "", append(sfxFiles(""), sfxFiles("pages/2/")...)...),
			append(inside[:2:2], "pages/2/index.html img@src (local-copy)", "pages/2/index.html a@href http://h/p/x"), ""},
		{"no manifest", selfExtracting(t, start+"<!--", "-->"+end, "", sfxFiles("")[0]), []string{"index.html img@src http://u/0.png", "index.html a@href http://u/x"}, ""},
		{"encrypted", selfExtracting(t, start+"<!--", "-->"+end, "", zipEntry{name: "index.html", data: "\x01\x02\x03", flags: 1}), nil, "error undecodable"},
		{"truncated", selfExtracting(t, start+"<!--", "", "", sfxFiles("")...)[:len(start)+100], nil, "error record-truncated"},

		{"an archive without a page", selfExtracting(t, plain+"<!--", "-->"+end, "", sfxFiles("")[2]), around, ""},
		{"the loader, and an archive without a page", selfExtracting(t, start+"<!--", "-->"+end, "", sfxFiles("")[2]), nil, ""},
		{"the signature of an end", plain + "<!--PK\x05\x06" + strings.Repeat("\x00", 18) + "-->" + end, around, ""},
		{"other bytes after the signature", start + "<!--PK\x05\x06" + strings.Repeat("\x01", 18) + "-->" + end, around, ""},
		{"the signature is the end", start + "PK\x05\x06", around, ""},
		{"the signatures of headers", plain + "<!--PK\x03\x04 PK\x01\x02-->" + end, around, ""},
		{"a page that was shown and saved again", strings.Replace(start, "data-sfz", `data-sfz=""`, 1) + "<!--PK\x03\x04-->" + end, around, ""},
		{"an end that is too long", selfExtracting(t, plain+"<!--", long+end+" ", "", sfxFiles("")...), around, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := extract.Document{Name: "page.u.zip.html", URL: "http://u/", Bytes: []byte(row.src)}
			var w Walker
			problems := map[string]bool{}
			w.OnProblem = func(p extract.Problem) { problems[p.Severity.String()+" "+string(p.Code)] = true }
			var links []string
			require.NoError(t, w.Links(d, func(l *extract.Link) error {
				links = append(links, l.Entity.Path+" "+l.Place()+" "+Target(l))
				return nil
			}))
			assert.Equal(t, row.want, links)
			isPage := len(links) > 0 && links[0] == around[0]
			assert.Equal(t, !isPage && row.problem != "error record-truncated", problems["note not-read"])
			delete(problems, "note not-read")
			delete(problems, "note local-copy")
			want := map[string]bool{}
			if row.problem != "" {
				want[row.problem] = true
			}
			assert.Equal(t, want, problems)

			out := Rewrite(t, &w, d)
			assert.Equal(t, !isPage, string(out) == row.src, "only a page is rewritten")
			assert.Equal(t, !isPage && row.want != nil, problems["error rewrite-refused"])
		})
	}
}

// Inside another document, a self-extracting page is only read, and what is around it is rewritten.
func TestSelfExtractingInside(t *testing.T) {
	page := selfExtracting(t, "<!DOCTYPE html><html data-sfz><!--", "--></html>", "", sfxFiles("")...)
	site := func(name string) (url, by string) { return "http://site/" + name, "--site" }
	for _, row := range []struct {
		d    extract.Document
		path string
	}{
		{extract.Document{Name: "t.zip", MemberURL: site, Bytes: []byte(Zip("a/p.html", page, "q.html", "<a href=y>"))}, "a/p.html/"},
		{extract.Document{Name: "t.eml", Bytes: []byte("MIME-Version: 1.0\nContent-Base: http://site/\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: binary\n\n" +
			page + "\n--b\nContent-Type: text/html\n\n<a href=y>\n--b--\n")}, "part[1]/"},
	} {
		var w Walker
		refused := 0
		w.OnProblem = func(p extract.Problem) {
			if p.Code == extract.CodeRewriteRefused {
				refused++
			}
		}
		var links []string
		require.NoError(t, w.Links(row.d, func(l *extract.Link) error {
			links = append(links, l.Entity.Path+" "+l.Place()+" "+Target(l))
			return nil
		}))
		assert.Contains(t, links, row.path+"index.html img@src (local-copy)")
		assert.Contains(t, links, row.path+"index.html a@href http://h/p/x")
		out := string(Rewrite(t, &w, row.d))
		assert.Equal(t, 1, refused)
		if row.d.MemberURL == nil {
			assert.Contains(t, out, page)
			assert.Contains(t, out, "<a href=http://site/y>")
		} else {
			assert.Equal(t, map[string]string{"a/p.html": page, "q.html": "<a href=http://site/y>"}, zipFiles(t, out))
		}
	}
}

// SingleFile can save a page and its files as one zip file.
func TestSingleFileZip(t *testing.T) {
	const manifest = `{"originalUrl": "http://h/%s", "title": "t", "indexFilename": "index.html", "resources": {"images/0.png": "http://h/i"}}`
	src := zipOf("<!DOCTYPE html><!--", false, "",
		zipEntry{name: "index.html", data: "<!DOCTYPE html><img src=images/0.png><iframe src=frames/0/index.html></iframe><a href=x>"},
		zipEntry{name: "images/0.png", data: "x"}, zipEntry{name: "manifest.json", data: fmt.Sprintf(manifest, "p/"), deflate: true},
		zipEntry{name: "frames/0/index.html", data: BagPage}, zipEntry{name: "frames/0/manifest.json", data: fmt.Sprintf(manifest, "f/")},
		zipEntry{name: "app/index.html", data: BagPage}, zipEntry{name: "app/manifest.json", data: `{"name": "another", "start_url": ".", "originalUrl": "http://h/"}`})
	d := extract.Document{Name: "page.zip", Bytes: []byte(src)}
	assert.Equal(t, []string{
		"index.html img@src originalUrl (local-copy)", "index.html iframe@src originalUrl (local-copy)", "index.html a@href originalUrl http://h/p/x",
		"frames/0/index.html a@href originalUrl http://h/f/x", "app/index.html a@href  (no-base)",
	}, BagLinks(t, d))
	var w Walker
	var problems []extract.Code
	w.OnProblem = func(p extract.Problem) {
		if p.Severity > extract.SeverityNote {
			problems = append(problems, p.Code)
		}
	}
	assert.Equal(t, src, Rewrite(t, &w, d), "the archive is inside a page")
	assert.Equal(t, []extract.Code{extract.CodeNoBase, extract.CodeRewriteRefused}, problems)

	d.Bytes = []byte(strings.TrimPrefix(src, "<!DOCTYPE html><!--"))
	Stable(t, d, Rewrite(t, &Walker{}, d))
}
