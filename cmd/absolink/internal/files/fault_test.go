//go:build unix

package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// closedFile returns a closed file, so that each write fails as on a broken disk.
func closedFile(t *testing.T) *os.File {
	file, err := os.Create(filepath.Join(t.TempDir(), "closed"))
	require.NoError(t, err)
	require.NoError(t, file.Close())
	return file
}

// assertOutputError asserts that an error ends the run, names the file, and wraps the cause.
func assertOutputError(t *testing.T, err error, name string, cause error, what string) {
	t.Helper()
	_, ends := errors.AsType[*OutputError](err)
	assert.True(t, ends, "%s: %v", what, err)
	assert.ErrorIs(t, err, cause, what)
	assert.ErrorContains(t, err, name+": ", what)
}

// contents lists the files of a folder as "NAME: first bytes".
func contents(t *testing.T, dir string) (all []string) {
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, name := range names {
		if name.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name.Name()))
		require.NoError(t, err)
		all = append(all, fmt.Sprintf("%s: %.10s", name.Name(), text))
	}
	return all
}

// Only an error of writing is a WriteError, even when the system does the copying.
func TestReadFromErrors(t *testing.T) {
	_, err := (&File{File: closedFile(t)}).ReadFrom(strings.NewReader("x"))
	assert.IsType(t, &WriteError{}, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "open"))
	require.NoError(t, err)
	defer file.Close()
	failed := &fs.PathError{Op: "read", Path: "in", Err: syscall.EIO}
	_, err = (&File{File: file}).ReadFrom(iotest.ErrReader(failed))
	assert.Equal(t, failed, err)
}

func TestOutputErrors(t *testing.T) {
	pipe, _, err := os.Pipe()
	require.NoError(t, err)
	defer pipe.Close()
	for _, row := range []struct {
		name  string
		file  *os.File
		do    func(out *Output) error
		cause error
	}{
		{"truncate", closedFile(t), func(out *Output) error { return out.cut(0) }, fs.ErrClosed},
		{"truncate a pipe", pipe, func(out *Output) error { return out.cut(0) }, syscall.EINVAL},
		{"rollback", closedFile(t), func(out *Output) error { out.Written = 1; return out.Rollback() }, fs.ErrClosed},
		{"resume", closedFile(t), func(out *Output) error { return out.Resume(0) }, fs.ErrClosed},
		{"end with rows", closedFile(t), func(out *Output) error { out.Buf = append(out.Buf, 'x'); return out.End(nil) }, fs.ErrClosed},
		{"end without rows", closedFile(t), func(out *Output) error { return out.End(nil) }, fs.ErrClosed},
		{"an encoder", os.Stderr, func(out *Output) error {
			out.W, out.encoder = io.Discard, closedFile(t)
			return out.End(nil)
		}, fs.ErrClosed},
	} {
		assertOutputError(t, row.do(NewOutput(row.file, "out")), "out", row.cause, row.name)
	}
	errEnded := errors.New("the run has ended")
	assert.Equal(t, errEnded, NewOutput(closedFile(t), "out").End(errEnded), "the error that ended the run is stronger")
}

// The rows of a failed document are removed even from a temporary file, but not from a pipe or a device.
func TestOutputRollback(t *testing.T) {
	set := &Set{}
	name := filepath.Join(t.TempDir(), "out")
	for path, want := range map[string]string{name: "a\nc\n", os.DevNull: ""} {
		out, err := set.Output(path)
		require.NoError(t, err)
		out.Buf = append(out.Buf, "a\n"...)
		out.Keep()
		require.NoError(t, out.Flush())
		out.Buf = append(out.Buf, "half of b\n"...)
		require.NoError(t, out.Flush())
		out.Buf = append(out.Buf, "the other half"...)
		require.NoError(t, out.Rollback(), path)
		out.Buf = append(out.Buf, "c\n"...)
		require.NoError(t, out.End(nil))
		if want != "" {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, want, string(text))
		}
	}
}

// A temporary file that cannot be renamed is removed, and the old file or folder stays.
func TestCommitErrors(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	set := &Set{}
	out, err := set.Output(name)
	require.NoError(t, err)
	_, err = out.Write([]byte("new"))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(name, 0o777)) // meanwhile
	assertOutputError(t, out.End(nil), name, fs.ErrExist, "a folder has the name")

	out, err = set.Output(name + "2")
	require.NoError(t, err)
	require.NoError(t, out.file.Close())
	assertOutputError(t, out.End(nil), name+"2", fs.ErrClosed, "sync fails")

	out, err = set.Output(name + "3")
	require.NoError(t, err)
	require.NoError(t, os.Remove(out.file.temp))
	assertOutputError(t, out.End(nil), name+"3", fs.ErrNotExist, "the temporary file is gone")

	assert.Empty(t, contents(t, dir), "no temporary file, and none of that name")
	assert.Empty(t, set.temps)
	assert.DirExists(t, name)

	_, err = set.Output(filepath.Join(dir, "none", "out"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.Empty(t, set.temps)
}

// A device is written directly, so its errors are those of the output.
func TestCommitDevice(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o666))
	reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	file, err := (&Set{}).Create(pipe, nil)
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	_, err = file.Write([]byte("x"))
	assert.ErrorIs(t, err, syscall.EPIPE)
	require.NoError(t, file.Commit())
	assert.ErrorIs(t, file.Commit(), fs.ErrClosed)
	assert.True(t, Exists(pipe))
}

func TestAppendToErrors(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink("nowhere", link))
	for _, name := range []string{dir, link, os.DevNull, filepath.Join(link, "out")} {
		_, err := (&Set{}).AppendTo("-o", name)
		assert.Error(t, err, name)
	}
	assert.False(t, Exists(filepath.Join(dir, "nowhere")))

	parquet := NewOutput(writer(nil), "rows.parquet")
	assert.True(t, parquet.Empty())
	assert.ErrorContains(t, parquet.Resume(0), "cannot continue this format")
}

// If the old file cannot be read or the new one cannot be written, the old file stays and no temporary file is left.
func TestInPlaceErrors(t *testing.T) {
	const text = "the same, and more"
	for _, row := range []struct {
		name   string
		before func(l *Update) // before the first difference is written
		cause  error
		want   []string
	}{
		{"the old file cannot be read", func(l *Update) { l.old.Close() }, fs.ErrClosed, []string{"in: " + text[:10]}},
		{"the old file is shorter now", func(l *Update) { require.NoError(t, os.Truncate(l.path, 3)) }, errChanged, []string{"in: the"}},
		{"the folder is gone", func(l *Update) { require.NoError(t, os.RemoveAll(filepath.Dir(l.path))) }, fs.ErrNotExist, nil},
	} {
		dir := filepath.Join(t.TempDir(), "folder")
		require.NoError(t, os.Mkdir(dir, 0o777))
		name := filepath.Join(dir, "in")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
		f := &Set{}
		l, err := update(f, name)
		require.NoError(t, err)
		_, err = l.Write([]byte(text[:8]))
		require.NoError(t, err)
		row.before(l)
		_, err = l.Write([]byte(" and other text"))
		assert.ErrorIs(t, err, row.cause, row.name)
		l.Discard()
		l.old.Close()
		if row.want != nil {
			assert.Equal(t, row.want, contents(t, dir), row.name)
		}
		assert.Empty(t, f.temps, row.name)
	}

	l, err := update(&Set{}, t.TempDir()) // a folder can be opened but not read
	require.NoError(t, err)
	defer l.old.Close()
	_, err = l.Write([]byte("x"))
	assert.ErrorIs(t, err, syscall.EISDIR)
	changed, err := l.Changed()
	assert.ErrorIs(t, err, syscall.EISDIR)
	assert.False(t, changed)
	_, err = update(&Set{}, filepath.Join(t.TempDir(), "none"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestSameBytes(t *testing.T) {
	dir := t.TempDir()
	name := func(text string) string {
		file, err := os.CreateTemp(dir, "")
		require.NoError(t, err)
		_, err = file.WriteString(text)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		return file.Name()
	}
	long := strings.Repeat("x", BufferSize)
	for _, row := range []struct {
		what string
		a, b string
		want bool
	}{
		{"empty", name(""), name(""), true},
		{"short", name("abc"), name("abc"), true},
		{"another byte", name("abc"), name("abd"), false},
		{"shorter", name("abc"), name("ab"), false},
		{"as long as the buffer", name(long), name(long), true},
		{"longer", name(long), name(long + "x"), false},
		{"another byte after the buffer", name(long + "x"), name(long + "y"), false},
		{"none", name(""), filepath.Join(dir, "none"), false},
		{"a folder", dir, dir, false},
	} {
		assert.Equal(t, row.want, sameBytes(row.a, row.b), row.what)
		assert.Equal(t, row.want, sameBytes(row.b, row.a), row.what)
	}
}

// otherDevice returns a folder on another file system than dir, where a hard link from dir is impossible.
func otherDevice(t *testing.T, dir string) string {
	for _, parent := range []string{"/dev/shm", "/run", "/var/tmp", "."} {
		other, err := os.MkdirTemp(parent, "absolink-test-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { os.RemoveAll(other) })
		probe := filepath.Join(dir, "probe")
		require.NoError(t, os.WriteFile(probe, nil, 0o666))
		err = os.Link(probe, filepath.Join(other, "probe"))
		require.NoError(t, os.Remove(probe))
		if errors.Is(err, syscall.EXDEV) {
			return other
		}
	}
	t.Skip("there is no second file system that the test may write to")
	return ""
}

// Without hard links the backup is a copy with the bytes, mode and time of the old file, and a resumed run accepts it.
func TestBackupCopied(t *testing.T) {
	dir := t.TempDir()
	other := otherDevice(t, dir)
	name, backup := filepath.Join(dir, "in"), filepath.Join(other, "in.orig")
	old := bytes.Repeat([]byte("old"), BufferSize)
	require.NoError(t, os.WriteFile(name, old, 0o640))
	require.NoError(t, os.Chmod(name, 0o640))
	require.NoError(t, os.Chtimes(name, time.Time{}, time.Unix(1_000_000_000, 0)))
	_ = os.Chown(name, 1234, 1234) // only root may
	info, err := os.Stat(name)
	require.NoError(t, err)
	set, force := &Set{}, false

	require.NoError(t, set.Backup(name, backup, info, force))
	kept := func(what string) {
		t.Helper()
		text, err := os.ReadFile(backup)
		require.NoError(t, err, what)
		assert.True(t, bytes.Equal(old, text), what)
		now, err := os.Stat(backup)
		require.NoError(t, err)
		assert.Equal(t, info.Mode(), now.Mode(), what)
		assert.True(t, info.ModTime().Equal(now.ModTime()), what)
		assert.Equal(t, info.Sys().(*syscall.Stat_t).Uid, now.Sys().(*syscall.Stat_t).Uid, what)
		names, err := os.ReadDir(other)
		require.NoError(t, err)
		assert.Len(t, names, 1, "%s: no temporary file", what)
	}
	kept("a new backup")
	require.NoError(t, set.Backup(name, backup, info, force), "an interrupted run has made it")
	kept("again")

	require.NoError(t, os.WriteFile(backup, []byte("of something else"), 0o666))
	require.NoError(t, os.Chmod(backup, 0o666))
	assert.ErrorContains(t, set.Backup(name, backup, info, force), "exists, and may be the original; use another suffix, or --force to overwrite it")
	text, err := os.ReadFile(backup)
	require.NoError(t, err)
	assert.Equal(t, "of something else", string(text))
	force = true
	require.NoError(t, set.Backup(name, backup, info, force))
	kept("by force, over one that everybody may read")

	// A backup that cannot be written is an error and leaves no part behind.
	backup = filepath.Join(other, "none", "in.orig")
	assert.ErrorIs(t, set.Backup(name, backup, info, force), fs.ErrNotExist)
	require.NoError(t, os.Remove(name))
	backup = filepath.Join(other, "gone.orig")
	assert.ErrorIs(t, set.Backup(name, backup, info, force), fs.ErrNotExist)
	assert.False(t, Exists(backup))
	for _, folder := range []string{dir, other} {
		names, err := filepath.Glob(filepath.Join(folder, tempPrefix+"*"))
		require.NoError(t, err)
		assert.Empty(t, names, "no temporary file")
	}
}
