package ascii

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPercentDecoded(t *testing.T) {
	for src, want := range map[string]string{
		"": "", "a b": "a b", "%41": "A", "%4a%4A": "JJ", "%e9%00": "\xe9\x00", "x%20y": "x y",
		"%": "%", "%4": "%4", "%4g": "%4g", "%g4": "%g4", "%%41": "%A", "%2541": "%41", "a%": "a%", "+": "+",
	} {
		assert.Equal(t, want, string(PercentDecoded([]byte(src))), "%q", src)
	}
	src := []byte("nothing is encoded")
	assert.Same(t, &src[0], &PercentDecoded(src)[0])
	src = []byte("%41%42")
	PercentDecoded(src)
	assert.Equal(t, "%41%42", string(src), "src does not change")
}

func TestCutScheme(t *testing.T) {
	for _, row := range []struct{ url, scheme, rest string }{
		{"", "", ""},
		{"http://h/", "http", "//h/"},
		{"h2-x+y.z:a", "h2-x+y.z", "a"},
		{"c:\\x", "c", "\\x"},
		{"a:b:c", "a", "b:c"},
		{"a:", "a", ""},
		{":a", "", ":a"},
		{"1a:b", "", "1a:b"},
		{"+a:b", "", "+a:b"},
		{"a/b:c", "", "a/b:c"},
		{"a b:c", "", "a b:c"},
		{"http", "", "http"},
	} {
		scheme, rest := CutScheme(row.url)
		assert.Equal(t, [2]string{row.scheme, row.rest}, [2]string{scheme, rest}, "%q", row.url)
	}
}

func TestHasScheme(t *testing.T) {
	for text, want := range map[string]bool{
		"http://h/": true, "mailto:a": true, "h2-x+y.z:a": true, "ab:c": true, "ab:\n": true,
		"": false, "http": false, "http:": false, ":a": false, "c:\\x": false, "1a:b": false, "Re: x": false, "Re:\tx": false,
		"a b:c": false, "é:b": false, strings.Repeat("a", 99): false,
	} {
		assert.Equal(t, want, HasScheme([]byte(text)), "%q", text)
	}
}
