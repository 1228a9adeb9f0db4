//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// closedFile returns a file that can no longer be written, as if the disk failed, and its name.
func closedFile(t *testing.T) *os.File {
	file, err := os.Create(filepath.Join(t.TempDir(), "closed"))
	require.NoError(t, err)
	require.NoError(t, file.Close())
	return file
}

// assertOutputError asserts that an error ends the run, says which file it is about, and has a cause.
func assertOutputError(t *testing.T, err error, name string, cause error, what string) {
	t.Helper()
	_, ends := errors.AsType[*outputError](err)
	assert.True(t, ends, "%s: %v", what, err)
	assert.ErrorIs(t, err, cause, what)
	assert.ErrorContains(t, err, name+": ", what)
}

// An output that cannot be cut, flushed or closed is an error that names it.
func TestOutputErrors(t *testing.T) {
	pipe, _, err := os.Pipe()
	require.NoError(t, err)
	defer pipe.Close()
	for _, row := range []struct {
		name  string
		file  *os.File
		do    func(out *output) error
		cause error
	}{
		{"cut", closedFile(t), func(out *output) error { return out.cut(0) }, fs.ErrClosed},
		{"cut a pipe", pipe, func(out *output) error { return out.cut(0) }, syscall.EINVAL},
		{"take back", closedFile(t), func(out *output) error { out.written = 1; return out.takeBack() }, fs.ErrClosed},
		{"resume", closedFile(t), func(out *output) error { return out.resume(0) }, fs.ErrClosed},
		{"end with rows", closedFile(t), func(out *output) error { out.buf = append(out.buf, 'x'); return out.end(nil) }, fs.ErrClosed},
		{"end without rows", closedFile(t), func(out *output) error { return out.end(nil) }, fs.ErrClosed},
		{"an encoder", os.Stderr, func(out *output) error {
			out.w, out.encoder = io.Discard, closedFile(t)
			return out.end(nil)
		}, fs.ErrClosed},
	} {
		assertOutputError(t, row.do(newOutput(row.file, "out")), "out", row.cause, row.name)
	}
	assert.Equal(t, errFailFast, newOutput(closedFile(t), "out").end(errFailFast), "what ended the run comes first")
}

// A document that fails takes back its rows also from an output that has been begun and has no name yet. From
// a pipe or a device nothing can be taken back.
func TestOutputTakeBack(t *testing.T) {
	s := &session{files: &files{}}
	name := filepath.Join(t.TempDir(), "out")
	for path, want := range map[string]string{name: "a\nc\n", os.DevNull: ""} {
		out, err := s.openOutput(path)
		require.NoError(t, err)
		out.buf = append(out.buf, "a\n"...)
		out.keep()
		require.NoError(t, out.flush())
		out.buf = append(out.buf, "half of b\n"...)
		require.NoError(t, out.flush())
		out.buf = append(out.buf, "the other half"...)
		require.NoError(t, out.takeBack(), path)
		out.buf = append(out.buf, "c\n"...)
		require.NoError(t, out.end(nil))
		if want != "" {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, want, string(text))
		}
	}
}

// A file that cannot take its name is taken back. What has the name stays.
func TestCommitErrors(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	s := &session{files: &files{}}
	out, err := s.openOutput(name)
	require.NoError(t, err)
	_, err = out.Write([]byte("new"))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(name, 0o777)) // meanwhile
	assertOutputError(t, out.end(nil), name, syscall.EISDIR, "a folder has the name")

	out, err = s.openOutput(name + "2")
	require.NoError(t, err)
	require.NoError(t, out.file.Close())
	assertOutputError(t, out.end(nil), name+"2", fs.ErrClosed, "sync fails")

	out, err = s.openOutput(name + "3")
	require.NoError(t, err)
	require.NoError(t, os.Remove(out.file.temp))
	assertOutputError(t, out.end(nil), name+"3", fs.ErrNotExist, "the temporary file is gone")

	assert.Empty(t, contents(t, dir), "no temporary file, and none of that name")
	assert.Empty(t, s.files.temps)
	assert.DirExists(t, name)

	_, err = s.openOutput(filepath.Join(dir, "none", "out"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.Empty(t, s.files.temps)
}

// A device is written as it is. An error of it is one of the output.
func TestCommitDevice(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o666))
	reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	file, err := (&files{}).create(pipe, nil)
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	_, err = file.Write([]byte("x"))
	assert.ErrorIs(t, err, syscall.EPIPE)
	require.NoError(t, file.commit())
	assert.ErrorIs(t, file.commit(), fs.ErrClosed)
	assert.True(t, exists(pipe))
}

// A journal that cannot be read or written is an error. A new one does not stay, nor does a new output; what was
// there before stays.
func TestJournalErrors(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Mkdir(in("folder"), 0o777))
	for _, row := range []struct {
		name, journal string
		want          string
	}{
		{"a folder", in("folder"), "--resume " + in("folder") + ": is a folder; name a file"},
		{"a device", os.DevNull, "--resume " + os.DevNull + ": truncate: invalid argument"},
		{"below a file", in("file/journal"), "--resume " + in("file/journal") + ": open: not a directory"},
	} {
		require.NoError(t, os.WriteFile(in("file"), []byte("text"), 0o666))
		out, err := appendTo(in("out"))
		require.NoError(t, err)
		j := journal{run: "links"}
		assert.EqualError(t, j.open(row.journal, out, false), row.want, row.name)
		assert.False(t, exists(in("out")), row.name)
		assert.Equal(t, row.journal != in("file/journal"), exists(row.journal), row.name)
		j.close()
	}

	// The output fails when the journal has been begun.
	for name, fails := range map[string]func(out *output){
		"cut":   func(out *output) { require.NoError(t, out.open.Close()) },
		"flush": func(out *output) { out.buf, out.err = append(out.buf, "names\n"...), syscall.EIO },
	} {
		out, err := appendTo(in("out"))
		require.NoError(t, err)
		fails(out)
		j := journal{run: "links"}
		assert.Error(t, j.open(in("new"), out, false), name)
		assert.False(t, exists(in("new")) || exists(in("out")), name)
	}

	// A line is not written where the output or the journal fails.
	out, err := appendTo(in("out"))
	require.NoError(t, err)
	j := journal{run: "links"}
	require.NoError(t, j.open(in("journal"), out, false))
	require.NoError(t, j.add("a", out))
	before, err := os.ReadFile(in("journal"))
	require.NoError(t, err)
	out.err = out.failed(syscall.EIO)
	assertOutputError(t, j.add("b", out), in("out"), syscall.EIO, "the output")
	j.close()
	assertOutputError(t, j.add("b", nil), in("journal"), fs.ErrClosed, "the journal")
	after, err := os.ReadFile(in("journal"))
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}

// --resume goes on with a plain file only.
func TestAppendToErrors(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink("nowhere", link))
	for _, name := range []string{dir, link, os.DevNull, filepath.Join(link, "out")} {
		_, err := appendTo(name)
		assert.Error(t, err, name)
	}
	assert.False(t, exists(filepath.Join(dir, "nowhere")))

	parquet := newOutput(writer(nil), "rows.parquet")
	assert.True(t, parquet.empty())
	assert.ErrorContains(t, parquet.resume(0), "Parquet is written as a whole")
}

// If the old file cannot be read, or the new one not be written, the old one stays and there is no temporary file.
func TestInPlaceErrors(t *testing.T) {
	const text = "the same, and more"
	for _, row := range []struct {
		name   string
		before func(l *lateFile) // before the first difference is written
		cause  error
		want   []string
	}{
		{"the old file cannot be read", func(l *lateFile) { l.old.Close() }, fs.ErrClosed, []string{"in: " + text[:10]}},
		{"the old file is shorter now", func(l *lateFile) { require.NoError(t, os.Truncate(l.path, 3)) }, errChanged, []string{"in: the"}},
		{"the folder is gone", func(l *lateFile) { require.NoError(t, os.RemoveAll(filepath.Dir(l.path))) }, fs.ErrNotExist, nil},
	} {
		dir := filepath.Join(t.TempDir(), "folder")
		require.NoError(t, os.Mkdir(dir, 0o777))
		name := filepath.Join(dir, "in")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
		f := &files{}
		l, err := f.late(name)
		require.NoError(t, err)
		_, err = l.Write([]byte(text[:8]))
		require.NoError(t, err)
		row.before(l)
		_, err = l.Write([]byte(" and other text"))
		assert.ErrorIs(t, err, row.cause, row.name)
		l.discard()
		l.old.Close()
		if row.want != nil {
			assert.Equal(t, row.want, contents(t, dir), row.name)
		}
		assert.Empty(t, f.temps, row.name)
	}

	l, err := (&files{}).late(t.TempDir()) // a folder can be opened and not be read
	require.NoError(t, err)
	defer l.old.Close()
	_, err = l.Write([]byte("x"))
	assert.ErrorIs(t, err, syscall.EISDIR)
	changed, err := l.end()
	assert.ErrorIs(t, err, syscall.EISDIR)
	assert.False(t, changed)
	_, err = (&files{}).late(filepath.Join(t.TempDir(), "none"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// sameBytes is true only of two files that can be read to their ends.
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
	long := strings.Repeat("x", bufferSize)
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

// otherDevice returns a folder on another file system than dir, to which no hard link can lead.
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

// Where no hard link can be made the backup is a copy: whole, with the mode and time of the old file, and known
// again by a run that is resumed.
func TestBackupCopied(t *testing.T) {
	dir := t.TempDir()
	other := otherDevice(t, dir)
	name, backup := filepath.Join(dir, "in"), filepath.Join(other, "in.orig")
	old := bytes.Repeat([]byte("old"), bufferSize)
	require.NoError(t, os.WriteFile(name, old, 0o640))
	require.NoError(t, os.Chmod(name, 0o640))
	require.NoError(t, os.Chtimes(name, time.Time{}, time.Unix(1_000_000_000, 0)))
	_ = os.Chown(name, 1234, 1234) // only root may
	info, err := os.Stat(name)
	require.NoError(t, err)
	r := &rewriting{walk: &walk{session: &session{files: &files{}}, options: &options{}}, o: &rewriteOptions{}}

	require.NoError(t, r.keep(name, backup, info))
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
	require.NoError(t, r.keep(name, backup, info), "an interrupted run has made it")
	kept("again")

	require.NoError(t, os.WriteFile(backup, []byte("of something else"), 0o666))
	require.NoError(t, os.Chmod(backup, 0o666))
	assert.ErrorContains(t, r.keep(name, backup, info), "exists; --force overwrites it")
	text, err := os.ReadFile(backup)
	require.NoError(t, err)
	assert.Equal(t, "of something else", string(text))
	r.o.force = true
	require.NoError(t, r.keep(name, backup, info))
	kept("by force, over one that everybody may read")

	// A backup that cannot be made is an error, and nothing of it stays.
	backup = filepath.Join(other, "none", "in.orig")
	assert.ErrorIs(t, r.keep(name, backup, info), fs.ErrNotExist)
	require.NoError(t, os.Remove(name))
	backup = filepath.Join(other, "gone.orig")
	assert.ErrorIs(t, r.keep(name, backup, info), fs.ErrNotExist)
	assert.False(t, exists(backup))
	assert.NoError(t, leftOver(other))
	assert.NoError(t, leftOver(dir))
}
