//go:build unix

package service_test

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
)

func TestMain(m *testing.M) { commandtest.Main(m) }

// TestPython runs the tests of the Python package in release/python/tests, with this command.
func TestPython(t *testing.T) {
	if err := exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))").Run(); err != nil {
		t.Skip("python3 is not installed, or is older than 3.9:", err)
	}
	absolink := commandtest.Command(t)
	cmd := exec.Command("python3", "../../../../release/python/tests/run.py")
	cmd.Env = append(absolink.Env, "ABSOLINK="+absolink.Path, "PYTHONDONTWRITEBYTECODE=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	tests := 0
	for lines := bufio.NewScanner(out); lines.Scan(); tests++ {
		var result struct{ Test, Outcome, Text string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &result), lines.Text())
		t.Run(result.Test, func(t *testing.T) {
			switch result.Outcome {
			case "skip":
				t.Skip(result.Text)
			case "fail":
				t.Error(result.Text)
			}
		})
	}
	require.NoError(t, cmd.Wait(), stderr.String())
	assert.NotZero(t, tests)
	assert.Empty(t, stderr.String())
}
