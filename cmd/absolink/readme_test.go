package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadme runs what the README shows: each "$ absolink" line of its console blocks,
// from the top of the repository, prints what follows it there.
func TestReadme(t *testing.T) {
	const path = "../../README.md"
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	bin := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(bin, "absolink")))

	var out strings.Builder
	commands := 0
	blocks := strings.Split(string(text), "```")
	for i, block := range blocks {
		if i > 0 {
			out.WriteString("```")
		}
		if !strings.HasPrefix(block, "console\n") {
			out.WriteString(block)
			continue
		}
		out.WriteString("console\n")
		for _, line := range strings.Split(block, "\n") {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			commands++
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir = "../.."
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), asCommand+"=1")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			got, err := cmd.Output()
			require.NoError(t, err, "%s: %s", command, stderr.String())
			out.WriteString(line + "\n" + string(got))
		}
	}
	require.NotZero(t, commands)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(out.String()), 0o644))
		return
	}
	assert.Equal(t, string(text), out.String())
}

// TestReadmeFiles: the architecture of the README names the files of extract, all and no others.
func TestReadmeFiles(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, drawn, _ := strings.Cut(string(text), "    extract/  ")
	drawn, _, _ = strings.Cut(drawn, "    cmd/absolink/")
	files := map[string]bool{"doc.go": true}
	for _, word := range strings.Fields(drawn) {
		if !strings.HasSuffix(word, ".go") {
			continue
		}
		found, err := filepath.Glob("../../extract/" + word)
		require.NoError(t, err)
		assert.NotEmpty(t, found, word)
		for _, name := range found {
			files[filepath.Base(name)] = true
		}
	}
	all, err := filepath.Glob("../../extract/*.go")
	require.NoError(t, err)
	for _, name := range all {
		assert.True(t, files[filepath.Base(name)] || strings.HasSuffix(name, "_test.go"), name)
	}
}
