package main

import (
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/extract"
)

// An error of a document does not stop the run. A full disk and a closed pipe do, except a closed pipe of --edits, --problems or
// --stats.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.html", "b.html"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	for _, row := range []struct {
		name   string
		err    error
		edits  error // of writing them
		calls  int
		status int
	}{
		{"no error", nil, nil, 2, exitDone},
		{"a file cannot be written", &files.WriteError{Err: syscall.EIO}, nil, 2, exitUnwritten},
		{"no permission", &fs.PathError{Op: "open", Err: syscall.EACCES}, nil, 2, exitUsage},
		{"cannot be read", &fs.PathError{Op: "read", Err: syscall.EIO}, nil, 2, exitUsage},
		{"no space", &fs.PathError{Op: "write", Err: syscall.ENOSPC}, nil, 1, exitUnwritten},
		{"no space for the user", &fs.PathError{Op: "write", Err: syscall.EDQUOT}, nil, 1, exitUnwritten},
		{"no space for the output", &files.OutputError{Err: syscall.ENOSPC}, nil, 1, exitUnwritten},
		{"closed pipe", &files.OutputError{Err: syscall.EPIPE}, nil, 1, exitDone},
		{"no space for the edits", nil, syscall.ENOSPC, 1, exitUnwritten},
		{"closed pipe of the edits", nil, syscall.EPIPE, 2, exitDone},
	} {
		s := &session{stdin: os.Stdin, log: slog.New(slog.DiscardHandler), files: &files.Set{}, messages: &console.Progress{}}
		r, err := s.newRun(&cobra.Command{}, newOptions(), []string{dir}, batch.FindsLinks)
		require.NoError(t, err)
		r.log, r.batch.Out, r.batch.Edits = slog.New(slog.DiscardHandler), files.NewOutput(io.Discard, "out"), brokenOutput(row.edits)
		r.problems.Log = r.log
		calls := 0
		r.options.jobs = 1
		err = r.do(func(*batch.Worker) batch.Job {
			return func(inputs.Source, extract.Document) error {
				calls++
				return row.err
			}
		})
		assert.GreaterOrEqual(t, calls, row.calls, row.name)
		assert.Equal(t, row.status, s.status(err), row.name)
	}
}

// brokenOutput returns an output whose write failed with err, which may be nil.
func brokenOutput(err error) *files.Output {
	out := files.NewOutput(writerFunc(func([]byte) (int, error) { return 0, err }), "edits")
	if err != nil {
		_, _ = out.Write([]byte("edit"))
		_ = out.Flush()
	}
	return out
}
