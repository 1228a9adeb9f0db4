package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
)

// TestContributing builds the format that CONTRIBUTING.md adds as an example, and runs its case. The build reads the new
// and the changed files from a temporary folder.
func TestContributing(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	require.NoError(t, err)

	// A block of code comes after the name of its file.
	files := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)File\\s+`([^`\n]+)`:\n\n````\\w+\n(.*?)\n````\n").FindAllStringSubmatch(string(page), -1) {
		files[m[1]] = m[2] + "\n"
	}
	row := regexp.MustCompile("(?m)^\t\\{gemini.*\\},\n").FindString(string(page))
	require.NotEmpty(t, row)
	const source, example, table = "extract/internal/gemini/gemini.go", "testdata/gemini/links.txtar", "extract/format.go"
	require.Contains(t, files, source)
	require.Contains(t, files, example)

	text, err := os.ReadFile(filepath.Join(root, table))
	require.NoError(t, err)
	const first = "\t{archive.ARC, archive.SniffARC},\n"
	require.Contains(t, string(text), first)
	changed := strings.Replace(string(text), first, first+row, 1)
	changed = strings.Replace(changed, "import (\n", "import (\n\t\"absolink/extract/internal/gemini\"\n", 1)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, content := range map[string]string{source: files[source], table: changed} {
		path := filepath.Join(t.TempDir(), filepath.Base(name))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		overlay.Replace[filepath.Join(root, name)] = path
	}
	listed, err := json.Marshal(overlay)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(path, listed, 0o644))
	binary := filepath.Join(t.TempDir(), "absolink.exe")
	commandtest.Go(t, "build", "-buildvcs=false", "-overlay", path, "-o", binary, ".")

	sections := map[string]string{}
	for _, f := range txtar.Parse([]byte(files[example])).Files {
		sections[f.Name] = string(f.Data)
	}
	input := filepath.Join(t.TempDir(), "input.gmi")
	require.NoError(t, os.WriteFile(input, []byte(sections["input.gmi"]), 0o644))
	rewritten, err := exec.Command(binary, "rewrite", "-q", input, "-u", "http://h/docs/").Output()
	require.NoError(t, err)
	require.NotEmpty(t, sections["rewrite"])
	lines := strings.SplitAfter(sections["input.gmi"], "\n")
	for changed := range strings.Lines(sections["rewrite"]) {
		number, line, _ := strings.Cut(changed, ": ")
		n, err := strconv.Atoi(number)
		require.NoError(t, err)
		lines[n-1] = line
	}
	assert.Equal(t, strings.Join(lines, ""), string(rewritten))
	links, err := exec.Command(binary, "links", "-q", input, "-u", "http://h/docs/", "--fields", "place,layer,status,url").Output()
	require.NoError(t, err)
	assert.Equal(t, sections["links"], strings.ReplaceAll(string(links), "\t", " "))

	// A URL with white space would end the link, so it is refused.
	refused := exec.Command(binary, "rewrite", input, "-u", "http://h/a b/")
	out, err := refused.CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "rewrite-refused")
}
