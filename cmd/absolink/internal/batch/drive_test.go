package batch

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/extract"
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

// With a full disk, a run into a folder says what is there and how to go on.
func TestFull(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "journal"))
	require.NoError(t, err)
	defer file.Close()
	doc := &document{src: inputs.Source{Name: "a.html"}}
	for _, row := range []struct {
		tree, want string
		journal    *os.File
		err        error
	}{
		{"", "a.html: no space left on the disk; free some space, or write to another disk", nil, syscall.ENOSPC},
		{"out", "-o out: no space left on the disk; 2 documents are there, each complete; free some space, and run the same command with --force, which writes all again", nil, syscall.ENOSPC},
		{"out", "-o out: your quota on the disk is used up; 2 documents are there, each complete; free some space, and run the same command again, which writes the others", file, syscall.EDQUOT},
	} {
		r := &Run{Journal: Journal{Tree: row.tree, file: row.journal}, Counts: &console.Counts{}}
		r.Counts.Done.Store(2)
		assert.EqualError(t, r.full(doc, row.err), row.want)
	}
}

// Under --fail-fast no job begins after the one that failed.
func TestFailFast(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.html")
	require.NoError(t, os.WriteFile(name, nil, 0o666))
	retrieval, err := inputs.NewRetrieval(inputs.RetrievalConfig{})
	require.NoError(t, err)
	counts, begun := &console.Counts{}, 0
	r := &Run{FailFast: true, Jobs: 8, Counts: counts, Problems: &console.Problems{Log: slog.New(slog.DiscardHandler)},
		Opener: &inputs.Opener{Retrieval: retrieval, Meter: &counts.Bytes},
		Sources: func(yield func(inputs.Source, error) bool) {
			for range 9 {
				if !yield(inputs.Source{Name: name}, nil) {
					return
				}
			}
		}}
	assert.ErrorIs(t, r.drive(func(*Worker) Job {
		return func(inputs.Source, extract.Document) error { begun++; return fs.ErrInvalid }
	}), ErrFailFast)
	assert.Equal(t, 1, begun)
}
