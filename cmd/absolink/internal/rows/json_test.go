package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stdlib spells a value as encoding/json does without HTML escaping.
func stdlib(t testing.TB, v any) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(v))
	return string(bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
}

func TestAppendString(t *testing.T) {
	rows := map[string]string{
		"empty":               "",
		"plain":               "http://h/p?a=1&b=2<>'",
		"quote and backslash": `"\`,
		"surrogate":           "\xED\xA0\x80",
		"cut short":           "a\xE2\x82",
		"overlong":            "\xC0\xAFb",
		"replacement itself":  "\uFFFD",
		"line separators":     "a\u2028b\u2029c\u2027",
		"astral":              "\U0001F600x",
		"mixed":               "é\xFFü\n\x7F",
	}
	for c := range 256 {
		rows["byte "+string(rune('0'+c/100))+string(rune('0'+c/10%10))+string(rune('0'+c%10))] = "a" + string([]byte{byte(c)}) + "b"
	}
	for c := range 256 { // at each position in a word, and after it
		for at := range 20 {
			text := []byte("http://example.org/a")
			text[at] = byte(c)
			rows[fmt.Sprintf("byte %d at %d", c, at)] = string(text)
		}
	}
	for name, s := range rows {
		assert.Equal(t, stdlib(t, s), string(appendString(nil, s)), name)
		assert.Equal(t, stdlib(t, s), string(appendString(nil, []byte(s))), name)
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\xFF\u2028\"\\\x00\n")
	f.Fuzz(func(t *testing.T, s string) {
		assert.Equal(t, stdlib(t, s), string(appendString(nil, s)))
	})
}
