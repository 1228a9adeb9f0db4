package extract_test

import (
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// If one edit of a body part with a digest is refused, because its line would be a boundary, the whole part stays unchanged,
// so that the digest still fits. The edits before and after the part are made.
func TestRefusedInPart(t *testing.T) {
	digest := func(body string) string {
		sum := md5.Sum([]byte(strings.ReplaceAll(body, "\n", "\r\n")))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	for name, body := range map[string]string{
		"text/html":      "<a href=http://k.e/first></a><a href=\"\nhttp://k.e/boundary\n\"></a>",
		"text/markdown":  "http://k.e/first\n\n[a]:\nhttp://k.e/boundary\n",
		"message/rfc822": "Link: <http://k.e/first>\nContent-Type: text/html\n\n<a href=\"\nhttp://k.e/boundary\n\"></a>",
	} {
		part := func(mediaType, body, help string) string {
			return "--b\nContent-MD5:" + digest(body) + "\nList-Help: <" + help + ">\nContent-Type: " + mediaType + "\n\n" + body + "\n"
		}
		const page = "<a href=http://k.e/x></a>"
		message := func(page, help string) string {
			return "Content-Type: multipart/mixed; boundary=b\n\n" + part("text/html", page, help) + part(name, body, help) + part("text/html", page, help) + "--b--\n"
		}
		var refused []string
		x := extract.Extractor{OnProblem: func(p extract.Problem) { refused = append(refused, fmt.Sprint(p.Entity, " ", p.Code, " ", p.Detail)) }}
		x.Map = func(l *extract.Link) (string, bool) {
			if strings.HasSuffix(string(l.URL), "boundary") {
				return "--b", true
			}
			return strings.Replace(string(l.URL), "http://k.e/", "ftp://n.e/", 1), true
		}
		var out strings.Builder
		result, err := x.Rewrite(t.Context(), &out, Message(message(page, "http://k.e/x")))
		require.NoError(t, err)
		assert.Equal(t, message(strings.Replace(page, "http://k.e/", "ftp://n.e/", 1), "ftp://n.e/x"), out.String(), name)
		assert.Equal(t, 5, result.Changed, name)
		assert.Equal(t, 2, result.Refused, name)
		assert.Equal(t, []string{` rewrite-refused not rewritten: "--b" would make a boundary of the multipart`}, refused, name)
	}
}

// In a list of links, only the link that cannot be written is refused. In a response with a length, all links are.
func TestRefusedWithOthers(t *testing.T) {
	boundary := "<a href=http://k.e/first></a><a href=\"\nhttp://k.e/no\n\"></a>\n"
	response := fmt.Sprintf("Content-Type: message/http\n\nHTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: %d\n\n", len(boundary)-1) + boundary
	message := func(part string) string {
		return "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + part + "--b--\n"
	}
	for _, row := range []struct{ name, src, to, want string }{
		{"a.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'><img srcset='http://k.e/1, http://k.e/no 2x'/></html>", "x\x01",
			"<html xmlns='http://www.w3.org/1999/xhtml'><img srcset='ftp://n.e/1, http://k.e/no 2x'/></html>"},
		{"a.eml", message(response), "--b", message(response)},
		{"a.eml", message("Content-Type: message/rfc822\n\n" + response), "--b", message("Content-Type: message/rfc822\n\n" + response)},
	} {
		x := extract.Extractor{Map: func(l *extract.Link) (string, bool) {
			if strings.HasSuffix(string(l.URL), "no") {
				return row.to, true
			}
			return strings.Replace(string(l.URL), "http://k.e/", "ftp://n.e/", 1), true
		}}
		w := Walker{Extractor: x}
		assert.Equal(t, row.want, Rewrite(t, &w, extract.Document{Name: row.name, Bytes: []byte(row.src)}))
	}
}

// In a saved page, Map cannot make a reference that would be read as a local copy.
func TestRefusedLocalCopy(t *testing.T) {
	const page = "<!-- saved from url=(0009)http://h/ --><img src=%s>"
	for to, want := range map[string]string{
		"page_files/a.png":          "x",
		"./page_files/a.png#f":      "x",
		"b.png":                     "b.png",
		"/page_files/a.png":         "/page_files/a.png",
		"http://n/page_files/a.png": "http://n/page_files/a.png",
	} {
		var refused []string
		x := extract.Extractor{Map: func(*extract.Link) (string, bool) { return to, true }, OnProblem: func(p extract.Problem) { refused = append(refused, fmt.Sprint(p.Offset, " ", p.Code, " ", p.Detail)) }}
		w := Walker{Extractor: x}
		d := extract.Document{Name: "page.html", Bytes: fmt.Appendf(nil, page, "x")}
		assert.Equal(t, fmt.Sprintf(page, want), Rewrite(t, &w, d), to)
		if want != "x" {
			assert.Empty(t, refused, to)
			continue
		}
		assert.Equal(t, []string{fmt.Sprintf("%d rewrite-refused not rewritten: %q would be read as a local copy in the page's companion folder", strings.Index(string(d.Bytes), "x>"), to)}, refused)
		d.Name = "other.html"
		d.Bytes = []byte("<img src=x>")
		d.URL = "http://h/"
		assert.Equal(t, "<img src="+to+">", Rewrite(t, &w, d), "a page that is not saved")
	}
}

// The reason is that a character of the new text cannot be spelled, or what the new text would do to the text around it.
func TestRefusedBecause(t *testing.T) {
	for _, row := range []struct{ name, src, to, why string }{
		{"a.md", "<http://h/x>", "http://n/`", "not rewritten: \"n/`\" would change how the text around it is read"},
		{"a.eml", "\n<URL:http://h/x>", "http://n/é", "not rewritten: the charset of the document cannot spell \"n/é\""},
	} {
		var refused []string
		x := extract.Extractor{Map: func(*extract.Link) (string, bool) { return row.to, true }, OnProblem: func(p extract.Problem) { refused = append(refused, p.Detail) }}
		w := Walker{Extractor: x}
		assert.Equal(t, row.src, Rewrite(t, &w, extract.Document{Name: row.name, Bytes: []byte(row.src)}))
		assert.Equal(t, []string{row.why}, refused)
	}
}

// No edit ends a conditional comment, even where the page around it is the text of an attribute or a noscript.
func TestRefusedInComment(t *testing.T) {
	const comment = "<!--[if mso]><a href=http://k.e/x><a href=\"http://k.e/y\"><![endif]--"
	for _, around := range []string{"%s>", "<noscript>%s></noscript>", "<iframe srcdoc='%s&gt;'></iframe>", "<!--[if mso]><iframe srcdoc='%s&gt;'></iframe><![endif]-->"} {
		for _, end := range []string{"--", "--!"} {
			var refused []string
			w := Walker{Extractor: extract.Extractor{Extended: true, OnProblem: func(p extract.Problem) { refused = append(refused, p.Detail) }}}
			w.Map = func(*extract.Link) (string, bool) { return "http://n.e/" + end, true }
			page := fmt.Sprintf(around, comment)
			want := strings.Replace(page, "http://k.e/y", "http://n.e/"+end, 1)
			assert.Equal(t, want, Rewrite(t, &w, extract.Document{Type: "text/html", URL: "http://h/", Bytes: []byte(page)}), page)
			assert.Equal(t, []string{fmt.Sprintf("not rewritten: the new text cannot be written here: %q is not allowed in a comment", end+">")}, refused, page)
		}
	}
}
