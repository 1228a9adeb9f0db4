//go:build linux

package files

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The files of a new folder are synced together, except the first ones. In an older folder each is synced before it replaces an
// old file.
func TestTreeSync(t *testing.T) {
	dir := t.TempDir()
	if openDisk(dir) == nil {
		t.Skip("the disk of the temporary folder cannot be synced with one call")
	}
	for _, fresh := range []bool{true, false} {
		root := filepath.Join(dir, fmt.Sprint(fresh))
		if !fresh {
			require.NoError(t, os.Mkdir(root, 0o777))
		}
		set := &Set{}
		tree, err := NewTree(set, root, !fresh)
		require.NoError(t, err)
		for i := range syncedAlone + 2 {
			rel := fmt.Sprintf("folder/%d", i)
			file, err := tree.Create(rel, rel, rel, nil)
			require.NoError(t, err)
			assert.Equal(t, !fresh || i < syncedAlone, file.syncs(), "%v %s", fresh, rel)
			_, err = file.Write([]byte(rel))
			require.NoError(t, err)
			CommitAll([]*File{file}, func(_ int, err error) { require.NoError(t, err) })
			text, err := os.ReadFile(filepath.Join(root, rel))
			require.NoError(t, err)
			assert.Equal(t, rel, string(text))
		}
		require.NoError(t, tree.Sync())
		assert.Empty(t, set.temps)
		assert.Len(t, contents(t, filepath.Join(root, "folder")), syncedAlone+2, "no temporary file")
	}
}

// A disk that cannot be synced ends the run, even if each file was written without an error.
func TestTreeSyncFails(t *testing.T) {
	dir := t.TempDir()
	if openDisk(dir) == nil {
		t.Skip("the disk of the temporary folder cannot be synced with one call")
	}
	tree, err := NewTree(&Set{}, filepath.Join(dir, "out"), false)
	require.NoError(t, err)
	require.NoError(t, tree.MakeFolder("."))
	require.NoError(t, tree.disk.Close())
	tree.begun = syncedAlone
	require.NoError(t, tree.Sync(), "each file was synced alone")
	tree.begun++
	assertOutputError(t, tree.Sync(), tree.Root, syscall.EBADF, "closed")
}
