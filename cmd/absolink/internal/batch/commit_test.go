package batch

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/extract"
)

// If one of the files that are committed together fails, the others are committed.
func TestCommitTogether(t *testing.T) {
	dir := t.TempDir()
	f := &files.Set{}
	p := &pipeline{Run: &Run{}, written: make(chan *bundle, bundlesWaiting)}
	var tasks []*task
	for b := range bundlesWaiting {
		batch := &bundle{done: make(chan struct{})}
		for i := range 30 {
			name := filepath.Join(dir, strconv.Itoa(30*b+i))
			require.NoError(t, os.WriteFile(name, []byte("old"), 0o666))
			file, err := f.Update(name)
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
			tasks = append(tasks, &task{})
			batch.files = append(batch.files, taskFile{tasks[30*b+i], file.New})
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
			assert.ErrorContains(t, task.err, "the file changed while absolink was reading it")
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

// A long file is committed before its worker begins another file, so that the disk needs space for only one old file.
func TestCommitLong(t *testing.T) {
	for _, row := range []struct {
		what    string
		size    int
		waiting int
	}{{"short", longFiles, 1}, {"long", longFiles + 1, 0}} {
		name := filepath.Join(t.TempDir(), "new")
		set := &files.Set{}
		p := &pipeline{Run: &Run{Counts: &Counts{}}, work: make(chan *bundle, 1), written: make(chan *bundle, 1), budget: newBudget(0)}
		p.work <- &bundle{tasks: []*task{{input: &input{}, work: true}}, size: row.size, done: make(chan struct{})}
		close(p.work)
		p.worker(func(k *Worker) Job {
			return Job{Document: func(inputs.Source, extract.Document) error {
				file, err := set.Create(name, nil)
				require.NoError(t, err)
				return k.Commit(file)
			}}
		})
		assert.Len(t, p.written, row.waiting, row.what)
		assert.Equal(t, row.waiting == 0, files.Exists(name), row.what)
		set.Abandon()
	}
}
