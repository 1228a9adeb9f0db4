package main

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadme runs what the README shows: each "$ absolink" line of its console blocks,
// from the top of the repository, prints what follows it there.
func TestReadme(t *testing.T) {
	const readme = "../../README.md"
	text, err := os.ReadFile(readme)
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
		require.NoError(t, os.WriteFile(readme, []byte(out.String()), 0o644))
		return
	}
	assert.Equal(t, string(text), out.String())
}

// TestArchitecturePackages checks that docs/architecture.md names the folder of each package of the module, and no others.
func TestArchitecturePackages(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	_, drawn, _ := strings.Cut(string(text), "## Packages")
	drawn, _, _ = strings.Cut(drawn, "    testdata/")
	got := map[string]bool{}
	for _, word := range strings.Fields(drawn) {
		if name, ok := strings.CutSuffix(word, "/"); ok && name != "internal" {
			got[path.Base(name)] = true
		}
	}
	out, err := exec.Command("go", "list", "../../...").Output()
	require.NoError(t, err)
	want := map[string]bool{}
	for pkg := range strings.FieldsSeq(string(out)) {
		if !strings.HasSuffix(pkg, "test") { // else it is for tests alone
			want[path.Base(pkg)] = true
		}
	}
	assert.Equal(t, want, got)
}

// TestExamplesReadme: examples/README.md has the command of each example, as the comment of its package has it.
func TestExamplesReadme(t *testing.T) {
	text, err := os.ReadFile("../../examples/README.md")
	require.NoError(t, err)
	programs, err := filepath.Glob("../../examples/*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, program := range programs {
		name := filepath.Base(filepath.Dir(program))
		source, err := os.ReadFile(program)
		require.NoError(t, err)
		command := regexp.MustCompile(`(?m)^    (go run ./examples/` + name + `( .*)?)$`).FindSubmatch(text)
		require.NotNil(t, command, name)
		assert.Contains(t, string(source), "//\t"+string(command[1])+"\n", name)
	}
}
