package ascii

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	digits  = "0123456789"
)

// TestClasses tests each class with all 256 bytes.
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

// TestIsASCII has a byte outside ASCII at each index of texts of many lengths.
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

// TestPlainASCII has a byte that is not plain ASCII at the start, in the middle and at the end of a text.
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
