package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func update(f *Set, name string) (*Update, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	return f.Update(name, info)
}

// A message that is delivered to a file while it is rewritten in place is not lost.
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
		file, err := update(f, name)
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

// While a file is written, nobody can open it who could not open the finished file: the mode is set before the file gets its
// name.
func TestModeWhileWritten(t *testing.T) {
	dir := t.TempDir()
	path := func(name string, mode fs.FileMode) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte("old"), 0o666))
		require.NoError(t, os.Chmod(name, mode))
		return name
	}
	modeOf := func(name string) string {
		info, err := os.Stat(name)
		require.NoError(t, err)
		return info.Mode().String()
	}
	usual := filepath.Join(dir, "usual")
	require.NoError(t, os.WriteFile(usual, nil, 0o666))
	like := func(name string) fs.FileInfo {
		info, err := os.Stat(name)
		require.NoError(t, err)
		return info
	}
	update := func(name string) func(*Set) (*File, error) {
		return func(f *Set) (*File, error) {
			u, err := update(f, name)
			require.NoError(t, err)
			defer u.Close()
			_, err = u.Write([]byte("new"))
			return u.New, err
		}
	}
	create := func(name string, like fs.FileInfo) func(*Set) (*File, error) {
		return func(f *Set) (*File, error) { return f.Create(name, like) }
	}
	tree := func(like fs.FileInfo) func(*Set) (*File, error) {
		return func(f *Set) (*File, error) {
			tree, err := NewTree(f, dir, true)
			require.NoError(t, err)
			return tree.Create("t", "t", "t", like)
		}
	}
	public, private := path("public", 0o666), path("private", 0o600)
	for _, row := range []struct {
		what           string
		begin          func(*Set) (*File, error)
		written, after string
	}{
		{"in place, a private file", update(path("a", 0o600)), "-rw-------", "-rw-------"},
		{"in place, a file for a group", update(path("b", 0o640)), "-rw-------", "-rw-r-----"},
		{"in place, a public file", update(path("c", 0o666)), "-rw-------", "-rw-rw-rw-"},
		{"in place, a file that nobody may change", update(path("d", 0o444)), "-rw-------", "-r--r--r--"},
		{"a private file is replaced", create(path("e", 0o600), nil), "-rw-------", "-rw-------"},
		{"a public file is replaced", create(path("f", 0o666), nil), "-rw-------", "-rw-rw-rw-"},
		{"a private file is replaced by a copy of a public one", create(path("g", 0o600), like(public)), "-rw-------", "-rw-------"},
		{"a copy of a private file", create(filepath.Join(dir, "h"), like(private)), "-rw-------", "-rw-------"},
		{"a copy of a public file", create(filepath.Join(dir, "i"), like(public)), "-rw-------", "-rw-rw-rw-"},
		{"a copy of a private file in a tree", tree(like(private)), "-rw-------", "-rw-------"},
		{"a new file has the mode that the system gives it", create(filepath.Join(dir, "j"), nil), "-rw-------", modeOf(usual)},
	} {
		set := &Set{}
		file, err := row.begin(set)
		require.NoError(t, err, row.what)
		_, err = file.Write([]byte(" and more"))
		require.NoError(t, err, row.what)
		temps, err := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
		require.NoError(t, err)
		require.Len(t, temps, 1, row.what)
		assert.Equal(t, row.written, modeOf(temps[0]), row.what)
		require.NoError(t, file.Commit(), row.what)
		assert.Equal(t, row.after, modeOf(file.path), row.what)
	}
}

// A file whose mode and owner cannot be read is not replaced, because the new file would have others.
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
