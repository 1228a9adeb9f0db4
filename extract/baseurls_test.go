package extract_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// BASE elements are emptied, or removed together with other links in them.
func TestBaseURLsWithLinks(t *testing.T) {
	for bases, want := range map[extract.BaseURLs]string{
		extract.BaseKeep:   `<p>é<a href=http://h/a></a><base style="x:url(http://h/s)" href=http://h/><a href=http://h/b></a><base style="x:url(http://h/t)" href="c">`,
		extract.BaseEmpty:  `<p>é<a href=http://h/a></a><base style="x:url(http://h/s)" href=""><a href=http://h/b></a><base style="x:url(http://h/t)" href="">`,
		extract.BaseRemove: `<p>é<a href=http://h/a></a><a href=http://h/b></a>`,
	} {
		w := Walker{Extractor: extract.Extractor{BaseURLs: bases}}
		d := extract.Document{Name: "a.html", Bytes: []byte(`<p>é<a href=a></a><base style="x:url(s)" href=http://h/><a href=b></a><base style="x:url(t)" href="c">`)}
		assert.Equal(t, want, Rewrite(t, &w, d))
	}
}

// A BASE element stays if the first bytes would no longer show that the document is a page.
func TestBaseMakesThePage(t *testing.T) {
	for src, want := range map[string]string{
		"<base href=http://h/>text <a href=x>":                  "<base href=http://h/>text <a href=http://h/x>",
		"<base style='x:url(s)' href=http://h/>text <a href=x>": "<base style='x:url(http://h/s)' href=http://h/>text <a href=http://h/x>",
		"<base href=http://h/><p>text <a href=x>":               "<p>text <a href=http://h/x>",
	} {
		var problems []string
		w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove, OnProblem: func(p extract.Problem) { problems = append(problems, p.Error()) }}}
		assert.Equal(t, want, Rewrite(t, &w, extract.Document{Bytes: []byte(src)}))
		if strings.Contains(want, "<base") && assert.Len(t, problems, 1, src) {
			assert.Contains(t, problems[0], "the document would be read in another way without it", src)
		}
	}
}

// The letters of a new URL are in the charset of the page, even before a BASE element that is removed.
func TestBaseAfterLetters(t *testing.T) {
	x := extract.Extractor{BaseURLs: extract.BaseRemove, Map: func(l *extract.Link) (string, bool) { return string(l.URL) + "é", true }}
	w := Walker{Extractor: x}
	const page = "<meta charset=windows-1252><a href=x></a><base href=http://h/><p>"
	want := strings.NewReplacer("=x", "=http://h/x\xe9", "<base href=http://h/>", "").Replace(page)
	assert.Equal(t, want, Rewrite(t, &w, extract.Document{Name: "a.html", Bytes: []byte(page)}))
}

// A BASE element stays between two bytes that would be one character without it, because the page would be read in UTF-8.
func TestBaseBetweenBytes(t *testing.T) {
	for src, want := range map[string]string{
		"\xc3<base href=http://h/>\xa9<a href=x>":         "\xc3<base href=http://h/>\xa9<a href=http://h/x>",
		"\xc3<base href=http://h/><p>\xa9<a href=x>":      "\xc3<p>\xa9<a href=http://h/x>",
		"\xc3<base href=http://h/>\xa9<a href=x>\xff</a>": "\xc3\xa9<a href=http://h/x>\xff</a>",
	} {
		var problems []string
		w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove, OnProblem: func(p extract.Problem) { problems = append(problems, p.Error()) }}}
		assert.Equal(t, want, Rewrite(t, &w, extract.Document{Name: "a.html", Bytes: []byte(src)}))
		assert.Equal(t, strings.Contains(want, "<base"), strings.Contains(strings.Join(problems, "\n"), "base-needed"), src)
	}
}

// A BASE element before a text that would be a delimiter of mail at the start of its line is emptied.
func TestBaseHidesDelimiter(t *testing.T) {
	w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove}}
	for name, src := range map[string]string{
		"a.eml":  "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<base href='http://h/'><base href=http://h/>--b--\n <base href=\"c\">--b\n<a href=x>\n--b--\n",
		"a.mbox": "From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<base href=http://h/>From b\n <base href=\"c\">From\n<a href=x>\n",
	} {
		want := strings.NewReplacer("href=http://h/", `href=""`, `<base href="c">`, "", "<base href='http://h/'>", "", "=x", "=http://h/x").Replace(src)
		assert.Equal(t, want, Rewrite(t, &w, extract.Document{Name: name, Bytes: []byte(src)}))
	}
}

// One BASE element that is needed keeps the others.
func TestBaseNeededTwice(t *testing.T) {
	const src = "<p><base href=http://h/d/>\xc3<base href=http://h/>\xa9<a href=x>"
	var problems []extract.Code
	w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG, BaseURLs: extract.BaseRemove, OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
	assert.Equal(t, strings.Replace(src, "=x", "=http://h/d/x", 1), Rewrite(t, &w, extract.Document{Name: "a.html", Bytes: []byte(src)}))
	assert.Contains(t, problems, extract.CodeBaseNeeded)
}

// A BASE element stays if a reference that stays relative resolves against it, or would if it had a usable URL. The BASE
// elements of other entities go.
func TestBaseNeededBy(t *testing.T) {
	part := func(page string) string { return "--b\nContent-Type: text/html\n\n" + page + "\n" }
	for src, want := range map[string]string{
		"<base href=http://h/><a href=stay>":                                        "<base href=http://h/><a href=stay>",
		"<base href=http://h/><a href=#stay>":                                       "<base href=http://h/><a href=#stay>",
		"<base href=http://h/><a href=#refused>":                                    "<base href=http://h/><a href=#refused>",
		`<base href=http://h/><iframe srcdoc="<base href=http://k/><a href=stay>">`: `<iframe srcdoc="<base href=http://k/><a href=stay>">`,
		`<base href=http://h/><iframe srcdoc="<base href=k/><a href=stay>">`:        `<base href=http://h/><iframe srcdoc="<base href=http://h/k/><a href=stay>">`,
		`<base href=http://h/><iframe srcdoc="<base href=mailto:k><a href=stay>">`:  `<base href=http://h/><iframe srcdoc="<base href=mailto:k><a href=stay>">`,
		`<base href=http://h/><a href=x><iframe srcdoc="<a href=stay>">`:            `<base href=http://h/><a href=http://h/x><iframe srcdoc="<a href=stay>">`,
		`<base href=http://h/><a href=http://k/><iframe srcdoc="<a href=y>">`:       `<a href=http://k/><iframe srcdoc="<a href=http://h/y>">`,
		"Content-Type: multipart/mixed; boundary=b\n\n" + part("<base href=http://h/><a href=x>") + part("<base href=http://k/><a href=stay>") + "--b--\n": "Content-Type: multipart/mixed; boundary=b\n\n" +
			part("<a href=http://h/x>") + part("<base href=http://k/><a href=stay>") + "--b--\n",
	} {
		needed := 0
		w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove,
			Map: func(l *extract.Link) (string, bool) {
				return strings.Replace(string(l.URL), "#refused", "\n", 1), !bytes.HasSuffix(l.Ref, []byte("stay"))
			},
			OnProblem: func(p extract.Problem) {
				if p.Code == extract.CodeBaseNeeded {
					needed++
				}
			}}}
		d := extract.Document{Name: "a.html", Bytes: []byte(src)}
		if strings.HasPrefix(src, "Content") {
			d.Name = "a.eml"
		}
		assert.Equal(t, want, Rewrite(t, &w, d))
		assert.Equal(t, strings.Count(want, "<base"), needed, src)
	}
}
