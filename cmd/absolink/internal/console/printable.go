// Text of documents for people: no byte of it changes the terminal.

package console

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Printable returns text with escapes in place of control characters, of characters that change the direction of text, and of
// bytes that are not UTF-8. They would break a line, change the state of a terminal, or show the parts of a URL in another
// order. The escapes are those of a Go string.
func Printable(b []byte) []byte { return printable(b, false) }

// PrintableLines is Printable for whole lines: tabs and line ends stay. JSON keeps its meaning, because it has only escapes
// that are also escapes of JSON.
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
