package verify_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/verify"
	"absolink/extract"
)

// differing are pages that x/net/html and absolink read differently: their base, or where text begins. The HTML Standard
// agrees with the first for the base (13.2.6.1, foster parenting).
var differing = []string{
	`<table><tr><td><base href="http://one/"></td></tr><base href="http://two/"></table><a href="x?a&amp;b"><a href="y">`,
	`<table><tr><td><base href="http://one/"></td></tr><base href="http://two/"></table><p style="background: url(x)"><img srcset="x 1x, y 2x">`,
	`<table><tr><td><base href="http://one/"></td></tr><base href="http://two/"></table><style>a { b: url(x) }</style><noscript><a href=x></noscript>`,
	`<table><tr><td><base href="http://one/"></td></tr><base href="http://two/"></table><iframe srcdoc="<a href=&quot;x?a&amp;amp;b&quot;>"></iframe>`,
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
