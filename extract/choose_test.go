package extract_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// shown has the fields of a link that the tests compare.
type shown struct{ entity, place, raw, ref, url string }

// shownLinks returns the links of a document.
func shownLinks(t *testing.T, w *Walker, d extract.Document) (all []shown) {
	t.Helper()
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		all = append(all, shown{l.Entity.Path, l.Place(), string(l.Raw), string(l.Ref), string(l.URL)})
		return nil
	}))
	return all
}

// TestChooseInCases chooses some of the links in every document of the cases: by Places, and by a Map. Links yields the
// chosen links of all links. A rewriting changes no other link.
func TestChooseInCases(t *testing.T) {
	files, err := filepath.Glob("../testdata/*/*.txtar")
	require.NoError(t, err)
	documents, changed := 0, 0
	for _, file := range files {
		c, err := txtar.ParseFile(file)
		require.NoError(t, err)
		for _, f := range c.Files {
			if !strings.HasPrefix(f.Name, "input.") {
				continue
			}
			documents++
			d := extract.Document{Name: f.Name, Bytes: f.Data, URL: "http://retrieved.example/a/b"}
			all := shownLinks(t, new(Walker), d)
			for name, choose := range map[string]func(shown) bool{
				"place": func(l shown) bool { return strings.Contains(l.place, "@s") },
				"url":   func(l shown) bool { return len(l.url)%2 == 0 },
				"none":  func(shown) bool { return false },
			} {
				w := &Walker{}
				if name == "place" {
					w.Places = []string{"*@s*"}
				} else {
					w.Map = func(l *extract.Link) (string, bool) { return string(l.URL), choose(shown{url: string(l.URL)}) }
				}
				if name == "place" {
					var want []shown
					for _, l := range all {
						if choose(l) {
							want = append(want, l)
						}
					}
					assert.Equal(t, want, shownLinks(t, w, d), "%s, by %s", file, name)
				}

				var out bytes.Buffer
				require.NoError(t, w.Rewrite(&out, d), file)
				if name == "none" {
					assert.Equal(t, string(d.Bytes), out.String(), "%s: nothing is chosen, so nothing changes", file)
					continue
				}
				after := shownLinks(t, new(Walker), extract.Document{Name: f.Name, Bytes: out.Bytes(), URL: d.URL})
				if !assert.Len(t, after, len(all), "%s, by %s", file, name) {
					continue
				}
				for i, l := range after {
					switch {
					case l.raw == all[i].raw:
					case choose(all[i]):
						changed++
						assert.Equal(t, all[i].url, l.url, "%s, by %s: %s", file, name, l.place)
					case l.ref != all[i].ref: // raw differs if an edit had to encode the text around it again
						assert.Fail(t, "a link that is not chosen has changed", "%s, by %s: %s: %s", file, name, l.place, l.raw)
					}
				}
			}
		}
	}
	assert.Greater(t, documents, 20)
	assert.Greater(t, changed, 50)
}
