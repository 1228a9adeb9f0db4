package archive_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

func harOf(entries ...string) string {
	return `{"log": {"version": "1.2", "creator": {"name": "b", "n": [1, {"x": "]}\""}]}, "entries": [` + strings.Join(entries, ",\n") + `], "comment": ""}}` + "\n"
}

func harEntry(url, content string) string {
	return `{"request": {"method": "GET", "url": "` + url + `", "headers": []}, "response": {"status": 200, "content": {` + content + `}, "redirectURL": "", "bodySize": -1}}`
}

func TestHARRewritten(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString([]byte(BagPage))
	after := base64.StdEncoding.EncodeToString([]byte(BagPageAfter))
	const html = `"mimeType": "text/html; charset=iso-8859-1", `
	for _, row := range []struct{ name, src, want string }{
		{"text", harEntry("http://h/p/", `"size": 10, `+html+`"text": "<a href=x>"`), harEntry("http://h/p/", `"size": 21, `+html+`"text": "<a href=http://h/p/x>"`)},
		{"the text before its type", harEntry("http://h/p/", `"text": "<a href=x>", "mimeType": "text/html"`), harEntry("http://h/p/", `"text": "<a href=http://h/p/x>", "mimeType": "text/html"`)},
		{"a size that was wrong", harEntry("http://h/p/", `"size": 11, `+html+`"text": "<a href=x>"`), harEntry("http://h/p/", `"size": 11, `+html+`"text": "<a href=http://h/p/x>"`)},
		{"escapes stay", harEntry("http://h/p/", html+`"text": "\u003ca\thref=\"x\">\u00e9\ud83d\ude00\/", "size": 1`), harEntry("http://h/p/", html+`"text": "\u003ca\thref=\"http:\/\/h\/p\/x\">\u00e9\ud83d\ude00\/", "size": 1`)},
		{"the size counts bytes, not characters", harEntry("http://h/p/", html+`"text": "é<a href=x>", "size": 12`), harEntry("http://h/p/", html+`"text": "é<a href=http://h/p/x>", "size": 23`)},
		{"base64", harEntry("http://h/p/", fmt.Sprintf(`"size": %d, %s"encoding": "base64", "text": "%s"`, len(BagPage), html, encoded)),
			harEntry("http://h/p/", fmt.Sprintf(`"size": %d, %s"encoding": "base64", "text": "%s"`, len(BagPageAfter), html, after))},
		{"all characters are escaped", harEntry(`http://h/\u0070/`, html+`"text": "\u003ca href=\u0078\u003e \u00e9", "size": 1`), harEntry(`http://h/\u0070/`, html+`"text": "\u003ca href=http://h/p/\u0078\u003e \u00e9", "size": 1`)},
		{"base64 with escapes", harEntry("http://h/p/", html+`"encoding": "base64", "text": "\u0050`+encoded[1:]+`"`), harEntry("http://h/p/", html+`"encoding": "base64", "text": "\u0050`+after[1:]+`"`)},
		{"an unknown type", harEntry("http://h/p/", `"mimeType": "image/png", "text": "<a href=x>"`), ""},
		{"no type: the type is detected in the text", harEntry("http://h/p/", `"mimeType": "", "text": "<!DOCTYPE html><a href=x>"`), harEntry("http://h/p/", `"mimeType": "", "text": "<!DOCTYPE html><a href=http://h/p/x>"`)},
		{"no text", harEntry("http://h/p/", html+`"size": 0`), ""},
		{"the URL with escapes", harEntry(`http:\/\/h\/p\/`, html+`"text": "<a href=x>"`), harEntry(`http:\/\/h\/p\/`, html+`"text": "<a href=http://h/p/x>"`)},
		{"a page with a base", harEntry("http://i/", html+`"text": "<base href=http://h/p/><a href=x>"`), harEntry("http://i/", html+`"text": "<base href=http://h/p/><a href=http://h/p/x>"`)},
		{"a name in a value", harEntry("http://h/p/", html+`"x": {"text": "no \\\" \\"}, "text": "<a href=x>"`), harEntry("http://h/p/", html+`"x": {"text": "no \\\" \\"}, "text": "<a href=http://h/p/x>"`)},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.want == "" {
				row.want = row.src
			}
			d := extract.Document{Name: "t.har", Bytes: []byte(harOf(harEntry("http://i/", ""), row.src))}
			problems, out := BagProblems(t, Walker{}, d)
			assert.Empty(t, problems)
			assert.Equal(t, harOf(harEntry("http://i/", ""), row.want), out)
			assert.True(t, json.Valid([]byte(out)))
			if row.want != row.src {
				assert.True(t, strings.HasPrefix(BagLinks(t, d)[0], "entry[2] "), BagLinks(t, d)[0])
				assert.Contains(t, BagLinks(t, d)[0], " http://h/p/x")
			}
			Stable(t, d, out)
		})
	}
}

func TestHARRedirect(t *testing.T) {
	src := harOf(strings.Replace(harEntry("http://h/p/", ""), `"redirectURL": ""`, `"redirectURL": "y"`, 1))
	d := extract.Document{Name: "t.har", Bytes: []byte(src)}
	assert.Equal(t, []string{" response.redirectURL request.url http://h/p/y"}, BagLinks(t, d))
	var w Walker
	assert.Equal(t, strings.Replace(src, `"y"`, `"http://h/p/y"`, 1), Rewrite(t, &w, d))

	src = harOf(strings.Replace(harEntry("http://h/p/", `"mimeType": "text/html", "text": "<a href=x>"`), `"redirectURL": ""`, `"redirectURL": "y"`, 1))
	d.Bytes = []byte(src)
	assert.Equal(t, []string{"entry[1] a@href request.url http://h/p/x", " response.redirectURL request.url http://h/p/y"}, BagLinks(t, d), "in the order of the bytes")
	assert.Equal(t, strings.NewReplacer(`"y"`, `"http://h/p/y"`, "=x", "=http://h/p/x").Replace(src), Rewrite(t, &w, d))
}

// The caller's URL wins over the URL in the archive, which is listed as shadowed.
func TestHARBase(t *testing.T) {
	d := extract.Document{Type: "application/har+json", URL: "http://u/", Bytes: []byte(harOf(harEntry("http://h/p/", `"mimeType": "text/html", "text": "<a href=x>"`)))}
	var w Walker
	var got []string
	require.NoError(t, w.Bases(d, func(e *extract.Entity) error {
		for _, c := range e.Scope.Candidates() {
			got = append(got, strings.TrimSpace(fmt.Sprint(e.Path, " ", c.Layer, " ", c.By, " ", c.URL, ": ", c.String())))
		}
		return nil
	}))
	assert.Equal(t, []string{"entry[1] retrieval retrieval URL http://u/: used", "entry[1] retrieval request.url http://h/p/: shadowed", "entry[1] default  : shadowed"}, got)
}

// cutText removes the closing quote of the last text, and everything after it.
func cutText(src string) string { return src[:strings.LastIndex(src, `>"`)+1] }

// Under the URL Standard an empty action means the URL of the document, which is that of the request.
func TestHAROwnURL(t *testing.T) {
	d := extract.Document{Name: "t.har", Bytes: []byte(harOf(harEntry("http://h/p/", `"mimeType": "text/html", "text": "<base href=http://b/><form action=''>"`)))}
	w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG}}
	assert.Contains(t, Rewrite(t, &w, d), "<form action='http://h/p/'>")
}

func TestHARMalformed(t *testing.T) {
	good := harEntry("http://h/p/", `"mimeType": "text/html", "text": "<a href=x>"`)
	after := strings.Replace(good, "=x", "=http://h/p/x", 1)
	for _, row := range []struct{ name, src, want string }{
		{"truncated in an entry", harOf(good, good)[:len(harOf(good))+20], harOf(after, good)[:len(harOf(after))+20]},
		{"truncated in a text", cutText(harOf(good, good)), cutText(harOf(after, good))},
		{"a comma is missing", harOf(good + good), harOf(after + good)},
		{"not an object", "[]", "[]"},
		{"nothing", "", ""},
		{"unclosed brackets", strings.Repeat("[", 200000), strings.Repeat("[", 200000)},
		{"unclosed objects", strings.Repeat(`{"log":`, 200000), strings.Repeat(`{"log":`, 200000)},
		{"brackets in entries", harOf(good, strings.Repeat("[", 200000)), harOf(after, strings.Repeat("[", 200000))},
	} {
		t.Run(row.name, func(t *testing.T) {
			problems, out := BagProblems(t, Walker{}, extract.Document{Type: "application/har+json", Bytes: []byte(row.src)})
			assert.True(t, row.want == out)
			if row.name != "no object" {
				assert.Len(t, problems, 1)
			}
		})
	}
	nowhere := strings.ReplaceAll(harOf(good, good), "http://h/p/", "")
	EveryPrefix(t, "t.har", []byte(nowhere))
}

func FuzzHAR(f *testing.F) {
	f.Add([]byte(harOf(harEntry("", `"size": 10, "mimeType": "text/html", "text": "<a href=x>"`))), 0)
	f.Add([]byte(harOf(harEntry("http://h/p/", `"encoding": "base64", "text": "PGEgaHJlZj14Pg=="`))), 0)
	f.Fuzz(func(t *testing.T, src []byte, limit int) { Fuzzed(t, "application/har+json", src, limit) })
}
