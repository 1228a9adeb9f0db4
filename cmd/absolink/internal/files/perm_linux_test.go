package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A copy of a file with an ACL has the permissions of its group, and not those of the mask, which the mode has in their place.
func TestPermissionsWithACL(t *testing.T) {
	dir := t.TempDir()
	for _, row := range []struct {
		group, mask byte
		want        os.FileMode
	}{{0, 6, 0o600}, {4, 6, 0o640}, {6, 4, 0o640}, {6, 6, 0o660}} {
		doc := filepath.Join(dir, "doc.html")
		require.NoError(t, os.WriteFile(doc, nil, 0o600))
		acl := []byte{2, 0, 0, 0}
		for _, entry := range [][3]byte{{1, 6, 255}, {2, 6, 0}, {4, row.group, 255}, {16, row.mask, 255}, {32, 0, 255}} {
			id := entry[2]
			acl = append(acl, entry[0], 0, entry[1], 0, id, id, id, id)
		}
		if err := unix.Setxattr(doc, "system.posix_acl_access", acl, 0); err != nil {
			t.Skip("the file system has no ACLs: ", err)
		}
		info, err := os.Stat(doc)
		require.NoError(t, err)
		require.Equal(t, 0o600|os.FileMode(row.mask)<<3, info.Mode().Perm(), "the mode has the mask")
		set := &Set{}
		tree, err := NewTree(set, filepath.Join(dir, "out"), true)
		require.NoError(t, err)
		file, err := tree.Create("doc.html", "doc.html", doc, info)
		require.NoError(t, err)
		require.NoError(t, file.Commit())
		copied, err := os.Stat(filepath.Join(dir, "out", "doc.html"))
		require.NoError(t, err)
		assert.Equal(t, row.want, copied.Mode().Perm())
		set.Read(doc, info)
		assert.Equal(t, row.want, set.outputMode(true))
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "out")))
	}
}
