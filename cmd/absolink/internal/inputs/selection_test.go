package inputs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The kind of a PATH, document or folder, does not change during a run.
func TestPathKind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "site")
	s := Select(Config{Paths: []string{path}})
	assert.False(t, s.Several(), "the PATH does not exist yet")
	require.NoError(t, os.Mkdir(path, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(path, "a.html"), nil, 0o666))
	for src := range s.All(true) {
		assert.Equal(t, path, src.Name, "a folder, which cannot be read as a document")
	}
	assert.False(t, s.Several())
}
