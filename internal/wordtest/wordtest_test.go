package wordtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// TestProject checks each page and each Go file of the project.
func TestProject(t *testing.T) {
	pages, sources := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && d.Name() != ".ci" || // .git, and environments of Python
				d.Name() == "testdata" && name != "testdata" || name == "internal/wordtest" {
				return filepath.SkipDir
			}
			return nil
		}
		var found []Finding
		switch filepath.Ext(name) {
		case ".md":
			pages++
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			found = Markdown(name, string(text))
		case ".go":
			sources++
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			found, err = Go(name, string(text))
			require.NoError(t, err)
		}
		for _, f := range found {
			t.Error(f)
		}
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, pages, 20)
	assert.Greater(t, sources, 300)
}

// TestMarkdown checks the place of each finding, and that code is not read as text.
func TestMarkdown(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", maxWords+1))
	for _, row := range []struct {
		name, page string
		want       []int // lines
	}{
		{"a sentence of the longest allowed length", "# T\n\n" + long[5:] + ".\n", nil},
		{"a sentence that is too long", "# T\n\nShort. " + long + ".\n", []int{3}},
		{"two lines, and the second sentence is too long", "Short.\nShort too. " + long[:100] + "\n" + long[100:] + ".\n", []int{2}},
		{"two sentences", long[:75] + ". " + long[75:] + ".\n", nil},
		{"list items are separate", "- " + long[:75] + "\n- " + long[75:] + "\n", nil},
		{"a list item that is too long", "Text:\n\n1. " + long + "\n", []int{3}},
		{"table cells are separate", "| " + long[:75] + " | " + long[75:] + " |\n", nil},
		{"a table cell that is too long", "| a |\n|---|\n| " + long + " |\n", []int{3}},
		{"fenced code", "```\n" + long + "\n```\n", nil},
		{"a fence inside a longer fence", "````\n```\n" + long + "\n```\n````\n" + long, []int{6}},
		{"indented code", "Text:\n\n    " + long + "\n", nil},
		{"text after fenced code", "```\nx\n```\n" + long + "\n", []int{4}},
		{"code counts as one word", "`" + long + "` is code.\n", nil},
		{"the target of a link is no text", "[x](" + strings.ReplaceAll(long, " ", "/") + ")\n", nil},
		{"a phrase", "The file is\npassed\nover.\n", []int{2}},
		{"a phrase in code", "The word `passed over` is code.\n", nil},
		{"a quoted phrase", "The word \"beyond\" is quoted.\n", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			var lines []int
			for _, f := range Markdown("x.md", row.page) {
				lines = append(lines, f.Line)
			}
			assert.Equal(t, row.want, lines)
		})
	}
}

// TestGo checks comments and messages.
func TestGo(t *testing.T) {
	src := "package p\n\n// F says whether\n// it works.\n//\n//\tbeyond\nfunc F() {\n\tprintln(\"it stays as it is\", `beyond`)\n}\n"
	for _, row := range []struct {
		file string
		want []string
	}{
		{"x.go", []string{`x.go:3: "says whether": write reports whether`, `x.go:8: "stays as it is": write unchanged`}},
		{"x_test.go", []string{`x_test.go:3: "says whether": write reports whether`}},
	} {
		found, err := Go(row.file, src)
		require.NoError(t, err)
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		assert.Equal(t, row.want, got)
	}
	_, err := Go("x.go", "no Go")
	assert.Error(t, err)
}
