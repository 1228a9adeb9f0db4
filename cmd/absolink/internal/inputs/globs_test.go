package inputs

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGlobs(t *testing.T) {
	for _, row := range []struct {
		name     string
		patterns []string
		yes, no  []string
	}{
		{"no pattern", nil, []string{"a.html", "s/a"}, nil},
		{"a name, in any folder", []string{"*.html"}, []string{"a.html", "s/t/a.html"}, []string{"a.htm", "a.html/b"}},
		{"a path", []string{"s/*.html"}, []string{"s/a.html"}, []string{"a.html", "s/t/a.html", "t/s/a.html"}},
		{"at the root only", []string{"/*.html"}, []string{"a.html"}, []string{"s/a.html"}},
		{"any folders", []string{"s/**/*.html"}, []string{"s/a.html", "s/t/u/a.html"}, []string{"a.html", "t/s/a.html"}},
		{"a folder at any depth", []string{"**/s/**"}, []string{"s/a", "t/s/u/a"}, []string{"a", "t/a"}},
		{"one character", []string{"?.html"}, []string{"a.html", "é.html"}, []string{"ab.html"}},
		{"a class", []string{"[a-c].html", "[!0-9]"}, []string{"b.html", "x"}, []string{"d.html", "5"}},
		{"a choice", []string{"*.{html,xhtml}"}, []string{"a.html", "a.xhtml"}, []string{"a.css"}},
		{"an escaped character", []string{`a\*.html`}, []string{"a*.html"}, []string{"ab.html"}},
		{"one of several", []string{"*.html", "*.css"}, []string{"a.html", "a.css"}, []string{"a.js"}},
		{"excluded", []string{"!*.css", "!s/**"}, []string{"a.html"}, []string{"a.css", "s/a.html"}},
		{"excluded, in any order", []string{"!index.*", "*.html"}, []string{"a.html"}, []string{"index.html", "a.css"}},
		{"case counts", []string{"*.html"}, nil, []string{"A.HTML"}},
	} {
		g, err := NewGlobs(row.patterns)
		require.NoError(t, err, row.name)
		for _, rel := range row.yes {
			assert.True(t, g.match(rel), "%s: %s", row.name, rel)
		}
		for _, rel := range row.no {
			assert.False(t, g.match(rel), "%s: %s", row.name, rel)
		}
	}
	for _, pattern := range []string{"", "!", "[a", "{a,b", `a\`} {
		_, err := NewGlobs([]string{pattern})
		assert.Error(t, err, pattern)
	}
}
