package batch

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
)

// A finished document is found by its name, byte for byte.
func TestJournalNames(t *testing.T) {
	names := []string{"a.html", "é.html", "\xFF.html", "d\n/\"q\".html", "\uFFFD.html"}
	file := filepath.Join(t.TempDir(), "journal")
	for range 2 {
		j := Journal{Run: "links"}
		require.NoError(t, j.Open(file, false))
		for _, name := range names {
			require.NoError(t, j.add(&document{src: inputs.Source{Name: name}}))
		}
		j.Close()
	}
	j := Journal{Run: "links"}
	require.NoError(t, j.Open(file, false))
	defer j.Close()
	for _, name := range names {
		assert.True(t, j.Has(name), "%q", name)
	}
	assert.False(t, j.Has("\xFE.html"))
}

// The rows of a failed document are removed, because a resumed run writes them again. The line of names stays.
func TestJournalRollback(t *testing.T) {
	dir := t.TempDir()
	run := func(done func(j *Journal, out *files.Output)) string {
		out, err := (&files.Set{}).AppendTo("-o", filepath.Join(dir, "out"))
		require.NoError(t, err)
		out.Buf = append(out.Buf, "names\n"...)
		j := Journal{Run: "links"}
		require.NoError(t, j.Open(filepath.Join(dir, "journal"), false, out))
		defer j.Close()
		done(&j, out)
		require.NoError(t, out.End(nil))
		text, err := os.ReadFile(out.Name)
		require.NoError(t, err)
		return string(text)
	}
	rows := func(out *files.Output, text string) {
		out.Buf = append(out.Buf, text...)
		require.NoError(t, out.Flush())
		out.Buf = append(out.Buf, text...)
	}
	fails := func(j *Journal, out *files.Output) {
		rows(out, "half of b\n")
		require.NoError(t, j.rollback(out))
	}
	assert.Equal(t, "names\n", run(fails))
	assert.Equal(t, "names\na\na\nc\nc\n", run(func(j *Journal, out *files.Output) {
		rows(out, "a\n")
		require.NoError(t, j.add(&document{src: inputs.Source{Name: "a"}}))
		fails(j, out)
		rows(out, "c\n")
		require.NoError(t, j.add(&document{src: inputs.Source{Name: "c"}}))
		fails(j, out)
	}))
	assert.Equal(t, "names\na\na\nc\nc\nb\nb\n", run(func(j *Journal, out *files.Output) {
		assert.False(t, j.Has("b"))
		rows(out, "b\n")
		require.NoError(t, j.add(&document{src: inputs.Source{Name: "b"}}))
	}))
}

// Lines wait until the outputs of their documents are synced. If this fails, no line is written.
func TestJournalSync(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	journalled := func() (names string) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name+"2", text, 0o666)) // the run has locked the file
		j := Journal{Run: "rewrite"}
		require.NoError(t, j.Open(name+"2", false))
		defer j.Close()
		for _, name := range []string{"a", "b", "c", "d"} {
			if j.Has(name) {
				names += name
			}
		}
		return names
	}
	add := func(j *Journal, name string) error { return j.add(&document{src: inputs.Source{Name: name}}) }
	syncs, fails := 0, error(nil)
	j := Journal{Run: "rewrite", Sync: func() error { syncs++; return fails }}
	require.NoError(t, j.Open(name, false))
	defer j.Close()

	syncs, j.written = 0, time.Now()
	require.NoError(t, add(&j, "a"))
	require.NoError(t, add(&j, "b"))
	assert.Zero(t, syncs)
	assert.Empty(t, journalled(), "the lines wait")
	j.written = time.Now().Add(-linesWait)
	require.NoError(t, add(&j, "c"))
	assert.Equal(t, 1, syncs)
	assert.Equal(t, "abc", journalled())

	require.NoError(t, add(&j, "d"))
	fails = syscall.EIO
	assert.ErrorIs(t, j.Flush(), syscall.EIO)
	assert.Equal(t, "abc", journalled(), "d is not on the disk")
	fails = nil
	require.NoError(t, j.Flush())
	assert.Equal(t, "abc", journalled(), "Linux reports the error of a sync once, and d may be lost")

	none := Journal{Sync: func() error { return syscall.EIO }}
	assert.ErrorIs(t, none.Flush(), syscall.EIO, "the outputs are synced without a journal, too")
}

// The id of a run in a journal becomes a part of file names, so it has only letters and digits.
func TestJournalID(t *testing.T) {
	for id, want := range map[string]bool{"": true, "3w5e11264sgsf": true, "0": true, "a.b": false, "../x": false, "a/b": false, "A": false, "é": false, "3w5e11264sgsf0": false} {
		var l journalLine
		assert.Equal(t, want, l.read([]byte(`{"run":"links","id":"`+id+`"}`)), id)
	}
}
