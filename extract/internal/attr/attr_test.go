package attr

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

// A new value ends where the attribute ends.
func TestQuoting(t *testing.T) {
	for _, row := range []struct {
		name     string
		quoting  Quoting
		old, new string
		written  string
	}{
		{"double", Double, "x", `a"'b`, `a&quot;'b`},
		{"single", Single, "x", `a"'b`, `a"&#39;b`},
		{"unquoted", Unquoted, "x", `a b`, `a&#32;b`},
		{"bare", Bare, "", `a`, `="a"`},
		{"empty", Empty, "", `a`, `"a"`},
		{"XML double", XMLDouble, "x", `a"'<b`, `a&quot;'&lt;b`},
		{"XML single", XMLSingle, "x", `a"'<b`, `a"&#39;&lt;b`},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := row.quoting.Text()
			text, _ := c.Decode([]byte(row.old))
			edits, err := codec.Lift(c, []byte(row.old), text, []codec.Edit{{Span: codec.Span{End: len(text)}, New: []byte(row.new)}})
			require.NoError(t, err)
			assert.Equal(t, row.written, string(codec.Apply(nil, []byte(row.old), edits)))
		})
	}
}

// Only the codec for URLs removes line ends.
func TestURL(t *testing.T) {
	for _, q := range []Quoting{Double, Single, XMLDouble, XMLSingle} {
		src := []byte("a&#10;b")
		text, _ := q.Text().Decode(src)
		url, _ := q.URL().Decode(src)
		assert.Equal(t, "ab", string(url), "quoting %d", q)
		assert.NotEqual(t, "ab", string(text), "quoting %d", q)
	}
}

// An attribute at the end of a truncated tag is the last one.
func TestNextTruncated(t *testing.T) {
	for src, name := range map[string]string{"": "", "a": "a", "a ": "a", "a=": "a", "a = ": "a", "a=b": "a", `a="b`: "a", `a="b"`: "a"} {
		a, end, ok := Next([]byte(src), 0)
		assert.Equal(t, name, string(a.Name), src)
		assert.Equal(t, len(src), end, src)
		assert.False(t, ok, src)
	}
}
