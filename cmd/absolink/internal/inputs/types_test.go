package inputs

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
)

func TestShortNames(t *testing.T) {
	for _, f := range extract.Formats() {
		assert.NotEmpty(t, ShortNames(f), f.Name)
	}
	seen := map[string]bool{}
	for _, short := range shortNames {
		assert.NotNil(t, extract.FormatOf(short.mediaType), short.name)
		assert.False(t, seen[short.name], short.name)
		seen[short.name] = true
	}
	assert.Equal(t, "text/html", longType("Html"))
	assert.Equal(t, "text/html; charset=koi8-r", longType("html; charset=koi8-r"))
	assert.Equal(t, "text/*", longType("text/*"))
}
