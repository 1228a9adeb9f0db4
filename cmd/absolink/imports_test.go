package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestImports holds the drawing in the comment of the package: which of the command's own packages each of them
// imports, and that only main imports the libraries for commands and flags.
func TestImports(t *testing.T) {
	const own = "absolink/cmd/absolink/internal/"
	want := map[string]string{
		"files":   "",
		"rows":    "files",
		"inputs":  "files",
		"console": "files rows",
		"diff":    "console files",
		"batch":   "files inputs rows",
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./internal/...").Output()
	require.NoError(t, err)
	got := map[string]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		var imports []string
		for _, path := range words[1:] {
			assert.NotContains(t, path, "spf13", words[0])
			if name, ok := strings.CutPrefix(path, own); ok {
				imports = append(imports, name)
			}
		}
		got[strings.TrimPrefix(words[0], own)] = strings.Join(imports, " ")
	}
	assert.Equal(t, want, got)
}
