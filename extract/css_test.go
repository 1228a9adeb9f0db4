package extract

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/css"
	"absolink/extract/internal/html"
)

func TestCSSIsRegistered(t *testing.T) {
	assert.Same(t, css.Format, formatOf("text/css; charset=utf-8"))
	assert.Same(t, css.Format, detect("", "main.CSS", nil))
	assert.Same(t, css.Format, detect("", "h/main.css?ver=5.1", nil), "the name that wget writes")
	assert.Same(t, css.Format, detect("", "h/main.css@ver=5.1", nil), "the name that wget writes on Windows")
	assert.Same(t, html.Format, detect("", "h/main.css?ver=5.1.html", nil))
	assert.Nil(t, Detect("", "h.css?x/main?ver=5.1", nil))
	assert.Nil(t, FormatOf(css.StyleAttribute.Name))
}
