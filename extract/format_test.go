package extract_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	"absolink/extract/internal/css"
)

// A style sheet is detected by its media type, and by the names that wget writes.
func TestDetectCSS(t *testing.T) {
	style, page := extract.FormatOf("text/css; charset=utf-8"), extract.FormatOf("text/html")
	assert.NotNil(t, style)
	assert.Same(t, style, extract.Detect("", "main.CSS", nil))
	assert.Same(t, style, extract.Detect("", "h/main.css?ver=5.1", nil), "the name that wget writes")
	assert.Same(t, style, extract.Detect("", "h/main.css@ver=5.1", nil), "the name that wget writes on Windows")
	assert.Same(t, page, extract.Detect("", "h/main.css?ver=5.1.html", nil))
	assert.Nil(t, extract.Detect("", "h.css?x/main?ver=5.1", nil))
	assert.Nil(t, extract.FormatOf(css.StyleAttribute.Name))
}

// No two formats have the same media type or extension.
func TestFormatsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range extract.Formats() {
		for _, name := range slices.Concat([]string{f.Name}, f.Types, f.Exts) {
			assert.False(t, seen[name], name)
			seen[name] = true
		}
	}
}
