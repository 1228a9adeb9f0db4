//go:build unix

package commandtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file that can be executed need not start: it may have no loader, or need an interpreter or a program that is missing.
func TestStarts(t *testing.T) {
	for content, want := range map[string]bool{
		"#!/bin/sh\necho usage": true, "#!/bin/sh\nexit 2": true, "#!/bin/sh\nexec no-such-program": false,
		"#!/no/such/interpreter\n": false, "PK\x03\x04\x00": false,
	} {
		program := filepath.Join(t.TempDir(), "program")
		require.NoError(t, os.WriteFile(program, []byte(content), 0o777))
		assert.Equal(t, want, Starts(program), "%q", content)
	}
	assert.False(t, Starts("no-such-program"))
}
