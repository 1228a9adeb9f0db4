package ascii

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLower checks that the bytes before A and after Z, and letters outside ASCII, have no case.
func TestLower(t *testing.T) {
	for s, want := range map[string]string{"": "", "abc": "abc", "ABC": "abc", "aZ@[`{": "az@[`{", "@A[Z": "@a[z", "É\xc9K": "É\xc9k", "\u212A": "\u212A"} {
		assert.Equal(t, want, Lower(s), "Lower(%q)", s)
		assert.Equal(t, "x"+want, string(Fold([]byte("x"), []byte(s))), "Fold(%q)", s)
	}
	assert.Zero(t, testing.AllocsPerRun(10, func() { Lower("no capital letter") }))
}

// TestFoldEqual compares names in any case. Characters outside ASCII have no case.
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
