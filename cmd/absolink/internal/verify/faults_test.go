package verify_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/longtest"
)

// fault is a change of absolink's source that makes its result wrong.
type fault struct {
	name    string
	found   string   // documents whose proof must fail
	escapes bool     // the proof is known to miss the fault
	folder  string   // the folder of the file with the anchors
	patches []string // pairs: a text that occurs once in the package, and the new text
	added   string   // a file to add to the package, or ""
}

const scanner = "extract/internal/html"

// inOutput is a fault in the bytes b that are written, after all of absolink's own checks.
func inOutput(name, found, statement string) fault {
	const anchor = "func (o *recordWriter) write(b []byte) {\n"
	return fault{name, found, false, "extract", []string{anchor, anchor + "\tb = planted(b)\n"},
		"package extract\n\nimport \"bytes\"\n\nfunc planted(b []byte) []byte {\n\t" + statement + "\n\treturn b\n}\n"}
}

// faults are planted one at a time, each in a copy of the source.
var faults = []fault{
	// in what is read
	{"a wrong layer", "base.html links.eml", false, "base",
		[]string{"l = at.appendLayer(l, s, LayerEmbedded, place)", `if at != s || place != "" {` + "\n\t\t\tl = at.appendLayer(l, s, LayerEmbedded, place)\n\t\t}"}, ""},
	{"the last part is dropped", "links.eml base64.eml mail.emlx", false, "extract/internal/mail",
		[]string{"if kind == closingBoundary {", "if kind == closingBoundary {\n\t\t\t\tparts = parts[:len(parts)-1]"}, ""},
	{"a comment is taken for markup", "page.html base.html", false, scanner,
		[]string{"p = commentEnd(s.src, p+4)", "p += 4"}, ""},
	{"a span is shifted by one", "page.html base.html latin1.html links.eml box.mbox crawl.warc page.html.gz site.zip", false, scanner,
		[]string{"m.LinkIn(scope, place, a.start, a.end, a.quoting.URL())", "m.LinkIn(scope, place, min(a.start+1, a.end), a.end, a.quoting.URL())"}, ""},
	{"the last candidate of a srcset is lost", "page.html", false, "extract/internal/grammar",
		[]string{"if i = d.read(src, i); d.valid() {", "if i = d.read(src, i); d.valid() && i < len(src) {"}, ""},
	{"a srcdoc is not read", "page.html", false, scanner, []string{`{"srcdoc", asDocument, "iframe"},`, ""}, ""},
	{"the src of img is not read", "page.html latin1.html sjis.html links.eml box.mbox", false, scanner,
		[]string{`asURL, "img source video`, `asURL, "source video`}, ""},
	{"xml:base is ignored", "feed.atom", false, "extract/internal/xml",
		[]string{`string(name) == "xml:base"`, `string(name) == "xml:bass"`}, ""},
	{"a comment of CSS is lost", "page.html style.css", false, "extract/internal/css",
		[]string{"s.low = commentEnd(src, i)", "s.low = i + 2"}, ""},
	{"the label of the charset is ignored", "sjis.html", false, scanner,
		[]string{"return parsedCharset(raw)", `return ""`, "if name := prescan(head); name != \"\" {", "if name := prescan(head); name != \"\" && false {"}, ""},
	{"the evidence of a saved page is lost", "saved.html", true, scanner,
		[]string{"return s.m.File && !s.fragment && s.templates == 0", "return false"}, ""},

	// in what is written
	{"a length is not updated", "crawl.warc response.http length.eml", false, "extract/internal/header",
		[]string{"\tr.Marks.Counts(r.filled(fields, name), of, count)", ""}, ""},
	{"a digest is not updated", "crawl.warc", false, "extract/internal/mark",
		[]string{"New: []byte(spell(h.Sum(nil)))", "New: []byte(spell(sum))"}, ""},
	{"a CRC is wrong", "site.zip", false, "extract/internal/pack", []string{"uint64(sum.Sum32())", "uint64(sum.Sum32()+1)"}, ""},
	{"the length of emlx is wrong", "mail.emlx", false, "extract/internal/emlx", []string{"length+growth)", "length+growth+1)"}, ""},
	{"an edit has the text of another one", "page.html base.html latin1.html sjis.html style.css feed.atom", false, "extract",
		[]string{"o.write(e.New)", "o.write(edits[len(edits)-1].New)\n\t\t_ = e.New"}, ""},
	inOutput("a quote is lost", "page.html base.html latin1.html sjis.html links.eml", "b = bytes.Replace(b, []byte(`href=\"`), []byte(`href=`), 1)"),
	inOutput("a boundary is lost", "links.eml base64.eml box.mbox mail.emlx", `b = bytes.Replace(b, []byte("\n--b\n"), []byte("\n"), 1)`),
	inOutput("the tail is lost", "page.html base.html mail.emlx links.eml feed.atom",
		`for _, end := range []string{"</html>\n", "</plist>\n", "--b--\n", "</feed>\n"} { b = bytes.TrimSuffix(b, []byte(end)) }`),
	inOutput("a hard line break for a soft one", "quoted.eml", `b = bytes.ReplaceAll(b, []byte("=\n"), []byte("\n"))`),
	inOutput("another letter in base64", "base64.eml", `b = bytes.Replace(b, []byte("ZXhhbXBsZ"), []byte("ZXhhbYBsZ"), 1)`),
	inOutput("another charset", "latin1.html", `b = bytes.ReplaceAll(b, []byte("example/\xE9"), []byte("example/\u00E9"))`),
	inOutput("a quote is not escaped", "quote.html", "b = bytes.ReplaceAll(b, []byte(\"&quot;\"), []byte(`\"`))"),
	inOutput("another host", "page.html base64.eml crawl.warc style.css response.http", `b = bytes.Replace(b, []byte("h.example"), []byte("i.example"), 1)`),
	{"a fragment is lost", "page.html links.eml feed.atom", false, "extract",
		[]string{"\tto = l.URL\n", "\tto = l.URL\n\tif i := bytes.IndexByte(to, '#'); i >= 0 {\n\t\tto = to[:i]\n\t}\n"}, ""},
}

// faultDocuments returns documents that show the faults plainly, by their names.
func faultDocuments(t *testing.T) map[string]string {
	const (
		links  = "<p><a href=\"a.html\">a</a> <img src=\"/b.png\"> <a href=\"c.html#f\">c</a></p>\n"
		fields = "From: a@b.example\nTo: c@d.example\nSubject: x\nDate: Thu, 1 Jan 2026 00:00:00 +0000\nMIME-Version: 1.0\n"
		page   = "<!DOCTYPE html>\n<html><head><title>t</title>\n<style>\n/* url(\"no.png\") */ p { background: url(\"bg.png\") }\n</style></head><body>\n" +
			"<!-- <a href=\"no.html\"> -->\n" + links +
			"<img srcset=\"s.png 1x, t.png 2x\"><iframe srcdoc=\"<a href='i.html'>i</a>\"></iframe><a href='q&quot;.html'>q</a><a href=\"r&quot;.html\">r</a>\n</body></html>\n"
		mixed = "Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\nContent-Type: text/html; charset=us-ascii\n"
	)
	html := "Content-Base: http://m.example/e/\nContent-Type: multipart/mixed; boundary=\"b\"\n\n--b\nContent-Type: text/html\n\n" + links + "\n--b\nContent-Type: text/html\nContent-Base: http://n.example/g/\n\n" + links + "\n--b--\n"
	long := strings.Repeat("text ", 12)
	message := fields + html
	response := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + fmt.Sprint(len(links)) + "\r\n\r\n" + links
	digest := func(s string) string {
		sum := sha1.Sum([]byte(s))
		return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
	}
	var gz, zipped bytes.Buffer
	w := gzip.NewWriter(&gz)
	_, err := w.Write([]byte(page))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	z := zip.NewWriter(&zipped)
	for _, name := range []string{"a/page.html", "b.html"} {
		file, err := z.Create(name)
		require.NoError(t, err)
		_, err = file.Write([]byte(links))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return map[string]string{
		"page.html":     page,
		"base.html":     strings.Replace(page, "<title>", "<base href=\"http://base.example/k/\"><title>", 1),
		"quote.html":    "<base href='http://base.example/\"q/'>\n" + links,
		"saved.html":    "<!-- saved from url=(0022)http://saved.example/d/ -->\n" + links,
		"latin1.html":   "<meta charset=\"iso-8859-1\">\n<base href=\"http://base.example/\xE9/\">\n<p>caf\xE9 <a href=\"\xE9.html\">x</a></p>\n" + links,
		"sjis.html":     "<meta charset=\"shift_jis\">\n<p>\x83\x5C <a href=\"\x83\x5C.html\">x</a></p>\n" + links,
		"style.css":     "/* url(\"no.png\") */\n@import \"a.css\";\np { background: url(\"/b.png\") }\nq { background: url(\"c.png\") }\n",
		"feed.atom":     "<?xml version=\"1.0\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"http://feed.example/f/\"><title>t</title><link href=\"/l.html\"/><entry><link href=\"e.html#f\"/><content type=\"html\">&lt;a href=\"m.html\"&gt;x&lt;/a&gt;</content></entry></feed>\n",
		"links.eml":     message,
		"quoted.eml":    fields + mixed + "Content-Transfer-Encoding: quoted-printable\n\n<p>" + long + "=\n<a href=3D\"" + strings.Repeat("y", 60) + ".html\">x</a></p>\n--b--\n",
		"base64.eml":    fields + mixed + "Content-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(links)) + "\n--b\nContent-Type: text/html\n\n" + links + "\n--b--\n",
		"length.eml":    fields + "Content-Type: text/html\nContent-Length: " + fmt.Sprint(len(links)) + "\n\n" + links,
		"box.mbox":      "From a@b.example Thu Jan  1 00:00:00 2026\n" + message + "\nFrom a@b.example Thu Jan  1 00:00:01 2026\n" + message,
		"mail.emlx":     fmt.Sprintf("%-10d\n", len(message)) + message + "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\"><dict></dict></plist>\n",
		"response.http": response,
		"crawl.warc":    warcRecord("response", "application/http; msgtype=response", response, "WARC-Block-Digest: "+digest(response), "WARC-Payload-Digest: "+digest(links)),
		"page.html.gz":  gz.String(),
		"site.zip":      zipped.String(),
	}
}

// TestFaults plants a fault into absolink and requires that each document that shows it plainly fails. It builds absolink for
// each fault, so it is a long test.
func TestFaults(t *testing.T) {
	if !longtest.On() {
		t.Skip("each fault needs a build of the command")
	}
	root, err := filepath.Abs("../../../..")
	require.NoError(t, err)
	in := t.TempDir()
	for name, text := range faultDocuments(t) {
		require.NoError(t, os.WriteFile(filepath.Join(in, name), []byte(text), 0o644))
	}
	failed, unable := verified(t, root, in, nil, true)
	require.Empty(t, failed, "no fault is planted")
	require.Empty(t, unable, "no fault is planted")
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(f.folder), "*.go"))
			require.NoError(t, err)
			replaced := map[string]string{}
			for i := 0; i < len(f.patches); i += 2 {
				found := 0
				for _, file := range files {
					src, err := os.ReadFile(cmp.Or(replaced[file], file))
					require.NoError(t, err)
					n := strings.Count(string(src), f.patches[i])
					if found += n; n != 1 || strings.HasSuffix(file, "_test.go") {
						continue
					}
					replaced[file] = filepath.Join(t.TempDir(), filepath.Base(file))
					require.NoError(t, os.WriteFile(replaced[file], []byte(strings.Replace(string(src), f.patches[i], f.patches[i+1], 1)), 0o644))
				}
				require.Equal(t, 1, found, "the fault needs another anchor in %s: %s", f.folder, f.patches[i])
			}
			if f.added != "" {
				planted := filepath.Join(root, filepath.FromSlash(f.folder), "planted.go")
				replaced[planted] = filepath.Join(t.TempDir(), "planted.go")
				require.NoError(t, os.WriteFile(replaced[planted], []byte(f.added), 0o644))
			}
			failed, unable := verified(t, root, in, replaced, !f.escapes)
			t.Logf("failed: %v; unable: %v", failed, unable)
			for _, name := range strings.Fields(f.found) {
				assert.Equal(t, !f.escapes, failed[name], name)
			}
		})
	}
}

// verified builds the command with some files replaced, rewrites the documents in a folder with --verify, and returns the
// documents that failed and those that were not fully checked.
func verified(t *testing.T, root, in string, replaced map[string]string, site bool) (failed, unable map[string]bool) {
	dir := t.TempDir()
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644))
	command := filepath.Join(dir, "absolink")
	build := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", command, "./cmd/absolink")
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	problems := filepath.Join(dir, "problems.jsonl")
	args := []string{"rewrite", "--verify", "-o", filepath.Join(dir, "out"), "--problems", problems, in}
	if site {
		args = append(args, "--site", "http://h.example/d/")
	}
	run := exec.Command(command, args...)
	_, _ = run.CombinedOutput() // the status is 1 if a document failed
	lines, err := os.ReadFile(problems)
	require.NoError(t, err)
	failed, unable = map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(lines)) {
		var p struct{ Document, Code, Detail string }
		require.NoError(t, json.Unmarshal([]byte(line), &p))
		switch name := filepath.Base(p.Document); p.Code {
		case "verify-failed":
			failed[name] = true
		case "verify-unable":
			unable[name] = true
		}
	}
	return failed, unable
}
