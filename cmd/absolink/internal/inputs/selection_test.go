package inputs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/files"
)

// A file that is replaced by a symbolic link between the listing of its folder and its opening is not read through the link,
// unless links are followed.
func TestReplacedByLink(t *testing.T) {
	if files.NoFollow == 0 {
		t.Skip("the system has no flag for opening a file that must not be a symbolic link")
	}
	for _, follow := range []bool{false, true} {
		root := t.TempDir()
		dir, target := filepath.Join(root, "site"), filepath.Join(root, "target.html")
		require.NoError(t, os.Mkdir(dir, 0o777))
		require.NoError(t, os.WriteFile(target, nil, 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.html"), nil, 0o666))
		require.NoError(t, os.Symlink(target, filepath.Join(dir, "b.html")))
		var read []string
		for src, err := range Select(Config{Paths: []string{dir}, Follow: follow}).All(true) {
			require.NoError(t, err)
			if filepath.Base(src.Name) == "a.html" {
				require.NoError(t, os.Remove(src.Name))
				require.NoError(t, os.Symlink(target, src.Name))
			}
			in, _, err := (&Opener{Retrieval: &Retrieval{}, Meter: &Meter{}}).Open(src, nil)
			if filepath.Base(src.Name) == "a.html" {
				assert.EqualError(t, err, "a symbolic link has replaced the file since its folder was read; run again")
				continue
			}
			require.NoError(t, err)
			require.NoError(t, in.Close())
			read = append(read, filepath.Base(src.Name))
		}
		assert.Equal(t, follow, len(read) == 1, "b.html is a link that --follow follows")
	}
}
