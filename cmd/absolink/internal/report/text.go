package report

import (
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/console"
)

// The limits for one text on a page, in bytes of the text.
const (
	longName   = 200 // a name, a reference or a URL of a run
	longDetail = 300 // the text of a problem
	longURL    = 500 // a reference or a URL of one document
)

// shown returns a text of a document for a page: on one line, with escapes in place of control characters, without
// passwords, and at most about most bytes long. It cuts the middle of a longer text.
func shown(s string, most int) string {
	cut := len(s) > 2*most
	if cut { // escaping the whole of a very long text would be slow
		s = s[:most] + s[len(s)-most:]
	}
	s = string(console.Printable([]byte(console.NoPasswords(s))))
	if len(s) <= most && !cut {
		return s
	}
	head, tail := min(most*2/3, len(s)), max(len(s)-most/3, 0)
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + " … " + s[tail:]
}

// visible returns bytes of a source for a page. Line ends and tabs stay.
func visible(b []byte) string {
	return strings.ReplaceAll(string(console.PrintableLines(b)), "\r\n", "\n")
}

// phrase is a part of a text of this program.
type phrase struct {
	Text string
	Code bool // it is code, like the name of a flag
}

// phrases divides a text with code between backquotes.
func phrases(s string) (all []phrase) {
	for i, part := range strings.Split(s, "`") {
		all = append(all, phrase{part, i%2 == 1})
	}
	return all
}

func bytesText(n int64) string { return string(console.AppendBytes(nil, float64(n))) }

func count(n int64, plural string) string { return console.Number(n) + " " + console.Things(n, plural) }
