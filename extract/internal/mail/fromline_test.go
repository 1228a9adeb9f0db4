package mail

import (
	"bytes"
	rand "math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFromLine has a row for each condition of a From_ line.
func TestFromLine(t *testing.T) {
	for _, row := range []struct {
		name, line string
		want       bool
	}{
		{"RFC 4155: asctime", "From a@b Mon Jan  1 00:00:00 2024\n", true},
		{"CRLF", "From a@b Mon Jan  1 00:00:00 2024\r\n", true},
		{"no space", "From", false},
		{"another case", "from a 1:11", false},
		{"Thunderbird: no sender and no date", "From ", true},
		{"Thunderbird: only white space", "From  \t\r\n", true},
		{"Thunderbird: a hyphen", "From - \n", true},
		{"a hyphen and more", "From -x", false},
		{"a word", "From here", false},
		{"a letter", "From x", false},
		{"only a time", "From 1:11", true},
		{"the shortest time, at the end", "From x 1:11", true},
		{"a time without its last digit", "From x 1:1", false},
		{"a time whose last digit is on the next line", "From x 1:1\n1", false},
		{"a time on the next line", "From x\n1:11", false},
		{"no digit before the colon", "From x a:11", false},
		{"no digit after the colon", "From x 1:a1", false},
		{"one digit after the colon", "From x 1:1a", false},
		{"digits two places around the colon", "From x 1a:11", false},
		{"no colon", "From x 1;11", false},
		{"only digits", "From 11111", false},
		{"a colon before the time", "From a:b 1:11", true},
		{"the longest From_ line", "From " + strings.Repeat("x", longestFromLine-9) + "1:11", true},
		{"one byte more", "From " + strings.Repeat("x", longestFromLine-8) + "1:11", false},
	} {
		assert.Equal(t, row.want, isFromLine([]byte(row.line)), row.name)
	}
}

// literalFromLine is a simple version of nextFromLine: it reads a whole file line by line.
func literalFromLine(src []byte, p int) (i int, quoted bool) {
	empty, start := false, true
	for at := 0; at < len(src); {
		end := len(src)
		if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := src[at:end]
		if at > p {
			if (empty || start) && isFromLine(line) {
				return at, quoted
			}
			quoted = quoted || line[0] == '>' && bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From "))
		}
		empty, start = string(line) == "\n" || string(line) == "\r\n", false
		at = end
	}
	return -1, quoted
}

// TestNextFromLine compares nextFromLine with literalFromLine. It passes the file in pieces of random length.
func TestNextFromLine(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tokens := []string{"\n", "\n", "\n\n", "\r\n", "\r\n\r\n", "From x 1:11", "From ", "\n\nFrom x 1:11\n", "\n\nF", "F", "xFrom ", ">From ", "\n>From ", "\n>>>>>>>>>From ", ">", "x", " ", "base64base64",
		"\nbase64base64\n", "\n\n>" + strings.Repeat("x", longestFromLine), "\nFrom " + strings.Repeat("x", longestFromLine)}
	for range 20_000 {
		var src []byte
		for range r.IntN(12) {
			src = append(src, tokens[r.IntN(len(tokens))]...)
		}
		p := r.IntN(len(src) + 1)
		want, wantQuoted := literalFromLine(src, p)

		at, quoted := p, false
		for n := p; ; n = min(n+1+r.IntN(40), len(src)) {
			i, sure, q := nextFromLine(src[:n], at, n == len(src))
			quoted = quoted || q
			if sure {
				require.Equal(t, want, i, "%q from %d", src, p)
				require.Equal(t, wantQuoted, quoted, "%q from %d", src, p)
				break
			}
			require.GreaterOrEqual(t, i, at, "%q from %d", src, p)
			require.Less(t, n-i, longestFromLine+2, "at most one From_ line is read again: %q from %d", src, p)
			at = i
		}
	}
}
