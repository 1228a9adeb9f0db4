package files

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What comes behind bytes that could not be written is not written either, were there room again: a file
// with a gap would look whole.
func TestOutputGap(t *testing.T) {
	for _, n := range []int{1, BufferSize} { // gathered, and too long for that
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
