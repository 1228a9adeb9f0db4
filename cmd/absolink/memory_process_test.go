//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/memorytest"
)

// TestMemory rewrites inputs that need much memory, at a tenth of their size. The peak memory of each process is limited
// by the size of its input. With GOGC=10 the garbage is short, so that it does not hide what is held. To print the peaks of
// inputs of the full size: bench/run memory.
func TestMemory(t *testing.T) {
	needPeak(t)
	t.Setenv("GOGC", "10")
	for _, in := range memorytest.Inputs {
		t.Run(in.Name, func(t *testing.T) {
			src := in.Make(in.Size / 10)
			document := filepath.Join(t.TempDir(), in.File)
			require.NoError(t, os.WriteFile(document, src, 0o666))
			peak := peakOf(t, command(t, in.Args(document, document+".out")...))
			t.Logf("%d MB for %.1f MB: %.1f times the size", peak>>20, float64(len(src))/(1<<20), float64(peak)/float64(len(src)))
			assert.LessOrEqual(t, peak, in.Limit(len(src)))
		})
	}
}

// TestMemoryWorkers rewrites small records on sixteen workers. The peak memory stays below 96 MB, although the records and
// their results are in memory until they can be written in order.
func TestMemoryWorkers(t *testing.T) {
	needPeak(t)
	const message = 32 << 10
	page := "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("<p>text</p><a href=3Dx>text</a>\n", message/32)
	mbox := filepath.Join(t.TempDir(), "small.mbox")
	require.NoError(t, os.WriteFile(mbox, []byte(strings.Repeat("From a@b Mon Jan  1 00:00:00 2024\n"+page+"\n", (96<<20)/message)), 0o666))
	peak := peakOf(t, command(t, "rewrite", "-q", "-j", "16", "-u", "http://h/", mbox, "-o", mbox+".out"))
	t.Logf("%d MB", peak>>20)
	assert.Less(t, peak, int64(96<<20))
}

// needPeak skips a test if the peak memory of a process is unknown, or is not that of a normal build.
func needPeak(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the race detector needs memory of its own")
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux is known to count the peak memory of a process in kB")
	}
}

// asParent is the environment variable that makes TestPeakOf run a command.
const asParent = "ABSOLINK_TEST_AS_PARENT"

// peakOf runs a command and returns its peak memory in bytes. The system counts the memory of the process that starts a
// command as memory of the command. So a new process of the test binary starts it, which has run no test.
func peakOf(t *testing.T, cmd *exec.Cmd) int64 {
	parent := exec.Command(cmd.Path, append([]string{"-test.run=^TestPeakOf$", "--"}, cmd.Args[1:]...)...)
	parent.Env = append(os.Environ(), asParent+"=1")
	out, err := parent.CombinedOutput()
	require.NoError(t, err, string(out))
	var kilobytes int64
	_, err = fmt.Sscanf(string(out), "peak %d kB", &kilobytes)
	require.NoError(t, err, string(out))
	return kilobytes << 10
}

// TestPeakOf is the process that peakOf starts. It does nothing in a normal run of the tests.
func TestPeakOf(t *testing.T) {
	if os.Getenv(asParent) == "" {
		return
	}
	cmd := command(t, os.Args[slices.Index(os.Args, "--")+1:]...)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Run())
	fmt.Printf("peak %d kB\n", cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
}
