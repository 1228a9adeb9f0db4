package console

import (
	"bytes"
	"fmt"
	"strings"
)

// ShellWord spells a word of a command line for a shell: as it is, or in quotes. A word with control characters or with
// other bytes than ASCII letters is in $'...', so that the message that shows it has all of its bytes.
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

// plainInShell are characters that mean themselves in every shell.
const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_"

// ShellLine spells a command line for a shell.
func ShellLine(words []string) string {
	var line []string
	for _, word := range words {
		line = append(line, ShellWord(word))
	}
	return strings.Join(line, " ")
}
