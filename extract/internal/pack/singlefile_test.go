package pack_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

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
