package verify_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/verify"
	"absolink/extract"
)

// differing are pages in which x/net/html and absolink find another base: absolink builds no tree, so it does not see
// a BASE element move out of a table, or an end tag end an svg.
var differing = []string{
	`<table><td><base href=/b/></td></tr><base href="/c/"><a href="x?a&amp;b"><a href=y>`,
	`<div><svg></div><base href=/b/><a href=x><img longdesc='y' src="z">`,
}

// TestDisagree: a page that is right by absolink's reading is not checked, with every setting of BASE. With a damage it
// fails: a byte outside the links, or a link that is wrong by both readings.
func TestDisagree(t *testing.T) {
	for _, page := range differing {
		for i, baseURLs := range []extract.BaseURLs{extract.BaseKeep, extract.BaseEmpty, extract.BaseRemove} {
			s := sample{name: page, config: verify.Config{Standard: "rfc3986", Base: []string{"keep", "empty", "remove"}[i]}, x: extract.Extractor{BaseURLs: baseURLs},
				d: extract.Document{Type: "text/html", URL: "http://h.example/d/p", Bytes: []byte(page)}}
			d := s.rewritten(t)
			r := s.config.Check(d)
			assert.Nil(t, r.Failed, page)
			require.Len(t, r.Unable, 1, page)
			assert.Contains(t, r.Unable[0].Kind, "read the old version differently", page)
			for _, m := range append(mutants(d.New), random(d.New)...) {
				n := d
				if n.New = m.text; bytes.Equal(n.New, d.New) || s.config.Check(n).Failed != nil {
					continue
				}
				assert.NotEmpty(t, accepted(m.what, d.New, m.text), "%s: %s: %s", page, m.what, difference(d.New, m.text))
			}
			d.Links = nil
			assert.NotNil(t, s.config.Check(d).Failed, page)
		}
	}
}
