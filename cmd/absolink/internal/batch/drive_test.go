package batch

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/files"
)

// If one of the files that are committed together fails, the others are committed.
func TestCommitTogether(t *testing.T) {
	dir := t.TempDir()
	f := &files.Set{}
	g := newGroup()
	for i := range 30 {
		name := filepath.Join(dir, strconv.Itoa(i))
		require.NoError(t, os.WriteFile(name, []byte("old"), 0o666))
		info, err := os.Stat(name)
		require.NoError(t, err)
		file, err := f.Update(name, info)
		require.NoError(t, err)
		_, err = file.Write([]byte("new"))
		require.NoError(t, err)
		require.NoError(t, file.Close())
		switch i {
		case 7:
			require.NoError(t, os.WriteFile(name, []byte("old and more"), 0))
		case 8:
			require.NoError(t, file.New.Close()) // as if the disk failed
		}
		g.files = append(g.files, newFile{&task{}, file.New, nil})
	}
	g.commit()
	for i, file := range g.files {
		text, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(i)))
		require.NoError(t, err)
		switch i {
		case 7:
			assert.ErrorContains(t, file.task.err, "the file changed while absolink was reading it")
			assert.Equal(t, "old and more", string(text))
		case 8:
			assert.ErrorIs(t, file.task.err, os.ErrClosed)
			assert.Equal(t, "old", string(text))
		default:
			assert.NoError(t, file.task.err)
			assert.Equal(t, "new", string(text))
		}
	}
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, names, len(g.files), "no temporary file")
}
