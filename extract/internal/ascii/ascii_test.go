package ascii

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	digits  = "0123456789"
)

func TestClasses(t *testing.T) {
	for _, row := range []struct {
		name  string
		is    func(c byte) bool
		bytes string
	}{
		{"IsLetter", IsLetter, letters},
		{"IsDigit", IsDigit, digits},
		{"IsSchemeByte", IsSchemeByte, letters + digits + "+-."},
		{"IsBlank", IsBlank, " \t"},
		{"IsWhite", IsWhite, " \t\r\n"},
		{"IsSpace", IsSpace, " \t\r\n\f"},
		{"HexValue", func(c byte) bool { return HexValue(c) >= 0 }, digits + "abcdefABCDEF"},
	} {
		for c := range 256 {
			assert.Equal(t, strings.IndexByte(row.bytes, byte(c)) >= 0, row.is(byte(c)), "%s(%q)", row.name, byte(c))
		}
	}
}

func TestHexValue(t *testing.T) {
	for i, c := range "0123456789abcdef" {
		assert.Equal(t, i, HexValue(byte(c)), "%q", c)
	}
	for i, c := range "ABCDEF" {
		assert.Equal(t, 10+i, HexValue(byte(c)), "%q", c)
	}
	assert.Equal(t, -1, HexValue('g'))
}

func TestIsDigits(t *testing.T) {
	for b, want := range map[string]bool{"": false, "0": true, "0123456789": true, "-1": false, "1 ": false, "1a": false, "\xb2": false} {
		assert.Equal(t, want, IsDigits([]byte(b)), "%q", b)
	}
}

func TestIsASCII(t *testing.T) {
	for n := range 100 {
		src := []byte(strings.Repeat("\x7f", n))
		assert.True(t, IsASCII(src), "%d bytes", n)
		for i := range src {
			src[i] = 0x80
			assert.False(t, IsASCII(src), "byte %d of %d", i, n)
			src[i] = 0
		}
	}
}

func TestPlainASCII(t *testing.T) {
	for _, n := range []int{1, 7, 16<<10 - 1, 16 << 10, 16<<10 + 1, 40 << 10} {
		src := []byte(strings.Repeat("\x7f\x01", n)[:n])
		assert.True(t, PlainASCII(src), "%d bytes", n)
		for _, c := range []byte{0, 0x1B, 0x80, 0xFF} {
			for _, i := range []int{0, n / 2, n - 1} {
				was := src[i]
				src[i] = c
				assert.False(t, PlainASCII(src), "%q at %d of %d", c, i, n)
				src[i] = was
			}
		}
	}
	assert.True(t, PlainASCII(nil))
}

// The bytes before A and after Z, and letters outside ASCII, have no case.
func TestLower(t *testing.T) {
	for s, want := range map[string]string{"": "", "abc": "abc", "ABC": "abc", "aZ@[`{": "az@[`{", "@A[Z": "@a[z", "É\xc9K": "É\xc9k", "\u212A": "\u212A"} {
		assert.Equal(t, want, Lower(s), "Lower(%q)", s)
		assert.Equal(t, "x"+want, string(Fold([]byte("x"), []byte(s))), "Fold(%q)", s)
	}
	assert.Zero(t, testing.AllocsPerRun(10, func() { Lower("no capital letter") }))
}

func TestFoldEqual(t *testing.T) {
	for _, row := range []struct {
		b, name string
		want    bool
	}{
		{"", "", true},
		{"href", "href", true},
		{"HrEf", "href", true},
		{"href", "hre", false},
		{"hre", "href", false},
		{"hrex", "href", false},
		{"AZ", "az", true},
		{"@[", "`{", false},
		{"\xc9", "\xe9", false},
		{"\u212A", "k", false},
	} {
		assert.Equal(t, row.want, FoldEqual([]byte(row.b), row.name), "FoldEqual(%q, %q)", row.b, row.name)
		assert.Equal(t, row.want, FoldEqualBytes([]byte(row.b), []byte(row.name)), "FoldEqualBytes(%q, %q)", row.b, row.name)
		assert.Equal(t, row.want, FoldEqualBytes([]byte(row.name), []byte(row.b)), "FoldEqualBytes(%q, %q)", row.name, row.b)
	}
	assert.False(t, FoldEqual([]byte("a"), "A"), "the name must be in lower case")
	assert.True(t, FoldEqualBytes([]byte("aB"), []byte("Ab")))
}

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

// TestNext has every start of a search and every index of the byte, for After as well. The other bytes differ in one bit.
func TestNext(t *testing.T) {
	for _, c := range []byte{0, '<', 0x7F, 0x80, 0xFF} {
		for n := range 70 {
			for at := range n + 1 {
				src := bytes.Repeat([]byte{c ^ 1, c ^ 0x80}, n)[:n]
				if at < n {
					src[at] = c
				}
				for p := range n + 1 {
					want := n
					if p <= at {
						want = at
					}
					require.Equal(t, want, Next(src, p, c), "%q at %d of %d, from %d", c, at, n, p)
					near := Near(src, p, c)
					require.True(t, near == want || n-8 < near && near <= want, "%q at %d of %d, from %d: %d", c, at, n, p, near)
					require.Equal(t, min(want+1, n), After(src, p, c), "%q at %d of %d, from %d", c, at, n, p)
				}
			}
		}
	}
	assert.Equal(t, 1, Next([]byte("abab"), 0, 'b'), "the first of two")
	assert.Equal(t, 3, Next([]byte("abab"), 2, 'b'))
	assert.Equal(t, 2, Next([]byte("ab"), 9, 'b'), "p is after the end")
}

func TestQuotedEnd(t *testing.T) {
	for _, row := range []struct {
		src     string
		i, want int
	}{
		{`"abc"x`, 1, 4}, {`""`, 1, 1}, {`"a\"b"`, 1, 5}, {`"\\"x"`, 1, 3}, {`"abc`, 1, 4}, {`"a\`, 1, 3}, {`"a\"`, 1, 4}, {``, 0, 0}, {`"`, 1, 1},
	} {
		assert.Equal(t, row.want, QuotedEnd([]byte(row.src), row.i), "%q from %d", row.src, row.i)
	}
}

func TestAnyOf(t *testing.T) {
	set := Words("canonical\n\tog:url bookmark")
	require.Equal(t, map[string]bool{"canonical": true, "og:url": true, "bookmark": true}, set())
	require.Empty(t, Words(" ")())
	for list, want := range map[string]bool{
		"canonical": true, "CANONICAL": true, "x\tBookmark\fy": true, " og:url ": true, "a b og:url": true,
		"": false, " ": false, "canonicals": false, "canon ical": false, "canonical,x": false, "xcanonical": false,
	} {
		assert.Equal(t, want, AnyOf(set(), []byte(list)), "%q", list)
	}
	long := bytes.Repeat([]byte("A"), 100)
	assert.True(t, AnyOf(map[string]bool{string(Fold(nil, long)): true}, long), "a word longer than the buffer")
}
