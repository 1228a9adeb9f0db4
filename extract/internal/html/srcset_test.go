package html_test

import (
	"strings"
	"testing"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A candidate that HTML drops needs no base, so the BASE element can go.
func TestSrcsetDropped(t *testing.T) {
	const page = `<base href="http://h/p/"><img srcset="a 1q, b 2x">`
	var problems []extract.Problem
	w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove, OnProblem: func(p extract.Problem) { problems = append(problems, p) }}}
	var out strings.Builder
	require.NoError(t, w.Rewrite(&out, extract.Document{Name: "p.html", Bytes: []byte(page)}))
	assert.Equal(t, `<img srcset="a 1q, http://h/p/b 2x">`, out.String())
	require.Len(t, problems, 1)
	assert.Equal(t, extract.CodeLinkMalformed, problems[0].Code)
	assert.Equal(t, strings.Index(page, "a 1q"), problems[0].Offset)
	assert.Contains(t, problems[0].Detail, `"a 1q"`)

	problems = nil
	require.NoError(t, w.Bases(extract.Document{Name: "p.html", Bytes: []byte(page)}, func(*extract.Entity) error { return nil }))
	assert.Empty(t, problems, "bases alone are listed without the problems of links")
}
