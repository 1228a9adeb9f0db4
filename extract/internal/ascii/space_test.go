package ascii

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSkipSpace(t *testing.T) {
	for _, row := range []struct {
		src     string
		i, want int
	}{
		{"", 0, 0}, {"a", 0, 0}, {" \t\r\n\fa", 0, 5}, {"a  b", 1, 3}, {"a  ", 1, 3}, {"a", 1, 1}, {"\v", 0, 0}, {"\xa0", 0, 0},
	} {
		assert.Equal(t, row.want, SkipSpace([]byte(row.src), row.i), "%q from %d", row.src, row.i)
	}
}

func TestTrimSpace(t *testing.T) {
	for _, row := range []struct {
		src                string
		start, end         int
		wantStart, wantEnd int
		whole              string // Trimmed of the whole row
	}{
		{"", 0, 0, 0, 0, ""},
		{"ab", 0, 2, 0, 2, "ab"},
		{" \t\r\n\fa b\f\n\r\t ", 0, 13, 5, 8, "a b"},
		{"x ab y", 1, 5, 2, 4, "x ab y"},
		{"  ", 0, 2, 2, 2, ""},
		{"\va\xa0", 0, 3, 0, 3, "\va\xa0"},
	} {
		start, end := TrimSpace([]byte(row.src), row.start, row.end)
		assert.Equal(t, [2]int{row.wantStart, row.wantEnd}, [2]int{start, end}, "%q", row.src)
		assert.Equal(t, row.whole, string(Trimmed([]byte(row.src))), "%q", row.src)
	}
}

func TestSkipWhite(t *testing.T) {
	for _, row := range []struct {
		src          string
		i, end, want int
	}{
		{"", 0, 0, 0}, {"a", 0, 1, 0}, {"a\r\n\t b", 1, 6, 5}, {"   a", 0, 2, 2}, {"\fa", 0, 2, 0},
	} {
		assert.Equal(t, row.want, SkipWhite([]byte(row.src), row.i, row.end), "%q from %d to %d", row.src, row.i, row.end)
	}
}
