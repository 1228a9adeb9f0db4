package ascii

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLineEnd(t *testing.T) {
	for _, row := range []struct {
		src     string
		p, want int
	}{
		{"", 0, 0}, {"ab", 0, 2}, {"ab\ncd", 0, 3}, {"ab\r\ncd", 1, 4}, {"ab\ncd", 3, 5}, {"\n\n", 1, 2}, {"ab", 2, 2}, {"a\rb", 0, 3},
	} {
		assert.Equal(t, row.want, LineEnd([]byte(row.src), row.p), "%q from %d", row.src, row.p)
	}
}

func TestNewlines(t *testing.T) {
	for _, row := range []struct {
		src                string
		first, last, empty int // NewlineLen, LastNewline, EmptyLineLen
	}{
		{"", 0, 0, 0},
		{"a", 0, 0, 0},
		{"\n", 1, 1, 1},
		{"\r\n", 2, 2, 2},
		{"\r", 0, 0, 0},
		{"\r\r\n", 0, 2, 3},
		{"\r\r\r", 0, 0, 0},
		{"\n\r", 1, 0, 1},
		{"\r\na\n", 2, 1, 2},
		{"a\r\n", 0, 2, 0},
		{" \n", 0, 1, 0},
		{"\ra\n", 0, 1, 0},
	} {
		assert.Equal(t, row.first, NewlineLen([]byte(row.src)), "NewlineLen(%q)", row.src)
		assert.Equal(t, row.last, LastNewline([]byte(row.src)), "LastNewline(%q)", row.src)
		assert.Equal(t, row.empty, EmptyLineLen([]byte(row.src)), "EmptyLineLen(%q)", row.src)
	}
}

func TestIsBlankLine(t *testing.T) {
	for line, want := range map[string]bool{"": true, "\n": true, " \t\r\n": true, "\r\r\n": true, " a\n": false, "\f\n": false, "\x00": false} {
		assert.Equal(t, want, IsBlankLine([]byte(line)), "%q", line)
	}
}
