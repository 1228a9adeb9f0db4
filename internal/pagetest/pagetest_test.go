package pagetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Only the part with the name is replaced, and a second update changes nothing.
func TestUpdate(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(page, []byte("# A\n\n<!-- begin a: -->old<!-- end a -->\n\n<!-- begin b: -->b<!-- end b -->\n"), 0o600))
	for range 2 {
		Check(t, page, "a", "new\n", "go test", true)
	}
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Equal(t, "# A\n\n<!-- begin a: written by go test -->\n\nnew\n\n<!-- end a -->\n\n<!-- begin b: -->b<!-- end b -->\n", string(text))
	Check(t, page, "a", "new\n", "go test", false)
}

func TestMissingPart(t *testing.T) {
	for _, page := range []string{"", "<!-- begin b: --><!-- end b -->", "<!-- begin a: -->", "<!-- end a --><!-- begin a: -->"} {
		_, ok := replace(page, "a", "text", "go test")
		assert.False(t, ok, page)
	}
}

func TestTable(t *testing.T) {
	assert.Equal(t, "| a | b |\n|---|---|\n| `x\\|y*` \\* | |\n| \\<p> | 2 |\n", Table([]string{"a", "b"}, [][]string{{"`x|y*` *", ""}, {"<p>", "2"}}))
	assert.Equal(t, [][]string{{"a c", "1"}, {"b", "2"}}, Merge([][]string{{"a", "1"}, {"b", "2"}, {"c", "1"}}))
	assert.Equal(t, "`a` `b`", Code(" ", "a", "b"))
	assert.Empty(t, Code(" "))
}
