package ascii

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNext checks Next, Near and After: every start of the search and every index of the byte. The other bytes differ from it in one bit.
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

// TestAnyOf has lists of words in any case, separated by ASCII whitespace.
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
