package console

import (
	"bytes"
	"fmt"
	"strings"
)

// ShellWord returns a word of a command line for a shell: unchanged, or in quotes. A word with control characters or bytes that
// are not UTF-8 is in $'...', so that a message can show all bytes.
func ShellWord(word string) string {
	switch {
	case word != "" && strings.Trim(word, plainInShell) == "":
		return word
	case bytes.Equal(Printable([]byte(word)), []byte(word)):
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	out := []byte("$'")
	for _, c := range []byte(word) {
		switch {
		case c == '\'' || c == '\\':
			out = append(out, '\\', c)
		case c < ' ' || c >= 0x7F:
			out = fmt.Appendf(out, `\%03o`, c)
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '\''))
}

// plainInShell has the characters that need no quotes in any shell.
const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_"

// ShellLine returns a command line for a shell.
func ShellLine(words []string) string {
	var line []string
	for _, word := range words {
		line = append(line, ShellWord(word))
	}
	return strings.Join(line, " ")
}
