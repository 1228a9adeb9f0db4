package extract

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSrcsetDropped: a candidate that HTML drops needs no base, and does not keep the BASE element.
func TestSrcsetDropped(t *testing.T) {
	const page = `<base href="http://h/p/"><img srcset="a 1q, b 2x">`
	var problems []Problem
	w := Calls{Extractor: Extractor{BaseURLs: BaseRemove, OnProblem: func(p Problem) { problems = append(problems, p) }}}
	var out strings.Builder
	require.NoError(t, w.Rewrite(&out, Document{Name: "p.html", Bytes: []byte(page)}))
	assert.Equal(t, `<img srcset="a 1q, http://h/p/b 2x">`, out.String())
	require.Len(t, problems, 1)
	assert.Equal(t, CodeLinkMalformed, problems[0].Code)
	assert.Equal(t, strings.Index(page, "a 1q"), problems[0].Offset)
	assert.Contains(t, problems[0].Detail, `"a 1q"`)

	problems = nil
	require.NoError(t, w.Bases(Document{Name: "p.html", Bytes: []byte(page)}, func(*Entity) error { return nil }))
	assert.Empty(t, problems, "bases alone are listed without the problems of links")
}
