package inputs

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, make([]byte, 3000), 0o600))
	for _, peeks := range []bool{false, true} {
		file, err := os.Open(path)
		require.NoError(t, err)
		r := NewReader(file, &Meter{})
		_, err = io.ReadFull(r, make([]byte, 700))
		require.NoError(t, err)
		require.NoError(t, file.Close())
		if peeks {
			_, err = r.Peek(HeadLen)
		} else {
			_, err = r.Read(make([]byte, 1))
		}
		assert.EqualError(t, err, "read at offset 700 "+path+": file already closed")
	}
}

// A file that another program truncates while it is read is an error. One that grows is not. Standard input may begin at an
// offset in its file.
func TestChangedWhileRead(t *testing.T) {
	for name, row := range map[string]struct {
		from  int64
		size  int64 // the new size
		peeks bool  // before the change
		want  int
		err   error
	}{
		"unchanged":           {0, 300_000, false, 300_000, nil},
		"longer":              {0, 400_000, false, 300_000, nil},
		"shorter":             {0, 200_000, false, 200_000, ErrShrunk},
		"shorter than a peek": {0, 500, true, HeadLen, ErrShrunk},
		"empty":               {0, 0, false, 1, ErrShrunk},
		"from an offset":      {100_000, 300_000, false, 200_000, nil},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f")
			require.NoError(t, os.WriteFile(path, make([]byte, 300_000), 0o600))
			file, err := os.Open(path)
			require.NoError(t, err)
			defer file.Close()
			_, err = file.Seek(row.from, io.SeekStart)
			require.NoError(t, err)
			r := NewReader(file, &Meter{})
			n := 0
			if row.peeks {
				_, err = r.Peek(HeadLen)
			} else {
				n, err = r.Read(make([]byte, 1))
			}
			require.NoError(t, err)
			_, err = r.Stat()
			require.NoError(t, err)
			require.NoError(t, os.Truncate(path, row.size))
			rest, err := io.ReadAll(r)
			assert.GreaterOrEqual(t, n+len(rest), row.want)
			assert.ErrorIs(t, err, row.err)
		})
	}
}
