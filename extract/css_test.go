package extract

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/css"
	"absolink/extract/internal/html"
)

func TestCSSIsRegistered(t *testing.T) {
	assert.Same(t, css.Format, FormatOf("text/css; charset=utf-8"))
	assert.Same(t, css.Format, Detect("", "main.CSS", nil))
	assert.Same(t, css.Format, Detect("", "h/main.css?ver=5.1", nil), "as wget names it")
	assert.Same(t, css.Format, Detect("", "h/main.css@ver=5.1", nil), "as on Windows")
	assert.Same(t, html.Format, Detect("", "h/main.css?ver=5.1.html", nil))
	assert.Nil(t, Detect("", "h.css?x/main?ver=5.1", nil))
	assert.Nil(t, FormatOf(css.StyleAttribute.Name))
}
