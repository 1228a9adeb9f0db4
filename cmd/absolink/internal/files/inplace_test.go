package files

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Bytes that are written to a file while it is rewritten in place are not lost.
func TestInPlaceChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in.mbox")
	for _, row := range []struct {
		what   string
		change func() error
		err    string
		want   string
	}{
		{"nothing", func() error { return nil }, "", "new"},
		{"a delivery", func() error { return os.WriteFile(name, []byte("old and more"), 0) }, "the file changed while absolink was reading it", "old and more"},
		{"another text of the same length", func() error {
			_ = os.WriteFile(name, []byte("odd"), 0)
			return os.Chtimes(name, time.Time{}, time.Unix(1, 0))
		}, "the file changed while absolink was reading it", "odd"},
		{"removed", func() error { return os.Remove(name) }, "no such file", ""},
		{"saved by an editor", func() error {
			_ = os.WriteFile(name+"2", []byte("odd"), 0o666)
			return os.Rename(name+"2", name)
		}, "the file changed while absolink was reading it", "odd"},
		{"replaced by a link", func() error {
			_ = os.Remove(name)
			return os.Symlink("nowhere", name)
		}, "the file changed while absolink was reading it", ""},
		{"given twice, and rewritten by another worker", func() error {
			_ = os.WriteFile(name+"2", []byte("new"), 0o666)
			return os.Rename(name+"2", name)
		}, "", "new"},
	} {
		require.NoError(t, os.WriteFile(name, []byte("old"), 0o666), row.what)
		f := &Set{}
		file, err := f.Update(name)
		require.NoError(t, err)
		_, err = file.Write([]byte("new"))
		require.NoError(t, err)
		require.NoError(t, row.change())
		err = file.New.Commit()
		require.NoError(t, file.Close())
		if row.err == "" {
			assert.NoError(t, err, row.what)
		} else {
			assert.ErrorContains(t, err, row.err, row.what)
		}
		text, _ := os.ReadFile(name)
		assert.Equal(t, row.want, string(text), row.what)
		names, err := os.ReadDir(filepath.Dir(name))
		require.NoError(t, err)
		_ = os.Remove(name)
		assert.LessOrEqual(t, len(names), 1, "%s: no temporary file", row.what)
	}
}

// A file whose mode and owner cannot be read is not replaced: the new file would have another mode and owner.
func TestCreateUnreadableMode(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.html")
	require.NoError(t, os.Symlink(name, name)) // it leads to itself
	_, err := (&Set{}).Create(name, nil)
	assert.ErrorIs(t, err, syscall.ELOOP)
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, names, 1, "no temporary file")
}
