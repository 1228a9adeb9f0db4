//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
)

// completes returns the completions by bash of the last word, with the script and without the package bash-completion.
// COMP_LINE is the typed line. COMP_WORDS has its words as bash splits them at spaces, "=" and ":".
const completes = `
source "$1"
COMP_LINE="$2"
COMP_POINT=${#COMP_LINE}
COMP_TYPE=9
COMP_KEY=9
COLUMNS=200
shift 2
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
__start_absolink
printf '%s\n' "${COMPREPLY[@]}"
`

// The script for bash completes verbs, flags and values in a bash without the package bash-completion.
func TestCompletionBash(t *testing.T) {
	if !commandtest.Starts("bash") {
		t.Skip("bash does not start")
	}
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(dir, "absolink")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "page.html"), nil, 0o666))
	script := filepath.Join(dir, "completion")
	text, err := command(t, "completion", "bash").Output()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(script, text, 0o666))
	for _, row := range []struct {
		line  string
		words []string
		want  string
	}{
		{"absolink lin", []string{"absolink", "lin"}, "links"},
		{"absolink help prob", []string{"absolink", "help", "prob"}, "problems"},
		{"absolink completion z", []string{"absolink", "completion", "z"}, "zsh"},
		{"absolink links --overr", []string{"absolink", "links", "--overr"}, "--override-base"},
		{"absolink links --format par", []string{"absolink", "links", "--format", "par"}, "parquet"},
		{"absolink links -f jsonl --only markd", []string{"absolink", "links", "-f", "jsonl", "--only", "markd"}, "markdown"},
		{"absolink links --fields document,pla", []string{"absolink", "links", "--fields", "document,pla"}, "document\\,place"},
		{"absolink links --url http://h/ --standard w", []string{"absolink", "links", "--url", "http", ":", "//h/", "--standard", "w"}, "whatwg"},
		{"absolink links --standard=w", []string{"absolink", "links", "--standard", "=", "w"}, "whatwg"},
		{"absolink links --standard=", []string{"absolink", "links", "--standard", "=", ""}, "rfc1808\nrfc3986\nwhatwg"},
		{"absolink links --type html ", []string{"absolink", "links", "--type", "html", ""}, ""},
	} {
		cmd := exec.Command("bash", append([]string{"--noprofile", "--norc", "-c", completes, "bash", script, row.line}, row.words...)...)
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), asCommand+"=1")
		cmd.Dir = dir
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		require.NoError(t, err, "%s: %s", row.line, stderr.String())
		assert.Equal(t, row.want, strings.TrimSpace(string(out)), row.line)
		assert.Empty(t, complaints(stderr.String()), row.line)
	}
}

// complaints returns the messages of bash, except the message of compopt, which works only in an interactive shell.
func complaints(stderr string) (lines []string) {
	for line := range strings.Lines(stderr) {
		if !strings.Contains(line, "compopt: not currently executing completion function") {
			lines = append(lines, line)
		}
	}
	return lines
}
