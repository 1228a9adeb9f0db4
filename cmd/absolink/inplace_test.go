package main

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// What comes to a file while it is rewritten in place is not lost.
func TestInPlaceChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in.mbox")
	for _, row := range []struct {
		what   string
		change func() error
		err    string
		want   string
	}{
		{"nothing", func() error { return nil }, "", "new"},
		{"a delivery", func() error { return os.WriteFile(name, []byte("old and more"), 0) }, "was changed while it was read", "old and more"},
		{"as long", func() error {
			_ = os.WriteFile(name, []byte("odd"), 0)
			return os.Chtimes(name, time.Time{}, time.Unix(1, 0))
		}, "was changed while it was read", "odd"},
		{"taken away", func() error { return os.Remove(name) }, "no such file", ""},
		{"saved by an editor", func() error {
			_ = os.WriteFile(name+"2", []byte("odd"), 0o666)
			return os.Rename(name+"2", name)
		}, "was changed while it was read", "odd"},
		{"a link instead", func() error {
			_ = os.Remove(name)
			return os.Symlink("nowhere", name)
		}, "was changed while it was read", ""},
		{"given twice, and rewritten by another worker", func() error {
			_ = os.WriteFile(name+"2", []byte("new"), 0o666)
			return os.Rename(name+"2", name)
		}, "", "new"},
	} {
		require.NoError(t, os.WriteFile(name, []byte("old"), 0o666), row.what)
		f := &files{}
		file, err := f.late(name)
		require.NoError(t, err)
		_, err = file.Write([]byte("new"))
		require.NoError(t, err)
		require.NoError(t, row.change())
		err = file.out.commit()
		require.NoError(t, file.old.Close())
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

// A file that cannot be looked at is not replaced: the new one would be of another owner and mode.
func TestCreateUnseen(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.html")
	require.NoError(t, os.Symlink(name, name)) // it leads to itself
	_, err := (&files{}).create(name, nil)
	assert.ErrorIs(t, err, syscall.ELOOP)
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, names, 1, "no temporary file")
}

// Files that are committed together fail each for itself.
func TestCommitTogether(t *testing.T) {
	dir := t.TempDir()
	f := &files{}
	p := &pipeline{walk: &walk{options: &options{}}, written: make(chan *batch, batchesWaiting)}
	var tasks []*task
	for b := range batchesWaiting {
		batch := &batch{done: make(chan struct{})}
		for i := range 30 {
			name := filepath.Join(dir, strconv.Itoa(30*b+i))
			require.NoError(t, os.WriteFile(name, []byte("old"), 0o666))
			file, err := f.late(name)
			require.NoError(t, err)
			_, err = file.Write([]byte("new"))
			require.NoError(t, err)
			require.NoError(t, file.old.Close())
			switch i {
			case 7:
				require.NoError(t, os.WriteFile(name, []byte("old and more"), 0))
			case 8:
				require.NoError(t, file.out.Close()) // as if the disk failed
			}
			tasks = append(tasks, &task{})
			batch.files = append(batch.files, taskFile{tasks[30*b+i], file.out})
		}
		p.written <- batch
	}
	close(p.written)
	p.commit()
	for i, task := range tasks {
		text, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(i)))
		require.NoError(t, err)
		switch i % 30 {
		case 7:
			assert.ErrorContains(t, task.err, "was changed while it was read")
			assert.Equal(t, "old and more", string(text))
		case 8:
			assert.ErrorIs(t, task.err, os.ErrClosed)
			assert.Equal(t, "old", string(text))
		default:
			assert.NoError(t, task.err)
			assert.Equal(t, "new", string(text))
		}
	}
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, names, len(tasks), "no temporary file")
}

// A long file is committed before its worker begins another: the disk need not hold more old ones.
func TestCommitLong(t *testing.T) {
	for _, row := range []struct {
		what    string
		size    int
		waiting int
	}{{"short", inFlight, 1}, {"long", inFlight + 1, 0}} {
		name := filepath.Join(t.TempDir(), "new")
		s := &session{files: &files{}}
		p := &pipeline{walk: &walk{session: s, options: &options{}}, work: make(chan *batch, 1), written: make(chan *batch, 1)}
		p.work <- &batch{tasks: []*task{{input: &input{}, work: true}}, size: row.size, done: make(chan struct{})}
		close(p.work)
		p.worker(func(k *worker) job {
			return job{document: func(source, extract.Document) error {
				file, err := s.files.create(name, nil)
				require.NoError(t, err)
				return k.commit(file)
			}}
		})
		assert.Len(t, p.written, row.waiting, row.what)
		assert.Equal(t, row.waiting == 0, exists(name), row.what)
		s.files.abandon()
	}
}
