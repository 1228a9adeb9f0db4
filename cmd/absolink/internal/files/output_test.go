package files

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// After a failed write nothing more is written, even if there is space again: a file with a gap would look complete.
func TestOutputGap(t *testing.T) {
	for _, n := range []int{1, BufferSize} { // collected, and too long for that
		var got []byte
		full := true
		out := NewOutput(writer(func(p []byte) (int, error) {
			if full {
				full = false
				return 0, syscall.ENOSPC
			}
			got = append(got, p...)
			return len(p), nil
		}), "out")
		_, _ = out.Write(make([]byte, n))
		_ = out.Flush()
		_, err := out.Write(make([]byte, BufferSize))
		assert.ErrorIs(t, err, syscall.ENOSPC)
		assert.ErrorIs(t, out.End(nil), syscall.ENOSPC)
		assert.Zero(t, len(got))
	}
}

type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// A resumed run removes the temporary files of the interrupted run, once for each folder, but not its own or those of other
// runs. A run without a journal, or with a new one, removes no file.
func TestSweep(t *testing.T) {
	for _, row := range []struct {
		run     string
		resumed bool
		left    int
	}{{"id1", true, 3}, {"id1", false, 4}, {"", false, 4}} {
		dir := t.TempDir()
		for _, name := range []string{".absolink-id1-x.tmp", ".absolink-id12-x.tmp", ".absolink-x.tmp", ".absolink-id1-x.html"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
		}
		var set Set
		if row.run != "" {
			set.BelongTo(row.run, row.resumed)
		}
		file, err := set.Create(filepath.Join(dir, "a"), nil)
		require.NoError(t, err)
		set.Sweep(dir)
		set.Sweep(dir + "/.") // the same folder
		set.Sweep(filepath.Join(dir, "none"))
		names, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Len(t, names, row.left+1, row.run)
		require.NoError(t, file.Commit())
		assert.True(t, Exists(filepath.Join(dir, "a")))
	}
}
