package console

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
)

// A shell reads the quoted word as the word before quoting. The quoted word has no byte that a message would escape.
func TestShellLine(t *testing.T) {
	words := []string{"", "a", "-o", "a b", "it's", `"$HOME"`, "*.html", "~", "#x", "http://h/?a&b;c", "!x", "é x", `\`, "a\nb'c\\", "\x1b[m", "caf\xE9", "--name=x y"}
	line := ShellLine(words)
	assert.Equal(t, line, string(Printable([]byte(line))))
	if !commandtest.Starts("bash") {
		t.Skip("bash does not start")
	}
	out, err := exec.Command("bash", "-c", `printf '%s\0' `+line).Output()
	require.NoError(t, err)
	want := ""
	for _, word := range words {
		want += word + "\x00"
	}
	assert.Equal(t, want, string(out))
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"":        `''`,
		"a/b.c":   "a/b.c",
		"a b":     `'a b'`,
		"it's":    `'it'\''s'`,
		"caf\xE9": `$'caf\351'`,
		"a\nb":    `$'a\012b'`,
	} {
		assert.Equal(t, want, ShellWord(word))
	}
}
