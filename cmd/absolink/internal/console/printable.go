// Text for people and for shells, of which no byte changes the terminal.

package console

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Printable returns text with escapes, as in a Go string, in place of control characters, of characters that change the
// direction of text, and of bytes that are not UTF-8. They would break a line, change the state of a terminal, or show
// the parts of a URL in another order.
func Printable(b []byte) []byte { return printable(b, false) }

// PrintableLines is Printable for whole lines: tabs and line ends stay. JSON keeps its meaning, because the only
// characters of it that are escaped become \u and four digits, as JSON escapes them.
func PrintableLines(b []byte) []byte { return printable(b, true) }

func printable(b []byte, lines bool) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		escape := ""
		switch {
		case r == utf8.RuneError && n == 1:
			escape = fmt.Sprintf(`\x%02x`, b[i])
		case lines && (r == '\n' || r == '\t' || r == '\r' && i+1 < len(b) && b[i+1] == '\n'):
		case r < ' ':
			escape = strings.Trim(strconv.QuoteRune(r), "'")
		case 0x7F <= r && r < 0xA0 || turns(r):
			escape = fmt.Sprintf(`\u%04x`, r)
		}
		if i += n; escape != "" {
			out = append(append(out, b[done:i-n]...), escape...)
			done = i
		}
	}
	if done == 0 {
		return b
	}
	return append(out, b[done:]...)
}

// turns reports whether a character changes the direction of the text after it (UAX #9).
func turns(r rune) bool {
	return r == 0x061C || r == 0x200E || r == 0x200F || 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069
}

// ShellWord returns a word of a command line for a shell: unchanged, or in quotes. A word with control characters or
// bytes that are not UTF-8 is in $'...', so that a message can show all bytes.
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

// plainInShell are the characters that need no quotes in any shell.
const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_"

func ShellLine(words []string) string {
	var line []string
	for _, word := range words {
		line = append(line, ShellWord(word))
	}
	return strings.Join(line, " ")
}

// password matches the password of a URL, also without its end, because no port is so long.
var password = regexp.MustCompile(`([/\\]{2}[^/?#@:\[\s]*:)(?:[^/?#]*@|[^/?#@\s]{64,})`)

// NoPasswords replaces the passwords of the URLs in a text.
func NoPasswords(text string) string { return password.ReplaceAllString(text, "${1}xxxxx@") }

// Wrap breaks a text at spaces into lines of at most the given columns. It never breaks a word, so a URL stays whole.
func Wrap(text string, columns int) (lines []string) {
	line := ""
	for word := range strings.SplitSeq(text, " ") {
		if line != "" && ColumnsOf(line)+1+ColumnsOf(word) > columns {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// ColumnsOf returns the number of columns of a text on a terminal.
func ColumnsOf(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r < 0x300:
			n++
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		default:
			n++
			if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
				n++
			}
		}
	}
	return n
}
