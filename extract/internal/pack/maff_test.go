package pack_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

const rdf = `<?xml version="1.0"?>
<RDF:RDF xmlns:MAF="http://maf.mozdev.org/metadata/rdf#" xmlns:NC="http://home.netscape.com/NC-rdf#" xmlns:RDF="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <RDF:Description RDF:about="urn:root">
    <MAF:originalurl RDF:resource="%s"/>
    <MAF:title RDF:resource="A &quot;title&quot;"/>%s
  </RDF:Description>
</RDF:RDF>
`

func TestMAFF(t *testing.T) {
	const page = `    <MAF:indexfilename RDF:resource="p.html"/>`
	for _, row := range []struct {
		name    string
		index   string // the index.rdf
		deflate bool
		by      string // by which the base of 1/p.html is declared
		url     string // of its link
	}{
		{"a page", fmt.Sprintf(rdf, "http://h/p/", page), true, "MAF:originalurl", "http://h/p/x"},
		{"stored", fmt.Sprintf(rdf, "http://h/p/?a=1&amp;b=2", page), false, "MAF:originalurl", "http://h/p/x"},
		{"another page", fmt.Sprintf(rdf, "http://h/p/", ""), true, "", "(no-base)"},
		{"no URL", fmt.Sprintf(rdf, "", page), true, "", "(no-base)"},
		{"a feed", `<rdf:RDF><channel rdf:about="http://h/"><items rdf:resource="x"/></channel></rdf:RDF>`, true, "", "(no-base)"},
		{"truncated", fmt.Sprintf(rdf, "http://h/p/", page)[:300], true, "", "(no-base)"},
		{"about:blank", fmt.Sprintf(rdf, "about:blank", page), true, "", "(no-base)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := zipOf("", false, "", zipEntry{name: "1/p.html", data: BagPage, deflate: true}, zipEntry{name: "1/p_files/f.html", data: BagPage},
				zipEntry{name: "1/index.rdf", data: row.index, deflate: row.deflate})
			d := extract.Document{Name: "t.maff", Bytes: []byte(src)}
			links := BagLinks(t, d)
			assert.Equal(t, []string{"1/p.html a@href " + row.by + " " + row.url, "1/p_files/f.html a@href  (no-base)"}, links[:2])
			if strings.Contains(row.index, "<MAF:indexfilename") {
				assert.Len(t, links, 2, "the URLs in the index are not links")
			}
			var w Walker
			out := Rewrite(t, &w, d)
			want := map[string]string{"1/p.html": BagPage, "1/p_files/f.html": BagPage, "1/index.rdf": row.index}
			if row.by != "" {
				want["1/p.html"] = BagPageAfter
			}
			assert.Equal(t, want, zipFiles(t, out))
			Stable(t, d, out)
		})
	}
	const copies = "<!DOCTYPE html><a href=p_files/f.html><img src='./p%5ffiles/f.html#x'><a href=p.html><a href=p_files/g.html>"
	d := extract.Document{Name: "t.maff", Bytes: []byte(zipOf("", false, "", zipEntry{name: "1/p.html", data: copies},
		zipEntry{name: "1/p_files/f.html", data: "x"}, zipEntry{name: "1/index.rdf", data: fmt.Sprintf(rdf, "http://h/p/", page)}))}
	assert.Equal(t, []string{"1/p.html a@href MAF:originalurl (local-copy)", "1/p.html img@src MAF:originalurl (local-copy)",
		"1/p.html a@href MAF:originalurl http://h/p/p.html", "1/p.html a@href MAF:originalurl http://h/p/p_files/g.html"}, BagLinks(t, d))

	two := zipOf("", false, "", zipEntry{name: "1/index.html", data: BagPage}, zipEntry{name: "2/index.html", data: BagPage},
		zipEntry{name: "1/index.rdf", data: fmt.Sprintf(rdf, "http://h/1/", "")}, zipEntry{name: "2/index.rdf", data: fmt.Sprintf(rdf, "http://h/2/", "")})
	assert.Equal(t, []string{"1/index.html a@href MAF:originalurl http://h/1/x", "2/index.html a@href MAF:originalurl http://h/2/x"},
		BagLinks(t, extract.Document{Name: "t.maff", Bytes: []byte(two)}))
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
