//go:build unix

package batch

import (
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// assertOutputError asserts that an error ends the run, names the file, and has a cause.
func assertOutputError(t *testing.T, err error, name string, cause error, what string) {
	t.Helper()
	_, ends := errors.AsType[*files.OutputError](err)
	assert.True(t, ends, "%s: %v", what, err)
	assert.ErrorIs(t, err, cause, what)
	assert.ErrorContains(t, err, name+": ", what)
}

// spoil makes all later writes to an output fail, as if the disk failed.
func spoil(out *files.Output) {
	w := out.W
	out.W = brokenDisk{}
	_, _ = out.Write(make([]byte, files.BufferSize))
	out.W = w
}

type brokenDisk struct{}

func (brokenDisk) Write([]byte) (int, error) { return 0, syscall.EIO }

// A journal that cannot be read or written is an error. A new journal and a new output are removed. Old files stay.
func TestJournalErrors(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Mkdir(in("folder"), 0o777))
	for _, row := range []struct {
		name, journal string
		want          string
	}{
		{"a folder", in("folder"), "--resume " + in("folder") + ": this is a folder; use a file name"},
		{"a device", os.DevNull, "--resume " + os.DevNull + ": truncate: invalid argument"},
		{"below a file", in("file/journal"), "--resume " + in("file/journal") + ": open: not a directory"},
	} {
		require.NoError(t, os.WriteFile(in("file"), []byte("text"), 0o666))
		out, err := (&files.Set{}).AppendTo("-o", in("out"))
		require.NoError(t, err)
		j := Journal{Run: "links"}
		assert.EqualError(t, j.Open(row.journal, false, out), row.want, row.name)
		assert.False(t, files.Exists(in("out")), row.name)
		assert.Equal(t, row.journal != in("file/journal"), files.Exists(row.journal), row.name)
		j.Close()
	}

	// The output fails after the journal has been begun.
	for name, fails := range map[string]func(out *files.Output){
		"cut":   func(out *files.Output) { require.NoError(t, out.W.(io.Closer).Close()) },
		"flush": func(out *files.Output) { spoil(out); out.Buf = append(out.Buf, "names\n"...) },
	} {
		out, err := (&files.Set{}).AppendTo("-o", in("out"))
		require.NoError(t, err)
		fails(out)
		j := Journal{Run: "links"}
		assert.Error(t, j.Open(in("new"), false, out), name)
		assert.False(t, files.Exists(in("new")) || files.Exists(in("out")), name)
	}

	// No line is written if the output or the journal fails.
	out, err := (&files.Set{}).AppendTo("-o", in("out"))
	require.NoError(t, err)
	j := Journal{Run: "links"}
	require.NoError(t, j.Open(in("journal"), false, out))
	require.NoError(t, j.add(&document{src: inputs.Source{Name: "a"}}))
	before, err := os.ReadFile(in("journal"))
	require.NoError(t, err)
	spoil(out)
	assertOutputError(t, j.add(&document{src: inputs.Source{Name: "b"}}), in("out"), syscall.EIO, "the output")
	j.Close()
	j.outs = nil
	assertOutputError(t, j.add(&document{src: inputs.Source{Name: "b"}}), in("journal"), fs.ErrClosed, "the journal")
	after, err := os.ReadFile(in("journal"))
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}
