package console

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"http://h/é/\u05d0/😀?q=\"\\":  "http://h/é/\u05d0/😀?q=\"\\",
		"\x1b]0;title\a":              `\x1b]0;title\a`,
		"a\x00\x08\x0e\x7f":           `a\x00\b\x0e\u007f`,
		"\u0080\u009b31m\u009f\u00a0": `\u0080\u009b31m\u009f` + "\u00a0",
		"\x9b31m caf\xe9 \xf0\x9f":    `\x9b31m caf\xe9 \xf0\x9f`,
		"\ufffd":                      "\ufffd",
		"\u061c\u200d\u200e\u200f":    `\u061c` + "\u200d" + `\u200e\u200f`,
		"\u202a\u202e \u2066\u2069":   `\u202a\u202e \u2066\u2069`,
		"a\tb\r\n":                    `a\tb\r\n`,
	} {
		assert.Equal(t, want, string(Printable([]byte(text))), "%q", text)
	}
	for lines, want := range map[string]string{
		"a\tb\r\nc\n": "a\tb\r\nc\n",
		"a\rb\r":      `a\rb\r`,
		"\x1b\n\x1b":  "\\x1b\n\\x1b",
	} {
		assert.Equal(t, want, string(PrintableLines([]byte(lines))), "%q", lines)
	}
}

// JSON on a terminal has the same values, and nothing that changes the terminal.
func TestPrintableJSON(t *testing.T) {
	every := ""
	for r := range rune(0x2100) {
		every += string(r)
	}
	text, err := json.Marshal(every)
	require.NoError(t, err)
	shown := PrintableLines(append(text, '\n'))
	assert.Equal(t, string(Printable(shown[:len(shown)-1]))+"\n", string(shown))
	var got string
	require.NoError(t, json.Unmarshal(shown, &got))
	assert.Equal(t, every, got)
}

func TestWrap(t *testing.T) {
	for _, row := range []struct {
		s    string
		room int
		want []string
	}{
		{"one two", 7, []string{"one two"}},
		{"one two", 6, []string{"one", "two"}},
		{"one two three", 3, []string{"one", "two", "three"}},
		{"a http://h/long b", 4, []string{"a", "http://h/long", "b"}},
		{"道道 道道", 5, []string{"道道", "道道"}},
		{"longer-than-it x", 4, []string{"longer-than-it", "x"}},
		{"word", 0, []string{"word"}},
		{"", 0, []string{""}},
	} {
		assert.Equal(t, row.want, Wrap(row.s, row.room), row.s)
	}
}
