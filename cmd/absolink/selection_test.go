package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A PATH is one document or a folder of them for all of a run: one file is not to become what many come to.
func TestPathKind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "site")
	s := newSelection(selectionConfig{paths: []string{path}})
	assert.False(t, s.several(), "it is not there yet")
	require.NoError(t, os.Mkdir(path, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(path, "a.html"), nil, 0o666))
	for src := range s.all(true) {
		assert.Equal(t, path, src.name, "a folder, which cannot be read as a document")
	}
	assert.False(t, s.several())
}
